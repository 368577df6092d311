//! Settings of the fetcher.

use std::path::PathBuf;
use std::time::Duration;

use utilities_core::web::{FetchPolicy, FetchPurpose};

/// Settings of the fetcher.
#[derive(Clone, Debug)]
pub struct FetchSettings {
    /// Decides which URLs and addresses may be fetched.
    pub policy: FetchPolicy,
    /// The `User-Agent`; its product token, before the first `/`, is the name that robots.txt rules match.
    pub user_agent: String,
    /// Whether robots.txt is respected for pages and documents.
    pub robots: bool,
    /// Time limit of a connection, including name resolution.
    pub connect: Duration,
    /// Time limit until an answer begins, and between two parts of it.
    pub idle: Duration,
    /// Time limit of a fetch with all redirects, and of its wait for a permit.
    pub total: Duration,
    /// Maximum size of a page in bytes after decompression.
    pub page_bytes: u64,
    /// Maximum size of a document in bytes after decompression.
    pub document_bytes: u64,
    /// Maximum size of a picture in bytes after decompression.
    pub image_bytes: u64,
    /// Maximum size of a feed in bytes after decompression.
    pub feed_bytes: u64,
    /// Maximum number of concurrent requests.
    pub concurrency: usize,
    /// Maximum number of concurrent requests per public host.
    pub per_host: usize,
    /// Minimum time between the starts of two requests to one public host.
    pub pause: Duration,
    /// Maximum TTL of a cached answer, and its default.
    pub keep: Duration,
    /// Maximum size of the cache in bytes.
    pub keep_bytes: u64,
    /// Folder of larger bodies. It is emptied at the start.
    pub folder: PathBuf,
}

impl FetchSettings {
    /// Default settings with a folder.
    #[must_use]
    pub fn new(folder: PathBuf) -> Self {
        Self {
            policy: FetchPolicy::default(),
            user_agent: concat!("Formwork/", env!("CARGO_PKG_VERSION")).to_owned(),
            robots: true,
            // They bound the time, memory and disk that a site can take, and how often it is asked. At a
            // concurrency of 32, 200 pages take 1.03 times the ideal (docs/benchmarks/web.md). The others are
            // chosen by hand.
            connect: Duration::from_secs(10),
            idle: Duration::from_secs(20),
            total: Duration::from_secs(60),
            page_bytes: 10 << 20,
            document_bytes: 100 << 20,
            image_bytes: 20 << 20,
            feed_bytes: 10 << 20,
            concurrency: 32,
            per_host: 4,
            pause: Duration::from_millis(200),
            keep: Duration::from_secs(300),
            keep_bytes: 256 << 20,
            folder,
        }
    }

    /// Maximum size in bytes of an answer for this purpose.
    pub(super) fn limit(&self, wants: FetchPurpose) -> u64 {
        match wants {
            FetchPurpose::Page => self.page_bytes,
            FetchPurpose::Document => self.document_bytes,
            FetchPurpose::Image => self.image_bytes,
            FetchPurpose::Feed => self.feed_bytes,
        }
    }

    /// The product token of the `User-Agent`.
    pub(super) fn agent(&self) -> &str {
        self.user_agent.split(['/', ' ']).next().unwrap_or_default()
    }
}

/// The `Accept` header for a purpose.
pub(super) fn accept(wants: FetchPurpose) -> &'static str {
    match wants {
        FetchPurpose::Page => "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        FetchPurpose::Document => "*/*",
        FetchPurpose::Image => "image/png,image/jpeg,image/webp,image/gif,image/svg+xml;q=0.8,image/*;q=0.5",
        FetchPurpose::Feed => {
            "application/rss+xml,application/atom+xml,application/feed+json,application/xml;q=0.9,text/xml;q=0.9,*/*;q=0.5"
        }
    }
}
