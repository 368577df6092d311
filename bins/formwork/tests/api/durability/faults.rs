//! A vendor that goes wrong in every way at once: each group is right or told to have failed, and the sums are right.

use std::collections::{BTreeMap, BTreeSet};
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
    let right = right(&answer);
    eprintln!("{:?}\nfailed: {failed:?}", vendor.ledger().faults);
    let all: Vec<usize> = right.iter().chain(failed.keys()).copied().collect();
    assert_eq!(all.len(), GROUPS, "some groups are told twice or not at all");
    assert_eq!(all.into_iter().collect::<BTreeSet<_>>(), (0..GROUPS).collect());
    let meta = &answer["meta"];
    let counts = json!([GROUPS, right.len(), failed.len()]);
    assert_eq!(json!([meta["total"], meta["successful"], meta["failed"]]), counts);
    assert!(failed.len() * 50 <= GROUPS, "{} groups failed: {failed:?}", failed.len());
    let accounts = vendor.ledger().clone();
    assert_eq!(accounts.strangers, 0);
    assert_every_kind(&accounts.faults);
    let charged = accounts.total();
    assert_eq!(meta["usage"]["input_tokens"], charged.input_tokens, "{meta}");
    assert_eq!(meta["usage"]["output_tokens"], charged.output_tokens, "{meta}");
}

/// The groups of the results, all right and in their order.
fn right(answer: &Value) -> Vec<usize> {
    let results = answer["results"].as_array().unwrap();
    let groups: Vec<usize> = results.iter().map(|result| paper::group_of(result).unwrap()).collect();
    for (position, (group, result)) in groups.iter().zip(results).enumerate() {
        let errors = &answer["errors"][position];
        assert!(paper::is_right(*group, result), "group {group}: {result} {errors}");
    }
    assert!(groups.is_sorted(), "the results are not in the order of their groups");
    groups
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
