//! Which values of an agent's batch extraction come into the queue of reviews.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use shared_core::Violation;

// They bound what an agent stores. Chosen by hand; no measurement is recorded.
/// Most fields with a threshold of their own.
pub const MAX_REVIEW_FIELDS: usize = 1_000;
/// Most characters of the path of such a field.
pub const MAX_REVIEW_PATH: usize = 2_048;

/// Which values are queued for review. By default: those that are not accepted, those on which documents disagree,
/// those that break rules, and groups that failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReviewPolicy {
    /// Values with a lower confidence are queued, from 0 (none) to 1 (all). `None`: those that are not `accepted`,
    /// which the acceptable error rate of the server decides.
    pub threshold: Option<f64>,
    /// Thresholds of single fields, by their JSON pointer without indexes of lists, such as `/lines/amount`.
    pub fields: BTreeMap<String, f64>,
    /// Whether values on which documents disagree are queued.
    pub conflicts: bool,
    /// Whether values that break a rule are queued.
    pub errors: bool,
    /// Whether groups that failed are queued.
    pub failures: bool,
    /// Whether decisions of reviewers change the confidence of later runs.
    pub calibrate: bool,
}

impl Default for ReviewPolicy {
    fn default() -> Self {
        let (conflicts, errors, failures) = (true, true, true);
        Self { threshold: None, fields: BTreeMap::new(), conflicts, errors, failures, calibrate: false }
    }
}

impl ReviewPolicy {
    /// Whether a value of a field is queued for its confidence. `accepted` is the decision of the server, where it
    /// made one.
    #[must_use]
    pub fn is_doubtful(&self, field: &str, confidence: f32, accepted: Option<bool>) -> bool {
        match self.fields.get(field).or(self.threshold.as_ref()) {
            Some(threshold) => f64::from(confidence) < *threshold,
            None => accepted == Some(false),
        }
    }

    /// Every rule that it breaks; `path` is where it stands in the request.
    #[must_use]
    pub fn violations(&self, path: &str) -> Vec<Violation> {
        let mut found = Vec::new();
        let is_share = |threshold: &f64| (0.0..=1.0).contains(threshold);
        if self.threshold.as_ref().is_some_and(|threshold| !is_share(threshold)) {
            found.push(Violation::new(format!("{path}/threshold"), "'threshold' must be from 0 to 1"));
        }
        if self.fields.len() > MAX_REVIEW_FIELDS {
            let rule = format!("'fields' may have at most {MAX_REVIEW_FIELDS} fields");
            found.push(Violation::new(format!("{path}/fields"), rule));
            return found;
        }
        for (field, threshold) in &self.fields {
            if !field.starts_with('/') || field.chars().nth(MAX_REVIEW_PATH).is_some() {
                let rule = format!(
                    "a field in 'fields' must be a JSON pointer of at most {MAX_REVIEW_PATH} characters, such as \
                     '/lines/amount'"
                );
                found.push(Violation::new(format!("{path}/fields"), rule));
            } else if !is_share(threshold) {
                let rule = format!("the threshold of '{field}' must be from 0 to 1");
                found.push(Violation::new(format!("{path}/fields"), rule));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_has_its_own_threshold_and_without_any_the_server_decides() {
        let policy = ReviewPolicy::default();
        let doubts = [(0.2, Some(true)), (0.9, Some(false)), (0.2, None)];
        assert_eq!(doubts.map(|(is, accepted)| policy.is_doubtful("/a", is, accepted)), [false, true, false]);
        let fields = BTreeMap::from([("/a".to_owned(), 0.0), ("/b".to_owned(), 1.0)]);
        let policy = ReviewPolicy { threshold: Some(0.5), fields, ..policy };
        let doubtful = |field: &str, confidence| policy.is_doubtful(field, confidence, Some(false));
        assert_eq!([doubtful("/a", 0.1), doubtful("/b", 0.99), doubtful("/c", 0.4)], [false, true, true]);
        assert!(!doubtful("/c", 0.5));
    }

    #[test]
    fn thresholds_are_shares_of_fields() {
        let fields = |field: &str, threshold| ReviewPolicy {
            fields: BTreeMap::from([(field.to_owned(), threshold)]),
            ..ReviewPolicy::default()
        };
        let threshold = |threshold| ReviewPolicy { threshold: Some(threshold), ..ReviewPolicy::default() };
        for (policy, place) in [
            (threshold(1.1), "/review/threshold"),
            (threshold(f64::NAN), "/review/threshold"),
            (fields("total", 0.5), "/review/fields"),
            (fields("/total", -0.1), "/review/fields"),
        ] {
            assert_eq!(policy.violations("/review")[0].path, place);
        }
        assert!(fields("/total", 1.0).violations("/review").is_empty());
    }
}
