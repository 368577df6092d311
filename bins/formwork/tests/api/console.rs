//! The console's page, and the sessions that it signs people in by.

use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::{Answer, Server};

#[tokio::test(flavor = "multi_thread")]
async fn the_page_is_served_with_its_script_and_style_to_anybody() {
    let server = Server::start();
    let get = async |path: &str| server.request(Method::GET, path).open().send().await;
    let page = get("/console").await;
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
    assert_eq!(
        page.header("content-security-policy"),
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; \
         font-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
    );
    assert_eq!(
        (page.header("x-content-type-options"), page.header("cache-control")),
        ("nosniff", "no-cache")
    );
    assert_eq!(get("/console/runs").await.text(), page.text());
    let parts: Vec<&str> = page.text().split('"').filter(|text| text.starts_with("/console/")).collect();
    assert_eq!(parts.len(), 2, "{parts:?}");
    for part in parts {
        let answer = get(part).await;
        assert_eq!(answer.header("cache-control"), "public, max-age=31536000, immutable", "{part}");
        let kind = if part.ends_with("js") { "text/javascript" } else { "text/css" };
        assert_eq!(answer.header("content-type"), format!("{kind}; charset=utf-8"));
    }
    assert!(get("/console/LICENSES.txt").await.text().contains("react"));
    // An old name gets no other content, since browsers keep it for ever.
    get("/console/app-old.js").await.fails(404, "not_found");
    for room in ["runs/7/review", "a/b/c"] {
        let deep = server.client.get(format!("{}/console/{room}", server.url)).send().await.unwrap();
        assert_eq!((deep.status().as_u16(), deep.text().await.unwrap()), (200, page.text().to_owned()));
    }
}

/// What the page sends with each request.
const HEADER: (&str, &str) = ("x-formwork-console", "1");
const PASSWORD: &str = "three boats at low tide";

/// A browser with the cookie of a session.
struct Browser {
    server: Server,
    cookie: String,
}

impl Browser {
    async fn signed_in() -> Self {
        let server = Server::with("first.user_email = \"ada@example.com\"\n");
        let admin = server.home.told(&["keys", "create", "--scope", "admin"]);
        let call = |method, path: &str| server.request(method, path).key(&admin);
        let members = call(Method::GET, "/v1/members").send().await.ok();
        let path = format!("/v1/members/{}/password", members["members"][0]["id"].as_str().unwrap());
        call(Method::PUT, &path).json(&json!({"password": PASSWORD})).send().await.ok();
        let answer =
            sign_in(&server, &[("sec-fetch-site", "same-origin"), ("x-formwork-console", "1")]).await;
        assert_eq!(answer.ok()["token"], "", "scripts do not get the token");
        let (cookie, rules) = answer.header("set-cookie").split_once("; ").unwrap();
        assert_eq!(rules, "Path=/; Max-Age=43200; HttpOnly; SameSite=Strict");
        let cookie = cookie.to_owned();
        Self { server, cookie }
    }

    async fn me(&self, headers: &[(&str, &str)]) -> Answer {
        self.send(Method::GET, "/v1/me", headers, Value::Null).await
    }

    /// Makes a form.
    async fn post(&self, headers: &[(&str, &str)]) -> Answer {
        self.send(Method::POST, "/v1/form", headers, form()).await
    }

    async fn send(&self, method: Method, path: &str, headers: &[(&str, &str)], body: Value) -> Answer {
        let mut call = self.server.request(method, path).open().header("cookie", &self.cookie);
        for (name, value) in headers {
            call = call.header(name, value);
        }
        if body.is_null() { call.send().await } else { call.json(&body).send().await }
    }
}

async fn sign_in(server: &Server, headers: &[(&str, &str)]) -> Answer {
    let mut call = server.request(Method::POST, "/v1/sign_in").open();
    for (name, value) in headers {
        call = call.header(name, value);
    }
    call.json(&json!({"email": "ada@example.com", "password": PASSWORD, "cookie": true})).send().await
}

fn form() -> Value {
    json!({"title": "t", "schema": {"a": {"type": "string"}}})
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_reads_and_changes_from_pages_of_this_server_alone() {
    let browser = Browser::signed_in().await;
    assert_eq!(browser.me(&[]).await.ok()["userEmail"], "ada@example.com");
    browser.me(&[("sec-fetch-site", "same-origin")]).await.ok();
    for forged in [&[("sec-fetch-site", "cross-site")], &[("origin", "https://evil.example")]] {
        browser.me(forged).await.fails(401, "invalid_key");
    }
    for forged in [
        &[][..],
        &[HEADER],
        &[("sec-fetch-site", "same-origin")],
        &[("sec-fetch-site", "same-site"), HEADER],
        &[("sec-fetch-site", "none"), HEADER],
        &[("origin", "https://evil.example"), HEADER],
        &[("origin", "null"), HEADER],
    ] {
        browser.post(forged).await.fails(401, "invalid_key");
    }
    let forms = async || browser.server.get("/v1/form").await.ok()["meta"]["total_items"].clone();
    assert_eq!(forms().await, 0, "a request of another page stores nothing");
    browser.post(&[("sec-fetch-site", "same-origin"), HEADER]).await.ok();
    browser.post(&[("origin", &browser.server.url), HEADER]).await.ok();
    assert_eq!(forms().await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_of_the_headers_counts_before_the_cookie_and_a_session_ends_with_its_sign_out() {
    let browser = Browser::signed_in().await;
    let stranger = browser.server.stranger();
    assert_ne!(browser.me(&[("x-service-key", &stranger)]).await.ok()["workspace"], "Main");
    browser.me(&[("x-service-key", "fw_wrong")]).await.fails(401, "invalid_key");
    browser.me(&[("authorization", "Bearer ")]).await.fails(401, "invalid_key");
    // Programs send no header of a browser, and need none.
    let key = browser.server.key.clone();
    let call = browser.server.request(Method::POST, "/v1/form").key(&key);
    call.header("cookie", &browser.cookie)
        .header("origin", "https://evil.example")
        .json(&form())
        .send()
        .await
        .ok();

    let headers = &[("sec-fetch-site", "same-origin"), ("x-formwork-console", "1")];
    let out = browser.send(Method::DELETE, "/v1/sign_in", headers, Value::Null).await;
    out.ok();
    assert_eq!(out.header("set-cookie"), "formwork_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict");
    browser.me(&[]).await.fails(401, "invalid_key");
}

#[tokio::test(flavor = "multi_thread")]
async fn another_page_cannot_sign_a_browser_in() {
    let browser = Browser::signed_in().await;
    for forged in [&[][..], &[("sec-fetch-site", "cross-site"), ("x-formwork-console", "1")]] {
        let answer = sign_in(&browser.server, forged).await;
        answer.fails(403, "origin_not_allowed");
        assert_eq!(answer.header("set-cookie"), "");
    }
}
