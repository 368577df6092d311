//! Wires the service of evaluations.

use std::sync::Arc;

use delta_core::RunService;
use delta_core::review::ReviewService;
use document::DocumentReader;
use evaluation_core::retrieval::{RetrievalEvaluationPorts, RetrievalEvaluationService};
use evaluation_core::{EvaluationPorts, EvaluationService};
use forms_core::FormsService;
use kb_core::KnowledgeService;
use runtime_tokio::TokioTimer;
use store_diesel::{Database, DieselEvaluationSets, DieselQuestionSets};

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

/// The service of evaluations of knowledge bases.
#[must_use]
pub(crate) fn retrieval(database: &Database, knowledge: &KnowledgeService) -> RetrievalEvaluationService {
    let (clock, rng) = ports(database);
    RetrievalEvaluationService::new(RetrievalEvaluationPorts {
        sets: Arc::new(DieselQuestionSets::new(database.clone())),
        knowledge: knowledge.clone(),
        clock,
        timer: Arc::new(TokioTimer::default()),
        rng,
    })
}
