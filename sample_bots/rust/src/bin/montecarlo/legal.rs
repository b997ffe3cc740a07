//! What the seat to act may do.

use crate::cards::{Cards, places, rank_at, ranks_of_four};
use crate::game::{Game, Move, Phase, SEATS};
use crate::rules::FaceDown;

impl Game<'_> {
    /// Whether the seat to act, at the start of its turn, may call.
    pub fn may_call(&self) -> bool {
        let seat = self.to_act;
        (!self.rules.call_requires_open || self.has_opened(seat))
            && self.turn > 0
            && self.blocks[seat] < self.turn - SEATS as i32
    }

    pub fn may_lay_off(&self) -> bool {
        !self.rules.layoff_requires_open || self.has_opened(self.to_act)
    }

    pub fn may_expose(&self) -> bool {
        self.melds_this_turn < self.rules.max_melds_per_turn
            && (self.turn > 0 || self.rules.first_turn_may_expose)
    }

    /// Everything the seat to act may do.
    pub fn legal(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        match self.phase {
            Phase::Start => self.starts(&mut moves),
            Phase::Action => self.actions(&mut moves),
            Phase::Respond => moves.extend([Move::Challenge, Move::Fold]),
            Phase::Over(_) => {}
        }
        moves
    }

    fn starts(&self, moves: &mut Vec<Move>) {
        moves.push(Move::Draw);
        if let Some(top) = self.top() {
            let hand = self.hands[self.to_act];
            self.rules.melds.each_with(top, hand, |meld| moves.push(Move::Take(meld)));
        }
        if self.rules.layoff_before_draw {
            self.layoffs(moves);
        }
        if self.may_call() {
            moves.push(Move::Call);
        }
    }

    fn actions(&self, moves: &mut Vec<Move>) {
        let hand = self.hands[self.to_act];
        if self.may_expose() {
            self.rules.melds.each_in(hand, |meld| moves.push(Move::Expose(meld)));
            if self.rules.face_down == FaceDown::HandFour {
                let fours = places(ranks_of_four(hand)).map(|rank| Move::Conceal(rank_at(rank)));
                moves.extend(fours);
            }
        }
        self.layoffs(moves);
        places(hand & !self.kept()).for_each(|card| moves.push(Move::Discard(card)));
    }

    fn layoffs(&self, moves: &mut Vec<Move>) {
        if self.may_lay_off() {
            for (number, meld) in self.melds().iter().enumerate() {
                let cards = places(meld.fits & self.hands[self.to_act]);
                moves.extend(cards.map(|card| Move::Layoff(card, number)));
            }
        }
    }

    /// The cards that must not be discarded.
    pub fn kept(&self) -> Cards {
        if self.rules.forbid_layoffable && self.may_lay_off() { self.fits() } else { 0 }
    }
}
