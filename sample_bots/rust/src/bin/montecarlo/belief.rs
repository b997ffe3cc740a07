//! What the others may hold: hands drawn by how well they explain what was seen.
//!
//! Hands dealt evenly from the unseen cards would be far too weak, since players keep what helps
//! them. So hands are changed card by card by the rule of Metropolis et al. (1953), where a hand is
//! as likely as the decisions that its owner has taken, if it held these cards already: what it
//! threw away rather than these, which discards it let lie, that it has not opened or not called.
//! A card held now was held then the more likely the fewer cards its owner has drawn since.

use crate::cards::{ACES, Cards, bit, has, places, points_at, ranks_of_four, size};
use crate::game::{Game, Phase, SEATS};
use crate::history::{Seen, SignKind};
use crate::policy::{Policy, odds_against};
use crate::rng::Chance;
use crate::settle::deadwood;

/// How much is made of each kind of sign.
#[derive(Clone, Copy)]
pub struct Trust {
    /// Steepness of the choice of a discard, per point.
    pub discard: f64,
    /// Points that a neighbour in hand is worth in that choice.
    pub neighbour: i32,
    /// Part of those that would take a discard that makes a meld of two loose cards.
    pub refuse: f64,
    /// Part of the hands with a meld that stay closed.
    pub closed: f64,
    /// Part of those that would call when the odds are good.
    pub quiet: f64,
    /// Part of the cards drawn that are kept.
    pub kept: f64,
    /// What each sign counts beside the hand itself: those of one hand say much the same.
    pub temper: f64,
}

impl Default for Trust {
    fn default() -> Self {
        Trust {
            discard: 0.25,
            neighbour: 7,
            refuse: 0.85,
            closed: 0.1,
            quiet: 0.7,
            kept: 0.55,
            temper: 0.7,
        }
    }
}

const LEAST: i32 = -60;
const MOST: i32 = 20;
/// Badness of a card that is in a meld.
const MELDED: i32 = -15;
/// A sign is recent if a card was in hand at that time with this probability.
const RECENT: f64 = 0.9;
/// How likely a hand calls whatever the odds.
const FOR_NO_REASON: f64 = 0.02;
/// How sharply players begin to call with better odds.
const CALL_STEEPNESS: f64 = 12.0;
/// Changes before the first world, and between two.
const SETTLING: usize = 300;
const BETWEEN: usize = 16;

/// Cards that a seat may hold.
struct Hand {
    seat: usize,
    cards: Cards,
    /// Those outside its melds.
    loose: Cards,
    /// Weight of all of them in the choice of a discard.
    weight: f64,
}

/// Worlds that agree with what a seat has seen, one after the other.
pub struct Worlds<'s, 'r, 'h> {
    seen: &'s Seen<'r, 'h>,
    trust: Trust,
    policy: Policy,
    weight: [f64; (MOST - LEAST + 1) as usize],
    hands: [Cards; SEATS],
    likelihood: [f64; SEATS],
    stock: Vec<u8>,
    fours: Vec<(usize, Cards)>,
    chance: Chance,
}

impl<'s, 'r, 'h> Worlds<'s, 'r, 'h> {
    pub fn new(seen: &'s Seen<'r, 'h>, trust: Trust, policy: Policy, seed: u64) -> Self {
        let mut weight = [0.0; (MOST - LEAST + 1) as usize];
        for (entry, bad) in weight.iter_mut().zip(LEAST..) {
            *entry = (trust.discard * f64::from(bad)).exp();
        }
        let mut worlds = Worlds {
            seen,
            trust,
            policy,
            weight,
            hands: seen.game.hands,
            likelihood: [1.0; SEATS],
            stock: Vec::new(),
            fours: Vec::new(),
            chance: Chance::new(seed),
        };
        worlds.deal();
        (0..SETTLING).for_each(|_| worlds.change());
        worlds
    }

    /// The next world: the game with every card in its place.
    pub fn next(&mut self) -> Game<'r> {
        (0..BETWEEN).for_each(|_| self.change());
        let mut game = self.seen.game.clone();
        game.hands = self.hands;
        for &(number, cards) in &self.fours {
            game.melds[number].cards = cards;
        }
        game.stock[..self.stock.len()].copy_from_slice(&self.stock);
        self.chance.shuffle(&mut game.stock[..self.stock.len()]);
        game
    }

    /// Any hands at all.
    fn deal(&mut self) {
        let mut left = self.seen.hidden();
        let blank = self.seen.game.melds().iter().enumerate().filter(|(_, meld)| meld.cards == 0);
        for (number, _) in blank {
            let ranks: Vec<u8> = places(ranks_of_four(left)).collect();
            if let Some(&rank) = ranks.get(self.chance.below(ranks.len().max(1))) {
                self.fours.push((number, ACES << rank));
                left &= !(ACES << rank);
            }
        }
        self.stock = places(left).collect();
        self.chance.shuffle(&mut self.stock);
        for seat in self.seen.others() {
            let dealt = self.stock.split_off(self.stock.len() - self.seen.hand_sizes[seat]);
            self.hands[seat] = dealt.into_iter().fold(0, |hand, card| hand | bit(card));
            self.likelihood[seat] = self.likelihood_of(seat, self.hands[seat]);
        }
    }

    /// Exchanges two cards, or does not.
    fn change(&mut self) {
        let [one, other] = self.seen.others();
        let seat = if self.chance.below(2) == 0 { one } else { other };
        let rival = one + other - seat;
        let (size, theirs) = (size(self.hands[seat]) as usize, size(self.hands[rival]) as usize);
        if size == 0 || self.stock.len() + theirs == 0 {
            return;
        }
        let given = nth(self.hands[seat], self.chance.below(size));
        let place = self.chance.below(self.stock.len() + theirs);
        if let Some(&got) = self.stock.get(place) {
            let hand = self.hands[seat] ^ bit(given) ^ bit(got);
            let likelihood = self.likelihood_of(seat, hand);
            if self.accepts(likelihood, self.likelihood[seat]) {
                self.hands[seat] = hand;
                self.likelihood[seat] = likelihood;
                self.stock[place] = given;
            }
            return;
        }
        let got = nth(self.hands[rival], place - self.stock.len());
        let both = bit(given) | bit(got);
        let hands = [self.hands[seat] ^ both, self.hands[rival] ^ both];
        let found = [self.likelihood_of(seat, hands[0]), self.likelihood_of(rival, hands[1])];
        let before = self.likelihood[seat] * self.likelihood[rival];
        if self.accepts(found[0] * found[1], before) {
            [self.hands[seat], self.hands[rival]] = hands;
            [self.likelihood[seat], self.likelihood[rival]] = found;
        }
    }

    fn accepts(&mut self, found: f64, before: f64) -> bool {
        found >= before || self.chance.unit() * before < found
    }

    fn weight_of(&self, bad: i32) -> f64 {
        self.weight[(bad.clamp(LEAST, MOST) - LEAST) as usize]
    }

    /// How likely what was seen of a seat is if it holds these cards.
    fn likelihood_of(&self, seat: usize, cards: Cards) -> f64 {
        let history = self.seen.history;
        let loose = cards & !self.seen.game.rules.melds.split(cards).melded();
        let weight = places(cards).map(|card| self.weight_of(self.bad(card, loose))).sum();
        let hand = Hand { seat, cards, loose, weight };
        let all = f64::from(size(cards).max(1));
        let signs = history.signs[seat].iter().map(|sign| {
            let since = f64::from(history.drawn[seat] - sign.drawn);
            let held = 1.0 - (self.trust.kept * since / all).min(0.9);
            self.likelihood_of_sign(sign.kind, &hand, held)
        });
        let seen: f64 = signs.product();
        let is_closed = !self.seen.game.opened[seat] && loose != cards && history.drawn[seat] > 0;
        let closed = if is_closed { self.trust.closed } else { 1.0 };
        seen.powf(self.trust.temper) * closed * self.likelihood_of_call(&hand)
    }

    /// The same of one decision, when each card was in hand already with probability `held`.
    fn likelihood_of_sign(&self, sign: SignKind, hand: &Hand, held: f64) -> f64 {
        match sign {
            SignKind::Discarded(card) => {
                let weight = self.weight_of(self.bad(card, hand.loose | bit(card)));
                weight / (weight + held * hand.weight)
            }
            SignKind::Refused(card) if self.would_meld(card, hand.loose) => {
                1.0 - self.trust.refuse * held * held
            }
            SignKind::KeptQuiet if held > RECENT => {
                1.0 - self.trust.quiet * held * self.chance_of_call(hand)
            }
            SignKind::Refused(_) | SignKind::KeptQuiet => 1.0,
        }
    }

    /// Whether the card makes a meld of two loose cards.
    fn would_meld(&self, card: u8, loose: Cards) -> bool {
        let mut found = false;
        self.seen.game.rules.melds.each_with(card, loose, |_| found = true);
        found
    }

    /// How much a player wants to be rid of a card.
    fn bad(&self, card: u8, loose: Cards) -> i32 {
        if !has(loose, card) {
            return MELDED;
        }
        let near = self.seen.game.rules.melds.near(card) & loose;
        points_at(card) as i32 - self.trust.neighbour * size(near) as i32
    }

    fn likelihood_of_call(&self, hand: &Hand) -> f64 {
        let game = &self.seen.game;
        let has_called = game.phase == Phase::Respond && game.caller == hand.seat;
        if has_called { FOR_NO_REASON + self.chance_of_call(hand) } else { 1.0 }
    }

    /// How likely a seat that may call does.
    fn chance_of_call(&self, hand: &Hand) -> f64 {
        let game = &self.seen.game;
        let mine = deadwood(game, hand.cards);
        let others = [1, 2].map(|step| (hand.seat + step) % SEATS);
        let may_contest = others.into_iter().filter(|&other| game.may_challenge(other));
        let odds: f64 = may_contest.map(|other| self.odds(other, mine)).product();
        1.0 / (1.0 + (CALL_STEEPNESS * (self.policy.call_at - odds)).exp())
    }

    fn odds(&self, seat: usize, mine: u32) -> f64 {
        odds_against(&self.seen.game, self.seen.hand_sizes[seat], mine, 1.0)
    }
}

/// The card of a set that has so many before it.
fn nth(mut set: Cards, before: usize) -> u8 {
    for _ in 0..before {
        set &= set - 1;
    }
    set.trailing_zeros() as u8
}
