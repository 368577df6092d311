//! Webhooks: what is told, to whom, under which signature, and what happens when nobody listens.

use reqwest::Method;
use serde_json::{Value, json};
use shared_core::Timestamp;
use testkit::upstream::{ReceivedRequest, Reply, Upstream};
use webhooks_core::SigningSecret;

use crate::kit::{Home, Parts, Server, encrypted_pdf, invoice, invoice_schema, settle};

const ALLOWED: &str = "[fetch]\nallow = \"127.0.0.1\"";

fn heard(status: u16) -> Reply {
    Reply::whole(status, "text/plain", "")
}

/// A receiver that answers with these statuses, then with 204.
fn receiver(statuses: &[u16]) -> Upstream {
    let first = statuses.to_vec();
    let count = std::sync::atomic::AtomicUsize::new(0);
    Upstream::start(move |_| {
        let place = count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        heard(first.get(place).copied().unwrap_or(204))
    })
    .unwrap()
}

async fn webhook(server: &Server, receiver: &Upstream, events: Value) -> Value {
    let new = json!({"url": format!("{}/hook?a=1", receiver.url()), "events": events, "description": "d"});
    server.post("/v1/webhooks", new).await.ok()
}

fn one(webhook: &Value) -> String {
    format!("/v1/webhooks/{}", webhook["id"].as_str().unwrap())
}

async fn deliveries(server: &Server, webhook: &Value) -> Vec<Value> {
    let list = server.get(&format!("{}/deliveries", one(webhook))).await.ok();
    list["deliveries"].as_array().unwrap().clone()
}

/// Waits until the newest delivery has this status, and gives it.
async fn ended(server: &Server, webhook: &Value, status: &str) -> Value {
    let newest = async || deliveries(server, webhook).await.first().cloned().unwrap_or_default();
    settle("the end of the delivery", async || newest().await["status"] == status).await;
    newest().await
}

/// Whether the message was signed with the secret of the webhook, under its time and id.
fn is_signed(message: &ReceivedRequest, webhook: &Value) -> bool {
    let secret = SigningSecret::parse(webhook["secret"].as_str().unwrap()).unwrap();
    let header = |name: &str| message.header(name).unwrap_or_default().to_owned();
    let seconds: i64 = header("webhook-timestamp").parse().unwrap();
    let at = Timestamp::from_micros(seconds * 1_000_000).unwrap();
    let body = std::str::from_utf8(&message.body).unwrap();
    header("webhook-signature") == secret.sign(&header("webhook-id"), at, body)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_run_and_the_fate_of_items_are_told_and_signed() {
    let (server, receiver) = (Server::with(ALLOWED), receiver(&[]));
    let hook = webhook(&server, &receiver, Value::Null).await;
    assert_eq!(
        hook["events"],
        json!(["run.finished", "item.ready", "item.failed", "form.submitted", "review.decided"])
    );
    server.agent("inv", invoice_schema()).await;
    let files = server.files(&[("a.txt", &invoice("A-1", "4.50")), ("b.txt", "")]).await;
    let run = server.delta("inv", "", &[&[&files[0]["id"]], &[&files[1]["id"]]]).await;
    settle("the end of the run", async || receiver.count() == 1).await;

    let base = server.post("/knowledgebase", json!({"name": "b"})).await.ok()["knowledgeId"].clone();
    let parts = Parts::new().file("c.txt", b"The ferry leaves at nine.").file("d.pdf", &encrypted_pdf());
    let path = format!("/knowledgebase/{}/files", base.as_str().unwrap());
    let added = server.request(Method::POST, &path).multipart(parts).send().await.ok();
    settle("the items", async || receiver.count() == 3).await;

    let messages = receiver.requests();
    for message in &messages {
        assert_eq!((message.method.as_str(), message.path.as_str()), ("POST", "/hook?a=1"));
        assert_eq!(message.header("content-type"), Some("application/json"));
        assert!(message.header("user-agent").unwrap().starts_with("Formwork/"), "{message:?}");
        assert!(is_signed(message, &hook), "{message:?}");
    }
    let told = |kind: &str| {
        let all = messages.iter().map(ReceivedRequest::json);
        let found: Vec<Value> = all.filter(|event| event["type"] == kind).collect();
        assert_eq!(found.len(), 1, "{found:?}");
        found[0]["data"].clone()
    };
    assert_eq!(
        told("run.finished"),
        json!({
            "sid": run["sid"], "namespace": "inv", "state": "partly_failed", "total": 2, "successful": 1,
            "failed": 1, "reviews": 0,
        })
    );
    let item = |place: usize| &added["files"][place];
    let position =
        server.get(&format!("/knowledgebase/files/{}", item(0)["id"].as_str().unwrap())).await.ok();
    let position = &position["index_position"];
    assert_eq!(
        told("item.ready"),
        json!({"knowledgeId": base, "id": item(0)["id"], "name": "c.txt", "status": "ready", "chunks": 1, "index_position": position})
    );
    let failed = told("item.failed");
    assert_eq!((&failed["id"], &failed["error"]["code"]), (&item(1)["id"], &json!("document_encrypted")));
    let listed = deliveries(&server, &hook).await;
    assert_eq!(listed.len(), 3);
    assert!(listed.iter().all(|one| one["payload"]["type"] == one["event"]), "{listed:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_is_made_shown_listed_and_deleted_and_its_secret_is_shown_once() {
    let (server, receiver) = (Server::with(ALLOWED), receiver(&[]));
    let made = webhook(&server, &receiver, json!(["item.failed", "item.failed"])).await;
    assert_eq!((&made["events"], &made["enabled"]), (&json!(["item.failed"]), &json!(true)));
    let mut shown = made.clone();
    shown.as_object_mut().unwrap().remove("secret").unwrap();
    assert_eq!(server.get(&one(&made)).await.ok(), shown);
    let list = server.get("/v1/webhooks").await.ok();
    assert_eq!((&list["webhooks"], &list["meta"]["total_items"]), (&json!([shown]), &json!(1)));
    // What it did not ask for it does not get.
    server.agent("inv", invoice_schema()).await;
    let file = server.files(&[("a.txt", &invoice("A-1", "4.50"))]).await.remove(0);
    server.delta("inv", "", &[&[&file["id"]]]).await;
    let test = server.post(&format!("{}/test", one(&made)), json!({})).await.ok();
    ended(&server, &made, "delivered").await;
    assert_eq!(
        receiver.requests().iter().map(|one| one.json()["type"].clone()).collect::<Vec<_>>(),
        ["webhook.test"]
    );
    server.delete(&one(&made)).await.ok();
    server.get(&one(&made)).await.fails(404, "webhook_not_found");
    server.delete(&one(&made)).await.fails(404, "webhook_not_found");
    server.get(&format!("{}/deliveries", one(&made))).await.fails(404, "webhook_not_found");
    server.post(&format!("{}/test", one(&made)), json!({})).await.fails(404, "webhook_not_found");
    let replay = format!("{}/deliveries/{}/replay", one(&made), test["id"].as_str().unwrap());
    server.post(&replay, json!({})).await.fails(404, "webhook_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_not_heard_is_tried_again_and_what_was_can_be_replayed_under_the_same_id() {
    let (server, receiver) = (Server::with(ALLOWED), receiver(&[503]));
    let hook = webhook(&server, &receiver, Value::Null).await;
    let test = server.post(&format!("{}/test", one(&hook)), json!({})).await.ok();
    assert_eq!((&test["status"], &test["event"]), (&json!("pending"), &json!("webhook.test")));
    let noted = async || deliveries(&server, &hook).await[0]["attempts"] == 1;
    settle("the first attempt", noted).await;
    let waiting = deliveries(&server, &hook).await.remove(0);
    assert_eq!((&waiting["status"], &waiting["response_status"]), (&json!("pending"), &json!(503)));
    assert_eq!(waiting["error"], "the receiver answered with status 503");
    // A replay does not wait for the pause to end.
    let replay = format!("{}/deliveries/{}/replay", one(&hook), test["id"].as_str().unwrap());
    server.post(&replay, json!({})).await.ok();
    let delivered = ended(&server, &hook, "delivered").await;
    assert_eq!((&delivered["attempts"], &delivered["error"]), (&json!(2), &Value::Null));
    server.post(&replay, json!({})).await.ok();
    settle("the replay", async || receiver.count() == 3).await;
    let ids: Vec<_> =
        receiver.requests().iter().map(|one| one.header("webhook-id").map(str::to_owned)).collect();
    assert!(ids.iter().all(|id| *id == test["id"].as_str().map(str::to_owned)), "{ids:?}");
    let unknown = format!("{}/deliveries/msg_x_1/replay", one(&hook));
    server.post(&unknown, json!({})).await.fails(404, "delivery_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_is_gone_is_told_no_more() {
    let (server, receiver) = (Server::with(ALLOWED), receiver(&[410]));
    let hook = webhook(&server, &receiver, Value::Null).await;
    let test = format!("{}/test", one(&hook));
    let sent = server.post(&test, json!({})).await.ok();
    ended(&server, &hook, "failed").await;
    let shown = server.get(&one(&hook)).await.ok();
    assert_eq!(shown["enabled"], json!(false), "{shown}");
    assert!(shown["disabled_reason"].as_str().unwrap().contains("410"), "{shown}");
    server.post(&test, json!({})).await.fails(409, "webhook_disabled");
    let replay = format!("{}/deliveries/{}/replay", one(&hook), sent["id"].as_str().unwrap());
    server.post(&replay, json!({})).await.fails(409, "webhook_disabled");
    assert_eq!(receiver.count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_on_its_way_when_the_server_died_is_sent_again() {
    let (home, receiver) = (Home::new(ALLOWED), Upstream::start(|_| Reply::raw().hold()).unwrap());
    let mut server = home.start();
    let hook = webhook(&server, &receiver, Value::Null).await;
    let sent = server.post(&format!("{}/test", one(&hook)), json!({})).await.ok();
    settle("the message", async || receiver.count() == 1).await;
    let home = server.kill();
    drop(server);
    let server = home.start();
    settle("the message again", async || receiver.count() == 2).await;
    let requests = receiver.requests();
    assert!(requests.iter().all(|one| one.header("webhook-id") == sent["id"].as_str()), "{requests:?}");
    // And what is deleted while it is on its way is no longer waited for.
    server.delete(&one(&hook)).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_that_must_not_be_reached_get_nothing() {
    let receiver = receiver(&[]);
    let home = Home::new("");
    let refused = home.start();
    for url in [
        &receiver.url() as &str,
        "http://localhost/",
        "http://169.254.169.254/latest",
        "http://[::1]/",
        "ftp://example.com/",
        "http://user:word@example.com/",
        "https://example.com:22/",
        "nonsense",
        "",
    ] {
        let answer = refused.post("/v1/webhooks", json!({"url": url})).await;
        answer.fails_at(400, "validation_failed", "/url");
    }
    let unknown = json!({"url": "https://example.com/", "events": ["run.begun"]});
    refused.post("/v1/webhooks", unknown).await.fails_at(400, "validation_failed", "/events/0");
    drop(refused);
    // One that was made while it was allowed.
    std::fs::write(
        home.path("formwork.toml"),
        format!("listen = \"127.0.0.1:0\"\ndata_dir = \"data\"\n{ALLOWED}\n"),
    )
    .unwrap();
    let server = home.start();
    let hook = webhook(&server, &receiver, Value::Null).await;
    drop(server);
    std::fs::write(home.path("formwork.toml"), "listen = \"127.0.0.1:0\"\ndata_dir = \"data\"\n").unwrap();
    let server = home.start();
    server.post(&format!("{}/test", one(&hook)), json!({})).await.ok();
    settle("the attempt", async || deliveries(&server, &hook).await[0]["attempts"] == 1).await;
    let told = deliveries(&server, &hook).await.remove(0);
    assert!(told["error"].as_str().unwrap().contains("not allowed"), "{told}");
    assert_eq!(receiver.count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn redirects_are_not_followed_and_a_workspace_has_a_hundred_webhooks_at_the_most() {
    let other = receiver(&[]);
    let to = format!("{}/elsewhere", other.url());
    let receiver = Upstream::start(move |_| Reply::whole_with(307, &[("location", &to)], "")).unwrap();
    let server = Server::with(ALLOWED);
    let hook = webhook(&server, &receiver, Value::Null).await;
    server.post(&format!("{}/test", one(&hook)), json!({})).await.ok();
    settle("the attempt", async || deliveries(&server, &hook).await[0]["attempts"] == 1).await;
    assert_eq!(deliveries(&server, &hook).await[0]["response_status"], 307);
    assert_eq!(other.count(), 0);
    for _ in 1..100 {
        webhook(&server, &receiver, Value::Null).await;
    }
    let more = json!({"url": format!("{}/", receiver.url())});
    server.post("/v1/webhooks", more).await.fails(409, "too_many_webhooks");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_sent_where_the_web_is_switched_off() {
    let server = Server::with("[fetch]\nweb = \"off\"");
    let answer = server.post("/v1/webhooks", json!({"url": "https://example.com/"})).await;
    let error = answer.fails_at(400, "validation_failed", "/url");
    assert!(error.to_string().contains("fetch.web"), "{error}");
}
