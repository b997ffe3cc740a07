//! Cards as the protocol numbers them: one card is `4 * rank + suit`, several cards are bytes.
//!
//! Ranks run from 0 (ace, always low) to 12 (king), suits from 0 (clubs) over diamonds and hearts
//! to 3 (spades). Text is rank then suit: "7H", "TS", "AC".

use std::fmt;

const RANKS: &[u8; 13] = b"A23456789TJQK";
const SUITS: &[u8; 4] = b"CDHS";

/// Cards in the deck; the cards are the numbers below it.
pub const DECK: u8 = 52;

/// A text that is no card or no action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError(pub(crate) String);

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParseError {}

/// 0 for an ace, 1 for a two, ... 12 for a king.
pub const fn rank(card: u8) -> u8 {
    card >> 2
}

/// 0 clubs, 1 diamonds, 2 hearts, 3 spades.
pub const fn suit(card: u8) -> u8 {
    card & 3
}

/// Points of these cards together, as if none of them were melded: ace 1, two to ten their number,
/// jack, queen and king 10.
pub fn points(cards: &[u8]) -> u32 {
    cards.iter().map(|&card| points_of(card)).sum()
}

pub(crate) fn points_of(card: u8) -> u32 {
    u32::from(rank(card) + 1).min(10)
}

/// The card written as "7H"; lower case is fine.
pub fn parse_card(text: &str) -> Result<u8, ParseError> {
    let place = |letters: &[u8], letter: u8| {
        let is_it = |&one: &u8| one == letter.to_ascii_uppercase();
        letters.iter().position(is_it).map(|place| place as u8)
    };
    match *text.trim().as_bytes() {
        [first, second] => {
            place(RANKS, first).zip(place(SUITS, second)).map(|(rank, suit)| 4 * rank + suit)
        }
        _ => None,
    }
    .ok_or_else(|| {
        ParseError(format!("{text:?} is no card: write a rank of A23456789TJQK and a suit of CDHS"))
    })
}

/// The cards written as "4H 5H 6H", in the order of the text.
pub fn parse_cards(text: &str) -> Result<Vec<u8>, ParseError> {
    text.split_whitespace().map(parse_card).collect()
}

/// The card as text: "7H".
pub fn format_card(card: u8) -> String {
    let letters = [RANKS[rank(card) as usize], SUITS[suit(card) as usize]];
    letters.map(char::from).iter().collect()
}

/// The cards as text: "4H 5H 6H".
pub fn format_cards(cards: &[u8]) -> String {
    let words: Vec<String> = cards.iter().copied().map(format_card).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_are_numbers_and_texts() {
        assert_eq!(parse_card("as"), Ok(3));
        let cards = parse_cards("AC 7H TS KD").unwrap();
        assert_eq!(cards, [0, 26, 39, 49]);
        assert_eq!(format_cards(&cards), "AC 7H TS KD");
        assert_eq!(points(&cards), 1 + 7 + 10 + 10);
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "7", "1C", "7X", "10C", "ÄC"] {
            assert!(parse_card(text).is_err(), "{text}");
        }
    }
}
