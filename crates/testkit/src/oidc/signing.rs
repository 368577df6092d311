//! ID tokens, well signed or not.

use anyhow::anyhow;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::hmac;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::{Value, json};

use super::client::CLIENT_SECRET;

/// How tokens are signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenForm {
    /// By the provider's key.
    Correct,
    /// By no key, with `alg` none.
    Unsigned,
    /// By HMAC with the public key, which everybody knows, as the secret.
    HmacWithPublicKey,
    /// By HMAC with the secret of the client.
    HmacWithClientSecret,
    /// By a key that the provider does not publish, under the id of one that it does.
    OtherKey,
    /// By a key that the provider does not publish, under its own id.
    UnknownKey,
    /// Changed after it was signed.
    Tampered,
    /// In place of a token, this text.
    Text(String),
}

/// A key pair for ES256.
#[derive(Debug)]
pub(super) struct TokenSigner {
    id: String,
    pair: EcdsaKeyPair,
}

impl TokenSigner {
    pub(super) fn new(id: &str) -> anyhow::Result<Self> {
        let random = SystemRandom::new();
        let algorithm = &ECDSA_P256_SHA256_FIXED_SIGNING;
        let document =
            EcdsaKeyPair::generate_pkcs8(algorithm, &random).map_err(|error| anyhow!("no key: {error}"))?;
        let pair = EcdsaKeyPair::from_pkcs8(algorithm, document.as_ref(), &random)
            .map_err(|error| anyhow!("the key is refused: {error}"))?;
        Ok(Self { id: id.to_owned(), pair })
    }

    /// The public key as a JWK.
    pub(super) fn public_key(&self) -> Value {
        // An uncompressed point: a byte, and two coordinates of 32 bytes.
        let point = self.pair.public_key().as_ref();
        let part = |range: std::ops::Range<usize>| URL_SAFE_NO_PAD.encode(&point[range]);
        json!({
            "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": self.id, "x": part(1..33),
            "y": part(33..65)
        })
    }

    pub(super) fn token(&self, claims: &Value, form: &TokenForm) -> anyhow::Result<String> {
        let header = |algorithm: &str, id: &str| json!({"alg": algorithm, "typ": "JWT", "kid": id});
        Ok(match form {
            TokenForm::Correct => self.signed(&header("ES256", &self.id), claims)?,
            TokenForm::Unsigned => format!("{}.", encoded(&header("none", &self.id), claims)),
            TokenForm::HmacWithPublicKey => {
                with_hmac(&header("HS256", &self.id), claims, self.pair.public_key().as_ref())
            }
            TokenForm::HmacWithClientSecret => {
                with_hmac(&header("HS256", &self.id), claims, CLIENT_SECRET.as_bytes())
            }
            TokenForm::OtherKey => Self::new(&self.id)?.signed(&header("ES256", &self.id), claims)?,
            TokenForm::UnknownKey => Self::new(&self.id)?.signed(&header("ES256", "key-unknown"), claims)?,
            TokenForm::Tampered => {
                let token = self.signed(&header("ES256", &self.id), claims)?;
                let signature = token.rsplit('.').next().unwrap_or_default();
                let mut changed = claims.clone();
                changed["email"] = json!("admin@localhost");
                format!("{}.{signature}", encoded(&header("ES256", &self.id), &changed))
            }
            TokenForm::Text(text) => text.clone(),
        })
    }

    fn signed(&self, header: &Value, claims: &Value) -> anyhow::Result<String> {
        let message = encoded(header, claims);
        let signature = self.pair.sign(&SystemRandom::new(), message.as_bytes());
        let signature = signature.map_err(|error| anyhow!("there is no randomness: {error}"))?;
        Ok(format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature.as_ref())))
    }
}

fn encoded(header: &Value, claims: &Value) -> String {
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    format!("{}.{}", part(header), part(claims))
}

fn with_hmac(header: &Value, claims: &Value, secret: &[u8]) -> String {
    let message = encoded(header, claims);
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret), message.as_bytes());
    format!("{message}.{}", URL_SAFE_NO_PAD.encode(tag.as_ref()))
}
