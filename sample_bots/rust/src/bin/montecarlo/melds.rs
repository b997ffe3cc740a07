//! Which melds there are and the least deadwood of a hand, by table.
//!
//! Sets and runs compete for cards. Runs of different suits never do, so what the runs of one suit
//! can cover at most is a table of 8192 entries, and only the choice of sets is searched: a hand of
//! thirteen has at most four ranks to choose in.

use crate::cards::{ACES, Cards, PLACES, lane, places, points, points_at, ranks_of_three, size};
use crate::runs::{all_runs, covers, near_cards};

/// A way to group a hand that leaves the least points.
#[derive(Clone, Copy, Default, Debug)]
pub struct Split {
    /// Points outside the melds.
    pub deadwood: u32,
    /// The cards of the sets in it.
    pub sets: Cards,
    /// The cards of its runs.
    pub runs: Cards,
}

impl Split {
    pub fn melded(self) -> Cards {
        self.sets | self.runs
    }
}

/// The melds of one reading of the meld parameters.
pub struct Melds {
    /// By the cards of one suit: most points that runs can cover, and the cards they cover then.
    cover: Vec<(u8, u16)>,
    /// Every run, as cards of one suit.
    runs: Vec<u16>,
    /// The cards that decide with a card whether it can be melded: its rank, its suit's neighbours.
    near: [Cards; PLACES],
    /// Longest run there is; 0 without runs.
    run_max: u32,
    ace_high: bool,
}

impl Melds {
    pub fn new(runs: bool, run_max: u32, ace_high: bool) -> Self {
        let run_max = if runs { run_max } else { 0 };
        let runs = all_runs(run_max, ace_high && runs);
        let cover = covers(&runs);
        let mut near = [0; PLACES];
        for place in places(crate::cards::PACK) {
            near[usize::from(place)] = near_cards(place, run_max > 0, ace_high);
        }
        Melds { cover, runs, near, run_max, ace_high }
    }

    pub fn has_runs(&self) -> bool {
        self.run_max > 0
    }

    pub fn near(&self, place: u8) -> Cards {
        self.near[usize::from(place)]
    }

    /// The grouping that leaves the least points.
    pub fn split(&self, hand: Cards) -> Split {
        let ranks = ranks_of_three(hand);
        let (points_of_melds, sets) = self.best_sets(hand, ranks, 0, 0, |_| 0);
        let runs = self.runs_in(hand & !sets);
        Split { deadwood: points(hand) - (points_of_melds >> 8), sets, runs }
    }

    /// What sets of a winner's hand pay by `bonus` of their size, in the grouping with the least
    /// deadwood that pays most.
    pub fn bonus_in(&self, hand: Cards, bonus: fn(u32) -> u32) -> u32 {
        self.best_sets(hand, ranks_of_three(hand), 0, 0, bonus).0 & 0xff
    }

    /// Greatest worth (256 times the points, and the bonus) of melds in the hand, and its sets.
    fn best_sets(
        &self,
        hand: Cards,
        ranks: u64,
        sets: Cards,
        worth: u32,
        bonus: fn(u32) -> u32,
    ) -> (u32, Cards) {
        if ranks == 0 {
            return (worth + (self.points_in_runs(hand & !sets) << 8), sets);
        }
        let rank = ranks.trailing_zeros() as u8;
        let rest = ranks & (ranks - 1);
        let held = hand & ACES << rank;
        let take = |set: Cards| {
            let points = size(set) * points_at(rank);
            self.best_sets(hand, rest, sets | set, worth + (points << 8) + bonus(size(set)), bonus)
        };
        let mut best = take(held);
        if !self.has_runs() {
            return best;
        }
        if size(held) == 4 {
            best = places(held).map(|left_out| take(held ^ 1 << left_out)).fold(best, better);
        }
        better(best, self.best_sets(hand, rest, sets, worth, bonus))
    }

    fn points_in_runs(&self, hand: Cards) -> u32 {
        if self.run_max == 0 {
            return 0;
        }
        (0..4).map(|suit| u32::from(self.cover[lane(hand, suit)].0)).sum()
    }

    fn runs_in(&self, hand: Cards) -> Cards {
        if self.run_max == 0 {
            return 0;
        }
        let of_suit = |suit| u64::from(self.cover[lane(hand, suit)].1) << (16 * suit);
        (0..4).map(of_suit).sum()
    }

    /// The melds of a grouping, one by one; runs that touch are one where it is not too long.
    pub fn parts(&self, split: Split, mut found: impl FnMut(Cards)) {
        let mut ranks = ranks_of_three(split.sets);
        while ranks != 0 {
            found(split.sets & ACES << ranks.trailing_zeros());
            ranks &= ranks - 1;
        }
        for suit in 0..4 {
            let mut left = lane(split.runs, suit) as u16;
            while left != 0 {
                let run = self.run_from(left);
                found(u64::from(run) << (16 * suit));
                left ^= run;
            }
        }
    }

    /// The longest run out of cards that runs cover, so that runs cover what is left as well.
    fn run_from(&self, covered: u16) -> u16 {
        let leaves_runs = |run: &u16| {
            let rest = covered & !run;
            run & covered == *run && self.cover[usize::from(rest)].1 == rest
        };
        let parts = self.runs.iter().copied().filter(leaves_runs);
        parts.max_by_key(|run| run.count_ones()).unwrap_or(covered)
    }

    /// Calls `found` with every meld in the hand.
    pub fn each_in(&self, hand: Cards, mut found: impl FnMut(Cards)) {
        let mut ranks = ranks_of_three(hand);
        while ranks != 0 {
            let held = hand & ACES << ranks.trailing_zeros();
            found(held);
            if size(held) == 4 {
                places(held).for_each(|left_out| found(held ^ 1 << left_out));
            }
            ranks &= ranks - 1;
        }
        for suit in 0..4 {
            let cards = lane(hand, suit) as u16;
            if self.cover.get(usize::from(cards)).is_some_and(|cover| cover.1 != 0) {
                let held = self.runs.iter().filter(|&&run| run & cards == run);
                held.for_each(|&run| found(u64::from(run) << (16 * suit)));
            }
        }
    }

    /// Calls `found` with every meld of this card and cards of the hand.
    pub fn each_with(&self, place: u8, hand: Cards, mut found: impl FnMut(Cards)) {
        let near = hand & self.near(place);
        if size(near) < 2 {
            return;
        }
        let card = 1 << place;
        let suit = 0xffff << (place & 48);
        let rank = ACES << (place & 15);
        let pool = hand & !card & (rank | if self.has_runs() { suit } else { 0 }) | card;
        self.each_in(pool, |meld| {
            if meld & card != 0 {
                found(meld)
            }
        });
    }

    /// The cards that may be laid off on a meld.
    pub fn fits(&self, meld: Cards) -> Cards {
        let first = meld.trailing_zeros();
        let rank = ACES << (first & 15);
        if meld & !rank == 0 {
            return rank & !meld;
        }
        if size(meld) >= self.run_max {
            return 0;
        }
        let suit = first & 48;
        let run = lane(meld, first >> 4) as u64;
        let has_high_ace = run & 1 == 1 && run & 2 == 0;
        let low = if has_high_ace { (run & !1) >> 1 } else { run >> 1 };
        let mut fits = (low | run << 1) & !run & 0x1fff & !u64::from(has_high_ace);
        if has_high_ace {
            fits &= !2 | low & 2;
        }
        if self.ace_high && run >> 12 == 1 {
            fits |= 1 & !run;
        }
        fits << suit
    }
}

fn better(one: (u32, Cards), other: (u32, Cards)) -> (u32, Cards) {
    if other.0 > one.0 { other } else { one }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::set_of;
    use crate::cards::texts::{place, set, text};
    use tongits::{deadwood, melds_in};

    #[test]
    fn groupings_agree_with_the_kit() {
        let mut rng = tongits::Rng::new(b"hands");
        let mut pack: Vec<u8> = (0..52).collect();
        for runs in [true, false] {
            let melds = Melds::new(runs, 13, false);
            for _ in 0..3000 {
                rng.shuffle(&mut pack);
                let mut cards = pack[..13].to_vec();
                if rng.below(2) == 0 {
                    // Half of the pack: many melds that share cards.
                    cards = pack.iter().copied().filter(|card| card % 8 < 5).take(13).collect();
                }
                let hand = set_of(&cards);
                let split = melds.split(hand);
                assert_eq!(split.deadwood, deadwood(&cards, runs), "{}", text(hand));
                assert_eq!(split.deadwood, points(hand & !split.melded()));
                let (mut count, mut covered) = (0, 0);
                melds.each_in(hand, |_| count += 1);
                assert_eq!(count, melds_in(&cards, runs).len());
                melds.parts(split, |meld| covered += meld);
                assert_eq!(covered, split.melded());
            }
        }
    }

    #[test]
    fn what_fits_on_a_meld() {
        let fits = |melds: &Melds, cards| text(melds.fits(set(cards)));
        let lite = Melds::new(true, 13, false);
        assert_eq!(fits(&lite, "7C 7D 7H"), "7S");
        assert_eq!(fits(&lite, "7C 7D 7H 7S"), "");
        assert_eq!(fits(&lite, "4H 5H 6H"), "3H 7H");
        assert_eq!(fits(&lite, "AS 2S 3S"), "4S");
        assert_eq!(fits(&lite, "JS QS KS"), "TS");
        let high = Melds::new(true, 5, true);
        assert_eq!(fits(&high, "JS QS KS"), "AS TS");
        assert_eq!(fits(&high, "AS QS KS"), "JS");
        assert_eq!(fits(&high, "AS TS JS QS KS"), "");
    }

    #[test]
    fn melds_with_a_card() {
        let lite = Melds::new(true, 13, false);
        let mut found = Vec::new();
        lite.each_with(place("5H"), set("4H 6H 7H 5C 5D KS"), |meld| found.push(text(meld)));
        found.sort();
        assert_eq!(found, ["4H 5H 6H", "4H 5H 6H 7H", "5C 5D 5H", "5H 6H 7H"]);
    }
}
