//! Write a Tong-its bot in Rust.
//!
//! ```no_run
//! use tongits::{Action, View};
//!
//! fn decide(view: &View) -> Action {
//!     view.rng().choice(&view.legal).clone()
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     tongits::serve(decide)
//! }
//! ```
//!
//! [`serve`] plays with a function, [`serve_games`] with a value for each game that remembers; the
//! cards and melds of a game are worked out with the functions below. [`testing`] makes a [`View`]
//! for your tests.

mod cards;
mod melds;
mod play;
mod rng;
#[rustfmt::skip]
#[allow(clippy::all, clippy::pedantic)]
pub mod table;
pub mod testing;
mod values;
mod view;

pub use cards::{
    DECK, ParseError, format_card, format_cards, parse_card, parse_cards, points, rank, suit,
};
pub use melds::{best_melds, deadwood, is_meld, loose_cards, melds_in, unseen};
pub use play::{GameBot, serve, serve_games};
pub use rng::Rng;
pub use table::{ActionKind as Kind, EventKind, Phase, Termination};
pub use values::{Action, Event, Meld, Outcome};
pub use view::{Game, View};
