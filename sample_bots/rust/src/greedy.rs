//! Puts down what it can as soon as it can, and throws away its highest loose card.
//!
//! It looks at its own cards only: it never calls Draw, and it contests a call when its hand is
//! light.

use std::cmp::Reverse;
use std::process::ExitCode;

use tongits::{Action, Kind, View, deadwood, points};

/// Contests a call with at most this many points in hand.
const CHALLENGE_AT: u32 = 30;

fn main() -> ExitCode {
    tongits::serve(decide)
}

/// Takes, melds and lays off whatever is possible; else draws, discards or answers a call.
fn decide(view: &View) -> Action {
    let legal = |kind| view.legal.iter().filter(move |action| action.kind == kind);
    let down = [Kind::Take, Kind::Conceal, Kind::Expose, Kind::Layoff]
        .into_iter()
        // Of equal ones `min_by_key` gives the first, `max_by_key` the last.
        .find_map(|kind| legal(kind).min_by_key(|action| Reverse(points(&action.cards))));
    let discard = || legal(Kind::Discard).min_by_key(|action| left_after(view, action));
    let answer = || legal(answer_to_call(view)).next();
    let draw = || legal(Kind::Draw).next();
    let chosen = down.or_else(discard).or_else(answer).or_else(draw);
    chosen.unwrap_or(&view.legal[0]).clone()
}

fn answer_to_call(view: &View) -> Kind {
    match deadwood(&view.hand, view.game.runs) {
        ..=CHALLENGE_AT => Kind::Challenge,
        _ => Kind::Fold,
    }
}

/// Points left in the hand once this card is gone.
fn left_after(view: &View, discard: &Action) -> u32 {
    let mut rest = view.hand.clone();
    rest.retain(|card| !discard.cards.contains(card));
    deadwood(&rest, view.game.runs)
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::decide;
    use tongits::testing::{make_game, make_view, read_corpus};

    #[test]
    fn answers_every_observation_of_the_corpus_as_in_all_other_languages() {
        let corpus = read_corpus();
        assert!(corpus.len() >= 500);
        for case in corpus {
            assert_eq!(decide(&case.view).to_string(), case.greedy, "{}", case.id);
        }
    }

    #[test]
    fn puts_down_the_meld_that_is_worth_most() {
        let legal = ["expose 2C 2D 2H", "expose TC JC QC", "discard 2C", "discard KS"];
        let view = make_view("2C 2D 2H TC JC QC KS", &legal);
        assert_eq!(decide(&view).to_string(), "expose TC JC QC");
    }

    #[test]
    fn contests_a_call_with_a_light_hand_only() {
        let answer = |hand, parameters: &[(&str, &str)]| {
            let mut view = make_view(hand, &["challenge", "fold"]);
            view.game = Rc::new(make_game(parameters));
            decide(&view).to_string()
        };
        assert_eq!(answer("TC JD QH", &[]), "challenge");
        assert_eq!(answer("TC JD QH AS", &[]), "fold");
        assert_eq!(answer("TC JC QC AS 9C", &[]), "challenge");
        assert_eq!(answer("TC JC QC AS", &[("meld.runs", "false")]), "fold");
    }
}
