//! Limits the calls in flight of one backend. The others wait in a FIFO queue of bounded length, which the semaphores of
//! tokio and async-lock do not have, and which needs no runtime.

use std::collections::VecDeque;
use std::sync::Arc;

use futures_channel::oneshot;
use parking_lot::{Mutex, MutexGuard};

use super::Capacity;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct QueueFull;

/// The calls that a limiter knows of at the moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueFigures {
    /// Calls in flight.
    pub running: usize,
    /// Calls that wait for a permit.
    pub waiting: usize,
    /// Maximum calls in flight.
    pub limit: usize,
}

#[derive(Debug)]
struct PermitQueue {
    free: usize,
    waiting: VecDeque<oneshot::Sender<Permit>>,
}

/// The permits and the queue of one backend.
#[derive(Debug)]
pub(crate) struct ConcurrencyLimiter {
    capacity: Capacity,
    queue: Mutex<PermitQueue>,
}

/// A permit for one call. Dropping it passes it to the first in the queue.
#[derive(Debug)]
pub(crate) struct Permit {
    /// `None` once it is released.
    limiter: Option<Arc<ConcurrencyLimiter>>,
}

impl ConcurrencyLimiter {
    pub(crate) fn new(capacity: Capacity) -> Self {
        let places = PermitQueue { free: capacity.concurrent.max(1), waiting: VecDeque::new() };
        Self { capacity, queue: Mutex::new(places) }
    }

    fn queue(&self) -> MutexGuard<'_, PermitQueue> {
        self.queue.lock()
    }

    /// Waits for a permit. Dropping the future leaves the queue.
    pub(crate) async fn acquire(self: &Arc<Self>) -> Result<Permit, QueueFull> {
        let waiter = {
            let mut places = self.queue();
            if places.free > 0 {
                places.free -= 1;
                return Ok(Permit { limiter: Some(Arc::clone(self)) });
            }
            if places.waiting.len() >= self.capacity.waiting {
                places.waiting.retain(|waiter| !waiter.is_canceled());
            }
            if places.waiting.len() >= self.capacity.waiting {
                return Err(QueueFull);
            }
            let (sender, receiver) = oneshot::channel();
            places.waiting.push_back(sender);
            receiver
        };
        // This call keeps the limiter alive, and the limiter drops no waiter unserved.
        waiter.await.map_err(|oneshot::Canceled| QueueFull)
    }

    pub(crate) fn figures(&self) -> QueueFigures {
        let limit = self.capacity.concurrent.max(1);
        let queue = self.queue();
        let waiting = queue.waiting.iter().filter(|waiter| !waiter.is_canceled()).count();
        QueueFigures { running: limit.saturating_sub(queue.free), waiting, limit }
    }

    #[cfg(test)]
    pub(crate) fn free(&self) -> usize {
        self.queue().free
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let Some(limiter) = self.limiter.take() else { return };
        loop {
            let next = {
                let mut places = limiter.queue();
                let next = places.waiting.pop_front();
                if next.is_none() {
                    places.free += 1;
                }
                next
            };
            // Outside the lock: a waiter that leaves at this moment drops the permit it is sent.
            let Some(next) = next else { return };
            match next.send(Permit { limiter: Some(Arc::clone(&limiter)) }) {
                Ok(()) => return,
                // The waiter has left; dropping this permit must not release it a second time.
                Err(mut unused) => unused.limiter = None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::{Pin, pin};
    use std::task::{Context, Poll, Waker};

    use futures_executor::block_on;

    use super::*;

    fn limiter(concurrent: usize, waiting: usize) -> Arc<ConcurrencyLimiter> {
        Arc::new(ConcurrencyLimiter::new(Capacity { concurrent, waiting }))
    }

    fn poll<T>(future: Pin<&mut impl Future<Output = T>>) -> Poll<T> {
        future.poll(&mut Context::from_waker(Waker::noop()))
    }

    #[test]
    fn places_go_to_those_who_wait_in_the_order_they_came() {
        let limiter = limiter(1, 10);
        let first = block_on(limiter.acquire()).unwrap();
        let (mut second, mut third) = (pin!(limiter.acquire()), pin!(limiter.acquire()));
        assert!(poll(second.as_mut()).is_pending() && poll(third.as_mut()).is_pending());
        drop(first);
        assert!(poll(third.as_mut()).is_pending(), "it came later");
        let Poll::Ready(Ok(second)) = poll(second.as_mut()) else { panic!("its turn") };
        let mut late = pin!(limiter.acquire());
        drop(second);
        assert!(poll(late.as_mut()).is_pending(), "nobody overtakes");
        let Poll::Ready(Ok(third)) = poll(third.as_mut()) else { panic!("its turn") };
        drop(third);
        assert!(poll(late.as_mut()).is_ready());
        assert_eq!(limiter.free(), 1);
    }

    #[test]
    fn no_more_calls_than_places_run_at_once_whoever_leaves_the_queue() {
        let (limiter, running) = (limiter(3, 100), std::sync::atomic::AtomicUsize::new(0));
        let count = std::sync::atomic::Ordering::SeqCst;
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let (limiter, running) = (&limiter, &running);
                scope.spawn(move || {
                    for round in 0..2_000 {
                        if (round + thread) % 3 == 0 {
                            drop(poll(pin!(limiter.acquire())));
                            continue;
                        }
                        let permit = block_on(limiter.acquire()).unwrap();
                        assert!(running.fetch_add(1, count) < 3);
                        running.fetch_sub(1, count);
                        drop(permit);
                    }
                });
            }
        });
        assert_eq!(limiter.free(), 3);
    }

    #[test]
    fn a_full_queue_refuses_and_those_who_left_it_do_not_count() {
        let limiter = limiter(1, 1);
        let _first = block_on(limiter.acquire()).unwrap();
        {
            let mut second = pin!(limiter.acquire());
            assert!(poll(second.as_mut()).is_pending());
            assert_eq!(block_on(limiter.acquire()).unwrap_err(), QueueFull);
            assert_eq!(limiter.figures(), QueueFigures { running: 1, waiting: 1, limit: 1 });
        }
        assert_eq!(limiter.figures(), QueueFigures { running: 1, waiting: 0, limit: 1 });
        assert!(poll(pin!(limiter.acquire())).is_pending());
    }

    #[test]
    fn a_place_is_never_lost_whenever_a_waiter_leaves() {
        let limiter = limiter(1, 10);
        for given in [false, true] {
            let first = block_on(limiter.acquire()).unwrap();
            let mut first = Some(first);
            {
                let mut second = pin!(limiter.acquire());
                assert!(poll(second.as_mut()).is_pending());
                if given {
                    drop(first.take());
                }
            }
            drop(first);
            assert_eq!(limiter.free(), 1, "given: {given}");
        }
    }
}
