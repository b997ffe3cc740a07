//! What a bot is shown: plain values made out of the protocol's messages.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::str::FromStr;

use crate::rng::Rng;
use crate::table::{self, Phase};
use crate::values::{Action, Event, Meld};

/// What stays the same throughout one game.
#[derive(Clone, Debug)]
pub struct Game {
    pub id: String,
    pub rules: String,
    /// Those that are not as in tongits-lite, by their dotted name, as JSON texts.
    pub parameters: HashMap<String, String>,
    /// Whether runs are melds under these rules.
    pub runs: bool,
    pub seat: usize,
    pub dealer: usize,
    pub bot_seed: Vec<u8>,
    pub pot: u32,
    /// Games won in a row by each seat.
    pub streaks: Vec<u32>,
    pub resumed: bool,
    /// Only if the game is resumed: all its events so far.
    pub history: Vec<Event>,
}

impl Game {
    /// A rule parameter that is not as in tongits-lite:
    /// `game.parameter("layoff.enabled").unwrap_or(true)`.
    pub fn parameter<T: FromStr>(&self, name: &str) -> Option<T> {
        self.parameters.get(name)?.parse().ok()
    }
}

impl From<table::GameStarted> for Game {
    fn from(message: table::GameStarted) -> Self {
        let runs = message.parameters.get("meld.runs").map(String::as_str) != Some("false");
        Game {
            id: message.game_id,
            rules: message.rules,
            runs,
            parameters: message.parameters,
            seat: message.seat as usize,
            dealer: message.dealer as usize,
            bot_seed: message.bot_seed,
            pot: message.pot,
            streaks: message.streaks,
            resumed: message.resumed,
            history: message.history.into_iter().map(Event::from).collect(),
        }
    }
}

/// What your seat sees at one decision, and the actions it may choose from.
#[derive(Clone, Debug)]
pub struct View {
    pub game: Rc<Game>,
    /// Time for this decision, in microseconds.
    pub time_left_us: u64,
    pub seat: usize,
    pub phase: Phase,
    /// Number of the turn in this game, from 0.
    pub turn: u32,
    /// Your cards, in card order.
    pub hand: Vec<u8>,
    /// Cards in the hand of each seat.
    pub hand_sizes: Vec<u32>,
    /// Whether each seat owns a meld on the table.
    pub opened: Vec<bool>,
    /// Whether a lay-off keeps each seat from calling Draw on its next turn.
    pub call_blocked: Vec<bool>,
    pub stock_size: u32,
    /// The discard pile, oldest first: the last one may be taken.
    pub discards: Vec<u8>,
    /// Melds on the table: meld number = position.
    pub melds: Vec<Meld>,
    /// To respond to: the seat that called Draw.
    pub caller: Option<usize>,
    /// To respond to: the caller's points, where the rules have them announced.
    pub caller_points: Option<u32>,
    /// Seats that have challenged so far.
    pub challengers: Vec<usize>,
    /// The actions to choose from: at least two, in canonical order.
    pub legal: Vec<Action>,
    /// What everybody saw since your last decision in this game, oldest first.
    pub events: Vec<Event>,
    note: RefCell<String>,
}

impl View {
    pub(crate) fn new(message: table::Observation, game: Rc<Game>, time_left_us: u64) -> Self {
        View {
            game,
            time_left_us,
            seat: message.seat as usize,
            phase: message.phase(),
            turn: message.turn,
            hand: message.hand,
            hand_sizes: message.hand_sizes,
            opened: message.opened,
            call_blocked: message.call_blocked,
            stock_size: message.stock_size,
            discards: message.discards,
            melds: message.melds.into_iter().map(Meld::from).collect(),
            caller: message.caller.map(|seat| seat as usize),
            caller_points: message.caller_points,
            challengers: message.challengers.iter().map(|&seat| seat as usize).collect(),
            legal: message.legal.into_iter().map(Action::from).collect(),
            events: message.events.into_iter().map(Event::from).collect(),
            note: RefCell::default(),
        }
    }

    /// Chance for this decision, drawn from the game's `bot_seed` and from what is on the table;
    /// each call begins anew with the same numbers.
    ///
    /// It does not depend on earlier decisions of this process, so that a bot that takes all its
    /// chance from here plays alike after a restart and on another machine.
    pub fn rng(&self) -> Rng {
        let position = [self.turn as u8, self.phase as u8];
        Rng::new(&[&self.game.bot_seed[..], &position, &self.hand].concat())
    }

    /// Has a text shown beside this decision in the replay.
    pub fn note(&self, text: impl Into<String>) {
        self.note.replace(text.into());
    }

    pub(crate) fn take_note(&self) -> String {
        self.note.take()
    }
}
