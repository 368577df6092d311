//! Workspaces, users and API keys.

mod model;
mod repository;

pub use model::{ApiKey, KeyScope, Principal, User, Workspace};
pub use repository::AccountRepository;
