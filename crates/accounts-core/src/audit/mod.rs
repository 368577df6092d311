//! The audit log: who created, changed, deleted or exported what.

#[cfg(feature = "contract")]
#[allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a conformance suite asserts")]
pub mod contract;
mod memory;
mod model;
mod repository;
mod service;

pub use memory::MemoryAudit;
pub use model::{Actor, AuditEvent, AuditFilter, NewAuditEvent};
pub use repository::AuditRepository;
pub use service::AuditService;
