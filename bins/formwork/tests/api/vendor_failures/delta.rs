//! Batch extraction.

use serde_json::{Value, json};
use testkit::vendor::{Fault, ForcedFault, Vendor, delivery_note};

use super::kit::{GROUP, assert_named, assert_paid, assert_truthful, each};
use crate::kit::Server;

/// Calls for one group at the most: the first, and those that ask again.
const MOST_CALLS: u32 = 12;

async fn run(server: &Server) -> Value {
    server.agent("notes", delivery_note::schema()).await;
    let file = server.files(&[("note.txt", &delivery_note::text(GROUP))]).await.remove(0);
    server.delta("notes", "", &[&[&file["id"]]]).await
}

/// The one group has a truthful record, or its failure says what happened.
fn assert_told(fault: Fault, answer: &Value) {
    match answer["results"].get(0) {
        Some(record) => assert_truthful(record, &answer["errors"][0]),
        None => assert_named(fault, answer, answer["failed"][0]["error"]["code"].as_str().unwrap()),
    }
}

async fn always(fault: Fault, vendor: &Vendor, server: &Server) {
    let answer = run(server).await;
    assert_told(fault, &answer);
    if matches!(fault, Fault::Late | Fault::NoUsage | Fault::RepeatedRows) {
        assert!(delivery_note::is_right(GROUP, &answer["results"][0]), "{answer}");
    }
    assert_paid(fault, vendor, &answer["meta"]["usage"]);
    let calls = vendor.ledger().calls(GROUP);
    assert!((1..=MOST_CALLS).contains(&calls), "{calls} calls");
}

async fn once(fault: Fault, vendor: &Vendor, server: &Server) {
    let answer = run(server).await;
    assert_told(fault, &answer);
    let is_asked_again = matches!(
        fault,
        Fault::Prose
            | Fault::CutAtLimit
            | Fault::CutSilently
            | Fault::CutFirstValue
            | Fault::CutFirstValueAtLimit
            | Fault::Echo
            | Fault::EmptyObject
            | Fault::WrongKinds
            | Fault::EmptyContent
    );
    if is_asked_again {
        assert_eq!(answer["errors"], json!([[]]), "{answer}");
        assert!(delivery_note::is_right(GROUP, &answer["results"][0]), "{answer}");
    }
    assert_paid(fault, vendor, &answer["meta"]["usage"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_group_before_a_vendor_that_always_fails_has_a_truthful_record_or_the_failure() {
    each(ForcedFault::always, &[], always).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_is_no_use_is_asked_for_again_and_the_second_one_holds() {
    each(ForcedFault::once, &[], once).await;
}
