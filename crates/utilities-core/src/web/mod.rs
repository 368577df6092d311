//! The web as this crate sees it: a port that gets what a URL names. What may be reached is decided by rules that
//! know no network.

mod error;
mod fetch;
mod fetched;

pub use error::{FetchCause, FetchError};
pub use fetch::{FetchRequest, Wants, WebFetcher};
pub use fetched::{Body, Fetched, KeptBody};
