//! The effort of reasoning in bodies of requests.

use gen_core::Effort;
use schemars::JsonSchema;
use serde::Deserialize;

/// How much a model may reason.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Effort")]
pub(super) enum EffortBody {
    Low,
    Medium,
    High,
}

impl EffortBody {
    /// The effort of the model call.
    pub(super) fn effort(self) -> Effort {
        match self {
            Self::Low => Effort::Low,
            Self::Medium => Effort::Medium,
            Self::High => Effort::High,
        }
    }
}
