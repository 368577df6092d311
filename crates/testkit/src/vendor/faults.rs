//! Fault injection: faults are drawn from a seed per group and attempt, so the same seed gives the same
//! faults whatever the order of the calls.

/// Fault rates per thousand attempts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultRates {
    /// 429, half of them with `Retry-After`.
    pub rate_limited: u32,
    /// 503.
    pub unavailable: u32,
    /// An answer that is not JSON although JSON was requested.
    pub malformed: u32,
    /// Truncated JSON: at the token limit, without a reason, or by a lost connection.
    pub cut: u32,
    /// No response at all.
    pub hang: u32,
}

/// The fault of one attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    /// 429 without `Retry-After`.
    RateLimited,
    /// 429 with `Retry-After`.
    RateLimitedFor,
    /// 503.
    Unavailable,
    /// Prose instead of JSON.
    Prose,
    /// JSON with a syntax error.
    NearlyJson,
    /// JSON truncated at the token limit.
    CutAtLimit,
    /// JSON truncated, with the finish reason `stop`.
    CutSilently,
    /// A body shorter than its `Content-Length`.
    CutConnection,
    /// No response.
    Hang,
    /// The correct answer, but only after [`super::Vendor::release`].
    Late,
    /// JSON truncated inside its first value, with the finish reason `stop`.
    CutFirstValue,
    /// JSON truncated inside its first value, at the token limit.
    CutFirstValueAtLimit,
    /// The prompt instead of an answer; for embeddings, the first vector for every text.
    Echo,
    /// Each row of each list twice; for embeddings, each vector twice.
    RepeatedRows,
    /// `{}`.
    EmptyObject,
    /// Values of other types than requested.
    WrongKinds,
    /// The correct answer without token counts.
    NoUsage,
    /// 404: unknown model.
    UnknownModel,
    /// A refusal in place of an answer.
    Refusal,
    /// A partial answer, with the finish reason `content_filter`.
    ContentFilter,
    /// An answer without text.
    EmptyContent,
}

/// A fault that calls meet regardless of the drawn ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForcedFault {
    /// The fault.
    pub fault: Fault,
    /// Calls per group that meet it, counted from the first.
    pub calls: u32,
    /// The only group whose calls meet it; `None` for all.
    pub group: Option<usize>,
}

impl ForcedFault {
    /// Every call meets the fault.
    #[must_use]
    pub const fn always(fault: Fault) -> Self {
        Self { fault, calls: u32::MAX, group: None }
    }

    /// The first call of each group meets the fault; later ones succeed.
    #[must_use]
    pub const fn once(fault: Fault) -> Self {
        Self { fault, calls: 1, group: None }
    }

    /// Every call of one group meets the fault.
    #[must_use]
    pub const fn of_group(fault: Fault, group: usize) -> Self {
        Self { fault, calls: u32::MAX, group: Some(group) }
    }

    pub(super) fn applies(self, group: usize, attempt: u32) -> bool {
        attempt < self.calls && self.group.is_none_or(|only| only == group)
    }
}

impl Fault {
    /// Whether nothing is charged, because no complete answer arrives.
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
    /// The fault of a group's attempt (from 0); `None` for success.
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
