"""A game that the engine and the oracle play side by side; they must agree all the way."""

from tongits_engine import (
    InvalidAction,
    apply,
    legal_actions,
    parse_action,
    position,
    rules_named,
    settle,
    why_illegal,
)

from tests.engine import oracle


class Both:
    """A position, given as `tongits_engine.position` takes it, in both implementations."""

    def __init__(self, name="tongits-lite", overrides=None, **where):
        self.state = position(rules_named(name, overrides or {}), **where)
        self.game = oracle_at(oracle.rules_named(name, overrides or {}), **where)

    def legal(self):
        legal = sorted(action.text for action in legal_actions(self.state))
        assert legal == self.game.legal()
        assert self.state.is_over == (self.game.result is not None)
        if legal:
            assert self.state.to_act == self.game.seat
            assert self.state.phase.text == self.game.phase
        return legal

    def play(self, text):
        assert text in self.legal(), self.reason(text)
        self.state = apply(self.state, parse_action(text)).state
        self.game.play(text)

    def reason(self, text):
        """Why the engine refuses an action, None if it does not."""
        try:
            return why_illegal(self.state, parse_action(text))
        except InvalidAction as error:
            return str(error)

    def result(self):
        """The result as the referee prints it, None while the game goes on."""
        self.legal()
        if not self.state.is_over:
            return None
        result = as_printed(settle(self.state))
        assert result == self.game.result
        return result


def as_printed(result):
    return {
        "termination": result.termination.text,
        "winner": result.winner,
        "deadwood": list(result.deadwood),
        "burned": list(result.burned),
        "payments": list(result.payments),
    }


def oracle_at(
    rules,
    *,
    hands=("", "", ""),
    melds=(),
    discards="",
    stock=None,
    phase="start",
    to_act=0,
    dealer=0,
    turn=None,
    first_turn=False,
    opened=(),
    lay_offs=(),
    last_drawer=None,
):
    """The oracle's game in the position that the engine's `position` describes."""
    game = oracle.Game(rules, oracle.DECK, dealer)
    game.hands = [set(hand.split()) for hand in hands]
    game.table = []
    for owner, cards, how in melds:
        turned = rules["meld.face_down"] == "after_show"
        meld = oracle.OnTable(
            owner,
            frozenset(cards.split()),
            concealed=how == "concealed",
            shown_then_turned=turned,
            from_hand=how != "taken",
        )
        game.table.append(meld)
    named = " ".join([*hands, *(cards for _, cards, _ in melds), discards]).split()
    rest = [card for card in oracle.DECK if card not in named]
    game.stock = rest if stock is None else stock.split()
    game.pile = discards.split()
    game.discarded_by = dict.fromkeys(game.pile, (to_act - 1) % 3)
    game.seat = to_act
    if turn is None:
        turn = 0 if first_turn else 3 + (to_act - dealer) % 3
    game.turn = turn
    game.phase = "start" if phase == "respond" else phase
    game.last_turn = [turn - 1 - (to_act - 1 - seat) % 3 for seat in range(3)]
    game.opened_otherwise = set(opened)
    for seat, card, number, when in lay_offs:
        game.table[number].given_by[card] = seat
        game.layoffs.append((when, seat, game.table[number].owner))
    game.last_drawer = last_drawer
    if last_drawer is None:
        game.last_drawer = (to_act - 1) % 3 if phase == "start" else to_act
    if phase == "respond":
        game.play("call")
    return game
