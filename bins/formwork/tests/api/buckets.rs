//! File contents in a bucket: the interface is the same, an outage is told, and each command does its part.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use testkit::TcpProxy;

use crate::kit::{Home, Parts, Server, settle};

/// The endpoint of the server that `FORMWORK_TEST_S3` names; `None`, after saying so, without one.
#[expect(clippy::disallowed_methods, reason = "the server is named by the environment")]
fn endpoint() -> Option<String> {
    let endpoint = std::env::var("FORMWORK_TEST_S3").ok();
    if endpoint.is_none() {
        eprintln!("FORMWORK_TEST_S3 is not set: buckets are SKIPPED");
    }
    endpoint
}

fn bucket(endpoint: &str) -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = format!("api-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    testkit::create_bucket(endpoint, &name).unwrap();
    name
}

fn settings(endpoint: &str, bucket: &str) -> String {
    format!(
        "blobs = \"s3://{bucket}/formwork\"\ns3.endpoint = \"{endpoint}\"\ns3.access_key_id = \"test\"\n\
         s3.secret_access_key = \"never-printed\""
    )
}

/// The bytes at the URL of a file's record, or of one of its ranges.
async fn content(server: &Server, file: &Value, range: &str) -> Vec<u8> {
    let path = file["url"].as_str().unwrap().split_once("/files/").unwrap().1;
    let url = format!("{}/files/{path}", server.url);
    let call = server.client.get(url).header("range", range);
    call.send().await.unwrap().bytes().await.unwrap().to_vec()
}

#[tokio::test(flavor = "multi_thread")]
async fn files_in_a_bucket_are_uploaded_ranged_kept_and_deleted() {
    let Some(endpoint) = endpoint() else { return };
    let bucket = bucket(&endpoint);
    let home = Home::new(&settings(&endpoint, &bucket));
    let mut server = home.start();
    let large: Vec<u8> = (0..30_000_000_usize).map(|at| (at / 7 + at % 251) as u8).collect();
    let parts = Parts::new().file("large.bin", &large).file("a.txt", b"hello");
    let files = server.upload(parts).await.ok();
    assert_eq!(content(&server, &files[0], "bytes=8388600-8388700").await, large[8_388_600..=8_388_700]);
    assert_eq!(content(&server, &files[0], "").await, large);
    assert!(server.stored("blobs").is_empty());

    let server = server.kill().start();
    assert_eq!(content(&server, &files[1], "bytes=1-2").await, b"el");
    server.get("/ready").await.ok();
    let told = home.told(&["doctor"]);
    assert!(
        told.contains(&format!("s3://{bucket}/formwork can be listed, written to and deleted from")),
        "{told}"
    );
    let told = home.told(&["check"]);
    assert!(told.contains("all blobs: 2 (30000005 bytes). Their sizes were compared"), "{told}");
    assert!(!home.told(&["config"]).contains("never-printed"));
    // A copy of the contents in a folder, and from there into another bucket.
    let backup = home.path("backup");
    home.told(&["backup", backup.to_str().unwrap()]);
    let other = Home::new(&settings(&endpoint, &self::bucket(&endpoint)));
    other.told(&["restore", backup.to_str().unwrap()]);
    assert!(other.told(&["check"]).contains("all blobs: 2 (30000005 bytes)"));

    server.delete(&format!("/v1/files/{}", files[0]["id"])).await.ok();
    let listed = testkit::request_bucket(&endpoint, "GET", &format!("/{bucket}?list-type=2")).unwrap();
    assert_eq!(listed.matches("<Key>formwork/").count(), 1, "{listed}");
    let key = listed.split_once("<Key>").unwrap().1.split_once('<').unwrap().0;
    testkit::request_bucket(&endpoint, "PUT", &format!("/{bucket}/{key}")).unwrap();
    let output = home.run(&["check"]);
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("its content is not what was stored"),
        "{output:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_that_is_away_or_hangs_is_an_outage_that_passes() {
    let Some(endpoint) = endpoint() else { return };
    let proxy = TcpProxy::start(endpoint.strip_prefix("http://").unwrap()).unwrap();
    let bucket = bucket(&endpoint);
    let server = Server::with(&settings(&format!("http://{}", proxy.address), &bucket));
    let file = server.files(&[("a.txt", "hello")]).await.remove(0);
    proxy.refuse();
    let upload = server.request(Method::POST, "/v1/files").multipart(Parts::new().file("b.txt", b"b"));
    upload.within(Duration::from_secs(60)).send().await.fails(503, "content_unavailable");
    let ask = json!({"modelId": "extractive@formwork", "prompt": "What is it?", "urls": [file["id"]]});
    let ask = || {
        let call =
            server.request(Method::POST, "/v2/generate").header("idempotency-key", "asked-1").json(&ask);
        call.within(Duration::from_secs(60))
    };
    ask().send().await.fails(503, "content_unavailable");
    server.get("/ready").await.fails_at(503, "not_ready", "blobs");
    proxy.hold();
    server.get("/ready").await.fails_at(503, "not_ready", "blobs");
    // What needs no content works meanwhile.
    assert_eq!(server.get("/v1/files").await.ok()["meta"]["total_items"], 1);
    proxy.refuse();
    proxy.resume();
    settle("readiness", async || server.get("/ready").await.status == 200).await;
    assert_eq!(content(&server, &file, "").await, b"hello");
    server.files(&[("b.txt", "b")]).await;
    ask().send().await.ok();
}

#[test]
fn a_bucket_that_cannot_be_used_is_named_at_the_start_and_by_the_doctor() {
    let Some(endpoint) = endpoint() else { return };
    let missing = Home::new(&settings(&endpoint, "nobody-made-this"));
    let without_keys = Home::new(&format!("blobs = \"s3://files\"\ns3.endpoint = \"{endpoint}\""));
    let away = Home::new(&settings("http://127.0.0.1:9", "files"));
    let invalid = Home::new("blobs = \"s3://Files/x\"");
    for (home, told) in [
        (
            &missing,
            "the blob bucket s3://nobody-made-this/formwork cannot be used: the service answered 404 NoSuchBucket",
        ),
        (&without_keys, "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set"),
        (&away, "the blob bucket s3://files/formwork cannot be used: "),
        (&invalid, "'blobs': 's3://Files/x' is neither a folder"),
    ] {
        for command in [["serve"], ["doctor"]] {
            let output = home.run(&command);
            let said = format!(
                "{}{}",
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr)
            );
            assert!(!output.status.success() && said.contains(told), "{said}");
            assert!(!said.contains("never-printed"), "{said}");
        }
    }
}
