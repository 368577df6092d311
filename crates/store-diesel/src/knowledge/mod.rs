//! Knowledge bases: bases, items, chunks, vectors, and what indexes are told.
//!
//! Every writer takes the base's row first, then its items, jobs and blobs, and the feed's row last, so that
//! nobody waits in a circle on PostgreSQL. With the base's row held, its counts are kept by reading and
//! writing them.

mod add;
mod base_rows;
mod bases;
mod change;
mod changes;
mod chunks;
mod feed;
mod item_rows;
mod items;
mod lists;
mod live;
mod locked_base;
mod remove;
mod retry;
mod tasks;
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
