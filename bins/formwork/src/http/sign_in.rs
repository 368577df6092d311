//! Failed sign-ins: they are logged, and an address that has many of them is answered slowly.

use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;
use std::time::Duration;

use shared_core::{Capacity, Clock, TtlCache};

/// Seconds without a failure after which an address has none.
const WINDOW: u32 = 60;
/// Failures of an address that are answered at once: as many as a wrong setting of a client makes before it is seen.
/// Chosen by hand; no measurement is recorded.
const FREE: u32 = 10;
/// Delay of each further failure, and of all together at most.
const STEP: Duration = Duration::from_millis(100);
const MAX_DELAY: Duration = Duration::from_secs(2);
/// Maximum number of addresses that are remembered, about a megabyte.
const ADDRESSES: usize = 10_000;

/// Failed sign-ins by address. Clones share them.
#[derive(Clone, Debug)]
pub struct SignInFailures(Arc<TtlCache<IpAddr, u32>>);

impl SignInFailures {
    /// No failures.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self(Arc::new(TtlCache::new(clock, Capacity { entries: ADDRESSES, bytes: ADDRESSES })))
    }

    /// Records a failure and returns for how long its answer must wait. Clients behind a proxy on this machine all have
    /// its address, so the loopback addresses never wait.
    pub fn record(&self, address: Option<IpAddr>) -> Duration {
        let Some(address) = address.map(network) else { return Duration::ZERO };
        let failures = self.0.get(&address).unwrap_or_default().saturating_add(1);
        self.0.insert(address, failures, 1, WINDOW);
        // Each failure with its own line would let anybody fill the disk.
        if failures.is_power_of_two() {
            tracing::warn!(%address, failures, "a sign-in failed: the API key, the password or the identity is not valid");
        }
        delay(address, failures)
    }

    /// For how long an address must wait before its next attempt is looked at.
    pub fn delay(&self, address: Option<IpAddr>) -> Duration {
        let Some(address) = address.map(network) else { return Duration::ZERO };
        delay(address, self.0.get(&address).unwrap_or_default())
    }
}

fn delay(address: IpAddr, failures: u32) -> Duration {
    match address.is_loopback() {
        true => Duration::ZERO,
        false => STEP.saturating_mul(failures.saturating_sub(FREE)).min(MAX_DELAY),
    }
}

/// The address, of IPv6 its /64, which one subscriber has as a whole.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use shared_core::FixedClock;

    use super::*;

    fn delays(address: &str, failures: usize, step: i64) -> Vec<Duration> {
        let recorded = SignInFailures::new(Arc::new(FixedClock::new(0, step)));
        let address: IpAddr = address.parse().unwrap();
        (0..failures).map(|_| recorded.record(Some(address))).collect()
    }

    #[test]
    fn the_first_failures_of_an_address_are_answered_at_once_and_later_ones_ever_slower() {
        let delays = delays("192.0.2.1", 40, 0);
        assert!(delays[..10].iter().all(Duration::is_zero));
        assert_eq!((delays[10], delays[11]), (STEP, STEP * 2));
        assert_eq!((delays[29], delays[39]), (MAX_DELAY, MAX_DELAY));
    }

    #[test]
    fn failures_are_forgotten_after_a_minute_and_this_machine_never_waits() {
        assert!(delays("192.0.2.1", 40, 61).iter().all(Duration::is_zero));
        assert!(delays("127.0.0.1", 40, 0).iter().all(Duration::is_zero));
        assert!(delays("::ffff:127.0.0.1", 40, 0).iter().all(Duration::is_zero));
    }

    #[test]
    fn a_subscriber_of_ipv6_cannot_change_the_address() {
        let recorded = SignInFailures::new(Arc::new(FixedClock::new(0, 0)));
        let record = |n: u32| recorded.record(format!("2001:db8::{n}").parse().ok());
        let last = (1..=12).fold(Duration::ZERO, |_, n| record(n));
        assert_eq!(last, STEP * 2);
        assert_eq!(recorded.record("2001:db8:0:1::1".parse().ok()), Duration::ZERO);
    }
}
