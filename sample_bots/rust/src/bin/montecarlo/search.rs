//! Chooses a move by playing many possible games to their end.
//!
//! Determinised Monte Carlo search: hidden cards are dealt out in many ways that agree with what was
//! seen, every candidate move is tried in the *same* worlds, and all seats then play on by the same
//! quick policy, each by what it would see. See Ginsberg, "GIB: Imperfect information in a
//! computationally challenging game", JAIR 14 (2001); Long, Sturtevant, Buro and Furtak,
//! "Understanding the success of perfect information Monte Carlo sampling in game tree search",
//! AAAI (2010); Cowling, Powley and Whitehouse, "Information set Monte Carlo tree search", IEEE
//! Transactions on Computational Intelligence and AI in Games 4 (2012). Because the policy that plays
//! on sees only what its seat would see, the search cannot rely on cards that it does not know; only
//! the root is searched, with the rollouts shared out by sequential halving (Karnin, Koren and Somekh,
//! ICML 2013).

use std::time::{Duration, Instant};

use crate::belief::{Trust, Worlds};
use crate::game::{Game, Move, Phase, SEATS};
use crate::history::Seen;
use crate::policy::Policy;
use crate::rng::Chance;
use crate::settle::{Outcome, settle};

/// How long to think.
#[derive(Clone, Copy)]
pub enum Budget {
    /// So many games played out for a decision: the same answer on every machine.
    Rollouts(usize),
    Time(Duration),
}

/// What the search is made of.
#[derive(Clone, Copy)]
pub struct Search {
    pub budget: Budget,
    /// How this seat plays on.
    pub policy: Policy,
    /// How the others do, more or less: each bolder or more timid by up to `spread`.
    pub others: Policy,
    pub spread: f64,
    pub trust: Trust,
    /// How many standard errors better than the policy's own choice another must be.
    pub margin: f64,
}

impl Search {
    pub fn new(budget: Budget) -> Self {
        let policy = Policy { noise: 2.0, call_at: 0.2, contest_at: 0.1, ..Policy::default() };
        let others = Policy { call_at: 0.3, contest_at: 0.15, ..policy };
        Search { budget, policy, others, spread: 0.9, trust: Trust::default(), margin: 1.0 }
    }

    /// The best of these moves, as far as can be seen until `deadline`.
    pub fn choose(&self, seen: &Seen, moves: &[Move], seed: u64, deadline: Instant) -> Choice {
        let mut arms = self.arms(seen, moves, seed);
        let mut worlds = Worlds::new(seen, self.trust, self.others, seed);
        let rounds = usize::BITS - (arms.len() - 1).leading_zeros();
        let start = Instant::now();
        for round in 1..=rounds {
            let (wanted, end) = match self.budget {
                Budget::Rollouts(count) => (count / (rounds as usize * arms.len()), deadline),
                Budget::Time(time) => (usize::MAX, deadline.min(start + time * round / rounds)),
            };
            for _ in 0..wanted.max(1) {
                self.play_out(seen, &mut arms, &mut worlds);
                if Instant::now() >= end {
                    break;
                }
            }
            arms[1..].sort_by(|one, other| other.gain().total_cmp(&one.gain()));
            arms.truncate(1 + arms.len() / 2);
        }
        let better = arms[1..].iter().find(|arm| arm.gain() > self.margin * arm.error());
        let best = better.unwrap_or(&arms[0]);
        let worlds = arms[0].count;
        Choice { chosen: best.first, usual: arms[0].first, gain: best.gain(), worlds }
    }

    /// The candidates. First the policy's own choice: it stays to the end, for it is what the others
    /// are measured against.
    fn arms(&self, seen: &Seen, moves: &[Move], seed: u64) -> Vec<Arm> {
        let usual = self.usual(seen, seed);
        let first = moves.iter().position(|&one| one == usual).unwrap_or(0);
        let mut arms: Vec<Arm> = moves.iter().map(|&one| Arm::new(one)).collect();
        arms.swap(0, first);
        arms
    }

    fn usual(&self, seen: &Seen, seed: u64) -> Move {
        let mut game = seen.game.clone();
        for seat in seen.others() {
            // The policy looks at the number of these cards only.
            game.hands[seat] = (1 << seen.hand_sizes[seat]) - 1;
        }
        Policy { noise: 0.0, ..self.policy }.choose(&game, &mut Chance::new(seed))
    }

    /// Plays every arm out in one more world.
    fn play_out(&self, seen: &Seen, arms: &mut [Arm], worlds: &mut Worlds) {
        let world = worlds.next();
        let seed = u64::from(arms[0].count) ^ world.hands[seen.others()[0]];
        let mut usual = 0.0;
        for (place, arm) in arms.iter_mut().enumerate() {
            let mut game = world.clone();
            game.play(arm.first);
            let value = value(seen, &self.finish(game, seen.others(), seed));
            if place == 0 {
                usual = value;
            }
            arm.add(value - usual);
        }
    }

    fn finish(&self, mut game: Game, others: [usize; 2], seed: u64) -> Outcome {
        let mut chance = Chance::new(seed);
        let mut players = [self.policy; SEATS];
        for seat in others {
            players[seat] = self.others.someone(self.spread, &mut chance);
        }
        while !matches!(game.phase, Phase::Over(_)) {
            let chosen = players[game.to_act].choose(&game, &mut chance);
            game.play(chosen);
        }
        settle(&game)
    }
}

/// What was chosen and why.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    pub chosen: Move,
    /// The policy's own choice.
    pub usual: Move,
    /// Chips that the one is better than the other.
    pub gain: f64,
    /// In how many worlds.
    pub worlds: u32,
}

/// One candidate: its gain over the policy's own choice, world by world.
struct Arm {
    first: Move,
    count: u32,
    sum: f64,
    squares: f64,
}

impl Arm {
    fn new(first: Move) -> Self {
        Arm { first, count: 0, sum: 0.0, squares: 0.0 }
    }

    fn add(&mut self, gain: f64) {
        self.count += 1;
        self.sum += gain;
        self.squares += gain * gain;
    }

    fn gain(&self) -> f64 {
        self.sum / f64::from(self.count.max(1))
    }

    fn error(&self) -> f64 {
        let count = f64::from(self.count.max(1));
        let variance = self.squares / count - self.gain() * self.gain();
        // One more observation of a few chips, or two equal ones would prove anything.
        ((variance + 4.0 / count) / count).sqrt()
    }
}

/// Parts of a pot that stays which fall to the seat that has won, and to each other in the end: it
/// is one win closer, but there may be no other game.
const WINNERS_PART: f64 = 0.45;
const OTHERS_PART: f64 = 0.275;

/// Chips of an outcome, with what becomes of the pot.
fn value(seen: &Seen, outcome: &Outcome) -> f64 {
    let pot = f64::from(seen.pot);
    let part = match outcome.winner {
        None => 1.0 / SEATS as f64,
        Some(winner) => {
            let takes_it = seen.streaks[winner] + 1 >= seen.game.rules.pot_streak;
            match (winner == seen.seat, takes_it) {
                (true, true) => 1.0,
                (false, true) => 0.0,
                (true, false) => WINNERS_PART,
                (false, false) => OTHERS_PART,
            }
        }
    };
    f64::from(outcome.payments[seen.seat]) + part * pot
}
