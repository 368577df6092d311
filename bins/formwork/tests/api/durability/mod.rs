//! Batches that meet with accidents: servers killed in the middle of them, and a vendor that goes wrong.

mod batch;
pub(crate) mod draining;
mod faults;
pub(crate) mod kills;
mod stopping;
