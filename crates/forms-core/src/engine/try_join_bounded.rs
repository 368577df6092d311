//! Bounded concurrency, with results in the order of the work.

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;

use super::error::Failure;

/// Calls of one group in flight at most. Groups of a run go on beside each other too. Chosen by hand; no
/// measurement is recorded.
const AT_ONCE: usize = 4;

/// Runs all the work and returns the results in its order. After a failure it calls `stop`, starts nothing
/// else, and waits for the work in flight; it returns the first failure in the order of the work. Work that is deferred
/// stops no other.
pub(super) async fn try_join_bounded<T>(
    work: Vec<impl Future<Output = Result<T, Failure>>>,
    stop: impl Fn(),
) -> Result<Vec<T>, Failure> {
    let mut done: Vec<Option<T>> = work.iter().map(|_| None).collect();
    let mut waiting = work.into_iter().enumerate();
    let mut running = FuturesUnordered::new();
    let mut failed: Option<(usize, Failure)> = None;
    let mut is_deferred = false;
    loop {
        while failed.is_none() && running.len() < AT_ONCE {
            let Some((number, one)) = waiting.next() else { break };
            running.push(async move { (number, one.await) });
        }
        match running.next().await {
            None => break,
            Some((number, Ok(result))) => {
                if let Some(slot) = done.get_mut(number) {
                    *slot = Some(result);
                }
            }
            Some((_, Err(Failure::Deferred))) => is_deferred = true,
            Some((number, Err(failure))) => {
                stop();
                let is_first = failed.as_ref().is_none_or(|(known, why)| {
                    matches!(why, Failure::Stopped)
                        || (number < *known && !matches!(failure, Failure::Stopped))
                });
                if is_first {
                    failed = Some((number, failure));
                }
            }
        }
    }
    match failed {
        Some((_, failure)) => Err(failure),
        None if is_deferred => Err(Failure::Deferred),
        None => Ok(done.into_iter().flatten().collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gen_core::scripted::turn;
    use std::cell::Cell;

    /// Completes after a number of polls.
    async fn ends(
        turns: usize,
        running: &Cell<usize>,
        most: &Cell<usize>,
        fails: bool,
    ) -> Result<usize, Failure> {
        running.set(running.get() + 1);
        most.set(most.get().max(running.get()));
        for _ in 0..turns {
            turn().await;
        }
        running.set(running.get() - 1);
        if fails { Err(Failure::Refused) } else { Ok(turns) }
    }

    #[test]
    fn results_stand_in_the_order_of_the_work_and_few_run_at_once() {
        let (running, most) = (Cell::new(0), Cell::new(0));
        let work = [9, 1, 7, 2, 5, 3, 0, 4].map(|turns| ends(turns, &running, &most, false));
        let done = futures_executor::block_on(try_join_bounded(work.into(), || {})).unwrap();
        assert_eq!(done, [9, 1, 7, 2, 5, 3, 0, 4]);
        assert_eq!(most.get(), AT_ONCE);
    }

    #[test]
    fn deferred_work_stops_no_other() {
        let begun = Cell::new(0);
        let work = (0..20).map(|number| {
            let begun = &begun;
            async move {
                begun.set(begun.get() + 1);
                if number % 2 == 0 { Err(Failure::Deferred) } else { Ok(number) }
            }
        });
        let stopped = Cell::new(0);
        let done =
            futures_executor::block_on(try_join_bounded(work.collect(), || stopped.set(stopped.get() + 1)));
        assert!(matches!(done, Err(Failure::Deferred)));
        assert_eq!((begun.get(), stopped.get()), (20, 0));
    }

    #[test]
    fn after_a_failure_nothing_begins_and_what_runs_comes_to_its_end() {
        let (running, most, stopped) = (Cell::new(0), Cell::new(0), Cell::new(0));
        let begun = Cell::new(0);
        let work = (0..20).map(|number| {
            let (running, most, begun) = (&running, &most, &begun);
            async move {
                begun.set(begun.get() + 1);
                ends(if number == 1 { 1 } else { 5 }, running, most, number == 1).await
            }
        });
        let failed =
            futures_executor::block_on(try_join_bounded(work.collect(), || stopped.set(stopped.get() + 1)));
        assert!(matches!(failed, Err(Failure::Refused)));
        assert_eq!((running.get(), begun.get(), stopped.get()), (0, AT_ONCE, 1));
    }
}
