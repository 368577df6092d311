//! A vendor that goes wrong in every way at once: each group is right or told to have failed, and the sums are right.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use testkit::vendor::{Behaviour, Fault, Faults, Vendor, paper};

use super::batch::{PATH, prepare, settings};
use crate::kit::Server;

const GROUPS: usize = 600;
const FAULTS: Faults = Faults { rate_limited: 100, unavailable: 50, malformed: 30, cut: 20, hang: 10 };
/// What a token costs, in US dollars for a million of them.
const PRICES: &str = "[models.prices.\"bench@openai\"]\ninput = 2.0\noutput = 8.0\n";

#[tokio::test(flavor = "multi_thread")]
async fn before_a_vendor_that_goes_wrong_each_group_is_right_or_told_to_have_failed() {
    let behaviour =
        Behaviour { latency: Duration::from_millis(3), faults: FAULTS, seed: 5, ..Behaviour::default() };
    let vendor = Vendor::start(behaviour).unwrap();
    let limits = "run_concurrency = 64\nworkspace_concurrency = 64";
    let settings = settings(&vendor, limits, "call_seconds = 1") + PRICES;
    let server = Server::with(&settings);
    let run = prepare(&server, GROUPS).await;
    let answer = server.post(PATH, run).await.ok();
    let failed = failed(&answer);
    eprintln!("{:?}\nfailed: {failed:?}", vendor.ledger().faults);
    let right = assert_right(&answer, &failed);
    let meta = &answer["meta"];
    let counts = json!([GROUPS, right, failed.len()]);
    assert_eq!(json!([meta["total"], meta["successful"], meta["failed"]]), counts);
    assert!(failed.len() * 50 <= GROUPS, "{} groups failed: {failed:?}", failed.len());
    let accounts = vendor.ledger().clone();
    assert_eq!(accounts.strangers, 0);
    assert_every_kind(&accounts.faults);
    let charged = accounts.total();
    assert_eq!(meta["usage"]["input_tokens"], charged.input_tokens, "{meta}");
    assert_eq!(meta["usage"]["output_tokens"], charged.output_tokens, "{meta}");
}

/// The results are right, one for each group that did not fail, in their order; or where the vendor never gave a
/// value, it is null and told among the errors, which is rare. Answers how many there are.
fn assert_right(answer: &Value, failed: &BTreeMap<usize, String>) -> usize {
    let results = answer["results"].as_array().unwrap();
    let groups: Vec<usize> = (0..GROUPS).filter(|group| !failed.contains_key(group)).collect();
    assert_eq!(results.len(), groups.len(), "some groups are told twice or not at all");
    let mut lacking = 0;
    for ((group, result), errors) in groups.iter().zip(results).zip(answer["errors"].as_array().unwrap()) {
        if !paper::is_right(*group, result) {
            assert_told(*group, result, errors);
            lacking += 1;
        }
    }
    assert!(lacking * 200 <= GROUPS, "{lacking} of {GROUPS} results lack values");
    groups.len()
}

/// Each value that is not right is null, and its error does not put it on the documents.
fn assert_told(group: usize, result: &Value, errors: &Value) {
    let mut whole = result.clone();
    for (name, right) in paper::record(group).as_object().unwrap() {
        let error = errors.as_array().unwrap().iter().find(|error| error["path"] == format!("/{name}"));
        if let (Value::Null, Some(error)) = (&result[name], error) {
            assert!(!error["message"].as_str().unwrap().contains("the documents"), "group {group}: {error}");
            whole[name] = right.clone();
        }
    }
    assert!(paper::is_right(group, &whole), "group {group}: {result} {errors}");
}

/// The failed groups with their codes.
fn failed(answer: &Value) -> BTreeMap<usize, String> {
    let told = answer["failed"].as_array().unwrap().iter();
    told.map(|failure| {
        let group = usize::try_from(failure["group"].as_u64().unwrap()).unwrap();
        let error = &failure["error"];
        assert!(!error["message"].as_str().unwrap().is_empty(), "{failure}");
        (group, error["code"].as_str().unwrap().to_owned())
    })
    .collect()
}

fn assert_every_kind(faults: &BTreeMap<Fault, u32>) {
    for kind in [
        Fault::RateLimited,
        Fault::RateLimitedFor,
        Fault::Unavailable,
        Fault::Prose,
        Fault::NearlyJson,
        Fault::CutAtLimit,
        Fault::CutSilently,
        Fault::CutConnection,
        Fault::Hang,
    ] {
        assert!(faults.contains_key(&kind), "no call met {kind:?}: {faults:?}");
    }
}
