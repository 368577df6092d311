//! Keys to create and to change.

use secrecy::SecretString;
use serde_json::Value;
use shared_core::Timestamp;

use crate::{ApiKey, KeyLimits, KeyScope, Publication};

/// Maximum number of knowledge bases that a key is restricted to.
pub const MAX_BASES: usize = 100;
/// Maximum seconds for which a rotated key stays valid: 30 days.
pub const MAX_GRACE: u32 = 30 * 86_400;

/// A key to create.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewKey {
    /// Its name: 1 to 255 characters.
    pub name: String,
    /// Its permissions, at most those of its user's role.
    pub scope: KeyScope,
    /// The only knowledge bases that it may search; `None` for no such restriction.
    pub bases: Option<Vec<String>>,
    /// What the metadata of an item must match, in the filter grammar of knowledge bases; `None` for all items.
    pub filter: Option<Value>,
    /// What makes it public; `None` for a secret key.
    pub publication: Option<Publication>,
    /// When it expires; `None` for never.
    pub expires: Option<Timestamp>,
    /// On requests, tokens and money, per minute and day.
    pub limits: KeyLimits,
}

/// New settings of a key; `None` leaves one as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyChanges {
    /// Its name: 1 to 255 characters.
    pub name: Option<String>,
    /// The only knowledge bases that it may search; `Some(None)` for all.
    pub bases: Option<Option<Vec<String>>>,
    /// What the metadata of an item must match; `Some(None)` for all items.
    pub filter: Option<Option<Value>>,
    /// The agent, origins and page of a public key.
    pub publication: Option<Publication>,
    /// When it expires; `Some(None)` for never.
    pub expires: Option<Option<Timestamp>>,
    /// All its limits.
    pub limits: Option<KeyLimits>,
}

/// A new key. Its text cannot be read again later.
#[derive(Clone, Debug)]
pub struct IssuedKey {
    /// The stored record.
    pub key: ApiKey,
    /// The text of the key.
    pub secret: SecretString,
}
