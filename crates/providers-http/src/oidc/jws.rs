//! Signed tokens in compact form (RFC 7515), and the algorithms that are accepted.

use accounts_core::oidc::IdTokenError;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;
use serde::de::IgnoredAny;

/// An algorithm with a public key (RFC 7518, RFC 8037). `none` and those with a shared secret are not here, so that no token
/// can choose them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Algorithm {
    Rs256,
    Rs384,
    Rs512,
    Ps256,
    Ps384,
    Ps512,
    Es256,
    Es384,
    EdDsa,
}

impl Algorithm {
    /// The algorithm with this name.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "RS256" => Self::Rs256,
            "RS384" => Self::Rs384,
            "RS512" => Self::Rs512,
            "PS256" => Self::Ps256,
            "PS384" => Self::Ps384,
            "PS512" => Self::Ps512,
            "ES256" => Self::Es256,
            "ES384" => Self::Es384,
            "EdDSA" | "Ed25519" => Self::EdDsa,
            _ => return None,
        })
    }
}

#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    /// Extensions that must be understood. None is.
    crit: Option<IgnoredAny>,
}

/// A token whose signature is not yet checked.
#[derive(Debug)]
pub(super) struct CompactJws<'a> {
    pub(super) algorithm: Algorithm,
    pub(super) key_id: Option<String>,
    /// The text that is signed.
    pub(super) signed: &'a str,
    pub(super) signature: Vec<u8>,
    payload: &'a str,
}

impl<'a> CompactJws<'a> {
    pub(super) fn parse(token: &'a str) -> Result<Self, IdTokenError> {
        let (signed, signature) = token.rsplit_once('.').ok_or(IdTokenError::Malformed)?;
        let (header, payload) = signed.split_once('.').ok_or(IdTokenError::Malformed)?;
        let header: Header = serde_json::from_slice(&decode(header)?).ok().ok_or(IdTokenError::Malformed)?;
        let algorithm = Algorithm::from_name(&header.alg).ok_or(IdTokenError::Algorithm)?;
        if header.crit.is_some() {
            return Err(IdTokenError::Malformed);
        }
        Ok(Self { algorithm, key_id: header.kid, signed, signature: decode(signature)?, payload })
    }

    /// The payload, which is not to be trusted before the signature is checked.
    pub(super) fn payload(&self) -> Result<Vec<u8>, IdTokenError> {
        decode(self.payload)
    }
}

/// Decodes a part. A fourth or fifth part, as of encrypted tokens, has a point and fails here.
fn decode(part: &str) -> Result<Vec<u8>, IdTokenError> {
    URL_SAFE_NO_PAD.decode(part).ok().ok_or(IdTokenError::Malformed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(header: &str, rest: &str) -> String {
        format!("{}.{rest}", URL_SAFE_NO_PAD.encode(header))
    }

    fn error(header: &str) -> Option<IdTokenError> {
        CompactJws::parse(&token(header, "e30.AAAA")).err()
    }

    #[test]
    fn a_token_is_read_in_its_parts() {
        let token = token(r#"{"alg":"RS256","kid":"k","typ":"JWT"}"#, "e30.AAAA");
        let jws = CompactJws::parse(&token).unwrap();
        assert_eq!((jws.algorithm, jws.key_id.as_deref()), (Algorithm::Rs256, Some("k")));
        assert_eq!((jws.payload().unwrap(), jws.signature.len()), (b"{}".to_vec(), 3));
        assert_eq!(jws.signed, token.strip_suffix(".AAAA").unwrap());
    }

    #[test]
    fn algorithms_without_a_public_key_are_refused() {
        for name in ["none", "None", "NONE", "", "HS256", "HS384", "HS512", "rs256", "ES512", "RSA-OAEP"] {
            assert_eq!(error(&format!(r#"{{"alg":"{name}"}}"#)), Some(IdTokenError::Algorithm), "{name}");
        }
    }

    #[test]
    fn text_of_another_shape_is_refused() {
        for header in [
            "",
            "{}",
            "[]",
            r#"{"alg":1}"#,
            r#"{"alg":"RS256","alg":"none"}"#,
            r#"{"alg":"RS256","crit":["b64"],"b64":false}"#,
            r#"{"alg":"RS256","kid":1}"#,
        ] {
            assert_eq!(error(header), Some(IdTokenError::Malformed), "{header}");
        }
        let good = URL_SAFE_NO_PAD.encode(r#"{"alg":"RS256"}"#);
        for text in
            ["", ".", "..", "a.b", &good, &format!("{good}.e30"), &format!("{good}.e30.AA=="), "\u{e4}.b.c"]
        {
            assert_eq!(CompactJws::parse(text).err(), Some(IdTokenError::Malformed), "{text}");
        }
        let encrypted = format!("{good}.e30.AAAA.AAAA.AAAA");
        let payload = CompactJws::parse(&encrypted).and_then(|jws| jws.payload());
        assert_eq!(payload.err(), Some(IdTokenError::Malformed));
    }
}
