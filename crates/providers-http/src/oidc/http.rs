//! Calls of a provider's endpoints: no redirects, and bounded bodies. The caller bounds the time.

use accounts_core::oidc::IdentityProviderError;
use bytes::BytesMut;
use reqwest::header::{ACCEPT, HeaderValue};
use reqwest::{Client, RequestBuilder, StatusCode};
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use url::Url;
use url::form_urlencoded::byte_serialize;

use super::metadata::{ClientAuth, unusable};

/// Maximum size of an answer in bytes, decompressed. The largest that is known, a set of keys, has some 10 KB.
const MAX_BODY: usize = 256 << 10;

/// The answer of the token endpoint.
#[derive(Deserialize)]
pub(super) struct TokenAnswer {
    pub(super) id_token: SecretString,
    pub(super) access_token: Option<SecretString>,
}

#[derive(Deserialize)]
struct TokenError {
    error: String,
}

/// This server as a client of the provider.
pub(super) struct ClientIdentity<'a> {
    pub(super) id: &'a str,
    pub(super) secret: Option<&'a SecretString>,
    pub(super) auth: ClientAuth,
}

/// Reads JSON.
pub(super) async fn get_json<T: DeserializeOwned>(
    client: &Client,
    url: Url,
    bearer: Option<&SecretString>,
) -> Result<T, IdentityProviderError> {
    let place = url.path().to_owned();
    let mut request = client.get(url);
    if let Some(token) = bearer {
        request = request.bearer_auth(token.expose_secret());
    }
    let (status, body) = send(request).await?;
    match status.is_success() {
        true => parse(&place, &body),
        false => Err(wrong_status(&place, status)),
    }
}

/// Redeems a code at the token endpoint (RFC 6749, section 4.1.3).
pub(super) async fn redeem(
    client: &Client,
    url: Url,
    identity: &ClientIdentity<'_>,
    parameters: &[(&str, &str)],
) -> Result<TokenAnswer, IdentityProviderError> {
    let place = url.path().to_owned();
    let mut form: Vec<(&str, &str)> = parameters.to_vec();
    let mut request = client.post(url);
    match (identity.secret, identity.auth) {
        (Some(secret), ClientAuth::Basic) => {
            let encoded = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
            request = request.basic_auth(encoded(identity.id), Some(encoded(secret.expose_secret())));
        }
        (Some(secret), ClientAuth::Form) => {
            form.extend([("client_id", identity.id), ("client_secret", secret.expose_secret())]);
        }
        (None, _) => form.push(("client_id", identity.id)),
    }
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
    let kind = HeaderValue::from_static("application/x-www-form-urlencoded");
    let (status, body) = send(request.header(reqwest::header::CONTENT_TYPE, kind).body(body)).await?;
    if status.is_success() {
        return parse(&place, &body);
    }
    let refusal = serde_json::from_slice::<TokenError>(&body).ok().filter(|_| status.is_client_error());
    match refusal.map(|refusal| refusal.error).as_deref() {
        Some("invalid_grant") => Err(IdentityProviderError::CodeRefused),
        Some(error) => {
            let shown: String = error.chars().filter(char::is_ascii_graphic).take(64).collect();
            Err(unusable(format!("{place} answered with {status} and the error '{shown}'")))
        }
        None => Err(wrong_status(&place, status)),
    }
}

async fn send(request: RequestBuilder) -> Result<(StatusCode, BytesMut), IdentityProviderError> {
    let failed = |error: reqwest::Error| IdentityProviderError::Failed(error.without_url().into());
    let request = request.header(ACCEPT, HeaderValue::from_static("application/json"));
    let mut response = request.send().await.map_err(failed)?;
    let status = response.status();
    let mut body = BytesMut::new();
    while let Some(part) = response.chunk().await.map_err(failed)? {
        if body.len() + part.len() > MAX_BODY {
            return Err(unusable(format!("an answer exceeds the limit of {MAX_BODY} bytes")));
        }
        body.extend_from_slice(&part);
    }
    Ok((status, body))
}

fn parse<T: DeserializeOwned>(place: &str, body: &[u8]) -> Result<T, IdentityProviderError> {
    // The message of the error has values of the answer, which can be tokens.
    serde_json::from_slice(body).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        unusable(format!("the JSON of {place} is not as expected at line {line}, column {column}"))
    })
}

fn wrong_status(place: &str, status: StatusCode) -> IdentityProviderError {
    let cause = format!("{place} answered with {status}");
    match status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS {
        true => IdentityProviderError::Failed(cause.into()),
        false => unusable(cause),
    }
}
