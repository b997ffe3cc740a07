//! Chance that is the same on every machine.

/// Random numbers (SplitMix64, seeded with the FNV-1a hash of the bytes it is given). Not for secrets.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The same bytes give the same numbers.
    pub fn new(seed: &[u8]) -> Self {
        let mixed = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Rng(seed.iter().fold(0xcbf2_9ce4_8422_2325, mixed))
    }

    /// Any number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number from 0 to `limit` - 1.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.number()) * limit as u128) >> 64) as usize
    }

    /// One of the items, which must not be empty.
    pub fn choice<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Puts the items into a new order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_from_the_seed_and_are_spread_evenly() {
        let rolls = |seed| {
            let mut rng = Rng::new(&[seed]);
            [(); 4000].map(|()| rng.below(4))
        };
        assert_eq!(rolls(1), rolls(1));
        assert_ne!(rolls(1), rolls(2));
        for face in 0..4 {
            let count = rolls(1).iter().filter(|&&roll| roll == face).count();
            assert!((900..1100).contains(&count), "{face}: {count}");
        }
    }

    #[test]
    fn a_shuffle_keeps_the_items() {
        let mut items = [1, 2, 3, 4, 5];
        Rng::new(b"any").shuffle(&mut items);
        items.sort_unstable();
        assert_eq!(items, [1, 2, 3, 4, 5]);
    }
}
