//! store
mod accounts;
mod connection;
mod database;
mod failure;
mod migrations;
mod operation;
mod pool;
mod rows;
mod schema;
mod sqlite_writer;
mod text;

pub use accounts::DieselAccounts;
pub use connection::AnyConnection;
pub use database::{Database, DatabaseSettings, OpenError};
pub use failure::Failure;
