//! The errors of batch extraction.

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
    /// The agent has another form than the one that the request needs.
    #[error("the agent has another form")]
    OtherForm,
    /// The groups break rules; never empty.
    #[error("{}", .0.first().map_or("the groups are not valid", |v| v.message.as_str()))]
    Invalid(Vec<Violation>),
    /// The settings of a run break rules; never empty. Paths name parameters of the query.
    #[error("{}", .0.first().map_or("the settings are not valid", |v| v.message.as_str()))]
    InvalidSettings(Vec<Violation>),
    /// The agent has no such run.
    #[error("the agent has no such run")]
    RunNotFound,
    /// Every group has its outcome, so there is nothing to cancel.
    #[error("the run is over: {}", .0.name())]
    RunOver(RunState),
    /// No group failed, so there is nothing to retry.
    #[error("no group of the run has failed")]
    NothingFailed,
    /// An error of the agents service.
    #[error(transparent)]
    Agents(#[from] AgentsError),
    /// An error of the forms service.
    #[error(transparent)]
    Forms(#[from] FormsError),
    /// An error of the generation service.
    #[error(transparent)]
    Generation(#[from] GenError),
    /// The stored form of a run is no longer valid.
    #[error("the form of the run is no longer valid")]
    FormInvalid(Vec<Violation>),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A document whose pages are to be counted cannot be read now.
    #[error("the pages of '{document}' cannot be told now: {message}")]
    DocumentUnavailable {
        /// The caller's reference.
        document: String,
        /// Stable code of the failure to read.
        code: &'static str,
        /// Its sentence.
        message: String,
    },
    /// The store rejects outcomes at present.
    #[error("the run is interrupted: {}; it continues later", .0.message)]
    Stopped(RunInterruption),
}

impl DomainError for DeltaError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::AgentWithoutForm | Self::OtherForm | Self::Invalid(_) | Self::InvalidSettings(_) => {
                ErrorKind::Invalid
            }
            Self::RunNotFound => ErrorKind::NotFound,
            Self::RunOver(_) | Self::NothingFailed => ErrorKind::Conflict,
            Self::Agents(error) => error.kind(),
            Self::Forms(error) => error.kind(),
            Self::Generation(error) => error.kind(),
            Self::FormInvalid(_) => ErrorKind::Internal,
            Self::DocumentUnavailable { .. } => ErrorKind::Saturated,
            Self::Stopped(stop) => stop.kind,
            Self::Store(error) => error.kind(),
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::AgentWithoutForm => "agent_without_form",
            Self::OtherForm => "agent_has_another_form",
            Self::Invalid(_) | Self::InvalidSettings(_) => "validation_failed",
            Self::RunNotFound => "run_not_found",
            Self::RunOver(_) => "run_over",
            Self::NothingFailed => "nothing_failed",
            Self::Agents(error) => error.code(),
            Self::Forms(error) => error.code(),
            Self::Generation(error) => error.code(),
            Self::FormInvalid(_) => "form_invalid",
            Self::DocumentUnavailable { code, .. } => code,
            Self::Stopped(stop) => stop.code,
            Self::Store(error) => error.code(),
        }
    }

    fn violations(&self) -> &[Violation] {
        match self {
            Self::Invalid(violations) | Self::InvalidSettings(violations) => violations,
            Self::Agents(error) => error.violations(),
            Self::Forms(error) => error.violations(),
            _ => &[],
        }
    }
}
