//! Thinks by playing: tries its moves in many possible games, see `search`.
//!
//!     montecarlo --rollouts 2000      games played out for a decision; the same on every machine
//!     montecarlo --budget-ms 20       or time for a decision
//!
//! Beside that, `montecarlo --self-play 200 --rules sa-tong` plays matches against its own quick
//! policy, without a harness.

mod arena;
mod belief;
mod cards;
mod game;
mod history;
mod legal;
mod melds;
mod play;
mod policy;
#[cfg(test)]
mod replay;
mod rng;
mod rules;
mod runs;
mod search;
mod seat;
mod settle;

use std::process::ExitCode;
use std::str::FromStr;
use std::time::Duration;

use search::{Budget, Search};

const USAGE: &str =
    "usage: montecarlo [--rollouts N | --budget-ms N] [--self-play MATCHES [--rules sa-tong]]";
const ROLLOUTS: usize = 2000;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match Options::new(&arguments) {
        Some(Options { search, self_play: Some(matches), sa_tong }) => {
            println!("{}", arena::against_itself(search, matches, sa_tong));
            ExitCode::SUCCESS
        }
        Some(Options { search, .. }) => tongits::serve_games(|| seat::MonteCarlo::new(search)),
        None => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

struct Options {
    search: Search,
    self_play: Option<u64>,
    sa_tong: bool,
}

impl Options {
    /// None if the words are none of ours.
    fn new(words: &[String]) -> Option<Self> {
        let mut options = Options {
            search: Search::new(Budget::Rollouts(ROLLOUTS)),
            self_play: None,
            sa_tong: false,
        };
        for pair in words.chunks(2) {
            let [name, value] = pair else {
                return None;
            };
            match name.as_str() {
                "--rollouts" => options.search.budget = Budget::Rollouts(number(value)?),
                "--budget-ms" => {
                    options.search.budget = Budget::Time(Duration::from_millis(number(value)?));
                }
                "--self-play" => options.self_play = Some(number(value)?),
                "--rules" => options.sa_tong = value == "sa-tong",
                _ => return None,
            }
        }
        Some(options)
    }
}

/// A whole number above 0.
fn number<N: FromStr + Default + PartialOrd>(text: &str) -> Option<N> {
    text.parse().ok().filter(|number| *number > N::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(text: &str) -> Option<Options> {
        let words: Vec<String> = text.split_whitespace().map(String::from).collect();
        Options::new(&words)
    }

    #[test]
    fn the_budget_is_told_by_arguments() {
        let budget = |text| options(text).unwrap().search.budget;
        assert!(matches!(budget(""), Budget::Rollouts(ROLLOUTS)));
        assert!(matches!(budget("--rollouts 50"), Budget::Rollouts(50)));
        assert!(matches!(budget("--budget-ms 20"), Budget::Time(time) if time.as_millis() == 20));
        for wrong in ["--rollouts", "--rollouts 0", "--rollouts x", "--depth 3"] {
            assert!(options(wrong).is_none(), "{wrong}");
        }
    }
}
