//! Limits concurrent requests in total and per public host, with a pause between requests.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep_until, timeout_at};
use utilities_core::web::{FetchError, Reach, Target};

use super::FetchSettings;

/// Maximum number of tracked hosts; idle ones without back-off are evicted first. Bounds the memory.
const HOSTS: usize = 4_096;
/// Maximum back-off that a site can request. A header must not block a site for days. Chosen by hand; no
/// measurement is recorded.
const LONGEST: Duration = Duration::from_secs(3_600);
/// A back-off of at most this duration is waited for. A request has a minute in all. Chosen by hand; no
/// measurement is recorded.
const SOON: Duration = Duration::from_secs(2);

/// Issues permits for requests.
#[derive(Debug)]
pub(super) struct HostLimiter {
    all: Arc<Semaphore>,
    hosts: Mutex<HashMap<String, Arc<Host>>>,
    per_host: usize,
    pause: Duration,
    patience: Duration,
}

#[derive(Debug)]
struct Host {
    permits: Arc<Semaphore>,
    times: Mutex<Times>,
}

#[derive(Clone, Copy, Debug)]
struct Times {
    /// Earliest start of the next request.
    next: Instant,
    /// End of the back-off that the site requested.
    back_off_until: Instant,
}

/// A permit for one request, released on drop.
#[derive(Debug)]
pub(super) struct FetchPermit {
    _host: Option<OwnedSemaphorePermit>,
    _all: OwnedSemaphorePermit,
}

impl HostLimiter {
    pub(super) fn new(settings: &FetchSettings) -> Self {
        Self {
            all: Arc::new(Semaphore::new(settings.concurrency.max(1))),
            hosts: Mutex::default(),
            per_host: settings.per_host.max(1),
            pause: settings.pause,
            patience: settings.total,
        }
    }

    /// Waits for a permit. Allow-listed hosts belong to the operator and are not limited per host.
    pub(super) async fn acquire(&self, target: &Target) -> Result<FetchPermit, FetchError> {
        let until = Instant::now() + self.patience;
        let host = self.host(&target.site());
        host.wait_for_back_off().await?;
        let turn = match target.reach() {
            Reach::Public => {
                let turn = permit(&host.permits, until).await?;
                let begin = host.begin(self.pause);
                if begin > until {
                    return Err(busy(None));
                }
                sleep_until(begin).await;
                Some(turn)
            }
            Reach::Listed | Reach::Named => None,
        };
        Ok(FetchPermit { _host: turn, _all: permit(&self.all, until).await? })
    }

    /// Records a back-off that a site requested.
    pub(super) fn back_off(&self, target: &Target, wait: Duration) {
        let host = self.host(&target.site());
        let mut times = host.times.lock();
        times.back_off_until = times.back_off_until.max(Instant::now() + wait.min(LONGEST));
    }

    fn host(&self, site: &str) -> Arc<Host> {
        let mut hosts = self.hosts.lock();
        if let Some(host) = hosts.get(site) {
            return Arc::clone(host);
        }
        let now = Instant::now();
        if hosts.len() >= HOSTS {
            hosts.retain(|_, host| Arc::strong_count(host) > 1 || host.is_awaited(now));
        }
        if hosts.len() >= HOSTS {
            hosts.retain(|_, host| Arc::strong_count(host) > 1);
        }
        let times = Mutex::new(Times { next: now, back_off_until: now });
        let host = Arc::new(Host { permits: Arc::new(Semaphore::new(self.per_host)), times });
        hosts.insert(site.to_owned(), Arc::clone(&host));
        host
    }
}

impl Host {
    fn is_awaited(&self, now: Instant) -> bool {
        let times = self.times.lock();
        times.next > now || times.back_off_until > now
    }

    async fn wait_for_back_off(&self) -> Result<(), FetchError> {
        let alone = self.times.lock().back_off_until;
        let wait = alone.saturating_duration_since(Instant::now());
        if wait > SOON {
            return Err(busy(Some(wait.as_secs() + 1)));
        }
        sleep_until(alone).await;
        Ok(())
    }

    /// Start time of this request; the next one may start a pause later.
    fn begin(&self, pause: Duration) -> Instant {
        let mut times = self.times.lock();
        let begin = times.next.max(Instant::now());
        times.next = begin + pause;
        begin
    }
}

async fn permit(turns: &Arc<Semaphore>, until: Instant) -> Result<OwnedSemaphorePermit, FetchError> {
    match timeout_at(until, Arc::clone(turns).acquire_owned()).await {
        Ok(Ok(permit)) => Ok(permit),
        Ok(Err(_)) | Err(_) => Err(busy(None)),
    }
}

fn busy(retry_after: Option<u64>) -> FetchError {
    let what = match retry_after {
        Some(_) => "the site asks for a back-off",
        None => "too many fetches are in flight; try again later",
    };
    FetchError::Busy { what, retry_after }
}

#[cfg(test)]
mod tests {
    use utilities_core::web::{AllowList, FetchPolicy};

    use super::*;

    fn limiter(change: impl FnOnce(&mut FetchSettings)) -> HostLimiter {
        let mut settings = FetchSettings::new(std::path::PathBuf::new());
        change(&mut settings);
        HostLimiter::new(&settings)
    }

    fn target(url: &str) -> Target {
        let allow = AllowList::parse(["127.0.0.1"]).unwrap();
        FetchPolicy { allow, ..FetchPolicy::default() }.target(url).unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn a_public_host_has_a_pause_between_two_requests_and_a_listed_one_has_none() {
        let limiter = limiter(|settings| settings.pause = Duration::from_secs(3));
        let begun = Instant::now();
        for (url, seconds) in [
            ("http://a.example/1", 0),
            ("http://a.example/2", 3),
            ("http://b.example/", 3),
            ("http://a.example/3", 6),
            ("http://127.0.0.1:9/", 6),
            ("http://127.0.0.1:9/", 6),
        ] {
            drop(limiter.acquire(&target(url)).await.unwrap());
            assert_eq!(begun.elapsed().as_secs(), seconds, "{url}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_host_that_is_slow_keeps_no_turns_from_others() {
        let limiter = limiter(|settings| {
            (settings.concurrency, settings.per_host) = (3, 2);
            settings.pause = Duration::ZERO;
        });
        let slow = target("http://slow.example/");
        let (_one, _two) = (limiter.acquire(&slow).await.unwrap(), limiter.acquire(&slow).await.unwrap());
        let third = limiter.acquire(&slow);
        let other = async { limiter.acquire(&target("http://other.example/")).await.map(drop) };
        let (third, other) = tokio::join!(third, other);
        assert!(other.is_ok());
        assert!(matches!(third, Err(FetchError::Busy { retry_after: None, .. })), "{third:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_short_wish_to_be_left_alone_is_waited_for_and_a_long_one_is_told() {
        let limiter = limiter(|_| {});
        let site = target("http://a.example/");
        limiter.back_off(&site, Duration::from_secs(1));
        let begun = Instant::now();
        drop(limiter.acquire(&site).await.unwrap());
        assert_eq!(begun.elapsed().as_secs(), 1);
        limiter.back_off(&site, Duration::from_secs(100_000));
        let refused = limiter.acquire(&site).await;
        assert!(matches!(refused, Err(FetchError::Busy { retry_after: Some(3_601), .. })), "{refused:?}");
    }
}
