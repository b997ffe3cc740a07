//! Make a View out of text, and read the shared observations, for the unit tests of a bot.
//! What is wrong in a text panics.

use std::path::Path;
use std::rc::Rc;

use base64::prelude::{BASE64_STANDARD, Engine};
use prost::Message;

use crate::cards::parse_cards;
use crate::table::{self, Phase};
use crate::values::Action;
use crate::view::{Game, View};

/// A game of tongits-lite at seat 0, but for these parameters: `[("meld.runs", "false")]`.
pub fn make_game(parameters: &[(&str, &str)]) -> Game {
    let owned = |&(name, value): &(&str, &str)| (name.to_string(), value.to_string());
    Game::from(table::GameStarted {
        game_id: "test".into(),
        rules: "tongits-lite".into(),
        parameters: parameters.iter().map(owned).collect(),
        bot_seed: vec![0; 8],
        pot: 6,
        streaks: vec![0; 3],
        ..Default::default()
    })
}

/// A view of seat 0 in the middle of its turn: its hand as "4H 5H KS" in any order, and the texts
/// of the actions it may choose from. Its fields can be set to something else.
pub fn make_view(hand: &str, legal: &[&str]) -> View {
    let mut cards = parse_cards(hand).expect("the hand");
    cards.sort_unstable();
    let actions = legal.iter().map(|text| text.parse::<Action>().expect("a legal action"));
    let message = table::Observation {
        phase: Phase::Action.into(),
        turn: 3,
        hand_sizes: vec![cards.len() as u32, 12, 12],
        hand: cards,
        opened: vec![false; 3],
        call_blocked: vec![false; 3],
        stock_size: 10,
        legal: actions.map(table::Action::from).collect(),
        ..Default::default()
    };
    View::new(message, Rc::new(make_game(&[])), 0)
}

/// One of the observations that every kit is tested with.
pub struct Case {
    pub id: String,
    pub view: View,
    /// What greedy answers to it.
    pub greedy: String,
}

/// All of them: `corpus.jsonl` beside the bot's Cargo.toml, or that of the checkout.
pub fn read_corpus() -> Vec<Case> {
    let kit = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let places = ["corpus.jsonl", "../corpus/observations.jsonl"].map(|place| kit.join(place));
    let found = places.iter().find(|path| path.exists());
    let path = found.unwrap_or_else(|| panic!("no corpus of observations at {places:?}"));
    let text = std::fs::read_to_string(path).expect("the corpus");
    text.lines().map(case).collect()
}

fn case(line: &str) -> Case {
    let bytes = |name| BASE64_STANDARD.decode(field(line, name)).expect("base64");
    let started = table::GameStarted::decode(&bytes("started")[..]).expect("GameStarted");
    let request = table::DecisionRequest::decode(&bytes("request")[..]).expect("DecisionRequest");
    let observation = request.observation.expect("an observation");
    Case {
        id: field(line, "id").to_string(),
        view: View::new(observation, Rc::new(started.into()), request.time_left_us),
        greedy: field(line, "greedy").to_string(),
    }
}

/// The text of a field of a JSON object; none of those in the corpus holds a quote or an escape.
fn field<'a>(line: &'a str, name: &str) -> &'a str {
    let (_, rest) = line.split_once(&format!("\"{name}\": \"")).expect("the field");
    rest.split('"').next().unwrap_or_default()
}
