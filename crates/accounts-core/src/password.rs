//! Passwords: their rule and their hash, Argon2id with the parameters of the crate's default: 19 MiB, two passes, one
//! lane, the first that OWASP's password storage cheat sheet names.

use argon2::Argon2;
use argon2::password_hash::{PasswordHash, PasswordHasher as _, PasswordVerifier as _, SaltString};
use secrecy::{ExposeSecret as _, SecretString};
use shared_core::{Rng, Violation};

/// Bytes of a salt, as RFC 9106 recommends.
pub(crate) const SALT: usize = 16;
/// Characters of a password. NIST SP 800-63B asks for at least 8, with 15 for a password alone; this is between them.
const LENGTH: std::ops::RangeInclusive<usize> = 12..=200;

/// Checks the length of a new password.
pub(crate) fn check(password: &SecretString) -> Result<(), Violation> {
    if LENGTH.contains(&password.expose_secret().chars().count()) {
        return Ok(());
    }
    let (least, most) = (LENGTH.start(), LENGTH.end());
    Err(Violation::new("/password", format!("'password' must have {least} to {most} characters")))
}

/// Random bytes for one hash.
pub(crate) fn salt(ids: &dyn Rng) -> [u8; SALT] {
    let mut salt = [0; SALT];
    ids.fill(&mut salt);
    salt
}

/// The hash in PHC string format; `None` when memory for it is missing.
pub(crate) fn hash(password: &SecretString, salt: &[u8; SALT]) -> Option<String> {
    let salt = SaltString::encode_b64(salt).ok()?;
    let hash = Argon2::default().hash_password(password.expose_secret().as_bytes(), &salt).ok()?;
    Some(hash.to_string())
}

/// Whether the hash is that of the password.
pub(crate) fn matches(password: &str, hash: &str) -> bool {
    let Ok(parsed) = PasswordHash::new(hash) else { return false };
    Argon2::default().verify_password(password.as_bytes(), &parsed).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(text: &str) -> SecretString {
        SecretString::from(text.to_owned())
    }

    #[test]
    fn a_password_matches_its_own_hash_only() {
        let stored = hash(&secret("correct horse battery"), &[7; SALT]).unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        assert!(matches("correct horse battery", &stored));
        assert!(!matches("correct horse batterz", &stored));
        assert!(!matches("", &stored) && !matches("correct horse battery", "not a hash"));
        assert_ne!(stored, hash(&secret("correct horse battery"), &[8; SALT]).unwrap());
    }

    #[test]
    fn a_password_has_12_to_200_characters() {
        let is_accepted = |length: usize| check(&secret(&"\u{e4}".repeat(length))).is_ok();
        assert!(is_accepted(12) && is_accepted(200) && !is_accepted(11) && !is_accepted(201));
    }
}
