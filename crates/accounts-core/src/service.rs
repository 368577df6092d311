//! The use cases of accounts: bootstrap, authentication, issuing and revoking keys.

use std::sync::Arc;

use secrecy::SecretString;
use shared_core::{Author, Clock, Rng, Scope, UserId, Violation, WorkspaceId, new_id};

use crate::{
    AccountRepository, AccountsError, ApiKey, KeyLimits, KeyScope, NewKey, Principal, User, Workspace, key,
};

/// Seconds during which further uses of a key are not recorded.
const USE_RECORD_SECONDS: f64 = 60.0;

/// The use cases of accounts.
#[derive(Clone, Debug)]
pub struct AccountsService {
    repository: Arc<dyn AccountRepository>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Rng>,
}

/// The names of the first workspace and its user.
#[derive(Clone, Debug)]
pub struct NewWorkspace {
    /// Name of the workspace.
    pub workspace: String,
    /// Name of the user.
    pub user_name: String,
    /// The user's e-mail address.
    pub user_email: String,
}

/// A new key. Its text cannot be read again later.
#[derive(Clone, Debug)]
pub struct IssuedKey {
    /// The stored record.
    pub key: ApiKey,
    /// The text of the key.
    pub secret: SecretString,
}

impl AccountsService {
    /// Builds the service on its ports.
    #[must_use]
    pub fn new(repository: Arc<dyn AccountRepository>, clock: Arc<dyn Clock>, ids: Arc<dyn Rng>) -> Self {
        Self { repository, clock, ids }
    }

    /// Authenticates the text of an API key.
    ///
    /// # Errors
    /// [`AccountsError::InvalidKey`] when it is malformed, unknown, revoked or expired.
    pub async fn authenticate(&self, text: &str) -> Result<Principal, AccountsError> {
        let prefix = key::prefix(text).ok_or(AccountsError::InvalidKey)?;
        let (stored, user, workspace) =
            self.repository.find_key(prefix).await?.ok_or(AccountsError::InvalidKey)?;
        let now = self.clock.now();
        let expired = stored.expires.is_some_and(|end| end <= now);
        if !key::matches(text, &stored.hash) || stored.revoked.is_some() || expired {
            return Err(AccountsError::InvalidKey);
        }
        Ok(Principal {
            scope: Scope { workspace: workspace.id, user: user.id.clone() },
            author: Author { id: user.id, name: user.name, email: user.email },
            workspace_name: workspace.name,
            key_id: stored.id,
            key_prefix: stored.prefix,
            key_scope: stored.scope,
            key_expires: stored.expires,
            limits: stored.limits,
            use_unrecorded: stored.last_used.is_none_or(|last| now.seconds_since(last) >= USE_RECORD_SECONDS),
        })
    }

    /// Records a use of the principal's key. Only needed when `use_unrecorded` is set.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn record_use(&self, principal: &Principal) -> Result<(), AccountsError> {
        let now = self.clock.now();
        let before = now.plus_seconds(-(USE_RECORD_SECONDS as i64));
        let workspace = &principal.scope.workspace;
        Ok(self.repository.record_use(workspace, &principal.key_prefix, before, now).await?)
    }

    /// Creates the first workspace with a user and a write key; `None` when there is a workspace already.
    ///
    /// # Errors
    /// When a name breaks a rule or the store fails.
    pub async fn bootstrap(&self, first: NewWorkspace) -> Result<Option<IssuedKey>, AccountsError> {
        if self.repository.any_workspace().await? {
            return Ok(None);
        }
        let (workspace, user) =
            self.draft_workspace(&first.workspace, &first.user_name, &first.user_email)?;
        let new = NewKey {
            name: "first key".to_owned(),
            scope: KeyScope::Write,
            expires: None,
            limits: KeyLimits::default(),
        };
        let issued = self.draft_key(&workspace.id, &user.id, new);
        let created = self.repository.create_first(&workspace, &user, &issued.key).await?;
        Ok(created.then_some(issued))
    }

    /// Adds a workspace with its first user.
    ///
    /// # Errors
    /// When a name breaks a rule or the store fails.
    pub async fn add_workspace(&self, first: NewWorkspace) -> Result<(Workspace, User), AccountsError> {
        let (workspace, user) =
            self.draft_workspace(&first.workspace, &first.user_name, &first.user_email)?;
        self.repository.insert_workspace(&workspace, &user).await?;
        Ok((workspace, user))
    }

    /// Adds a user to a workspace.
    ///
    /// # Errors
    /// When a value breaks a rule, the e-mail address is taken, or the store fails.
    pub async fn add_user(
        &self,
        workspace: &WorkspaceId,
        name: &str,
        email: &str,
    ) -> Result<User, AccountsError> {
        let user = self.draft_user(workspace.clone(), name, email)?;
        self.repository.insert_user(&user).await?;
        Ok(user)
    }

    /// Issues a key for a user.
    ///
    /// # Errors
    /// When the name or a limit breaks a rule, the user is not in the workspace, or the store fails.
    pub async fn issue_key(&self, owner: &Scope, new: NewKey) -> Result<IssuedKey, AccountsError> {
        let new = NewKey { name: parse_display_name("name", &new.name)?, ..new };
        new.limits.check().map_err(AccountsError::Invalid)?;
        let issued = self.draft_key(&owner.workspace, &owner.user, new);
        self.repository.insert_key(&issued.key).await?;
        Ok(issued)
    }

    /// The keys of a workspace, oldest first.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn keys(&self, workspace: &WorkspaceId) -> Result<Vec<ApiKey>, AccountsError> {
        Ok(self.repository.keys(workspace).await?)
    }

    /// Revokes a key by its prefix or id. It is refused from the next request on.
    ///
    /// # Errors
    /// [`AccountsError::KeyNotFound`], or when the store fails.
    pub async fn revoke_key(&self, workspace: &WorkspaceId, key: &str) -> Result<(), AccountsError> {
        let revoked = self.repository.revoke_key(workspace, key, self.clock.now()).await?;
        if revoked { Ok(()) } else { Err(AccountsError::KeyNotFound) }
    }

    /// Every workspace, oldest first.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn workspaces(&self) -> Result<Vec<Workspace>, AccountsError> {
        Ok(self.repository.workspaces().await?)
    }

    /// The users of a workspace, oldest first.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn users(&self, workspace: &WorkspaceId) -> Result<Vec<User>, AccountsError> {
        Ok(self.repository.users(workspace).await?)
    }

    fn draft_workspace(
        &self,
        workspace: &str,
        name: &str,
        email: &str,
    ) -> Result<(Workspace, User), AccountsError> {
        let created = self.clock.now();
        let workspace = Workspace {
            id: WorkspaceId(new_id("ws", created, self.ids.as_ref())),
            name: parse_display_name("workspace", workspace)?,
            created,
        };
        let user = self.draft_user(workspace.id.clone(), name, email)?;
        Ok((workspace, user))
    }

    fn draft_user(&self, workspace: WorkspaceId, name: &str, email: &str) -> Result<User, AccountsError> {
        let created = self.clock.now();
        let id = UserId(new_id("user", created, self.ids.as_ref()));
        Ok(User {
            id,
            workspace,
            name: parse_display_name("name", name)?,
            email: parse_email(email)?,
            created,
        })
    }

    fn draft_key(&self, workspace: &WorkspaceId, user: &UserId, new: NewKey) -> IssuedKey {
        let text = key::generate(self.ids.as_ref());
        let created = self.clock.now();
        let key = ApiKey {
            id: new_id("key", created, self.ids.as_ref()),
            workspace: workspace.clone(),
            user: user.clone(),
            name: new.name,
            prefix: key::prefix(&text).unwrap_or_default().to_owned(),
            hash: key::hash(&text),
            scope: new.scope,
            created,
            expires: new.expires,
            revoked: None,
            limits: new.limits,
            last_used: None,
        };
        IssuedKey { key, secret: SecretString::from(text) }
    }
}

/// Checks the shape of an e-mail address only: text on both sides of one `@`, and no whitespace.
fn parse_email(value: &str) -> Result<String, AccountsError> {
    let email = parse_display_name("email", value)?;
    let parts: Vec<&str> = email.split('@').collect();
    if matches!(parts.as_slice(), [name, host] if !name.is_empty() && !host.is_empty())
        && !email.contains(char::is_whitespace)
    {
        return Ok(email);
    }
    Err(AccountsError::Invalid(Violation::new("/email", "'email' must be an e-mail address")))
}

/// A display name: 1 to 255 characters without control characters.
fn parse_display_name(field: &str, value: &str) -> Result<String, AccountsError> {
    let count = value.chars().count();
    if (1..=255).contains(&count) && !value.chars().any(char::is_control) {
        return Ok(value.to_owned());
    }
    let message = format!("'{field}' must have 1 to 255 characters and no control characters");
    Err(AccountsError::Invalid(Violation::new(format!("/{field}"), message)))
}
