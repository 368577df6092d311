//! Search of the web and of news: options, provider chain, and clean-up of the hits. It knows no provider's
//! API; providers come through [`SearchProvider`] and [`NewsProvider`].

mod address;
mod cache;
mod chain;
mod dates;
mod error;
mod failures;
mod merge;
mod options;
mod plain;
mod ports;
mod prompt;
mod query;
mod service;
mod source;
#[cfg(test)]
mod tests;

pub use dates::parse_date;
pub use error::SearchError;
pub use options::{Filters, MAX_HITS, MAX_TERM, MAX_TERMS, SearchOptions, Terms};
pub use plain::{Markup, plain_text};
pub use ports::{
    NewsProvider, NoopPageText, NoopSearchLog, PageText, ProviderFailure, ProviderHits, RawHit, SearchLog,
    SearchProvider,
};
pub use prompt::prompt_context;
pub use query::{Freshness, Kind, LanguageTag, Query, SafeSearch};
pub use service::{SearchPorts, SearchService, SearchSettings};
pub use source::{Source, TermResult};
