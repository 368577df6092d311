//! The caller: the workspace that owns every row, and the user who writes in it.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl $name {
            /// The identifier's text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

text_id!(
    /// Identifies a workspace, the unit of isolation: no query crosses it.
    WorkspaceId
);
text_id!(
    /// Identifies a user within a workspace.
    UserId
);

/// The caller on whose behalf an operation runs. Every port method that touches rows takes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// The workspace that owns what is read and written.
    pub workspace: WorkspaceId,
    /// The user who acts.
    pub user: UserId,
}

/// The user shown as the author of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Author {
    /// The author's identifier.
    pub id: UserId,
    /// Display name.
    pub name: String,
    /// E-mail address.
    pub email: String,
}
