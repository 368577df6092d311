//! The guarded fetcher: fetches a URL from permitted addresses, within bounds, and politely.
//! `utilities_core::web` decides what is permitted; this module implements the transport.

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
mod state;
mod temp_body;
mod tool_servers;
mod webhook;

pub use fetcher::GuardedFetcher;
pub use proxy::{GuardedProxy, ProxySettings};
pub use resolve::{Resolver, SystemResolver};
pub use settings::FetchSettings;
pub use state::FetcherError;
pub use tool_servers::GuardedToolServers;
pub use webhook::GuardedSender;
