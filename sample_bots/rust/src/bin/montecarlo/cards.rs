//! Sets of cards as one number each, laid out so that runs and sets are found by a few shifts.
//!
//! A card's place is `16 * suit + rank`: a suit is a lane of 16 bits, 13 of them in use, so the next
//! card of a run is the next bit, and the cards of one rank lie 16 apart.

/// The cards of a set, each the bit of its place.
pub type Cards = u64;

const LANE: u64 = 0x1fff;
/// The whole pack.
pub const PACK: Cards = LANE | LANE << 16 | LANE << 32 | LANE << 48;
/// The first card of each suit: an ace.
pub const ACES: Cards = 1 | 1 << 16 | 1 << 32 | 1 << 48;
pub const PLACES: usize = 64;

const POINTS: [u8; 16] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 0, 0, 0];

/// The place of a card that the kit numbers `4 * rank + suit`.
pub fn place_of(card: u8) -> u8 {
    (card & 3) << 4 | card >> 2
}

pub fn bit(place: u8) -> Cards {
    1 << place
}

/// The set of these cards, in the kit's numbers.
pub fn set_of(cards: &[u8]) -> Cards {
    cards.iter().fold(0, |set, &card| set | bit(place_of(card)))
}

/// The places of the cards of a set.
pub fn places(mut set: Cards) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as u8)?;
        set &= set - 1;
        Some(lowest)
    })
}

pub fn points_at(place: u8) -> u32 {
    u32::from(POINTS[usize::from(place & 15)])
}

pub fn points(set: Cards) -> u32 {
    places(set).map(points_at).sum()
}

/// The four cards of the rank of this place.
pub fn rank_at(place: u8) -> Cards {
    ACES << (place & 15)
}

pub fn lane(set: Cards, suit: u32) -> usize {
    (set >> (16 * suit) & LANE) as usize
}

/// The first card of every rank of which the set has three or four, as bits 0 to 12.
pub fn ranks_of_three(set: Cards) -> u64 {
    let (clubs, diamonds, hearts, spades) = (set, set >> 16, set >> 32, set >> 48);
    (clubs & diamonds & (hearts | spades) | hearts & spades & (clubs | diamonds)) & LANE
}

/// The ranks all four cards of which are in the set, as bits 0 to 12.
pub fn ranks_of_four(set: Cards) -> u64 {
    set & set >> 16 & set >> 32 & set >> 48 & LANE
}

pub fn has(set: Cards, place: u8) -> bool {
    set >> place & 1 == 1
}

pub fn size(set: Cards) -> u32 {
    set.count_ones()
}

/// Cards as text and back, for tests.
#[cfg(test)]
pub mod texts {
    use super::{Cards, place_of, places, set_of};
    use tongits::{format_cards, parse_cards};

    /// The kit's number of the card at a place.
    pub fn card_at(place: u8) -> u8 {
        (place & 15) << 2 | place >> 4
    }

    /// The kit's numbers of the cards of a set, in card order.
    pub fn cards_of(set: Cards) -> Vec<u8> {
        let mut cards: Vec<u8> = places(set).map(card_at).collect();
        cards.sort_unstable();
        cards
    }

    /// The cards as text: "4H 5H 6H".
    pub fn text(set: Cards) -> String {
        format_cards(&cards_of(set))
    }

    /// The cards of a text.
    pub fn set(text: &str) -> Cards {
        set_of(&parse_cards(text).unwrap())
    }

    /// The place of a card written as "7H".
    pub fn place(text: &str) -> u8 {
        place_of(parse_cards(text).unwrap()[0])
    }
}

#[cfg(test)]
mod tests {
    use super::texts::{card_at, set, text};
    use super::*;

    #[test]
    fn places_and_numbers_name_the_same_cards() {
        assert!((0..52).all(|card| card_at(place_of(card)) == card));
        assert_eq!(set_of(&(0..52).collect::<Vec<u8>>()), PACK);
        assert_eq!(text(set("KS AC TH")), "AC TH KS");
        assert_eq!(points(set("AC 7H TS JD QD KD")), 1 + 7 + 40);
    }

    #[test]
    fn ranks_are_counted() {
        let cards = set("7C 7H 7S 9C 9D KC KD KH KS");
        assert_eq!(ranks_of_three(cards), 1 << 6 | 1 << 12);
        assert_eq!(ranks_of_four(cards), 1 << 12);
        assert_eq!(text(rank_at(place_of(1))), "AC AD AH AS");
    }
}
