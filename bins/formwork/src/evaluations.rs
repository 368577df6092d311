//! Wires the service of evaluations.

use std::sync::Arc;

use delta_core::RunService;
use delta_core::review::ReviewService;
use document::DocumentReader;
use evaluation_core::{EvaluationPorts, EvaluationService};
use forms_core::FormsService;
use store_diesel::{Database, DieselEvaluationSets};

use crate::shared_services::ports;

/// The service on the store, beside the services that it uses.
#[must_use]
pub(crate) fn service(
    database: &Database,
    runs: &RunService,
    reviews: &ReviewService,
    forms: &FormsService,
    documents: &DocumentReader,
) -> EvaluationService {
    let (clock, rng) = ports(database);
    EvaluationService::new(EvaluationPorts {
        sets: Arc::new(DieselEvaluationSets::new(database.clone())),
        runs: runs.clone(),
        reviews: reviews.clone(),
        forms: forms.clone(),
        documents: documents.clone(),
        clock,
        rng,
    })
}
