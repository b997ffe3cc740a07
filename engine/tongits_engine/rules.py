"""The frozen value that says which rules a game is played by. Not the presets."""

from dataclasses import dataclass, field, fields

from tongits_engine.errors import RulesError
from tongits_engine.hand_tables import HandTables, hand_tables
from tongits_engine.parameters import NO_LIMIT, PARAMETERS, Value, problems_in


@dataclass(frozen=True, slots=True)
class Rules:
    """Every parameter of a variant; get one from ``rules_named``.

    The defaults are ``tongits-lite``. ``PARAMETERS`` says what each field means, its values and
    its rule. Left out are parameters of the rule texts with one value only
    (``deal.first_dealer``, ``pickup.min_hand_cards``), without an action to express them
    (``pickup.layoff_allowed``) or without a defining sentence (``score.run_bonus``, the value
    ``split`` of ``tie.stock``).

    Raises:
        RulesError: a value or a combination of values has no meaning.
    """

    name: str = "tongits-lite"
    deal_cards: tuple[int, int] = (13, 12)
    deal_next_dealer: str = "winner"
    deal_direction: str = "ccw"
    turn_dealer_draws_first: bool = False
    first_turn_may_expose: bool = True
    meld_runs: bool = True
    meld_run_max: int = 13
    meld_ace_high: bool = False
    meld_max_per_turn: int | str = NO_LIMIT
    meld_face_down: str = "hand_four"
    pickup_discard_after: bool = True
    layoff_enabled: bool = True
    layoff_requires_open: bool = False
    layoff_before_draw: bool = False
    draw_requires_open: bool = True
    draw_block_opponent_layoff: str = "next_turn"
    draw_block_self: bool = True
    draw_block_discard_taken: bool = False
    draw_block_own_long_meld: bool = False
    draw_caller_announces_points: bool = False
    draw_response_order: str = "right_of_caller"
    draw_challenge_requires_open: bool = True
    open_secret_in_hand_counts: bool = False
    deadwood_held_melds_free: bool = True
    tie_caller_vs_challenger: str = "challenger"
    tie_two_challengers: str = "right_of_caller"
    tie_stock: str = "last_drawer_order"
    end_stock_moment: str = "after_discard"
    end_none_opened: str = "void"
    tongits_trigger: str = "hand_empty"
    score_win: int = 1
    score_tongits: int = 3
    score_draw_contested: int = 3
    score_draw_uncontested: int = 1
    score_draw_payers: str = "contest"
    score_fold_penalty: int = 0
    score_burned: int = 1
    score_ace: int = 1
    score_ace_owner: str = "location"
    score_set_bonus: int = 3
    score_set_bonus_scope: str = "secret4"
    pot_ante: int = 2
    pot_ante_payers: str = "all"
    pot_streak: int = 2
    pot_after_hit: str = "continue"
    pot_void_hand: str = "keep"
    pot_match_end: str = "split"
    discard_forbid_layoffable: bool = False
    tables: HandTables = field(init=False, compare=False, repr=False)
    """The melds these rules know; derived, so no part of the value."""
    meld_limit: int = field(init=False, compare=False, repr=False)
    """``meld_max_per_turn`` as a number; derived."""

    unopened_may_call: bool = field(init=False, compare=False, repr=False)
    """Whether a seat without a meld on the table may ever call; derived."""

    def __post_init__(self) -> None:
        """Check the values and derive the tables."""
        problems = problems_in(self.parameters())
        if problems:
            raise RulesError("; ".join(problems))
        tables = hand_tables(self.meld_runs, self.meld_run_max, self.meld_ace_high)
        object.__setattr__(self, "tables", tables)
        may_call = self.open_secret_in_hand_counts or not self.draw_requires_open
        object.__setattr__(self, "unopened_may_call", may_call)
        limit = self.meld_max_per_turn
        object.__setattr__(self, "meld_limit", limit if isinstance(limit, int) else 52)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return Rules, tuple([getattr(self, one.name) for one in fields(self) if one.init])

    def parameters(self) -> dict[str, Value]:
        """Every parameter by its dotted name, in the order of the rules document."""
        return {parameter.name: getattr(self, parameter.field) for parameter in PARAMETERS}
