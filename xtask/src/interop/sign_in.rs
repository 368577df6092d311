//! Sign-in at oidc-provider (npm), a provider that the OpenID Foundation has certified, through its own pages.

use std::process::Command;

use reqwest::Url;
use serde_json::Value;

use super::browser::{Browser, UserAction};
use super::caller::Tally;
use crate::node;
use crate::process::{Running, free_port};
use crate::server::Server;

/// Pinned, so that findings are reproducible.
const PROVIDER: &str = "oidc-provider@9.13.3";
const CLIENT_ID: &str = "formwork interop";
const CLIENT_SECRET: &str = "s3cret: +&=%";
/// Nothing listens there. The browser stops when it is sent to it.
const REDIRECT_URL: &str = "http://127.0.0.1:9/signed-in";

/// Where the provider puts the claims of a user.
#[derive(Clone, Copy, Debug)]
pub(super) enum ClaimsPlace {
    Token,
    UserInfo,
}

/// Installs and starts the provider.
pub(super) fn provider(place: ClaimsPlace) -> anyhow::Result<Running> {
    let folder = tempfile::tempdir()?;
    node::install(folder.path(), &[PROVIDER])?;
    let port = free_port()?;
    let place = match place {
        ClaimsPlace::Token => "token",
        ClaimsPlace::UserInfo => "user-info",
    };
    let mut command = Command::new("node");
    command
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/interop/oidc_provider.mjs"))
        .arg(folder.path().join("node_modules"))
        .args([port.to_string().as_str(), CLIENT_ID, CLIENT_SECRET, REDIRECT_URL, place]);
    Running::start(command, port, folder)
}

/// The settings of a server with this provider, whose first user is admin@example.com.
pub(super) fn settings(provider: &Running) -> String {
    let address = &provider.address;
    format!(
        "[first]\nuser_email = \"admin@example.com\"\n[sign_in.oidc]\nissuer = \"http://{address}\"\n\
         client_id = \"{CLIENT_ID}\"\nclient_secret = \"{CLIENT_SECRET}\"\nredirect_url = \"{REDIRECT_URL}\"\n"
    )
}

/// A server, and the browser of a user.
struct Visit<'a> {
    server: &'a Server,
    browser: Browser,
}

impl<'a> Visit<'a> {
    fn new(server: &'a Server) -> anyhow::Result<Self> {
        Ok(Self { server, browser: Browser::new(providers_http::client_builder()?.build()?) })
    }

    /// Goes to the provider and back. Returns the URL of the server's callback.
    async fn callback(&mut self, action: UserAction<'_>) -> anyhow::Result<Url> {
        let begin = format!("{}/v1/sign_in/oidc", self.server.url);
        let back = self.browser.walk(&begin, REDIRECT_URL, action).await?;
        Ok(Url::parse(&format!("{begin}/callback?{}", back.query().unwrap_or_default()))?)
    }

    async fn complete(&mut self, callback: &Url) -> anyhow::Result<(u16, Value)> {
        let answer = self.browser.open(callback, None).await?;
        Ok((answer.status().as_u16(), serde_json::from_slice(&answer.bytes().await?)?))
    }

    async fn sign_in(&mut self, action: UserAction<'_>) -> anyhow::Result<(u16, Value)> {
        let callback = self.callback(action).await?;
        self.complete(&callback).await
    }
}

/// The whole flow, and what must not sign in.
pub(super) async fn check_all(tally: &mut Tally, server: &Server) -> anyhow::Result<()> {
    let mut visit = Visit::new(server)?;
    let callback = visit.callback(UserAction::SignIn("admin")).await?;
    let mut thief = Visit::new(server)?;
    let (status, error) = thief.complete(&callback).await?;
    tally.check(
        "another browser cannot complete the sign-in",
        is(status, &error, 400, "invalid_sign_in"),
        || format!("{status} {error}"),
    );
    let (status, answer) = visit.complete(&callback).await?;
    let token = answer["token"].as_str().unwrap_or_default().to_owned();
    let good = status == 200 && answer["member"]["userEmail"] == "admin@example.com";
    tally.check("a member signs in", good, || format!("{status} {answer}"));
    let client = providers_http::client_builder()?.build()?;
    let me = client.get(format!("{}/v1/me", server.url)).bearer_auth(token).send().await?;
    let (status, me) = (me.status(), serde_json::from_slice::<Value>(&me.bytes().await?)?);
    tally.check("the token is a key", status == 200 && me["key"]["scope"] == "admin", || me.to_string());
    let (status, error) = visit.complete(&callback).await?;
    let good = is(status, &error, 400, "invalid_sign_in");
    tally.check("the same callback signs in once", good, || format!("{status} {error}"));

    let callback = Visit::new(server)?.callback(UserAction::SignIn("admin")).await?;
    let mut visit = Visit::new(server)?;
    let own = visit.callback(UserAction::SignIn("admin")).await?;
    let pairs = own.query_pairs().map(|(name, value)| match &*name {
        "code" => ("code".to_owned(), code(&callback)),
        _ => (name.into_owned(), value.into_owned()),
    });
    let mut mixed = own.clone();
    mixed.query_pairs_mut().clear().extend_pairs(pairs.collect::<Vec<_>>());
    let (status, error) = visit.complete(&mixed).await?;
    let good = is(status, &error, 401, "sign_in_refused");
    tally.check("the code of another sign-in is refused by its verifier", good, || {
        format!("{status} {error}")
    });

    for (what, action, status, code) in [
        ("an unknown address is refused", UserAction::SignIn("eve"), 403, "not_member"),
        ("an unverified address is refused", UserAction::SignIn("unverified"), 403, "email_not_verified"),
        ("a sign-in can be cancelled", UserAction::Cancel, 401, "sign_in_refused"),
    ] {
        let (found, error) = Visit::new(server)?.sign_in(action).await?;
        tally.check(what, is(found, &error, status, code), || format!("{found} {error}"));
    }
    Ok(())
}

/// A provider whose ID tokens have no address.
pub(super) async fn check_user_info(tally: &mut Tally, server: &Server) -> anyhow::Result<()> {
    let (status, answer) = Visit::new(server)?.sign_in(UserAction::SignIn("admin")).await?;
    tally.check("an address that only the user info has signs in", status == 200, || {
        format!("{status} {answer}")
    });
    Ok(())
}

fn code(callback: &Url) -> String {
    callback
        .query_pairs()
        .find(|(name, _)| name == "code")
        .map(|(_, code)| code.into_owned())
        .unwrap_or_default()
}

fn is(found: u16, error: &Value, status: u16, code: &str) -> bool {
    found == status && error["code"] == code
}
