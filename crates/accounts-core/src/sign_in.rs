//! Sign-in by e-mail address and password, and the key that every sign-in makes. It is valid for some hours.

use secrecy::{ExposeSecret as _, SecretString};
use shared_core::{Offload, UserId, Violation, WorkspaceId, offload};

use crate::password;
use crate::{
    Account, AccountsError, AccountsService, IssuedKey, KeyKind, KeyLimits, NewKey, Principal, User,
    Workspace,
};

/// Seconds for which a sign-in is valid: a working day. Chosen by hand; no measurement is recorded.
pub const SIGN_IN_SECONDS: i64 = 12 * 3_600;
/// The name of the keys that sign-ins make.
pub const SIGN_IN_KEY_NAME: &str = "sign-in";
/// Rows that one sweep deletes of each kind, so that no other change waits for long.
const SWEEP_BATCH: u32 = 500;
/// Workspaces of one e-mail address whose passwords are compared.
const MAX_ACCOUNTS: usize = 16;

/// What a person signs in with.
#[derive(Debug)]
pub struct Credentials {
    /// E-mail address; upper and lower case are the same.
    pub email: String,
    /// As it was typed.
    pub password: SecretString,
    /// Id of the workspace; needed where the same address and password are those of several.
    pub workspace: Option<WorkspaceId>,
}

/// What a sign-in made, and for whom.
#[derive(Debug)]
pub struct SignIn {
    /// The key that it made.
    pub issued: IssuedKey,
    /// Who signed in.
    pub user: User,
    /// To which the user belongs.
    pub workspace: Workspace,
}

impl AccountsService {
    /// Signs in. Hashing a password takes 19 MiB and some 20 ms of a processor, so it is done by `workers`.
    ///
    /// # Errors
    /// [`AccountsError::InvalidCredentials`], [`AccountsError::Invalid`] when several workspaces fit, or when the store
    /// fails.
    pub async fn sign_in(
        &self,
        credentials: Credentials,
        workers: &dyn Offload,
    ) -> Result<SignIn, AccountsError> {
        let Credentials { email, password, workspace } = credentials;
        let mut accounts = self.repository.accounts(&email).await?;
        let is_named = |id: &WorkspaceId| workspace.as_ref().is_none_or(|named| named == id);
        accounts.retain(|account| account.password.is_some() && is_named(&account.workspace.id));
        accounts.truncate(MAX_ACCOUNTS);
        let fitting = offload(workers, move || with_password(accounts, &password))
            .await
            .ok_or(AccountsError::NotHashed)?;
        let account = single_account(fitting, "/workspace")?;
        let Account { user, workspace, password } = account.ok_or(AccountsError::InvalidCredentials)?;
        self.issue_sign_in(user, workspace, password.as_deref()).await
    }

    /// Makes the key of a sign-in. `password` is the hash of the password that was given, if one was.
    ///
    /// # Errors
    /// [`AccountsError::InvalidCredentials`] when the password was changed since, or when the store fails.
    pub(crate) async fn issue_sign_in(
        &self,
        user: User,
        workspace: Workspace,
        password: Option<&str>,
    ) -> Result<SignIn, AccountsError> {
        let new = NewKey {
            name: SIGN_IN_KEY_NAME.to_owned(),
            scope: user.role.max_scope(),
            bases: None,
            filter: None,
            publication: None,
            expires: Some(self.clock.now().plus_seconds(SIGN_IN_SECONDS)),
            limits: KeyLimits::default(),
        };
        let issued = self.draft_key(&workspace.id, &user.id, KeyKind::SignIn, new);
        match self.repository.insert_sign_in(&issued.key, password).await? {
            true => Ok(SignIn { issued, user, workspace }),
            false => Err(AccountsError::InvalidCredentials),
        }
    }

    /// Deletes sign-ins whose time is over. Returns how many rows; there may be more.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn sweep_sign_ins(&self) -> Result<u64, AccountsError> {
        Ok(self.repository.delete_ended_sign_ins(self.clock.now(), SWEEP_BATCH).await?)
    }

    /// Ends the sign-in of the caller.
    ///
    /// # Errors
    /// [`AccountsError::NotSignedIn`] when its key was issued otherwise, or when the store fails.
    pub async fn sign_out(&self, caller: &Principal) -> Result<(), AccountsError> {
        if caller.key_kind != KeyKind::SignIn {
            return Err(AccountsError::NotSignedIn);
        }
        self.revoke_key(&caller.scope.workspace, &caller.key_id).await
    }

    /// Sets the password of a member and ends its sign-ins. `None` forgets it.
    ///
    /// # Errors
    /// When it is too short or too long, [`AccountsError::MemberNotFound`], or when the store fails.
    pub async fn set_password(
        &self,
        workspace: &WorkspaceId,
        user: &UserId,
        password: Option<SecretString>,
        workers: &dyn Offload,
    ) -> Result<(), AccountsError> {
        let hash = match password {
            None => None,
            Some(password) => {
                password::check(&password).map_err(AccountsError::Invalid)?;
                let salt = password::salt(self.ids.as_ref());
                let hashed = offload(workers, move || password::hash(&password, &salt)).await;
                Some(hashed.flatten().ok_or(AccountsError::NotHashed)?)
            }
        };
        let now = self.clock.now();
        match self.repository.set_password(workspace, user, hash.as_deref(), now).await? {
            true => Ok(()),
            false => Err(AccountsError::MemberNotFound),
        }
    }

    /// Whether this is the user's password.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn has_password(
        &self,
        user: &User,
        password: SecretString,
        workers: &dyn Offload,
    ) -> Result<bool, AccountsError> {
        let accounts = self.repository.accounts(&user.email).await?;
        let is_own = |account: &Account| account.user.id == user.id && account.password.is_some();
        let own = accounts.into_iter().filter(is_own).collect();
        let fitting = offload(workers, move || with_password(own, &password)).await;
        Ok(!fitting.ok_or(AccountsError::NotHashed)?.is_empty())
    }
}

/// The account that is signed in to; `None` when none fits. `path` is where a request names the workspace.
///
/// # Errors
/// [`AccountsError::Invalid`] when several fit.
pub(crate) fn single_account(
    mut fitting: Vec<Account>,
    path: &'static str,
) -> Result<Option<Account>, AccountsError> {
    if fitting.len() < 2 {
        return Ok(fitting.pop());
    }
    let ids: Vec<&str> = fitting.iter().map(|account| account.workspace.id.0.as_str()).collect();
    let rule = format!("'workspace' is needed, one of {}", ids.join(", "));
    Err(AccountsError::Invalid(Violation::new(path, rule)))
}

/// The accounts with this password. Without an account a hash is computed all the same, so that the time of the answer
/// does not tell whether an address is known.
fn with_password(accounts: Vec<Account>, password: &SecretString) -> Vec<Account> {
    if accounts.is_empty() {
        password::hash(password, &[0; password::SALT]);
    }
    let is_right = |hash: &str| password::matches(password.expose_secret(), hash);
    accounts.into_iter().filter(|account| account.password.as_deref().is_some_and(is_right)).collect()
}
