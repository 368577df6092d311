//! Records as tables: columns from the forms that they were made with, rows from the records. In which format tables
//! are written is for others to know.

mod cell;
mod columns;
mod rows;

pub use cell::Cell;
pub use columns::{ExtraColumns, ListLayout, Table, TableLayout};
pub use rows::Row;
