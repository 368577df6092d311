//! A stored form.

use serde_json::{Map, Value};
use shared_core::{Author, Revision, Timestamp, WorkspaceId};

/// A named, ordered definition of fields.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// Identifier (`form_…`), opaque to clients.
    pub id: String,
    /// The workspace.
    pub workspace: WorkspaceId,
    /// Who made it.
    pub author: Author,
    /// Title.
    pub title: String,
    /// The schema exactly as it was sent: field name → definition, keys in their order.
    pub schema: Map<String, Value>,
    /// Grows by one with each update; stored records name it.
    pub version: u32,
    /// For conditional updates.
    pub revision: Revision,
    /// When it was made.
    pub created: Timestamp,
    /// When it was last changed.
    pub updated: Timestamp,
}

/// A form as it was at one version.
#[derive(Clone, Debug, PartialEq)]
pub struct FormVersion {
    /// The form.
    pub form_id: String,
    /// From 1.
    pub version: u32,
    /// Title at that version.
    pub title: String,
    /// Schema at that version.
    pub schema: Map<String, Value>,
    /// When the version was made.
    pub created: Timestamp,
}

/// A version in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormVersionSummary {
    /// From 1.
    pub version: u32,
    /// Title at that version.
    pub title: String,
    /// When the version was made.
    pub created: Timestamp,
}

/// A form in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormSummary {
    /// Identifier.
    pub id: String,
    /// Title.
    pub title: String,
    /// Who made it.
    pub author: Author,
    /// When it was made.
    pub created: Timestamp,
    /// When it was last changed.
    pub updated: Timestamp,
}
