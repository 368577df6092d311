//! Reviews: their queue, their decisions, and the responses that they change.

use forms_core::{Evidence, Support};
use serde_json::{Value, json};
use shared_core::{Author, PageRequest, Position, Revision, Scope, StoreError, Violation};

use super::{RunStores, agent_id, at, failure, groups, plan, response, success};
use crate::review::{
    NewReview, Review, ReviewEntry, ReviewFilter, ReviewOrder, ReviewReason, ReviewState, ReviewSubject,
};
use crate::{GroupId, GroupOutcome, Response, RunId};

fn about(id: &str, path: &str, reason: ReviewReason) -> NewReview {
    NewReview {
        id: id.into(),
        path: path.into(),
        field: path.into(),
        reasons: vec![reason],
        subject: ReviewSubject {
            value: json!("odd \u{0}"),
            errors: vec![Violation::new(path, "a rule\u{0}")],
            ..ReviewSubject::default()
        },
    }
}

fn reviewed(gid: &str, reviews: Vec<NewReview>) -> GroupOutcome {
    GroupOutcome { reviews, ..success(gid) }
}

/// The review after a correction to `value`.
fn corrected(mut review: Review, value: Value, time: i64) -> (Review, Revision) {
    let expected = review.revision;
    let author = Author { id: shared_core::UserId("user-own".into()), name: "N".into(), email: "e".into() };
    let (before, after) = (review.value.clone(), value.clone());
    let entry = ReviewEntry {
        action: "correct".into(),
        before,
        after,
        evidence: None,
        member_evidence: indexmap::IndexMap::new(),
        note: "\u{0}".into(),
        author,
        time: at(time),
    };
    review.history.push(entry);
    (review.state, review.value, review.updated) = (ReviewState::Corrected, value, at(time));
    review.errors.clear();
    review.assignee = Some("ada\u{0}".into());
    review.revision = review.revision.next();
    (review, expected)
}

impl RunStores {
    async fn reviews(&self, scope: &Scope, filter: ReviewFilter) -> Vec<String> {
        let page = self.reviews.list(scope, &filter, &PageRequest::first(100)).await.expect("lists");
        assert_eq!(page.total, page.items.len() as u64, "the total is that of the filter");
        page.items.into_iter().map(|review| review.about.id).collect()
    }

    async fn review(&self, scope: &Scope, id: &str) -> Review {
        self.reviews.find(scope, &[id.into()]).await.expect("finds").pop().expect("is there")
    }

    async fn stored(&self, scope: &Scope, sid: RunId) -> Vec<Response> {
        let found = self.responses.responses(scope, &agent_id(scope), Some(sid), None, (0, 100)).await;
        found.expect("reads").into_iter().map(|stored| stored.response).collect()
    }
}

/// The reviews of an outcome are stored with it, and not again; those of a failed group go when it is opened again.
pub async fn reviews_come_with_their_outcome(stores: &RunStores, own: &Scope, other: &Scope) {
    let run = stores.run(own, 2).await;
    let tokens = stores.claim(run.sid, 2).await;
    let new = about("review_1", "/apple", ReviewReason::LowConfidence);
    stores.finish(own, run.sid, 0, tokens[&0], &reviewed("g", vec![new.clone()])).await;
    let failed = about("review_2", "", ReviewReason::Failed);
    let outcome = GroupOutcome { reviews: vec![failed], ..failure() };
    stores.finish(own, run.sid, 1, tokens[&1], &outcome).await;
    let stored = stores.review(own, "review_1").await;
    assert_eq!((&stored.about, stored.state, &stored.value), (&new, ReviewState::Open, &new.subject.value));
    assert_eq!((&stored.errors, &stored.namespace), (&new.subject.errors, &"runs".to_owned()));
    assert_eq!((stored.agent_id, stored.created, stored.revision), (agent_id(own), at(7), Revision::FIRST));
    let group = GroupId { sid: run.sid, index: 0 };
    let again = [NewReview { id: "review_3".into(), ..new }, about("review_4", "/odd", ReviewReason::Error)];
    let insert = stores.reviews.insert(own, &agent_id(own), group, &again, at(8)).await;
    assert_eq!(insert.expect("stores"), 1);
    assert_eq!(stores.reviews(own, ReviewFilter::default()).await, ["review_4", "review_2", "review_1"]);
    assert!(stores.reviews(other, ReviewFilter::default()).await.is_empty());
    assert!(stores.reviews.find(other, &["review_1".into()]).await.expect("finds").is_empty());
    stores.runs.reopen(own, run.sid, at(9)).await.expect("opens");
    assert_eq!(stores.reviews(own, ReviewFilter::default()).await, ["review_4", "review_1"]);
}

/// A stored response has its reviewed values, and so has the answer to identical work; the outcome stays as it was.
pub async fn reviews_are_applied_to_responses(stores: &RunStores, own: &Scope, _other: &Scope) {
    let run = stores.run(own, 2).await;
    let tokens = stores.claim(run.sid, 2).await;
    let new = about("review_1", "/apple", ReviewReason::LowConfidence);
    stores.finish(own, run.sid, 0, tokens[&0], &reviewed("g", vec![new])).await;
    let open = about("review_2", "/apple", ReviewReason::Conflict);
    stores.finish(own, run.sid, 1, tokens[&1], &reviewed("h", vec![open])).await;
    let change = corrected(stores.review(own, "review_1").await, json!(2.5), 9);
    stores.reviews.update(own, &[change]).await.expect("stores");
    let stored = stores.stored(own, run.sid).await;
    assert_eq!((&stored[0].record["apple"], &stored[0].record["odd"]), (&json!(2.5), &json!("\u{0}")));
    let value = &stored[0].reviews["/apple"];
    assert_eq!((value.state, &value.extracted), (ReviewState::Corrected, &json!("odd \u{0}")));
    assert_eq!((value.history.len(), value.history[0].time), (1, at(9)));
    assert_eq!(stored[1], response("h"));
    let same = stores.responses.find_by_fingerprint(own, "print of g").await.expect("finds");
    assert_eq!(same.expect("is there").record["apple"], json!(2.5));
    let finished = stores.groups.finished(own, run.sid, 0, 1).await.expect("reads");
    assert_eq!(finished[0].response, Some(response("g")));
}

/// By confidence, the lowest comes first and what has none before all others; among equals the newest. Pages follow each
/// other.
pub async fn reviews_are_listed_by_confidence(stores: &RunStores, own: &Scope, _other: &Scope) {
    let run = stores.run(own, 1).await;
    let tokens = stores.claim(run.sid, 1).await;
    let doubtful = |id: &str, confidence: Option<f32>| {
        let mut new = about(id, &format!("/{id}"), ReviewReason::LowConfidence);
        let evidence = |confidence| Evidence::without_place(Support::Exact, confidence);
        new.subject.evidence = confidence.map(evidence);
        new
    };
    let new = [("r1", Some(0.9)), ("r2", Some(0.1)), ("r3", None), ("r4", Some(0.42)), ("r5", Some(0.1))];
    let new = new.map(|(id, confidence)| doubtful(id, confidence));
    stores.finish(own, run.sid, 0, tokens[&0], &reviewed("g", new.to_vec())).await;
    let by_confidence = || ReviewFilter { order: ReviewOrder::Confidence, ..ReviewFilter::default() };
    let wanted = ["r3", "r5", "r2", "r4", "r1"];
    assert_eq!(stores.reviews(own, by_confidence()).await, wanted);
    let (mut page, mut seen) = (PageRequest::first(2), Vec::new());
    loop {
        let found = stores.reviews.list(own, &by_confidence(), &page).await.expect("lists");
        seen.extend(found.items.into_iter().map(|review| review.about.id));
        match found.next {
            Some(next) => page.position = Position::After(next),
            None => break,
        }
    }
    assert_eq!(seen, wanted);
    let second = PageRequest { position: Position::Number(2), limit: 2 };
    let second = stores.reviews.list(own, &by_confidence(), &second).await.expect("lists");
    assert_eq!(second.items[0].about.id, "r2");
    let open = ReviewFilter { state: Some(ReviewState::Corrected), ..by_confidence() };
    assert!(stores.reviews(own, open).await.is_empty());
}

/// Filters hold together, and pages go from the newest to the oldest.
pub async fn reviews_are_listed_by_what_they_are(stores: &RunStores, own: &Scope, _other: &Scope) {
    let (first, second) = (stores.run(own, 1).await, stores.run(own, 1).await);
    let tokens = stores.claim(first.sid, 2).await;
    let new = vec![
        about("review_1", "/apple", ReviewReason::LowConfidence),
        about("review_2", "/odd", ReviewReason::Conflict),
    ];
    stores.finish(own, first.sid, 0, tokens[&0], &reviewed("g", new)).await;
    let group = GroupId { sid: second.sid, index: 0 };
    let late = [about("review_3", "/odd", ReviewReason::Error)];
    stores.reviews.insert(own, &agent_id(own), group, &late, at(8)).await.expect("stores");
    let change = corrected(stores.review(own, "review_2").await, json!("x"), 9);
    stores.reviews.update(own, &[change]).await.expect("stores");
    let all = ReviewFilter::default;
    for (filter, wanted) in [
        (ReviewFilter { sid: Some(first.sid), ..all() }, vec!["review_2", "review_1"]),
        (ReviewFilter { state: Some(ReviewState::Open), ..all() }, vec!["review_3", "review_1"]),
        (ReviewFilter { reason: Some(ReviewReason::Conflict), ..all() }, vec!["review_2"]),
        (ReviewFilter { field: Some("/odd".into()), ..all() }, vec!["review_3", "review_2"]),
        (ReviewFilter { assignee: Some("ada\u{0}".into()), ..all() }, vec!["review_2"]),
        (
            ReviewFilter { field: Some("/odd".into()), state: Some(ReviewState::Open), ..all() },
            vec!["review_3"],
        ),
        (ReviewFilter { agent_id: Some(agent_id(own)), ..all() }, vec!["review_3", "review_2", "review_1"]),
        (ReviewFilter { agent_id: Some("none".into()), ..all() }, vec![]),
    ] {
        assert_eq!(stores.reviews(own, filter.clone()).await, wanted, "{filter:?}");
    }
    let of_group = ReviewFilter { group: Some(1), ..all() };
    assert!(stores.reviews(own, of_group).await.is_empty());
    let of_group = ReviewFilter { group: Some(0), sid: Some(first.sid), ..all() };
    assert_eq!(stores.reviews(own, of_group).await.len(), 2);
    let page = stores.reviews.list(own, &all(), &PageRequest::first(2)).await.expect("lists");
    assert_eq!((page.total, page.items.len()), (3, 2));
    let next = page.next.expect("a cursor");
    let rest = PageRequest { position: Position::After(next), limit: 2 };
    let rest = stores.reviews.list(own, &all(), &rest).await.expect("lists");
    assert_eq!((rest.items.len(), rest.items[0].about.id.as_str(), rest.next), (1, "review_1", None));
}

/// One review that was changed meanwhile stops all of a request.
pub async fn reviews_change_together_or_not_at_all(stores: &RunStores, own: &Scope, other: &Scope) {
    let run = stores.runs.create(own, &plan(own), &groups(1), at(1)).await.expect("creates");
    let group = GroupId { sid: run.sid, index: 0 };
    let new = [
        about("review_1", "/apple", ReviewReason::LowConfidence),
        about("review_2", "/odd", ReviewReason::Conflict),
    ];
    stores.reviews.insert(own, &agent_id(own), group, &new, at(8)).await.expect("stores");
    let one = corrected(stores.review(own, "review_1").await, json!(1), 9);
    let two = corrected(stores.review(own, "review_2").await, json!(2), 9);
    let foreign = stores.reviews.update(other, std::slice::from_ref(&one)).await;
    assert!(matches!(foreign, Err(StoreError::Stale)), "{foreign:?}");
    stores.reviews.update(own, std::slice::from_ref(&two)).await.expect("stores");
    let stale = stores.reviews.update(own, &[one.clone(), two]).await;
    assert!(matches!(stale, Err(StoreError::Stale)), "{stale:?}");
    assert_eq!(stores.review(own, "review_1").await.state, ReviewState::Open);
    stores.reviews.update(own, &[one]).await.expect("stores");
    let stored = stores.review(own, "review_1").await;
    assert_eq!(
        (stored.state, stored.value, stored.revision),
        (ReviewState::Corrected, json!(1), Revision(2))
    );
    assert_eq!((stored.history[0].note.as_str(), stored.updated), ("\u{0}", at(9)));
}
