//! A cache of sites' robots.txt rules.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::OnceCell;
use tokio::time::Instant;
use utilities_core::web::Robots;

/// Maximum number of cached sites. Bounds the memory.
const SITES: usize = 1_024;
/// TTL of rules (at most a day, RFC 9309, section 2.4). Chosen by hand; no measurement is recorded.
const REMEMBERED: Duration = Duration::from_secs(3_600);
/// TTL of a site without available rules. Chosen by hand; no measurement is recorded.
const UNKNOWN: Duration = Duration::from_secs(300);

/// The rules of sites.
#[derive(Debug, Default)]
pub(super) struct Rules(Mutex<HashMap<String, Site>>);

#[derive(Clone, Debug)]
struct Site {
    rules: Arc<OnceCell<CachedRules>>,
    since: Instant,
}

#[derive(Debug)]
struct CachedRules {
    robots: Arc<Robots>,
    found: bool,
}

impl Rules {
    /// The rules of a site. On a cache miss, `read` fetches them once for all concurrent callers.
    pub(super) async fn of(&self, site: &str, read: impl Future<Output = Option<Robots>>) -> Arc<Robots> {
        let rules = self.site(site);
        let known = rules.get_or_init(|| async {
            let found = read.await;
            CachedRules { found: found.is_some(), robots: Arc::new(found.unwrap_or_default()) }
        });
        Arc::clone(&known.await.robots)
    }

    fn site(&self, site: &str) -> Arc<OnceCell<CachedRules>> {
        let mut sites = self.0.lock();
        let now = Instant::now();
        if let Some(site) = sites.get(site).filter(|site| site.is_fresh(now)) {
            return Arc::clone(&site.rules);
        }
        if sites.len() >= SITES {
            sites.retain(|_, site| site.is_fresh(now));
        }
        if sites.len() >= SITES {
            let oldest = sites.iter().min_by_key(|(_, site)| site.since).map(|(name, _)| name.clone());
            oldest.and_then(|oldest| sites.remove(&oldest));
        }
        let new = Site { rules: Arc::default(), since: now };
        sites.insert(site.to_owned(), new.clone());
        new.rules
    }
}

impl Site {
    fn is_fresh(&self, now: Instant) -> bool {
        let most = match self.rules.get() {
            Some(known) if !known.found => UNKNOWN,
            _ => REMEMBERED,
        };
        now.duration_since(self.since) < most
    }
}
