//! Public keys: forms in the pages of others.

use std::sync::Arc;

use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::{Answer, Call, Server};

const SITE: &str = "https://shop.example";
const CHAT: &str = "/v1/public/chat";
const FORM: &str = "/v1/public/form";

/// A server with an agent that asks for an order, and a public key of it.
struct Shop {
    server: Server,
    admin: String,
    id: String,
    key: String,
}

impl Shop {
    async fn open() -> Self {
        Self::with("", json!({"origins": [SITE], "page": "order"})).await
    }

    async fn with(settings: &str, further: Value) -> Self {
        let server = Server::with(settings);
        let schema = json!({
            "crates": {"type": "integer", "order": 1, "description": "How many crates?", "required": true},
            "port": {"type": "string", "order": 2, "description": "Which port?", "enum": ["Hull", "Leith"]}
        });
        server.agent("shop", schema).await;
        let admin = server.home.told(&["keys", "create", "--scope", "admin"]);
        let mut new = json!({"name": "order form", "agent": "shop"});
        new.as_object_mut().unwrap().extend(further.as_object().unwrap().clone());
        let issued = server.request(Method::POST, "/v1/keys").key(&admin).json(&new).send().await.ok();
        let (id, key) = (text(&issued["id"]), text(&issued["secret"]));
        assert_eq!((&issued["public_key"], &issued["agent"]), (&issued["secret"], &json!("shop")));
        Self { server, admin, id, key }
    }

    /// A request of a page of the site.
    fn request(&self, method: Method, path: &str) -> Call {
        self.server.request(method, path).key(&self.key).header("origin", SITE)
    }

    async fn say(&self, session: Option<&str>, message: &str) -> Value {
        self.request(Method::POST, CHAT)
            .json(&json!({"message": message, "session_id": session}))
            .send()
            .await
            .ok()
    }

    async fn administer(&self, method: Method, path: &str, body: Value) -> Answer {
        let call = self.server.request(method, path).key(&self.admin);
        if body.is_null() { call.send().await } else { call.json(&body).send().await }
    }

    async fn change(&self, changes: Value) -> Answer {
        self.administer(Method::PUT, &format!("/v1/keys/{}", self.id), changes).await
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_visitor_fills_the_form_and_comes_back_to_it() {
    let shop = Shop::open().await;
    let told = shop.request(Method::GET, FORM).send().await;
    assert_eq!(told.header("access-control-allow-origin"), "*");
    assert_eq!(told.ok()["title"], "Form");
    let hello = shop.say(None, "Hello").await;
    let session = text(&hello["session_id"]);
    assert_eq!(hello["form"]["next"]["field"], "crates", "{hello}");
    let ordered = shop.say(Some(&session), "12").await;
    assert_eq!(ordered["form"]["next"]["choices"], json!(["Hull", "Leith"]), "{ordered}");
    // Neither costs, nor passages, nor warnings.
    let names: Vec<&String> = ordered.as_object().unwrap().keys().collect();
    assert_eq!(names, ["session_id", "text", "form"]);
    let path = format!("/v1/public/sessions/{session}");
    let again = shop.request(Method::GET, &path).send().await.ok();
    assert_eq!(again["form"]["values"], json!({"crates": 12, "port": null}), "{again}");
    let said: Vec<&Value> =
        again["messages"].as_array().unwrap().iter().map(|turn| &turn["content"]).collect();
    assert_eq!((said.len(), said[2]), (4, &json!("12")));
    shop.say(Some(&session), "Leith").await;
    let done = shop.say(Some(&session), "yes").await;
    assert_eq!(done["form"]["status"], "submitted", "{done}");
    let id = text(&done["form"]["submission_id"]);
    let kept = shop.server.get(&format!("/v1/agent/shop/submissions/{id}")).await.ok();
    assert_eq!(kept["record"], json!({"crates": 12, "port": "Leith"}));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_visitors_document_fills_the_form_and_is_kept_as_a_file() {
    let shop = Shop::open().await;
    let send = async |message: &str, files: Value| {
        let body = json!({"message": message, "files": files});
        shop.request(Method::POST, CHAT).json(&body).send().await
    };
    let files = async || shop.server.get("/v1/files").await.ok()["meta"]["total_items"].clone();
    // "Crates: 31" and "Port: Hull".
    let order = "data:text/plain;base64,Q3JhdGVzOiAzMQpQb3J0OiBIdWxsCg==";
    let read = send("Here is my order.", json!([{"name": "order.txt", "content": order}])).await.ok();
    assert_eq!(read["form"]["values"]["crates"], 31, "{read}");
    assert_eq!(files().await, 1);
    send("m", json!([{"content": "%%%"}])).await.fails_at(400, "validation_failed", "/files/0/content");
    let many = json!(vec![json!({"content": "aGk="}); 6]);
    send("m", many).await.fails_at(400, "validation_failed", "/files");
    send(" ", json!([{"content": "aGk="}])).await.fails_at(400, "validation_failed", "/message");
    let unknown = json!({"message": "m", "session_id": "session_x", "files": [{"content": "aGk="}]});
    shop.request(Method::POST, CHAT).json(&unknown).send().await.fails(404, "session_not_found");
    let bare = json!({"message": "m", "session_id": "session_x"});
    shop.request(Method::POST, CHAT).json(&bare).send().await.fails(404, "session_not_found");
    assert_eq!(files().await, 1, "what was refused is not kept");
    // Random bytes are no document.
    let odd = json!([{"name": "odd.pdf", "content": "JVBERi0xLjcKAAECAwQFBgcICQ=="}]);
    assert_eq!(send("m", odd).await.status, 422);
    let large = format!("data:text/plain;base64,{}", "AAAA".repeat(4 << 20));
    send("m", json!([{"content": large}])).await.fails_at(400, "validation_failed", "/files");
    let past = format!("data:text/plain;base64,{}", "AAAA".repeat(6 << 20));
    send("m", json!([{"content": past}])).await.fails(413, "body_too_large");
    let plain = shop.request(Method::POST, CHAT).body("text/plain", "hello").send().await;
    assert_eq!(plain.status, 415);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_pages_of_its_origins_use_a_public_key() {
    let shop = Shop::open().await;
    let ask = async |headers: &[(&str, &str)]| {
        let mut call = shop.server.request(Method::GET, FORM).key(&shop.key);
        for (name, value) in headers {
            call = call.header(name, value);
        }
        call.send().await
    };
    ask(&[("origin", "https://SHOP.example"), ("sec-fetch-site", "cross-site")]).await.ok();
    ask(&[("sec-fetch-site", "same-origin")]).await.ok();
    ask(&[("origin", &shop.server.url)]).await.ok();
    for other in [
        &[("origin", "https://evil.example")][..],
        &[("origin", "https://shop.example.evil.example")],
        &[("origin", "http://shop.example")],
        &[("origin", "https://shop.example:8443")],
        &[("origin", "null")],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "none")],
    ] {
        let answer = ask(other).await;
        assert_eq!(answer.header("access-control-allow-origin"), "*", "pages can tell why");
        answer.fails(403, "origin_not_allowed");
    }
    let hello = json!({"message": "Hello"});
    let alone = shop.server.request(Method::POST, CHAT).key(&shop.key).json(&hello).send().await;
    alone.fails(403, "origin_not_allowed");
    // Without a page of its own, the server's pages are others, too.
    shop.change(json!({"page": null})).await.ok();
    ask(&[("sec-fetch-site", "same-origin")]).await.fails(403, "origin_not_allowed");
    shop.change(json!({"origins": ["https://other.example/"]})).await.ok();
    ask(&[("origin", SITE)]).await.fails(403, "origin_not_allowed");
    ask(&[("origin", "https://other.example")]).await.ok();
    assert_eq!(shop.server.get("/v1/agent/shop/sessions").await.ok()["meta"]["total_items"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn browsers_may_send_requests_to_public_operations_from_all_pages() {
    for settings in ["", "[cors]\norigins = \"https://app.example\""] {
        let shop = Shop::with(settings, json!({"origins": [SITE]})).await;
        let client = &shop.server.client;
        let preflight = client
            .request(Method::OPTIONS, format!("{}{CHAT}", shop.server.url))
            .header("origin", SITE)
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", "content-type,x-service-key");
        let answer = preflight.send().await.unwrap();
        assert!(answer.status().is_success(), "{settings}: {answer:?}");
        let allowed = answer.headers()["access-control-allow-origin"].to_str().unwrap();
        assert!(["*", SITE].contains(&allowed), "{allowed}");
        let headers = answer.headers()["access-control-allow-headers"].to_str().unwrap().to_owned();
        assert!(headers.contains("x-service-key") && headers.contains("content-type"), "{headers}");
        let told = shop.request(Method::GET, FORM).send().await;
        assert!(["*", SITE].contains(&told.header("access-control-allow-origin")));
        told.ok();
        // Other operations stay closed to pages.
        let other =
            client.get(format!("{}/v1/me", shop.server.url)).header("origin", SITE).send().await.unwrap();
        assert!(other.headers().get("access-control-allow-origin").is_none());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_public_key_has_limits_and_ends() {
    let shop = Shop::with("", json!({"origins": [SITE], "limits": {"requests_per_minute": 1}})).await;
    shop.request(Method::GET, FORM).send().await.ok();
    for (method, path) in [(Method::GET, FORM), (Method::POST, CHAT), (Method::GET, "/v1/public/sessions/x")]
    {
        let answer = shop.request(method, path).json(&json!({"message": "Hello"})).send().await;
        assert!(answer.header("access-control-expose-headers").contains("retry-after"));
        answer.fails(429, "rate_limited");
    }
    shop.change(json!({"limits": {"requests_per_minute": 100}})).await.ok();
    shop.request(Method::GET, FORM).send().await.ok();
    shop.server.delete("/v1/agent/shop").await.ok();
    shop.request(Method::GET, FORM).send().await.fails(404, "agent_not_found");
    shop.administer(Method::DELETE, &format!("/v1/keys/{}", shop.id), Value::Null).await.ok();
    shop.request(Method::GET, FORM).send().await.fails(401, "invalid_key");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_the_server_has_the_key_until_it_ends() {
    let shop = Shop::open().await;
    let page = async |name: &str| shop.server.request(Method::GET, &format!("/f/{name}")).open().send().await;
    let shown = page("order").await;
    assert_eq!((shown.status, shown.header("content-type")), (200, "text/html; charset=utf-8"));
    assert!(shown.text().contains(&format!("data-key=\"{}\"", shop.key)), "{}", shown.text());
    let policy = shown.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none'; script-src 'self';"), "{policy}");
    let script = shop.server.request(Method::GET, "/widget.js").open().send().await;
    assert_eq!(script.header("content-type"), "text/javascript; charset=utf-8");
    assert_eq!(script.header("cross-origin-resource-policy"), "cross-origin");
    for unknown in ["other", "Order", "order%2F", "%00"] {
        page(unknown).await.fails(404, "page_not_found");
    }
    let issue = async |page: &str| {
        let new = json!({"name": "second", "agent": "shop", "page": page});
        shop.administer(Method::POST, "/v1/keys", new).await
    };
    issue("order").await.fails(409, "page_taken");
    let second = text(&issue("second").await.ok()["id"]);
    let change = json!({"page": "order"});
    shop.administer(Method::PUT, &format!("/v1/keys/{second}"), change).await.fails(409, "page_taken");
    let rotate = format!("/v1/keys/{}/rotate", shop.id);
    let next = shop.administer(Method::POST, &rotate, json!({"grace_seconds": 600})).await.ok();
    let key = text(&next["secret"]);
    assert!(page("order").await.text().contains(&key), "the successor has the page");
    let stored = shop.administer(Method::GET, &format!("/v1/keys/{}", &key[..11]), Value::Null).await.ok();
    assert_eq!((&stored["page"], &stored["public_key"]), (&json!("order"), &json!(key)));
    shop.administer(Method::DELETE, &format!("/v1/keys/{}", &key[..11]), Value::Null).await.ok();
    page("order").await.fails(404, "page_not_found");
    issue("order").await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_public_key_is_refused_with_its_reason() {
    let shop = Shop::open().await;
    shop.server.post("/v1/agent", json!({"namespace": "free"})).await.ok();
    let issue = async |further: Value| {
        let mut new = json!({"name": "n", "agent": "shop"});
        new.as_object_mut().unwrap().extend(further.as_object().unwrap().clone());
        shop.administer(Method::POST, "/v1/keys", new).await
    };
    for (further, path) in [
        (json!({}), "/origins"),
        (json!({"origins": ["shop.example"]}), "/origins/0"),
        (json!({"origins": [SITE, "https://shop.example/a"]}), "/origins/1"),
        (json!({"origins": vec![SITE; 21]}), "/origins"),
        (json!({"page": "No Page"}), "/page"),
        (json!({"origins": [SITE], "scope": "admin"}), "/scope"),
        (json!({"origins": [SITE], "scope": "read"}), "/scope"),
        (json!({"origins": [SITE], "bases": ["kb_1"]}), "/bases"),
        (json!({"origins": [SITE], "agent": "free"}), "/agent"),
        (json!({"origins": [SITE], "agent": null}), "/origins"),
        (json!({"page": "alone", "agent": null}), "/page"),
    ] {
        issue(further).await.fails_at(400, "validation_failed", path);
    }
    issue(json!({"origins": [SITE], "agent": "unknown"})).await.fails(404, "agent_not_found");
    let secret = shop.administer(Method::POST, "/v1/keys", json!({"name": "secret"})).await.ok();
    assert_eq!(secret["public_key"], Value::Null);
    let path = format!("/v1/keys/{}", text(&secret["id"]));
    for (changes, place) in [(json!({"origins": [SITE]}), "/origins"), (json!({"page": "abc"}), "/page")] {
        shop.administer(Method::PUT, &path, changes).await.fails_at(400, "validation_failed", place);
    }
    shop.change(json!({"origins": [], "page": null})).await.fails_at(400, "validation_failed", "/origins");
    // The command line issues one, too.
    let issued = shop.server.home.told(&[
        "keys",
        "create",
        "--agent",
        "shop",
        "--origins",
        "https://cli.example/",
        "--page",
        "cli",
    ]);
    assert!(shop.server.request(Method::GET, "/f/cli").open().send().await.text().contains(&issued));
    let call = shop.server.request(Method::GET, FORM).key(&issued).header("origin", "https://cli.example");
    call.send().await.ok();
    assert!(shop.server.home.told(&["keys", "list"]).contains("public for shop"));
    assert!(!shop.server.home.run(&["keys", "create", "--page", "alone"]).status.success());
    assert!(
        !shop.server.home.run(&["keys", "create", "--agent", "shop", "--origins", "shop"]).status.success()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn visitors_at_the_same_time_have_conversations_of_their_own() {
    let shop = Arc::new(Shop::open().await);
    let visit = |crates: u32| {
        let shop = Arc::clone(&shop);
        tokio::spawn(async move {
            let session = text(&shop.say(None, "Hello").await["session_id"]);
            shop.say(Some(&session), &crates.to_string()).await["form"]["values"]["crates"].clone()
        })
    };
    let visits: Vec<_> = (1..=8).map(visit).collect();
    for (visit, crates) in visits.into_iter().zip(1..) {
        assert_eq!(visit.await.unwrap(), crates);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_visitor_is_told_that_a_person_answers_and_reads_what_is_new() {
    let shop = Shop::open().await;
    let session = text(&shop.say(None, "Hello").await["session_id"]);
    let kept = format!("/v1/agent/shop/sessions/{session}");
    shop.server.post(&format!("{kept}/takeover"), json!({})).await.ok();
    let held = shop.say(Some(&session), "12").await;
    assert_eq!((&held["text"], &held["taken_over"]), (&json!(""), &json!(true)));
    assert_eq!(held["form"]["values"]["crates"], Value::Null);
    shop.server.post(&format!("{kept}/messages"), json!({"content": "I am Ada."})).await.ok();
    let path = format!("/v1/public/sessions/{session}?after=3");
    let new = shop.request(Method::GET, &path).send().await.ok();
    assert_eq!(new["taken_over"], true);
    assert_eq!(new["messages"].as_array().unwrap().len(), 1, "{new}");
    let written = new["messages"][0].as_object().unwrap();
    let names: Vec<&String> = written.keys().collect();
    // Who the person is stays in the workspace.
    assert_eq!(names, ["number", "role", "content", "timestamp", "by_person"]);
    assert_eq!((&written["number"], &written["content"]), (&json!(4), &json!("I am Ada.")));
    let path = format!("/v1/public/sessions/{session}?after=-1");
    shop.request(Method::GET, &path).send().await.fails_at(400, "validation_failed", "?after");
    shop.server.delete(&format!("{kept}/takeover")).await.ok();
    let answered = shop.say(Some(&session), "12").await;
    assert_eq!((answered.get("taken_over"), &answered["form"]["values"]["crates"]), (None, &json!(12)));
}
