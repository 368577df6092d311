//! Members to add and to change, and the accounts that they sign in to.

use crate::{Role, User, Workspace};

/// A member to add.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewMember {
    /// Display name: 1 to 255 characters.
    pub name: String,
    /// E-mail address.
    pub email: String,
    /// What the member may do at most.
    pub role: Role,
}

/// New values of a member; `None` leaves one as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemberChanges {
    /// Display name: 1 to 255 characters.
    pub name: Option<String>,
    /// What the member may do at most.
    pub role: Option<Role>,
}

/// An account that an e-mail address names.
#[derive(Clone, Debug)]
pub struct Account {
    /// The user, who was not removed.
    pub user: User,
    /// To which the user belongs.
    pub workspace: Workspace,
    /// Argon2id hash of the password, in PHC string format; `None` for a user who cannot sign in by one.
    pub password: Option<String>,
}
