//! Identifiers and revisions. Randomness is a port.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use crate::Timestamp;

/// The largest integer that is an identifier (2⁵³ − 1): every JSON parser represents it exactly (RFC 8259,
/// section 6).
pub const MAX_ID: i64 = (1 << 53) - 1;

/// A source of unpredictable bytes.
pub trait Rng: fmt::Debug + Send + Sync + 'static {
    /// Fills `buffer` with unpredictable bytes.
    fn fill(&self, buffer: &mut [u8]);
}

/// A deterministic source for tests and examples: **not** secret.
#[derive(Debug, Default)]
pub struct SeededRng(AtomicU64);

impl SeededRng {
    /// Starts the sequence at `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(AtomicU64::new(seed))
    }
}

impl Rng for SeededRng {
    fn fill(&self, buffer: &mut [u8]) {
        for chunk in buffer.chunks_mut(8) {
            // SplitMix64 (Steele, Lea, Flood 2014).
            let mut z = self.0.fetch_add(0x9E37_79B9_7F4A_7C15, Ordering::Relaxed);
            z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            z ^= z >> 31;
            chunk.copy_from_slice(&z.to_le_bytes()[..chunk.len()]);
        }
    }
}

/// Lower-case hexadecimal.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] =
        ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    let digit = |value: u8| DIGITS.get(usize::from(value)).copied().unwrap_or_default();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// An opaque identifier `<prefix>_<32 hex digits>` (UUID version 7: ordered by time, which keeps
/// database indexes dense).
#[must_use]
pub fn new_id(prefix: &str, now: Timestamp, ids: &dyn Rng) -> String {
    let mut random = [0_u8; 10];
    ids.fill(&mut random);
    let millis = u64::try_from(now.micros() / 1000).unwrap_or_default();
    let id = uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid();
    format!("{prefix}_{}", id.simple())
}

/// A token that grants access to its bearer: 192 random bits in URL-safe Base64 (32 characters).
#[must_use]
pub fn capability_token(ids: &dyn Rng) -> String {
    let mut random = [0_u8; 24];
    ids.fill(&mut random);
    URL_SAFE_NO_PAD.encode(random)
}

/// Counts the changes of a stored record. An update names the revision that it is based on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Revision(pub i64);

impl Revision {
    /// The revision of a new record.
    pub const FIRST: Self = Self(1);

    /// The revision after this one.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn capability_tokens_have_192_bits_that_differ() {
        let ids = SeededRng::new(7);
        let tokens: HashSet<String> = (0..1_000).map(|_| capability_token(&ids)).collect();
        assert_eq!(tokens.len(), 1_000);
        for token in &tokens {
            assert_eq!(token.len(), 32, "{token}");
            assert!(token.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_'), "{token}");
        }
    }

    #[test]
    fn ids_have_their_prefix_and_are_ordered_by_time() {
        let ids = SeededRng::new(7);
        let at = |seconds: i64| Timestamp::from_micros(seconds * 1_000_000).unwrap();
        let (first, second) = (new_id("note", at(1), &ids), new_id("note", at(2), &ids));
        assert!(first < second, "{first} {second}");
        assert_ne!(new_id("note", at(1), &ids), first);
        assert_eq!((first.len(), &first[..5]), (37, "note_"));
    }

    #[test]
    fn an_id_begins_with_the_milliseconds_of_its_time() {
        let now = Timestamp::from_micros(0x0123_4567_89ab * 1_000 + 999).unwrap();
        assert_eq!(&new_id("note", now, &SeededRng::new(7))[..17], "note_0123456789ab");
    }

    #[test]
    fn the_largest_id_is_the_largest_integer_that_every_json_parser_represents() {
        assert_eq!(MAX_ID, 9_007_199_254_740_991);
    }

    #[test]
    fn seeds_give_the_sequence_that_is_published_for_split_mix() {
        // Rosetta Code, "Pseudo-random numbers/Splitmix64", seed 1234567. Its state advances before an output, ours after it.
        let ids = SeededRng::new(1_234_567_u64.wrapping_add(0x9E37_79B9_7F4A_7C15));
        let mut bytes = [0; 20];
        ids.fill(&mut bytes);
        assert_eq!(bytes[..8], 6_457_827_717_110_365_317_u64.to_le_bytes());
        assert_eq!(bytes[8..16], 3_203_168_211_198_807_973_u64.to_le_bytes());
        assert_eq!(bytes[16..], 9_817_491_932_198_370_423_u64.to_le_bytes()[..4]);
    }

    #[test]
    fn hexadecimal_has_two_lower_case_digits_a_byte() {
        assert_eq!(hex(&[0x00, 0x0f, 0xa5, 0xff]), "000fa5ff");
        assert_eq!(hex(&[]), "");
    }

    #[test]
    fn revisions_count() {
        assert_eq!(Revision::FIRST.next(), Revision(2));
    }
}
