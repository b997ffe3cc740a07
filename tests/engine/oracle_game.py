"""The oracle's game in the middle of being played: what is legal, and what an action does."""

from tests.engine.oracle_cards import RANKS, SUITS, is_set, melds_of, text
from tests.engine.oracle_settle import all_grouped, least_deadwood, payments


class OnTable:
    """One meld on the table: who owns it, what lies in it, how it came there."""

    def __init__(self, owner, cards, *, concealed, shown_then_turned, from_hand):
        self.owner = owner
        self.cards = cards
        self.face_down = concealed or shown_then_turned
        self.concealed = concealed
        self.from_hand_as_four = from_hand and len(cards) == 4 and is_set(cards)
        self.given_by = dict.fromkeys(cards, owner)  # who laid each card here


class Game:
    """One game in the middle of being played."""

    def __init__(self, rules, deck, dealer):
        self.rules = rules
        self.melds = set(melds_of(rules))
        for_dealer, for_other = rules["deal.cards"]
        deck = list(deck)
        self.hands = [set(), set(), set()]
        for _ in range(for_other):
            for step in range(3):
                self.hands[(dealer + step) % 3].add(deck.pop(0))
        for _ in range(for_dealer - for_other):
            self.hands[dealer].add(deck.pop(0))
        self.stock = deck
        self.pile = []
        self.table = []
        self.opened_otherwise = set()  # in positions written by hand: seats with melds not listed
        self.seat = dealer
        self.turn = 0
        self.phase = "start" if rules["turn.dealer_draws_first"] else "action"
        self.last_turn = [-1, -1, -1]  # number of the latest finished turn of each seat
        self.layoffs = []  # (turn, by whom, owner of the meld)
        self.longest_meld = [0, 0, 0]  # largest meld laid in a seat's latest turn
        self.discarded_by = {}  # card in the pile: who put it there
        self.taken_from = set()  # seats whose latest discard was melded by another
        self.melds_this_turn = 0
        self.last_drawer = None
        self.caller = None
        self.waiting = []  # seats still to answer the call
        self.challengers = []
        self.result = None

    # ---- what is on the table -------------------------------------------------------------

    def opened(self, seat):
        if any(meld.owner == seat for meld in self.table) or seat in self.opened_otherwise:
            return True
        if not self.rules["open.secret_in_hand_counts"]:
            return False
        fours = [{rank + suit for suit in SUITS} for rank in RANKS]
        return any(four <= self.hands[seat] for four in fours)

    def fits(self, card, meld):
        return not meld.face_down and (meld.cards | {card}) in self.melds

    # ---- legal actions --------------------------------------------------------------------

    def legal(self):
        if self.result is not None:
            return []
        if self.phase == "respond":
            return ["challenge", "fold"]
        return sorted(self.start_actions() if self.phase == "start" else self.turn_actions())

    def start_actions(self):
        if self.stock or self.rules["end.stock_moment"] == "next_start":
            yield "draw"
        if self.pile:
            top, hand = self.pile[-1], self.hands[self.seat]
            for meld in self.melds:
                rest = meld - {top}
                if top in meld and rest <= hand:
                    yield "take " + text(meld)
        if self.turn > 0 and self.may_call():
            yield "call"
        if self.rules["layoff.before_draw"]:
            yield from self.layoff_actions()

    def may_call(self):
        rules, me = self.rules, self.seat
        if rules["draw.requires_open"] and not self.opened(me):
            return False
        for turn, by, owner in self.layoffs:
            if owner != me:
                continue
            recent = turn >= self.last_turn[me]
            if by == me and recent and rules["draw.block_self"]:
                return False
            if by != me and recent and rules["draw.block_opponent_layoff"] == "next_turn":
                return False
            if by != me and rules["draw.block_opponent_layoff"] == "rest_of_hand":
                return False
        if rules["draw.block_discard_taken"] and me in self.taken_from:
            return False
        own_long = rules["draw.block_own_long_meld"] and self.longest_meld[me] >= 4
        return not (own_long and rules["draw.block_self"])

    def layoff_actions(self):
        rules, me = self.rules, self.seat
        if not rules["layoff.enabled"]:
            return
        if rules["layoff.requires_open"] and not self.opened(me):
            return
        for number, meld in enumerate(self.table):
            for card in self.hands[me]:
                if self.fits(card, meld):
                    yield f"layoff {card} {number}"

    def turn_actions(self):
        rules, hand = self.rules, self.hands[self.seat]
        limit = rules["meld.max_per_turn"]
        may_meld = limit == "none" or self.melds_this_turn < limit
        if self.turn == 0 and not rules["first_turn.may_expose"]:
            may_meld = False
        for meld in self.melds if may_meld else ():
            if meld <= hand:
                yield "expose " + text(meld)
                four = is_set(meld) and len(meld) == 4
                if four and rules["meld.face_down"] == "hand_four":
                    yield "conceal " + text(meld)
        yield from self.layoff_actions()
        for card in hand:
            if not (rules["discard.forbid_layoffable"] and self.could_lay_off(card)):
                yield "discard " + card

    def could_lay_off(self, card):
        return any(action.split()[1] == card for action in self.layoff_actions())

    # ---- playing --------------------------------------------------------------------------

    def play(self, action):
        """Play a legal action."""
        word, *rest = action.split()
        getattr(self, "do_" + word)(*rest)
        if self.result is not None or self.phase == "respond":
            return
        if self.has_tongits():
            self.finish("tongits", self.seat)
        elif word == "discard" or (word == "take" and not self.rules["pickup.discard_after"]):
            self.end_turn()

    def has_tongits(self):
        hand = self.hands[self.seat]
        grouped_is_enough = self.rules["tongits.trigger"] == "all_grouped"
        return not hand or (grouped_is_enough and all_grouped(self.rules, hand))

    def do_draw(self):
        if not self.stock:
            self.finish_stock_out()
            return
        self.begin_turn()
        self.hands[self.seat].add(self.stock.pop(0))
        self.last_drawer = self.seat

    def do_take(self, *cards):
        self.begin_turn()
        top = self.pile.pop()
        if self.discarded_by[top] != self.seat:
            self.taken_from.add(self.discarded_by[top])
        self.hands[self.seat].add(top)
        self.lay(cards, concealed=False, from_hand=False)

    def begin_turn(self):
        self.phase = "action"
        self.melds_this_turn = 0
        self.longest_meld[self.seat] = 0

    def do_expose(self, *cards):
        self.melds_this_turn += 1
        self.lay(cards, concealed=False, from_hand=True)

    def do_conceal(self, *cards):
        self.melds_this_turn += 1
        self.lay(cards, concealed=True, from_hand=True)

    def lay(self, cards, *, concealed, from_hand):
        cards = frozenset(cards)
        self.hands[self.seat] -= cards
        turned = self.rules["meld.face_down"] == "after_show"
        self.table.append(
            OnTable(
                self.seat,
                cards,
                concealed=concealed,
                shown_then_turned=turned,
                from_hand=from_hand,
            )
        )
        self.longest_meld[self.seat] = max(self.longest_meld[self.seat], len(cards))

    def do_layoff(self, card, number):
        meld = self.table[int(number)]
        self.hands[self.seat].remove(card)
        meld.cards |= {card}
        meld.given_by[card] = self.seat
        self.layoffs.append((self.turn, self.seat, meld.owner))

    def do_discard(self, card):
        self.hands[self.seat].remove(card)
        self.pile.append(card)
        self.discarded_by[card] = self.seat
        self.taken_from.discard(self.seat)

    def end_turn(self):
        self.last_turn[self.seat] = self.turn
        if not self.stock and self.rules["end.stock_moment"] == "after_discard":
            self.finish_stock_out()
            return
        self.turn += 1
        self.seat = (self.seat + 1) % 3
        self.phase = "start"

    def do_call(self):
        self.caller = self.seat
        others = [(self.caller + 1) % 3, (self.caller + 2) % 3]
        free = not self.rules["draw.challenge_requires_open"]
        self.waiting = [seat for seat in others if free or self.opened(seat)]
        self.phase = "respond"
        self.ask_next()

    def do_challenge(self):
        self.challengers.append(self.waiting.pop(0))
        self.ask_next()

    def do_fold(self):
        self.waiting.pop(0)
        self.ask_next()

    def ask_next(self):
        if self.waiting:
            self.seat = self.waiting[0]
        elif self.challengers:
            self.finish("draw_contested", self.winner_of_contest())
        else:
            self.finish("draw_uncontested", self.caller)

    # ---- the end, see oracle_settle -------------------------------------------------------

    def winner_of_contest(self):
        from_right = list(self.challengers)  # already in turn order from the caller's right
        if self.rules["tie.two_challengers"] == "last_challenger":
            from_right.reverse()
        if self.rules["tie.caller_vs_challenger"] == "caller":
            order = [self.caller, *from_right]
        else:
            order = [*from_right, self.caller]
        return min(order, key=self.deadwood)  # min keeps the first of equals

    def finish_stock_out(self):
        tie, last = self.rules["tie.stock"], self.last_drawer
        order = [last, (last + 1) % 3, (last + 2) % 3]
        if tie == "recency":
            order = [last, (last + 2) % 3, (last + 1) % 3]
        may_win = [seat for seat in order if self.opened(seat)]
        if not may_win and self.rules["end.none_opened"] == "lowest_wins":
            may_win = order
        least = min(map(self.deadwood, may_win), default=None)
        best = [seat for seat in may_win if self.deadwood(seat) == least]
        if not best or (len(best) > 1 and tie == "none"):
            self.finish("void", None)
        else:
            self.finish("stock_out", best[0])

    def deadwood(self, seat):
        return least_deadwood(self.rules, self.hands[seat])

    def finish(self, termination, winner):
        burned = [seat != winner and not self.opened(seat) for seat in range(3)]
        self.result = {
            "termination": termination,
            "winner": winner,
            "deadwood": [self.deadwood(seat) for seat in range(3)],
            "burned": burned,
            "payments": payments(self, termination, winner, burned),
        }
