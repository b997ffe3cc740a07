//! Melds within a hand and the least deadwood it can be left with. Pure functions of the cards.
//!
//! `runs` says whether runs are melds: `view.game.runs`.

use std::cmp::Reverse;

use crate::cards::{DECK, points_of, rank};

/// True if the cards, in any order, are a set of 3 or 4 or (with `runs`) a run of 3 or more.
pub fn is_meld(cards: &[u8], runs: bool) -> bool {
    let mut ordered = cards.to_vec();
    ordered.sort_unstable();
    let is_run = runs && ordered.windows(2).all(|pair| pair[1] == pair[0] + 4);
    let is_set = ordered.windows(2).all(|pair| pair[0] < pair[1] && rank(pair[0]) == rank(pair[1]));
    ordered.len() >= 3 && (is_run || is_set)
}

/// Every meld that can be made of cards in the hand, each in card order; they may overlap.
pub fn melds_in(hand: &[u8], runs: bool) -> Vec<Vec<u8>> {
    let held = Held::of(hand);
    held.cards()
        .flat_map(|card| held.melds_from(card, runs))
        .map(|meld| meld.cards().collect())
        .collect()
}

/// The least points that can be left when disjoint melds are taken out of the hand.
pub fn deadwood(hand: &[u8], runs: bool) -> u32 {
    Held::of(hand).best_split(runs).0
}

/// Disjoint melds that leave the least deadwood; of equal ones, long melds before short.
pub fn best_melds(hand: &[u8], runs: bool) -> Vec<Vec<u8>> {
    let (_, melds) = Held::of(hand).best_split(runs);
    let cards = |meld: &Held| meld.cards().collect();
    melds.iter().rev().map(cards).collect()
}

/// The cards of the hand outside `best_melds`: its deadwood, in card order.
pub fn loose_cards(hand: &[u8], runs: bool) -> Vec<u8> {
    let held = Held::of(hand);
    let (_, melds) = held.best_split(runs);
    melds.into_iter().fold(held, Held::without).cards().collect()
}

/// The cards of the deck that are in none of these: stock and other hands, to an observer.
pub fn unseen(seen: &[&[u8]]) -> Vec<u8> {
    let all = Held((1 << DECK) - 1);
    let known = seen.iter().map(|cards| Held::of(cards));
    known.fold(all, Held::without).cards().collect()
}

/// Some cards, each the bit of its number.
#[derive(Clone, Copy, PartialEq)]
struct Held(u64);

impl Held {
    fn of(cards: &[u8]) -> Self {
        Held(cards.iter().fold(0, |held, &card| held | 1 << card))
    }

    fn has(self, card: u8) -> bool {
        self.0 >> card & 1 == 1
    }

    fn without(self, other: Self) -> Self {
        Held(self.0 & !other.0)
    }

    fn lowest(self) -> Option<u8> {
        (self.0 != 0).then(|| self.0.trailing_zeros() as u8)
    }

    fn cards(mut self) -> impl Iterator<Item = u8> {
        std::iter::from_fn(move || {
            let lowest = self.lowest()?;
            self.0 &= self.0 - 1;
            Some(lowest)
        })
    }

    /// Melds whose lowest card is `lowest`: sets of three, the set of four, then runs.
    fn melds_from(self, lowest: u8, runs: bool) -> Vec<Self> {
        let mut found = Vec::new();
        let first = 1 << lowest;
        let same: Vec<u8> = (lowest + 1..=lowest | 3).filter(|&card| self.has(card)).collect();
        for (place, second) in same.iter().enumerate() {
            let thirds = same[place + 1..].iter();
            found.extend(thirds.map(|third| Held(first | 1 << second | 1 << third)));
        }
        if same.len() == 3 {
            found.push(Held(0b1111 << lowest));
        }
        let run = (lowest..DECK).step_by(4).skip(1);
        let mut cards = first;
        for card in run.take_while(|&card| runs && self.has(card)) {
            cards |= 1 << card;
            if cards.count_ones() >= 3 {
                found.push(Held(cards));
            }
        }
        found
    }

    /// Least points left and the melds that leave them, the first of them last.
    fn best_split(self, runs: bool) -> (u32, Vec<Self>) {
        let Some(lowest) = self.lowest() else {
            return (0, Vec::new());
        };
        let rest = self.without(Held(1 << lowest));
        let (mut least, mut melds) = rest.best_split(runs);
        least += points_of(lowest);
        let mut choices = self.melds_from(lowest, runs);
        choices.sort_by_key(|meld| Reverse(meld.0.count_ones()));
        for meld in choices {
            let (left, others) = self.without(meld).best_split(runs);
            if left < least {
                (least, melds) = (left, others);
                melds.push(meld);
            }
        }
        (least, melds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::{format_cards, parse_cards};

    fn cards(text: &str) -> Vec<u8> {
        parse_cards(text).unwrap()
    }

    fn texts(melds: &[Vec<u8>]) -> Vec<String> {
        melds.iter().map(|meld| format_cards(meld)).collect()
    }

    #[test]
    fn deadwood_is_the_least_that_disjoint_melds_can_leave() {
        let hand = cards("4H 5H 6H 7H 7C 7D KS");
        assert_eq!(deadwood(&hand, true), 10);
        assert_eq!(texts(&best_melds(&hand, true)), ["4H 5H 6H", "7C 7D 7H"]);
        assert_eq!(format_cards(&loose_cards(&hand, true)), "KS");
        assert_eq!(deadwood(&hand, false), 4 + 5 + 6 + 10);
        assert_eq!(deadwood(&[], true), 0);
    }

    #[test]
    fn of_equal_splits_long_melds_come_before_short_ones() {
        let melds = best_melds(&cards("3S 4S 5S 6S 7S 8S"), true);
        assert_eq!(texts(&melds), ["3S 4S 5S 6S 7S 8S"]);
    }

    #[test]
    fn melds_are_sets_and_runs() {
        let found = melds_in(&cards("2C 2D 2H 3H 4H"), true);
        assert_eq!(texts(&found), ["2C 2D 2H", "2H 3H 4H"]);
        assert_eq!(melds_in(&cards("2C 2D 2H 2S"), false).len(), 5);
        assert!(is_meld(&cards("KS JS QS"), true));
        assert!(!is_meld(&cards("QS KS AS"), true));
        assert!(!is_meld(&cards("JS QS KS"), false));
        assert!(!is_meld(&cards("2C 2C 2D"), true));
        assert_eq!(unseen(&[&cards("AC"), &cards("KS")]).len(), 50);
    }
}
