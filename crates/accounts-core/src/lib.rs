#![doc = include_str!("../README.md")]

#[cfg(feature = "contract")]
#[allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a conformance suite asserts")]
pub mod contract;
mod error;
pub mod idempotency;
mod key;
mod limits;
mod memory;
mod model;
mod repository;
mod service;
pub mod usage;

pub use error::AccountsError;
pub use limits::{KeyLimits, Money, MoneyError, WindowKind, WindowLimits};
pub use memory::MemoryAccounts;
pub use model::{ApiKey, KeyScope, NewKey, Principal, User, Workspace};
pub use repository::AccountRepository;
pub use service::{AccountsService, IssuedKey, NewWorkspace};
