//! Batch extraction: runs whose groups are processed by several servers with a vendor that takes money.

mod group_ledger;
mod scenario;
mod store;
mod vendor;

pub(crate) use scenario::begin;
