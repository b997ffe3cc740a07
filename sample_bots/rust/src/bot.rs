//! Your bot: write `decide`. It gets a view of the table and answers with one of `view.legal`.

use std::process::ExitCode;

use tongits::{Action, Kind, View, deadwood};

fn main() -> ExitCode {
    tongits::serve(decide)
}

/// Puts down what it can, throws away the card that leaves the fewest points, and else does the
/// first thing that is legal.
fn decide(view: &View) -> Action {
    let is_melding =
        |action: &&Action| matches!(action.kind, Kind::Take | Kind::Expose | Kind::Layoff);
    if let Some(melding) = view.legal.iter().find(is_melding) {
        return melding.clone();
    }
    let discards = view.legal.iter().filter(|action| action.kind == Kind::Discard);
    let best = discards.min_by_key(|action| points_left(view, action));
    best.unwrap_or(&view.legal[0]).clone()
}

/// Points left in the hand once this card is gone.
fn points_left(view: &View, discard: &Action) -> u32 {
    let mut rest = view.hand.clone();
    rest.retain(|card| !discard.cards.contains(card));
    deadwood(&rest, view.game.runs)
}

#[cfg(test)]
mod tests {
    use super::decide;
    use tongits::testing::{make_view, read_corpus};

    #[test]
    fn throws_away_the_card_that_leaves_the_fewest_points() {
        let view = make_view("KC KD KH 9C 2S", &["discard 2S", "discard 9C", "discard KC"]);
        assert_eq!(decide(&view).to_string(), "discard 9C");
    }

    #[test]
    fn puts_a_meld_down_before_it_throws_anything_away() {
        let view = make_view("KC KD KH 9C", &["expose KC KD KH", "discard 9C"]);
        assert_eq!(decide(&view).to_string(), "expose KC KD KH");
    }

    #[test]
    fn answers_every_observation_with_something_legal() {
        for case in read_corpus() {
            assert!(case.view.legal.contains(&decide(&case.view)), "{}", case.id);
        }
    }
}
