//! The reviews of a response, applied when it is read.

use forms_core::Evidence;
use serde_json::{Map, Value, json};

use super::item::{ReviewEntry, ReviewState, ReviewedValue};
use super::model::Review;
use crate::Response;

impl Response {
    /// The reviewed values as JSON, by JSON pointer into the record: state, extracted value and history of each.
    #[must_use]
    pub fn reviews_json(&self) -> Value {
        let step = |entry: &ReviewEntry| {
            let mut shown = json!({
                "action": entry.action, "before": entry.before, "after": entry.after, "note": entry.note,
                "userName": entry.author.name, "created_timestamp": entry.time.record_text()
            });
            if let (Some(evidence), Some(shown)) = (&entry.evidence, shown.as_object_mut()) {
                shown.insert("evidence".to_owned(), json!(evidence));
            }
            if let (false, Some(shown)) = (entry.member_evidence.is_empty(), shown.as_object_mut()) {
                shown.insert("member_evidence".to_owned(), json!(entry.member_evidence));
            }
            shown
        };
        let shown = self.reviews.iter().map(|(path, reviewed)| {
            let history: Vec<Value> = reviewed.history.iter().map(step).collect();
            let state = reviewed.state.name();
            (path.clone(), json!({"state": state, "extracted": reviewed.extracted, "history": history}))
        });
        Value::Object(shown.collect())
    }

    /// Applies decided reviews in the order of their decisions, so that the latest one about a list and its entries
    /// holds. Open ones change nothing.
    pub fn apply_reviews(&mut self, mut reviews: Vec<Review>) {
        reviews.sort_by_key(Review::decided);
        for review in reviews {
            self.apply_review(review);
        }
    }

    fn apply_review(&mut self, review: Review) {
        let quoted = review.stated().cloned();
        let own = |(member, evidence): (&String, &Evidence)| {
            (format!("{}{member}", review.about.path), evidence.clone())
        };
        let members: Vec<(String, Evidence)> = review.stated_members().map(own).collect();
        let path = review.about.path;
        match review.state {
            ReviewState::Open => return,
            ReviewState::Accepted => {
                if let Some(evidence) = self.evidence.get_mut(&path) {
                    evidence.accepted = Some(true);
                }
            }
            ReviewState::Corrected | ReviewState::NotStated => {
                if !set(&mut self.record, &path, review.value.clone()) {
                    return;
                }
                let beneath = format!("{path}/");
                let is_about = |other: &str| other == path || other.starts_with(&beneath);
                self.evidence.retain(|other, _| !is_about(other));
                self.errors.retain(|error| !is_about(&error.path));
                // What was decided about its parts before is replaced.
                self.reviews.retain(|other, _| !is_about(other));
                self.errors.extend(review.errors);
                // Where the reviewer found it, or else another document that states it.
                let mut others = review.about.subject.candidates.into_iter();
                let stated = quoted.or_else(|| Some(others.find(|one| one.value == review.value)?.evidence));
                for (path, evidence) in
                    stated.map(|evidence| (path.clone(), evidence)).into_iter().chain(members)
                {
                    self.evidence.insert(path, Evidence { accepted: Some(true), ..evidence });
                }
            }
        }
        let reviewed = ReviewedValue {
            state: review.state,
            extracted: review.about.subject.value,
            history: review.history,
        };
        self.reviews.insert(path, reviewed);
    }
}

/// Replaces the value at a JSON pointer. `false` when the record has no such place.
fn set(record: &mut Map<String, Value>, path: &str, value: Value) -> bool {
    let mut tokens = forms_core::pointer_tokens(path);
    let Some(mut place) = tokens.next().and_then(|first| record.get_mut(&first)) else { return false };
    for token in tokens {
        let member = match place {
            Value::Object(object) => object.get_mut(&token),
            Value::Array(items) => token.parse::<usize>().ok().and_then(|index| items.get_mut(index)),
            _ => None,
        };
        let Some(member) = member else { return false };
        place = member;
    }
    *place = value;
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::item::{ASSIGN, NewReview, ReviewReason, ReviewSubject};
    use crate::review::test_samples::response_of;
    use crate::{GroupId, RunId};
    use indexmap::IndexMap;
    use shared_core::{Author, Timestamp, UserId};

    fn at(micros: i64) -> Timestamp {
        Timestamp::from_micros(micros).unwrap()
    }

    /// A correction at a time, and perhaps an assignment later.
    fn corrected(path: &str, value: Value, time: i64, assigned: Option<i64>) -> Review {
        let about = NewReview {
            id: path.into(),
            path: path.into(),
            field: path.into(),
            reasons: vec![ReviewReason::Error],
            subject: ReviewSubject::default(),
        };
        let group = GroupId { sid: RunId(1), index: 0 };
        let mut review = Review::new(about, ("agent".into(), "inv".into()), group, at(0));
        let author = Author { id: UserId("u".into()), name: "Ada".into(), email: String::new() };
        let entry = |action: &str, time| ReviewEntry {
            action: action.into(),
            before: Value::Null,
            after: Value::Null,
            evidence: None,
            member_evidence: IndexMap::new(),
            note: String::new(),
            author: author.clone(),
            time: at(time),
        };
        review.history = vec![entry("correct", time)];
        review.history.extend(assigned.map(|time| entry(ASSIGN, time)));
        review.updated = at(assigned.unwrap_or(time));
        (review.state, review.value) = (ReviewState::Corrected, value);
        review
    }

    fn applied(reviews: Vec<Review>) -> (Value, Vec<String>) {
        let mut response = response_of(&json!({"lines": [{"n": 1}, {"n": 2}]}));
        response.apply_reviews(reviews);
        (response.record["lines"].clone(), response.reviews.keys().cloned().collect())
    }

    #[test]
    fn the_latest_decision_about_a_list_and_its_entries_holds_whoever_is_assigned_later() {
        let entry = |time, assigned| corrected("/lines/1/n", json!(5), time, assigned);
        let list = || corrected("/lines", json!([{"n": 7}, {"n": 8}]), 5, None);
        let whole = (json!([{"n": 7}, {"n": 8}]), vec!["/lines".to_owned()]);
        assert_eq!(applied(vec![entry(1, Some(9)), list()]), whole);
        let both = vec!["/lines".to_owned(), "/lines/1/n".to_owned()];
        assert_eq!(applied(vec![entry(6, None), list()]), (json!([{"n": 7}, {"n": 5}]), both));
        // A list that is shorter now has no such entry any more.
        let shorter = corrected("/lines", json!([{"n": 7}]), 5, None);
        let only = (json!([{"n": 7}]), vec!["/lines".to_owned()]);
        assert_eq!(applied(vec![entry(6, None), shorter]), only);
    }
}
