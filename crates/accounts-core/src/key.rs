//! API keys as text: generation, parsing and hashing.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use shared_core::{Rng, hex};
use subtle::ConstantTimeEq as _;

/// The prefix of every key.
const MARK: &str = "fw_";
/// Characters after `MARK`: 32 random bytes in URL-safe Base64.
const BODY: usize = 43;
/// Characters of a key that are stored in plain text, for the lookup.
const PREFIX: usize = 11;

/// Generates a key: 256 random bits.
pub(crate) fn generate(ids: &dyn Rng) -> String {
    let mut random = [0_u8; 32];
    ids.fill(&mut random);
    format!("{MARK}{}", URL_SAFE_NO_PAD.encode(random))
}

/// The part of a key by which it is looked up; `None` when the text is not shaped like a key.
pub(crate) fn prefix(text: &str) -> Option<&str> {
    let body = text.strip_prefix(MARK)?;
    let shaped =
        body.len() == BODY && body.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    if shaped { text.get(..PREFIX) } else { None }
}

/// SHA-256 of the whole text, lower-case hex. Keys are random, so a plain hash is enough.
pub(crate) fn hash(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

/// Compares hashes in constant time.
pub(crate) fn matches(text: &str, stored_hash: &str) -> bool {
    hash(text).as_bytes().ct_eq(stored_hash.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared_core::SeededRng;

    #[test]
    fn a_generated_key_has_its_shape_and_matches_only_its_own_hash() {
        let ids = SeededRng::new(7);
        let (one, two) = (generate(&ids), generate(&ids));
        assert_eq!(one.len(), 46);
        assert_eq!(prefix(&one), Some(&one[..11]));
        assert!(matches(&one, &hash(&one)));
        assert!(!matches(&two, &hash(&one)));
    }

    #[test]
    fn text_of_another_shape_has_no_prefix() {
        let body = |first: &str, length: usize| format!("fw_{first}{}", "x".repeat(length - first.len()));
        for good in [body("-", BODY), body("_", BODY)] {
            assert_eq!(prefix(&good), Some(&good[..11]));
        }
        let long = [body("a", BODY - 1), body("a", BODY + 1), body(" ", BODY), body("\u{e4}", BODY)];
        for bad in ["", "fw_", "fw_short", "sk-abcdefgh"].into_iter().chain(long.iter().map(String::as_str)) {
            assert_eq!(prefix(bad), None, "{bad}");
        }
    }
}
