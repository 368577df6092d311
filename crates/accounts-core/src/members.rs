//! The use cases of the members of a workspace.

use shared_core::{UserId, WorkspaceId};

use crate::names::parse_display_name;
use crate::{AccountsError, AccountsService, MemberChanges, NewMember, User, UserUpdate};

impl AccountsService {
    /// Adds a member to a workspace, or takes back a removed one of the same e-mail address.
    ///
    /// # Errors
    /// When a value breaks a rule, the e-mail address is taken, or the store fails.
    pub async fn add_member(&self, workspace: &WorkspaceId, new: NewMember) -> Result<User, AccountsError> {
        let user = self.draft_user(workspace.clone(), new)?;
        Ok(self.repository.insert_user(&user).await?)
    }

    /// The users of a workspace, oldest first, with those that were removed.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn users(&self, workspace: &WorkspaceId) -> Result<Vec<User>, AccountsError> {
        Ok(self.repository.users(workspace).await?)
    }

    /// The members of a workspace, oldest first, without those that were removed.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn members(&self, workspace: &WorkspaceId) -> Result<Vec<User>, AccountsError> {
        let users = self.users(workspace).await?;
        Ok(users.into_iter().filter(|user| user.removed.is_none()).collect())
    }

    /// A member of a workspace.
    ///
    /// # Errors
    /// [`AccountsError::MemberNotFound`], also for one that was removed, or when the store fails.
    pub async fn member(&self, workspace: &WorkspaceId, id: &UserId) -> Result<User, AccountsError> {
        let members = self.members(workspace).await?;
        members.into_iter().find(|user| user.id == *id).ok_or(AccountsError::MemberNotFound)
    }

    /// Changes a member. A narrower role takes effect with the next request of its keys.
    ///
    /// # Errors
    /// When a value breaks a rule, [`AccountsError::MemberNotFound`], [`AccountsError::LastOwner`], or when the store
    /// fails.
    pub async fn update_member(
        &self,
        workspace: &WorkspaceId,
        id: &UserId,
        changes: MemberChanges,
    ) -> Result<User, AccountsError> {
        let MemberChanges { name, role } = changes;
        let name = name.map(|name| parse_display_name("name", &name)).transpose()?;
        let user = self.member(workspace, id).await?;
        let after = User {
            name: name.unwrap_or_else(|| user.name.clone()),
            role: role.unwrap_or(user.role),
            ..user.clone()
        };
        self.store_member(&user, after).await
    }

    /// Removes a member: its keys are revoked and its password is forgotten; what it made stays.
    ///
    /// # Errors
    /// [`AccountsError::MemberNotFound`], [`AccountsError::LastOwner`], or when the store fails.
    pub async fn remove_member(&self, workspace: &WorkspaceId, id: &UserId) -> Result<(), AccountsError> {
        let user = self.member(workspace, id).await?;
        let after = User { removed: Some(self.clock.now()), ..user.clone() };
        self.store_member(&user, after).await.map(drop)
    }

    async fn store_member(&self, before: &User, after: User) -> Result<User, AccountsError> {
        match self.repository.update_user(before, &after).await? {
            UserUpdate::Stored => Ok(after),
            UserUpdate::NotFound => Err(AccountsError::MemberNotFound),
            UserUpdate::LastOwner => Err(AccountsError::LastOwner),
        }
    }
}
