//! What the decisions about an agent's values teach about their confidence.

use std::collections::HashMap;

use shared_core::{PageRequest, Position, Scope, StoreError};

use super::calibration::{Calibration, ReviewSample};
use super::{Review, ReviewFilter, ReviewRepository, ReviewState};
use crate::{RunId, RunRepository};

/// Pages of 100 decisions that are read of each kind, newest first. From 400 decisions on, more gain nothing (the
/// receipts of `cargo xtask bench reviews`).
const PAGES: usize = 5;
/// Most runs whose model is looked up. Bounds the queries of a start. Chosen by hand; no measurement is recorded.
const MAX_RUNS: usize = 200;

/// The calibration of an agent's confidence by the newest decisions about values that `model` gave; `None` where these
/// are too few.
pub(crate) async fn learn(
    reviews: &dyn ReviewRepository,
    runs: &dyn RunRepository,
    scope: &Scope,
    agent_id: &str,
    model: &str,
) -> Result<Option<Calibration>, StoreError> {
    let (mut samples, mut models) = (Vec::new(), HashMap::new());
    for state in [ReviewState::Accepted, ReviewState::Corrected, ReviewState::NotStated] {
        let filter = ReviewFilter {
            agent_id: Some(agent_id.to_owned()),
            state: Some(state),
            ..ReviewFilter::default()
        };
        let mut request = PageRequest::first(100);
        for _ in 0..PAGES {
            let page = reviews.list(scope, &filter, &request).await?;
            for review in &page.items {
                let sid = review.group.sid;
                if !models.contains_key(&sid) && models.len() < MAX_RUNS {
                    models.insert(sid, model_of(runs, scope, agent_id, sid).await?);
                }
                if models.get(&sid).is_some_and(|own| own.as_deref() == Some(model)) {
                    samples.extend(sample(review));
                }
            }
            let Some(cursor) = page.next else { break };
            request.position = Position::After(cursor);
        }
    }
    Ok(Calibration::fit(&samples))
}

async fn model_of(
    runs: &dyn RunRepository,
    scope: &Scope,
    agent_id: &str,
    sid: RunId,
) -> Result<Option<String>, StoreError> {
    Ok(runs.find(scope, agent_id, sid).await?.map(|run| run.plan.model_id))
}

/// What a decision says of the confidence; `None` where the extraction gave no value.
fn sample(review: &Review) -> Option<ReviewSample> {
    let subject = &review.about.subject;
    let evidence = subject.evidence.as_ref()?;
    Some(ReviewSample {
        field: review.about.field.clone(),
        confidence: evidence.base_confidence.unwrap_or(evidence.confidence),
        is_right: review.value == subject.value,
    })
}
