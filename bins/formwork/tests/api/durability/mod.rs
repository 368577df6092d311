//! Batches that meet with accidents: servers killed in the middle of them, clocks that differ, and a vendor that goes
//! wrong.

pub(crate) mod batch;
mod clocks;
pub(crate) mod draining;
mod faults;
pub(crate) mod interruptions;
pub(crate) mod kills;
mod stopping;
