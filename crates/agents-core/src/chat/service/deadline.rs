//! How long models may hold a turn of the guided conversation.

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use futures_util::future::{Either, select};
use shared_core::Timer;

/// The end of the time that the models of a turn have together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline<'a> {
    timer: &'a dyn Timer,
    at: Duration,
}

impl<'a> Deadline<'a> {
    /// So long from now.
    pub(super) fn after(timer: &'a dyn Timer, time: Duration) -> Self {
        Self { timer, at: timer.elapsed().saturating_add(time) }
    }

    /// What comes of the work, if it comes in time; else the work is dropped, which abandons its calls. Work that has no
    /// time left is not begun.
    pub(super) async fn run_within<F: Future>(&self, work: F) -> Option<F::Output> {
        let left = self.at.saturating_sub(self.timer.elapsed());
        if left.is_zero() {
            return None;
        }
        match select(pin!(work), pin!(self.timer.sleep(left))).await {
            Either::Left((output, _)) => Some(output),
            Either::Right(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use gen_core::scripted::{VirtualTimer, run};

    use super::*;

    #[test]
    fn work_that_hangs_is_given_up_and_what_follows_is_not_begun() {
        let timer = VirtualTimer::default();
        let told = run(&timer, async {
            let deadline = Deadline::after(&timer, Duration::from_secs(5));
            let early = deadline.run_within(timer.sleep(Duration::from_secs(2))).await;
            let hung = deadline.run_within(std::future::pending::<()>()).await;
            let mut is_begun = false;
            let late = deadline.run_within(async { is_begun = true }).await;
            (early, hung, late, is_begun, timer.elapsed())
        });
        assert_eq!(told, Some((Some(()), None, None, false, Duration::from_secs(5))));
    }
}
