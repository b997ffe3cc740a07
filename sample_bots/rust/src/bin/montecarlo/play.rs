//! What a move does to a game.

use crate::cards::{Cards, bit, has, size};
use crate::game::{Answer, Ending, Game, Meld, Move, Phase, SEATS};
use crate::rules::Block;

const FOR_GOOD: i32 = 1_000_000;

impl Game<'_> {
    /// Plays a legal move.
    pub fn play(&mut self, chosen: Move) {
        match chosen {
            Move::Draw => self.draw(),
            Move::Take(meld) => self.take(meld),
            Move::Expose(meld) => self.put_down(meld, false),
            Move::Conceal(meld) => self.put_down(meld, true),
            Move::Layoff(card, number) => self.lay_off(card, number),
            Move::Discard(card) => self.discard(card),
            Move::Call => self.call(),
            Move::Challenge => self.answer(Answer::Challenged),
            Move::Fold => self.answer(Answer::Folded),
        }
    }

    fn draw(&mut self) {
        if self.stock_size == 0 {
            self.phase = Phase::Over(Ending::Stock);
            return;
        }
        self.stock_size -= 1;
        self.hands[self.to_act] |= bit(self.stock[self.stock_size]);
        self.last_drawer = self.to_act;
        self.phase = Phase::Action;
        if self.rules.all_grouped_is_tongits {
            self.go_on();
        }
    }

    fn take(&mut self, meld: Cards) {
        let seat = self.to_act;
        self.pile_size -= 1;
        self.hands[seat] &= !meld;
        if self.rules.block_discard_taken {
            self.block((seat + 2) % SEATS, self.turn);
        }
        self.lay(meld, false, true);
        self.phase = Phase::Action;
        if self.rules.discard_after_pickup {
            self.go_on();
        } else {
            self.pass();
        }
    }

    fn put_down(&mut self, meld: Cards, concealed: bool) {
        self.hands[self.to_act] ^= meld;
        self.melds_this_turn += 1;
        self.lay(meld, concealed, false);
        self.go_on();
    }

    fn lay(&mut self, cards: Cards, concealed: bool, taken: bool) {
        let open = self.rules.layoffs && !concealed;
        let fits = if open { self.rules.melds.fits(cards) } else { 0 };
        let owner = self.to_act;
        self.add_meld(Meld { cards, owner, concealed, taken, fits });
        if self.rules.block_own_long_meld && size(cards) >= 4 {
            self.block(owner, self.turn);
        }
    }

    /// Puts a meld on the table; its cards come from nowhere.
    pub fn add_meld(&mut self, meld: Meld) {
        self.melds[self.meld_count] = meld;
        self.meld_count += 1;
        self.opened[meld.owner] = true;
        if !meld.concealed {
            self.public |= meld.cards;
        }
    }

    fn lay_off(&mut self, card: u8, number: usize) {
        let (seat, turn) = (self.to_act, self.turn);
        self.hands[seat] ^= bit(card);
        self.public |= bit(card);
        let meld = &mut self.melds[number];
        meld.cards |= bit(card);
        meld.fits = self.rules.melds.fits(meld.cards);
        let owner = meld.owner;
        match self.rules.block_by_opponent {
            _ if owner == seat && self.rules.block_self => self.block(owner, turn),
            Block::NextTurn if owner != seat => self.block(owner, turn),
            Block::ForGood if owner != seat => self.block(owner, FOR_GOOD),
            _ => {}
        }
        self.go_on();
    }

    fn discard(&mut self, card: u8) {
        debug_assert!(has(self.hands[self.to_act], card));
        self.hands[self.to_act] ^= bit(card);
        self.pile[self.pile_size] = card;
        self.pile_size += 1;
        self.public |= bit(card);
        self.pass();
    }

    pub fn block(&mut self, seat: usize, turn: i32) {
        self.blocks[seat] = self.blocks[seat].max(turn);
    }

    fn is_out(&self, hand: Cards) -> bool {
        hand == 0 || self.rules.all_grouped_is_tongits && self.rules.melds.split(hand).deadwood == 0
    }

    fn go_on(&mut self) {
        if self.is_out(self.hands[self.to_act]) {
            self.phase = Phase::Over(Ending::Tongits);
        }
    }

    /// Ends the turn, and the game if it was the last.
    fn pass(&mut self) {
        if self.is_out(self.hands[self.to_act]) {
            self.phase = Phase::Over(Ending::Tongits);
        } else if self.stock_size == 0 && !self.rules.ends_at_next_start {
            self.phase = Phase::Over(Ending::Stock);
        } else {
            self.phase = Phase::Start;
            self.to_act = (self.to_act + 1) % SEATS;
            self.turn += 1;
            self.melds_this_turn = 0;
        }
    }

    fn call(&mut self) {
        self.caller = self.to_act;
        self.answers = [Answer::None; SEATS];
        for seat in (0..SEATS).filter(|&seat| seat != self.caller) {
            if !self.may_challenge(seat) {
                self.answers[seat] = Answer::Folded;
            }
        }
        self.ask();
    }

    fn answer(&mut self, answer: Answer) {
        self.answers[self.to_act] = answer;
        self.ask();
    }

    /// Asks the next seat for its answer, or ends the game.
    fn ask(&mut self) {
        let others = [1, 2].map(|step| (self.caller + step) % SEATS);
        let next = others.into_iter().find(|&seat| self.answers[seat] == Answer::None);
        let contested = self.answers.contains(&Answer::Challenged);
        self.phase = match next {
            Some(_) => Phase::Respond,
            None if contested => Phase::Over(Ending::DrawContested),
            None => Phase::Over(Ending::DrawUncontested),
        };
        self.to_act = next.unwrap_or(self.to_act);
    }
}
