//! Buckets on the server that `FORMWORK_TEST_S3` names.

use std::sync::atomic::{AtomicU32, Ordering};

use blobs::{BlobLocation, ObjectBlobs, S3Access};

/// The endpoint of the server; `None`, after printing so, where there is none.
#[expect(clippy::disallowed_methods, reason = "the server is named by the environment")]
pub(crate) fn endpoint() -> Option<String> {
    let endpoint = std::env::var("FORMWORK_TEST_S3").ok();
    if endpoint.is_none() {
        println!("FORMWORK_TEST_S3 is not set: buckets are SKIPPED");
    }
    endpoint
}

/// A new bucket's name.
pub(crate) fn create(endpoint: &str) -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = format!("blobs-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    testkit::create_bucket(endpoint, &name).unwrap();
    name
}

/// The access to a server that takes any key.
pub(crate) fn access(endpoint: &str) -> S3Access {
    S3Access {
        endpoint: endpoint.to_owned(),
        region: "us-east-1".to_owned(),
        access_key_id: "test".into(),
        secret_access_key: "test-secret".into(),
        path_style: true,
        ..S3Access::default()
    }
}

/// The blobs below a prefix of a bucket.
pub(crate) fn open(access: &S3Access, bucket: &str) -> ObjectBlobs {
    let location: BlobLocation = format!("s3://{bucket}/some/prefix").parse().unwrap();
    ObjectBlobs::open(&location, access).unwrap()
}
