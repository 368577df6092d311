//! The conformance suite of the port, for its implementations. Jobs are enqueued by their owners' stores, so
//! each case gets a harness that can do it.

use futures_util::future::BoxFuture;
use shared_core::{Scope, StoreError, Timestamp};

use crate::{Claim, ClaimedJob, Job, JobKey, JobQueue, Priority};

/// A store under test.
pub trait QueueHarness: Send + Sync {
    /// The queue.
    fn queue(&self) -> &dyn JobQueue;
    /// Enqueues jobs that can be claimed from `ready` on.
    fn put(&self, jobs: Vec<Job>, ready: Timestamp) -> BoxFuture<'_, ()>;
}

/// The queue that the cases use.
pub const QUEUE: &str = "suite";

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros(seconds * 1_000_000).unwrap_or_else(|| unreachable!("a valid instant"))
}

fn jobs(scope: &Scope, owner: &str, count: u32) -> Vec<Job> {
    jobs_of(scope, owner, count, Priority::Normal)
}

fn jobs_of(scope: &Scope, owner: &str, count: u32, priority: Priority) -> Vec<Job> {
    let key = |position| JobKey { queue: QUEUE, owner: owner.to_owned(), position };
    (0..count)
        .map(|position| Job { key: key(position), workspace: scope.workspace.clone(), priority })
        .collect()
}

fn claim(worker: &str, now: i64, count: u32) -> Claim<'_> {
    Claim {
        queue: QUEUE,
        worker,
        now: at(now),
        until: at(now + 30),
        count,
        per_owner: 16,
        per_workspace: 48,
        owners: None,
    }
}

fn places(claimed: &[ClaimedJob]) -> Vec<u32> {
    claimed.iter().map(|one| one.job.key.position).collect()
}

/// A job belongs to one worker until its lease expires. Then the next worker claims it, and the first is
/// refused.
pub async fn a_lease_that_runs_out_goes_to_the_next_worker(
    bench: &dyn QueueHarness,
    own: &Scope,
    _other: &Scope,
) {
    let queue = bench.queue();
    bench.put(jobs(own, "lease", 2), at(100)).await;
    assert!(queue.claim(&claim("a", 99, 8)).await.expect("claim").is_empty(), "its time has not come");
    let first = queue.claim(&claim("a", 100, 8)).await.expect("claim");
    assert_eq!(places(&first), [0, 1]);
    assert_eq!((first[0].attempts, first[0].interrupted), (0, 0));
    assert_eq!(first[0].job.workspace, own.workspace);
    assert!(queue.claim(&claim("b", 129, 8)).await.expect("claim").is_empty(), "they are held");
    let held = queue.renew(QUEUE, "a", at(160)).await.expect("renew");
    assert_eq!(held.len(), 2);
    assert!(queue.claim(&claim("b", 131, 8)).await.expect("claim").is_empty(), "they were renewed");
    let second = queue.claim(&claim("b", 161, 8)).await.expect("claim");
    assert_eq!(places(&second), [0, 1]);
    assert!(second[0].token > first[0].token && second[0].interrupted == 1);
    let second = queue.claim(&claim("b", 192, 8)).await.expect("claim");
    assert!(second.iter().all(|job| job.interrupted == 1), "the worker takes its own lease over");
    assert!(queue.renew(QUEUE, "a", at(200)).await.expect("renew").is_empty());
    let late = queue.requeue(&first[0].job.key, first[0].token, at(0), true).await;
    assert!(matches!(late, Err(StoreError::Stale)), "the first has lost it");
    assert!(matches!(queue.discard(&first[0].job.key, first[0].token).await, Err(StoreError::Stale)));
    for job in second {
        queue.discard(&job.job.key, job.token).await.expect("its own");
    }
    assert!(queue.claim(&claim("a", 900, 8)).await.expect("claim").is_empty());
}

/// A requeued job waits until it is due and counts its failed attempts.
pub async fn a_job_that_is_given_back_waits_for_its_time(
    bench: &dyn QueueHarness,
    own: &Scope,
    _other: &Scope,
) {
    let queue = bench.queue();
    bench.put(jobs(own, "back", 2), at(0)).await;
    let first = queue.claim(&claim("a", 1, 8)).await.expect("claim");
    queue.requeue(&first[0].job.key, first[0].token, at(50), true).await.expect("failed");
    queue.requeue(&first[1].job.key, first[1].token, at(50), false).await.expect("no room");
    assert!(queue.claim(&claim("a", 49, 8)).await.expect("claim").is_empty());
    let again = queue.claim(&claim("a", 50, 8)).await.expect("claim");
    let counted: Vec<(u32, u32)> = again.iter().map(|one| (one.attempts, one.interrupted)).collect();
    assert_eq!(counted, [(1, 0), (0, 0)]);
    assert_eq!(queue.release_worker(QUEUE, "a", at(60)).await.expect("leave"), 2);
    let last = queue.claim(&claim("b", 60, 8)).await.expect("claim");
    assert_eq!(last.iter().map(|one| one.interrupted).collect::<Vec<_>>(), [0, 0]);
    let late = queue.requeue(&again[0].job.key, again[0].token, at(0), true).await;
    assert!(matches!(late, Err(StoreError::Stale)), "who left has lost it");
    assert_eq!(queue.expire_other_leases(QUEUE, "b", at(61)).await.expect("seize"), 0, "its own stay");
    assert_eq!(queue.expire_other_leases(QUEUE, "c", at(61)).await.expect("seize"), 2);
    let seized = queue.claim(&claim("c", 61, 8)).await.expect("claim");
    assert_eq!(seized.iter().map(|one| one.interrupted).collect::<Vec<_>>(), [1, 1]);
    for job in seized {
        queue.discard(&job.job.key, job.token).await.expect("its own");
    }
}

/// Times that a clock wrote which was ahead become now; others stay.
pub async fn times_that_no_delay_reaches_become_now(bench: &dyn QueueHarness, own: &Scope, _other: &Scope) {
    let queue = bench.queue();
    bench.put(jobs(own, "soon", 1), at(400)).await;
    bench.put(jobs(own, "late", 1), at(90_000)).await;
    assert_eq!(queue.advance_due_times("another", at(500), at(100)).await.expect("advance"), 0);
    assert_eq!(queue.advance_due_times(QUEUE, at(500), at(100)).await.expect("advance"), 1);
    let due = queue.claim(&claim("a", 100, 8)).await.expect("claim");
    assert_eq!(due.iter().map(|job| job.job.key.owner.as_str()).collect::<Vec<_>>(), ["late"]);
    let later = queue.claim(&claim("a", 400, 8)).await.expect("claim");
    assert_eq!(later.len(), 2, "the one that was due stays, and the lease of the other ended");
    for job in later {
        queue.discard(&job.job.key, job.token).await.expect("its own");
    }
}

/// The unclaimed jobs of an owner can be deferred together.
pub async fn an_owners_jobs_are_put_off_together(bench: &dyn QueueHarness, own: &Scope, _other: &Scope) {
    let queue = bench.queue();
    bench.put(jobs(own, "off", 4), at(0)).await;
    bench.put(jobs(own, "other", 1), at(0)).await;
    let held = queue.claim(&Claim { per_owner: 1, ..claim("a", 1, 8) }).await.expect("claim");
    assert_eq!(held.len(), 2);
    queue.defer(QUEUE, "off", at(10)).await.expect("defer");
    queue.defer(QUEUE, "off", at(5)).await.expect("defer");
    assert!(queue.claim(&claim("a", 9, 8)).await.expect("claim").is_empty());
    let later = queue.claim(&claim("a", 10, 8)).await.expect("claim");
    assert_eq!(places(&later), [1, 2, 3], "what is held is left alone");
    for job in held.iter().chain(&later) {
        queue.discard(&job.job.key, job.token).await.expect("its own");
    }
}

/// A claim for some owners leaves the jobs of others alone.
pub async fn a_claim_for_owners_takes_only_their_jobs(bench: &dyn QueueHarness, own: &Scope, other: &Scope) {
    let queue = bench.queue();
    for owner in ["only-a", "only-b", "only-c"] {
        bench.put(jobs(own, owner, 2), at(0)).await;
    }
    bench.put(jobs(other, "only-d", 2), at(0)).await;
    let only = ["only-c".to_owned(), "only-d".to_owned(), "only-e".to_owned()];
    let mut claimed = queue.claim(&Claim { owners: Some(&only), ..claim("a", 1, 3) }).await.expect("claim");
    claimed.extend(queue.claim(&Claim { owners: Some(&only), ..claim("a", 1, 3) }).await.expect("claim"));
    let mut owners: Vec<&str> = claimed.iter().map(|one| one.job.key.owner.as_str()).collect();
    owners.sort_unstable();
    assert_eq!(owners, ["only-c", "only-c", "only-d", "only-d"]);
    assert!(queue.claim(&Claim { owners: Some(&[]), ..claim("a", 1, 8) }).await.expect("claim").is_empty());
    claimed.extend(queue.claim(&claim("a", 1, 8)).await.expect("claim"));
    assert_eq!(claimed.len(), 8);
    for job in claimed {
        queue.discard(&job.job.key, job.token).await.expect("its own");
    }
}

/// Owners with equally many running jobs take turns, whatever their names.
pub async fn equals_take_turns(bench: &dyn QueueHarness, own: &Scope, _other: &Scope) {
    let queue = bench.queue();
    for owner in ["turn-a", "turn-b", "turn-c"] {
        bench.put(jobs(own, owner, 9), at(0)).await;
    }
    let mut served = std::collections::BTreeMap::new();
    for _ in 0..9 {
        let job = queue.claim(&claim("a", 1, 1)).await.expect("claim").remove(0);
        queue.discard(&job.job.key, job.token).await.expect("its own");
        *served.entry(job.job.key.owner).or_insert(0) += 1;
    }
    assert!(served.values().eq(&[3, 3, 3]), "{served:?}");
    while let Some(job) = queue.claim(&claim("a", 1, 1)).await.expect("claim").pop() {
        queue.discard(&job.job.key, job.token).await.expect("its own");
    }
}

/// Workspaces share the permits, and an owner gets no more than its limit.
pub async fn a_million_jobs_do_not_starve_ten(bench: &dyn QueueHarness, own: &Scope, other: &Scope) {
    let queue = bench.queue();
    bench.put(jobs(own, "big-1", 100), at(0)).await;
    bench.put(jobs(own, "big-2", 100), at(0)).await;
    bench.put(jobs(other, "small", 10), at(5)).await;
    let first = queue.claim(&claim("a", 1, 40)).await.expect("claim");
    assert_eq!(first.len(), 32, "16 of each owner");
    let second = queue.claim(&claim("a", 5, 40)).await.expect("claim");
    assert_eq!(places(&second), (0..10).collect::<Vec<_>>(), "in their order");
    assert!(second.iter().all(|one| one.job.workspace == other.workspace));
    for job in first.iter().chain(&second) {
        queue.requeue(&job.job.key, job.token, at(10), false).await.expect("back");
    }
    let shared = queue.claim(&claim("b", 10, 16)).await.expect("claim");
    let of_other = shared.iter().filter(|one| one.job.workspace == other.workspace).count();
    assert_eq!((shared.len(), of_other), (16, 8));
    let limited = Claim { per_workspace: 9, ..claim("b", 10, 16) };
    let more = queue.claim(&limited).await.expect("claim");
    assert_eq!(more.len(), 2, "each workspace has one place left");
    let others = queue.claim(&Claim { worker: "c", ..limited }).await.expect("claim");
    assert_eq!(others.len(), 10, "each worker has its own limits");
    while let Some(job) = queue.claim(&claim("b", 1_000, 1)).await.expect("claim").pop() {
        queue.discard(&job.job.key, job.token).await.expect("its own");
    }
}

/// A higher priority comes first within its workspace, and a lower one still has its turns. Workspaces share as before.
pub async fn a_higher_priority_comes_first_and_a_lower_one_has_its_turns(
    bench: &dyn QueueHarness,
    own: &Scope,
    other: &Scope,
) {
    let queue = bench.queue();
    bench.put(jobs_of(own, "low", 30, Priority::Low), at(0)).await;
    bench.put(jobs(own, "normal-1", 30), at(0)).await;
    bench.put(jobs(own, "normal-2", 30), at(0)).await;
    bench.put(jobs_of(own, "high", 30, Priority::High), at(5)).await;
    bench.put(jobs_of(other, "other", 30, Priority::Low), at(5)).await;
    let before = queue.claim(&claim("a", 1, 5)).await.expect("claim");
    let of =
        |claimed: &[ClaimedJob], owner: &str| claimed.iter().filter(|one| one.job.key.owner == owner).count();
    let counts = |claimed: &[ClaimedJob]| {
        ["high", "normal-1", "normal-2", "low", "other"].map(|owner| of(claimed, owner))
    };
    assert_eq!(counts(&before), [0, 2, 2, 1, 0], "four of five are normal");
    let give_back = async |claimed: Vec<ClaimedJob>| {
        for job in claimed {
            queue.requeue(&job.job.key, job.token, at(0), false).await.expect("back");
        }
    };
    give_back(before).await;
    let first = queue.claim(&claim("b", 5, 42)).await.expect("claim");
    assert_eq!(
        counts(&first),
        [16, 4, 4, 2, 16],
        "the other workspace gets as much, up to the limit of an owner"
    );
    let told = |owner| first.iter().find(|one| one.job.key.owner == owner).map(|one| one.job.priority);
    assert_eq!([told("high"), told("low")], [Some(Priority::High), Some(Priority::Low)]);
    give_back(first).await;
    // One permit at a time, the lower ones get theirs too.
    let mut served = [0; 5];
    for _ in 0..42 {
        let one = queue.claim(&claim("c", 5, 1)).await.expect("claim");
        for (sum, count) in served.iter_mut().zip(counts(&one)) {
            *sum += count;
        }
        give_back(one).await;
    }
    assert!(served[0] >= 14 && served[3] >= 1 && served[1] >= 1 && served[2] >= 1, "{served:?}");
    queue.defer(QUEUE, "high", at(50)).await.expect("defer");
    let without = queue.claim(&Claim { per_owner: 2, ..claim("d", 5, 8) }).await.expect("claim");
    assert_eq!(counts(&without), [0, 2, 2, 2, 2], "what is left over goes to the others");
    give_back(without).await;
    while let Some(job) = queue.claim(&claim("e", 1_000, 1)).await.expect("claim").pop() {
        queue.discard(&job.job.key, job.token).await.expect("its own");
    }
}

/// A `#[test]` for every case; `$run` gets its name and a closure that takes a harness and two scopes.
#[macro_export]
macro_rules! job_queue_contract {
    ($run:ident) => {
        $crate::job_queue_contract!($run: a_lease_that_runs_out_goes_to_the_next_worker a_job_that_is_given_back_waits_for_its_time an_owners_jobs_are_put_off_together times_that_no_delay_reaches_become_now a_claim_for_owners_takes_only_their_jobs equals_take_turns a_higher_priority_comes_first_and_a_lower_one_has_its_turns a_million_jobs_do_not_starve_ten);
    };
    ($run:ident: $($name:ident)*) => {
        $(#[test] fn $name() {
            $run(stringify!($name), |bench, own, other| {
                Box::pin(async move { $crate::contract::$name(&*bench, &own, &other).await })
            });
        })*
    };
}
