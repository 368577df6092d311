//! Backups of the embedded database and the blobs.
//!
//! A backup folder has `content/`, each blob once under its SHA-256, and `snapshots/`, each with a copy of the database,
//! the list of its blobs and a manifest. The manifest is written last: a snapshot without one was interrupted, and the
//! next backup removes it. Blobs are never changed, so a backup copies only those that no earlier one has.

mod command;
mod content;
mod copy;
mod create;
mod index_check;
mod problems;
mod restore;
mod snapshot;
mod verify;

pub(crate) use command::BackupCommand;
pub(crate) use index_check::check_search_index;
