//! The guarded fetcher: gets what the web has under a URL, from addresses that may be reached, within bounds, and
//! politely. What may be reached is decided by `utilities_core::web`; here is only how it is got.

mod body;
mod cache;
mod connect;
mod failure;
mod fetcher;
mod file_name;
mod freshness;
mod host_limiter;
mod proxy;
mod redirect;
mod resolve;
mod robots;
mod settings;
mod temp_body;
mod webhook;

pub use fetcher::{FetcherError, GuardedFetcher};
pub use proxy::{GuardedProxy, ProxySettings};
pub use resolve::{Resolver, SystemResolver};
pub use settings::FetchSettings;
pub use webhook::GuardedSender;
