//! Usage and cost of model calls, by key, model and day. Limits of keys are enforced by a reservation before
//! each call, which is settled after it.

mod batch;
mod commit_queue;
#[cfg(feature = "contract")]
#[allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a conformance suite asserts")]
pub mod contract;
mod day;
mod entry;
mod error;
mod ledger;
mod memory;
mod model;
mod report;
mod repository;
mod service;
mod windows;

pub use batch::{CallOpening, OpenedCall, OpeningOutcome, UsageBatch};
pub use day::{Day, DayError};
pub use entry::{SettledReservation, UsageEntry, WindowSettlement};
pub use error::UsageError;
pub use ledger::Ledger;
pub use memory::MemoryUsage;
pub use model::{CallUsage, Estimate, MAX_MODEL, Tokens, Totals, UsageKey};
pub use report::{Group, Grouping, MAX_DAYS, MAX_ROWS, Report, ReportQuery, ReportRow};
pub use repository::UsageRepository;
pub use service::{UsageReservation, UsageService};
pub use windows::{Limit, LimitReached, PermanentRefusal, ReservedWindows, UsageWindow, UsageWindows};
