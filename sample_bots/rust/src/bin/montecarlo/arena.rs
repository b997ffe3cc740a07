//! Plays the bot against its own policy on duplicate deals, to see what a change is worth.
//!
//!     montecarlo --self-play 200 --rollouts 400 --rules sa-tong

use std::fmt;
use std::time::{Duration, Instant};

use crate::cards::{PACK, places};
use crate::game::{Game, Move, Phase, SEATS};
use crate::history::{History, Seen};
use crate::policy::Policy;
use crate::rng::Chance;
use crate::rules::Rules;
use crate::search::Search;
use crate::settle::settle;

const GAMES: usize = 2;

/// Who sits at the table.
#[derive(Clone, Copy)]
pub enum Player {
    Quick(Policy),
    Thinks(Search),
}

/// Chips per game of the first player, match by match, and its time for a decision.
pub struct Tally {
    pub chips: Vec<f64>,
    pub decisions: u32,
    pub time: Duration,
}

impl Tally {
    pub fn mean(&self) -> f64 {
        self.chips.iter().sum::<f64>() / self.chips.len() as f64
    }

    /// Half of the 95 % interval of the mean.
    pub fn error(&self) -> f64 {
        let (mean, count) = (self.mean(), self.chips.len() as f64);
        let squares: f64 = self.chips.iter().map(|chips| (chips - mean).powi(2)).sum();
        1.96 * (squares / count / (count - 1.0)).sqrt()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cost = self.time.as_secs_f64() * 1e3 / f64::from(self.decisions.max(1));
        write!(f, "{:+.3} +- {:.3} chips per game, ", self.mean(), self.error())?;
        write!(f, "{} matches, {cost:.2} ms a decision", self.chips.len())
    }
}

/// The search at a table with two that play by its policy.
pub fn against_itself(search: Search, matches: u64, sa_tong: bool) -> Tally {
    let sa_tong_has = |name: &str| match name {
        "meld.runs" | "layoff.enabled" => Some("false"),
        "meld.face_down" => Some("after_show"),
        "score.set_bonus_scope" => Some("all_sets"),
        _ => None,
    };
    let rules = Rules::new(|name| if sa_tong { sa_tong_has(name) } else { None });
    let quick = Player::Quick(Policy::default());
    compare(&rules, [Player::Thinks(search), quick, quick], matches, 1)
}

/// Plays so many matches of all rotations of the seats.
pub fn compare(rules: &Rules, players: [Player; SEATS], matches: u64, seed: u64) -> Tally {
    let mut tally = Tally { chips: Vec::new(), decisions: 0, time: Duration::ZERO };
    for number in 0..matches {
        let mut sum = 0;
        for turned in 0..SEATS {
            sum += session(rules, players, turned, seed + number, &mut tally);
        }
        tally.chips.push(f64::from(sum) / (SEATS * GAMES) as f64);
    }
    tally
}

/// One session; what the first player has won.
fn session(
    rules: &Rules,
    players: [Player; SEATS],
    turned: usize,
    seed: u64,
    tally: &mut Tally,
) -> i32 {
    let mut chance = Chance::new(seed + 1);
    let (mut dealer, mut pot, mut streaks) = (chance.below(SEATS), 0, [0_u32; SEATS]);
    let mut chips = [0; SEATS];
    for _ in 0..GAMES {
        let mut deck: Vec<u8> = places(PACK).collect();
        chance.shuffle(&mut deck);
        chips = chips.map(|one| one - rules.ante);
        pot += rules.ante * SEATS as i32;
        let mut table =
            Table { game: Game::deal(rules, &deck, dealer), history: History::default() };
        while !matches!(table.game.phase, Phase::Over(_)) {
            let seat = table.game.to_act;
            let player = players[(seat + turned) % SEATS];
            let start = Instant::now();
            let chosen = table.choose(player, pot, streaks, chance.clone().number());
            if (seat + turned) % SEATS == 0 {
                tally.decisions += 1;
                tally.time += start.elapsed();
            }
            table.play(chosen);
        }
        let outcome = settle(&table.game);
        for (one, paid) in chips.iter_mut().zip(outcome.payments) {
            *one += paid;
        }
        if let Some(winner) = outcome.winner {
            let streak = streaks[winner] + 1;
            streaks = [0; SEATS];
            streaks[winner] = streak;
            if streak >= rules.pot_streak {
                chips[winner] += pot;
                pot = 0;
            }
            dealer = if rules.melds.has_runs() { winner } else { (dealer + 1) % SEATS };
        }
    }
    chips[(SEATS - turned) % SEATS] + pot / SEATS as i32
}

struct Table<'r> {
    game: Game<'r>,
    history: History,
}

impl Table<'_> {
    fn choose(&self, player: Player, pot: i32, streaks: [u32; SEATS], seed: u64) -> Move {
        let moves = self.game.legal();
        if moves.len() == 1 {
            return moves[0];
        }
        match player {
            Player::Quick(policy) => policy.choose(&self.game, &mut Chance::new(seed)),
            Player::Thinks(search) => {
                let seen = self.seen(pot, streaks);
                let position = self.game.hands[seen.seat] ^ self.game.turn as u64;
                let deadline = Instant::now() + Duration::from_secs(60);
                search.choose(&seen, &moves, seed ^ position, deadline).chosen
            }
        }
    }

    /// What the seat to act sees.
    fn seen(&self, pot: i32, streaks: [u32; SEATS]) -> Seen<'_, '_> {
        let seat = self.game.to_act;
        let mut game = self.game.clone();
        let hand_sizes = game.hands.map(|hand| hand.count_ones() as usize);
        for other in (0..SEATS).filter(|&other| other != seat) {
            game.hands[other] = 0;
        }
        game.stock = [0; 52];
        for meld in &mut game.melds {
            if meld.concealed && meld.owner != seat {
                meld.cards = 0;
            }
        }
        Seen { seat, game, hand_sizes, history: &self.history, pot, streaks }
    }

    fn play(&mut self, chosen: Move) {
        self.history.note(self.game.to_act, chosen);
        self.game.play(chosen);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::{Trust, Worlds};
    use crate::cards::{PLACES, size};
    use crate::search::Budget;

    /// How much of the worlds has each card where it really is, as a mean of logarithms.
    fn hit(table: &Table, trust: Trust) -> f64 {
        const COUNT: u32 = 80;
        let seen = table.seen(6, [0; SEATS]);
        let mut worlds = Worlds::new(&seen, trust, Policy::default(), 7);
        let mut found = [[0.5; PLACES]; SEATS];
        for _ in 0..COUNT {
            let world = worlds.next();
            for seat in seen.others() {
                assert_eq!(size(world.hands[seat]) as usize, seen.hand_sizes[seat]);
                places(world.hands[seat]).for_each(|card| found[seat][usize::from(card)] += 1.0);
            }
        }
        let part = |seat: usize, card: u8| found[seat][usize::from(card)] / f64::from(COUNT);
        let held = |seat: usize| places(table.game.hands[seat]).map(move |card| (seat, card));
        let cards: Vec<(usize, u8)> = seen.others().into_iter().flat_map(held).collect();
        cards.iter().map(|&(seat, card)| part(seat, card).ln()).sum::<f64>() / cards.len() as f64
    }

    #[test]
    fn hands_that_explain_what_was_seen_are_nearer_to_the_truth_than_any_hands() {
        let nothing = Trust { temper: 0.0, closed: 1.0, ..Trust::default() };
        let rules = Rules::new(|_| None);
        let mut gain = 0.0;
        for number in 0..30 {
            let mut chance = Chance::new(number);
            let mut deck: Vec<u8> = places(PACK).collect();
            chance.shuffle(&mut deck);
            let mut table =
                Table { game: Game::deal(&rules, &deck, 0), history: History::default() };
            while table.game.stock_size > 6 && !matches!(table.game.phase, Phase::Over(_)) {
                table.play(Policy::default().choose(&table.game, &mut chance));
            }
            if table.game.phase == Phase::Action {
                gain += hit(&table, Trust::default()) - hit(&table, nothing);
            }
        }
        assert!(gain > 0.3, "{gain}");
    }

    #[test]
    fn the_search_beats_its_own_policy() {
        let tally = against_itself(Search::new(Budget::Rollouts(40)), 20, true);
        assert!(tally.mean() > 0.0, "{tally}");
    }
}
