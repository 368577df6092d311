//! How well records agree with the truth.

mod cells;
mod changes;
mod equality;
mod form_changes;
mod report;
mod rows;
mod statistics;

pub use cells::{Cell, CellOutcome, compare};
pub use changes::{Change, Comparison, FieldChange};
pub use form_changes::FormChanges;
pub use report::{FieldScore, Report, Scores};
pub use statistics::{Interval, sign_test, wilson};
