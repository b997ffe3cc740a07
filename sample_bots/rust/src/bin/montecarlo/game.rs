//! A game that can be played on at full speed: what is on the table and in every hand, and what a
//! seat may do. Nothing is allocated while it is played.

use crate::cards::{Cards, PACK, bit, has, places, rank_at, ranks_of_four, size};
use crate::rules::{Block, FaceDown, Rules};

pub const SEATS: usize = 3;
const MAX_MELDS: usize = 17;
const NEVER: i32 = -100;
const FOR_GOOD: i32 = 1_000_000;

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
