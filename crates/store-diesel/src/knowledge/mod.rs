//! The adapter of knowledge bases: bases, items, chunks, vectors, and the feed of the indexes.
//!
//! To prevent deadlocks on PostgreSQL, every writer locks the base's row first, then its items, jobs and
//! blobs, and the feed's row last. The lock of the base's row also protects its counts.

mod add;
mod attributes;
mod base_rows;
mod bases;
mod change;
mod changes;
mod chunks;
mod contents;
mod expired;
mod feed;
mod item_rows;
mod items;
mod lists;
mod live;
mod locked_base;
pub(crate) mod pgvector;
mod remove;
mod retry;
mod tasks;
mod upsert;
mod vector_gc;
mod vectors;

use crate::database::Database;

/// Knowledge bases in the database.
#[derive(Clone, Debug)]
pub struct DieselKnowledge(Database);

impl DieselKnowledge {
    /// Uses `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self(database)
    }
}
