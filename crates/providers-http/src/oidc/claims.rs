//! The claims of an ID token and of the user info, as JSON.

use accounts_core::oidc::{IdTokenClaims, IdTokenError};
use serde::Deserialize;
use serde_json::{Map, Value};

/// Claims by name. Of a repeated name the last one counts; only the provider can have signed it.
pub(super) type Claims = Map<String, Value>;

/// Reads the payload of an ID token. `address` is the claim with the e-mail address.
pub(super) fn read_token(claims: &Claims, address: &str) -> Result<IdTokenClaims, IdTokenError> {
    let audience = match claims.get("aud") {
        Some(Value::String(client)) => vec![client.clone()],
        Some(Value::Array(clients)) => {
            clients.iter().filter_map(|client| client.as_str().map(str::to_owned)).collect()
        }
        _ => Vec::new(),
    };
    let not_before = match claims.get("nbf") {
        None => None,
        Some(time) => Some(seconds(time).ok_or(IdTokenError::Malformed)?),
    };
    Ok(IdTokenClaims {
        issuer: text(claims, "iss").ok_or(IdTokenError::Malformed)?,
        audience,
        authorized_party: text(claims, "azp"),
        expires: claims.get("exp").and_then(seconds).ok_or(IdTokenError::Malformed)?,
        not_before,
        nonce: text(claims, "nonce"),
        address: text(claims, address),
        address_verified: is_verified(claims),
        name: text(claims, "name"),
    })
}

/// Adds what the user info says, if it is about the subject of the token.
pub(super) fn add_user_info(token: &mut IdTokenClaims, subject: Option<&str>, info: &Claims, address: &str) {
    if subject.is_none() || subject != info.get("sub").and_then(Value::as_str) {
        return;
    }
    token.address = text(info, address);
    token.address_verified = is_verified(info);
    token.name = token.name.take().or_else(|| text(info, "name"));
}

fn text(claims: &Claims, name: &str) -> Option<String> {
    claims.get(name)?.as_str().map(str::to_owned)
}

/// Some providers write the flag as a text.
fn is_verified(claims: &Claims) -> bool {
    match claims.get("email_verified") {
        Some(Value::Bool(verified)) => *verified,
        Some(Value::String(verified)) => verified == "true",
        _ => false,
    }
}

/// A time in whole seconds. RFC 7519 permits fractions.
fn seconds(time: &Value) -> Option<i64> {
    time.as_i64().or_else(|| f64::deserialize(time).ok().map(|seconds| seconds.floor() as i64))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn claims(value: Value) -> Claims {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn claims_of_the_usual_shapes_are_read() {
        let one = claims(json!({
            "iss": "i", "aud": "c", "exp": 10.9, "nonce": "n", "email": "a@example.com", "email_verified": true
        }));
        let token = read_token(&one, "email").unwrap();
        assert_eq!((token.issuer.as_str(), token.audience.as_slice()), ("i", &["c".to_owned()][..]));
        assert_eq!((token.expires, token.nonce.as_deref()), (10, Some("n")));
        assert_eq!((token.address.as_deref(), token.address_verified), (Some("a@example.com"), true));
        let several = claims(json!({
            "iss": "i", "aud": ["c", 1, "d"], "azp": "c", "exp": 10, "nbf": 5, "upn": "b", "email_verified": "true"
        }));
        let token = read_token(&several, "upn").unwrap();
        assert_eq!((token.audience.len(), token.authorized_party.as_deref()), (2, Some("c")));
        assert_eq!((token.not_before, token.address.as_deref()), (Some(5), Some("b")));
        assert!(token.address_verified);
    }

    #[test]
    fn claims_of_other_types_are_absent_or_refused() {
        for bad in [
            json!({"exp": 10}),
            json!({"iss": "i"}),
            json!({"iss": "i", "exp": "10"}),
            json!({"iss": ["i"], "exp": 10}),
            json!({"iss": "i", "exp": 10, "nbf": "soon"}),
            json!({"iss": "i", "exp": 10, "nbf": null}),
        ] {
            assert_eq!(read_token(&claims(bad.clone()), "email"), Err(IdTokenError::Malformed), "{bad}");
        }
        let odd =
            json!({"iss": "i", "exp": 10, "aud": {"c": 1}, "nonce": 1, "email": ["a"], "email_verified": 1});
        let token = read_token(&claims(odd), "email").unwrap();
        assert_eq!((token.audience.len(), token.nonce, token.address), (0, None, None));
        assert!(!token.address_verified);
    }

    #[test]
    fn user_info_of_another_subject_adds_nothing() {
        let info =
            claims(json!({"sub": "s", "email": "a@example.com", "email_verified": true, "name": "Ada"}));
        let added = |subject: Option<&str>, info: &Claims| {
            let mut token = IdTokenClaims::default();
            add_user_info(&mut token, subject, info, "email");
            (token.address, token.address_verified, token.name)
        };
        let whole = (Some("a@example.com".to_owned()), true, Some("Ada".to_owned()));
        assert_eq!(added(Some("s"), &info), whole);
        let nothing = (None, false, None);
        assert_eq!(added(Some("t"), &info), nothing);
        assert_eq!(added(None, &info), nothing);
        assert_eq!(added(None, &claims(json!({"email": "a@example.com"}))), nothing);
    }
}
