//! A stored agent.

use shared_core::{Author, Revision, Timestamp, WorkspaceId};

use crate::{ReviewPolicy, ToolServer};

/// A form of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentForm {
    /// One of the workspace.
    pub form_id: String,
    /// The version that the agent stays with; `None` follows the version in force.
    pub form_version: Option<u32>,
}

/// An agent: a model with instructions, and perhaps a form.
#[derive(Clone, Debug, PartialEq)]
pub struct Agent {
    /// Internal identifier (`agent_…`); never changes.
    pub id: String,
    /// The workspace that owns it.
    pub workspace: WorkspaceId,
    /// The user who created it.
    pub author: Author,
    /// Lower-case slug, unique in the workspace. It identifies the agent in URLs.
    pub namespace: String,
    /// Display name.
    pub name: String,
    /// Free text; empty when none.
    pub description: String,
    /// Instructions to the model; empty when none.
    pub instructions: String,
    /// `model@provider`; `None` uses the service's default.
    pub model_id: Option<String>,
    /// Id of the form that it fills; `None` for an agent that only converses.
    pub form_id: Option<String>,
    /// The version of the form that it stays with; `None` follows the version in force.
    pub form_version: Option<u32>,
    /// Further forms, to which documents of batch extraction are classified.
    pub forms: Vec<AgentForm>,
    /// Ids of the knowledge bases it may search.
    pub knowledge: Vec<String>,
    /// Servers whose tools its model may call.
    pub tools: Vec<ToolServer>,
    /// Which values of its batch extraction are queued for review; `None` for none.
    pub review: Option<ReviewPolicy>,
    /// Compared by conditional updates.
    pub revision: Revision,
    /// Time of creation.
    pub created: Timestamp,
    /// Time of the last change.
    pub updated: Timestamp,
}

impl Agent {
    /// Every form that it may fill: its own first.
    #[must_use]
    pub fn all_forms(&self) -> Vec<AgentForm> {
        let own = self.form_id.clone().map(|form_id| AgentForm { form_id, form_version: self.form_version });
        own.into_iter().chain(self.forms.iter().cloned()).collect()
    }
}
