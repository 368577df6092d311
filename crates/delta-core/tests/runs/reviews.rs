//! The queue of values that people review.

use agents_core::ReviewPolicy;
use delta_core::review::{
    Review, ReviewAction, ReviewDecision, ReviewError, ReviewFilter, ReviewReason, ReviewState,
};
use delta_core::{Run, StoredResponse};
use futures_executor::block_on;
use futures_util::TryStreamExt as _;
use serde_json::{Value, json};
use shared_core::{Author, DomainError as _, ErrorKind, PageRequest, UserId};

use crate::kit::{Kit, document, scope};

fn ada() -> Author {
    Author { id: UserId("u".into()), name: "Ada".into(), email: "a@b.example".into() }
}

fn decision(review: &Review, action: ReviewAction) -> ReviewDecision {
    ReviewDecision {
        review_id: review.about.id.clone(),
        action,
        quote: None,
        member_quotes: Vec::new(),
        note: String::new(),
        revision: None,
    }
}

/// All values are queued.
fn all() -> ReviewPolicy {
    ReviewPolicy { threshold: Some(1.0), ..ReviewPolicy::default() }
}

async fn queue(kit: &Kit) -> Vec<Review> {
    let page = PageRequest::first(100);
    let list = kit.review_service().list(&scope("w"), Some("agent"), ReviewFilter::default(), &page).await;
    let mut found = list.unwrap().items;
    found.sort_by_key(|review| review.group.index);
    found
}

async fn stored(kit: &Kit, run: &Run) -> Vec<StoredResponse> {
    let (_, rows) = kit.service.responses(&scope("w"), "agent", Some(run.sid), 0, 0).await.unwrap();
    rows.try_collect().await.unwrap()
}

/// Processes documents as one group each.
fn processed(kit: &Kit, texts: &[&str]) -> Run {
    kit.play(async {
        let mut groups = Vec::new();
        for text in texts {
            groups.push(vec![kit.file(text).await]);
        }
        groups.push(vec![document("999")]);
        let run = kit.start(groups, false).await.unwrap();
        kit.complete(&run).await;
        run
    })
}

#[test]
fn doubtful_values_and_failed_groups_come_into_the_queue_with_their_outcome() {
    let kit = block_on(Kit::new());
    block_on(kit.reviewing(all()));
    processed(&kit, &["first"]);
    let found = block_on(queue(&kit));
    let paths: Vec<&str> = found.iter().map(|review| review.about.path.as_str()).collect();
    assert_eq!(paths, ["/a", ""]);
    assert_eq!(found[0].about.reasons, [ReviewReason::LowConfidence]);
    assert_eq!((&found[0].value, &found[0].namespace), (&json!("first"), &"agent".to_owned()));
    assert_eq!(found[1].about.reasons, [ReviewReason::Failed]);
    assert_eq!(found[1].about.subject.failure.as_ref().unwrap().code, "file_not_found");
}

#[test]
fn without_rules_nothing_is_queued_until_the_run_is() {
    let kit = block_on(Kit::new());
    let run = processed(&kit, &["first", "second"]);
    assert!(block_on(queue(&kit)).is_empty());
    let service = kit.review_service();
    let queued = |policy| block_on(service.queue(&scope("w"), "agent", run.sid, policy));
    let none = ReviewPolicy { threshold: Some(0.0), ..ReviewPolicy::default() };
    assert_eq!(queued(Some(none)).unwrap(), 1);
    assert_eq!(queued(Some(all())).unwrap(), 2);
    assert_eq!(queued(None).unwrap(), 0);
    assert_eq!(queued(Some(all())).unwrap(), 0);
    assert_eq!(block_on(queue(&kit)).len(), 3);
    let wrong = ReviewPolicy { threshold: Some(2.0), ..all() };
    assert_eq!(queued(Some(wrong)).unwrap_err().violations()[0].path, "/review/threshold");
    let unknown = block_on(service.queue(&scope("w"), "plain", run.sid, None)).unwrap_err();
    assert_eq!(unknown.code(), "run_not_found");
}

#[test]
fn a_decision_changes_what_is_read_and_reopening_restores_what_was_extracted() {
    let kit = block_on(Kit::new());
    let service = block_on(kit.reviewing(all()));
    let run = processed(&kit, &["first"]);
    let review = block_on(queue(&kit)).swap_remove(0);
    let decide = |action| {
        block_on(service.decide(&scope("w"), &ada(), &[decision(&review, action)])).unwrap().swap_remove(0)
    };
    let read = || block_on(stored(&kit, &run)).swap_remove(0).response;
    let extracted = read();
    for (action, state, value) in [
        (ReviewAction::Correct(json!("third")), ReviewState::Corrected, json!("third")),
        (ReviewAction::MarkNotStated, ReviewState::NotStated, Value::Null),
        (ReviewAction::Accept, ReviewState::Accepted, json!("first")),
    ] {
        let decided = decide(action);
        assert_eq!((decided.state, &decided.value), (state, &value));
        let response = read();
        assert_eq!((&response.record["a"], response.reviews["/a"].state), (&value, state));
        assert_eq!(response.reviews["/a"].extracted, json!("first"));
        let accepted = response.evidence.get("/a").map(|evidence| evidence.accepted);
        assert_eq!(accepted, (state == ReviewState::Accepted).then_some(Some(true)));
    }
    decide(ReviewAction::Assign(Some(" bob ".into())));
    let opened = decide(ReviewAction::Reopen);
    assert_eq!((opened.state, opened.assignee.as_deref()), (ReviewState::Open, Some("bob")));
    assert_eq!(read(), extracted);
    let history: Vec<(&str, &Value, &Value)> =
        opened.history.iter().map(|entry| (entry.action.as_str(), &entry.before, &entry.after)).collect();
    let (first, third, bob) = (json!("first"), json!("third"), json!("bob"));
    assert_eq!(
        history,
        [
            ("correct", &first, &third),
            ("not_stated", &third, &Value::Null),
            ("accept", &Value::Null, &first),
            ("assign", &Value::Null, &bob),
            ("reopen", &first, &first),
        ]
    );
    assert!(opened.history.iter().all(|entry| entry.author == ada()));
    let open = decision(&review, ReviewAction::Reopen);
    let error = block_on(service.decide(&scope("w"), &ada(), &[open])).unwrap_err();
    assert_eq!(error.violations()[0].path, "/decisions/0/action");
}

#[test]
fn identical_work_repeats_the_corrected_value_and_does_not_ask_again() {
    let kit = block_on(Kit::new());
    let service = block_on(kit.reviewing(ReviewPolicy { failures: false, ..all() }));
    processed(&kit, &["first"]);
    let review = block_on(queue(&kit)).swap_remove(0);
    let correct = decision(&review, ReviewAction::Correct(json!("third")));
    block_on(service.decide(&scope("w"), &ada(), &[correct])).unwrap();
    let again = kit.play(async {
        let run = kit.start_again(vec![vec![kit.file("first").await]]).await;
        kit.complete(&run).await;
        run
    });
    let response = block_on(stored(&kit, &again)).swap_remove(0).response;
    assert_eq!((&response.record["a"], response.reused_from.is_some()), (&json!("third"), true));
    assert_eq!(response.reviews["/a"].history[0].author, ada());
    assert_eq!(block_on(queue(&kit)).len(), 1);
}

#[test]
fn decisions_that_break_a_rule_are_refused_and_leave_the_others_undone() {
    let kit = block_on(Kit::new());
    let service = block_on(kit.reviewing(all()));
    processed(&kit, &["first"]);
    let found = block_on(queue(&kit));
    let (value, failed) = (&found[0], &found[1]);
    let decide =
        |decisions: &[ReviewDecision]| block_on(service.decide(&scope("w"), &ada(), decisions)).unwrap_err();
    let path = |error: ReviewError| error.violations()[0].path.clone();
    let accept = || decision(value, ReviewAction::Accept);
    let correct = |value| ReviewAction::Correct(value);
    assert_eq!(path(decide(&[])), "/decisions");
    assert_eq!(path(decide(&[accept(), accept()])), "/decisions/1/review_id");
    assert_eq!(path(decide(&[accept(), decision(failed, correct(json!("x")))])), "/decisions/1/action");
    assert_eq!(path(decide(&[decision(failed, ReviewAction::MarkNotStated)])), "/decisions/0/action");
    assert_eq!(path(decide(&[decision(value, correct(json!({"b": 1})))])), "/decisions/0/value");
    assert_eq!(path(decide(&[decision(value, correct(Value::Null))])), "/decisions/0/value");
    let blank = ReviewAction::Assign(Some(" ".into()));
    assert_eq!(path(decide(&[decision(value, blank)])), "/decisions/0/assignee");
    let long = ReviewDecision { note: "n".repeat(2_001), ..accept() };
    assert_eq!(path(decide(&[long])), "/decisions/0/note");
    let unknown = decide(&[accept(), ReviewDecision { review_id: "review_x".into(), ..accept() }]);
    assert_eq!((unknown.kind(), unknown.code()), (ErrorKind::NotFound, "review_not_found"));
    let late = decide(&[ReviewDecision { revision: Some(2), ..accept() }]);
    assert_eq!((late.kind(), late.code()), (ErrorKind::Conflict, "review_changed"));
    assert!(block_on(queue(&kit)).iter().all(|review| review.history.is_empty()));
    // A failure can be seen and given to somebody.
    let seen = [decision(failed, ReviewAction::Accept), ReviewDecision { revision: Some(1), ..accept() }];
    let done = block_on(service.decide(&scope("w"), &ada(), &seen)).unwrap();
    assert!(done.iter().all(|review| review.state == ReviewState::Accepted));
    let foreign = block_on(service.decide(&scope("v"), &ada(), &seen)).unwrap_err();
    assert_eq!(foreign.code(), "review_not_found");
}

#[test]
fn the_review_of_a_failed_group_goes_when_the_group_is_tried_again() {
    let kit = block_on(Kit::new());
    block_on(kit.reviewing(all()));
    let run = processed(&kit, &["first"]);
    kit.play(async {
        let run = kit.service.retry(&scope("w"), "agent", run.sid).await.unwrap();
        let before: Vec<String> = queue(&kit).await.into_iter().map(|review| review.about.path).collect();
        assert_eq!(before, ["/a"]);
        kit.complete(&run).await;
    });
    let after: Vec<String> = block_on(queue(&kit)).into_iter().map(|review| review.about.path).collect();
    assert_eq!(after, ["/a", ""]);
}

#[test]
fn an_entry_of_a_list_is_corrected_at_its_place() {
    let kit = block_on(Kit::new());
    let service = block_on(kit.reviewing(all()));
    let schema = json!({"a": {"type": "array", "items": {"type": "string"}}});
    let run = kit.play(async {
        let file = kit.file("first").await;
        let run = kit.start(vec![vec![file.clone()]], false).await.unwrap();
        kit.complete(&run).await;
        kit.change_form(&run, schema).await;
        let run = kit.start(vec![vec![file]], false).await.unwrap();
        kit.complete(&run).await;
        run
    });
    let mut found = block_on(queue(&kit));
    found.retain(|review| review.group.sid == run.sid);
    let entry = found.iter().find(|review| review.about.path == "/a/0").unwrap();
    assert_eq!(entry.about.field, "/a");
    let decide = |action| block_on(service.decide(&scope("w"), &ada(), &[decision(entry, action)])).unwrap();
    decide(ReviewAction::Correct(json!("second")));
    assert_eq!(block_on(stored(&kit, &run)).swap_remove(0).response.record["a"], json!(["second"]));
    let error =
        block_on(service.decide(&scope("w"), &ada(), &[decision(entry, ReviewAction::MarkNotStated)]));
    assert_eq!(error.unwrap_err().violations()[0].path, "/decisions/0/action");
}

#[test]
fn decisions_teach_the_confidence_of_later_runs_of_the_same_model_where_the_agent_asks_for_it() {
    let kit = block_on(Kit::new());
    let service = block_on(kit.reviewing(ReviewPolicy { calibrate: true, failures: false, ..all() }));
    let texts: Vec<String> = (0..20).map(|number| format!("text {number}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let evidence = |text: &str| {
        let run = processed(&kit, &[text]);
        assert_eq!(run.plan.calibration.is_some(), text == "raised");
        let response = block_on(stored(&kit, &run)).swap_remove(0).response;
        let queued = block_on(queue(&kit)).into_iter().any(|review| review.group.sid == run.sid);
        assert!(queued);
        response.evidence["/a"].clone()
    };
    processed(&kit, &texts[..19]);
    let accept = |reviews: Vec<Review>| {
        let decisions: Vec<_> = reviews.iter().map(|review| decision(review, ReviewAction::Accept)).collect();
        block_on(service.decide(&scope("w"), &ada(), &decisions)).unwrap();
    };
    accept(block_on(queue(&kit)));
    let before = evidence("too few");
    assert_eq!(before.base_confidence, None);
    accept(block_on(queue(&kit)));
    let raised = evidence("raised");
    assert_eq!(raised.base_confidence, Some(before.confidence));
    assert!(raised.confidence > before.confidence);
    block_on(kit.reviewing(ReviewPolicy { failures: false, ..all() }));
    assert_eq!(evidence("not any more").base_confidence, None);
}
