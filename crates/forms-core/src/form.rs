//! A stored form.

use serde_json::{Map, Value};
use shared_core::{Author, Revision, Timestamp, WorkspaceId};

/// A named, ordered definition of fields.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// Identifier (`form_…`); opaque to clients.
    pub id: String,
    /// The workspace that owns it.
    pub workspace: WorkspaceId,
    /// The user who created it.
    pub author: Author,
    /// Display title.
    pub title: String,
    /// The schema as sent: field name to definition, keys in their order.
    pub schema: Map<String, Value>,
    /// Version number, from 1. A new schema increments it; stored records refer to it.
    pub version: u32,
    /// Compared by conditional updates.
    pub revision: Revision,
    /// Time of creation.
    pub created: Timestamp,
    /// Time of the last change.
    pub updated: Timestamp,
}

/// A form at one version.
#[derive(Clone, Debug, PartialEq)]
pub struct FormVersion {
    /// Id of the form.
    pub form_id: String,
    /// Version number, from 1.
    pub version: u32,
    /// Title at that version.
    pub title: String,
    /// Schema at that version.
    pub schema: Map<String, Value>,
    /// Time at which the version was created.
    pub created: Timestamp,
}

/// A version in a list, without its schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormVersionSummary {
    /// Version number, from 1.
    pub version: u32,
    /// Title at that version.
    pub title: String,
    /// Time at which the version was created.
    pub created: Timestamp,
}

/// A form in a list, without its schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormSummary {
    /// Identifier.
    pub id: String,
    /// Title.
    pub title: String,
    /// The user who created it.
    pub author: Author,
    /// Time of creation.
    pub created: Timestamp,
    /// Time of the last change.
    pub updated: Timestamp,
}
