//! Stopping: what is under way is brought to its end.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::json;

use crate::kit::{Server, invoice, invoice_schema, settle};

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_is_under_way_is_answered_before_the_server_ends() {
    let mut server = Server::start();
    server.agent("inv", invoice_schema()).await;
    let body = br#"{"title": "late", "schema": {"a": {"type": "string"}}}"#;
    let head = format!(
        "POST /v1/form HTTP/1.1\r\nhost: x\r\nx-service-key: {}\r\ncontent-length: {}\r\nexpect: 100-continue\r\n\r\n",
        server.key,
        body.len()
    );
    let mut stream = server.connect();
    stream.write_all(head.as_bytes()).unwrap();
    // The server has the request in work once it asks for the body.
    let mut asked = [0; 25];
    stream.read_exact(&mut asked).unwrap();
    assert!(asked.starts_with(b"HTTP/1.1 100 Continue"));
    // It asks just before it begins the work, and nothing outside shows the beginning.
    tokio::time::sleep(Duration::from_millis(300)).await;
    server.terminate();
    let address = server.address().to_owned();
    settle("no new connections", async || TcpStream::connect(&address).is_err()).await;
    assert!(server.process.try_wait().unwrap().is_none(), "it must wait for the open request");
    stream.write_all(body).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    assert_eq!(server.wait().code(), Some(0));
    let again = server.home.start();
    assert_eq!(again.get("/v1/form?title=late").await.ok()["meta"]["total_items"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_that_is_under_way_is_answered_whole_before_the_server_ends() {
    const GROUPS: usize = 120;
    let mut server = Server::with("workers.model_threads = 1\nlimits.run_concurrency = 2");
    server.agent("inv", invoice_schema()).await;
    let text = invoice("N-1", "5.00") + &"A line of a longer paper.\n".repeat(100);
    let file = server.files(&[("a.txt", &text)]).await.remove(0);
    let path = "/v1/agent/inv/workflow/delta";
    let groups = json!(vec![json!([{"url": file["id"]}]); GROUPS]);
    let call = server.request(Method::POST, path).json(&groups);
    let answer = tokio::spawn(call.send());
    settle("some progress", async || server.get(path).await.header("x-total-count") != "0").await;
    server.terminate();
    let answer = answer.await.unwrap().ok();
    assert_eq!(answer["results"].as_array().unwrap().len(), GROUPS);
    assert_eq!(server.wait().code(), Some(0));
    let again = server.home.start();
    assert_eq!(again.get(path).await.header("x-total-count"), GROUPS.to_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_connection_does_not_hold_up_the_end() {
    let mut server = Server::start();
    let mut idle = server.connect();
    idle.write_all(b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
    let mut some = [0; 12];
    idle.read_exact(&mut some).unwrap();
    server.terminate();
    assert_eq!(server.wait().code(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_never_arrives_holds_up_the_end_no_longer_than_the_settings_say() {
    let mut server = Server::with("limits.drain_seconds = 1");
    let mut stuck = server.connect();
    let head = format!(
        "POST /v1/form HTTP/1.1\r\nhost: x\r\nx-service-key: {}\r\ncontent-length: 9\r\n\r\n",
        server.key
    );
    stuck.write_all(head.as_bytes()).unwrap();
    server.terminate();
    assert_eq!(server.wait().code(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_that_arrives_byte_by_byte_holds_up_the_end_no_longer_than_the_settings_say() {
    let mut server = Server::with("limits.drain_seconds = 1");
    let mut slow = server.connect();
    let head = format!(
        "POST /v1/files HTTP/1.1\r\nhost: x\r\nx-service-key: {}\r\ncontent-length: 1000000\r\n\
         content-type: multipart/form-data; boundary=b\r\nexpect: 100-continue\r\n\r\n",
        server.key
    );
    slow.write_all(head.as_bytes()).unwrap();
    let mut asked = [0; 25];
    slow.read_exact(&mut asked).unwrap();
    slow.write_all(b"--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n\r\n").unwrap();
    let drips = std::thread::spawn(move || {
        // A write fails once the server has closed the connection.
        while slow.write_all(b"x").is_ok() {
            std::thread::sleep(Duration::from_millis(50));
        }
    });
    let begun = Instant::now();
    server.terminate();
    assert_eq!(server.wait().code(), Some(0));
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    drips.join().unwrap();
}

/// A connection of a server that is asked to stop while another request holds it up.
fn kept_while_it_stops(server: &Server) -> (TcpStream, TcpStream) {
    let mut held = server.connect();
    let head = format!(
        "POST /v1/form HTTP/1.1\r\nhost: x\r\nx-service-key: {}\r\ncontent-length: 9\r\nexpect: 100-continue\r\n\r\n",
        server.key
    );
    held.write_all(head.as_bytes()).unwrap();
    held.read_exact(&mut [0; 25]).unwrap();
    let mut kept = server.connect();
    kept.write_all(b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
    kept.read_exact(&mut [0; 12]).unwrap();
    (held, kept)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_on_a_connection_from_before_the_signal_is_refused_and_the_connection_closed() {
    let mut server = Server::with("limits.drain_seconds = 60");
    let (held, mut kept) = kept_while_it_stops(&server);
    server.terminate();
    let address = server.address().to_owned();
    settle("no new connections", async || TcpStream::connect(&address).is_err()).await;
    let head = format!("GET /v1/form HTTP/1.1\r\nhost: x\r\nx-service-key: {}\r\n\r\n", server.key);
    // The server may have closed the idle connection already.
    kept.write_all(head.as_bytes()).ok();
    let mut answer = String::new();
    kept.read_to_string(&mut answer).ok();
    let refused = answer.split("HTTP/1.1 ").nth(1).is_none_or(|answer| {
        answer.starts_with("503") && answer.contains("server_stopping") && answer.contains("retry-after: 1")
    });
    assert!(refused, "{answer}");
    drop(held);
    assert_eq!(server.wait().code(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_signal_ends_the_server_at_once() {
    let mut server = Server::with("limits.drain_seconds = 3600");
    let _streams = kept_while_it_stops(&server);
    server.terminate();
    let address = server.address().to_owned();
    settle("no new connections", async || TcpStream::connect(&address).is_err()).await;
    server.terminate();
    assert_eq!(server.wait().code(), Some(1));
}
