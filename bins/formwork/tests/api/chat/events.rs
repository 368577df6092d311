//! What webhooks are told of conversations.

use serde_json::json;
use testkit::upstream::{Reply, Upstream};

use super::kit::Conversations;
use crate::kit::{Server, invoice_schema, settle};

#[tokio::test(flavor = "multi_thread")]
async fn a_submission_is_told_to_the_webhooks_that_ask_for_it_without_its_values() {
    let server = Server::with("[fetch]\nallow = \"127.0.0.1\"");
    let receiver = Upstream::start(|_| Reply::whole(204, "text/plain", "")).unwrap();
    let form = server.agent("inv", invoice_schema()).await;
    for (path, events) in [("a", json!(["form.submitted"])), ("b", json!(["run.finished"]))] {
        let new = json!({"url": format!("{}/{path}", receiver.url()), "events": events});
        server.post("/v1/webhooks", new).await.ok();
    }
    let conversations = Conversations::of(&server, "inv");
    conversations.begin(&conversations.session("session_0", 0, json!({}))).await;
    conversations.submitted("session_1", "submission_1", json!({"total": 4})).await;
    settle("the message", async || receiver.count() == 1).await;
    let message = receiver.requests().remove(0);
    assert_eq!(message.path, "/a");
    let told = message.json();
    assert_eq!(told["type"], "form.submitted");
    assert_eq!(
        told["data"],
        json!({
            "namespace": "inv", "id": "submission_1", "session_id": "session_1", "form_id": form,
            "created_timestamp": "2023-11-14 22:13:20"
        })
    );
}
