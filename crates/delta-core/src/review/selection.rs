//! Which values of a response come into the queue.

use std::collections::BTreeSet;

use agents_core::ReviewPolicy;
use forms_core::{pointer_tokens, value_at};
use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::item::{NewReview, ReviewReason, ReviewSubject};
use crate::{ItemError, Response};

/// What people review of an outcome: values of its response, or its failure.
pub(crate) fn of_outcome(
    policy: &ReviewPolicy,
    outcome: Result<&Response, &ItemError>,
    mut id: impl FnMut() -> String,
) -> Vec<NewReview> {
    match outcome {
        Ok(response) => doubtful_values(policy, response, id),
        Err(error) => failed_group(policy, error, id()).into_iter().collect(),
    }
}

/// The values of a response that people review, in the order of the record's evidence, then of its errors and
/// conflicts. Values that were reviewed before are left out. `id` makes identifiers.
fn doubtful_values(
    policy: &ReviewPolicy,
    response: &Response,
    mut id: impl FnMut() -> String,
) -> Vec<NewReview> {
    let mut reasons: IndexMap<&str, BTreeSet<ReviewReason>> = IndexMap::new();
    let mut add = |path, reason| {
        reasons.entry(path).or_default().insert(reason);
    };
    for (path, evidence) in &response.evidence {
        let field = field_of(&response.record, path);
        if policy.is_doubtful(&field, evidence.confidence, evidence.accepted) {
            add(path.as_str(), ReviewReason::LowConfidence);
        }
    }
    for error in response.errors.iter().filter(|_| policy.errors) {
        add(error.path.as_str(), ReviewReason::Error);
    }
    for conflict in response.conflicts.iter().filter(|_| policy.conflicts) {
        add(conflict.path.as_str(), ReviewReason::Conflict);
    }
    let open = reasons.into_iter().filter(|(path, _)| !response.reviews.contains_key(*path));
    open.map(|(path, reasons)| NewReview {
        id: id(),
        path: path.to_owned(),
        field: field_of(&response.record, path),
        reasons: reasons.into_iter().collect(),
        subject: subject(response, path),
    })
    .collect()
}

/// The review of a group that failed; `None` where nobody needs to look at it.
fn failed_group(policy: &ReviewPolicy, error: &ItemError, id: String) -> Option<NewReview> {
    (policy.failures && error.is_for_review()).then(|| NewReview {
        id,
        path: String::new(),
        field: String::new(),
        reasons: vec![ReviewReason::Failed],
        subject: ReviewSubject { failure: Some(error.clone()), ..ReviewSubject::default() },
    })
}

fn subject(response: &Response, path: &str) -> ReviewSubject {
    let conflict = response.conflicts.iter().find(|conflict| conflict.path == path);
    ReviewSubject {
        value: value_at(&response.record, path).cloned().unwrap_or_default(),
        evidence: response.evidence.get(path).cloned(),
        candidates: conflict.map(|conflict| conflict.values.clone()).unwrap_or_default(),
        errors: response.errors.iter().filter(|error| error.path == path).cloned().collect(),
        failure: None,
    }
}

fn member<'v>(value: &'v Value, token: &str) -> Option<&'v Value> {
    match value {
        Value::Object(object) => object.get(token),
        Value::Array(items) => items.get(token.parse::<usize>().ok()?),
        _ => None,
    }
}

/// A pointer without the indexes of lists: `/lines/3/amount` is `/lines/amount`.
pub(super) fn field_of(record: &Map<String, Value>, path: &str) -> String {
    let mut field = String::with_capacity(path.len());
    let mut here: Option<&Value> = None;
    for (place, (token, raw)) in pointer_tokens(path).zip(path.split('/').skip(1)).enumerate() {
        if !here.is_some_and(Value::is_array) {
            field.push('/');
            field.push_str(raw);
        }
        here = if place == 0 { record.get(&token) } else { here.and_then(|value| member(value, &token)) };
    }
    field
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorClass;
    use crate::review::ReviewState;
    use crate::review::test_samples::response_of;
    use forms_core::{Conflict, ConflictValue, Evidence, Support};
    use serde_json::json;
    use shared_core::Violation;

    fn evidence(confidence: f32, accepted: bool) -> Evidence {
        Evidence { accepted: Some(accepted), ..Evidence::without_place(Support::Exact, confidence) }
    }

    fn response() -> Response {
        let record = json!({"a/b": 1, "lines": [{"2": 5}, {"2": 6}], "2": "x", "day": null});
        let conflict = ConflictValue { value: json!(2), evidence: evidence(0.3, false) };
        let evidence = [
            ("/a~1b".to_owned(), evidence(0.4, false)),
            ("/lines/1/2".to_owned(), evidence(0.6, true)),
            ("/2".to_owned(), evidence(0.99, true)),
        ];
        Response {
            evidence: evidence.into_iter().collect(),
            conflicts: vec![Conflict { path: "/a~1b".into(), values: vec![conflict] }],
            errors: vec![Violation::new("/day", "'day' is required")],
            ..response_of(&record)
        }
    }

    fn queue(policy: &ReviewPolicy, response: &Response) -> Vec<(String, String, Vec<&'static str>)> {
        let found = doubtful_values(policy, response, || "id".into());
        let named = |review: NewReview| {
            let reasons = review.reasons.into_iter().map(ReviewReason::name).collect();
            (review.path, review.field, reasons)
        };
        found.into_iter().map(named).collect()
    }

    #[test]
    fn doubtful_values_conflicts_and_errors_are_queued_once_with_all_reasons() {
        let found = doubtful_values(&ReviewPolicy::default(), &response(), || "id".into());
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].path.as_str(), &found[0].subject.value), ("/a~1b", &json!(1)));
        assert_eq!(found[0].reasons, [ReviewReason::LowConfidence, ReviewReason::Conflict]);
        assert_eq!(found[0].subject.candidates[0].value, json!(2));
        assert_eq!(found[0].subject.evidence.as_ref().unwrap().confidence, 0.4);
        assert_eq!((found[1].path.as_str(), found[1].subject.errors.len()), ("/day", 1));
        let strict = ReviewPolicy { conflicts: false, errors: false, ..ReviewPolicy::default() };
        assert_eq!(queue(&strict, &response()).len(), 1);
    }

    #[test]
    fn the_field_of_a_row_has_no_index_but_keeps_names_that_are_numbers() {
        let fields = [("/lines/2".to_owned(), 0.7), ("/2".to_owned(), 0.995)].into();
        let (threshold, conflicts, errors) = (Some(0.0), false, false);
        let policy = ReviewPolicy { fields, threshold, conflicts, errors, ..ReviewPolicy::default() };
        let low = vec!["low_confidence"];
        let wanted = [("/lines/1/2".into(), "/lines/2".into(), low.clone()), ("/2".into(), "/2".into(), low)];
        assert_eq!(queue(&policy, &response()), wanted);
    }

    #[test]
    fn what_was_reviewed_before_is_not_queued_again() {
        let mut response = response();
        let reviewed = crate::review::ReviewedValue {
            state: ReviewState::Accepted,
            extracted: json!(1),
            history: Vec::new(),
        };
        response.reviews.insert("/a~1b".into(), reviewed);
        assert_eq!(queue(&ReviewPolicy::default(), &response)[0].0, "/day");
    }

    #[test]
    fn a_group_that_people_cancelled_is_not_for_review() {
        let error = |class| ItemError { class, code: "c".into(), message: "m".into() };
        let queued = |class| failed_group(&ReviewPolicy::default(), &error(class), "id".into()).is_some();
        assert_eq!([ErrorClass::Parse, ErrorClass::Cancelled].map(queued), [true, false]);
        let none = ReviewPolicy { failures: false, ..ReviewPolicy::default() };
        assert!(failed_group(&none, &error(ErrorClass::Parse), "id".into()).is_none());
    }
}
