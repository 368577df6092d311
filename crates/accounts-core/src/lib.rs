#![doc = include_str!("../README.md")]

pub mod audit;
#[cfg(feature = "contract")]
#[allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a conformance suite asserts")]
pub mod contract;
mod drafts;
mod error;
pub mod idempotency;
mod key;
mod key_model;
mod keys;
mod limits;
mod member_model;
mod members;
mod memory;
mod model;
mod names;
pub mod oidc;
mod password;
mod public_keys;
mod publication;
mod quotas;
mod repository;
mod service;
mod sign_in;
pub mod usage;

pub use error::AccountsError;
pub use key_model::{IssuedKey, KeyChanges, MAX_BASES, MAX_GRACE, NewKey};
pub use limits::{KeyLimits, Money, MoneyError, WindowKind, WindowLimits};
pub use member_model::{Account, MemberChanges, NewMember};
pub use memory::MemoryAccounts;
pub use model::{ApiKey, KeyKind, KeyScope, Principal, Role, User, Workspace};
pub use publication::{MAX_ORIGIN, MAX_ORIGINS, MAX_PAGE, Publication};
pub use quotas::{Quota, QuotaChange, QuotaKind};
pub use repository::{AccountRepository, UserUpdate};
pub use service::{AccountsService, NewWorkspace};
pub use sign_in::{Credentials, SIGN_IN_KEY_NAME, SIGN_IN_SECONDS, SignIn};
