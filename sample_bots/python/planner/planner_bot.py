"""Plans by the chances of what nobody has seen, and counts them in chips.

Whether to call, to wait, to contest or to fold is a matter of chips to be won and lost, the pot
among them; what to throw away, of the points that the hand is likely to come to. The pure parts
are in planner_odds (what others hold), planner_cards (what the own hand will come to) and
planner_stakes (what an end of the game is worth). The bot remembers nothing between decisions.

What it expects of others was fitted to games of the sample bots, where at each decision of one kind
both ways were played to the end from the same cards and the chips compared.
"""

from planner_cards import best_discard, left_after_taking
from planner_odds import chance_caller_has_less, chance_of_at_most, hidden_cards
from planner_stakes import Stakes
from tongits_bot import POINTS, Action, Kind, Phase, View, best_melds, deadwood, loose_cards, serve

WAITING = {True: (0.06, 0.8), False: (0.0, 0.8)}
"""With runs, and with sets only: a seat that could call and waits still wins with the chance
a + b * (its chance if it calls)."""
LAST_TURN = 0.08
"""What is added to that when everybody has at most one more turn: nobody will get far ahead."""
CONTESTS_AT = 3.4
"""Seats are expected to contest a call with so many points for each of the caller's cards."""
OPENING = 8.0
"""Points that it is worth to open the hand with a discard."""


def decide(view: View) -> Action:
    """One decision, by the phase it falls in."""
    if view.phase is Phase.START:
        return start(view)
    if view.phase is Phase.RESPOND:
        return respond(view)
    return put_down(view) or lay_off(view) or discard(view)


def start(view: View) -> Action:
    """Call if that should win more than to wait; else take the discard if that helps; else draw."""
    mine = deadwood(view.hand, runs=view.game.runs)
    if view.legal[-1].kind is Kind.CALL and mine and should_call(view, mine):
        return view.legal[-1]
    opens = 0.0 if view.opened[view.seat] else OPENING
    best, least = view.legal[0], mine + opens
    for action in view.legal:
        if action.kind is Kind.TAKE:
            left = left_after_taking(view, action.cards)
            if left < least:
                best, least = action, left
    return best


def should_call(view: View, mine: int) -> bool:
    """Whether a call now brings more chips than to play on."""
    stakes, wins = Stakes(view), chance_of_call(view, mine)
    after, before = (view.seat + 1) % 3, (view.seat + 2) % 3
    worst = max(after, before, key=lambda seat: (view.opened[seat], -view.hand_sizes[seat]))
    call = wins * stakes.won() + (1 - wins) * stakes.lost(worst, contested=True)
    base, share = WAITING[view.game.runs]
    later = base + share * wins + (LAST_TURN if view.stock_size <= 3 else 0.0)
    lost = (stakes.lost(after) + stakes.lost(before)) / 2
    return call > later * stakes.won() + (1 - later) * lost


def chance_of_call(view: View, mine: int) -> float:
    """How likely it is that no opponent holds less and contests."""
    hidden = hidden_cards(view)
    contested = min(mine, int(CONTESTS_AT * len(view.hand)))
    wins = 1.0
    for seat in range(3):
        if seat != view.seat and view.opened[seat]:
            wins *= 1 - chance_of_at_most(view, seat, contested, hidden)
    return wins


def respond(view: View) -> Action:
    """Contest if that brings more than to fold."""
    stakes, caller = Stakes(view), view.caller or 0
    wins = chance_of_contest(view, caller)
    contest = wins * stakes.won(contested=1) + (1 - wins) * stakes.lost(caller, contested=True)
    return Action(Kind.CHALLENGE if contest > stakes.lost(caller) else Kind.FOLD)


def chance_of_contest(view: View, caller: int) -> float:
    """How likely it is that neither the caller nor a challenger holds less."""
    mine, hidden = deadwood(view.hand, runs=view.game.runs), hidden_cards(view)
    if view.caller_points is not None:
        wins = float(mine <= view.caller_points)
    else:
        wins = 1 - chance_caller_has_less(view, caller, mine, hidden)
    for seat in view.challengers:
        wins *= 1 - chance_caller_has_less(view, seat, mine, hidden)
    return wins


def put_down(view: View) -> Action | None:
    """Open with one meld; put down everything when that ends the game."""
    choices = [a for a in view.legal if a.kind is Kind.EXPOSE or a.kind is Kind.CONCEAL]
    if not choices or (view.opened[view.seat] and may_hold(view) and not goes_out(view)):
        return None
    wanted = best_melds(view.hand, runs=view.game.runs)
    choices = [action for action in choices if action.cards in wanted]
    return min(
        choices,
        key=lambda action: (action.kind is Kind.EXPOSE, room_beside(view, action.cards)),
        default=None,
    )


def room_beside(view: View, meld: bytes) -> int:
    """How many cards others could lay off on this meld of one's own."""
    hidden = hidden_cards(view)
    if meld[0] >> 2 == meld[-1] >> 2:
        return sum([card >> 2 == meld[0] >> 2 for card in hidden])
    return (meld[0] - 4 in hidden) + (meld[-1] + 4 in hidden)


def may_hold(view: View) -> bool:
    """Whether melds in hand are free of points at the end."""
    return view.game.parameters.get("deadwood.held_melds_free", True) is not False


def goes_out(view: View) -> bool:
    """Whether all cards but one can leave the hand in this turn."""
    loose = loose_cards(view.hand, runs=view.game.runs)
    can_lay_off = {action.cards[0] for action in view.legal if action.kind is Kind.LAYOFF}
    return len(can_lay_off.union(loose)) - len(can_lay_off) <= 1


def lay_off(view: View) -> Action | None:
    """Get rid of a loose card, the highest first: on another's meld it also stops a call."""
    loose = loose_cards(view.hand, runs=view.game.runs)
    choices = [a for a in view.legal if a.kind is Kind.LAYOFF and a.cards[0] in loose]
    return max(choices, key=lambda action: POINTS[action.cards[0]], default=None)


def discard(view: View) -> Action:
    """The card without which the hand is likely to come to least."""
    return Action(Kind.DISCARD, bytes([best_discard(view, hidden_cards(view))]))


if __name__ == "__main__":
    serve(decide)
