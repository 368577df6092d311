//! An OpenID provider: what of it is cached, and its use.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use accounts_core::oidc::{
    AuthorizationRequest, CodeExchange, IdTokenClaims, IdTokenError, IdentityProvider, IdentityProviderError,
};
use async_trait::async_trait;
use reqwest::Client;
use secrecy::{ExposeSecret as _, SecretString};
use shared_core::{Clock, Timestamp};
use tokio::sync::Mutex;
use url::Url;

use super::claims::{Claims, add_user_info, read_token};
use super::http::{ClientIdentity, TokenAnswer, get_json, redeem};
use super::jwks::KeySet;
use super::jws::CompactJws;
use super::metadata::{ProviderMetadata, is_allowed, metadata_url, unusable};
use crate::tls::client_builder;
use crate::transport::{CONNECT_TIMEOUT, TransportError};

/// Seconds for which metadata and keys are used before they are read again. Chosen by hand: a withdrawn key is not
/// accepted for longer.
const MAX_AGE: f64 = 3_600.0;
/// Seconds between two readings of the keys because of tokens with unknown ids of keys, so that such tokens cannot make
/// this server call the provider for each.
const MIN_REFRESH: f64 = 60.0;

/// The registration of this server at a provider.
#[derive(Clone, Debug)]
pub struct OidcProviderSettings {
    /// The provider's issuer identifier, a URL.
    pub issuer: String,
    /// The id under which the provider knows this server.
    pub client_id: String,
    /// Secret of the client; `None` for a public client.
    pub client_secret: Option<SecretString>,
    /// Where the provider sends the browser back to.
    pub redirect_url: String,
    /// Scopes, separated by spaces.
    pub scopes: String,
    /// The claim with the e-mail address.
    pub email_claim: String,
    /// Whether the provider may be reached by plain HTTP. On this machine it always may.
    pub allow_http: bool,
    /// Time limit of each use of the provider with all its calls.
    pub deadline: Duration,
}

/// An OpenID provider over HTTP.
pub struct OidcProvider {
    settings: OidcProviderSettings,
    client: Client,
    clock: Arc<dyn Clock>,
    /// Locked while it is read from the provider, so that concurrent sign-ins read it once.
    metadata: Mutex<Option<CachedDocument<ProviderMetadata>>>,
    keys: Mutex<Option<CachedDocument<KeySet>>>,
}

/// What was read from the provider, and when.
struct CachedDocument<T> {
    value: Arc<T>,
    at: Timestamp,
}

impl<T> CachedDocument<T> {
    /// Its age in seconds; infinite when the clock was put back.
    fn age(&self, now: Timestamp) -> f64 {
        Some(now.seconds_since(self.at)).filter(|age| *age >= 0.0).unwrap_or(f64::INFINITY)
    }
}

impl fmt::Debug for OidcProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OidcProvider").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl OidcProvider {
    /// A provider that is not yet called.
    ///
    /// # Errors
    /// [`TransportError`].
    pub fn new(settings: OidcProviderSettings, clock: Arc<dyn Clock>) -> Result<Self, TransportError> {
        let client = client_builder()?
            .connect_timeout(CONNECT_TIMEOUT)
            .user_agent(concat!("formwork/", env!("CARGO_PKG_VERSION")))
            .build()?;
        Ok(Self { settings, client, clock, metadata: Mutex::default(), keys: Mutex::default() })
    }

    /// Runs a use of the provider within the time limit. On a timeout it is dropped, which closes its connection.
    async fn within<T>(
        &self,
        work: impl Future<Output = Result<T, IdentityProviderError>>,
    ) -> Result<T, IdentityProviderError> {
        let ended = tokio::time::timeout(self.settings.deadline, work).await;
        ended.unwrap_or_else(|_| Err(IdentityProviderError::TimedOut))
    }

    async fn metadata(&self) -> Result<Arc<ProviderMetadata>, IdentityProviderError> {
        let mut known = self.metadata.lock().await;
        let now = self.clock.now();
        if let Some(reading) = known.as_ref().filter(|reading| reading.age(now) < MAX_AGE) {
            return Ok(Arc::clone(&reading.value));
        }
        let OidcProviderSettings { issuer, allow_http, .. } = &self.settings;
        let url = Url::parse(&metadata_url(issuer)).ok().filter(|url| is_allowed(url, *allow_http));
        let url =
            url.ok_or_else(|| unusable("the issuer of the settings is not an https address".to_owned()))?;
        let answer = get_json(&self.client, url, None).await?;
        let value = Arc::new(ProviderMetadata::of(answer, issuer, *allow_http)?);
        *known = Some(CachedDocument { value: Arc::clone(&value), at: now });
        Ok(value)
    }

    /// Keys among which is that with this id. They are read again when they are old, or lack it.
    async fn keys(&self, url: &Url, id: Option<&str>) -> Result<Arc<KeySet>, IdentityProviderError> {
        let mut known = self.keys.lock().await;
        let now = self.clock.now();
        if let Some(reading) = &*known {
            let age = reading.age(now);
            if age < MAX_AGE && reading.value.has(id) {
                return Ok(Arc::clone(&reading.value));
            }
            if age < MIN_REFRESH {
                return Err(IdTokenError::UnknownKey.into());
            }
        }
        let value = Arc::new(KeySet::of(get_json(&self.client, url.clone(), None).await?));
        if value.is_empty() {
            return Err(unusable("its set of keys has none that can be used".to_owned()));
        }
        *known = Some(CachedDocument { value: Arc::clone(&value), at: now });
        Ok(value)
    }

    async fn exchange(
        &self,
        metadata: &ProviderMetadata,
        exchange: &CodeExchange,
    ) -> Result<TokenAnswer, IdentityProviderError> {
        let identity = ClientIdentity {
            id: &self.settings.client_id,
            secret: self.settings.client_secret.as_ref(),
            auth: metadata.client_auth,
        };
        let parameters = [
            ("grant_type", "authorization_code"),
            ("code", exchange.code.expose_secret()),
            ("redirect_uri", self.settings.redirect_url.as_str()),
            ("code_verifier", exchange.verifier.expose_secret()),
        ];
        redeem(&self.client, metadata.token.clone(), &identity, &parameters).await
    }

    /// The claims of a token that the provider has signed.
    async fn signed_claims(
        &self,
        metadata: &ProviderMetadata,
        token: &SecretString,
    ) -> Result<Claims, IdentityProviderError> {
        let token = CompactJws::parse(token.expose_secret())?;
        self.keys(&metadata.keys, token.key_id.as_deref()).await?.check(&token)?;
        let claims = serde_json::from_slice(&token.payload()?).ok();
        claims.ok_or_else(|| IdTokenError::Malformed.into())
    }

    async fn claims(&self, exchange: &CodeExchange) -> Result<IdTokenClaims, IdentityProviderError> {
        let metadata = self.metadata().await?;
        let answer = self.exchange(&metadata, exchange).await?;
        let signed = self.signed_claims(&metadata, &answer.id_token).await?;
        let address = &self.settings.email_claim;
        let mut claims = read_token(&signed, address)?;
        // The claims of a scope may be in the user info alone (OpenID Connect Core 1.0, section 5.4).
        let user_info = metadata.user_info.clone().filter(|_| claims.address.is_none());
        if let (Some(url), Some(token)) = (user_info, &answer.access_token) {
            let info: Claims = get_json(&self.client, url, Some(token)).await?;
            let subject = signed.get("sub").and_then(serde_json::Value::as_str);
            add_user_info(&mut claims, subject, &info, address);
        }
        Ok(claims)
    }
}

#[async_trait]
impl IdentityProvider for OidcProvider {
    async fn authorization_url(
        &self,
        request: &AuthorizationRequest,
    ) -> Result<String, IdentityProviderError> {
        let metadata = self.within(self.metadata()).await?;
        let mut url = metadata.authorization.clone();
        url.query_pairs_mut().extend_pairs([
            ("response_type", "code"),
            ("client_id", self.settings.client_id.as_str()),
            ("redirect_uri", self.settings.redirect_url.as_str()),
            ("scope", self.settings.scopes.as_str()),
            ("state", request.state.as_str()),
            ("nonce", request.nonce.as_str()),
            ("code_challenge", request.code_challenge.as_str()),
            ("code_challenge_method", "S256"),
        ]);
        Ok(url.into())
    }

    async fn redeem(&self, exchange: &CodeExchange) -> Result<IdTokenClaims, IdentityProviderError> {
        self.within(self.claims(exchange)).await
    }
}
