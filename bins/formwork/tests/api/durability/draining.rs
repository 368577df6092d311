//! A server that is asked to stop while its jobs wait for models.

use std::time::{Duration, Instant};

use serde_json::json;
use testkit::vendor::{Behaviour, Fault, ForcedFault, Vendor};

use super::batch::{begin, ended, kept, prepare, settings};
use crate::kit::{Home, Server, settle};

/// Groups in work at the same time.
const CONCURRENCY: usize = 32;
/// More than any test takes, so that nobody waits for the end of a lease.
const LEASE: &str = "lease_seconds = 3600";

/// Asks the server to stop, and waits until it has heard it.
async fn stop(server: &Server) {
    server.terminate();
    let address = server.address().to_owned();
    settle("no new connections", async || std::net::TcpStream::connect(&address).is_err()).await;
}

/// A run of `groups` groups whose server is asked to stop while as many calls as may be are in flight. They are
/// answered while it stops, and each group is asked for `calls` times in all.
async fn answered_while_it_stops(home: &Home, vendor: &Vendor, groups: usize, calls: u32) {
    let mut server = home.start();
    let run = prepare(&server, groups).await;
    vendor.pause();
    let sid = begin(&server, run).await;
    let in_flight = groups.min(CONCURRENCY) as u64;
    vendor.until_called(in_flight).await;
    stop(&server).await;
    vendor.resume();
    assert_eq!(server.wait().code(), Some(0));
    assert_eq!(vendor.calls(), in_flight, "calls were begun while it stopped");
    let again = home.start();
    let run = ended(&again, sid).await;
    assert_eq!((&run["state"], &run["successful"]), (&json!("succeeded"), &json!(groups)), "{run}");
    assert_eq!(run["groups"][0]["attempts"], 1, "{run}");
    assert_eq!(kept(&again).await.len(), groups);
    let ledger = vendor.ledger().clone();
    let asked: Vec<u32> = (0..groups).map(|group| ledger.calls(group)).collect();
    assert_eq!(asked, vec![calls; groups]);
    // The first answers of groups with several calls are used too.
    let spent = |name: &str| run["usage"][name].as_u64().unwrap();
    let charged = ledger.total();
    assert_eq!((spent("inputTokens"), spent("outputTokens")), (charged.input_tokens, charged.output_tokens));
}

/// The same with a vendor that does not answer in time.
async fn left_behind(home: &Home, vendor: &Vendor) {
    let mut server = home.start();
    let run = prepare(&server, 2).await;
    vendor.pause();
    let sid = begin(&server, run).await;
    vendor.until_called(2).await;
    let asked = Instant::now();
    server.terminate();
    assert_eq!(server.wait().code(), Some(0));
    assert!(asked.elapsed() < Duration::from_secs(30), "{:?}", asked.elapsed());
    vendor.resume();
    let run = ended(&home.start(), sid).await;
    assert_eq!((&run["state"], &run["groups"][0]["attempts"]), (&json!("succeeded"), &json!(1)), "{run}");
}

fn prompt(vendor: &Vendor) -> String {
    settings(vendor, &format!("run_concurrency = {CONCURRENCY}\n{LEASE}"), "")
}

fn late(vendor: &Vendor) -> String {
    settings(vendor, &format!("drain_seconds = 1\n{LEASE}"), "")
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_that_arrive_while_the_server_stops_are_kept_and_no_call_is_made_twice() {
    let vendor = Vendor::start(Behaviour::default()).unwrap();
    answered_while_it_stops(&Home::new(&prompt(&vendor)), &vendor, 2 * CONCURRENCY, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_group_that_needs_another_call_keeps_its_first_answer_for_the_next_server() {
    let vendor = Vendor::failing(ForcedFault::once(Fault::WrongKinds)).unwrap();
    answered_while_it_stops(&Home::new(&prompt(&vendor)), &vendor, CONCURRENCY, 2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_that_take_too_long_are_left_to_the_next_server_at_once() {
    let vendor = Vendor::start(Behaviour::default()).unwrap();
    left_behind(&Home::new(&late(&vendor)), &vendor).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn vectors_that_arrive_while_the_server_stops_are_kept_and_no_call_is_made_twice() {
    /// Five calls of 64 texts, four of which are made at the same time.
    const CHUNKS: usize = 5 * 64;
    let vendor = Vendor::start(Behaviour::default()).unwrap();
    let home = Home::new(&prompt(&vendor));
    let mut server = home.start();
    let wanted = json!({"name": "Harbour", "embeddingModel": "text-embedding-3-small@openai"});
    let base = server.post("/knowledgebase", wanted).await.ok()["knowledgeId"].clone();
    let base = format!("/knowledgebase/{}", base.as_str().unwrap());
    let chunk = |n: usize| json!({"title": "Berths", "content": format!("Berth number {n} is free.")});
    let chunks: Vec<_> = (0..CHUNKS).map(chunk).collect();
    vendor.pause();
    server.post(&format!("{base}/files"), json!({"chunks": chunks})).await.ok();
    vendor.until_called(4).await;
    stop(&server).await;
    vendor.resume();
    assert_eq!(server.wait().code(), Some(0));
    assert_eq!(vendor.calls(), 4, "calls were begun while it stopped");
    let again = home.start();
    settle("the vectors", async || again.get(&base).await.ok()["status"]["ready"] == 1).await;
    assert_eq!(vendor.ledger().vectors.calls, 5);
}

/// The same where several servers may share the database: the next one takes only what the first gave back.
pub(crate) async fn drained_on_postgres() {
    let vendor = Vendor::start(Behaviour::default()).unwrap();
    let Some(home) = Home::on_postgres_with(&prompt(&vendor)) else { return };
    answered_while_it_stops(&home, &vendor, 2 * CONCURRENCY, 1).await;
    let vendor = Vendor::start(Behaviour::default()).unwrap();
    let Some(home) = Home::on_postgres_with(&late(&vendor)) else { return };
    left_behind(&home, &vendor).await;
}
