//! Settings of a run beyond its input: how its model is called, what it may cost, and how it is found again.

use std::time::Duration;

use forms_core::CallOptions;
use gen_core::{Cost, Effort};
use jobs_core::Priority;
use serde::{Deserialize, Serialize};
use shared_core::Violation;

/// Labels of a run at most, and characters of one. They bound the list of runs; part of the interface.
pub const MAX_LABELS: usize = 10;
/// Characters of a label at most.
pub const MAX_LABEL: usize = 64;
/// The longest limit of a call, in seconds: that of the provider, beyond which none has an effect by default.
pub const MAX_TIMEOUT: u32 = 600;

/// Settings of a run beyond its input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunSettings {
    /// How much the model may reason; the vendor's default when `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    /// Limit of one attempt at a call in seconds; measured from the prompt when `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<u32>,
    /// No group starts once the run has cost so much.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<Cost>,
    /// Which of the workspace's runs are processed first.
    #[serde(skip_serializing_if = "is_default")]
    pub priority: Priority,
    /// Names by which the run is found again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
}

impl RunSettings {
    /// The options of its model calls.
    #[must_use]
    pub fn call_options(&self) -> CallOptions {
        let timeout = self.timeout.map(|seconds| Duration::from_secs(seconds.into()));
        CallOptions { effort: self.effort, timeout }
    }

    /// What is wrong with the settings; paths name the parameters of the query.
    pub(crate) fn violations(&self) -> Vec<Violation> {
        let mut found = Vec::new();
        if self.timeout.is_some_and(|seconds| seconds == 0 || seconds > MAX_TIMEOUT) {
            let rule = format!("'timeout' must be a whole number of seconds from 1 to {MAX_TIMEOUT}");
            found.push(Violation::new("?timeout", rule));
        }
        if self.budget == Some(Cost(0)) {
            found.push(Violation::new("?budget", "'budget' must be more than 0"));
        }
        if self.labels.len() > MAX_LABELS || !self.labels.iter().all(|label| is_label(label)) {
            let rule = format!(
                "'labels' must be at most {MAX_LABELS} names of 1 to {MAX_LABEL} lower-case letters, digits, '-', '_', '.' or ':', \
                 with commas between them"
            );
            found.push(Violation::new("?labels", rule));
        }
        found
    }
}

fn is_default(priority: &Priority) -> bool {
    *priority == Priority::default()
}

/// Whether a text can be a label.
#[must_use]
pub fn is_label(text: &str) -> bool {
    let is_allowed =
        |c: char| (c.is_alphanumeric() && !c.is_uppercase()) || matches!(c, '-' | '_' | '.' | ':');
    !text.is_empty() && text.chars().count() <= MAX_LABEL && text.chars().all(is_allowed)
}
