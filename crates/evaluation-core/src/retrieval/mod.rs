//! Evaluation of retrieval: sets of questions to a knowledge base with the places of their answers, and how well its
//! searches find them.

mod comparison;
#[cfg(feature = "contract")]
#[allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a conformance suite asserts")]
pub mod contract;
mod figures;
mod judge;
mod memory;
mod model;
mod outcome;
mod repository;
mod rules;
mod run;
mod service;

pub use comparison::RetrievalComparison;
pub use figures::RetrievalScores;
pub use memory::MemoryQuestionSets;
pub use model::{AnswerPlace, NewQuestionSet, Question, QuestionSet};
pub use outcome::{QuestionFailure, QuestionOutcome};
pub use repository::QuestionSetRepository;
pub use rules::{
    MAX_ANSWER, MAX_PLACES, MAX_QUESTION, MAX_QUESTIONS, MAX_SET_BYTES, MAX_SETTINGS, MAX_TITLE,
};
pub use run::{RetrievalEvaluation, RetrievalRun, RetrievalSettings, RunWarning};
pub use service::{RetrievalEvaluationPorts, RetrievalEvaluationService};
