//! What an ID token must say (OpenID Connect Core 1.0, section 3.1.3.7).

use shared_core::Timestamp;
use subtle::ConstantTimeEq as _;

use super::{IdTokenClaims, IdTokenError};

/// Seconds by which the clocks of two servers may differ, as most libraries permit.
const CLOCK_SKEW: i64 = 60;

/// What the claims are compared with.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExpectedClaims<'a> {
    pub(super) issuer: &'a str,
    pub(super) client_id: &'a str,
    pub(super) nonce: &'a str,
    pub(super) now: Timestamp,
}

/// Checks issuer, audience, times and nonce.
pub(super) fn check(claims: &IdTokenClaims, expected: ExpectedClaims<'_>) -> Result<(), IdTokenError> {
    if claims.issuer != expected.issuer {
        return Err(IdTokenError::Issuer);
    }
    let is_named = claims.audience.iter().any(|client| client == expected.client_id);
    let is_party = match &claims.authorized_party {
        Some(party) => party == expected.client_id,
        // A token for several clients says which of them asked for it.
        None => claims.audience.len() == 1,
    };
    if !is_named || !is_party {
        return Err(IdTokenError::Audience);
    }
    let now = expected.now.micros().div_euclid(1_000_000);
    if claims.expires.saturating_add(CLOCK_SKEW) <= now {
        return Err(IdTokenError::Expired);
    }
    if claims.not_before.is_some_and(|start| start.saturating_sub(CLOCK_SKEW) > now) {
        return Err(IdTokenError::NotYetValid);
    }
    let nonce = claims.nonce.as_deref().unwrap_or_default();
    match bool::from(nonce.as_bytes().ct_eq(expected.nonce.as_bytes())) {
        true => Ok(()),
        false => Err(IdTokenError::Nonce),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claims() -> IdTokenClaims {
        IdTokenClaims {
            issuer: "https://id.example.com".to_owned(),
            audience: vec!["formwork".to_owned()],
            expires: 1_300,
            nonce: Some("n".to_owned()),
            ..IdTokenClaims::default()
        }
    }

    fn checked(claims: &IdTokenClaims) -> Result<(), IdTokenError> {
        let now = Timestamp::from_micros(1_000_000_000).unwrap();
        let expected =
            ExpectedClaims { issuer: "https://id.example.com", client_id: "formwork", nonce: "n", now };
        check(claims, expected)
    }

    #[test]
    fn a_token_for_this_sign_in_is_trusted_and_any_other_is_not() {
        let list = |clients: &[&str]| clients.iter().map(|&client| client.to_owned()).collect::<Vec<_>>();
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(checked(&claims()), Ok(()));
        for (other, error) in [
            (IdTokenClaims { issuer: "https://id.example.com/".into(), ..claims() }, IdTokenError::Issuer),
            (IdTokenClaims { issuer: String::new(), ..claims() }, IdTokenError::Issuer),
            (IdTokenClaims { audience: list(&["other"]), ..claims() }, IdTokenError::Audience),
            (IdTokenClaims { audience: list(&[]), ..claims() }, IdTokenError::Audience),
            (IdTokenClaims { audience: list(&["formwork", "other"]), ..claims() }, IdTokenError::Audience),
            (IdTokenClaims { authorized_party: text("other"), ..claims() }, IdTokenError::Audience),
            (IdTokenClaims { nonce: text("m"), ..claims() }, IdTokenError::Nonce),
            (IdTokenClaims { nonce: None, ..claims() }, IdTokenError::Nonce),
            (IdTokenClaims { expires: i64::MIN, ..claims() }, IdTokenError::Expired),
            (IdTokenClaims { not_before: Some(i64::MAX), ..claims() }, IdTokenError::NotYetValid),
        ] {
            assert_eq!(checked(&other), Err(error), "{other:?}");
        }
        let several = IdTokenClaims {
            audience: list(&["other", "formwork"]),
            authorized_party: text("formwork"),
            ..claims()
        };
        assert_eq!(checked(&several), Ok(()));
    }

    #[test]
    fn clocks_may_differ_by_a_minute() {
        let until = |expires| checked(&IdTokenClaims { expires, ..claims() });
        assert_eq!((until(941), until(940)), (Ok(()), Err(IdTokenError::Expired)));
        let from = |start| checked(&IdTokenClaims { not_before: Some(start), ..claims() });
        assert_eq!((from(1_060), from(1_061)), (Ok(()), Err(IdTokenError::NotYetValid)));
    }
}
