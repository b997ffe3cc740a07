//! The parameters of a variant as values. What each means is in the rules document, by its name.

use crate::melds::Melds;

/// How a meld may lie face down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaceDown {
    Never,
    HandFour,
    AfterShow,
}

/// How long a lay-off of another seat keeps a seat from calling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Block {
    Never,
    NextTurn,
    ForGood,
}

/// Who wins a tie when the stock is empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StockTie {
    LastDrawerOrder,
    Recency,
    Nobody,
}

/// Which sets of the winner pay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BonusScope {
    SecretFours,
    AnyFours,
    AllSets,
}

/// Everything that can differ between variants and matters within one game; fields have the names
/// of the parameters. `score.ace_owner` is not among them: aces count for the owner of the meld.
#[allow(clippy::struct_excessive_bools)] // they are independent of each other
pub struct Rules {
    pub melds: Melds,
    pub deal_cards: [usize; 2],
    pub dealer_draws_first: bool,
    pub first_turn_may_expose: bool,
    pub max_melds_per_turn: u32,
    pub face_down: FaceDown,
    pub discard_after_pickup: bool,
    pub layoffs: bool,
    pub layoff_requires_open: bool,
    pub layoff_before_draw: bool,
    pub forbid_layoffable: bool,
    pub call_requires_open: bool,
    pub block_by_opponent: Block,
    pub block_self: bool,
    pub block_discard_taken: bool,
    pub block_own_long_meld: bool,
    pub challenge_requires_open: bool,
    pub secret_in_hand_opens: bool,
    pub held_melds_free: bool,
    pub caller_wins_ties: bool,
    pub last_challenger_wins_ties: bool,
    pub stock_tie: StockTie,
    pub ends_at_next_start: bool,
    pub lowest_wins_unopened: bool,
    pub all_grouped_is_tongits: bool,
    pub win: i32,
    pub tongits: i32,
    pub draw_contested: i32,
    pub draw_uncontested: i32,
    pub all_losers_pay_contest: bool,
    pub fold_penalty: i32,
    pub burned: i32,
    pub ace: i32,
    pub set_bonus: i32,
    pub bonus_scope: BonusScope,
    pub ante: i32,
    pub pot_streak: u32,
}

impl Rules {
    /// The rules with these parameters; `parameter` gives the JSON text of those that are not as in
    /// tongits-lite.
    pub fn new<'a>(parameter: impl Fn(&str) -> Option<&'a str>) -> Self {
        let word = |name| parameter(name).unwrap_or_default().trim_matches('"');
        let flag = |name, usual: bool| parameter(name).map_or(usual, |text| text == "true");
        let number =
            |name, usual: i32| parameter(name).and_then(|text| text.parse().ok()).unwrap_or(usual);
        let run_max = number("meld.run_max", 13) as u32;
        let ace_high = flag("meld.ace_high", false);
        Rules {
            melds: Melds::new(flag("meld.runs", true), run_max, ace_high),
            deal_cards: deal_cards(word("deal.cards")),
            dealer_draws_first: flag("turn.dealer_draws_first", false),
            first_turn_may_expose: flag("first_turn.may_expose", true),
            max_melds_per_turn: number("meld.max_per_turn", i32::MAX) as u32,
            face_down: match word("meld.face_down") {
                "none" => FaceDown::Never,
                "after_show" => FaceDown::AfterShow,
                _ => FaceDown::HandFour,
            },
            discard_after_pickup: flag("pickup.discard_after", true),
            layoffs: flag("layoff.enabled", true),
            layoff_requires_open: flag("layoff.requires_open", false),
            layoff_before_draw: flag("layoff.before_draw", false),
            forbid_layoffable: flag("discard.forbid_layoffable", false),
            call_requires_open: flag("draw.requires_open", true),
            block_by_opponent: match word("draw.block_opponent_layoff") {
                "none" => Block::Never,
                "rest_of_hand" => Block::ForGood,
                _ => Block::NextTurn,
            },
            block_self: flag("draw.block_self", true),
            block_discard_taken: flag("draw.block_discard_taken", false),
            block_own_long_meld: flag("draw.block_own_long_meld", false),
            challenge_requires_open: flag("draw.challenge_requires_open", true),
            secret_in_hand_opens: flag("open.secret_in_hand_counts", false),
            held_melds_free: flag("deadwood.held_melds_free", true),
            caller_wins_ties: word("tie.caller_vs_challenger") == "caller",
            last_challenger_wins_ties: word("tie.two_challengers") == "last_challenger",
            stock_tie: match word("tie.stock") {
                "recency" => StockTie::Recency,
                "none" => StockTie::Nobody,
                _ => StockTie::LastDrawerOrder,
            },
            ends_at_next_start: word("end.stock_moment") == "next_start",
            lowest_wins_unopened: word("end.none_opened") == "lowest_wins",
            all_grouped_is_tongits: word("tongits.trigger") == "all_grouped",
            win: number("score.win", 1),
            tongits: number("score.tongits", 3),
            draw_contested: number("score.draw_contested", 3),
            draw_uncontested: number("score.draw_uncontested", 1),
            all_losers_pay_contest: word("score.draw_payers") == "all_losers",
            fold_penalty: number("score.fold_penalty", 0),
            burned: number("score.burned", 1),
            ace: number("score.ace", 1),
            set_bonus: number("score.set_bonus", 3),
            bonus_scope: match word("score.set_bonus_scope") {
                "any4" => BonusScope::AnyFours,
                "all_sets" => BonusScope::AllSets,
                _ => BonusScope::SecretFours,
            },
            ante: number("pot.ante", 2),
            pot_streak: number("pot.streak", 2) as u32,
        }
    }
}

fn deal_cards(text: &str) -> [usize; 2] {
    let numbers: Vec<usize> = text
        .split(|letter: char| !letter.is_ascii_digit())
        .filter_map(|word| word.parse().ok())
        .collect();
    <[usize; 2]>::try_from(numbers).unwrap_or([13, 12])
}
