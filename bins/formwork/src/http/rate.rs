//! Limits the rate of requests per API key.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::Arc;

use accounts_core::Principal;
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use parking_lot::RwLock;
use shared_core::ErrorKind;

use super::ApiError;

/// Rate limiters of API keys. Clones share them.
#[derive(Clone, Debug)]
pub struct Rates {
    /// Requests per minute for keys without a limit of their own; `None` is unlimited.
    default: Option<NonZeroU32>,
    /// The rate limiter of each limit.
    limiters: Arc<RwLock<HashMap<NonZeroU32, Arc<DefaultKeyedRateLimiter<String>>>>>,
}

impl Rates {
    /// `default` is the limit in requests per minute of keys without one of their own; 0 is unlimited.
    #[must_use]
    pub fn new(default: u32) -> Self {
        Self { default: NonZeroU32::new(default), limiters: Arc::default() }
    }

    /// Counts a request.
    ///
    /// # Errors
    /// 429 with the seconds to wait.
    pub fn count(&self, principal: &Principal) -> Result<(), ApiError> {
        let own = principal.limits.requests_per_minute.and_then(NonZeroU32::new);
        let Some(limit) = own.or(self.default) else { return Ok(()) };
        self.of(limit).check_key(&principal.key_prefix).map_err(|early| {
            let wait = early.wait_time_from(DefaultClock::default().now());
            let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            let message = format!("the API key may make {limit} requests a minute; wait {seconds} s");
            ApiError::new(ErrorKind::RateLimited, "rate_limited", message).retry_after(seconds.max(1))
        })
    }

    fn of(&self, limit: NonZeroU32) -> Arc<DefaultKeyedRateLimiter<String>> {
        let known = self.limiters.read().get(&limit).cloned();
        known.unwrap_or_else(|| {
            let mut limiters = self.limiters.write();
            let make = || Arc::new(RateLimiter::keyed(Quota::per_minute(limit)));
            Arc::clone(limiters.entry(limit).or_insert_with(make))
        })
    }
}
