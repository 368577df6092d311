//! The provider's metadata (OpenID Connect Discovery 1.0).

use accounts_core::oidc::IdentityProviderError;
use serde::Deserialize;
use url::{Host, Url};

/// The document at the issuer's `/.well-known/openid-configuration`, as far as it is needed.
#[derive(Debug, Deserialize)]
pub(super) struct MetadataAnswer {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    userinfo_endpoint: Option<String>,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
}

/// Where the provider's endpoints are.
#[derive(Clone, Debug)]
pub(super) struct ProviderMetadata {
    pub(super) authorization: Url,
    pub(super) token: Url,
    pub(super) keys: Url,
    pub(super) user_info: Option<Url>,
    pub(super) client_auth: ClientAuth,
}

/// How the client proves who it is, if it has a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClientAuth {
    /// `client_secret_basic`: by HTTP Basic authentication.
    Basic,
    /// `client_secret_post`: in the form.
    Form,
}

/// The URL of the metadata of an issuer.
pub(super) fn metadata_url(issuer: &str) -> String {
    format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'))
}

impl ProviderMetadata {
    /// Checks the metadata of `issuer`, whose endpoints may be plain HTTP if `allow_http`.
    pub(super) fn of(
        answer: MetadataAnswer,
        issuer: &str,
        allow_http: bool,
    ) -> Result<Self, IdentityProviderError> {
        if answer.issuer != issuer {
            let shown: String = answer.issuer.chars().filter(|c| !c.is_control()).take(200).collect();
            return Err(unusable(format!(
                "its metadata names the issuer '{shown}', not that of the settings"
            )));
        }
        let endpoint = |name: &str, text: &str| {
            let url = Url::parse(text).ok().filter(|url| is_allowed(url, allow_http));
            url.ok_or_else(|| unusable(format!("'{name}' of its metadata is not an https address")))
        };
        let methods = answer.token_endpoint_auth_methods_supported.unwrap_or_default();
        let supports = |method: &str| methods.iter().any(|own| own == method);
        let client_auth = match supports("client_secret_post") && !supports("client_secret_basic") {
            true => ClientAuth::Form,
            false => ClientAuth::Basic,
        };
        let user_info = answer.userinfo_endpoint.as_deref();
        Ok(Self {
            authorization: endpoint("authorization_endpoint", &answer.authorization_endpoint)?,
            token: endpoint("token_endpoint", &answer.token_endpoint)?,
            keys: endpoint("jwks_uri", &answer.jwks_uri)?,
            user_info: user_info.map(|text| endpoint("userinfo_endpoint", text)).transpose()?,
            client_auth,
        })
    }
}

/// Whether a URL may be called: over TLS, or plain on this machine or by the settings.
pub(super) fn is_allowed(url: &Url, allow_http: bool) -> bool {
    let is_here = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => return false,
    };
    let is_plain = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
    is_plain && (url.scheme() == "https" || (url.scheme() == "http" && (allow_http || is_here)))
}

/// An answer that breaks a rule; the sentence is for the log.
pub(super) fn unusable(cause: String) -> IdentityProviderError {
    IdentityProviderError::Protocol(cause.into())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read(change: Value, allow_http: bool) -> Result<ProviderMetadata, String> {
        let mut answer = json!({
            "issuer": "https://id.example.com", "authorization_endpoint": "https://id.example.com/auth?tenant=1",
            "token_endpoint": "https://id.example.com/token", "jwks_uri": "https://keys.example.com/keys"
        });
        answer.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let answer = serde_json::from_value(answer).map_err(|error| error.to_string())?;
        ProviderMetadata::of(answer, "https://id.example.com", allow_http).map_err(|error| match error {
            IdentityProviderError::Protocol(cause) => cause.to_string(),
            other => other.to_string(),
        })
    }

    #[test]
    fn the_secret_is_sent_as_the_provider_takes_it() {
        let auth = |methods: Value| {
            read(json!({"token_endpoint_auth_methods_supported": methods}), false).unwrap().client_auth
        };
        assert_eq!(read(json!({}), false).unwrap().client_auth, ClientAuth::Basic);
        assert_eq!(auth(json!(["client_secret_post", "client_secret_basic"])), ClientAuth::Basic);
        assert_eq!(auth(json!(["client_secret_post", "private_key_jwt"])), ClientAuth::Form);
        assert_eq!(auth(json!([])), ClientAuth::Basic);
    }

    #[test]
    fn metadata_of_another_issuer_or_with_unsafe_endpoints_is_refused() {
        assert!(read(json!({"issuer": "https://id.example.com/"}), false).unwrap_err().contains("issuer"));
        for bad in [
            "http://id.example.com/token",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "https://me:pw@id.example.com/token",
            "https:///",
            "/token",
            "",
        ] {
            let told = read(json!({"token_endpoint": bad}), false).unwrap_err();
            assert!(told.contains("token_endpoint"), "{bad}: {told}");
        }
        for good in ["http://localhost:8080/t", "http://127.0.0.1/t", "http://[::1]/t"] {
            assert!(read(json!({"userinfo_endpoint": good}), false).is_ok(), "{good}");
        }
        assert!(read(json!({"token_endpoint": "http://id.example.com/token"}), true).is_ok());
        assert!(read(json!({"jwks_uri": null}), false).is_err());
    }
}
