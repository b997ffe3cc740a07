"""The list of rule parameters: name, values, meaning, rule. Not the values of any variant."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

Value = bool | int | str | tuple[int, int]
"""What a parameter can be set to."""

NO_LIMIT: Final = "none"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of the rules."""

    name: str
    """Dotted, as organisers write it."""
    meaning: str
    rule: str
    values: tuple[Value, ...] = (False, True)
    """The values there are, where they can be listed."""
    span: tuple[int, int] | None = None
    """Lowest and highest value of a number."""

    @property
    def field(self) -> str:
        """Name of the field of ``Rules``."""
        return self.name.replace(".", "_")

    @property
    def allowed(self) -> str:
        """The values there are, for people."""
        if self.name == "deal.cards":
            return "[dealer, other] with other 3..17, dealer the same or one more, together < 52"
        listed = [shown(value) for value in self.values]
        if self.span is not None:
            listed.append(f"a whole number from {self.span[0]} to {self.span[1]}")
        return " or ".join([", ".join(listed[:-1]), listed[-1]] if listed[1:] else listed)

    def accepts(self, value: object) -> bool:
        """Whether the parameter can have this value."""
        if self.name == "deal.cards":
            return _is_deal(value)
        if any(value is listed for listed in self.values if isinstance(listed, bool)):
            return True
        if isinstance(value, bool):
            return False
        if isinstance(value, int):
            return self.span is not None and self.span[0] <= value <= self.span[1]
        return isinstance(value, str) and value in self.values


def _is_deal(value: object) -> bool:
    if not isinstance(value, list | tuple) or len(value) != 2:
        return False
    dealer, other = value
    if type(dealer) is not int or type(other) is not int:
        return False
    return 3 <= other <= 17 and other <= dealer <= other + 1 and dealer + 2 * other < 52


def shown(value: Value) -> str:
    """A value as organisers write it."""
    if isinstance(value, tuple):
        return str(list(value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _choice(name: str, rule: str, values: str, meaning: str) -> Parameter:
    return Parameter(name, meaning, rule, tuple(values.split()))


def _number(name: str, rule: str, span: tuple[int, int], meaning: str) -> Parameter:
    return Parameter(name, meaning, rule, (), span)


_CHIPS: Final = (0, 1000)

PARAMETERS: Final[tuple[Parameter, ...]] = (
    Parameter("deal.cards", "cards dealt to the dealer and to each other seat", "R-DEAL-1", ()),
    _choice(
        "deal.next_dealer",
        "R-DEAL-3",
        "winner next_seat previous_seat",
        "who deals the next game of a session",
    ),
    _choice("deal.direction", "R-DEAL-5", "ccw cw", "a label only; turns pass 0 1 2 0"),
    Parameter(
        "turn.dealer_draws_first",
        "the dealer's first turn starts with a draw from the stock",
        "R-TURN-2",
    ),
    Parameter(
        "first_turn.may_expose", "the dealer may put melds down on the first turn", "R-TURN-5"
    ),
    Parameter("meld.runs", "runs are melds", "R-MELD-2"),
    _number("meld.run_max", "R-MELD-2", (3, 13), "no run has more cards, grown ones neither"),
    Parameter("meld.ace_high", "the ace may stand above the king too", "R-MELD-3"),
    Parameter(
        "meld.max_per_turn",
        "melds exposed or concealed a turn, the pick-up not counted",
        "R-EXP-2",
        (NO_LIMIT,),
        (1, 17),
    ),
    _choice(
        "meld.face_down",
        "R-EXP-3",
        "none hand_four after_show",
        "which melds lie face down: none; fours concealed from the hand; all, once shown",
    ),
    Parameter("pickup.discard_after", "a turn with a pick-up ends with a discard", "R-TAKE-5"),
    Parameter("layoff.enabled", "cards may be laid off on melds", "R-LAY-6"),
    Parameter("layoff.requires_open", "only opened players lay off", "R-LAY-3"),
    Parameter("layoff.before_draw", "lay-offs are possible at START too", "R-LAY-5"),
    Parameter("draw.requires_open", "only opened players call Draw", "R-CALL-2"),
    _choice(
        "draw.block_opponent_layoff",
        "R-CALL-3",
        "none next_turn rest_of_hand",
        "how long another player's lay-off on one's meld stops the call",
    ),
    Parameter("draw.block_self", "a lay-off on one's own meld stops the next call", "R-CALL-4"),
    Parameter("draw.block_discard_taken", "having one's last discard taken does too", "R-CALL-6"),
    Parameter(
        "draw.block_own_long_meld", "so does putting down four or more cards at once", "R-CALL-5"
    ),
    Parameter("draw.caller_announces_points", "the caller tells his points", "R-CALL-14"),
    _choice(
        "draw.response_order",
        "R-CALL-7",
        "right_of_caller simultaneous",
        "whether later answers see earlier ones",
    ),
    Parameter("draw.challenge_requires_open", "only opened players challenge", "R-CALL-8"),
    Parameter("open.secret_in_hand_counts", "a four held in hand counts as opened", "R-EXP-6"),
    Parameter("deadwood.held_melds_free", "melds held in hand count nothing", "R-MELD-6"),
    _choice("tie.caller_vs_challenger", "R-CALL-11", "challenger caller", "who wins the tie"),
    _choice(
        "tie.two_challengers",
        "R-CALL-12",
        "right_of_caller last_challenger",
        "who wins the tie of two challengers",
    ),
    _choice(
        "tie.stock",
        "R-END-5",
        "last_drawer_order recency none",
        "who wins a tie at the stock end; none: the game is void",
    ),
    _choice(
        "end.stock_moment",
        "R-END-3",
        "after_discard next_start",
        "when the stock end comes: after the last drawer's discard, or when a player draws "
        "from the empty stock",
    ),
    _choice("end.none_opened", "R-END-6", "void lowest_wins", "stock end with nobody opened"),
    _choice(
        "tongits.trigger",
        "R-END-2",
        "hand_empty all_grouped",
        "what ends the game as Tongits: an empty hand, or also all cards in melds after "
        "one's own action",
    ),
    _number("score.win", "R-PAY-1", _CHIPS, "base a loser pays"),
    _number("score.tongits", "R-PAY-1", _CHIPS, "base at Tongits"),
    _number("score.draw_contested", "R-PAY-2", _CHIPS, "base of a contestant beaten at Draw"),
    _number("score.draw_uncontested", "R-PAY-3", _CHIPS, "base at a Draw nobody challenged"),
    _choice(
        "score.draw_payers",
        "R-PAY-2",
        "contest all_losers",
        "who pays draw_contested: beaten contestants, or folders too",
    ),
    _number("score.fold_penalty", "R-PAY-8", _CHIPS, "chips a folder pays on top"),
    _number("score.burned", "R-PAY-7", _CHIPS, "chips a burned loser pays on top"),
    _number("score.ace", "R-PAY-4", _CHIPS, "chips for each ace of the winner"),
    _choice(
        "score.ace_owner",
        "R-PAY-4",
        "location contributor",
        "whose a tabled ace is: the meld's owner's, or his who put it down",
    ),
    _number("score.set_bonus", "R-PAY-5", _CHIPS, "chips for each bonus set of the winner"),
    _choice(
        "score.set_bonus_scope",
        "R-PAY-5",
        "secret4 any4 all_sets",
        "sets that pay the bonus: secret fours, all fours, all sets",
    ),
    _number("pot.ante", "R-POT-1", _CHIPS, "chips each payer puts into the pot"),
    _choice(
        "pot.ante_payers",
        "R-POT-1",
        "all losers",
        "all before every game, or its losers after it",
    ),
    _number("pot.streak", "R-POT-2", (1, 1000), "wins in a row that take the pot"),
    _choice("pot.after_hit", "R-POT-3", "continue reset", "the streak after taking the pot"),
    _choice("pot.void_hand", "R-POT-4", "keep break", "the streaks after a void game"),
    _choice(
        "pot.match_end",
        "R-POT-5",
        "split winner",
        "where the pot goes at the end of a session: to all, or to the most chips",
    ),
    Parameter(
        "discard.forbid_layoffable", "a card that could be laid off is not discarded", "R-DISC-3"
    ),
)
"""All parameters in the order of the rules document; defaults are those of ``Rules``."""

PARAMETER_BY_NAME: Final[Mapping[str, Parameter]] = {p.name: p for p in PARAMETERS}


@dataclass(frozen=True, slots=True)
class _Clash:
    """A combination without meaning: under ``when``, ``name`` must be ``only``."""

    when: tuple[str, Value]
    name: str
    only: tuple[Value, ...]


_NO_RUNS: Final = ("meld.runs", False)
_NO_LAYOFF: Final = ("layoff.enabled", False)
_CLASHES: Final = (
    _Clash(_NO_RUNS, "meld.run_max", (13,)),
    _Clash(_NO_RUNS, "meld.ace_high", (False,)),
    _Clash(("meld.face_down", "after_show"), "layoff.enabled", (False,)),
    _Clash(_NO_LAYOFF, "layoff.requires_open", (False,)),
    _Clash(_NO_LAYOFF, "layoff.before_draw", (False,)),
    _Clash(_NO_LAYOFF, "discard.forbid_layoffable", (False,)),
    _Clash(_NO_LAYOFF, "score.ace_owner", ("location",)),
    _Clash(_NO_LAYOFF, "draw.block_opponent_layoff", ("none", "next_turn")),
    _Clash(("draw.block_self", False), "draw.block_own_long_meld", (False,)),
    _Clash(("pickup.discard_after", False), "draw.block_discard_taken", (False,)),
)


def problems_in(values: Mapping[str, object]) -> list[str]:
    """What is wrong with a full set of values, one sentence each; empty if nothing is."""
    wrong = [p for p in PARAMETERS if not p.accepts(values[p.name])]
    problems = [f"{p.name} must be {p.allowed}, not {values[p.name]!r}" for p in wrong]
    for clash in _CLASHES:
        name, value = clash.when
        if values[name] == value and values[clash.name] not in clash.only:
            only = " or ".join([shown(value) for value in clash.only])
            problems.append(
                f"{clash.name} must be {only} where {name} is {shown(value)}: "
                f"{_quoted(values[clash.name])} has no meaning there"
            )
    return problems


def _quoted(value: object) -> str:
    return shown(value) if isinstance(value, bool | int | str) else repr(value)
