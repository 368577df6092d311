//! A server that is asked to stop while it does something that takes long.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::json;
use testkit::upstream::{Reply, Upstream};
use testkit::vendor::{Behaviour, Vendor};
use tokio::sync::watch;

use super::batch::{PATH, begin, prepare, run, settings};
use crate::generate::kit::{piece, settings as vendor_settings, streamed};
use crate::kit::{Server, invoice, invoice_schema, settle};

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
    let groups = prepare(&server, 1).await;
    let mut waiting = server.send_json(PATH, &groups);
    settle("the call of the vendor", async || vendor.ledger().total().calls > 0).await;
    assert_eq!(server.delete("/v1/agent/notes").await.status, 200);
    let mut told = Vec::new();
    // The connection ends without the end of the answer, so that nobody takes it for whole.
    waiting.read_to_end(&mut told).ok();
    let told = String::from_utf8_lossy(&told);
    assert!(!told.ends_with("0\r\n\r\n"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_streamed_chat_that_does_not_end_in_time_says_so_and_leaves_no_half_answer() {
    let reply = Reply::event_stream().event(&piece("The harbour ")).hold();
    let vendor = Upstream::start_replies([reply, streamed(&["The harbour opens at six."])]).unwrap();
    let mut server =
        Server::with(&format!("limits.drain_seconds = 1\n{}", vendor_settings(&vendor.url(), "")));
    server.post("/v1/agent", json!({"namespace": "desk", "modelId": "gpt-4.1@openai"})).await.ok();
    let body = json!({"message": "When does the harbour open?", "stream": true});
    let mut stream = server.send_json("/v1/agent/desk/chat", &body);
    vendor.wait_for_requests(1).await;
    server.terminate();
    let mut told = String::new();
    stream.read_to_string(&mut told).unwrap();
    let last = told.rsplit("event: ").next().unwrap();
    assert!(last.starts_with("error\ndata: ") && last.contains(r#""code":"server_stopping""#), "{told}");
    assert!(!told.contains("event: done"), "{told}");
    assert_eq!(server.wait().code(), Some(0));
    let again = server.home.start();
    assert_eq!(again.get("/v1/agent/desk/sessions").await.ok()["sessions"], json!([]));
    let answer = again.post("/v1/agent/desk/chat", body).await;
    assert!(answer.text().contains("event: done"), "{answer:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delivery_that_is_answered_while_the_server_stops_is_not_made_again() {
    let (open, opened) = watch::channel(false);
    let receiver = Upstream::start(move |_| {
        Reply::raw().until(opened.clone()).followed_by(Reply::whole(204, "text/plain", ""))
    })
    .unwrap();
    let mut server = Server::with("[fetch]\nallow = \"127.0.0.1\"");
    let hook = json!({"url": receiver.url(), "events": ["run.finished"]});
    let hook = server.post("/v1/webhooks", hook).await.ok()["id"].clone();
    server.agent("inv", invoice_schema()).await;
    let file = server.files(&[("a.txt", &invoice("A-1", "4.50"))]).await.remove(0);
    server.delta("inv", "", &[&[&file["id"]]]).await;
    receiver.wait_for_requests(1).await;
    server.terminate();
    let address = server.address().to_owned();
    settle("no new connections", async || TcpStream::connect(&address).is_err()).await;
    open.send(true).unwrap();
    assert_eq!(server.wait().code(), Some(0));
    let again = server.home.start();
    let path = format!("/v1/webhooks/{}/deliveries", hook.as_str().unwrap());
    let deliveries = again.get(&path).await.ok()["deliveries"].clone();
    assert_eq!(deliveries[0]["status"], "delivered", "{deliveries}");
    assert_eq!((deliveries.as_array().unwrap().len(), receiver.count()), (1, 1), "{deliveries}");
}
