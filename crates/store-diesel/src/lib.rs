#![doc = include_str!("../README.md")]

mod accounts;
mod agents;
mod answers;
mod commands;
mod connection;
mod database;
mod failure;
mod files;
mod forms;
mod ids;
mod in_place;
mod lists;
mod migrations;
mod notes;
mod operation;
mod parsed;
mod pool;
mod rows;
mod runs;
mod schema;
mod sqlite_writer;
mod text;
mod usage;

pub use accounts::DieselAccounts;
pub use agents::DieselAgents;
pub use answers::DieselAnswers;
pub use connection::AnyConnection;
pub use database::{Database, DatabaseSettings, OpenError};
pub use failure::Failure;
pub use files::DieselFiles;
pub use forms::DieselForms;
pub use notes::DieselNotes;
pub use parsed::DieselParsedDocuments;
pub use runs::DieselRuns;
pub use usage::DieselUsage;
