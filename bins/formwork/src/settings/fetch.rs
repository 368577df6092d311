//! Settings of web fetching.

use std::path::Path;
use std::time::Duration;

use providers_http::FetchSettings as FetcherSettings;
use serde::{Deserialize, Serialize};
use utilities_core::web::{AllowError, AllowList, FetchPolicy, PORTS};

/// Fetching from the web.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FetchSettings {
    /// `on` or `off`.
    pub web: Switch,
    /// Private hosts, addresses and networks that are allowed, on any port; comma-separated.
    pub allow: String,
    /// Allowed ports of public hosts, comma-separated.
    pub ports: String,
    /// Whether robots.txt is respected.
    pub robots: Switch,
    /// The `User-Agent` header of every request.
    pub user_agent: String,
    /// Time limit of a connection in seconds.
    pub connect_seconds: u64,
    /// Time limit in seconds until an answer begins, and between two parts of it.
    pub idle_seconds: u64,
    /// Time limit of a fetch in seconds, and of its wait for a permit.
    pub total_seconds: u64,
    /// Maximum size of a page in bytes.
    pub page_bytes: u64,
    /// Maximum size of a document in bytes.
    pub document_bytes: u64,
    /// Maximum size of a picture in bytes.
    pub image_bytes: u64,
    /// Maximum size of a feed in bytes.
    pub feed_bytes: u64,
    /// Maximum number of concurrent requests.
    pub concurrency: usize,
    /// Maximum number of concurrent requests per host.
    pub host_concurrency: usize,
    /// Minimum milliseconds between two requests to one host.
    pub host_pause_ms: u64,
    /// TTL of cached answers in seconds.
    pub cache_seconds: u64,
    /// Maximum size of the cache in bytes.
    pub cache_bytes: u64,
}

/// A setting that is on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Switch {
    /// Enabled.
    On,
    /// Disabled.
    Off,
}

impl Default for FetchSettings {
    fn default() -> Self {
        Self {
            web: Switch::On,
            allow: String::new(),
            ports: PORTS.iter().map(u16::to_string).collect::<Vec<_>>().join(","),
            robots: Switch::On,
            user_agent: USER_AGENT.to_owned(),
            connect_seconds: 10,
            idle_seconds: 20,
            total_seconds: 60,
            page_bytes: 10 << 20,
            document_bytes: 100 << 20,
            image_bytes: 20 << 20,
            feed_bytes: 10 << 20,
            concurrency: 32,
            host_concurrency: 4,
            host_pause_ms: 200,
            cache_seconds: 300,
            cache_bytes: 256 << 20,
        }
    }
}

/// The default `User-Agent`.
const USER_AGENT: &str =
    concat!("Formwork/", env!("CARGO_PKG_VERSION"), " (+", env!("CARGO_PKG_REPOSITORY"), ")");

impl FetchSettings {
    /// The fetch policy.
    ///
    /// # Errors
    /// One sentence for the operator.
    pub fn policy(&self) -> Result<FetchPolicy, String> {
        let ports: Result<Vec<u16>, _> = parts(&self.ports).map(str::parse::<u16>).collect();
        let ports = ports.ok().filter(|ports| !ports.contains(&0));
        let ports = ports.ok_or("'fetch.ports' must be port numbers, separated by commas")?;
        let allow = AllowList::parse(parts(&self.allow));
        let allow = allow.map_err(|error: AllowError| format!("'fetch.allow': {error}"))?;
        Ok(FetchPolicy { ports, allow })
    }

    /// The settings of the fetcher. Its temporary files go into a folder of the data folder.
    ///
    /// # Errors
    /// As [`Self::policy`].
    pub fn fetcher(&self, data_dir: &Path) -> Result<FetcherSettings, String> {
        Ok(FetcherSettings {
            policy: self.policy()?,
            user_agent: self.user_agent.clone(),
            robots: self.robots == Switch::On,
            connect: Duration::from_secs(self.connect_seconds),
            idle: Duration::from_secs(self.idle_seconds),
            total: Duration::from_secs(self.total_seconds),
            page_bytes: self.page_bytes,
            document_bytes: self.document_bytes,
            image_bytes: self.image_bytes,
            feed_bytes: self.feed_bytes,
            concurrency: self.concurrency,
            per_host: self.host_concurrency,
            pause: Duration::from_millis(self.host_pause_ms),
            keep: Duration::from_secs(self.cache_seconds),
            keep_bytes: self.cache_bytes,
            folder: data_dir.join("fetched"),
        })
    }
}

fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty())
}

/// Validates the settings.
pub(super) fn check(settings: &FetchSettings) -> Result<(), String> {
    let agent = &settings.user_agent;
    if agent.trim().is_empty() || !agent.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()) {
        return Err("'fetch.user_agent' must be visible ASCII characters".to_owned());
    }
    settings.policy().map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_and_what_is_wrong_in_them_is_named() {
        let with = |allow: &str, ports: &str| {
            let (allow, ports) = (allow.to_owned(), ports.to_owned());
            FetchSettings { allow, ports, ..FetchSettings::default() }.policy()
        };
        assert_eq!(FetchSettings::default().policy(), Ok(FetchPolicy::default()));
        let policy = with("127.0.0.1, wiki.internal,10.0.0.0/8,", " 443 , 8443").unwrap();
        assert_eq!(policy.ports, [443, 8443]);
        assert!(policy.target("http://wiki.internal:99/").is_ok());
        assert!(with("10.0.0.0/99", "80").unwrap_err().contains("'10.0.0.0/99'"));
        for ports in ["http", "0", "80;443", "70000"] {
            assert!(with("", ports).unwrap_err().contains("fetch.ports"), "{ports}");
        }
    }
}
