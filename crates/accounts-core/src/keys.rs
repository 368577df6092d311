//! The use cases of API keys: issuing, changing, rotating and revoking them.

use serde_json::Value;
use shared_core::{Page, PageRequest, Scope, StoreError, Violation, WorkspaceId};

use crate::names::parse_display_name;
use crate::public_keys;
use crate::{
    AccountsError, AccountsService, ApiKey, IssuedKey, KeyChanges, KeyKind, KeyScope, MAX_BASES, MAX_GRACE,
    NewKey, User,
};

impl AccountsService {
    /// Issues a key for a user.
    ///
    /// # Errors
    /// When a value breaks a rule, the user is not in the workspace, its role does not have the scope, or the store
    /// fails.
    pub async fn issue_key(&self, owner: &Scope, new: NewKey) -> Result<IssuedKey, AccountsError> {
        let user = self.member(&owner.workspace, &owner.user).await?;
        if new.scope > user.role.max_scope() {
            return Err(scope_beyond_role(&user));
        }
        let new = NewKey { name: parse_display_name("name", &new.name)?, ..new };
        new.limits.check().map_err(AccountsError::Invalid)?;
        check_bases(new.bases.as_deref(), new.scope)?;
        check_filter(new.filter.as_ref(), new.bases.is_some())?;
        let new = public_keys::checked(new).map_err(AccountsError::Invalid)?;
        let issued = self.draft_key(&owner.workspace, &owner.user, KeyKind::Issued, new);
        self.repository.insert_key(&issued.key).await.map_err(page_taken)?;
        Ok(issued)
    }

    /// A page of the keys of a workspace, newest first, without sign-ins that have ended.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn list_keys(
        &self,
        workspace: &WorkspaceId,
        page: &PageRequest,
    ) -> Result<Page<ApiKey>, AccountsError> {
        Ok(self.repository.list_keys(workspace, self.clock.now(), page).await?)
    }

    /// The key with this prefix or id, also when it was revoked.
    ///
    /// # Errors
    /// [`AccountsError::KeyNotFound`], or when the store fails.
    pub async fn key(&self, workspace: &WorkspaceId, key: &str) -> Result<ApiKey, AccountsError> {
        self.repository.key(workspace, key).await?.ok_or(AccountsError::KeyNotFound)
    }

    /// Those keys of a workspace that have one of these ids, in any order. The key of a sign-in is deleted when it has
    /// expired.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn keys_by_id(
        &self,
        workspace: &WorkspaceId,
        ids: &[String],
    ) -> Result<Vec<ApiKey>, AccountsError> {
        match ids.is_empty() {
            true => Ok(Vec::new()),
            false => Ok(self.repository.keys_by_id(workspace, ids).await?),
        }
    }

    /// Changes a key that is not revoked.
    ///
    /// # Errors
    /// When a value breaks a rule, [`AccountsError::KeyNotFound`], or when the store fails.
    pub async fn update_key(
        &self,
        workspace: &WorkspaceId,
        key: &str,
        changes: KeyChanges,
    ) -> Result<ApiKey, AccountsError> {
        let KeyChanges { name, bases, filter, publication, expires, limits } = changes;
        let name = name.map(|name| parse_display_name("name", &name)).transpose()?;
        if let Some(limits) = &limits {
            limits.check().map_err(AccountsError::Invalid)?;
        }
        let stored = self.valid_key(workspace, key).await?;
        let changed = ApiKey {
            name: name.unwrap_or_else(|| stored.name.clone()),
            bases: bases.unwrap_or_else(|| stored.bases.clone()),
            filter: filter.unwrap_or_else(|| stored.filter.clone()),
            publication: publication.or_else(|| stored.publication.clone()),
            expires: expires.unwrap_or(stored.expires),
            limits: limits.unwrap_or(stored.limits),
            ..stored.clone()
        };
        check_bases(changed.bases.as_deref(), changed.scope)?;
        check_filter(changed.filter.as_ref(), changed.bases.is_some())?;
        check_publication(&stored, &changed)?;
        let is_changed = self.repository.update_key(&stored, &changed).await.map_err(page_taken)?;
        if is_changed { Ok(changed) } else { Err(AccountsError::KeyNotFound) }
    }

    /// Replaces a key by a new one of the same settings. The old one is valid for `grace` more seconds, so that its
    /// users can change over.
    ///
    /// # Errors
    /// When `grace` is beyond [`MAX_GRACE`], [`AccountsError::KeyNotFound`], [`AccountsError::KeyRotated`], or when the
    /// store fails.
    pub async fn rotate_key(
        &self,
        workspace: &WorkspaceId,
        key: &str,
        grace: u32,
    ) -> Result<IssuedKey, AccountsError> {
        if grace > MAX_GRACE {
            let rule = format!("'grace_seconds' must be at most {MAX_GRACE}");
            return Err(AccountsError::Invalid(Violation::new("/grace_seconds", rule)));
        }
        let old = self.valid_key(workspace, key).await?;
        if old.successor.is_some() {
            return Err(AccountsError::KeyRotated);
        }
        let new = NewKey {
            name: old.name.clone(),
            scope: old.scope,
            bases: old.bases.clone(),
            filter: old.filter.clone(),
            publication: old.publication.clone(),
            expires: old.expires,
            limits: old.limits,
        };
        let issued = self.draft_key(workspace, &old.user, KeyKind::Issued, new);
        let end = self.clock.now().plus_seconds(i64::from(grace));
        let end = old.expires.map_or(end, |expires| expires.min(end));
        let is_replaced = self.repository.replace_key(&old.id, end, &issued.key).await?;
        if is_replaced { Ok(issued) } else { Err(AccountsError::KeyNotFound) }
    }

    /// Revokes a key by its prefix or id. It is refused from the next request on.
    ///
    /// # Errors
    /// [`AccountsError::KeyNotFound`], or when the store fails.
    pub async fn revoke_key(&self, workspace: &WorkspaceId, key: &str) -> Result<(), AccountsError> {
        let revoked = self.repository.revoke_key(workspace, key, self.clock.now()).await?;
        if revoked { Ok(()) } else { Err(AccountsError::KeyNotFound) }
    }

    /// The public key of the page with this name; `None` when no valid key has it.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn key_of_page(&self, page: &str) -> Result<Option<ApiKey>, AccountsError> {
        let found = self.repository.key_of_page(page).await?;
        Ok(found.filter(|key| key.expires.is_none_or(|end| end > self.clock.now())))
    }

    /// The issued key with this prefix or id, if it is neither revoked nor expired.
    async fn valid_key(&self, workspace: &WorkspaceId, key: &str) -> Result<ApiKey, AccountsError> {
        let found = self.key(workspace, key).await?;
        let expired = found.expires.is_some_and(|end| end <= self.clock.now());
        match found.kind == KeyKind::Issued && found.revoked.is_none() && !expired {
            true => Ok(found),
            false => Err(AccountsError::KeyNotFound),
        }
    }
}

fn scope_beyond_role(user: &User) -> AccountsError {
    let (role, most) = (user.role.name(), user.role.max_scope().name());
    let rule = format!("'scope' must be at most '{most}' for a user with the role '{role}'");
    AccountsError::Invalid(Violation::new("/scope", rule))
}

fn page_taken(error: StoreError) -> AccountsError {
    match error {
        StoreError::Taken("page") => AccountsError::PageTaken,
        other => AccountsError::Store(other),
    }
}

/// A secret key stays secret: its text is not stored, and programs have it that a page should not.
fn check_publication(stored: &ApiKey, changed: &ApiKey) -> Result<(), AccountsError> {
    let Some(publication) = &changed.publication else { return Ok(()) };
    if stored.publication.is_none() {
        let rule = "a secret key cannot become public; issue a public one";
        return Err(AccountsError::Invalid(Violation::new("/agent", rule)));
    }
    public_keys::check(publication, changed.scope, changed.bases.is_some()).map_err(AccountsError::Invalid)
}

/// A restricted key has 1 to [`MAX_BASES`] knowledge bases, and does not administer.
fn check_bases(bases: Option<&[String]>, scope: KeyScope) -> Result<(), AccountsError> {
    let Some(bases) = bases else { return Ok(()) };
    let rule = if scope == KeyScope::Admin {
        "a key with the scope 'admin' cannot be restricted to knowledge bases".to_owned()
    } else if !(1..=MAX_BASES).contains(&bases.len()) {
        format!("'bases' must have 1 to {MAX_BASES} ids of knowledge bases")
    } else {
        return Ok(());
    };
    Err(AccountsError::Invalid(Violation::new("/bases", rule)))
}

/// A filter narrows knowledge bases that the key is restricted to: without them, the key could read their files.
fn check_filter(filter: Option<&Value>, has_bases: bool) -> Result<(), AccountsError> {
    let rule = match filter {
        Some(filter) if !filter.is_object() => "'filter' must be an object",
        Some(_) if !has_bases => "'filter' needs 'bases'",
        _ => return Ok(()),
    };
    Err(AccountsError::Invalid(Violation::new("/filter", rule)))
}
