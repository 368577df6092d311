//! Blobs in a bucket: parts, ranges, lists, refusals, and a service that fails.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests assert"
)]

mod bucket;

use std::sync::Arc;
use std::time::{Duration, Instant};

use blobs::{ObjectBlobs, RequestLimits, S3Access};
use bytes::Bytes;
use files_core::{BlobError, BlobKey, BlobStore, FileUrls, FilesConfig, FilesService, MemoryFiles};
use futures_util::{StreamExt as _, TryStreamExt as _};
use shared_core::{SeededRng, SystemClock};
use testkit::upstream::{Reply, Upstream};

fn key(text: &str) -> BlobKey {
    BlobKey(text.to_owned())
}

/// Content whose every part differs.
fn content(bytes: usize) -> Vec<u8> {
    (0..bytes).map(|at| (at / 7 + at % 251) as u8).collect()
}

async fn store(blobs: &ObjectBlobs, key: &BlobKey, content: &[u8]) -> Result<(), BlobError> {
    let mut writer = blobs.create(key).await?;
    for chunk in content.chunks(65_537) {
        writer.write(Bytes::copy_from_slice(chunk)).await?;
    }
    writer.commit().await
}

async fn read(
    blobs: &ObjectBlobs,
    key: &BlobKey,
    range: Option<std::ops::Range<u64>>,
) -> Result<Vec<u8>, BlobError> {
    let parts: Vec<Bytes> = blobs.read(key, range).await?.try_collect().await?;
    Ok(parts.concat())
}

/// What the server says of uploads that are neither completed nor aborted.
async fn open_uploads(endpoint: &str, bucket: &str) -> usize {
    let (endpoint, target) = (endpoint.to_owned(), format!("/{bucket}?uploads"));
    let ask = move || testkit::request_bucket(&endpoint, "GET", &target).unwrap();
    let answer = tokio::task::spawn_blocking(ask).await.unwrap();
    assert!(answer.contains("ListMultipartUploadsResult"), "{answer}");
    answer.matches("<UploadId>").count()
}

#[tokio::test]
async fn a_large_blob_is_stored_in_parts_and_read_by_ranges() {
    let Some(endpoint) = bucket::endpoint() else { return };
    let bucket = bucket::create(&endpoint);
    let blobs = bucket::open(&bucket::access(&endpoint), &bucket);
    blobs.check_access().await.unwrap();
    let content = content(30_000_000);
    store(&blobs, &key("blob_large"), &content).await.unwrap();
    assert_eq!(read(&blobs, &key("blob_large"), None).await.unwrap(), content);
    let part = read(&blobs, &key("blob_large"), Some(8_388_600..16_777_300)).await.unwrap();
    assert_eq!(part, content[8_388_600..16_777_300]);
    assert_eq!(open_uploads(&endpoint, &bucket).await, 0);
    // Another store of the same bucket, as another server has.
    let other = bucket::open(&bucket::access(&endpoint), &bucket);
    let sizes: Vec<_> = other.sizes().try_collect().await.unwrap();
    assert_eq!(sizes, [(key("blob_large"), 30_000_000)]);
}

#[tokio::test]
async fn a_blob_that_is_aborted_or_dropped_half_way_leaves_no_parts() {
    let Some(endpoint) = bucket::endpoint() else { return };
    let bucket = bucket::create(&endpoint);
    let blobs = bucket::open(&bucket::access(&endpoint), &bucket);
    for aborted in [true, false] {
        let mut writer = blobs.create(&key("blob_half")).await.unwrap();
        writer.write(Bytes::from(content(20_000_000))).await.unwrap();
        assert_eq!(open_uploads(&endpoint, &bucket).await, 1);
        if aborted {
            writer.abort().await
        } else {
            drop(writer)
        }
        for _ in 0..500 {
            if open_uploads(&endpoint, &bucket).await == 0 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert_eq!(open_uploads(&endpoint, &bucket).await, 0, "aborted: {aborted}");
    }
    assert!(matches!(read(&blobs, &key("blob_half"), None).await, Err(BlobError::Missing)));
}

#[tokio::test]
async fn the_list_has_all_pages_and_nothing_of_others() {
    let Some(endpoint) = bucket::endpoint() else { return };
    let bucket = bucket::create(&endpoint);
    let blobs = bucket::open(&bucket::access(&endpoint), &bucket);
    // A page has 1,000 keys.
    let keys: Vec<BlobKey> = (0..1_100).map(|n| key(&format!("blob_{n:06}"))).collect();
    let stored = futures_util::stream::iter(&keys).map(|key| store(&blobs, key, b"x"));
    stored.buffer_unordered(16).try_collect::<()>().await.unwrap();
    for foreign in ["some/prefix/report.pdf", "some/prefix/aa/blob_000001", "elsewhere"] {
        let (endpoint, target) = (endpoint.clone(), format!("/{bucket}/{foreign}"));
        let put = move || testkit::request_bucket(&endpoint, "PUT", &target).unwrap();
        assert!(tokio::task::spawn_blocking(put).await.unwrap().contains(" 200 "));
    }
    let mut listed: Vec<(BlobKey, u64)> = blobs.list().await.unwrap().try_collect().await.unwrap();
    listed.sort_by(|a, b| a.0.0.cmp(&b.0.0));
    assert!(listed.iter().all(|(_, age)| *age < 600));
    assert_eq!(listed.into_iter().map(|(key, _)| key).collect::<Vec<_>>(), keys);
    blobs.delete(&keys[0]).await.unwrap();
    blobs.delete(&keys[0]).await.unwrap();
    assert_eq!(blobs.list().await.unwrap().count().await, 1_099);
}

#[tokio::test]
async fn the_sweep_removes_what_no_record_has() {
    let Some(endpoint) = bucket::endpoint() else { return };
    let blobs = bucket::open(&bucket::access(&endpoint), &bucket::create(&endpoint));
    store(&blobs, &key("blob_orphan"), b"x").await.unwrap();
    let config =
        FilesConfig { max_bytes: 1_000, sniff: |_, _| "text/plain", urls: FileUrls::new("http://x") };
    let files = FilesService::new(
        Arc::new(MemoryFiles::default()),
        Arc::new(blobs.clone()),
        Arc::new(SystemClock),
        Arc::new(SeededRng::new(1)),
        config,
    );
    assert_eq!(files.sweep(3_600).await.unwrap(), 0, "it may belong to an upload in progress");
    assert_eq!(files.sweep(0).await.unwrap(), 1);
    assert_eq!(blobs.list().await.unwrap().count().await, 0);
}

#[tokio::test]
async fn a_missing_bucket_is_told_at_the_start() {
    let Some(endpoint) = bucket::endpoint() else { return };
    let blobs = bucket::open(&bucket::access(&endpoint), "nobody-made-this");
    let error = blobs.check_access().await.unwrap_err().to_string();
    assert!(error.contains("s3://nobody-made-this/some/prefix") && error.contains("NoSuchBucket"), "{error}");
}

/// An access to a scripted service that is not waited for as long as one over a network.
fn impatient(service: &Upstream) -> S3Access {
    let limits =
        RequestLimits { attempt: Duration::from_millis(300), retry: Duration::from_secs(2), retries: 2 };
    S3Access { limits, ..bucket::access(&service.url()) }
}

fn refusal(status: u16, code: &str) -> Reply {
    let body = format!("<Error><Code>{code}</Code><Message>Told.</Message><Key>AKIDTEST</Key></Error>");
    Reply::whole(status, "application/xml", body)
}

#[tokio::test]
async fn a_service_that_slows_down_hangs_or_resets_is_an_outage_within_the_limits() {
    for reply in [
        refusal(503, "SlowDown"),
        refusal(500, "InternalError"),
        Reply::raw().hold(),
        Reply::raw().close(),
        Reply::raw().write("HTTP/1.1 200 OK\r\ncontent-le").close(),
    ] {
        let service = Upstream::start(move |_| reply.clone()).unwrap();
        let blobs = bucket::open(&impatient(&service), "files");
        let begun = Instant::now();
        for result in [
            store(&blobs, &key("blob_small"), b"x").await,
            store(&blobs, &key("blob_large"), &content(20_000_000)).await,
            read(&blobs, &key("blob_small"), None).await.map(drop),
            blobs.delete(&key("blob_small")).await,
            blobs.check_reads().await,
        ] {
            assert!(matches!(result, Err(BlobError::Unavailable(_))), "{result:?}");
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
        let error = blobs.check_access().await.unwrap_err().to_string();
        assert!(error.starts_with("the blob bucket s3://files/some/prefix cannot be used: "), "{error}");
    }
}

#[tokio::test]
async fn a_request_that_fails_for_a_moment_is_repeated() {
    let ok = Reply::whole_with(200, &[("etag", "\"1\"")], "");
    let replies = [refusal(503, "SlowDown"), Reply::raw().close(), ok];
    let service = Upstream::start_replies(replies).unwrap();
    let blobs = bucket::open(&impatient(&service), "files");
    store(&blobs, &key("blob_small"), b"x").await.unwrap();
    assert_eq!(service.count(), 3);
}

#[tokio::test]
async fn a_blob_whose_answer_stops_half_way_is_an_error_and_not_a_short_blob() {
    let head = "HTTP/1.1 200 OK\r\ncontent-length: 10\r\nlast-modified: Thu, 01 Jan 2026 00:00:00 GMT\r\netag: \"1\"\r\n\r\n";
    for end in [
        Reply::raw().write(format!("{head}12345")).close(),
        Reply::raw().write(format!("{head}12345")).hold(),
    ] {
        let service = Upstream::start(move |_| end.clone()).unwrap();
        let blobs = bucket::open(&impatient(&service), "files");
        let result = read(&blobs, &key("blob_small"), None).await;
        assert!(matches!(result, Err(BlobError::Unavailable(_) | BlobError::Failed(_))), "{result:?}");
    }
}

#[tokio::test]
async fn refused_keys_and_a_full_service_are_told_apart_and_the_key_is_not_repeated() {
    let service = Upstream::start(|_| refusal(403, "InvalidAccessKeyId")).unwrap();
    let blobs = bucket::open(&impatient(&service), "files");
    let error = blobs.check_access().await.unwrap_err().to_string();
    assert!(error.ends_with("the service answered 403 InvalidAccessKeyId: Told."), "{error}");
    assert!(matches!(store(&blobs, &key("blob_a"), b"x").await, Err(BlobError::Failed(_))));
    assert_eq!(service.requests().iter().filter(|request| request.method == "PUT").count(), 1);
    let service = Upstream::start(|_| refusal(403, "QuotaExceeded")).unwrap();
    let blobs = bucket::open(&impatient(&service), "files");
    assert!(matches!(store(&blobs, &key("blob_a"), b"x").await, Err(BlobError::Full)));
}
