//! Providers of search against scripted servers: what they are asked, what is made of their answers, and every way in
//! which those may be wrong.

mod answers;
mod faults;
mod feeds;
mod requests;

use std::sync::Arc;

use gen_core::ProviderError;
use providers_http::{Brave, Endpoint, Searxng, Tavily};
use secrecy::SecretString;
use shared_core::{Scope, UserId, WorkspaceId};
use testkit::upstream::Upstream;
use utilities_core::search::{LanguageTag, NewsProvider, ProviderHits, Query, SafeSearch, SearchProvider};

use crate::common::{KEY, small, transport};

fn scope() -> Scope {
    Scope { workspace: WorkspaceId("ws".into()), user: UserId("ada".into()) }
}

fn query(term: &str) -> Query {
    Query {
        term: term.to_owned(),
        limit: 10,
        language: None,
        freshness: None,
        safe_search: SafeSearch::Moderate,
        with_text: true,
    }
}

fn language(tag: &str) -> Option<LanguageTag> {
    Some(LanguageTag::parse(tag).unwrap())
}

fn endpoint(url: &str) -> Endpoint {
    Endpoint::new(&transport(), url).unwrap().with_limits(small())
}

/// Every way to ask a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    SearxngWeb,
    SearxngNews,
    BraveWeb,
    BraveNews,
    TavilyWeb,
    TavilyNews,
}

const ALL: [Asked; 6] = [
    Asked::SearxngWeb,
    Asked::SearxngNews,
    Asked::BraveWeb,
    Asked::BraveNews,
    Asked::TavilyWeb,
    Asked::TavilyNews,
];

impl Asked {
    async fn ask(self, url: &str, query: &Query) -> Result<ProviderHits, ProviderError> {
        let key = || SecretString::from(KEY);
        let scope = scope();
        match self {
            Self::SearxngWeb => Searxng::new(endpoint(url)).search(&scope, query).await,
            Self::SearxngNews => Searxng::new(endpoint(url)).news(&scope, query).await,
            Self::BraveWeb => Brave::new(endpoint(url), key()).unwrap().search(&scope, query).await,
            Self::BraveNews => Brave::new(endpoint(url), key()).unwrap().news(&scope, query).await,
            Self::TavilyWeb => Tavily::new(endpoint(url), key()).unwrap().search(&scope, query).await,
            Self::TavilyNews => Tavily::new(endpoint(url), key()).unwrap().news(&scope, query).await,
        }
    }

    /// A recorded answer.
    fn golden(self) -> &'static str {
        match self {
            Self::SearxngWeb | Self::SearxngNews => include_str!("../golden/search/searxng.json"),
            Self::BraveWeb => include_str!("../golden/search/brave_web.json"),
            Self::BraveNews => include_str!("../golden/search/brave_news.json"),
            Self::TavilyWeb | Self::TavilyNews => include_str!("../golden/search/tavily.json"),
        }
    }

    /// An answer without hits.
    fn nothing(self) -> &'static str {
        match self {
            Self::SearxngWeb | Self::SearxngNews => r#"{"results": [], "unresponsive_engines": []}"#,
            Self::BraveWeb => r#"{"type": "search", "query": {"original": "x"}}"#,
            Self::BraveNews | Self::TavilyWeb | Self::TavilyNews => r#"{"query": {}, "results": []}"#,
        }
    }
}

/// A server that gives this to every request.
fn serving(reply: testkit::upstream::Reply) -> Arc<Upstream> {
    Arc::new(Upstream::start_replies([reply]).unwrap())
}
