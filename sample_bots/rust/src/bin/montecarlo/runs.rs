//! The tables that melds are looked up in.

use crate::cards::{ACES, Cards, points};

const LANES: usize = 1 << 13;

/// Every run of one suit.
pub fn all_runs(run_max: u32, ace_high: bool) -> Vec<u16> {
    let mut runs = Vec::new();
    for first in 0..13_u32 {
        let last = run_max.min(13 - first);
        runs.extend((3..=last).map(|length| (((1_u32 << length) - 1) << first) as u16));
    }
    if ace_high {
        let with_ace = |length: u32| (((1_u32 << length) - 1) << (13 - length) | 1) as u16;
        runs.extend((2..run_max.min(12)).map(with_ace));
    }
    runs
}

/// By the cards of one suit: most points that runs can cover, and the cards they cover then.
pub fn covers(runs: &[u16]) -> Vec<(u8, u16)> {
    let points: Vec<u8> = runs.iter().map(|&run| points(u64::from(run)) as u8).collect();
    let mut cover = vec![(0_u8, 0_u16); LANES];
    for cards in 1..LANES as u16 {
        let lowest = cards & cards.wrapping_neg();
        let mut best = cover[usize::from(cards ^ lowest)];
        for (&run, &worth) in runs.iter().zip(&points) {
            if run & lowest != 0 && run & cards == run {
                let (rest, with) = cover[usize::from(cards ^ run)];
                if worth + rest > best.0 {
                    best = (worth + rest, with | run);
                }
            }
        }
        cover[usize::from(cards)] = best;
    }
    cover
}

/// The cards that decide with this card whether it can be melded.
pub fn near_cards(place: u8, runs: bool, ace_high: bool) -> Cards {
    let (rank, suit) = (i32::from(place & 15), place & 48);
    let mut near = ACES << rank & !(1 << place);
    for step in [-2, -1, 1, 2] {
        let other = rank + step;
        let around = (other + 13) % 13;
        let joins = (0..13).contains(&other) || ace_high && (other >= 13 || rank == 0);
        if runs && joins {
            near |= 1 << (suit + around as u8);
        }
    }
    near
}
