//! Each planted bug is found within a hundred seeds, and the system without it keeps its invariants under the same
//! seeds and more.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests assert, and print what they found"
)]

use simulation::{PlantedBug, Subject, simulate};

/// Seeds within which a bug must be found.
const SEEDS: u64 = 100;

/// The first seed that finds the bug.
fn find(subject: Subject, bug: PlantedBug) -> u64 {
    let found = (0..SEEDS).find_map(|seed| simulate(subject, seed, Some(bug)).err());
    let Some(failure) = found else { panic!("{bug:?} is not found within {SEEDS} seeds") };
    println!("{bug:?}: seed {}, {}", failure.seed, failure.invariant);
    failure.seed
}

fn keeps_its_invariants(subject: Subject) {
    for seed in 0..SEEDS {
        if let Err(failure) = simulate(subject, seed, None) {
            panic!("{failure}");
        }
    }
}

#[test]
fn the_queue_keeps_its_invariants() {
    keeps_its_invariants(Subject::Queue);
}

#[test]
fn bugs_of_the_queue_are_found() {
    use PlantedBug as Bug;
    for bug in [
        Bug::ClockSkew,
        Bug::LeaseOffByOne,
        Bug::ResultWithoutFencing,
        Bug::ResultTwice,
        Bug::RequeueWithoutFencing,
        Bug::RenewalOfLostLeases,
        Bug::ReleaseOfOthers,
        Bug::ClaimBeyondLimits,
        Bug::OldToken,
    ] {
        find(Subject::Queue, bug);
    }
}

#[test]
fn idempotent_requests_keep_their_invariants() {
    keeps_its_invariants(Subject::Requests);
}

#[test]
fn bugs_of_idempotent_requests_are_found() {
    use PlantedBug as Bug;
    for bug in [
        Bug::AnswerBeforeEffect,
        Bug::EffectWithoutRecord,
        Bug::EffectWithoutFencing,
        Bug::EffectOfAnotherKey,
    ] {
        find(Subject::Requests, bug);
    }
}

#[test]
fn limits_and_usage_keep_their_invariants() {
    keeps_its_invariants(Subject::Usage);
}

#[test]
fn bugs_of_limits_and_usage_are_found() {
    use PlantedBug as Bug;
    for bug in [Bug::ReservationBeyondLimits, Bug::UsageLostByDeath, Bug::UsageTwice] {
        find(Subject::Usage, bug);
    }
}

#[test]
fn batch_extraction_keeps_its_invariants() {
    keeps_its_invariants(Subject::Batch);
}

#[test]
fn bugs_of_batch_extraction_are_found() {
    use PlantedBug as Bug;
    for bug in [Bug::ClockSkew, Bug::AnswersForgotten, Bug::JobWithoutEnd, Bug::LeaseOffByOne] {
        find(Subject::Batch, bug);
    }
}

#[test]
fn webhooks_keep_their_invariants() {
    keeps_its_invariants(Subject::Webhooks);
}

#[test]
fn bugs_of_webhooks_are_found() {
    use PlantedBug as Bug;
    for bug in
        [Bug::DeliveryWithoutEnd, Bug::DeliveryDropped, Bug::DeliveryAfterDeletion, Bug::WrongSignature]
    {
        find(Subject::Webhooks, bug);
    }
}

#[test]
fn sessions_keep_their_invariants() {
    keeps_its_invariants(Subject::Sessions);
}

#[test]
fn bugs_of_sessions_are_found() {
    for bug in [PlantedBug::TurnWithoutRevision, PlantedBug::TurnsLost] {
        find(Subject::Sessions, bug);
    }
}

#[test]
fn a_seed_gives_the_same_run_again_and_so_does_one_that_fails() {
    for subject in Subject::ALL {
        for seed in 0..5 {
            let run = || simulate(subject, seed, None).unwrap();
            assert_eq!(run(), run(), "{subject:?} {seed}");
        }
    }
    let seed = find(Subject::Queue, PlantedBug::ResultWithoutFencing);
    let fail = || simulate(Subject::Queue, seed, Some(PlantedBug::ResultWithoutFencing)).unwrap_err();
    let (first, second) = (fail(), fail());
    assert_eq!((first.trace_hash, &first.trace), (second.trace_hash, &second.trace));
}
