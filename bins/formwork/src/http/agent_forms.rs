//! The JSON shapes of the further forms of an agent.

use agents_core::AgentForm;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A form of an agent.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "NewAgentForm")]
pub(super) struct AgentFormBody {
    form_id: String,
    /// The version that the agent stays with, a draft too. Null follows the version in force.
    #[schemars(range(min = 1))]
    form_version: Option<u32>,
}

/// A form of an agent.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "AgentForm")]
pub(super) struct AgentFormRecord {
    form_id: String,
    /// Null where it follows the version in force.
    form_version: Option<u32>,
}

impl From<AgentFormBody> for AgentForm {
    fn from(AgentFormBody { form_id, form_version }: AgentFormBody) -> Self {
        Self { form_id, form_version }
    }
}

impl From<AgentForm> for AgentFormRecord {
    fn from(AgentForm { form_id, form_version }: AgentForm) -> Self {
        Self { form_id, form_version }
    }
}

pub(super) fn agent_forms(forms: Vec<AgentFormBody>) -> Vec<AgentForm> {
    forms.into_iter().map(AgentForm::from).collect()
}
