//! What can be set of the fetcher.

use std::path::PathBuf;
use std::time::Duration;

use utilities_core::web::{FetchPolicy, FetchPurpose};

/// How the fetcher works.
#[derive(Clone, Debug)]
pub struct FetchSettings {
    /// What may be fetched.
    pub policy: FetchPolicy,
    /// The `User-Agent`; its product token, before the first `/`, is what robots.txt knows.
    pub user_agent: String,
    /// Whether robots.txt is asked before pages and documents.
    pub robots: bool,
    /// The time that opening a connection may take, the name's resolution included.
    pub connect: Duration,
    /// The time until an answer begins, and between two parts of it.
    pub idle: Duration,
    /// The time that a fetch may take with all redirects, and that it may wait for its turn.
    pub total: Duration,
    /// Bytes of a page after decompression.
    pub page_bytes: u64,
    /// Bytes of a document after decompression.
    pub document_bytes: u64,
    /// Bytes of a picture after decompression.
    pub image_bytes: u64,
    /// Bytes of a feed after decompression.
    pub feed_bytes: u64,
    /// Requests at the same time.
    pub concurrency: usize,
    /// Requests to one public host at the same time.
    pub per_host: usize,
    /// The time between the beginnings of two requests to one public host.
    pub pause: Duration,
    /// How long an answer is used again at the most, and where the site does not say.
    pub keep: Duration,
    /// Bytes of answers that are kept for using them again.
    pub keep_bytes: u64,
    /// The folder of larger answers. It is emptied at the start.
    pub folder: PathBuf,
}

impl FetchSettings {
    /// The settings for a folder, everything else as usual.
    #[must_use]
    pub fn new(folder: PathBuf) -> Self {
        Self {
            policy: FetchPolicy::default(),
            user_agent: concat!("Formwork/", env!("CARGO_PKG_VERSION")).to_owned(),
            robots: true,
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

    /// Bytes that may be read of an answer.
    pub(super) fn limit(&self, wants: FetchPurpose) -> u64 {
        match wants {
            FetchPurpose::Page => self.page_bytes,
            FetchPurpose::Document => self.document_bytes,
            FetchPurpose::Image => self.image_bytes,
            FetchPurpose::Feed => self.feed_bytes,
        }
    }

    /// The product token.
    pub(super) fn agent(&self) -> &str {
        self.user_agent.split(['/', ' ']).next().unwrap_or_default()
    }
}

/// What is asked for.
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
