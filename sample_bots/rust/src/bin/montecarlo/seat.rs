//! The bot at the harness's table: from what it is shown to a search and back.

use std::time::{Duration, Instant};

use crate::cards::{place_of, set_of};
use crate::game::{Answer, Game, Meld, Move, Phase, SEATS};
use crate::history::{History, Seen};
use crate::rules::{FaceDown, Rules};
use crate::search::Search;
use tongits::{Action, Event, EventKind, GameBot, Kind, View};

/// It stops when this part of the time it has is over, whatever its budget: a slower answer than
/// planned is better than none.
const PART_OF_TIME: u32 = 2;

/// Plays one game.
pub struct MonteCarlo {
    search: Search,
    rules: Rules,
    history: History,
}

impl MonteCarlo {
    pub fn new(search: Search) -> Self {
        MonteCarlo { search, rules: Rules::new(|_| None), history: History::default() }
    }
}

impl GameBot for MonteCarlo {
    fn start(&mut self, game: &tongits::Game) {
        self.rules = Rules::new(|name| game.parameters.get(name).map(String::as_str));
    }

    fn observe(&mut self, event: &Event) {
        if let Some(done) = move_seen(event) {
            self.history.note(event.seat, done);
        }
    }

    fn decide(&mut self, view: &View) -> Action {
        let moves: Vec<Move> = view.legal.iter().map(move_of).collect();
        let seen = seen(view, &self.rules, &self.history);
        if !seen.adds_up() {
            return view.legal[0].clone(); // a practice decision of a game it was told nothing of
        }
        let deadline = Instant::now() + time_of(view) / PART_OF_TIME;
        let choice = self.search.choose(&seen, &moves, view.rng().number(), deadline);
        let action_of = |wanted| moves.iter().position(|&one| one == wanted).unwrap_or(0);
        if choice.chosen != choice.usual {
            let usual = &view.legal[action_of(choice.usual)];
            view.note(format!("{:+.2} over {usual} in {} worlds", choice.gain, choice.worlds));
        }
        view.legal[action_of(choice.chosen)].clone()
    }
}

/// Time for this decision; where no clock runs, an hour.
fn time_of(view: &View) -> Duration {
    match view.time_left_us {
        0 => Duration::from_secs(3600),
        left => Duration::from_micros(left),
    }
}

pub fn move_of(action: &Action) -> Move {
    let cards = set_of(&action.cards);
    let card = || action.cards.first().map_or(0, |&card| place_of(card));
    match action.kind {
        Kind::Take => Move::Take(cards),
        Kind::Expose => Move::Expose(cards),
        Kind::Conceal => Move::Conceal(cards),
        Kind::Layoff => Move::Layoff(card(), action.meld),
        Kind::Discard => Move::Discard(card()),
        Kind::Call => Move::Call,
        Kind::Challenge => Move::Challenge,
        Kind::Fold => Move::Fold,
        Kind::Draw | Kind::Unspecified => Move::Draw,
    }
}

fn move_seen(event: &Event) -> Option<Move> {
    let cards = set_of(&event.cards);
    let card = || event.cards.first().map_or(0, |&card| place_of(card));
    Some(match event.kind {
        EventKind::Drew => Move::Draw,
        EventKind::Took => Move::Take(cards),
        EventKind::Exposed => Move::Expose(cards),
        EventKind::Concealed => Move::Conceal(cards),
        EventKind::LaidOff => Move::Layoff(card(), event.meld),
        EventKind::Discarded => Move::Discard(card()),
        EventKind::Called => Move::Call,
        _ => return None,
    })
}

/// What the seat sees, as a game whose hidden cards are blank.
fn seen<'r, 'h>(view: &View, rules: &'r Rules, history: &'h History) -> Seen<'r, 'h> {
    let mut game = Game::new(rules, view.seat);
    game.phase = match view.phase {
        tongits::Phase::Start => Phase::Start,
        tongits::Phase::Respond => Phase::Respond,
        _ => Phase::Action,
    };
    game.turn = view.turn as i32;
    game.hands[view.seat] = set_of(&view.hand);
    game.stock_size = view.stock_size as usize;
    game.pile_size = view.discards.len();
    for (place, &card) in game.pile.iter_mut().zip(&view.discards) {
        *place = place_of(card);
    }
    game.public = set_of(&view.discards);
    for (number, meld) in view.melds.iter().enumerate() {
        game.add_meld(meld_seen(rules, history, number, meld));
    }
    game.melds_this_turn = history.melds_this_turn;
    game.last_drawer = history.last_drawer;
    show_blocks(&mut game, view);
    show_call(&mut game, view);
    let sizes = |seat| view.hand_sizes.get(seat).map_or(0, |&size| size as usize);
    Seen {
        seat: view.seat,
        game,
        hand_sizes: [0, 1, 2].map(sizes),
        history,
        pot: view.game.pot as i32,
        streaks: [0, 1, 2].map(|seat| view.game.streaks.get(seat).copied().unwrap_or(0)),
    }
}

fn meld_seen(rules: &Rules, history: &History, number: usize, meld: &tongits::Meld) -> Meld {
    let cards = set_of(&meld.cards);
    let fits = if rules.layoffs && !meld.face_down { rules.melds.fits(cards) } else { 0 };
    Meld {
        cards,
        owner: meld.owner,
        concealed: meld.face_down && rules.face_down == FaceDown::HandFour,
        taken: history.taken >> number & 1 == 1,
        fits,
    }
}

/// A seat's call is blocked if something happened since the turn before its next.
fn show_blocks(game: &mut Game, view: &View) {
    let is_start = game.phase != Phase::Action;
    let on_turn = view.caller.unwrap_or(view.seat);
    for seat in (0..SEATS).filter(|&seat| view.call_blocked.get(seat) == Some(&true)) {
        let ahead = (seat + SEATS - on_turn) % SEATS;
        let ahead = if ahead == 0 && !is_start { SEATS } else { ahead };
        game.block(seat, game.turn + ahead as i32 - SEATS as i32);
    }
}

/// Who has called, and what was said to it.
fn show_call(game: &mut Game, view: &View) {
    let Some(caller) = view.caller else {
        return;
    };
    game.caller = caller;
    game.to_act = view.seat;
    for seat in (0..SEATS).filter(|&seat| seat != caller && seat != view.seat) {
        let was_asked = (seat + SEATS - caller) % SEATS < (view.seat + SEATS - caller) % SEATS;
        game.answers[seat] = match view.challengers.contains(&seat) {
            true => Answer::Challenged,
            false if was_asked || !game.may_challenge(seat) => Answer::Folded,
            false => Answer::None,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Budget;
    use tongits::testing::{make_view, read_corpus};

    fn bot(rollouts: usize) -> MonteCarlo {
        MonteCarlo::new(Search::new(Budget::Rollouts(rollouts)))
    }

    fn asked(view: &View) -> Action {
        let mut bot = bot(20);
        bot.start(&view.game);
        view.game.history.iter().chain(&view.events).for_each(|event| bot.observe(event));
        bot.decide(view)
    }

    #[test]
    fn what_it_sees_of_the_corpus_is_what_is_there() {
        for case in read_corpus() {
            let rules = Rules::new(|name| case.view.game.parameters.get(name).map(String::as_str));
            let history = History::default();
            let seen = seen(&case.view, &rules, &history);
            assert!(seen.adds_up(), "{}", case.id);
            let mut legal: Vec<Move> = case.view.legal.iter().map(move_of).collect();
            let mut found = seen.game.legal();
            legal.sort_by_key(|one| format!("{one:?}"));
            found.sort_by_key(|one| format!("{one:?}"));
            assert_eq!(found, legal, "{}", case.id);
        }
    }

    #[test]
    fn an_answer_to_the_corpus_is_legal_and_follows_from_the_question() {
        for case in read_corpus().into_iter().step_by(4) {
            let answer = asked(&case.view);
            assert!(case.view.legal.contains(&answer), "{}", case.id);
            assert_eq!(asked(&case.view), answer, "{}", case.id);
        }
    }

    #[test]
    fn it_goes_out_when_it_can() {
        let mut view = make_view("KC KD KH 9C", &["expose KC KD KH", "discard 9C", "discard KC"]);
        view.hand_sizes = vec![4, 12, 12];
        view.discards = tongits::parse_cards("2C 2D 2H 3C 3D 3H 5S 5H 8D").unwrap();
        view.stock_size = 15;
        assert_eq!(asked(&view).to_string(), "expose KC KD KH");
    }
}
