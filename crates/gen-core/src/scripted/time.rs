//! Virtual time, so that tests of waits take no time.

use std::collections::BTreeMap;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use async_trait::async_trait;
use parking_lot::{Mutex, MutexGuard};

use crate::Timer;

#[derive(Debug, Default)]
struct Sleepers {
    now: Duration,
    /// By wake-up time and arrival.
    wakers: BTreeMap<(Duration, u64), Waker>,
    count: u64,
}

/// A timer that [`run`] advances.
#[derive(Debug, Default)]
pub struct VirtualTimer(Mutex<Sleepers>);

impl VirtualTimer {
    fn sleepers(&self) -> MutexGuard<'_, Sleepers> {
        self.0.lock()
    }

    /// Advances the time without waking sleepers.
    pub fn advance(&self, duration: Duration) {
        self.sleepers().now += duration;
    }

    /// Advances the time to the next wake-up; `false` when nobody sleeps.
    fn step(&self) -> bool {
        let mut sleepers = self.sleepers();
        let Some(((at, _), waker)) = sleepers.wakers.pop_first() else { return false };
        sleepers.now = sleepers.now.max(at);
        drop(sleepers);
        waker.wake();
        true
    }
}

/// Removes a sleeper when its future is dropped.
struct SleeperGuard<'a>(&'a VirtualTimer, (Duration, u64));

impl Drop for SleeperGuard<'_> {
    fn drop(&mut self) {
        self.0.sleepers().wakers.remove(&self.1);
    }
}

#[async_trait]
impl Timer for VirtualTimer {
    fn elapsed(&self) -> Duration {
        self.sleepers().now
    }

    async fn sleep(&self, duration: Duration) {
        let key = {
            let mut sleepers = self.sleepers();
            sleepers.count += 1;
            (sleepers.now.saturating_add(duration), sleepers.count)
        };
        let place = SleeperGuard(self, key);
        poll_fn(|context| {
            let mut sleepers = place.0.sleepers();
            if sleepers.now >= key.0 {
                return Poll::Ready(());
            }
            sleepers.wakers.insert(key, context.waker().clone());
            Poll::Pending
        })
        .await;
    }
}

#[derive(Debug, Default)]
struct WakeFlag(AtomicBool);

impl Wake for WakeFlag {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Runs a future to completion. Whenever it is pending, time advances to the next wake-up. `None` if it is
/// pending without any sleeper.
pub fn run<F: Future>(timer: &VirtualTimer, future: F) -> Option<F::Output> {
    run_until(timer, usize::MAX, future)
}

/// As [`run`], but drops the future after this many polls.
pub fn run_until<F: Future>(timer: &VirtualTimer, polls: usize, future: F) -> Option<F::Output> {
    let flag = Arc::new(WakeFlag::default());
    let waker = Waker::from(Arc::clone(&flag));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    for _ in 0..polls {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return Some(output);
        }
        if !flag.0.swap(false, Ordering::SeqCst) && !timer.step() {
            return None;
        }
    }
    None
}
