//! A stored agent.

use shared_core::{Author, Revision, Timestamp, WorkspaceId};

/// An agent: a model with instructions, and perhaps a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// Internal identifier (`agent_…`); never changes.
    pub id: String,
    /// The workspace.
    pub workspace: WorkspaceId,
    /// Who made it.
    pub author: Author,
    /// Lower-case slug, unique in the workspace: the name in addresses.
    pub namespace: String,
    /// Display name.
    pub name: String,
    /// Free text; empty when none.
    pub description: String,
    /// What the model is told; empty when none.
    pub instructions: String,
    /// `model@provider`; `None` uses the service's default.
    pub model_id: Option<String>,
    /// The form it fills.
    pub form_id: Option<String>,
    /// Knowledge bases it may read.
    pub knowledge: Vec<String>,
    /// For conditional updates.
    pub revision: Revision,
    /// When it was made.
    pub created: Timestamp,
    /// When it was last changed.
    pub updated: Timestamp,
}
