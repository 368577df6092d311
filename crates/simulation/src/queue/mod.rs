//! The durable queue: dispatchers of several processes on the jobs of one store.

mod ledger;
mod scenario;
mod server;
mod store;

pub use ledger::{LeaseLedger, RunGuard, StoreCall};
pub(crate) use scenario::begin;
pub use server::{JobServer, TrackedHandler};
pub use store::ProcessQueue;
