//! Use cases of batch extraction over the ports in memory, with a scripted model.

#![allow(clippy::unwrap_used, reason = "helpers of tests, too, may fail loudly")]

mod kit;

use std::sync::atomic::Ordering;

use delta_core::{DeltaError, FinishedGroup, Progress, Run, RunId, RunLimits, RunState};
use futures_executor::block_on;
use futures_util::{FutureExt as _, StreamExt as _, TryStreamExt as _, future};
use gen_core::Payer;
use kit::{Kit, scope};
use shared_core::{Clock as _, DomainError as _, ErrorKind};

fn codes(group: &FinishedGroup) -> Vec<(&str, &str)> {
    group.outcome.failures.iter().map(|one| (one.document.url.as_str(), one.error.code.as_str())).collect()
}

fn value(group: &FinishedGroup) -> Option<String> {
    let response = group.outcome.response.as_ref()?;
    response.record.get("a").and_then(|value| value.as_str()).map(str::to_owned)
}

/// Drives to the end and reads along.
async fn complete(kit: &Kit, run: &Run) -> Vec<FinishedGroup> {
    let progress = Progress::default();
    let outcomes = kit.service.outcomes(scope("w"), run, progress.clone()).try_collect::<Vec<_>>();
    let (driven, outcomes) =
        future::join(kit.service.clone().drive(scope("w"), run.clone(), progress), outcomes).await;
    driven.unwrap();
    outcomes.unwrap()
}

#[test]
fn outcomes_come_in_the_order_of_the_groups_however_long_each_takes() {
    block_on(async {
        let kit = Kit::new().await;
        let mut groups = Vec::new();
        for text in ["slow first", "second", "slow third", "fourth"] {
            groups.push(vec![kit.file(text).await]);
        }
        let run = kit.start(groups, false).await.unwrap();
        let outcomes = complete(&kit, &run).await;
        let values: Vec<_> = outcomes.iter().filter_map(value).collect();
        assert_eq!(values, ["slow first", "second", "slow third", "fourth"]);
        let run = kit.service.reload(&scope("w"), &run).await.unwrap();
        assert_eq!((run.state, run.successful, run.failed), (RunState::Finished, 4, 0));
        assert_eq!(run.usage.input_tokens, 40);
    });
}

#[test]
fn a_document_that_cannot_be_used_fails_its_group_and_says_why() {
    block_on(async {
        let kit = Kit::new().await;
        let (good, empty) = (kit.file("good").await, kit.file("").await);
        let foreign = kit.file_of("theirs", "secret").await;
        let named = |url: &str| vec![good.clone(), kit::document(url)];
        let groups = vec![
            named(&empty.url),
            named(&foreign.url),
            named("999"),
            named("https://example.org/x.pdf"),
            named("no address"),
        ];
        let urls: Vec<String> = groups.iter().map(|group| group[1].url.clone()).collect();
        let run = kit.start(groups, false).await.unwrap();
        let outcomes = complete(&kit, &run).await;
        let expected =
            ["document_empty", "file_not_found", "file_not_found", "fetch_unavailable", "invalid_url"];
        for ((group, url), code) in outcomes.iter().zip(&urls).zip(expected) {
            assert!(group.outcome.response.is_none());
            assert_eq!(codes(group), [(url.as_str(), code)]);
        }
        assert_eq!(kit.model.calls.load(Ordering::SeqCst), 0, "no model is paid for a group that has failed");
    });
}

#[test]
fn a_partial_run_goes_on_without_what_cannot_be_read_and_still_lists_it() {
    block_on(async {
        let kit = Kit::new().await;
        let (good, empty, broken) = (kit.file("good").await, kit.file("").await, kit.file("refuse").await);
        let groups =
            vec![vec![empty.clone(), good], vec![empty.clone()], vec![empty.clone(), broken.clone()]];
        let run = kit.start(groups, true).await.unwrap();
        let outcomes = complete(&kit, &run).await;
        assert_eq!(value(&outcomes[0]).as_deref(), Some("good"));
        assert_eq!(outcomes[0].outcome.response.as_ref().unwrap().sources.len(), 1);
        assert_eq!(codes(&outcomes[0]), [(empty.url.as_str(), "document_empty")]);
        assert_eq!(codes(&outcomes[1]), [(empty.url.as_str(), "document_empty")]);
        let both = [(empty.url.as_str(), "document_empty"), (broken.url.as_str(), "provider_refused")];
        assert_eq!(codes(&outcomes[2]), both, "each document keeps the error that is its own");
    });
}

#[test]
fn a_group_that_panics_or_whose_model_fails_fails_alone_with_all_its_documents() {
    block_on(async {
        let kit = Kit::new().await;
        let (good, panics, refused) =
            (kit.file("good").await, kit.file("panic").await, kit.file("refuse").await);
        let groups = vec![vec![good.clone(), panics.clone()], vec![refused.clone()], vec![good.clone()]];
        let run = kit.start(groups, false).await.unwrap();
        let outcomes = complete(&kit, &run).await;
        assert_eq!(codes(&outcomes[0]), [(good.url.as_str(), "internal"), (panics.url.as_str(), "internal")]);
        assert_eq!(codes(&outcomes[1]), [(refused.url.as_str(), "provider_refused")]);
        assert_eq!(value(&outcomes[2]).as_deref(), Some("good"));
        let run = kit.service.reload(&scope("w"), &run).await.unwrap();
        assert_eq!((run.state, run.successful, run.failed), (RunState::Finished, 1, 2));
    });
}

#[test]
fn the_same_content_is_parsed_once_under_whatever_name() {
    block_on(async {
        let kit = Kit::new().await;
        let (one, other) = (kit.file("same").await, kit.file("same").await);
        let groups = vec![vec![one.clone(), one.clone(), other.clone()], vec![other], vec![one]];
        let run = kit.start(groups, false).await.unwrap();
        complete(&kit, &run).await;
        assert_eq!(kit.parser.calls.load(Ordering::SeqCst), 1);
    });
}

#[test]
fn a_document_that_cannot_be_read_is_tried_once_for_all_groups_and_again_later() {
    block_on(async {
        let kit = Kit::new().await;
        let empty = kit.file("").await;
        let run = kit.start(vec![vec![empty.clone()], vec![empty.clone()], vec![empty.clone()]], false).await;
        let outcomes = complete(&kit, &run.unwrap()).await;
        assert!(outcomes.iter().all(|one| codes(one) == [(empty.url.as_str(), "document_empty")]));
        assert_eq!(kit.parser.calls.load(Ordering::SeqCst), 1);
        for _ in 0..3_600 {
            kit.clock.now();
        }
        let run = kit.start(vec![vec![empty]], false).await.unwrap();
        complete(&kit, &run).await;
        assert_eq!(kit.parser.calls.load(Ordering::SeqCst), 2);
    });
}

#[test]
fn five_thousand_groups_never_have_more_in_work_than_the_limit() {
    block_on(async {
        let limits = RunLimits { concurrency: 7, total_concurrency: 5, ..RunLimits::default() };
        let kit = Kit::with(limits).await;
        let document = kit.file("slow").await;
        let run = kit.start(vec![vec![document]; 5_000], false).await.unwrap();
        let outcomes = complete(&kit, &run).await;
        assert_eq!(outcomes.len(), 5_000);
        assert!(outcomes.iter().enumerate().all(|(index, group)| group.index as usize == index));
        assert_eq!(kit.model.most.load(Ordering::SeqCst), 5);
    });
}

#[test]
fn a_drive_that_was_dropped_is_gone_on_with_and_nothing_finished_is_done_again() {
    block_on(async {
        let kit = Kit::with(RunLimits { concurrency: 3, ..RunLimits::default() }).await;
        let document = kit.file("good").await;
        let run = kit.start(vec![vec![document]; 40], false).await.unwrap();
        let progress = Progress::default();
        let mut seen = kit.service.outcomes(scope("w"), &run, progress.clone());
        let mut drive = kit.service.clone().drive(scope("w"), run.clone(), progress).boxed();
        while kit.model.calls.load(Ordering::SeqCst) < 20 {
            assert!(futures_util::poll!(&mut drive).is_pending());
        }
        drop(drive);
        let mut read = 0;
        let end = loop {
            match seen.next().await {
                Some(Ok(_)) => read += 1,
                other => break other,
            }
        };
        assert!(read > 0);
        assert!(matches!(end, Some(Err(DeltaError::Stopped(stop))) if stop.code == "run_stopped"));
        assert!(seen.next().await.is_none());

        let (_, open) = kit.service.unfinished().await.unwrap().remove(0);
        assert_eq!(open.sid, run.sid);
        let outcomes = complete(&kit, &open).await;
        assert_eq!(outcomes.len(), 40);
        let calls = kit.model.calls.load(Ordering::SeqCst);
        assert!(calls <= 43, "only the three in flight are asked again, not {calls}");
        assert!(kit.service.unfinished().await.unwrap().is_empty());
    });
}

#[test]
fn a_store_that_recovers_loses_nothing_and_one_that_stays_full_stops_the_run_and_says_so() {
    block_on(async {
        let kit = Kit::with(RunLimits { concurrency: 2, ..RunLimits::default() }).await;
        let document = kit.file("good").await;
        kit.runs.failures.store(2, Ordering::SeqCst);
        let run = kit.start(vec![vec![document.clone()]; 3], false).await.unwrap();
        assert_eq!(complete(&kit, &run).await.len(), 3);

        let run = kit.start(vec![vec![document]; 30], false).await.unwrap();
        let before = kit.model.calls.load(Ordering::SeqCst);
        kit.runs.failures.store(u32::MAX, Ordering::SeqCst);
        let progress = Progress::default();
        let outcomes = kit.service.outcomes(scope("w"), &run, progress.clone()).collect::<Vec<_>>();
        let drive = kit.service.clone().drive(scope("w"), run.clone(), progress);
        let (driven, outcomes) = future::join(drive, outcomes).await;
        assert_eq!(driven.unwrap_err().kind(), ErrorKind::StorageFull);
        let error = outcomes.last().unwrap().as_ref().unwrap_err();
        assert_eq!((error.kind(), error.code(), outcomes.len()), (ErrorKind::StorageFull, "storage_full", 1));
        assert_eq!(kit.model.calls.load(Ordering::SeqCst) - before, 2, "no further groups are begun");

        kit.runs.failures.store(0, Ordering::SeqCst);
        assert_eq!(kit.service.unfinished().await.unwrap().len(), 1);
        assert_eq!(complete(&kit, &run).await.len(), 30);
    });
}

#[test]
fn a_reader_that_goes_away_does_not_stop_the_run() {
    block_on(async {
        let kit = Kit::new().await;
        let document = kit.file("good").await;
        let run = kit.start(vec![vec![document]; 100], false).await.unwrap();
        let progress = Progress::default();
        let mut outcomes = kit.service.outcomes(scope("w"), &run, progress.clone());
        let drive = kit.service.clone().drive(scope("w"), run.clone(), progress);
        let reader = async move { assert!(outcomes.next().await.unwrap().is_ok()) };
        future::join(drive, reader).await.0.unwrap();
        assert_eq!(kit.service.reload(&scope("w"), &run).await.unwrap().state, RunState::Finished);
    });
}

#[test]
fn responses_are_kept_with_their_durations_and_context() {
    block_on(async {
        let kit = Kit::new().await;
        let (one, two) = (kit.file("one").await, kit.file("two").await);
        let run = kit.start(vec![vec![one.clone(), two]], false).await.unwrap();
        complete(&kit, &run).await;
        let later = kit.start(vec![vec![one]; 70], false).await.unwrap();
        complete(&kit, &later).await;
        let (total, all) = kit.service.responses(&scope("w"), "agent", None).await.unwrap();
        let all: Vec<_> = all.try_collect().await.unwrap();
        assert_eq!((total, all.len(), all[0].sid, all[70].sid), (71, 71, later.sid, run.sid));
        let kept = &all[70].response;
        assert_eq!((kept.scraping_duration, kept.generation_duration, kept.total_duration), (1.0, 1.0, 2.0));
        assert_eq!(kit.service.context(&scope("w"), &all[70]).await.unwrap(), "one\n\ntwo");
        let missing = kit.service.responses(&scope("w"), "agent", Some(RunId(99))).await.err().unwrap();
        assert_eq!((missing.kind(), missing.code()), (ErrorKind::NotFound, "run_not_found"));
    });
}

#[test]
fn what_may_not_be_asked_for_is_refused_with_its_place_before_anything_is_stored() {
    block_on(async {
        let kit = Kit::new().await;
        let good = kit::document("1");
        for (groups, path) in [
            (vec![], ""),
            (vec![vec![good.clone()]; 10_001], ""),
            (vec![vec![good.clone()], vec![]], "/1"),
            (vec![vec![good.clone(); 1_001]], "/0"),
            (vec![vec![good.clone()], vec![good.clone(), kit::document(" ")]], "/1/1/url"),
            (vec![vec![kit::document(&"x".repeat(8_193))]], "/0/0/url"),
        ] {
            let error = kit.start(groups, false).await.unwrap_err();
            assert_eq!((error.code(), error.violations()[0].path.as_str()), ("validation_failed", path));
        }
        let error = kit
            .service
            .start(&Payer::keyless(scope("w")), "plain", vec![vec![good.clone()]], false)
            .await
            .unwrap_err();
        assert_eq!((error.kind(), error.code()), (ErrorKind::Invalid, "agent_without_form"));
        let error = kit
            .service
            .start(&Payer::keyless(scope("w")), "keyless", vec![vec![good.clone()]], false)
            .await
            .unwrap_err();
        assert_eq!((error.kind(), error.code()), (ErrorKind::NotConfigured, "provider_not_configured"));
        let error = kit
            .service
            .start(&Payer::keyless(scope("theirs")), "agent", vec![vec![good]], false)
            .await
            .unwrap_err();
        assert_eq!(error.code(), "agent_not_found");
        assert!(kit.service.unfinished().await.unwrap().is_empty());
    });
}
