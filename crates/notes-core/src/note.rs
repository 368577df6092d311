//! Notes and the resources that they are attached to.

use std::fmt;

use serde_json::{Map, Value};
use shared_core::{Author, MAX_ID, Timestamp, WorkspaceId};

/// Identifies a note: a positive integer up to [`MAX_ID`] from the store's sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NoteId(pub i64);

impl NoteId {
    /// Parses an id: decimal digits without sign or leading zeros. `None` for text that cannot be a note's
    /// id.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
        let id: i64 = text.parse().ok()?;
        (plain && id <= MAX_ID).then_some(Self(id))
    }
}

impl fmt::Display for NoteId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The author role of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The agent.
    Assistant,
    /// A person.
    User,
    /// The system.
    System,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 3] = [Self::Assistant, Self::User, Self::System];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Assistant => "assistant",
            Self::User => "user",
            Self::System => "system",
        }
    }

    /// The role of this name; `None` for any other text.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}

/// The kinds of resources that can have notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResourceKind {
    /// An agent, named by its namespace.
    Agent,
    /// A knowledge base, named by its id.
    KnowledgeBase,
    /// A file, named by its id in decimal digits.
    File,
}

impl ResourceKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Agent, Self::KnowledgeBase, Self::File];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::KnowledgeBase => "knowledgebase",
            Self::File => "file",
        }
    }

    /// The kind of this name; `None` for any other text.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// One resource of a workspace.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Resource {
    /// The kind of resource.
    pub kind: ResourceKind,
    /// Its current name in URLs. An agent's may change.
    pub id: String,
}

/// A note of a workspace.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// Identifier.
    pub id: NoteId,
    /// The workspace.
    pub workspace: WorkspaceId,
    /// Who added it.
    pub author: Author,
    /// What it is attached to.
    pub resource: Resource,
    /// The author role.
    pub role: Role,
    /// Its text.
    pub content: String,
    /// The caller's own data; the order of the keys is kept.
    pub meta: Map<String, Value>,
    /// When it was added.
    pub created: Timestamp,
    /// When it was last changed.
    pub updated: Timestamp,
}

/// A note to be stored; its author is the scope's user.
#[derive(Clone, Debug, PartialEq)]
pub struct NoteDraft {
    /// What it is attached to.
    pub resource: Resource,
    /// The author role.
    pub role: Role,
    /// Its text.
    pub content: String,
    /// The caller's own data.
    pub meta: Map<String, Value>,
    /// When it is added.
    pub created: Timestamp,
}

/// A change to be stored.
#[derive(Clone, Debug, PartialEq)]
pub struct NoteUpdate {
    /// The new author role.
    pub role: Role,
    /// Its new text.
    pub content: String,
    /// The caller's own data; `None` leaves it unchanged.
    pub meta: Option<Map<String, Value>>,
    /// When it is changed.
    pub updated: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::NoteId;

    #[test]
    fn only_plain_positive_integers_below_two_to_the_53_are_ids() {
        assert_eq!(NoteId::parse("9007199254740991"), Some(NoteId(9_007_199_254_740_991)));
        for odd in [
            "",
            "0",
            "-1",
            "+1",
            "01",
            " 1",
            "1.0",
            "1e3",
            "x",
            "٣",
            "9007199254740992",
            "99999999999999999999",
        ] {
            assert_eq!(NoteId::parse(odd), None, "{odd}");
        }
    }
}
