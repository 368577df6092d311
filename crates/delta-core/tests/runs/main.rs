//! Use cases of batch extraction over the ports in memory, with a scripted model.

#![allow(clippy::unwrap_used, reason = "helpers of tests, too, may fail loudly")]

mod budget;
mod busy;
mod durable;
mod full;
mod kit;
mod reviews;
mod views;

use std::sync::atomic::Ordering;
use std::time::Duration;

use delta_core::{DocumentRef, FinishedGroup, RunId, RunOptions, RunState};
use futures_executor::block_on;
use futures_util::TryStreamExt as _;
use gen_core::CallerContext;
use kit::{Kit, scope};
use shared_core::{DomainError as _, ErrorKind};

fn codes(group: &FinishedGroup) -> Vec<(&str, &str)> {
    group.failures.iter().map(|one| (one.document.url.as_str(), one.error.code.as_str())).collect()
}

fn value(group: &FinishedGroup) -> Option<String> {
    let response = group.response.as_ref()?;
    response.record.get("a").and_then(|value| value.as_str()).map(str::to_owned)
}

#[test]
fn outcomes_come_in_the_order_of_the_groups_however_long_each_takes() {
    let kit = block_on(Kit::new());
    kit.play(async {
        let mut groups = Vec::new();
        for text in ["slow first", "second", "slow third", "fourth"] {
            groups.push(vec![kit.file(text).await]);
        }
        let run = kit.start(groups, false).await.unwrap();
        let outcomes = kit.complete(&run).await;
        let values: Vec<_> = outcomes.iter().filter_map(value).collect();
        assert_eq!(values, ["slow first", "second", "slow third", "fourth"]);
        let run = kit.look(&run).await;
        assert_eq!((run.state, run.successful, run.failed), (RunState::Succeeded, 4, 0));
        assert_eq!(run.usage.input_tokens, 40);
    });
}

#[test]
fn a_document_that_cannot_be_used_fails_its_group_and_says_why() {
    let kit = block_on(Kit::new());
    kit.play(async {
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
        let outcomes = kit.complete(&run).await;
        let expected =
            ["document_empty", "file_not_found", "file_not_found", "fetch_unavailable", "invalid_url"];
        for ((group, url), code) in outcomes.iter().zip(&urls).zip(expected) {
            assert!(group.response.is_none());
            assert_eq!(codes(group), [(url.as_str(), code)]);
        }
        assert_eq!(kit.model.calls.load(Ordering::SeqCst), 0, "no model is paid for a group that has failed");
    });
}

#[test]
fn a_partial_run_goes_on_without_what_cannot_be_read_and_still_lists_it() {
    let kit = block_on(Kit::new());
    kit.play(async {
        let (good, empty, broken) = (kit.file("good").await, kit.file("").await, kit.file("refuse").await);
        let groups =
            vec![vec![empty.clone(), good], vec![empty.clone()], vec![empty.clone(), broken.clone()]];
        let run = kit.start(groups, true).await.unwrap();
        let outcomes = kit.complete(&run).await;
        assert_eq!(value(&outcomes[0]).as_deref(), Some("good"));
        assert_eq!(outcomes[0].response.as_ref().unwrap().sources.len(), 1);
        assert_eq!(codes(&outcomes[0]), [(empty.url.as_str(), "document_empty")]);
        assert_eq!(codes(&outcomes[1]), [(empty.url.as_str(), "document_empty")]);
        let both = [(empty.url.as_str(), "document_empty"), (broken.url.as_str(), "provider_refused")];
        assert_eq!(codes(&outcomes[2]), both, "each document keeps the error that is its own");
    });
}

#[test]
fn a_group_that_panics_or_whose_model_fails_fails_alone_with_all_its_documents() {
    let kit = block_on(Kit::new());
    kit.play(async {
        let (good, panics, refused) =
            (kit.file("good").await, kit.file("panic").await, kit.file("refuse").await);
        let groups = vec![vec![good.clone(), panics.clone()], vec![refused.clone()], vec![good.clone()]];
        let run = kit.start(groups, false).await.unwrap();
        let outcomes = kit.complete(&run).await;
        assert_eq!(codes(&outcomes[0]), [(good.url.as_str(), "internal"), (panics.url.as_str(), "internal")]);
        assert_eq!(codes(&outcomes[1]), [(refused.url.as_str(), "provider_refused")]);
        assert_eq!(value(&outcomes[2]).as_deref(), Some("good"));
        let run = kit.look(&run).await;
        assert_eq!((run.state, run.successful, run.failed), (RunState::PartlyFailed, 1, 2));
    });
}

#[test]
fn the_same_content_is_parsed_once_under_whatever_name() {
    let kit = block_on(Kit::new());
    kit.play(async {
        let (one, other) = (kit.file("same").await, kit.file("same").await);
        let groups = vec![vec![one.clone(), one.clone(), other.clone()], vec![other], vec![one]];
        let run = kit.start(groups, false).await.unwrap();
        kit.complete(&run).await;
        assert_eq!(kit.parser.calls.load(Ordering::SeqCst), 1);
    });
}

#[test]
fn a_document_that_cannot_be_read_is_tried_once_for_all_groups_and_again_later() {
    let kit = block_on(Kit::new());
    kit.play(async {
        let empty = kit.file("").await;
        let run = kit.start(vec![vec![empty.clone()], vec![empty.clone()], vec![empty.clone()]], false).await;
        let outcomes = kit.complete(&run.unwrap()).await;
        assert!(outcomes.iter().all(|one| codes(one) == [(empty.url.as_str(), "document_empty")]));
        assert_eq!(kit.parser.calls.load(Ordering::SeqCst), 1);
        kit.timer.advance(Duration::from_secs(3_600));
        let run = kit.start(vec![vec![empty]], false).await.unwrap();
        kit.complete(&run).await;
        assert_eq!(kit.parser.calls.load(Ordering::SeqCst), 2);
    });
}

#[test]
fn responses_are_kept_with_their_durations_and_context() {
    let kit = block_on(Kit::new());
    kit.play(async {
        let (one, two) = (kit.file("slow one").await, kit.file("two").await);
        let run = kit.start(vec![vec![one.clone(), two]], false).await.unwrap();
        kit.complete(&run).await;
        let later = kit.start(vec![vec![one]; 70], false).await.unwrap();
        kit.complete(&later).await;
        let (total, all) = kit.service.responses(&scope("w"), "agent", None, 0, 0).await.unwrap();
        let all: Vec<_> = all.try_collect().await.unwrap();
        assert_eq!((total, all.len(), all[0].sid, all[70].sid), (71, 71, later.sid, run.sid));
        let kept = &all[70].response;
        assert_eq!((kept.scraping_duration, kept.generation_duration, kept.total_duration), (0.0, 1.0, 1.0));
        assert_eq!(kit.service.context(&scope("w"), &all[70]).await.unwrap(), "slow one\n\ntwo");
        let missing = kit.service.responses(&scope("w"), "agent", Some(RunId(99)), 0, 0).await.err().unwrap();
        assert_eq!((missing.kind(), missing.code()), (ErrorKind::NotFound, "run_not_found"));
    });
}

#[test]
fn documents_have_their_descriptions_in_calls_and_their_names_in_responses() {
    let kit = block_on(Kit::new());
    kit.play(async {
        let (one, two) = (kit.file("one").await, kit.file("two").await);
        let described = DocumentRef { description: "the offer".into(), ..one.clone() };
        let run = kit.start(vec![vec![described, two.clone()]], false).await.unwrap();
        let outcomes = kit.complete(&run).await;
        assert_eq!(*kit.model.descriptions.lock(), [Some("the offer".to_owned()), None]);
        let sources = &outcomes[0].response.as_ref().unwrap().sources;
        let named: Vec<_> = sources.iter().map(|source| source.named.clone()).collect();
        assert_eq!(named, [Some((0, one.url)), Some((1, two.url))]);
    });
}

#[test]
fn a_response_names_the_pages_of_its_documents_that_could_not_be_read() {
    let kit = block_on(Kit::new());
    kit.play(async {
        let groups = vec![vec![kit.file("half read").await, kit.file("good").await]];
        let run = kit.start(groups, false).await.unwrap();
        let outcomes = kit.complete(&run).await;
        let sources = &outcomes[0].response.as_ref().unwrap().sources;
        let unread: Vec<&[u32]> = sources.iter().map(|source| source.unread.as_slice()).collect();
        assert_eq!(unread, [&[2][..], &[]]);
    });
}

#[test]
fn what_may_not_be_asked_for_is_refused_with_its_place_before_anything_is_stored() {
    let kit = block_on(Kit::new());
    kit.play(async {
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
            .start(
                &CallerContext::keyless(scope("w")),
                "plain",
                vec![vec![good.clone()]],
                RunOptions::default(),
            )
            .await
            .unwrap_err();
        assert_eq!((error.kind(), error.code()), (ErrorKind::Invalid, "agent_without_form"));
        let error = kit
            .service
            .start(
                &CallerContext::keyless(scope("w")),
                "keyless",
                vec![vec![good.clone()]],
                RunOptions::default(),
            )
            .await
            .unwrap_err();
        assert_eq!((error.kind(), error.code()), (ErrorKind::NotConfigured, "provider_not_configured"));
        let error = kit
            .service
            .start(&CallerContext::keyless(scope("theirs")), "agent", vec![vec![good]], RunOptions::default())
            .await
            .unwrap_err();
        assert_eq!(error.code(), "agent_not_found");
    });
}
