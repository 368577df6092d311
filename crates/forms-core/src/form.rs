//! A stored form.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use shared_core::{Author, Revision, Timestamp, Violation, WorkspaceId};

use crate::{FormExample, FormSchema};

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
    /// Documents with their right records.
    pub examples: Vec<FormExample>,
    /// Number of the version in force, from 1. `schema` and `examples` are those of this version, and stored records
    /// refer to it.
    pub version: u32,
    /// Highest version number that was given. The next version gets the number after it.
    pub latest: u32,
    /// The draft that the next draft starts from; `None` when a version was put in force after it.
    pub draft: Option<u32>,
    /// What an evaluation of a version must fulfil before the version is put in force; `None` when nothing is demanded.
    pub gate: Option<FormGate>,
    /// Compared by conditional updates.
    pub revision: Revision,
    /// Time of creation.
    pub created: Timestamp,
    /// Time of the last change.
    pub updated: Timestamp,
}

/// What an evaluation of a version must fulfil before the version is put in force.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FormGate {
    /// Id of the evaluation set.
    pub evaluation_set: String,
    /// Least share of right values, 0 to 1.
    pub minimum: f64,
}

/// Whether a version was ever in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VersionState {
    /// It was never in force.
    Draft,
    /// It is or was in force.
    Published,
}

impl VersionState {
    /// Every state.
    pub const ALL: [Self; 2] = [Self::Draft, Self::Published];

    /// The name in responses and stores.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Published => "published",
        }
    }
}

/// A form at one version.
#[derive(Clone, Debug, PartialEq)]
pub struct FormVersion {
    /// Id of the form.
    pub form_id: String,
    /// Version number, from 1.
    pub version: u32,
    /// Whether it was ever in force.
    pub state: VersionState,
    /// Title at that version.
    pub title: String,
    /// Schema at that version.
    pub schema: Map<String, Value>,
    /// Examples at that version.
    pub examples: Vec<FormExample>,
    /// Time at which the version was created.
    pub created: Timestamp,
}

impl Form {
    /// The typed fields, with what the examples teach.
    ///
    /// # Errors
    /// Every violation when the schema is not valid.
    pub fn parse_schema(&self) -> Result<FormSchema, Vec<Violation>> {
        Ok(FormSchema::parse(&self.schema)?.with_examples(self.examples.clone()))
    }

    /// The version in force. `created` is the time of the form's last change.
    #[must_use]
    pub fn in_force(&self) -> FormVersion {
        FormVersion {
            form_id: self.id.clone(),
            version: self.version,
            state: VersionState::Published,
            title: self.title.clone(),
            schema: self.schema.clone(),
            examples: self.examples.clone(),
            created: self.updated,
        }
    }
}

impl FormVersion {
    /// The typed fields, with what the examples teach.
    ///
    /// # Errors
    /// Every violation when the schema is not valid.
    pub fn parse_schema(&self) -> Result<FormSchema, Vec<Violation>> {
        Ok(FormSchema::parse(&self.schema)?.with_examples(self.examples.clone()))
    }
}

/// What a caller changes of a form; `None` leaves it as it is.
#[derive(Clone, Debug, Default)]
pub struct FormChange {
    /// Another title.
    pub title: Option<String>,
    /// Another schema.
    pub schema: Option<Value>,
    /// Other examples, a list of [`FormExample`].
    pub examples: Option<Value>,
    /// Whether the change makes a draft, which starts from the newest draft and leaves the version in force.
    pub draft: bool,
}

/// A version in a list, without its schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormVersionSummary {
    /// Version number, from 1.
    pub version: u32,
    /// Whether it was ever in force.
    pub state: VersionState,
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
