//! What calls of models use and cost, by key, model and day; and the limits of keys, which are kept by
//! reserving room before a call and settling after it.

#[cfg(feature = "contract")]
#[allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a conformance suite asserts")]
pub mod contract;
mod day;
mod error;
mod known;
mod ledger;
mod memory;
mod model;
mod report;
mod repository;
mod service;
mod windows;

pub use day::{Day, DayError};
pub use error::UsageError;
pub use ledger::Ledger;
pub use memory::MemoryUsage;
pub use model::{Account, Entry, Estimate, MAX_MODEL, Spend, Tokens, Totals};
pub use report::{Group, Grouping, MAX_DAYS, MAX_ROWS, Report, ReportQuery, ReportRow};
pub use repository::{Reserved, UsageRepository};
pub use service::{Booked, Held, UsageService};
pub use windows::{Limit, LimitReached, Never, Room, Window, Windows};
