"""Plays the cautious game and calls Draw as soon as the odds of winning the call are good.

The odds come from what players of this kind were seen to hold: so many points for each card in
the hand, fewer the later it is. An opponent who has not opened cannot contest at all.
"""

from math import exp

from caller_cards import room_beside, worst_card
from tongits_bot import POINTS, Action, Kind, Phase, View, best_melds, deadwood, loose_cards, serve

CALL_AT = 0.4
"""Calls when nobody holds less with this probability."""
CONTEST_AT = 0.2
"""Contests a call that it wins with this probability: losing costs little more than folding."""
CALLER_HOLDS = 0.6
"""A caller's points, as a part of what its number of cards alone would suggest."""


def decide(view: View) -> Action:
    """One decision, by the phase it falls in."""
    if view.phase is Phase.START:
        return start(view)
    if view.phase is Phase.RESPOND:
        return respond(view)
    return put_down(view) or lay_off(view) or discard(view)


def start(view: View) -> Action:
    """Call if that should win; else take the discard if that helps; else draw."""
    mine = deadwood(view.hand, runs=view.game.runs)
    if view.legal[-1].kind is Kind.CALL and mine and odds_of_call(view, mine) >= CALL_AT:
        return view.legal[-1]
    best, least = view.legal[0], mine
    for action in view.legal:
        if action.kind is Kind.TAKE:
            left = left_after_taking(view, action)
            if left < least:
                best, least = action, left
    return best


def left_after_taking(view: View, take: Action) -> int:
    """Points in hand at the end of a turn that begins with this take."""
    rest = bytes([card for card in view.hand if card not in take.cards])
    loose = [POINTS[card] for card in loose_cards(rest, runs=view.game.runs)]
    return sum(loose) - max(loose, default=0)


def odds_of_call(view: View, mine: int) -> float:
    """How likely it is that no opponent who may contest holds as little as this."""
    odds = 1.0
    for seat in range(3):
        if seat != view.seat and view.opened[seat]:
            odds *= odds_against(view, seat, mine)
    return odds


def odds_against(view: View, seat: int, mine: int, part: float = 1.0) -> float:
    """How likely it is that this seat holds more points; `part` of what is usual."""
    cards = view.hand_sizes[seat]
    a_card = (2.6 if view.game.runs else 3.5) + 0.18 * view.stock_size
    return 1 / (1 + exp(1.7 * (mine - cards * a_card * part) / (3 + 1.1 * cards)))


def respond(view: View) -> Action:
    """Contest the call if there is a fair chance."""
    mine = deadwood(view.hand, runs=view.game.runs)
    odds = odds_against(view, view.caller or 0, mine, CALLER_HOLDS)
    return Action(Kind.CHALLENGE if odds >= CONTEST_AT else Kind.FOLD)


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


def may_hold(view: View) -> bool:
    """Whether melds in hand are free of points at the end."""
    return view.game.parameters.get("deadwood.held_melds_free", True) is not False


def goes_out(view: View) -> bool:
    """Whether all cards but one can leave the hand in this turn."""
    loose = loose_cards(view.hand, runs=view.game.runs)
    can_lay_off = {action.cards[0] for action in view.legal if action.kind is Kind.LAYOFF}
    return len(can_lay_off.union(loose)) - len(can_lay_off) <= 1


def lay_off(view: View) -> Action | None:
    """Get rid of a loose card, the highest first, but not at the cost of one's own next call."""
    loose = loose_cards(view.hand, runs=view.game.runs)
    choices = [a for a in view.legal if a.kind is Kind.LAYOFF and a.cards[0] in loose]
    if keeps_call(view):
        choices = [a for a in choices if view.melds[a.meld].owner != view.seat]
    return max(choices, key=lambda action: POINTS[action.cards[0]], default=None)


def keeps_call(view: View) -> bool:
    """Whether a lay-off on one's own meld would cost a call that could come next turn."""
    blocks = view.game.parameters.get("draw.block_self", True) is not False
    return (
        blocks and view.stock_size > 2 and not view.call_blocked[view.seat] and not goes_out(view)
    )


def discard(view: View) -> Action:
    """The least useful card; what others cannot use is better than what they can."""
    cards = bytes([a.cards[0] for a in view.legal if a.kind is Kind.DISCARD])
    return Action(Kind.DISCARD, bytes([worst_card(view, cards)]))


if __name__ == "__main__":
    serve(decide)
