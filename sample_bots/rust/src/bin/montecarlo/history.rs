//! What everybody saw of a game so far, kept for what it tells of hands.

use crate::cards::{Cards, size};
use crate::game::{Game, Move, SEATS};

/// One finished decision of a seat about the discard pile.
#[derive(Clone, Copy, Debug)]
pub struct Sign {
    /// How many cards the seat has drawn from the stock up to here.
    pub drawn: u32,
    pub kind: SignKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SignKind {
    Discarded(u8),
    /// It drew although it might have taken this card.
    Refused(u8),
    /// It did not call although it might have.
    KeptQuiet,
}

/// What was seen, by seat.
#[derive(Clone, Default)]
pub struct History {
    pub signs: [Vec<Sign>; SEATS],
    pub drawn: [u32; SEATS],
    top: Option<u8>,
    /// By seat: may call at its next turn as far as lay-offs go.
    unblocked: [bool; SEATS],
    owners: Vec<usize>,
    /// Numbers of the melds made with a discard.
    pub taken: u32,
    pub melds_this_turn: u32,
    pub last_drawer: usize,
}

impl History {
    /// Something that a seat did; the cards are those that all could see.
    pub fn note(&mut self, seat: usize, done: Move) {
        match done {
            Move::Draw => {
                self.pass_by(seat);
                self.drawn[seat] += 1;
                self.last_drawer = seat;
            }
            Move::Take(_) => {
                self.taken |= 1 << self.owners.len();
                self.open(seat);
            }
            Move::Expose(_) | Move::Conceal(_) => {
                self.melds_this_turn += 1;
                self.open(seat);
            }
            Move::Layoff(_, number) => {
                if let Some(&owner) = self.owners.get(number) {
                    self.unblocked[owner] = false;
                }
            }
            Move::Discard(card) => {
                self.sign(seat, SignKind::Discarded(card));
                self.top = Some(card);
                self.melds_this_turn = 0;
            }
            Move::Call | Move::Challenge | Move::Fold => {}
        }
    }

    fn open(&mut self, seat: usize) {
        if !self.owners.contains(&seat) {
            self.unblocked[seat] = true;
        }
        self.owners.push(seat);
    }

    /// A seat draws: it has neither called nor taken the discard.
    fn pass_by(&mut self, seat: usize) {
        if self.owners.contains(&seat) {
            if self.unblocked[seat] {
                self.sign(seat, SignKind::KeptQuiet);
            }
            self.unblocked[seat] = true;
        }
        if let Some(top) = self.top {
            self.sign(seat, SignKind::Refused(top));
        }
    }

    fn sign(&mut self, seat: usize, kind: SignKind) {
        self.signs[seat].push(Sign { drawn: self.drawn[seat], kind });
    }
}

/// What one seat knows at a decision.
pub struct Seen<'r, 'h> {
    pub seat: usize,
    /// The table; the hands of the others, the stock and their concealed melds are blank.
    pub game: Game<'r>,
    pub hand_sizes: [usize; SEATS],
    pub history: &'h History,
    pub pot: i32,
    pub streaks: [u32; SEATS],
}

impl Seen<'_, '_> {
    /// The cards that this seat has not seen.
    pub fn hidden(&self) -> Cards {
        self.game.hidden_from(self.seat)
    }

    pub fn others(&self) -> [usize; 2] {
        [1, 2].map(|step| (self.seat + step) % SEATS)
    }

    /// Whether this many cards are hidden as the sizes of hands, stock and concealed melds say.
    pub fn adds_up(&self) -> bool {
        let blank = self.game.melds().iter().filter(|meld| meld.cards == 0).count();
        let hands: usize = self.others().iter().map(|&seat| self.hand_sizes[seat]).sum();
        size(self.hidden()) as usize == hands + self.game.stock_size + 4 * blank
    }
}
