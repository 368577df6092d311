//! A vendor that goes wrong in every way at once: each group is right or told to have failed, and the sums are right.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use testkit::vendor::{Accounts, Behaviour, Fault, FaultRates, Vendor, delivery_note};

use super::batch::{PATH, begin, ended, failed, prepare, responses, settings};
use crate::kit::Server;

const GROUPS: usize = 600;
const FAULTS: FaultRates =
    FaultRates { rate_limited: 100, unavailable: 50, malformed: 30, cut: 20, hang: 10 };
const CONCURRENCY: &str = "run_concurrency = 64\nworkspace_concurrency = 64";

fn vendor(seed: u64) -> Vendor {
    let latency = Duration::from_millis(3);
    Vendor::start(Behaviour { latency, faults: FAULTS, seed, ..Behaviour::default() }).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn before_a_vendor_that_goes_wrong_each_group_is_right_or_told_to_have_failed() {
    let vendor = vendor(5);
    let server = Server::with(&settings(&vendor, CONCURRENCY, "call_seconds = 1"));
    let groups = prepare(&server, GROUPS).await;
    let answer = server.post(PATH, groups).await.ok();
    let told: BTreeSet<usize> =
        answer["failed"].as_array().unwrap().iter().map(|failure| at(failure, "group")).collect();
    let right = assert_right(&answer, &told);
    let meta = &answer["meta"];
    let counts = json!([GROUPS, right, told.len()]);
    assert_eq!(json!([meta["total"], meta["successful"], meta["failed"]]), counts);
    let sid = answer["sid"].as_u64().unwrap();
    let failed = failed(&server, sid, GROUPS).await;
    assert_eq!(failed.keys().copied().collect::<BTreeSet<_>>(), told);
    assert!(failed.len() * 100 <= GROUPS, "{} of {GROUPS} groups failed: {failed:?}", failed.len());
    let accounts = vendor.ledger().clone();
    assert_every_kind(&accounts.faults);
    let run = ended(&server, sid).await;
    assert_eq!(run["usage"], meta["usage"]);
    assert_paid(&accounts, &run);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_failed_and_only_that_is_done_again_until_all_is_right() {
    let vendor = vendor(9);
    let limits = format!("group_attempts = 1\n{CONCURRENCY}");
    let server = Server::with(&settings(&vendor, &limits, "call_seconds = 1\nretries = 1"));
    let groups = prepare(&server, GROUPS).await;
    let sid = begin(&server, groups).await;
    let mut run = ended(&server, sid).await;
    assert_eq!(run["state"], "partly_failed");
    // On a machine with other work, calls time out by themselves and the circuit breaker opens.
    for _ in 0..40 {
        let failed = failed(&server, sid, GROUPS).await;
        assert_eq!(run["failed"], failed.len(), "{run}");
        assert!(
            failed.values().all(|(class, _)| ["model", "validation"].contains(&class.as_str())),
            "{failed:?}"
        );
        let before = vendor.ledger().clone();
        if failed.is_empty() {
            break;
        }
        if failed.values().any(|(_, code)| code == "provider_paused") {
            tokio::time::sleep(Duration::from_secs(2)).await;
        }
        let before_again = responses(&server).await;
        let again = server.request(Method::POST, &format!("{PATH}/runs/{sid}/retry")).send().await;
        assert_eq!(again.status, 202, "{again:?}");
        run = ended(&server, sid).await;
        let after = vendor.ledger().clone();
        let now = responses(&server).await;
        assert!(before_again.iter().all(|kept| now.contains(kept)), "what had not failed was changed");
        for group in (0..GROUPS).filter(|group| !failed.contains_key(group)) {
            assert_eq!(after.calls(group), before.calls(group), "group {group} had not failed");
        }
    }
    assert_eq!(run["state"], "succeeded", "{run}");
    let responses = responses(&server).await;
    assert_eq!(responses.len(), GROUPS);
    // Where the second question about a value got no answer, the value is null.
    let lacking = responses
        .iter()
        .enumerate()
        .filter(|(group, response)| !delivery_note::is_right(*group, response))
        .count();
    assert!(lacking * 100 <= GROUPS, "{lacking} of {GROUPS} responses are not right");
    assert_paid(&vendor.ledger(), &run);
}

/// What the run says it spent is what the vendor says it charged.
fn assert_paid(accounts: &Accounts, run: &Value) {
    let charged = accounts.total();
    assert_eq!(accounts.unknown_requests, 0);
    assert_eq!(run["usage"]["inputTokens"], charged.input_tokens, "{run}");
    assert_eq!(run["usage"]["outputTokens"], charged.output_tokens, "{run}");
}

fn at(value: &Value, name: &str) -> usize {
    usize::try_from(value[name].as_u64().unwrap()).unwrap()
}

/// The results are right, one for each group that did not fail, in their order; or where the vendor never gave a
/// value, it is null and told among the errors, which is rare. Answers how many there are.
fn assert_right(answer: &Value, failed: &BTreeSet<usize>) -> usize {
    let results = answer["results"].as_array().unwrap();
    let groups: Vec<usize> = (0..GROUPS).filter(|group| !failed.contains(group)).collect();
    assert_eq!(results.len(), groups.len(), "some groups are told twice or not at all");
    let mut lacking = 0;
    for ((group, result), errors) in groups.iter().zip(results).zip(answer["errors"].as_array().unwrap()) {
        if !delivery_note::is_right(*group, result) {
            assert_told(*group, result, errors);
            lacking += 1;
        }
    }
    assert!(lacking * 500 <= GROUPS, "{lacking} of {GROUPS} results lack values");
    groups.len()
}

/// Each value that is not right is null, and its error does not put it on the documents.
fn assert_told(group: usize, result: &Value, errors: &Value) {
    let mut whole = result.clone();
    for (name, right) in delivery_note::record(group).as_object().unwrap() {
        let error = errors.as_array().unwrap().iter().find(|error| error["path"] == format!("/{name}"));
        if let (Value::Null, Some(error)) = (&result[name], error) {
            assert!(!error["message"].as_str().unwrap().contains("the documents"), "group {group}: {error}");
            whole[name] = right.clone();
        }
    }
    assert!(delivery_note::is_right(group, &whole), "group {group}: {result} {errors}");
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
