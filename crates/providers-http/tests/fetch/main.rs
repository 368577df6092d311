//! The guarded fetcher against sites that lie, lead astray, never end or never begin, on loopback addresses alone.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests assert")]
#![allow(clippy::print_stderr, reason = "what is not tested is told")]

mod addresses;
mod again;
mod bodies;
mod faults;
mod kit;
mod polite;
mod proxy;
mod redirects;
