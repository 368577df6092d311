//! What can go wrong with batch extraction.

use agents_core::AgentsError;
use forms_core::FormsError;
use gen_core::GenError;
use shared_core::{DomainError, ErrorKind, StoreError, Violation};

use crate::{RunInterruption, RunState};

/// A failed operation on runs. `Display` is shown to the user.
#[derive(Debug, thiserror::Error)]
pub enum DeltaError {
    /// The agent has no form to fill.
    #[error("the agent has no form")]
    AgentWithoutForm,
    /// The groups break rules; never empty.
    #[error("{}", .0.first().map_or("the groups are not valid", |v| v.message.as_str()))]
    Invalid(Vec<Violation>),
    /// The agent has no such run.
    #[error("the agent has no such run")]
    RunNotFound,
    /// Every group has its outcome, so that nothing can be called off.
    #[error("the run is over: {}", .0.name())]
    RunOver(RunState),
    /// No group failed, so that there is nothing to do again.
    #[error("no group of the run has failed")]
    NothingFailed,
    /// The agent's side.
    #[error(transparent)]
    Agents(#[from] AgentsError),
    /// The form's side.
    #[error(transparent)]
    Forms(#[from] FormsError),
    /// The model's side.
    #[error(transparent)]
    Generation(#[from] GenError),
    /// The form of a stored run can no longer be read.
    #[error("the form of the run is not valid any more")]
    FormInvalid(Vec<Violation>),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The store takes no outcomes for now.
    #[error("the run is held up: {}; it goes on later", .0.message)]
    Stopped(RunInterruption),
}

impl DomainError for DeltaError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::AgentWithoutForm | Self::Invalid(_) => ErrorKind::Invalid,
            Self::RunNotFound => ErrorKind::NotFound,
            Self::RunOver(_) | Self::NothingFailed => ErrorKind::Conflict,
            Self::Agents(error) => error.kind(),
            Self::Forms(error) => error.kind(),
            Self::Generation(error) => error.kind(),
            Self::FormInvalid(_) => ErrorKind::Internal,
            Self::Stopped(stop) => stop.kind,
            Self::Store(error) => error.kind(),
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::AgentWithoutForm => "agent_without_form",
            Self::Invalid(_) => "validation_failed",
            Self::RunNotFound => "run_not_found",
            Self::RunOver(_) => "run_over",
            Self::NothingFailed => "nothing_failed",
            Self::Agents(error) => error.code(),
            Self::Forms(error) => error.code(),
            Self::Generation(error) => error.code(),
            Self::FormInvalid(_) => "form_invalid",
            Self::Stopped(stop) => stop.code,
            Self::Store(error) => error.code(),
        }
    }

    fn violations(&self) -> &[Violation] {
        match self {
            Self::Invalid(violations) => violations,
            Self::Agents(error) => error.violations(),
            Self::Forms(error) => error.violations(),
            _ => &[],
        }
    }
}
