//! Servers before a vendor that fails, and what may be told of it.

use std::fmt::Debug;
use std::panic::AssertUnwindSafe;

use futures_util::FutureExt as _;
use serde_json::{Value, json};
use testkit::vendor::{Fault, ForcedFault, Vendor, delivery_note};

use crate::kit::Server;

/// The paper that is read.
pub(super) const GROUP: usize = 7;
/// The model that is asked.
pub(super) const MODEL: &str = "bench@openai";

/// What the scripted vendor can do wrong.
pub(super) const FAULTS: [Fault; 21] = [
    Fault::RateLimited,
    Fault::RateLimitedFor,
    Fault::Unavailable,
    Fault::Prose,
    Fault::NearlyJson,
    Fault::CutAtLimit,
    Fault::CutSilently,
    Fault::CutConnection,
    Fault::Hang,
    Fault::Late,
    Fault::CutFirstValue,
    Fault::CutFirstValueAtLimit,
    Fault::Echo,
    Fault::RepeatedRows,
    Fault::EmptyObject,
    Fault::WrongKinds,
    Fault::NoUsage,
    Fault::UnknownModel,
    Fault::Refusal,
    Fault::ContentFilter,
    Fault::EmptyContent,
];

/// The code of an error that says what happened, where a fault has one of its own.
pub(super) fn code(fault: Fault) -> Option<&'static str> {
    Some(match fault {
        Fault::RateLimited | Fault::RateLimitedFor => "provider_rate_limited",
        Fault::Unavailable => "provider_overloaded",
        Fault::CutConnection => "provider_failed",
        Fault::Hang => "provider_timeout",
        Fault::UnknownModel => "unknown_model",
        _ => return None,
    })
}

/// The codes with which an answer that is no record may be told.
pub(super) const UNUSABLE: [&str; 6] = [
    "model_answer_unusable",
    "model_refused",
    "provider_refused",
    "provider_protocol",
    "schema_violation",
    "answer_cut_off",
];

/// A server without second tries before a vendor.
pub(super) fn server(vendor: &Vendor, fault: Fault) -> Server {
    // What hangs is given up soon; what is late must not be.
    let call_seconds = if fault == Fault::Late { 60 } else { 1 };
    Server::with(&format!(
        "[limits]\ngroup_attempts = 1\n[knowledge]\nattempts = 1\n\
         [models]\ndefault = \"{MODEL}\"\nretries = 0\ncall_seconds = {call_seconds}\n\
         [models.openai]\nkey = \"none\"\nbase_url = \"{}/v1\"\n",
        vendor.url()
    ))
}

/// Plays a case for each fault, with a vendor and a server of its own, and tells all that fail; `late` answers come
/// once the vendor has the question. What is known to fail is named in `known`, and must still fail.
pub(super) async fn each(
    failure: fn(Fault) -> ForcedFault,
    known: &[Fault],
    case: impl AsyncFn(Fault, &Vendor, &Server),
) {
    let (mut wrong, mut told_of) = (Vec::new(), String::new());
    for fault in FAULTS {
        let vendor = Vendor::failing(failure(fault)).unwrap();
        let server = server(&vendor, fault);
        let played = AssertUnwindSafe(case(fault, &vendor, &server)).catch_unwind();
        let released = async {
            vendor.until_called(1).await;
            vendor.release();
            std::future::pending().await
        };
        let played = tokio::select! {
            played = played => played,
            never = released => never,
        };
        if let Err(panic) = played {
            wrong.push(fault);
            told_of.push_str(&format!("{fault:?}: {}\n", told(panic.as_ref())));
        }
    }
    assert_eq!(wrong, known, "{told_of}");
}

fn told(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
}

/// A record holds what is right; of the rest it holds nothing, or the rows of a list that came, and an error that does
/// not put it on the documents.
pub(super) fn assert_truthful(record: &Value, errors: &Value) {
    let mut whole = record.clone();
    for (name, right) in delivery_note::record(GROUP).as_object().unwrap() {
        let is_in_part = match (whole[name].as_array(), right.as_array()) {
            (Some(rows), Some(right)) => {
                rows != right && rows.iter().all(|row| row.is_null() || right.contains(row))
            }
            _ => false,
        };
        if whole[name].is_null() || is_in_part {
            let at = |error: &&Value| error["path"].as_str().unwrap().starts_with(&format!("/{name}"));
            let error = errors.as_array().unwrap().iter().find(at);
            let error = error.unwrap_or_else(|| panic!("/{name} is not whole without an error: {errors}"));
            let message = error["message"].as_str().unwrap();
            assert!(!message.contains("the documents"), "{error}");
            whole[name] = right.clone();
        }
    }
    assert!(delivery_note::is_right(GROUP, &whole), "{record} {errors}");
}

/// The code of a failure is the fault's own, or one that says that the answer was no use.
pub(super) fn assert_named(fault: Fault, told: &(impl Debug + ?Sized), found: &str) {
    match code(fault) {
        Some(code) => assert_eq!(found, code, "{told:?}"),
        None => assert!(UNUSABLE.contains(&found), "{told:?}"),
    }
}

/// What the vendor charged so far, read and written.
pub(super) fn charged(vendor: &Vendor) -> (u64, u64) {
    let total = vendor.ledger().total();
    (total.input_tokens, total.output_tokens)
}

/// The usage that is told is what was charged; where the vendor counts nothing, it is estimated.
pub(super) fn assert_paid(fault: Fault, vendor: &Vendor, usage: &Value) {
    let told = (usage["inputTokens"].as_u64().unwrap(), usage["outputTokens"].as_u64().unwrap());
    match fault {
        Fault::NoUsage => assert!(told.0 > 0 && told.1 > 0, "{usage}"),
        _ => assert_eq!(told, charged(vendor), "{usage}"),
    }
}

/// The form's whole schema as a schema of JSON, of one field only: an answer that breaks off in it has no other.
pub(super) fn one_field() -> Value {
    json!({"type": "json_schema", "json_schema": {"name": "note", "schema": {
        "type": "object", "additionalProperties": false, "required": ["number"],
        "properties": {"number": {"type": "string"}}
    }}})
}
