//! The words of the game as values: actions, events, melds, results.

use std::fmt;
use std::str::FromStr;

use crate::cards::{ParseError, format_cards, parse_card, parse_cards};
use crate::table::{self, ActionKind as Kind, EventKind, Termination};

const WORDS: [(Kind, &str); 9] = [
    (Kind::Draw, "draw"),
    (Kind::Take, "take"),
    (Kind::Expose, "expose"),
    (Kind::Conceal, "conceal"),
    (Kind::Layoff, "layoff"),
    (Kind::Discard, "discard"),
    (Kind::Call, "call"),
    (Kind::Challenge, "challenge"),
    (Kind::Fold, "fold"),
];

/// One thing a seat can do. Its text is the one that `tongits referee` reads: "layoff 7H 0".
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Action {
    pub kind: Kind,
    /// Take, expose, conceal: the whole meld in card order. Lay off, discard: one card.
    pub cards: Vec<u8>,
    /// Lay off: the number of the meld.
    pub meld: usize,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_it = |(kind, _): &&(Kind, &str)| *kind == self.kind;
        f.write_str(WORDS.iter().find(is_it).map_or("?", |(_, word)| word))?;
        if !self.cards.is_empty() {
            write!(f, " {}", format_cards(&self.cards))?;
        }
        match self.kind {
            Kind::Layoff => write!(f, " {}", self.meld),
            _ => Ok(()),
        }
    }
}

impl FromStr for Action {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let wrong = || ParseError(format!("{text:?} is no action such as \"discard 9C\""));
        let (word, rest) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
        let is_it = |(_, name): &&(Kind, &str)| *name == word.to_lowercase();
        let &(kind, _) = WORDS.iter().find(is_it).ok_or_else(wrong)?;
        if kind == Kind::Layoff {
            let (card, number) = rest.split_once(' ').ok_or_else(wrong)?;
            let meld = number.trim().parse().map_err(|_| wrong())?;
            return Ok(Action { kind, cards: vec![parse_card(card)?], meld });
        }
        let mut cards = parse_cards(rest)?;
        cards.sort_unstable();
        Ok(Action { kind, cards, meld: 0 })
    }
}

impl From<table::Action> for Action {
    fn from(message: table::Action) -> Self {
        let (kind, meld) = (message.kind(), message.meld as usize);
        Action { kind, cards: message.cards, meld }
    }
}

impl From<Action> for table::Action {
    fn from(action: Action) -> Self {
        let (kind, meld) = (action.kind.into(), action.meld as u32);
        table::Action { kind, cards: action.cards, meld }
    }
}

/// Something everybody at the table saw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Counts the events of the game, from 0.
    pub number: u32,
    pub kind: EventKind,
    pub seat: usize,
    /// Empty where you may not see them. Took: the whole meld, with the discard in it.
    pub cards: Vec<u8>,
    pub meld: usize,
    /// Called: the announced points, if any.
    pub points: Option<u32>,
}

impl From<table::Event> for Event {
    fn from(message: table::Event) -> Self {
        Event {
            number: message.number,
            kind: message.kind(),
            seat: message.seat as usize,
            meld: message.meld as usize,
            points: message.points,
            cards: message.cards,
        }
    }
}

/// A meld on the table; its number is its place in `View::melds`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meld {
    pub owner: usize,
    /// Empty for a concealed four of another seat.
    pub cards: Vec<u8>,
    pub face_down: bool,
    pub size: usize,
}

impl From<table::Meld> for Meld {
    fn from(message: table::Meld) -> Self {
        Meld {
            owner: message.owner as usize,
            cards: message.cards,
            face_down: message.face_down,
            size: message.size as usize,
        }
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub termination: Termination,
    pub winner: Option<usize>,
    /// Chips won or paid by each seat, without antes and pot.
    pub payments: Vec<i32>,
    /// Hands shown at the end; empty where not shown.
    pub hands: Vec<Vec<u8>>,
}

impl From<table::GameOver> for Outcome {
    fn from(message: table::GameOver) -> Self {
        Outcome {
            termination: message.termination(),
            winner: message.winner.map(|seat| seat as usize),
            payments: message.payments,
            hands: message.hands,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_is_what_its_text_says() {
        for text in ["draw", "take 4H 5H 6H", "layoff 7H 2", "discard 9C", "fold"] {
            assert_eq!(text.parse::<Action>().unwrap().to_string(), text);
        }
        for text in ["", "sing", "layoff 7H", "discard 1C"] {
            assert!(text.parse::<Action>().is_err(), "{text}");
        }
    }
}
