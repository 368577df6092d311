//! The provider's public keys (RFC 7517), and the check of a signature with them.

use accounts_core::oidc::IdTokenError;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256,
    RSA_PKCS1_2048_8192_SHA384, RSA_PKCS1_2048_8192_SHA512, RSA_PSS_2048_8192_SHA256,
    RSA_PSS_2048_8192_SHA384, RSA_PSS_2048_8192_SHA512, RsaParameters, RsaPublicKeyComponents,
    UnparsedPublicKey, VerificationAlgorithm,
};
use serde::Deserialize;
use serde_json::Value;

use super::jws::{Algorithm, CompactJws};

/// Keys of a set that are used. The known providers have two to four.
const MAX_KEYS: usize = 64;
/// Keys that are tried for a token that names none.
const MAX_TRIES: usize = 8;

#[derive(Deserialize)]
pub(super) struct KeySetAnswer {
    keys: Vec<Value>,
}

#[derive(Deserialize)]
struct KeyAnswer {
    kty: String,
    kid: Option<String>,
    #[serde(rename = "use")]
    purpose: Option<String>,
    alg: Option<String>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

/// The keys that check signatures.
#[derive(Debug, Default)]
pub(super) struct KeySet(Vec<VerificationKey>);

#[derive(Debug)]
struct VerificationKey {
    id: Option<String>,
    /// The only algorithm that it may be used with, if it names one.
    algorithm: Option<String>,
    material: KeyMaterial,
}

#[derive(Debug)]
enum KeyMaterial {
    Rsa {
        n: Vec<u8>,
        e: Vec<u8>,
    },
    /// An uncompressed point.
    P256(Vec<u8>),
    P384(Vec<u8>),
    Ed25519(Vec<u8>),
}

impl KeySet {
    /// Reads a set. Keys of other kinds and for other purposes are left out.
    pub(super) fn of(answer: KeySetAnswer) -> Self {
        let keys = answer.keys.into_iter().take(MAX_KEYS);
        Self(keys.filter_map(|key| VerificationKey::of(serde_json::from_value(key).ok()?)).collect())
    }

    /// Whether there is no key that can be used.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether there is a key with this id, or any if none is named.
    pub(super) fn has(&self, id: Option<&str>) -> bool {
        self.candidates(id).next().is_some()
    }

    fn candidates(&self, id: Option<&str>) -> impl Iterator<Item = &VerificationKey> {
        self.0.iter().filter(move |key| id.is_none_or(|id| key.id.as_deref() == Some(id)))
    }

    /// Checks the signature of a token.
    pub(super) fn check(&self, token: &CompactJws<'_>) -> Result<(), IdTokenError> {
        let id = token.key_id.as_deref();
        if !self.has(id) {
            return Err(IdTokenError::UnknownKey);
        }
        let mut fitting =
            self.candidates(id).filter(|key| key.fits(token.algorithm)).take(MAX_TRIES).peekable();
        if fitting.peek().is_none() {
            return Err(IdTokenError::Algorithm);
        }
        match fitting.any(|key| key.signed(token)) {
            true => Ok(()),
            false => Err(IdTokenError::Signature),
        }
    }
}

impl VerificationKey {
    fn of(key: KeyAnswer) -> Option<Self> {
        if key.purpose.as_deref().is_some_and(|purpose| purpose != "sig") {
            return None;
        }
        let number = |part: &Option<String>| URL_SAFE_NO_PAD.decode(part.as_deref()?).ok();
        let point = |size: usize| {
            let (x, y) = (number(&key.x)?, number(&key.y)?);
            (x.len() == size && y.len() == size).then(|| [vec![4], x, y].concat())
        };
        let material = match (key.kty.as_str(), key.crv.as_deref()) {
            ("RSA", _) => KeyMaterial::Rsa { n: without_zeros(number(&key.n)?), e: number(&key.e)? },
            ("EC", Some("P-256")) => KeyMaterial::P256(point(32)?),
            ("EC", Some("P-384")) => KeyMaterial::P384(point(48)?),
            ("OKP", Some("Ed25519")) => KeyMaterial::Ed25519(number(&key.x)?),
            _ => return None,
        };
        Some(Self { id: key.kid, algorithm: key.alg, material })
    }

    /// Whether the key is one for this algorithm.
    fn fits(&self, algorithm: Algorithm) -> bool {
        let is_named =
            self.algorithm.as_deref().is_none_or(|own| Algorithm::from_name(own) == Some(algorithm));
        is_named
            && match &self.material {
                KeyMaterial::Rsa { .. } => rsa(algorithm).is_some(),
                KeyMaterial::P256(_) => algorithm == Algorithm::Es256,
                KeyMaterial::P384(_) => algorithm == Algorithm::Es384,
                KeyMaterial::Ed25519(_) => algorithm == Algorithm::EdDsa,
            }
    }

    /// Whether the key has signed the token.
    fn signed(&self, token: &CompactJws<'_>) -> bool {
        let (message, signature) = (token.signed.as_bytes(), token.signature.as_slice());
        let check = |algorithm: &'static dyn VerificationAlgorithm, key: &[u8]| {
            UnparsedPublicKey::new(algorithm, key).verify(message, signature).is_ok()
        };
        match &self.material {
            KeyMaterial::Rsa { n, e } => rsa(token.algorithm).is_some_and(|parameters| {
                RsaPublicKeyComponents { n, e }.verify(parameters, message, signature).is_ok()
            }),
            KeyMaterial::P256(point) => check(&ECDSA_P256_SHA256_FIXED, point),
            KeyMaterial::P384(point) => check(&ECDSA_P384_SHA384_FIXED, point),
            KeyMaterial::Ed25519(key) => check(&ED25519, key),
        }
    }
}

/// A number without the zero bytes that some providers write before it, which ring refuses.
fn without_zeros(number: Vec<u8>) -> Vec<u8> {
    number.into_iter().skip_while(|byte| *byte == 0).collect()
}

/// The parameters of an algorithm with RSA; keys have 2,048 to 8,192 bits.
fn rsa(algorithm: Algorithm) -> Option<&'static RsaParameters> {
    match algorithm {
        Algorithm::Rs256 => Some(&RSA_PKCS1_2048_8192_SHA256),
        Algorithm::Rs384 => Some(&RSA_PKCS1_2048_8192_SHA384),
        Algorithm::Rs512 => Some(&RSA_PKCS1_2048_8192_SHA512),
        Algorithm::Ps256 => Some(&RSA_PSS_2048_8192_SHA256),
        Algorithm::Ps384 => Some(&RSA_PSS_2048_8192_SHA384),
        Algorithm::Ps512 => Some(&RSA_PSS_2048_8192_SHA512),
        Algorithm::Es256 | Algorithm::Es384 | Algorithm::EdDsa => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[derive(Deserialize)]
    struct Golden {
        keys: Vec<Value>,
        tokens: Vec<String>,
    }

    /// Keys and tokens of every algorithm, signed by another implementation.
    fn golden() -> Golden {
        let text = include_str!("../../tests/providers/golden/oidc/signatures.json");
        serde_json::from_str(text).unwrap()
    }

    fn check(keys: &[Value], token: &str) -> Result<(), IdTokenError> {
        KeySet::of(KeySetAnswer { keys: keys.to_vec() }).check(&CompactJws::parse(token)?)
    }

    #[test]
    fn tokens_of_another_implementation_are_trusted_in_every_algorithm_and_changed_ones_are_not() {
        let Golden { keys, tokens } = golden();
        assert_eq!(tokens.len(), 9);
        for token in &tokens {
            assert_eq!(check(&keys, token), Ok(()), "{token}");
            let mut parts: Vec<String> = token.split('.').map(str::to_owned).collect();
            parts[1] = URL_SAFE_NO_PAD.encode(r#"{"sub":"user-2"}"#);
            assert_eq!(check(&keys, &parts.join(".")), Err(IdTokenError::Signature), "{token}");
            for signature in ["", "AAAA"] {
                parts[2] = signature.to_owned();
                assert_eq!(check(&keys, &parts.join(".")), Err(IdTokenError::Signature), "{token}");
            }
        }
    }

    #[test]
    fn a_key_is_used_for_its_own_algorithm_and_purpose_only() {
        let Golden { keys, tokens } = golden();
        let with = |name: &str, value: &str| -> Vec<Value> {
            let mut keys = keys.clone();
            keys.iter_mut().for_each(|key| key[name] = json!(value));
            keys
        };
        let rs256 = &tokens[0];
        assert_eq!(check(&with("alg", "RS256"), rs256), Ok(()));
        assert_eq!(check(&with("alg", "RS512"), rs256), Err(IdTokenError::Algorithm));
        assert_eq!(check(&with("alg", "HS256"), rs256), Err(IdTokenError::Algorithm));
        assert_eq!(check(&with("use", "enc"), rs256), Err(IdTokenError::UnknownKey));
        // The id of one key, the algorithm of another.
        let header = URL_SAFE_NO_PAD.encode(r#"{"alg":"ES256","kid":"rsa"}"#);
        let rest = rs256.split_once('.').unwrap().1;
        assert_eq!(check(&keys, &format!("{header}.{rest}")), Err(IdTokenError::Algorithm));
    }

    #[test]
    fn a_modulus_may_have_a_zero_byte_before_it() {
        let Golden { mut keys, tokens } = golden();
        let modulus = URL_SAFE_NO_PAD.decode(keys[0]["n"].as_str().unwrap()).unwrap();
        keys[0]["n"] = json!(URL_SAFE_NO_PAD.encode([vec![0], modulus].concat()));
        assert_eq!(check(&keys, &tokens[0]), Ok(()));
    }

    #[test]
    fn a_token_without_the_id_of_a_key_is_checked_with_those_that_fit() {
        let Golden { mut keys, tokens } = golden();
        keys.iter_mut().for_each(|key| drop(key.as_object_mut().unwrap().remove("kid")));
        assert_eq!(check(&keys, &tokens[0]), Err(IdTokenError::UnknownKey), "it names a key");
        let header = URL_SAFE_NO_PAD.encode(r#"{"alg":"RS256"}"#);
        let rest = tokens[0].split_once('.').unwrap().1;
        assert_eq!(check(&keys, &format!("{header}.{rest}")), Err(IdTokenError::Signature));
        assert_eq!(check(&[], &format!("{header}.{rest}")), Err(IdTokenError::UnknownKey));
    }

    #[test]
    fn what_is_no_key_is_left_out() {
        let odd = json!([
            1, {}, {"kty": "oct", "k": "AAAA"}, {"kty": "RSA", "n": "AQAB"}, {"kty": "RSA", "n": "!", "e": "AQAB"},
            {"kty": "EC", "crv": "P-256", "x": "AAAA", "y": "AAAA"}, {"kty": "EC", "crv": "secp256k1"},
            {"kty": "OKP", "crv": "X25519", "x": "AAAA"}
        ]);
        assert!(KeySet::of(KeySetAnswer { keys: odd.as_array().unwrap().clone() }).is_empty());
        let many = vec![golden().keys.remove(0); 1_000];
        assert_eq!(KeySet::of(KeySetAnswer { keys: many }).0.len(), MAX_KEYS);
    }
}
