//! Servers whose clocks differ, on one database. Leases are by the clock of the database, so nobody takes the jobs of
//! a server that is at work.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;
use testkit::vendor::{Behaviour, Vendor};

use super::batch::{begin, ended, prepare, settings};
use crate::kit::{Home, Server, formwork, preload};

/// Seconds between the clocks of two servers; more than a lease and all else that servers wait for.
const DIFFERENCE: i64 = 45;
/// Groups that a server has in work at most, and groups of a run.
const PERMITS: usize = 8;
const GROUPS: usize = 100;
const LEASE: Duration = Duration::from_secs(4);

/// A server that shares the data and the database of the others, with a clock that is off by `offset` seconds.
fn start(home: &Home, library: &Path, offset: i64) -> Server {
    let mut command = formwork(&home.path(""));
    command.env("LD_PRELOAD", library).env("CLOCK_OFFSET", offset.to_string());
    command.env("FORMWORK_KNOWLEDGE__INDEX", home.path(&format!("index{offset}")));
    home.start_with(command)
}

/// The time of day that a server tells, in seconds since midnight.
async fn time_of(server: &Server) -> i64 {
    let answer = server.get("/health").await;
    let time = answer.header("date").split(' ').find(|part| part.contains(':')).unwrap();
    time.split(':').fold(0, |seconds, part| seconds * 60 + part.parse::<i64>().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_whose_clocks_differ_share_a_run_and_make_each_call_once() {
    let vendor = Vendor::start(Behaviour::default()).unwrap();
    let limits = format!(
        "run_concurrency = 64\nworkspace_concurrency = 64\ntotal_concurrency = {PERMITS}\n\
         lease_seconds = {}",
        LEASE.as_secs()
    );
    let Some(home) = Home::on_postgres_with(&settings(&vendor, &limits, "")) else { return };
    let Some(library) = preload(&home, include_str!("shim.c")) else { return };
    let behind = start(&home, &library, 0);
    let mut ahead = start(&home, &library, DIFFERENCE);
    let difference = (time_of(&ahead).await - time_of(&behind).await).rem_euclid(24 * 60 * 60);
    assert!((DIFFERENCE - 5..=DIFFERENCE + 5).contains(&difference), "{difference} seconds");
    let papers = prepare(&behind, 3 * GROUPS).await;
    let papers = papers.as_array().unwrap();
    for (run, server) in [&behind, &ahead].into_iter().enumerate() {
        let sid = begin_on_both(&vendor, server, &papers[run * GROUPS..][..GROUPS]).await;
        let calls = vendor.calls();
        // Both hold leases, which end twice unless they are renewed.
        tokio::time::sleep(2 * LEASE + Duration::from_secs(1)).await;
        assert_eq!(vendor.calls(), calls, "jobs of a server at work were taken");
        vendor.resume();
        let told = ended(&behind, sid).await;
        assert_eq!((&told["state"], &told["successful"]), (&"succeeded".into(), &GROUPS.into()), "{told}");
    }
    let ledger = vendor.ledger().clone();
    let calls: Vec<u32> = (0..2 * GROUPS).map(|group| ledger.calls(group)).collect();
    assert_eq!(calls, [1; 2 * GROUPS]);
    // What a dead server held is free after its lease, and not when its clock says so.
    let sid = begin_on_both(&vendor, &ahead, &papers[2 * GROUPS..]).await;
    ahead.kill();
    vendor.resume();
    let killed = Instant::now();
    assert_eq!(ended(&behind, sid).await["successful"], GROUPS);
    let took = killed.elapsed();
    assert!(took < Duration::from_secs(DIFFERENCE.unsigned_abs()), "{took:?}");
}

/// Begins a run before a vendor that does not answer, and waits until both servers have calls in flight.
async fn begin_on_both(vendor: &Vendor, server: &Server, papers: &[Value]) -> u64 {
    vendor.pause();
    let before = vendor.calls();
    let sid = begin(server, papers.into()).await;
    vendor.until_called(before + 2 * PERMITS as u64).await;
    sid
}
