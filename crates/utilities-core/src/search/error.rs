//! Errors of a search as a whole.

use shared_core::{DomainError, ErrorKind};

use super::query::Kind;

/// A call that cannot be answered. An error of one term is reported with that term.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// No provider is configured for this kind.
    #[error("{}", missing_setting(*.0))]
    NotConfigured(Kind),
}

fn missing_setting(kind: Kind) -> &'static str {
    match kind {
        Kind::Web => {
            "web search is not configured: set search.searxng.base_url (FORMWORK_SEARXNG_URL), search.brave.key \
             (BRAVE_API_KEY) or search.tavily.key (TAVILY_API_KEY), and name it in search.web_order"
        }
        Kind::News => {
            "news search is not configured: name 'feeds' in search.news_order, or set search.searxng.base_url \
             (FORMWORK_SEARXNG_URL), search.brave.key (BRAVE_API_KEY) or search.tavily.key (TAVILY_API_KEY)"
        }
    }
}

impl DomainError for SearchError {
    fn kind(&self) -> ErrorKind {
        ErrorKind::NotConfigured
    }

    fn code(&self) -> &'static str {
        "search_not_configured"
    }
}
