//! Conversations: with a form, as a record at once, and free.

use serde_json::{Value, json};
use testkit::vendor::{Fault, ForcedFault, Vendor, delivery_note};

use super::kit::{GROUP, MODEL, assert_named, assert_paid, assert_truthful, each};
use crate::generate::kit::booked;
use crate::kit::{Answer, Server};

const PATH: &str = "/v1/agent/notes/chat";

async fn say(server: &Server, body: Value) -> Answer {
    server.post(PATH, body).await
}

/// Whether the vendor's answer can be read and is right.
fn is_good(fault: Fault) -> bool {
    matches!(fault, Fault::Late | Fault::NoUsage | Fault::RepeatedRows)
}

/// What the rules understand stands whatever the vendor does, nothing else gets in, a warning says what happened, and what
/// was charged is told.
async fn guided(fault: Fault, vendor: &Vendor, server: &Server) {
    server.agent("notes", delivery_note::schema()).await;
    let number = delivery_note::number(GROUP);
    let told = say(server, json!({"message": format!("The number is {number}.")})).await.ok();
    let values = &told["form"]["values"];
    assert_eq!(values["number"], number, "{told}");
    for name in ["date", "customer", "goods", "total"] {
        assert!(values[name].is_null() || values[name] == json!([]), "{told}");
    }
    let warnings = told["warnings"].as_array().unwrap();
    assert_eq!(warnings.is_empty(), is_good(fault), "{told}");
    if !fault.is_free() {
        assert_paid(fault, vendor, &told["usage"]);
    }
}

async fn record(fault: Fault, _: &Vendor, server: &Server) {
    server.agent("notes", delivery_note::schema()).await;
    let answer = say(server, json!({"message": delivery_note::text(GROUP), "response_format": "json"})).await;
    let told = answer.value();
    match told.get("record") {
        Some(record) => assert_truthful(record, &told["errors"]),
        None => assert_named(fault, &told, told["code"].as_str().unwrap()),
    }
}

async fn plain(fault: Fault, _: &Vendor, server: &Server) {
    server.post("/v1/agent", json!({"namespace": "notes"})).await.ok();
    let answer = say(server, json!({"message": delivery_note::text(GROUP)})).await;
    let told = answer.value();
    match told["text"].as_str() {
        Some(text) => {
            assert!(super::kit::code(fault).is_none(), "{told}");
            assert!(!text.is_empty() || told["warnings"][0].is_string(), "{told}");
            let reasons: &[&str] = match fault {
                Fault::CutAtLimit | Fault::CutFirstValueAtLimit => &["length"],
                Fault::ContentFilter | Fault::Refusal => &["content_filter", "refused", "refusal"],
                _ => &["stop"],
            };
            assert!(reasons.contains(&told["finishReason"].as_str().unwrap_or_default()), "{told}");
        }
        None => assert_named(fault, &told, told["code"].as_str().unwrap()),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guided_conversation_keeps_what_the_rules_understood_and_warns() {
    each(ForcedFault::always, &[], guided).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_hangs_holds_a_turn_until_its_deadline_and_is_booked() {
    let vendor = Vendor::failing(ForcedFault::always(Fault::Late)).unwrap();
    // The call itself may take far longer than a turn; the vendor gives its answer only when the turn is over.
    let server = Server::with(&format!(
        "[chat]\nturn_seconds = 1\n[models]\ndefault = \"{MODEL}\"\ncall_seconds = 600\n\
         [models.openai]\nkey = \"none\"\nbase_url = \"{}/v1\"\n",
        vendor.url()
    ));
    server.agent("notes", delivery_note::schema()).await;
    let number = delivery_note::number(GROUP);
    let told = say(&server, json!({"message": format!("The number is {number}")})).await.ok();
    assert_eq!(told["form"]["values"]["number"], number, "{told}");
    let warning = told["warnings"][0].as_str().unwrap();
    assert!(warning.contains("did not answer within the limit of 1 s per turn"), "{warning}");
    assert_eq!(vendor.calls(), 1);
    vendor.release();
    booked(&server, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_at_once_is_truthful_or_the_failure_is_named() {
    each(ForcedFault::always, &[], record).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn free_talk_says_how_the_answer_ended_or_is_a_failure_that_is_named() {
    each(ForcedFault::always, &[], plain).await;
}
