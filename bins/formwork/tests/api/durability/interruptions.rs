//! A group whose document ends the process, among others that do not.

use std::time::Duration;

use serde_json::json;
use testkit::vendor::{Behaviour, Fault, ForcedFault, Vendor};

use super::batch::{begin, ended, failed, kept, prepare, settings};
use crate::kit::{Home, settle};

const GROUPS: usize = 40;
/// Groups in work at the same time, and so the most that a death can cut off.
const CONCURRENCY: u32 = 8;
/// The group that ends each process that works at it.
const CAUSE: usize = 5;
/// Deaths beside other groups, and deaths alone, until the group fails.
const DEATHS: u32 = 4 + 5;

#[tokio::test(flavor = "multi_thread")]
async fn the_group_that_ends_the_process_fails_and_no_other() {
    found(|settings| Some(Home::new(settings))).await;
}

pub(crate) async fn found_on_postgres() {
    found(Home::on_postgres_with).await;
}

async fn found(home: impl FnOnce(&str) -> Option<Home>) {
    let failure = Some(ForcedFault::of_group(Fault::Hang, CAUSE));
    let latency = Duration::from_millis(20);
    let vendor = Vendor::start(Behaviour { latency, failure, ..Behaviour::default() }).unwrap();
    let limits = format!("run_concurrency = {CONCURRENCY}\nlease_seconds = 3");
    let Some(home) = home(&settings(&vendor, &limits, "")) else { return };
    let mut server = home.start();
    let groups = prepare(&server, GROUPS).await;
    let sid = begin(&server, groups).await;
    for death in 0..DEATHS {
        let calls = async || vendor.ledger().calls(CAUSE);
        settle("a call for the group", async || calls().await > death).await;
        server.kill();
        server = home.start();
    }
    let run = ended(&server, sid).await;
    assert_eq!((&run["successful"], &run["failed"]), (&json!(GROUPS - 1), &json!(1)), "{run}");
    assert_eq!(kept(&server).await.len(), GROUPS - 1);
    let failed = failed(&server, sid, GROUPS).await;
    assert_eq!(failed[&CAUSE], ("internal".to_owned(), "interrupted".to_owned()));
    let ledger = vendor.ledger().clone();
    assert_eq!(ledger.calls(CAUSE), DEATHS, "it was tried again after it was found");
    let repeated: u32 =
        (0..GROUPS).filter(|group| *group != CAUSE).map(|group| ledger.calls(group) - 1).sum();
    // Only deaths beside other groups cut off others.
    assert!(repeated <= 4 * (CONCURRENCY - 1), "{repeated} calls were made again");
}
