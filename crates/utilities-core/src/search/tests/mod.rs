//! The use cases over scripted providers.

mod asking;
mod texts;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_executor::block_on;
use gen_core::{Fault, ProviderError, estimate_tokens};
use parking_lot::Mutex;
use shared_core::{DomainError as _, FixedClock, InstantTimer, Scope, UserId, WorkspaceId};

use super::*;

/// Of the web, and of news.
type Providers = (Vec<Arc<dyn SearchProvider>>, Vec<Arc<dyn NewsProvider>>);

type Script = dyn Fn(&Query) -> Result<ProviderHits, ProviderError> + Send + Sync;

/// A provider that answers by a script and keeps what it was asked.
struct Scripted {
    name: &'static str,
    script: Box<Script>,
    asked: Mutex<Vec<Query>>,
}

impl std::fmt::Debug for Scripted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Scripted {
    fn new(
        name: &'static str,
        script: impl Fn(&Query) -> Result<ProviderHits, ProviderError> + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Self { name, script: Box::new(script), asked: Mutex::default() })
    }

    fn finding(name: &'static str, hits: Vec<RawHit>) -> Arc<Self> {
        Self::new(name, move |_| Ok(ProviderHits { hits: hits.clone(), markup: Markup::Html }))
    }

    fn failing(name: &'static str, fault: Fault) -> Arc<Self> {
        Self::new(name, move |_| Err(ProviderError::new(fault, "it is ill")))
    }

    fn asked(&self) -> usize {
        self.asked.lock().len()
    }

    fn answer(&self, query: &Query) -> Result<ProviderHits, ProviderError> {
        self.asked.lock().push(query.clone());
        (self.script)(query)
    }
}

#[async_trait]
impl SearchProvider for Scripted {
    fn name(&self) -> &'static str {
        self.name
    }

    async fn search(&self, _: &Scope, query: &Query) -> Result<ProviderHits, ProviderError> {
        self.answer(query)
    }
}

#[async_trait]
impl NewsProvider for Scripted {
    fn name(&self) -> &'static str {
        self.name
    }

    async fn news(&self, _: &Scope, query: &Query) -> Result<ProviderHits, ProviderError> {
        self.answer(query)
    }
}

/// A provider that never answers.
#[derive(Debug)]
struct Silent;

#[async_trait]
impl SearchProvider for Silent {
    fn name(&self) -> &'static str {
        "silent"
    }

    async fn search(&self, _: &Scope, _: &Query) -> Result<ProviderHits, ProviderError> {
        std::future::pending().await
    }
}

/// Pages by their address.
#[derive(Debug, Default)]
struct Pages(HashMap<String, String>);

#[async_trait]
impl PageText for Pages {
    async fn text(&self, _: &Scope, url: &str) -> Option<String> {
        if url.contains("silent") {
            std::future::pending::<()>().await;
        }
        self.0.get(url).cloned()
    }
}

fn service(
    web: Vec<Arc<dyn SearchProvider>>,
    news: Vec<Arc<dyn NewsProvider>>,
    pages: Arc<dyn PageText>,
) -> SearchService {
    serving((web, news), pages, Arc::new(NoopSearchLog))
}

/// Scripted providers of the web, whose failures `log` hears of.
fn logged(web: Vec<Arc<Scripted>>, log: Arc<dyn SearchLog>) -> SearchService {
    let web = web.into_iter().map(|provider| provider as Arc<dyn SearchProvider>).collect();
    serving((web, Vec::new()), Arc::new(NoopPageText), log)
}

fn serving((web, news): Providers, pages: Arc<dyn PageText>, log: Arc<dyn SearchLog>) -> SearchService {
    let ports = SearchPorts {
        web,
        news,
        pages,
        log,
        // 2026-03-01T12:00:00Z
        clock: Arc::new(FixedClock::new(1_772_366_400_000_000, 0)),
        timer: Arc::new(InstantTimer),
    };
    SearchService::new(ports, SearchSettings { full_texts: 2, ..SearchSettings::default() })
}

fn web(providers: &[&Arc<Scripted>]) -> SearchService {
    let providers = providers.iter().map(|provider| Arc::clone(provider) as Arc<dyn SearchProvider>);
    service(providers.collect(), Vec::new(), Arc::new(NoopPageText))
}

fn news(provider: &Arc<Scripted>) -> SearchService {
    service(Vec::new(), vec![Arc::clone(provider) as Arc<dyn NewsProvider>], Arc::new(NoopPageText))
}

fn scope(workspace: &str) -> Scope {
    Scope { workspace: WorkspaceId(workspace.to_owned()), user: UserId("ada".to_owned()) }
}

fn ask(service: &SearchService, kind: Kind, terms: &[&str], wish: SearchOptions) -> Vec<TermResult> {
    let terms = Terms::from_body(terms.iter().map(|term| (*term).to_owned()).collect()).unwrap();
    let filters = wish.filters_or(Filters::default()).unwrap();
    block_on(service.search(&scope("ws"), kind, &terms, &filters)).unwrap()
}

fn hit(title: &str, url: &str) -> RawHit {
    RawHit {
        title: title.to_owned(),
        description: format!("About {title}."),
        url: url.to_owned(),
        ..RawHit::default()
    }
}

fn urls(answered: &TermResult) -> Vec<&str> {
    answered.sources.iter().map(|source| source.url.as_str()).collect()
}
