//! New users and keys, not yet stored.

use secrecy::SecretString;
use shared_core::{UserId, WorkspaceId, new_id};

use crate::names::{parse_display_name, parse_email};
use crate::{AccountsError, AccountsService, ApiKey, IssuedKey, KeyKind, NewKey, NewMember, User, key};

impl AccountsService {
    pub(crate) fn draft_key(
        &self,
        workspace: &WorkspaceId,
        user: &UserId,
        kind: KeyKind,
        new: NewKey,
    ) -> IssuedKey {
        let text = key::generate(self.ids.as_ref());
        let created = self.clock.now();
        let key = ApiKey {
            id: new_id("key", created, self.ids.as_ref()),
            workspace: workspace.clone(),
            user: user.clone(),
            name: new.name,
            prefix: key::prefix(&text).unwrap_or_default().to_owned(),
            hash: key::hash(&text),
            kind,
            scope: new.scope,
            bases: new.bases,
            filter: new.filter,
            public_text: new.publication.is_some().then(|| text.clone()),
            publication: new.publication,
            created,
            expires: new.expires,
            successor: None,
            revoked: None,
            limits: new.limits,
            last_used: None,
        };
        IssuedKey { key, secret: SecretString::from(text) }
    }

    pub(crate) fn draft_user(&self, workspace: WorkspaceId, new: NewMember) -> Result<User, AccountsError> {
        let created = self.clock.now();
        Ok(User {
            id: UserId(new_id("user", created, self.ids.as_ref())),
            workspace,
            name: parse_display_name("name", &new.name)?,
            email: parse_email(&new.email)?,
            role: new.role,
            created,
            removed: None,
        })
    }
}
