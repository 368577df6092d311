//! What several tests of reviews need.

use indexmap::IndexMap;
use serde_json::Value;
use shared_core::Timestamp;

use super::calibration::ReviewSample;
use crate::Response;

/// A response with this record and nothing else.
pub(super) fn response_of(record: &Value) -> Response {
    Response {
        gid: "g".into(),
        record: record.as_object().unwrap().clone(),
        evidence: IndexMap::new(),
        conflicts: Vec::new(),
        errors: Vec::new(),
        sources: Vec::new(),
        generation_duration: 0.0,
        scraping_duration: 0.0,
        total_duration: 0.0,
        created: Timestamp::from_micros(0).unwrap(),
        reused_from: None,
        class: None,
        reviews: IndexMap::new(),
    }
}

/// Decisions about a field: so many values were right, and so many wrong.
pub(super) fn samples(field: &str, confidence: f32, right: usize, wrong: usize) -> Vec<ReviewSample> {
    let sample = |is_right| ReviewSample { field: field.into(), confidence, is_right };
    (0..right).map(|_| sample(true)).chain((0..wrong).map(|_| sample(false))).collect()
}
