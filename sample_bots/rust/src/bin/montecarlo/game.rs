//! A game that can be played on at full speed: what is on the table and in every hand, and what a
//! seat may do. Nothing is allocated while it is played.

use crate::cards::{Cards, PACK, bit, ranks_of_four};
use crate::rules::Rules;

pub const SEATS: usize = 3;
const MAX_MELDS: usize = 17;
const NEVER: i32 = -100;

/// One thing a seat can do; single cards by their place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    Draw,
    Take(Cards),
    Expose(Cards),
    Conceal(Cards),
    Layoff(u8, usize),
    Discard(u8),
    Call,
    Challenge,
    Fold,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    Start,
    Action,
    Respond,
    Over(Ending),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    Tongits,
    DrawUncontested,
    DrawContested,
    /// The stock is empty; nobody may have opened.
    Stock,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    None,
    Challenged,
    Folded,
}

/// A meld on the table.
#[derive(Clone, Copy, Default, Debug)]
pub struct Meld {
    pub cards: Cards,
    pub owner: usize,
    pub concealed: bool,
    pub taken: bool,
    /// What may be laid off on it now.
    pub fits: Cards,
}

/// A game at one moment; playing a move changes it.
#[derive(Clone)]
pub struct Game<'r> {
    pub rules: &'r Rules,
    pub phase: Phase,
    /// The seat that decides; at the end the one that acted last.
    pub to_act: usize,
    pub turn: i32,
    pub hands: [Cards; SEATS],
    pub stock: [u8; 52],
    /// Cards left of the stock: the next is the last of them.
    pub stock_size: usize,
    pub pile: [u8; 52],
    pub pile_size: usize,
    pub melds: [Meld; MAX_MELDS],
    pub meld_count: usize,
    /// By seat: owns a meld on the table.
    pub opened: [bool; SEATS],
    /// By seat: the latest turn at which something happened that stops its next call.
    pub blocks: [i32; SEATS],
    pub melds_this_turn: u32,
    pub last_drawer: usize,
    pub caller: usize,
    pub answers: [Answer; SEATS],
    /// The cards of the pile and of melds that all can see.
    pub public: Cards,
}

impl<'r> Game<'r> {
    /// An empty table before the first turn.
    pub fn new(rules: &'r Rules, dealer: usize) -> Self {
        Game {
            rules,
            phase: if rules.dealer_draws_first { Phase::Start } else { Phase::Action },
            to_act: dealer,
            turn: 0,
            hands: [0; SEATS],
            stock: [0; 52],
            stock_size: 0,
            pile: [0; 52],
            pile_size: 0,
            melds: [Meld::default(); MAX_MELDS],
            meld_count: 0,
            opened: [false; SEATS],
            blocks: [NEVER; SEATS],
            melds_this_turn: 0,
            last_drawer: dealer,
            caller: 0,
            answers: [Answer::None; SEATS],
            public: 0,
        }
    }

    /// A game dealt from a deck, the places of the cards from the top on.
    pub fn deal(rules: &'r Rules, deck: &[u8], dealer: usize) -> Self {
        let mut game = Game::new(rules, dealer);
        let [for_dealer, for_others] = rules.deal_cards;
        let dealt = for_others * SEATS;
        for (place, &card) in deck[..dealt].iter().enumerate() {
            game.hands[(dealer + place) % SEATS] |= bit(card);
        }
        let first = dealt + for_dealer - for_others;
        deck[dealt..first].iter().for_each(|&card| game.hands[dealer] |= bit(card));
        for &card in deck[first..].iter().rev() {
            game.stock[game.stock_size] = card;
            game.stock_size += 1;
        }
        game
    }

    pub fn melds(&self) -> &[Meld] {
        &self.melds[..self.meld_count]
    }

    pub fn pile(&self) -> &[u8] {
        &self.pile[..self.pile_size]
    }

    pub fn top(&self) -> Option<u8> {
        self.pile().last().copied()
    }

    /// The cards a seat cannot see: the stock, other hands, others' concealed melds.
    pub fn hidden_from(&self, seat: usize) -> Cards {
        let own = self.melds().iter().filter(|meld| meld.concealed && meld.owner == seat);
        let own = own.fold(self.hands[seat], |cards, meld| cards | meld.cards);
        PACK & !self.public & !own
    }

    /// All cards that may be laid off on some meld.
    pub fn fits(&self) -> Cards {
        self.melds().iter().fold(0, |fits, meld| fits | meld.fits)
    }

    pub fn has_opened(&self, seat: usize) -> bool {
        self.opened[seat] || self.rules.secret_in_hand_opens && ranks_of_four(self.hands[seat]) != 0
    }

    pub fn may_challenge(&self, seat: usize) -> bool {
        !self.rules.challenge_requires_open || self.has_opened(seat)
    }
}
