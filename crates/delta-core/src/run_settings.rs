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

/// How the model of a run is called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CallMode {
    /// Call by call.
    #[default]
    Direct,
    /// In batches of its provider, at half the price and within a day.
    Batch,
}

impl CallMode {
    /// Both modes.
    pub const ALL: [Self; 2] = [Self::Direct, Self::Batch];

    /// The mode with this name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }

    /// The name in requests and responses.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Batch => "batch",
        }
    }
}

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
    /// Whether its model is called in batches of the provider.
    #[serde(skip_serializing_if = "is_direct")]
    pub mode: CallMode,
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

fn is_direct(mode: &CallMode) -> bool {
    *mode == CallMode::Direct
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
