//! A scripted OpenID provider on top of an upstream. It is correct unless a test asks for a fault, and has no page to sign
//! in: a test says who signs in.

mod client;
mod signing;

use std::collections::HashMap;
use std::sync::Arc;

use anyhow::Context as _;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use parking_lot::Mutex;
use ring::digest::{SHA256, digest};
use serde_json::{Map, Value, json};
use url::Url;
use url::form_urlencoded::parse;

pub use self::client::{CLIENT_ID, CLIENT_SECRET};
pub use self::signing::TokenForm;
use self::signing::TokenSigner;
use crate::upstream::{ReceivedRequest, Reply, Upstream};

/// Expiry of tokens unless a test says otherwise: the year 2100.
const EXPIRES: i64 = 4_102_444_800;

/// A running provider. Its issuer is [`IdentityServer::issuer`].
#[derive(Debug)]
pub struct IdentityServer {
    upstream: Upstream,
    state: Arc<Mutex<State>>,
}

/// What the browser brings back from the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authorization {
    /// The parameter `code`.
    pub code: String,
    /// The parameter `state`, as it was sent.
    pub state: String,
}

#[derive(Debug)]
struct State {
    signer: TokenSigner,
    form: TokenForm,
    /// The grants by code. A code is used once.
    grants: HashMap<String, Grant>,
    /// The claims by access token.
    users: HashMap<String, Value>,
    codes: u64,
    /// Replies in place of the correct ones, by path.
    replies: HashMap<String, Reply>,
    /// Whether the claims of the user are in the user info alone.
    user_info_only: bool,
}

#[derive(Clone, Debug)]
struct Grant {
    redirect_uri: String,
    challenge: String,
    nonce: String,
    claims: Map<String, Value>,
}

impl IdentityServer {
    /// Starts a provider with a new key.
    ///
    /// # Errors
    /// No free port, no thread, or no key.
    pub fn start() -> anyhow::Result<Self> {
        let state = Arc::new(Mutex::new(State {
            signer: TokenSigner::new("key-1")?,
            form: TokenForm::Correct,
            grants: HashMap::new(),
            users: HashMap::new(),
            codes: 0,
            replies: HashMap::new(),
            user_info_only: false,
        }));
        let shared = Arc::clone(&state);
        let upstream = Upstream::start(move |request| shared.lock().answer(request))?;
        Ok(Self { upstream, state })
    }

    /// The issuer: `http://127.0.0.1:<port>`.
    #[must_use]
    pub fn issuer(&self) -> String {
        self.upstream.url()
    }

    /// The requests that it received.
    #[must_use]
    pub fn upstream(&self) -> &Upstream {
        &self.upstream
    }

    /// Signs a user in, as the browser and the user do at the authorization endpoint. `claims` are added to those of the ID
    /// token; null removes one.
    ///
    /// # Errors
    /// When the URL is not one of a correct client.
    pub fn authorize(&self, url: &str, claims: &Value) -> anyhow::Result<Authorization> {
        let url = Url::parse(url)?;
        anyhow::ensure!(url.as_str().starts_with(&format!("{}/authorize?", self.issuer())), "{url}");
        let query: HashMap<String, String> = url.query_pairs().into_owned().collect();
        let get = |name: &str| query.get(name).cloned().with_context(|| format!("{url} without {name}"));
        anyhow::ensure!(get("response_type")? == "code" && get("client_id")? == CLIENT_ID, "{url}");
        anyhow::ensure!(get("code_challenge_method")? == "S256", "{url}");
        anyhow::ensure!(get("scope")?.split(' ').any(|scope| scope == "openid"), "{url}");
        let grant = Grant {
            redirect_uri: get("redirect_uri")?,
            challenge: get("code_challenge")?,
            nonce: get("nonce")?,
            claims: claims.as_object().cloned().unwrap_or_default(),
        };
        let mut state = self.state.lock();
        state.codes += 1;
        let code = format!("code-{}", state.codes);
        state.grants.insert(code.clone(), grant);
        Ok(Authorization { code, state: get("state")? })
    }

    /// Signs the next tokens in this form.
    pub fn sign(&self, form: TokenForm) {
        self.state.lock().form = form;
    }

    /// Replaces the key by a new one with this id.
    ///
    /// # Errors
    /// When there is no randomness.
    pub fn rotate_key(&self, id: &str) -> anyhow::Result<()> {
        self.state.lock().signer = TokenSigner::new(id)?;
        Ok(())
    }

    /// Answers requests for a path with this reply; with the correct one when `None`.
    pub fn answer(&self, path: &str, reply: Option<Reply>) {
        let mut state = self.state.lock();
        match reply {
            Some(reply) => state.replies.insert(path.to_owned(), reply),
            None => state.replies.remove(path),
        };
    }

    /// Puts the claims of users into the user info alone.
    pub fn use_user_info(&self) {
        self.state.lock().user_info_only = true;
    }

    /// The number of requests for a path.
    #[must_use]
    pub fn count(&self, path: &str) -> usize {
        self.upstream.requests().iter().filter(|request| request.path == path).count()
    }
}

impl State {
    fn answer(&mut self, request: &ReceivedRequest) -> Reply {
        if let Some(reply) = self.replies.get(&request.path) {
            return reply.clone();
        }
        let issuer = format!("http://{}", request.header("host").unwrap_or_default());
        match (request.method.as_str(), request.path.as_str()) {
            ("GET", "/.well-known/openid-configuration") => Reply::json(200, &metadata(&issuer)),
            ("GET", "/keys") => Reply::json(200, &json!({"keys": [self.signer.public_key()]})),
            ("POST", "/token") => match self.token(request, &issuer) {
                Ok(answer) => Reply::json(200, &answer),
                Err(error) if error == "invalid_client" => Reply::json(401, &json!({"error": error})),
                Err(error) => Reply::json(400, &json!({"error": error, "error_description": "it is wrong"})),
            },
            ("GET", "/user") => {
                let token = request.header("authorization").and_then(|value| value.strip_prefix("Bearer "));
                match token.and_then(|token| self.users.get(token)) {
                    Some(claims) => Reply::json(200, claims),
                    None => Reply::json(401, &json!({"error": "invalid_token"})),
                }
            }
            _ => Reply::json(404, &json!({})),
        }
    }

    fn token(&mut self, request: &ReceivedRequest, issuer: &str) -> Result<Value, &'static str> {
        let form: HashMap<String, String> = parse(&request.body).into_owned().collect();
        let get = |name: &str| form.get(name).map(String::as_str).ok_or("invalid_request");
        if !is_client(request) {
            return Err("invalid_client");
        }
        if get("grant_type")? != "authorization_code" {
            return Err("unsupported_grant_type");
        }
        let grant = self.grants.remove(get("code")?).ok_or("invalid_grant")?;
        let challenge = URL_SAFE_NO_PAD.encode(digest(&SHA256, get("code_verifier")?.as_bytes()));
        if challenge != grant.challenge || get("redirect_uri")? != grant.redirect_uri {
            return Err("invalid_grant");
        }
        let mut claims = json!({
            "iss": issuer, "aud": CLIENT_ID, "sub": "user-1", "exp": EXPIRES, "iat": 1, "nonce": grant.nonce
        });
        let access_token = format!("access-{}", self.codes);
        let mut user = json!({"sub": "user-1"});
        let target = if self.user_info_only { &mut user } else { &mut claims };
        extend(target, &grant.claims);
        self.users.insert(access_token.clone(), user);
        let id_token = self.signer.token(&claims, &self.form).ok().ok_or("server_error")?;
        Ok(
            json!({"token_type": "Bearer", "access_token": access_token, "expires_in": 60, "id_token": id_token}),
        )
    }
}

/// Whether the request has the credentials of the client, as HTTP Basic authentication encodes them (RFC 6749, 2.3.1).
fn is_client(request: &ReceivedRequest) -> bool {
    let sent = request.header("authorization").and_then(|value| value.strip_prefix("Basic "));
    let sent = sent.and_then(|value| STANDARD.decode(value).ok());
    let sent = sent.and_then(|value| String::from_utf8(value).ok()).unwrap_or_default();
    let decoded = |text: &str| parse(text.as_bytes()).next().map(|(name, _)| name.into_owned());
    sent.split_once(':').is_some_and(|(id, secret)| {
        decoded(id).as_deref() == Some(CLIENT_ID) && decoded(secret).as_deref() == Some(CLIENT_SECRET)
    })
}

fn extend(claims: &mut Value, more: &Map<String, Value>) {
    let Some(claims) = claims.as_object_mut() else { return };
    for (name, value) in more {
        match value {
            Value::Null => claims.remove(name),
            value => claims.insert(name.clone(), value.clone()),
        };
    }
}

fn metadata(issuer: &str) -> Value {
    json!({
        "issuer": issuer, "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"), "jwks_uri": format!("{issuer}/keys"),
        "userinfo_endpoint": format!("{issuer}/user"), "response_types_supported": ["code"],
        "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["ES256"]
    })
}
