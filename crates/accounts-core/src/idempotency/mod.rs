//! Idempotency of requests: the first response is recorded under the key that the client chose, and replayed
//! when the request is sent again.

#[cfg(feature = "contract")]
#[allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a conformance suite asserts")]
pub mod contract;
mod memory;
mod model;
mod repository;
mod service;

pub use memory::MemoryIdempotency;
pub use model::{Attempt, ClaimOutcome, EffectRef, Fingerprint, RecordedResponse, RequestKey};
pub use repository::{IdempotencyRepository, KeyState};
pub use service::{IdempotencyError, IdempotencyService};
