//! The simulator against the engine: games that the engine played, move by move.

use crate::cards::texts::{card_at, cards_of, text};
use crate::cards::{Cards, place_of};
use crate::game::{Game, Move, Phase};
use crate::policy::Policy;
use crate::rng::Chance;
use crate::rules::Rules;
use crate::seat::move_of;
use crate::settle::settle;
use tongits::{format_card, parse_cards};

const GAMES: &str = include_str!("games.txt");

/// A game as `make_games.py` writes it.
struct Recorded {
    rules: Rules,
    dealer: usize,
    deck: Vec<u8>,
    /// What was legal (their number and a hash), and what was played.
    moves: Vec<(&'static str, Move)>,
    payments: Vec<i32>,
}

fn recorded(line: &'static str) -> Recorded {
    let fields: Vec<&str> = line.split('|').collect();
    let changed = || fields[0].split(';').filter_map(|pair| pair.split_once('='));
    let moves = fields[3].split(',').map(|entry| {
        let (check, action) = entry.split_once(' ').unwrap();
        (check, move_of(&action.parse().unwrap()))
    });
    Recorded {
        rules: Rules::new(|name| changed().find(|(key, _)| *key == name).map(|(_, value)| value)),
        dealer: fields[1].parse().unwrap(),
        deck: parse_cards(fields[2]).unwrap().into_iter().map(place_of).collect(),
        moves: moves.collect(),
        payments: fields[4].split(' ').map(|chips| chips.parse().unwrap()).collect(),
    }
}

fn text_of(chosen: Move) -> String {
    let with = |word: &str, cards: Cards| format!("{word} {}", text(cards));
    match chosen {
        Move::Draw => "draw".into(),
        Move::Take(meld) => with("take", meld),
        Move::Expose(meld) => with("expose", meld),
        Move::Conceal(meld) => with("conceal", meld),
        Move::Layoff(card, number) => format!("layoff {} {number}", format_card(card_at(card))),
        Move::Discard(card) => format!("discard {}", format_card(card_at(card))),
        Move::Call => "call".into(),
        Move::Challenge => "challenge".into(),
        Move::Fold => "fold".into(),
    }
}

fn check(moves: &[Move]) -> String {
    let mut texts: Vec<String> = moves.iter().map(|&chosen| text_of(chosen)).collect();
    texts.sort();
    let mixed = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = texts.join(",").bytes().fold(0xcbf2_9ce4_8422_2325, mixed);
    format!("{}:{:04x}", moves.len(), hash >> 48)
}

#[test]
fn what_is_legal_and_what_is_paid_is_as_in_the_engine() {
    let mut played = 0;
    for (number, line) in GAMES.lines().enumerate() {
        let game = recorded(line);
        let mut state = Game::deal(&game.rules, &game.deck, game.dealer);
        for &(legal, chosen) in &game.moves {
            let moves = state.legal();
            let texts = || moves.iter().map(|&one| text_of(one)).collect::<Vec<_>>();
            assert_eq!(check(&moves), legal, "game {number}, turn {}: {:?}", state.turn, texts());
            state.play(chosen);
            played += 1;
        }
        assert!(matches!(state.phase, Phase::Over(_)), "game {number}");
        assert_eq!(settle(&state).payments.to_vec(), game.payments, "game {number}");
        assert_eq!(state.legal(), []);
    }
    assert!(played > 3000, "{played}");
}

#[test]
fn the_policy_only_does_what_is_legal_and_no_card_is_lost() {
    let mut chance = Chance::new(7);
    let policy = Policy::default();
    for line in GAMES.lines() {
        let game = recorded(line);
        let mut state = Game::deal(&game.rules, &game.deck, game.dealer);
        for _ in 0..200 {
            if matches!(state.phase, Phase::Over(_)) {
                break;
            }
            let chosen = policy.choose(&state, &mut chance);
            assert!(state.legal().contains(&chosen), "{chosen:?} of {:?}", state.legal());
            state.play(chosen);
            let mut cards: Vec<u8> = state.hands.iter().flat_map(|&hand| cards_of(hand)).collect();
            cards.extend(cards_of(state.melds().iter().map(|meld| meld.cards).sum()));
            cards.extend(state.pile().iter().map(|&place| card_at(place)));
            cards.extend(state.stock[..state.stock_size].iter().map(|&place| card_at(place)));
            cards.sort_unstable();
            assert_eq!(cards, (0..52).collect::<Vec<u8>>());
        }
        assert!(matches!(state.phase, Phase::Over(_)));
        assert_eq!(settle(&state).payments.iter().sum::<i32>(), 0);
    }
}
