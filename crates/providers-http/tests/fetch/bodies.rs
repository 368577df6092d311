//! Bodies: decoded, hashed, kept in memory or in files, and bounded.

use async_compression::tokio::bufread::{BrotliEncoder, DeflateEncoder, GzipEncoder, ZlibEncoder};
use sha2::{Digest as _, Sha256};
use shared_core::{DomainError as _, hex};
use testkit::upstream::Reply;
use tokio::io::AsyncReadExt as _;
use utilities_core::web::{Body, FetchPurpose};

use crate::kit::{Kit, always, page, site};

const TEXT: &str = "The tide turns at noon. ";

macro_rules! packed {
    ($encoder:ident, $bytes:expr) => {{
        let bytes: Vec<u8> = $bytes;
        let mut packed = Vec::new();
        $encoder::new(bytes.as_slice()).read_to_end(&mut packed).await.unwrap();
        packed
    }};
}

fn encoded(encoding: &str, body: Vec<u8>) -> Reply {
    Reply::whole_with(200, &[("content-type", "text/plain"), ("content-encoding", encoding)], body)
}

#[tokio::test]
async fn one_encoding_is_undone_and_the_hash_is_of_what_was_in_it() {
    let kit = Kit::new();
    let text = TEXT.repeat(100);
    let bytes = || text.clone().into_bytes();
    for (encoding, body) in [
        ("gzip", packed!(GzipEncoder, bytes())),
        ("X-GZIP", packed!(GzipEncoder, bytes())),
        ("br", packed!(BrotliEncoder, bytes())),
        ("deflate", packed!(ZlibEncoder, bytes())),
        ("deflate", packed!(DeflateEncoder, bytes())),
        ("identity", bytes()),
        ("identity, gzip", packed!(GzipEncoder, bytes())),
    ] {
        let site = always(encoded(encoding, body));
        let fetched = kit.get(&site.url()).await.unwrap_or_else(|error| panic!("{encoding}: {error:?}"));
        assert_eq!(fetched.read_all(u64::MAX).await.unwrap(), text, "{encoding}");
        assert_eq!((fetched.bytes, &fetched.sha256), (text.len() as u64, &hex(&Sha256::digest(&text))));
        assert_eq!(fetched.media_type().as_deref(), Some("text/plain"));
        assert_eq!(site.requests()[0].header("accept-encoding"), Some("gzip, br, deflate"));
    }
    let empty = always(encoded("gzip", Vec::new()));
    assert_eq!(kit.text(&empty.url()).await, "");
}

#[tokio::test]
async fn stacked_unknown_and_broken_encodings_are_refused() {
    let kit = Kit::new();
    let once = packed!(GzipEncoder, TEXT.repeat(1000).into_bytes());
    let twice = packed!(GzipEncoder, once.clone());
    let both = [("content-encoding", "gzip"), ("content-encoding", "gzip")];
    for (what, reply) in [
        ("stacked in one line", encoded("gzip, gzip", twice.clone())),
        ("stacked in two lines", Reply::whole_with(200, &both, twice)),
        ("unknown", encoded("zstd", once.clone())),
        ("odd", encoded("gzip;q=1", once.clone())),
        ("no gzip", encoded("gzip", b"plain words".to_vec())),
        ("cut off", encoded("gzip", once[..once.len() / 2].to_vec())),
        ("no brotli", encoded("br", vec![0xff; 100])),
        ("another one", encoded("br", once)),
    ] {
        assert_eq!(kit.fails(&always(reply).url()).await, "fetch_unusable", "{what}");
    }
    assert_eq!(kit.files(), 0);
}

#[tokio::test]
async fn bombs_end_long_before_they_are_whole() {
    let kit = Kit::with(|settings| settings.page_bytes = 1 << 40);
    let zeros = vec![0_u8; 200 << 20];
    for (encoding, body) in
        [("gzip", packed!(GzipEncoder, zeros.clone())), ("br", packed!(BrotliEncoder, zeros))]
    {
        assert!(body.len() < 1 << 20, "{encoding}: {}", body.len());
        let site = always(encoded(encoding, body));
        let error = kit.get(&site.url()).await.unwrap_err();
        assert_eq!(error.code(), "fetch_too_large", "{encoding}");
        assert!(error.is_permanent() && error.to_string().contains("decompressed"), "{error}");
        assert_eq!(kit.files(), 0, "what was spooled is gone");
    }
}

#[tokio::test]
async fn an_answer_has_the_length_that_its_purpose_allows() {
    let kit = Kit::with(|settings| {
        (settings.page_bytes, settings.image_bytes) = (1_000, 2_000);
        (settings.document_bytes, settings.feed_bytes) = (3_000, 4_000);
    });
    let site = site(|path| {
        let length = path.trim_start_matches('/').parse().unwrap();
        let body = "x".repeat(length);
        // With its length and without.
        if length % 2 == 0 { page(&body) } else { Reply::chunked(200, &[]).chunk(body).end() }
    });
    for (wants, limit) in [
        (FetchPurpose::Page, 1_000),
        (FetchPurpose::Image, 2_000),
        (FetchPurpose::Document, 3_000),
        (FetchPurpose::Feed, 4_000),
    ] {
        for length in [limit - 1, limit, limit + 1, limit + 2] {
            let got = kit.get_for("w", &format!("{}/{length}", site.url()), wants).await;
            match got {
                Ok(fetched) => assert!(length <= limit && fetched.bytes == length, "{wants:?} {length}"),
                Err(error) => {
                    assert!(length > limit && error.code() == "fetch_too_large", "{wants:?} {error}")
                }
            }
        }
    }
}

#[tokio::test]
async fn large_answers_are_files_that_go_with_them_and_small_ones_are_not() {
    let kit = Kit::new();
    let large = TEXT.repeat(40_000);
    let body = large.clone();
    let site = site(move |path| if path == "/large" { page(&body) } else { page(TEXT) });
    let small = kit.get(&site.url()).await.unwrap();
    assert!(matches!(small.body, Body::Memory(_)) && kit.files() == 0);
    let fetched = kit.get(&format!("{}/large", site.url())).await.unwrap();
    assert!(matches!(fetched.body, Body::Stored(_)) && kit.files() == 1);
    for _ in 0..2 {
        assert_eq!(fetched.read_all(10 << 20).await.unwrap(), large);
    }
    assert_eq!(fetched.read_all(1_000).await.unwrap_err().code(), "fetch_too_large");
    drop(fetched);
    assert_eq!(kit.files(), 0);
}

#[tokio::test]
async fn deeply_nested_tags_pass_through_as_bytes() {
    let kit = Kit::new();
    let nested = "<div>".repeat(100_000);
    let site = always(page(&nested));
    assert_eq!(kit.get(&site.url()).await.unwrap().bytes, 500_000);
}
