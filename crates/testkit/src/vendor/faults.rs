//! Which attempt meets which fault: drawn from a seed, so that the same seed gives the same faults whatever the
//! order of the calls.

/// Shares of attempts that go wrong, in thousandths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultRates {
    /// 429, every other one with `RetryPolicy-After`.
    pub rate_limited: u32,
    /// 503.
    pub unavailable: u32,
    /// An answer that is no JSON where JSON was asked for.
    pub malformed: u32,
    /// JSON that breaks off: at the limit of tokens, without saying why, or with the connection.
    pub cut: u32,
    /// No answer at all.
    pub hang: u32,
}

/// What goes wrong with one attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    /// 429 without a hint when to come back.
    RateLimited,
    /// 429 with `RetryPolicy-After`.
    RateLimitedFor,
    /// 503.
    Unavailable,
    /// Words instead of JSON.
    Prose,
    /// Nearly JSON.
    NearlyJson,
    /// JSON that breaks off at the limit of tokens.
    CutAtLimit,
    /// JSON that breaks off, called whole.
    CutSilently,
    /// A body shorter than its length says.
    CutConnection,
    /// Nothing.
    Hang,
    /// The right answer, but only after [`super::Vendor::release`].
    Late,
    /// JSON that breaks off inside its first value, called whole.
    CutFirstValue,
    /// JSON that breaks off inside its first value, at the limit of tokens.
    CutFirstValueAtLimit,
    /// What was sent in place of an answer; of vectors, the first one for each text.
    Echo,
    /// Each row of each list twice; of vectors, each one twice.
    RepeatedRows,
    /// `{}`.
    EmptyObject,
    /// Values of other kinds than those that were asked for.
    WrongKinds,
    /// The right answer without counts of tokens.
    NoUsage,
    /// 404: there is no such model.
    UnknownModel,
    /// A refusal in place of an answer.
    Refusal,
    /// A part of the answer, which a filter stopped.
    ContentFilter,
    /// An answer without text.
    EmptyContent,
}

/// A fault that calls meet whatever is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForcedFault {
    /// What goes wrong.
    pub fault: Fault,
    /// How many calls of each group meet it, from the first one on.
    pub calls: u32,
}

impl ForcedFault {
    /// Every call meets the fault.
    #[must_use]
    pub const fn always(fault: Fault) -> Self {
        Self { fault, calls: u32::MAX }
    }

    /// The first call of each group meets the fault, and all later ones go well.
    #[must_use]
    pub const fn once(fault: Fault) -> Self {
        Self { fault, calls: 1 }
    }
}

impl Fault {
    /// Whether nothing is charged, as no answer arrives whole.
    #[must_use]
    pub const fn is_free(self) -> bool {
        matches!(
            self,
            Self::RateLimited
                | Self::RateLimitedFor
                | Self::Unavailable
                | Self::CutConnection
                | Self::Hang
                | Self::UnknownModel
        )
    }
}

impl FaultRates {
    /// The fault of a group's attempt, from 0; `None` when all goes well.
    pub(super) fn draw(&self, seed: u64, group: usize, attempt: u32) -> Option<Fault> {
        let drawn = split_mix(split_mix(seed ^ split_mix(group as u64)) ^ u64::from(attempt));
        let mut place = u32::try_from(drawn % 1_000).unwrap_or_default();
        let kind = drawn >> 32;
        let kinds: [(u32, &[Fault]); 5] = [
            (self.rate_limited, &[Fault::RateLimited, Fault::RateLimitedFor]),
            (self.unavailable, &[Fault::Unavailable]),
            (self.malformed, &[Fault::Prose, Fault::NearlyJson]),
            (self.cut, &[Fault::CutAtLimit, Fault::CutSilently, Fault::CutConnection]),
            (self.hang, &[Fault::Hang]),
        ];
        for (share, faults) in kinds {
            if place < share {
                let index = usize::try_from(kind % faults.len() as u64).unwrap_or_default();
                return faults.get(index).copied();
            }
            place -= share;
        }
        None
    }
}

/// One step of SplitMix64 (G. Steele, D. Lea, C. Flood, Fast Splittable Pseudorandom Number Generators, 2014).
#[must_use]
pub fn split_mix(seed: u64) -> u64 {
    let mut mixed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_come_in_about_their_shares_and_every_kind_of_them() {
        let faults = FaultRates { rate_limited: 100, unavailable: 50, malformed: 30, cut: 20, hang: 10 };
        let drawn: Vec<Option<Fault>> = (0..20_000).map(|group| faults.draw(7, group, 0)).collect();
        let share = |kinds: &[Fault]| {
            drawn.iter().flatten().filter(|fault| kinds.contains(fault)).count() * 1_000 / drawn.len()
        };
        assert!((90..110).contains(&share(&[Fault::RateLimited, Fault::RateLimitedFor])));
        assert!((45..55).contains(&share(&[Fault::Unavailable])));
        assert!((25..35).contains(&share(&[Fault::Prose, Fault::NearlyJson])));
        assert!((15..25).contains(&share(&[Fault::CutAtLimit, Fault::CutSilently, Fault::CutConnection])));
        assert!((7..13).contains(&share(&[Fault::Hang])));
        for kind in [Fault::RateLimitedFor, Fault::NearlyJson, Fault::CutSilently, Fault::CutConnection] {
            assert!(drawn.contains(&Some(kind)), "{kind:?}");
        }
    }

    #[test]
    fn a_seed_says_the_same_each_time_and_each_attempt_is_drawn_anew() {
        let faults = FaultRates { unavailable: 500, ..FaultRates::default() };
        let of =
            |seed, attempt| -> Vec<_> { (0..64).map(|group| faults.draw(seed, group, attempt)).collect() };
        assert_eq!(of(1, 0), of(1, 0));
        assert_ne!(of(1, 0), of(1, 1));
        assert_ne!(of(1, 0), of(2, 0));
        assert!((0..64).all(|group| FaultRates::default().draw(1, group, 0).is_none()));
    }
}
