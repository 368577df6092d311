//! Sign-in by an OpenID provider.

use std::path::Path;

use diesel::connection::SimpleConnection as _;
use diesel::dsl::sql;
use diesel::sql_types::BigInt;
use diesel::{Connection as _, RunQueryDsl as _, SqliteConnection};
use reqwest::Method;
use serde_json::{Value, json};
use testkit::oidc::{CLIENT_ID, CLIENT_SECRET, IdentityServer, TokenForm};
use testkit::upstream::Reply;

use crate::kit::{Answer, Home, Server, formwork, settle};

const BEGIN: &str = "/v1/sign_in/oidc";

/// Settings with this provider.
fn settings(provider: &IdentityServer, more: &str) -> String {
    let issuer = provider.issuer();
    format!(
        "[sign_in.oidc]\nissuer = \"{issuer}\"\nclient_id = \"{CLIENT_ID}\"\nclient_secret = \"{CLIENT_SECRET}\"\n{more}\n"
    )
}

/// A browser: the server's cookie, and what the provider gave it.
struct Browser {
    cookie: String,
    callback: String,
}

async fn begin(server: &Server, query: &str) -> Answer {
    server.request(Method::GET, &format!("{BEGIN}{query}")).open().send().await
}

/// Goes to the provider, where the user has these claims.
async fn authorized(server: &Server, provider: &IdentityServer, query: &str, claims: &Value) -> Browser {
    let answer = begin(server, query).await;
    assert_eq!(answer.status, 302, "{answer:?}");
    assert_eq!(answer.header("cache-control"), "no-store");
    let cookie = answer.header("set-cookie");
    let (value, rules) = cookie.split_once("; ").unwrap();
    assert_eq!(rules, "Path=/; Max-Age=600; HttpOnly; SameSite=Lax");
    let authorization = provider.authorize(answer.header("location"), claims).unwrap();
    let callback = format!("{BEGIN}/callback?state={}&code={}", authorization.state, authorization.code);
    Browser { cookie: value.to_owned(), callback }
}

async fn complete(server: &Server, browser: &Browser) -> Answer {
    let call = server.request(Method::GET, &browser.callback).open();
    call.header("cookie", format!("other=1; {}", browser.cookie)).send().await
}

async fn sign_in(server: &Server, provider: &IdentityServer, claims: &Value) -> Answer {
    let browser = authorized(server, provider, "", claims).await;
    complete(server, &browser).await
}

fn admin() -> Value {
    json!({"email": "Admin@Example.com", "email_verified": true})
}

/// The first user, an owner, has an address that the provider can confirm.
const FIRST: &str = "first.user_email = \"admin@example.com\"\n";

#[tokio::test(flavor = "multi_thread")]
async fn a_member_signs_in_by_a_provider_and_out_again() {
    let provider = IdentityServer::start().unwrap();
    flow(Server::with(&format!("{FIRST}{}", settings(&provider, ""))), &provider).await;
}

pub(crate) async fn hold_on_postgres() {
    let provider = IdentityServer::start().unwrap();
    if let Some(home) = Home::on_postgres_with(&format!("{FIRST}{}", settings(&provider, ""))) {
        flow(home.start(), &provider).await;
    }
}

async fn flow(server: Server, provider: &IdentityServer) {
    let browser = authorized(&server, provider, "", &admin()).await;
    let signed_in = complete(&server, &browser).await;
    assert_eq!(
        signed_in.header("set-cookie"),
        "formwork_sign_in=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"
    );
    let body = signed_in.ok();
    let token = body["token"].as_str().unwrap();
    assert_eq!((&body["member"]["role"], &body["workspace"]["name"]), (&json!("owner"), &json!("Main")));
    let as_admin = async |method: Method, path: &str| server.request(method, path).key(token).send().await;
    let keys = as_admin(Method::GET, "/v1/keys").await.ok();
    assert_eq!((&keys["keys"][0]["kind"], &keys["meta"]["total_items"]), (&json!("sign_in"), &json!(2)));
    let events = as_admin(Method::GET, "/v1/audit?operation=complete_oidc_sign_in").await.ok();
    let event = &events["events"][0];
    assert_eq!((&event["key"], &event["target"]), (&json!(token[..11]), &json!("/v1/sign_in/oidc/callback")));

    complete(&server, &browser).await.fails(400, "invalid_sign_in");
    let stranger = server.request(Method::GET, &browser.callback).open().send().await;
    stranger.fails(400, "invalid_sign_in");
    as_admin(Method::DELETE, "/v1/sign_in").await.ok();
    as_admin(Method::GET, "/v1/me").await.fails(401, "invalid_key");
    assert_eq!(server.get("/v1/usage?by=key").await.ok()["usage"], json!([]));
}

/// The cookies that an answer sets.
fn cookies(answer: &Answer) -> Vec<&str> {
    answer.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_console_gets_a_session_and_the_code_of_a_failure() {
    let provider = IdentityServer::start().unwrap();
    let server = Server::with(&format!("{FIRST}{}", settings(&provider, "")));
    assert_eq!(server.get("/").await.ok()["sign_in"], json!(["password", "oidc"]));
    let browser = authorized(&server, &provider, "?console=true", &admin()).await;
    let back = async |callback: &str| {
        let cookie = format!("formwork_console=1; {}", browser.cookie);
        let call = server.request(Method::GET, callback).open();
        let answer = call.header("cookie", cookie).send().await;
        assert_eq!((answer.status, answer.header("cache-control")), (302, "no-store"));
        answer
    };
    let answer = back(&browser.callback).await;
    assert_eq!(answer.header("location"), "/console");
    let session = cookies(&answer).into_iter().find(|text| text.starts_with("formwork_session=fw_")).unwrap();
    let session = session.split(';').next().unwrap();
    let me = server.request(Method::GET, "/v1/me").open().header("cookie", session).send().await.ok();
    assert_eq!(me["userEmail"], "admin@example.com");
    let again = back(&browser.callback).await;
    assert_eq!(again.header("location"), "/console?failure=invalid_sign_in");
    assert!(cookies(&again).iter().all(|text| !text.starts_with("formwork_session")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_begun_at_one_server_is_completed_once_at_another() {
    let provider = IdentityServer::start().unwrap();
    // As behind a load balancer: both servers have one address for browsers.
    let redirect = "redirect_url = \"http://forms.example.com/signed-in\"";
    let text = format!("{FIRST}{}", settings(&provider, redirect));
    let Some(home) = Home::on_postgres_with(&text) else { return };
    let one = home.start();
    // Each server has an index of its own.
    let mut command = formwork(&home.path(""));
    command.env("FORMWORK_KNOWLEDGE__INDEX", home.path("other-index"));
    let other = home.start_with(command);
    let browser = authorized(&one, &provider, "", &admin()).await;
    complete(&other, &browser).await.ok();
    complete(&one, &browser).await.fails(400, "invalid_sign_in");
    complete(&other, &browser).await.fails(400, "invalid_sign_in");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_the_provider_does_not_vouch_for_is_refused() {
    let provider = IdentityServer::start().unwrap();
    let server = Server::with(&format!("{FIRST}{}", settings(&provider, "")));
    for (claims, status, code) in [
        (json!({"email": "eve@example.com", "email_verified": true}), 403, "not_member"),
        (json!({"email": "admin@example.com"}), 403, "email_not_verified"),
        (
            json!({"email": "admin@example.com", "email_verified": true, "nonce": "x"}),
            401,
            "invalid_id_token",
        ),
        (json!({"email": "admin@example.com", "email_verified": true, "aud": "x"}), 401, "invalid_id_token"),
        (json!({"email": "admin@example.com", "email_verified": true, "exp": 1}), 401, "invalid_id_token"),
        (json!({"email_verified": true}), 502, "identity_provider_failed"),
    ] {
        sign_in(&server, &provider, &claims).await.fails(status, code);
    }
    for form in [TokenForm::Unsigned, TokenForm::HmacWithClientSecret, TokenForm::OtherKey] {
        provider.sign(form);
        sign_in(&server, &provider, &admin()).await.fails(401, "invalid_id_token");
    }
    provider.sign(TokenForm::Correct);
    let browser = authorized(&server, &provider, "", &admin()).await;
    let state = browser.callback.split_once("state=").unwrap().1.split_once('&').unwrap().0;
    let denied =
        Browser { callback: format!("{BEGIN}/callback?state={state}&error=access_denied"), ..browser };
    complete(&server, &denied).await.fails(401, "sign_in_refused");
    let browser = authorized(&server, &provider, "", &admin()).await;
    let forged = Browser { callback: format!("{BEGIN}/callback?state=x&code=x"), ..browser };
    complete(&server, &forged).await.fails(400, "invalid_sign_in");
    begin(&server, "?workspace=a%20b").await.fails_at(400, "validation_failed", "?workspace");
    let keys = server.home.told(&["keys", "list"]);
    assert_eq!(keys.lines().count(), 1, "{keys}");
    let log = std::fs::read_to_string(server.home.path("log")).unwrap();
    assert!(log.contains("the signature of the ID token is wrong"), "{log}");
    assert!(!log.contains(CLIENT_SECRET) && !log.contains("code-"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_that_is_away_or_hangs_fails_the_sign_in_and_nothing_else() {
    const METADATA: &str = "/.well-known/openid-configuration";
    let provider = IdentityServer::start().unwrap();
    let server = Server::with(&format!("{FIRST}{}", settings(&provider, "call_seconds = 1")));
    provider.answer(METADATA, Some(Reply::json(500, &json!({}))));
    begin(&server, "").await.fails(502, "identity_provider_failed");
    provider.answer(METADATA, Some(Reply::raw().hold()));
    begin(&server, "").await.fails(504, "identity_provider_timeout");
    provider.answer(METADATA, None);
    provider.answer("/token", Some(Reply::raw().hold()));
    sign_in(&server, &provider, &admin()).await.fails(504, "identity_provider_timeout");
    provider.answer("/token", Some(Reply::json(200, &json!({"id_token": "x".repeat(300 << 10)}))));
    let failed = sign_in(&server, &provider, &admin()).await.fails(502, "identity_provider_failed");
    assert!(!failed.to_string().contains("127.0.0.1"), "{failed}");
    provider.answer("/token", None);
    sign_in(&server, &provider, &admin()).await.ok();
    server.get("/v1/me").await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_provider_in_the_settings_there_is_no_such_sign_in() {
    let server = Server::start();
    begin(&server, "").await.fails(503, "oidc_not_configured");
    let callback = server.request(Method::GET, &format!("{BEGIN}/callback?state=x&code=x")).open();
    callback.send().await.fails(503, "oidc_not_configured");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_address_becomes_a_member_of_the_workspace_of_the_settings() {
    let provider = IdentityServer::start().unwrap();
    let home = Home::new(&format!("{FIRST}{}", settings(&provider, "")));
    let workspace = {
        let server = home.start();
        sign_in(&server, &provider, &admin()).await.ok()["workspace"]["id"].as_str().unwrap().to_owned()
    };
    let more = format!(
        "allowed_domains = \"example.com\"\nnew_members_workspace = \"{workspace}\"\nnew_members_role = \"member\""
    );
    let text = std::fs::read_to_string(home.path("formwork.toml")).unwrap();
    std::fs::write(home.path("formwork.toml"), format!("{text}{more}\n")).unwrap();
    let server = home.start();
    let ben = json!({"email": "ben@example.com", "email_verified": true, "name": "Ben"});
    let signed_in = sign_in(&server, &provider, &ben).await.ok();
    assert_eq!(
        (&signed_in["member"]["userName"], &signed_in["member"]["role"]),
        (&json!("Ben"), &json!("member"))
    );
    let eve = json!({"email": "eve@example.org", "email_verified": true});
    sign_in(&server, &provider, &eve).await.fails(403, "not_member");
    let browser = authorized(&server, &provider, "?workspace=ws_other", &ben).await;
    complete(&server, &browser).await.fails(403, "not_member");
    // The workspace of the settings does not exist.
    let text = std::fs::read_to_string(home.path("formwork.toml")).unwrap();
    std::fs::write(home.path("formwork.toml"), text.replace(&workspace, "ws_none")).unwrap();
    drop(server);
    let cleo = json!({"email": "cleo@example.com", "email_verified": true});
    sign_in(&home.start(), &provider, &cleo).await.fails(503, "oidc_not_configured");
}

#[tokio::test(flavor = "multi_thread")]
async fn expired_sign_ins_are_deleted_and_issued_keys_are_not() {
    let provider = IdentityServer::start().unwrap();
    let home = Home::new(&format!("{FIRST}{}", settings(&provider, "")));
    let (key, ended) = {
        let server = home.start();
        sign_in(&server, &provider, &admin()).await.ok();
        (server.key.clone(), home.told(&["keys", "create", "--days", "0"]))
    };
    let database = home.path("data/formwork.db");
    execute(&database, "UPDATE api_keys SET expires = 1 WHERE kind = 'sign_in'");
    execute(&database, "UPDATE sign_in_attempts SET expires = 1");
    let server = home.start();
    let rows = || (count(&database, "api_keys"), count(&database, "sign_in_attempts"));
    settle("the sweep of the start", async || rows() == (2, 0)).await;
    server.request(Method::GET, "/v1/me").key(&key).send().await.ok();
    assert!(home.told(&["keys", "list"]).contains(&ended[..11]));
    let admin = home.told(&["keys", "create", "--scope", "admin"]);
    let log =
        server.request(Method::GET, "/v1/audit?operation=complete_oidc_sign_in").key(&admin).send().await;
    let key = log.ok()["events"][0]["key"].clone();
    assert!(key.as_str().unwrap().starts_with("key_"), "{key}");
}

#[test]
fn the_doctor_reads_the_metadata_of_the_provider() {
    let provider = IdentityServer::start().unwrap();
    let home = Home::new(&settings(&provider, ""));
    let told = home.told(&["doctor"]);
    assert!(told.contains(&format!("provider {} can be used", provider.issuer())), "{told}");
    provider.answer("/.well-known/openid-configuration", Some(Reply::json(404, &json!({}))));
    let told = home.told(&["doctor"]);
    assert!(told.contains("Members cannot sign in") && told.contains("answered with 404"), "{told}");
    assert!(!told.contains(CLIENT_SECRET), "{told}");
}

fn open(database: &Path) -> SqliteConnection {
    SqliteConnection::establish(database.to_str().unwrap()).unwrap()
}

fn execute(database: &Path, statement: &str) {
    open(database).batch_execute(statement).unwrap();
}

fn count(database: &Path, table: &str) -> i64 {
    sql::<BigInt>(&format!("SELECT count(*) FROM {table}")).get_result(&mut open(database)).unwrap()
}
