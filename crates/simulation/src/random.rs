//! The one source of randomness of a simulation: everything that is left to chance follows from the seed.

use std::time::Duration;

use shared_core::{Rng, SeededRng};

/// A sequence of numbers that follows from a seed.
#[derive(Debug)]
pub struct Random(SeededRng);

impl Random {
    /// The sequence of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(SeededRng::new(seed))
    }

    /// 64 random bits.
    pub fn bits(&self) -> u64 {
        let mut bytes = [0; 8];
        self.0.fill(&mut bytes);
        u64::from_le_bytes(bytes)
    }

    /// A number below `end`; 0 where `end` is 0. The bias towards small numbers is below `end` / 2⁶⁴.
    pub fn below(&self, end: u64) -> u64 {
        let product = u128::from(self.bits()) * u128::from(end);
        u64::try_from(product >> 64).unwrap_or_default()
    }

    /// An index of a collection of this length; 0 for an empty one.
    pub fn index(&self, length: usize) -> usize {
        usize::try_from(self.below(length as u64)).unwrap_or_default()
    }

    /// Whether something happens that happens `permille` times in a thousand.
    pub fn happens(&self, permille: u64) -> bool {
        self.below(1_000) < permille
    }

    /// A duration between two numbers of milliseconds, the second excluded.
    pub fn millis(&self, from: u64, until: u64) -> Duration {
        Duration::from_millis(from + self.below(until.saturating_sub(from)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_from_the_seed_and_keep_to_their_bounds() {
        let draw = |seed| {
            let random = Random::new(seed);
            (0..1_000).map(|_| random.below(10)).collect::<Vec<_>>()
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        for number in 0..10 {
            assert!((60..140).contains(&draw(1).iter().filter(|drawn| **drawn == number).count()));
        }
        assert_eq!(Random::new(1).below(0), 0);
    }
}
