//! The gateway over scripted backends, in virtual time.

mod abandon;
mod books;
mod capabilities;
mod kit;
mod limits;
mod lists;
mod names;
mod retries;
mod streams;
