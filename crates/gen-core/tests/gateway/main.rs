//! The gateway over scripted backends, in virtual time.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests, too, may fail loudly")]

mod abandon;
mod books;
mod capabilities;
mod kit;
mod limits;
mod lists;
mod names;
mod retries;
mod streams;
