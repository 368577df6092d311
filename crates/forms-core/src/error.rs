//! Errors of operations on forms.

use shared_core::{DomainError, ErrorKind, StoreError, Violation};

/// A failed operation on forms. `Display` is shown to the user.
#[derive(Debug, thiserror::Error)]
pub enum FormsError {
    /// The workspace has no such form.
    #[error("there is no such form")]
    NotFound,
    /// The form has no such version.
    #[error("the form has no such version")]
    VersionNotFound,
    /// Title or schema break rules; never empty.
    #[error("{}", summary(.0))]
    Invalid(Vec<Violation>),
    /// The form has a gate, which a change that is in force at once would pass by.
    #[error("the form has a gate: store the change as a draft, evaluate it, and publish it")]
    Gated,
    /// Agents or evaluation sets use the form; their namespaces or ids.
    #[error("the form is in use by the agents or evaluation sets {}", names(.0))]
    InUse(Vec<String>),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn summary(violations: &[Violation]) -> String {
    let first = violations.first().map_or("the form is not valid", |violation| violation.message.as_str());
    match violations.len() {
        0 | 1 => first.to_owned(),
        more => format!("{first} (and {} more)", more - 1),
    }
}

fn names(users: &[String]) -> String {
    let quoted: Vec<String> = users.iter().map(|user| format!("'{user}'")).collect();
    quoted.join(", ")
}

impl DomainError for FormsError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::NotFound | Self::VersionNotFound => ErrorKind::NotFound,
            Self::Invalid(_) => ErrorKind::Invalid,
            Self::InUse(_) | Self::Gated => ErrorKind::Conflict,
            Self::Store(error) => error.kind(),
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::NotFound => "form_not_found",
            Self::VersionNotFound => "form_version_not_found",
            Self::Invalid(_) => "validation_failed",
            Self::InUse(_) => "form_in_use",
            Self::Gated => "form_gated",
            Self::Store(error) => error.code(),
        }
    }

    fn violations(&self) -> &[Violation] {
        match self {
            Self::Invalid(violations) => violations,
            _ => &[],
        }
    }
}
