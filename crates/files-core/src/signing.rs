//! URLs that expire: an expiry in the query, and a signature over it and the token (HMAC-SHA256, RFC 2104).

use std::fmt;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use shared_core::{Timestamp, hex};

use crate::FilesError;

/// The secrets and the lifetime of signed URLs.
#[derive(Clone, PartialEq, Eq)]
pub struct UrlSigning {
    seconds: u32,
    /// The first one signs. The others verify, so that older URLs hold until they expire.
    secrets: Vec<Vec<u8>>,
}

impl fmt::Debug for UrlSigning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UrlSigning").field("seconds", &self.seconds).finish_non_exhaustive()
    }
}

impl UrlSigning {
    /// Signing with a lifetime of `seconds`. The first secret signs. The others are earlier ones, whose URLs
    /// are accepted until they expire. `None` without a secret.
    #[must_use]
    pub fn new(seconds: u32, secrets: Vec<Vec<u8>>) -> Option<Self> {
        (!secrets.is_empty()).then_some(Self { seconds, secrets })
    }

    /// The query of a URL of the token, valid from `now` on: `?expires=` in seconds since 1970 `&signature=`
    /// in hex.
    #[must_use]
    pub fn query(&self, token: &str, now: Timestamp) -> String {
        let expires = seconds(now).saturating_add(self.seconds.into()).to_string();
        let mac = self.secrets.first().and_then(|secret| compute_mac(secret, token, &expires));
        let signature = mac.map(|mac| hex(&mac.finalize().into_bytes())).unwrap_or_default();
        format!("?expires={expires}&signature={signature}")
    }

    /// Checks whether a URL of the token is valid now.
    ///
    /// # Errors
    /// [`FilesError::UrlUnsigned`], and [`FilesError::UrlExpired`] when the signature is right but too old.
    pub fn check(&self, token: &str, query: &UrlQuery, now: Timestamp) -> Result<(), FilesError> {
        let (Some(expires), Some(signature)) = (&query.expires, &query.signature) else {
            return Err(FilesError::UrlUnsigned);
        };
        let given = from_hex(signature).ok_or(FilesError::UrlUnsigned)?;
        // The comparison takes constant time.
        let holds = |secret: &Vec<u8>| {
            compute_mac(secret, token, expires).is_some_and(|mac| mac.verify_slice(&given).is_ok())
        };
        if !self.secrets.iter().any(holds) {
            return Err(FilesError::UrlUnsigned);
        }
        match expires.parse::<i64>() {
            Ok(end) if end > seconds(now) => Ok(()),
            _ => Err(FilesError::UrlExpired),
        }
    }
}

/// The expiry and signature in the query of a URL.
#[derive(Clone, Debug, Default)]
pub struct UrlQuery {
    /// Seconds since 1970.
    pub expires: Option<String>,
    /// In hex.
    pub signature: Option<String>,
}

/// HMAC accepts a key of any length.
fn compute_mac(secret: &[u8], token: &str, expires: &str) -> Option<Hmac<Sha256>> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).ok()?;
    // No token contains a line feed, so the parts are unambiguous.
    for part in [token, "\n", expires] {
        mac.update(part.as_bytes());
    }
    Some(mac)
}

fn seconds(time: Timestamp) -> i64 {
    time.micros().div_euclid(1_000_000)
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let pairs = text.as_bytes().chunks(2);
    pairs.map(|pair| Some(digit(*pair.first()?)? << 4 | digit(*pair.get(1)?)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000).unwrap()
    }

    fn signing(secrets: &[&str]) -> UrlSigning {
        UrlSigning::new(60, secrets.iter().map(|secret| secret.as_bytes().to_vec()).collect()).unwrap()
    }

    fn parsed(query: &str) -> UrlQuery {
        let mut parsed = UrlQuery::default();
        for (name, value) in query.trim_start_matches('?').split('&').filter_map(|pair| pair.split_once('='))
        {
            match name {
                "expires" => parsed.expires = Some(value.to_owned()),
                _ => parsed.signature = Some(value.to_owned()),
            }
        }
        parsed
    }

    #[test]
    fn a_url_holds_until_it_expires_and_for_its_own_token_alone() {
        let signing = signing(&["first"]);
        let query = parsed(&signing.query("token", at(1_000)));
        assert_eq!(query.expires.as_deref(), Some("1060"));
        assert!(signing.check("token", &query, at(1_059)).is_ok());
        assert!(matches!(signing.check("token", &query, at(1_060)), Err(FilesError::UrlExpired)));
        assert!(matches!(signing.check("other", &query, at(1_000)), Err(FilesError::UrlUnsigned)));
        let longer = UrlQuery { expires: Some("9999".into()), ..query.clone() };
        assert!(matches!(signing.check("token", &longer, at(1_000)), Err(FilesError::UrlUnsigned)));
        for odd in ["", "0", "zz", "é", "00"] {
            let odd = UrlQuery { signature: Some(odd.into()), ..query.clone() };
            assert!(matches!(signing.check("token", &odd, at(1_000)), Err(FilesError::UrlUnsigned)));
        }
        assert!(matches!(signing.check("token", &UrlQuery::default(), at(1)), Err(FilesError::UrlUnsigned)));
    }

    #[test]
    fn what_an_older_secret_signed_holds_while_that_is_kept_and_not_when_it_is_gone() {
        let query = parsed(&signing(&["old"]).query("token", at(1_000)));
        assert!(signing(&["new", "old"]).check("token", &query, at(1_001)).is_ok());
        assert!(matches!(signing(&["new"]).check("token", &query, at(1_001)), Err(FilesError::UrlUnsigned)));
        let newer = parsed(&signing(&["new", "old"]).query("token", at(1_000)));
        assert!(signing(&["new"]).check("token", &newer, at(1_001)).is_ok());
        assert!(UrlSigning::new(60, Vec::new()).is_none());
    }
}
