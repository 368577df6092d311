//! Copies a whole SQLite database to PostgreSQL.
//!
//! Rows travel as JSON, which both databases write and read, and are inserted in batches, parents before the rows that
//! refer to them. A table in the target marks an unfinished copy: it can be repeated, and rows that are there already
//! are skipped. At the end count and digest of each table are compared.

mod digest;
mod error;
mod source;
mod table;
mod target;

pub use digest::TableDigest;
pub use error::CopyError;

use crate::copy::digest::Accumulator;
use crate::copy::source::Source;
use crate::copy::table::Table;
use crate::copy::target::Target;

/// Rows of a statement, and bytes after which it gets no further row. Chosen by hand: a statement of a megabyte takes
/// milliseconds.
const BATCH_ROWS: usize = 1_000;
const BATCH_BYTES: usize = 1 << 20;

/// A copy between two databases. Its calls block.
#[derive(Debug)]
pub struct DatabaseCopy {
    source: Source,
    target: Target,
    tables: Vec<Table>,
}

impl DatabaseCopy {
    /// Connects to both databases, and creates the tables of the target if it has none.
    ///
    /// # Errors
    /// See [`CopyError`]: above all when the target has records, but not those of an unfinished copy of this source.
    pub fn open(from: &str, to: &str) -> Result<Self, CopyError> {
        let mut source = Source::open(from)?;
        let tables = source.tables()?;
        let mut target = Target::open(to)?;
        for table in &tables {
            target.require_columns(table)?;
        }
        target.begin(&source.identity()?, &tables)?;
        Ok(Self { source, target, tables })
    }

    /// Copies every table, compares it, and removes the mark of the unfinished copy. `progress` gets each table when it
    /// is copied; its error ends the copy, which can be repeated.
    ///
    /// # Errors
    /// See [`CopyError`].
    pub fn run(
        mut self,
        mut progress: impl FnMut(&TableDigest) -> Result<(), CopyError>,
    ) -> Result<Vec<TableDigest>, CopyError> {
        let mut copied = Vec::new();
        for table in &self.tables {
            let digest = copy_table(&mut self.source, &mut self.target, table)?;
            progress(&digest)?;
            copied.push(digest);
        }
        for (table, copied) in self.tables.iter().zip(&copied) {
            let found = self.target.digest(table)?;
            if found != *copied {
                return Err(CopyError::Different {
                    table: table.name.clone(),
                    copied: copied.rows,
                    found: found.rows,
                });
            }
        }
        self.target.finish(&self.source.last_numbers()?)?;
        Ok(copied)
    }
}

fn copy_table(source: &mut Source, target: &mut Target, table: &Table) -> Result<TableDigest, CopyError> {
    let mut digest = Accumulator::default();
    let (mut batch, mut rows) = (String::from("["), 0);
    for row in source.rows(table)? {
        let row = row?;
        digest.add(&row)?;
        if rows > 0 {
            batch.push(',');
        }
        batch.push_str(&row);
        rows += 1;
        if rows == BATCH_ROWS || batch.len() >= BATCH_BYTES {
            batch.push(']');
            target.insert(table, &batch)?;
            (batch, rows) = (String::from("["), 0);
        }
    }
    if rows > 0 {
        batch.push(']');
        target.insert(table, &batch)?;
    }
    Ok(digest.into_digest(&table.name))
}
