//! Who has won a game that is over, and who pays what.

use crate::cards::{ACES, Cards, ranks_of_three, size};
use crate::game::{Answer, Ending, Game, Meld, Phase, SEATS};
use crate::rules::{BonusScope, FaceDown, StockTie};

/// How a game came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// None if the game is void.
    pub winner: Option<usize>,
    /// Chips won or paid by each seat, without the pot.
    pub payments: [i32; SEATS],
}

/// The outcome of a game that is over.
pub fn settle(game: &Game) -> Outcome {
    let mut payments = [0; SEATS];
    let winner = winner(game);
    if let Some(winner) = winner {
        let extra = game.rules.ace * aces(game, winner) + game.rules.set_bonus * sets(game, winner);
        for loser in (0..SEATS).filter(|&seat| seat != winner) {
            let due = extra + base(game, loser) + penalties(game, loser);
            payments[loser] -= due;
            payments[winner] += due;
        }
    }
    Outcome { winner, payments }
}

/// Points in a hand as they count in a comparison.
pub fn deadwood(game: &Game, hand: Cards) -> u32 {
    if game.rules.held_melds_free {
        return game.rules.melds.split(hand).deadwood;
    }
    crate::cards::points(hand)
}

fn winner(game: &Game) -> Option<usize> {
    match game.phase {
        Phase::Over(Ending::Tongits) => Some(game.to_act),
        Phase::Over(Ending::DrawUncontested) => Some(game.caller),
        Phase::Over(Ending::DrawContested) => contest_winner(game),
        Phase::Over(Ending::Stock) => stock_winner(game),
        _ => None,
    }
}

/// The seat with the least deadwood, of equal ones the first.
fn least(game: &Game, seats: impl Iterator<Item = usize>) -> Option<usize> {
    seats.min_by_key(|&seat| deadwood(game, game.hands[seat]))
}

fn contest_winner(game: &Game) -> Option<usize> {
    let mut order = [1, 2].map(|step| (game.caller + step) % SEATS);
    if game.rules.last_challenger_wins_ties {
        order.reverse();
    }
    let challengers = order.into_iter().filter(|&seat| game.answers[seat] == Answer::Challenged);
    if game.rules.caller_wins_ties {
        return least(game, std::iter::once(game.caller).chain(challengers));
    }
    least(game, challengers.chain(std::iter::once(game.caller)))
}

fn stock_winner(game: &Game) -> Option<usize> {
    let step = if game.rules.stock_tie == StockTie::Recency { 2 } else { 1 };
    let order = [0, 1, 2].map(|place| (game.last_drawer + step * place) % SEATS);
    let nobody = !order.iter().any(|&seat| game.has_opened(seat));
    if nobody && !game.rules.lowest_wins_unopened {
        return None;
    }
    let compared = |seat: &usize| nobody || game.has_opened(*seat);
    let first = least(game, order.into_iter().filter(compared));
    let last = least(game, order.into_iter().rev().filter(compared));
    if game.rules.stock_tie == StockTie::Nobody && first != last { None } else { first }
}

fn own_melds<'g>(game: &'g Game, seat: usize) -> impl Iterator<Item = &'g Meld> {
    game.melds().iter().filter(move |meld| meld.owner == seat)
}

fn aces(game: &Game, winner: usize) -> i32 {
    let all = own_melds(game, winner).fold(game.hands[winner], |cards, meld| cards | meld.cards);
    size(all & ACES) as i32
}

fn sets(game: &Game, winner: usize) -> i32 {
    let tabled = own_melds(game, winner).filter(|meld| pays_bonus(game, meld)).count();
    let bonus: fn(u32) -> u32 = match game.rules.bonus_scope {
        BonusScope::AllSets => |_| 1,
        _ => |cards| u32::from(cards == 4),
    };
    tabled as i32 + game.rules.melds.bonus_in(game.hands[winner], bonus) as i32
}

fn pays_bonus(game: &Game, meld: &Meld) -> bool {
    if ranks_of_three(meld.cards) == 0 {
        return false;
    }
    let is_four = size(meld.cards) == 4;
    match game.rules.bonus_scope {
        BonusScope::AllSets => true,
        BonusScope::AnyFours => is_four,
        BonusScope::SecretFours => {
            let was_shown = game.rules.face_down == FaceDown::AfterShow && !meld.taken;
            is_four && (meld.concealed || was_shown)
        }
    }
}

fn base(game: &Game, loser: usize) -> i32 {
    let rules = game.rules;
    let contests = loser == game.caller || game.answers[loser] == Answer::Challenged;
    match game.phase {
        Phase::Over(Ending::Tongits) => rules.tongits,
        Phase::Over(Ending::DrawUncontested) => rules.draw_uncontested,
        Phase::Over(Ending::DrawContested) if contests || rules.all_losers_pay_contest => {
            rules.draw_contested
        }
        _ => rules.win,
    }
}

fn penalties(game: &Game, loser: usize) -> i32 {
    let burned = if game.has_opened(loser) { 0 } else { game.rules.burned };
    let folded = game.answers[loser] == Answer::Folded;
    burned + if folded { game.rules.fold_penalty } else { 0 }
}
