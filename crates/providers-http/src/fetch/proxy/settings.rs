//! Limits of a page's traffic.

use std::time::Duration;

use utilities_core::web::FetchPolicy;

/// Limits of a page's traffic.
#[derive(Clone, Debug)]
pub struct ProxySettings {
    /// The fetch policy.
    pub policy: FetchPolicy,
    /// Time limit of a connection, including name resolution.
    pub connect: Duration,
    /// Time limit after which all traffic of a page ends.
    pub total: Duration,
    /// Maximum traffic of a page in bytes, in both directions.
    pub bytes: u64,
    /// Maximum number of connections of a page.
    pub connections: usize,
    /// Maximum number of concurrent connections of a page.
    pub at_once: usize,
}

impl ProxySettings {
    /// Default limits for a policy.
    #[must_use]
    pub fn new(policy: FetchPolicy) -> Self {
        Self {
            policy,
            // The total is half of `browser.page_seconds` (decision 22), the bytes are
            // `browser.traffic_bytes`. The others bound a hostile page's connections. Chosen by hand; no
            // measurement is recorded.
            connect: Duration::from_secs(10),
            total: Duration::from_secs(15),
            bytes: 64 << 20,
            connections: 512,
            at_once: 32,
        }
    }
}
