//! How every seat plays in the simulated games: quick, by what that seat sees, and not badly.
//!
//! It opens with one meld and holds the others, counts the cards that are left, does not feed the
//! next player, and calls when the odds are good: the way of the `caller` among the sample bots.

use crate::cards::{Cards, bit, has, lane, places, points_at, rank_at, ranks_of_four, size};
use crate::game::{Game, Move, Phase, SEATS};
use crate::melds::Split;
use crate::rng::Chance;
use crate::rules::FaceDown;
use crate::settle::deadwood;

/// Its numbers.
#[derive(Clone, Copy)]
pub struct Policy {
    /// Weight of the points that a pair may still save, against points held now.
    pub hope: f64,
    /// Points that it costs to feed the next player a meld.
    pub fear: f64,
    /// Calls when nobody holds less with this probability.
    pub call_at: f64,
    /// Contests a call that it wins with this probability.
    pub contest_at: f64,
    /// A caller's points, as a part of what its number of cards alone would suggest.
    pub caller_holds: f64,
    /// How many points of chance there are in a discard.
    pub noise: f64,
}

impl Default for Policy {
    fn default() -> Self {
        Policy {
            hope: 3.0,
            fear: 6.0,
            call_at: 0.4,
            contest_at: 0.2,
            caller_holds: 0.6,
            noise: 0.0,
        }
    }
}

/// Points that it costs to break a meld.
const IN_A_MELD: f64 = -20.0;

impl Policy {
    /// A player of this kind that is bolder or more timid by up to this part.
    pub fn someone(self, spread: f64, chance: &mut Chance) -> Self {
        let bolder = 1.0 + spread * (2.0 * chance.unit() - 1.0);
        let braver = 1.0 + spread * (2.0 * chance.unit() - 1.0);
        Policy { call_at: self.call_at * bolder, contest_at: self.contest_at * braver, ..self }
    }

    /// What the seat to act does.
    pub fn choose(&self, game: &Game, chance: &mut Chance) -> Move {
        match game.phase {
            Phase::Start => self.start(game),
            Phase::Respond => self.respond(game),
            _ => {
                let hand = game.hands[game.to_act];
                let split = game.rules.melds.split(hand);
                let loose = hand & !split.melded();
                put_down(game, split, loose)
                    .or_else(|| lay_off(game, loose))
                    .unwrap_or_else(|| Move::Discard(self.discard(game, hand, loose, chance)))
            }
        }
    }

    fn start(&self, game: &Game) -> Move {
        let hand = game.hands[game.to_act];
        let mine = deadwood(game, hand);
        if mine > 0 && game.may_call() && self.odds_of_call(game, mine) >= self.call_at {
            return Move::Call;
        }
        let (mut best, mut least) = (Move::Draw, mine);
        if let Some(top) = game.top() {
            game.rules.melds.each_with(top, hand, |meld| {
                let left = left_after_taking(game, hand & !meld);
                if left < least {
                    (best, least) = (Move::Take(meld), left);
                }
            });
        }
        best
    }

    /// How likely it is that no opponent who may contest holds as little as this.
    pub fn odds_of_call(&self, game: &Game, mine: u32) -> f64 {
        let others = [1, 2].map(|step| (game.to_act + step) % SEATS);
        let may_contest = others.into_iter().filter(|&seat| game.may_challenge(seat));
        may_contest.map(|seat| odds_against(game, held(game, seat), mine, 1.0)).product()
    }

    fn respond(&self, game: &Game) -> Move {
        let mine = deadwood(game, game.hands[game.to_act]);
        let odds = odds_against(game, held(game, game.caller), mine, self.caller_holds);
        if odds >= self.contest_at { Move::Challenge } else { Move::Fold }
    }

    /// The card that costs most to hold, promises least and feeds nobody.
    pub fn discard(&self, game: &Game, hand: Cards, loose: Cards, chance: &mut Chance) -> u8 {
        let seat = game.to_act;
        let hidden = game.hidden_from(seat);
        let count = f64::from(size(hidden).max(1));
        let share = f64::from(size(game.hands[(seat + 1) % SEATS])) / count;
        let per_card = self.hope * game.stock_size as f64 / 3.0 / count;
        let fear = self.fear * share * share;
        let kept = game.kept();
        let choices = if loose & !kept == 0 { hand & !kept } else { loose & !kept };
        let mut best = (f64::INFINITY, 0);
        for card in places(choices) {
            let held = if has(loose, card) { f64::from(points_at(card)) } else { IN_A_MELD };
            let hope = f64::from(hope(game, card, loose, hidden));
            let fed = f64::from(fed_pairs(game, card, hidden));
            let chance = if self.noise > 0.0 { self.noise * chance.unit() } else { 0.0 };
            let cost = per_card * hope + fear * fed - held + chance;
            if cost < best.0 {
                best = (cost, card);
            }
        }
        best.1
    }
}

fn held(game: &Game, seat: usize) -> usize {
    size(game.hands[seat]) as usize
}

/// How likely it is that a hand of so many cards has more points; `part` of what is usual.
pub fn odds_against(game: &Game, cards: usize, mine: u32, part: f64) -> f64 {
    let cards = cards as f64;
    let usual = if game.rules.melds.has_runs() { 2.6 } else { 3.5 };
    let a_card = usual + 0.18 * game.stock_size as f64;
    1.0 / (1.0 + (1.7 * (f64::from(mine) - cards * a_card * part) / (3.0 + 1.1 * cards)).exp())
}

/// Points in hand at the end of a turn that begins with a take that leaves these cards.
fn left_after_taking(game: &Game, rest: Cards) -> u32 {
    let loose = rest & !game.rules.melds.split(rest).melded();
    let (sum, most) = places(loose).map(points_at).fold((0, 0), |(s, m), p| (s + p, m.max(p)));
    sum - most
}

/// Opens with one meld; puts down everything when that ends the game.
fn put_down(game: &Game, split: Split, loose: Cards) -> Option<Move> {
    if split.melded() == 0 || !game.may_expose() {
        return None;
    }
    let must_hold = game.opened[game.to_act] && game.rules.held_melds_free;
    if must_hold && !goes_out(game, loose) {
        return None;
    }
    let hidden = game.hidden_from(game.to_act);
    let may_conceal = game.rules.face_down == FaceDown::HandFour;
    let (mut best, mut least) = (None, u32::MAX);
    game.rules.melds.parts(split, |meld| {
        let conceal = may_conceal && ranks_of_four(meld) != 0;
        let room = if conceal { 0 } else { 1 + size(room_beside(game, meld) & hidden) };
        if room < least {
            best = Some(if conceal { Move::Conceal(meld) } else { Move::Expose(meld) });
            least = room;
        }
    });
    best
}

/// The cards that could be laid off on this meld of one's own.
fn room_beside(game: &Game, meld: Cards) -> Cards {
    if game.rules.layoffs {
        game.rules.melds.fits(meld)
    } else {
        rank_at(meld.trailing_zeros() as u8)
    }
}

/// Whether all cards but one can leave the hand in this turn.
fn goes_out(game: &Game, loose: Cards) -> bool {
    let fits = if game.may_lay_off() { game.fits() } else { 0 };
    size(loose & !fits) <= 1
}

/// Gets rid of a loose card, the highest first, but not at the cost of one's own next call.
fn lay_off(game: &Game, loose: Cards) -> Option<Move> {
    let seat = game.to_act;
    if loose & game.fits() == 0 || !game.may_lay_off() {
        return None;
    }
    let keeps_call = game.rules.block_self
        && game.stock_size > 2
        && game.blocks[seat] < game.turn
        && !goes_out(game, loose);
    let (mut best, mut most) = (None, 0);
    for (number, meld) in game.melds().iter().enumerate() {
        if meld.owner == seat && keeps_call {
            continue;
        }
        for card in places(meld.fits & loose) {
            if points_at(card) > most {
                (best, most) = (Some(Move::Layoff(card, number)), points_at(card));
            }
        }
    }
    best
}

/// Points that this card and another loose one may save, times the cards that would do it.
fn hope(game: &Game, card: u8, loose: Cards, hidden: Cards) -> u32 {
    let partners = loose & game.rules.melds.near(card) & !bit(card);
    let with = |other| outs(card, other, hidden) * (points_at(card) + points_at(other));
    places(partners).map(with).sum()
}

/// How many hidden cards would make a meld of these two neighbours.
fn outs(card: u8, other: u8, hidden: Cards) -> u32 {
    if card & 15 == other & 15 {
        return size(hidden & rank_at(card));
    }
    let (low, high) = (card.min(other), card.max(other));
    let suit = 0x1fff << (card & 48);
    let wanted = match high - low {
        1 => bit(high + 1) | bit(low) >> 1,
        2 => bit(low + 1),
        _ => 0,
    };
    size(hidden & wanted & suit)
}

/// Number of pairs of unseen cards that would make a meld with this one.
pub fn fed_pairs(game: &Game, card: u8, hidden: Cards) -> u32 {
    let same = size(hidden & rank_at(card));
    let mut pairs = same * same.saturating_sub(1) / 2;
    if game.rules.melds.has_runs() {
        let suit = (lane(hidden, u32::from(card >> 4)) as u32) << 2;
        let around = suit >> (card & 15);
        // Bits 0 to 4: two below, one below, the card itself, one above, two above.
        pairs += u32::from(around & 0b00011 == 0b00011);
        pairs += u32::from(around & 0b01010 == 0b01010);
        pairs += u32::from(around & 0b11000 == 0b11000);
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::ACES;
    use crate::cards::texts::{place, set};
    use crate::rules::Rules;

    #[test]
    fn pairs_that_a_discard_would_feed_are_counted() {
        let rules = Rules::new(|_| None);
        let game = Game::new(&rules, 0);
        let hidden = set("5C 5D 3H 4H 6H 7H 9H");
        assert_eq!(fed_pairs(&game, place("5H"), hidden), 1 + 3);
        assert_eq!(fed_pairs(&game, place("8H"), hidden), 2);
        assert_eq!(fed_pairs(&game, place("AS"), hidden), 0);
        assert_eq!(outs(place("4H"), place("6H"), bit(place("5H")) | ACES), 1);
    }
}
