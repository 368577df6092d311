//! A server that is asked to stop while a run is followed.

use std::io::{Read as _, Write as _};
use std::time::Duration;

use testkit::vendor::{Behaviour, Vendor};

use super::batch::{PATH, begin, prepare, run, settings};
use crate::kit::{Server, settle};

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_of_events_does_not_hold_up_the_end_and_the_run_goes_on_with_the_next_server() {
    let behaviour = Behaviour { latency: Duration::from_secs(3_600), ..Behaviour::default() };
    let vendor = Vendor::start(behaviour).unwrap();
    let mut server = Server::with(&settings(&vendor, "drain_seconds = 1", ""));
    let groups = prepare(&server, 1).await;
    let sid = begin(&server, groups).await;
    let mut stream = server.connect();
    let head =
        format!("GET {PATH}/runs/{sid}/events HTTP/1.1\r\nhost: x\r\nx-service-key: {}\r\n\r\n", server.key);
    stream.write_all(head.as_bytes()).unwrap();
    let mut told = Vec::new();
    while !String::from_utf8_lossy(&told).contains("event: progress") {
        let mut piece = [0; 4_096];
        let read = stream.read(&mut piece).unwrap();
        assert!(read > 0, "{}", String::from_utf8_lossy(&told));
        told.extend_from_slice(&piece[..read]);
    }
    server.terminate();
    stream.read_to_end(&mut told).unwrap();
    let told = String::from_utf8_lossy(&told);
    assert!(told.ends_with("0\r\n\r\n") && !told.contains("event: end"), "{told}");
    let last = told.rsplit("event: ").next().unwrap();
    assert!(last.starts_with("error\ndata: ") && last.contains(r#""code":"server_stopping""#), "{told}");
    assert_eq!(server.wait().code(), Some(0));
    let again = server.home.start();
    assert_eq!(run(&again, sid).await["state"], "running");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_waits_for_a_run_whose_agent_is_deleted_does_not_wait_for_ever() {
    let behaviour = Behaviour { latency: Duration::from_secs(3_600), ..Behaviour::default() };
    let vendor = Vendor::start(behaviour).unwrap();
    let server = Server::with(&settings(&vendor, "", ""));
    let groups = prepare(&server, 1).await.to_string();
    let mut waiting = server.connect();
    let head = format!(
        "POST {PATH} HTTP/1.1\r\nhost: x\r\nx-service-key: {}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{groups}",
        server.key,
        groups.len()
    );
    waiting.write_all(head.as_bytes()).unwrap();
    settle("the call of the vendor", async || vendor.ledger().total().calls > 0).await;
    assert_eq!(server.delete("/v1/agent/notes").await.status, 200);
    let mut told = Vec::new();
    // The connection ends without the end of the answer, so that nobody takes it for whole.
    waiting.read_to_end(&mut told).ok();
    let told = String::from_utf8_lossy(&told);
    assert!(!told.ends_with("0\r\n\r\n"), "{told}");
}
