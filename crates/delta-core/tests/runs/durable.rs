//! Crashes, outages, budgets, cancel and retry: nothing is lost and nothing is paid twice.

use std::sync::atomic::Ordering;
use std::time::Duration;

use delta_core::{ErrorClass, GroupState, RunEvent, RunState};
use futures_executor::block_on;
use futures_util::future::join;
use futures_util::{StreamExt as _, TryStreamExt as _};
use serde_json::json;
use shared_core::{DomainError as _, ErrorKind, Timer as _};

use crate::kit::{Kit, scope};

#[test]
fn five_thousand_groups_never_have_more_in_work_than_the_limit() {
    let kit = block_on(Kit::with(7, 5));
    kit.play(async {
        let document = kit.file("slow").await;
        let run = kit.start(vec![vec![document]; 5_000], false).await.unwrap();
        let outcomes = kit.complete(&run).await;
        assert_eq!(outcomes.len(), 5_000);
        assert!(outcomes.iter().enumerate().all(|(index, group)| group.index as usize == index));
        assert_eq!(kit.model.most.load(Ordering::SeqCst), 5);
        let took = kit.timer.elapsed().as_secs();
        assert!((1_000..=1_005).contains(&took), "every place was used all the time, not {took} s long");
    });
}

#[test]
fn a_crash_loses_no_finished_group_and_only_calls_in_flight_are_made_again() {
    let mut kit = block_on(Kit::with(3, 64));
    let run = kit.play(async {
        let document = kit.file("slow").await;
        let run = kit.start(vec![vec![document]; 40], false).await.unwrap();
        while kit.model.calls.load(Ordering::SeqCst) < 20 {
            kit.timer.sleep(Duration::from_millis(300)).await;
        }
        run
    });
    kit.restart();
    kit.play(async {
        assert!(kit.look(&run).await.successful >= 17);
        assert_eq!(kit.complete(&run).await.len(), 40);
        let calls = kit.model.calls.load(Ordering::SeqCst);
        assert!(calls <= 43, "only the three in flight are asked again, not {calls}");
        let run = kit.look(&run).await;
        assert_eq!((run.state, run.successful, run.usage.input_tokens), (RunState::Succeeded, 40, 400));
    });
}

#[test]
fn an_attempt_after_an_outage_uses_the_answers_of_the_one_before() {
    let kit = block_on(Kit::new());
    kit.play(async {
        let run = kit.start(vec![vec![kit.file("unsteady").await]], false).await.unwrap();
        assert!(kit.complete(&run).await[0].response.is_some());
        let calls = kit.model.calls.load(Ordering::SeqCst);
        assert_eq!(calls, 3, "no record; an outage; and only the call that failed again");
    });
}

#[test]
fn who_lost_a_group_does_not_hide_its_outcome_from_those_who_follow_the_run() {
    let kit = block_on(Kit::new());
    kit.play(async {
        let document = kit.file("slow").await;
        let run = kit.start(vec![vec![document]; 2], false).await.unwrap();
        kit.timer.sleep(Duration::from_millis(500)).await;
        let token = kit.take_over(&run, 0).await;
        let mut outcomes = kit.service.outcomes(&scope("w"), &run);
        let end = async {
            kit.timer.sleep(Duration::from_secs(5)).await;
            kit.finish(&run, 0, token).await;
        };
        let (first, ()) = join(outcomes.try_next(), end).await;
        assert_eq!(first.unwrap().unwrap().index, 0);
        assert_eq!(outcomes.try_next().await.unwrap().unwrap().index, 1);
    });
}

#[test]
fn who_follows_a_run_that_is_cancelled_and_retried_misses_no_outcome() {
    let kit = block_on(Kit::with(1, 64));
    kit.play(async {
        let document = kit.file("slow").await;
        let run = kit.start(vec![vec![document]; 3], false).await.unwrap();
        let late = kit.service.outcomes(&scope("w"), &run);
        kit.timer.sleep(Duration::from_millis(500)).await;
        kit.service.cancel(&scope("w"), "agent", run.sid).await.unwrap();
        // What another follower learns of the cancelled run does not hold after the retry.
        assert!(kit.complete(&run).await.iter().all(|group| group.response.is_none()));
        kit.service.retry(&scope("w"), "agent", run.sid).await.unwrap();
        let outcomes: Vec<_> = late.try_collect().await.unwrap();
        assert!(outcomes.iter().map(|group| group.index).eq(0..3), "{outcomes:?}");
        assert!(outcomes.iter().all(|group| group.response.is_some()), "{outcomes:?}");
    });
}

#[test]
fn a_store_that_is_full_is_offered_the_result_until_it_takes_it() {
    let kit = block_on(Kit::with(2, 64));
    kit.play(async {
        let document = kit.file("good").await;
        kit.groups.failures.store(2, Ordering::SeqCst);
        let run = kit.start(vec![vec![document.clone()]; 3], false).await.unwrap();
        assert_eq!(kit.complete(&run).await.len(), 3);

        let before = kit.model.calls.load(Ordering::SeqCst);
        kit.groups.failures.store(u32::MAX, Ordering::SeqCst);
        let run = kit.start(vec![vec![document]; 30], false).await.unwrap();
        let outcomes: Vec<_> = kit.service.outcomes(&scope("w"), &run).collect().await;
        let error = outcomes.last().unwrap().as_ref().unwrap_err();
        assert_eq!((error.kind(), error.code(), outcomes.len()), (ErrorKind::StorageFull, "storage_full", 1));
        kit.timer.sleep(Duration::from_secs(600)).await;
        assert_eq!(kit.model.calls.load(Ordering::SeqCst) - before, 2, "no further groups are begun");

        kit.groups.failures.store(0, Ordering::SeqCst);
        kit.timer.sleep(Duration::from_secs(61)).await;
        assert_eq!(kit.complete(&run).await.len(), 30);
        assert_eq!(kit.model.calls.load(Ordering::SeqCst) - before, 30, "nothing was paid twice");
    });
}

#[test]
fn a_reader_that_goes_away_does_not_stop_the_run() {
    let kit = block_on(Kit::new());
    kit.play(async {
        let document = kit.file("slow").await;
        let run = kit.start(vec![vec![document]; 100], false).await.unwrap();
        let mut outcomes = kit.service.outcomes(&scope("w"), &run);
        assert!(outcomes.next().await.unwrap().is_ok());
        drop(outcomes);
        kit.timer.sleep(Duration::from_secs(10)).await;
        assert_eq!(kit.look(&run).await.state, RunState::Succeeded);
    });
}

#[test]
fn an_outage_is_waited_out_and_what_it_cost_is_counted() {
    let kit = block_on(Kit::new());
    kit.play(async {
        let document = kit.file("flaky").await;
        kit.model.failures.store(2, Ordering::SeqCst);
        let run = kit.start(vec![vec![document]], false).await.unwrap();
        assert!(kit.complete(&run).await[0].response.is_some());
        let groups = kit.service.groups(&scope("w"), &run, 0, 9).await.unwrap();
        assert_eq!((groups[0].state, groups[0].attempts), (GroupState::Succeeded, 3));
        assert_eq!((groups[0].usage.input_tokens, kit.look(&run).await.usage.input_tokens), (30, 30));
    });
}

#[test]
fn an_outage_that_stays_fails_the_group_with_its_class() {
    let kit = block_on(Kit::new());
    kit.play(async {
        let document = kit.file("flaky").await;
        kit.model.failures.store(u32::MAX, Ordering::SeqCst);
        let run = kit.start(vec![vec![document]], false).await.unwrap();
        let outcomes = kit.complete(&run).await;
        assert_eq!(outcomes[0].failures[0].error.class, ErrorClass::Model);
        let run = kit.look(&run).await;
        assert_eq!((run.state, run.usage.input_tokens), (RunState::Failed, 40));
        let groups = kit.service.groups(&scope("w"), &run, 0, 9).await.unwrap();
        assert_eq!((groups[0].attempts, groups[0].error.as_ref().unwrap().class), (4, ErrorClass::Model));
    });
}

#[test]
fn an_outage_while_a_value_is_corrected_is_tried_again_and_then_costs_that_value_alone() {
    let kit = block_on(Kit::new());
    kit.play(async {
        let first = kit.start(vec![vec![kit.file("good").await]], false).await.unwrap();
        kit.complete(&first).await;
        kit.change_form(&first, json!({"a": {"type": "string"}, "n": {"type": "integer"}})).await;
        let run = kit.start(vec![vec![kit.file("half lost").await]], false).await.unwrap();
        let outcome = kit.complete(&run).await.remove(0);
        let response = outcome.response.unwrap();
        assert_eq!(json!(response.record), json!({"a": "half lost", "n": null}));
        assert_eq!(response.errors[0].path, "/n");
        let groups = kit.service.groups(&scope("w"), &run, 0, 1).await.unwrap();
        assert_eq!(groups[0].attempts, 4, "the correction was asked for in every attempt");
        let calls = kit.model.calls.load(Ordering::SeqCst);
        assert_eq!(calls, 1 + 1 + 4, "the good document, the first answer once, and the corrections");
    });
}

#[test]
fn a_run_without_failures_is_not_done_again() {
    let kit = block_on(Kit::new());
    kit.play(async {
        let run = kit.start(vec![vec![kit.file("good").await]], false).await.unwrap();
        kit.complete(&run).await;
        let before = kit.look(&run).await;
        let refused = kit.service.retry(&scope("w"), "agent", run.sid).await.unwrap_err();
        assert_eq!(refused.code(), "nothing_failed");
        let after = kit.look(&run).await;
        assert_eq!((after.state, after.finished), (RunState::Succeeded, before.finished));
    });
}

#[test]
fn answers_without_a_record_are_asked_for_anew_and_each_is_counted_once() {
    let kit = block_on(Kit::new());
    kit.play(async {
        let document = kit.file("babble").await;
        // The engine calls the model twice per attempt.
        kit.model.failures.store(5, Ordering::SeqCst);
        let run = kit.start(vec![vec![document]], false).await.unwrap();
        assert!(kit.complete(&run).await[0].response.is_some());
        let run = kit.look(&run).await;
        let calls = kit.model.calls.load(Ordering::SeqCst);
        assert_eq!((run.usage.input_tokens, calls), (u64::from(calls) * 10, 6));
    });
}

#[test]
fn cancelling_breaks_off_what_is_in_work_and_keeps_what_was_done() {
    let kit = block_on(Kit::with(2, 64));
    kit.play(async {
        let (quick, slow) = (kit.file("good").await, kit.file("slow").await);
        let mut groups = vec![vec![slow]; 30];
        groups[0] = vec![quick];
        let run = kit.start(groups, false).await.unwrap();
        kit.timer.sleep(Duration::from_millis(500)).await;
        let calls = kit.model.calls.load(Ordering::SeqCst);
        let cancelled = kit.service.cancel(&scope("w"), "agent", run.sid).await.unwrap();
        assert_eq!((cancelled.state, cancelled.successful, cancelled.failed), (RunState::Cancelled, 1, 29));
        let outcomes = kit.complete(&run).await;
        assert_eq!(outcomes.len(), 30);
        assert_eq!(outcomes[29].failures[0].error.class, ErrorClass::Cancelled);
        kit.timer.sleep(Duration::from_secs(60)).await;
        assert_eq!(kit.model.calls.load(Ordering::SeqCst), calls, "nothing is asked any more");
        let again = kit.service.cancel(&scope("w"), "agent", run.sid).await.unwrap_err();
        assert_eq!((again.kind(), again.code()), (ErrorKind::Conflict, "run_over"));
    });
}

#[test]
fn doing_again_does_what_failed_and_nothing_else() {
    let kit = block_on(Kit::new());
    kit.play(async {
        let (good, flaky) = (kit.file("good").await, kit.file("flaky").await);
        kit.model.failures.store(4, Ordering::SeqCst);
        let run = kit.start(vec![vec![good.clone()], vec![flaky], vec![good]], false).await.unwrap();
        let before = kit.complete(&run).await;
        assert_eq!(kit.look(&run).await.state, RunState::PartlyFailed);
        let calls = kit.model.calls.load(Ordering::SeqCst);
        let reopened = kit.service.retry(&scope("w"), "agent", run.sid).await.unwrap();
        assert_eq!((reopened.state, reopened.failed), (RunState::Running, 0));
        let after = kit.complete(&run).await;
        assert_eq!(kit.model.calls.load(Ordering::SeqCst) - calls, 1);
        assert_eq!((&after[0], &after[2]), (&before[0], &before[2]));
        assert!(after[1].response.is_some() && after[1].failures.is_empty());
        assert_eq!(kit.look(&run).await.state, RunState::Succeeded);
        let again = kit.service.retry(&scope("w"), "agent", run.sid).await.unwrap_err();
        assert_eq!((again.kind(), again.code()), (ErrorKind::Conflict, "nothing_failed"));
    });
}

#[test]
fn identical_work_is_answered_from_the_store_under_new_ids_and_other_names() {
    let kit = block_on(Kit::new());
    kit.play(async {
        let (one, same) = (kit.file("slow same").await, kit.file("slow same").await);
        let run = kit.start_again(vec![vec![one.clone()]; 20]).await;
        let first = kit.complete(&run).await;
        assert_eq!(kit.model.calls.load(Ordering::SeqCst), 1, "work of the same time waits for the first");
        kit.timer.sleep(Duration::from_secs(60)).await;
        let run = kit.start_again(vec![vec![same], vec![one.clone(), one.clone()]]).await;
        let second = kit.complete(&run).await;
        assert_eq!(kit.model.calls.load(Ordering::SeqCst), 2, "two documents are other work than one");
        let (old, new) = (first[0].response.as_ref().unwrap(), second[0].response.as_ref().unwrap());
        assert_eq!((&new.record, new.reused_from.as_ref()), (&old.record, Some(&old.gid)));
        assert_ne!(new.gid, old.gid);
        assert_eq!((old.generation_duration, new.generation_duration), (1.0, 0.0), "nothing was generated");
        assert!(new.created >= old.created.plus_seconds(60), "it is as old as its own group");
        let durations = [old, new].map(|response| (response.scraping_duration, response.total_duration));
        assert_eq!(durations, [(0.5, 1.5), (0.0, 0.0)], "the second group found its document read");
        assert_eq!(kit.look(&run).await.usage.input_tokens, 10, "the second group's alone");
        let run = kit.start(vec![vec![one]], false).await.unwrap();
        kit.complete(&run).await;
        assert_eq!(kit.model.calls.load(Ordering::SeqCst), 3, "a fresh run asks");
    });
}

#[test]
fn events_tell_each_outcome_once_and_go_on_where_a_reader_left() {
    let kit = block_on(Kit::with(2, 64));
    kit.play(async {
        let slow = kit.file("slow").await;
        let run = kit.start(vec![vec![slow]; 9], false).await.unwrap();
        let mut events = kit.service.events(&scope("w"), &run, 0);
        let mut seen = Vec::new();
        while seen.len() < 4 {
            if let RunEvent::Group(group) = events.try_next().await.unwrap().unwrap() {
                seen.push((group.sequence.unwrap(), group.index));
            }
        }
        drop(events);
        let after = seen.last().unwrap().0;
        let rest: Vec<RunEvent> = kit.service.events(&scope("w"), &run, after).try_collect().await.unwrap();
        assert!(matches!(&rest[0], RunEvent::Group(_) | RunEvent::Progress(_)));
        let groups = rest.iter().filter_map(|event| match event {
            RunEvent::Group(group) => Some((group.sequence.unwrap(), group.index)),
            _ => None,
        });
        seen.extend(groups);
        assert!(seen.iter().map(|(sequence, _)| *sequence).eq(1..=9));
        let mut indices: Vec<u32> = seen.iter().map(|(_, index)| *index).collect();
        indices.sort_unstable();
        assert!(indices.into_iter().eq(0..9));
        assert!(matches!(rest.last(), Some(RunEvent::End(run)) if run.state == RunState::Succeeded));
    });
}

#[test]
fn a_limit_of_a_minute_is_waited_for_and_no_attempt_counts() {
    let kit = block_on(Kit::new());
    kit.play(async {
        kit.budget.limit(60, 2);
        let good = kit.file("good").await;
        let run = kit.start(vec![vec![good]; 10], false).await.unwrap();
        assert_eq!(kit.complete(&run).await.len(), 10);
        let waited = kit.timer.elapsed().as_secs();
        assert!((240..=250).contains(&waited), "five windows were needed, and {waited} s waited");
        let run = kit.look(&run).await;
        assert_eq!((run.state, kit.model.calls.load(Ordering::SeqCst)), (RunState::Succeeded, 10));
        let groups = kit.service.groups(&scope("w"), &run, 0, 10).await.unwrap();
        assert!(groups.iter().all(|group| group.attempts == 1));
        let asked = kit.budget.asked.load(Ordering::SeqCst);
        assert!(asked < 40, "groups do not ask for room again and again, {asked} times");
    });
}

#[test]
fn a_budget_of_a_day_that_is_used_up_stops_the_run_cleanly_and_it_goes_on_when_told() {
    let kit = block_on(Kit::with(4, 64));
    kit.play(async {
        kit.budget.limit(86_400, 10);
        let slow = kit.file("slow").await;
        let run = kit.start(vec![vec![slow]; 50], false).await.unwrap();
        let outcomes = kit.complete(&run).await;
        let stopped = kit.look(&run).await;
        assert_eq!((stopped.state, stopped.successful, stopped.failed), (RunState::Stopped, 10, 40));
        assert_eq!(stopped.stop.unwrap().class, ErrorClass::Budget);
        let failed: Vec<_> = outcomes.iter().filter(|group| group.response.is_none()).collect();
        assert!(failed.iter().all(|group| group.failures[0].error.class == ErrorClass::Budget));
        assert!(kit.timer.elapsed().as_secs() < 10, "nobody waits for tomorrow");
        kit.budget.limit(86_400, 1_000);
        kit.service.retry(&scope("w"), "agent", run.sid).await.unwrap();
        assert_eq!(kit.complete(&run).await.len(), 50);
        assert_eq!(kit.look(&run).await.state, RunState::Succeeded);
        assert_eq!(kit.model.calls.load(Ordering::SeqCst), 50);
    });
}

#[test]
fn a_store_that_is_busy_when_the_form_is_read_fails_no_group() {
    let kit = block_on(Kit::new());
    kit.play(async {
        let good = kit.file("good").await;
        kit.forms.failures.store(3, Ordering::SeqCst);
        let run = kit.start(vec![vec![good]; 2], false).await.unwrap();
        kit.complete(&run).await;
        assert_eq!(kit.look(&run).await.state, RunState::Succeeded);
        let groups = kit.service.groups(&scope("w"), &run, 0, 9).await.unwrap();
        assert!(groups.iter().all(|group| group.attempts == 1));
    });
}
