//! The time limit of the model calls of a turn of the guided dialogue.

use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use futures_util::future::{Either, select};
use shared_core::Timer;

/// The common deadline of all model calls of a turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline<'a> {
    timer: &'a dyn Timer,
    time: Duration,
    at: Duration,
}

impl<'a> Deadline<'a> {
    /// A deadline `time` from now.
    pub(super) fn after(timer: &'a dyn Timer, time: Duration) -> Self {
        Self { timer, time, at: timer.elapsed().saturating_add(time) }
    }

    /// The warning after a model call exceeded it.
    pub(super) fn message(&self) -> String {
        format!("the model did not answer within the limit of {} s per turn", self.time.as_secs())
    }

    /// Runs `work` until the deadline. `None` when the deadline passes: dropping the future cancels its
    /// calls. Does not start `work` when no time is left.
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
