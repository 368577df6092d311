//! Records as tables: columns from the schemas of the records, rows from the records. Knows no file format.

mod cell;
mod columns;
mod rows;

pub use cell::Cell;
pub use columns::{ExtraColumns, ListLayout, Table, TableLayout};
pub use rows::Row;
