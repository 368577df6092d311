//! Signatures as in the Standard Webhooks specification: HMAC-SHA256 over id, time and body.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use secrecy::{ExposeSecret as _, SecretString};
use sha2::Sha256;
use shared_core::{Rng, Timestamp};

/// The header of the message's id.
pub const ID_HEADER: &str = "webhook-id";
/// The header of the time of the attempt, in seconds since 1970.
pub const TIMESTAMP_HEADER: &str = "webhook-timestamp";
/// The header of the signature.
pub const SIGNATURE_HEADER: &str = "webhook-signature";

/// The prefix of a secret's text.
const PREFIX: &str = "whsec_";
/// Random bytes of a secret; the specification demands 24 to 64.
const BYTES: usize = 32;

/// The secret that a webhook shares with its receiver.
#[derive(Clone, Debug)]
pub struct SigningSecret(SecretString);

impl SigningSecret {
    /// Generates a secret.
    #[must_use]
    pub fn random(ids: &dyn Rng) -> Self {
        let mut bytes = [0_u8; BYTES];
        ids.fill(&mut bytes);
        Self(SecretString::from(format!("{PREFIX}{}", STANDARD.encode(bytes))))
    }

    /// Parses a secret; `None` when the text is not `whsec_` and the Base64 of 24 to 64 bytes.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = STANDARD.decode(text.strip_prefix(PREFIX)?).ok()?;
        (24..=64).contains(&bytes.len()).then(|| Self(SecretString::from(text)))
    }

    /// The text of the secret: for storage, and for the response to its creation.
    #[must_use]
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    /// The value of the header [`SIGNATURE_HEADER`].
    #[must_use]
    pub fn sign(&self, id: &str, at: Timestamp, body: &str) -> String {
        let key = self.expose().strip_prefix(PREFIX).and_then(|text| STANDARD.decode(text).ok());
        // HMAC accepts a key of any length.
        let mac = Hmac::<Sha256>::new_from_slice(&key.unwrap_or_default());
        let Ok(mut mac) = mac else { return String::new() };
        for part in [id, ".", &seconds(at).to_string(), ".", body] {
            mac.update(part.as_bytes());
        }
        format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
    }
}

/// Seconds since 1970.
pub(crate) fn seconds(at: Timestamp) -> i64 {
    at.micros().div_euclid(1_000_000)
}

#[cfg(test)]
mod tests {
    use shared_core::SeededRng;

    use super::*;

    /// Values of `openssl dgst -sha256 -mac HMAC` over the same key and text.
    #[test]
    fn a_signature_is_what_openssl_makes_of_id_time_and_body() {
        let secret = SigningSecret::parse("whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=").unwrap();
        let at = Timestamp::from_micros(1_700_000_000_999_999).unwrap();
        assert_eq!(secret.sign("msg_1_2", at, "{\"type\":\"webhook.test\"}"), EXPECTED);
    }

    const EXPECTED: &str = "v1,VHYU7zAXcWJsEsjffHSu9UgOgNUblBrz4mSsdExWVAM=";

    #[test]
    fn secrets_are_random_and_read_back_and_are_not_shown_by_accident() {
        let ids = SeededRng::new(1);
        let (one, other) = (SigningSecret::random(&ids), SigningSecret::random(&ids));
        assert_ne!(one.expose(), other.expose());
        assert_eq!(SigningSecret::parse(one.expose()).unwrap().expose(), one.expose());
        assert!(!format!("{one:?}").contains(&one.expose()[6..]));
        for bad in ["", "whsec_", "whsec_AAAA", "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", "whsec_%"] {
            assert!(SigningSecret::parse(bad).is_none(), "{bad}");
        }
    }
}
