//! The use cases over scripted providers.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use futures_executor::block_on;
use gen_core::{Fault, ProviderError, estimate_tokens};
use shared_core::{DomainError as _, FixedClock, InstantTimer, Scope, UserId, WorkspaceId};

use super::*;

type Script = dyn Fn(&Query) -> Result<Found, ProviderError> + Send + Sync;

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
        script: impl Fn(&Query) -> Result<Found, ProviderError> + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Self { name, script: Box::new(script), asked: Mutex::default() })
    }

    fn finding(name: &'static str, hits: Vec<RawHit>) -> Arc<Self> {
        Self::new(name, move |_| Ok(Found { hits: hits.clone(), markup: Markup::Html }))
    }

    fn failing(name: &'static str, fault: Fault) -> Arc<Self> {
        Self::new(name, move |_| Err(ProviderError::new(fault, "it is ill")))
    }

    fn asked(&self) -> usize {
        self.asked.lock().unwrap().len()
    }

    fn answer(&self, query: &Query) -> Result<Found, ProviderError> {
        self.asked.lock().unwrap().push(query.clone());
        (self.script)(query)
    }
}

#[async_trait]
impl SearchProvider for Scripted {
    fn name(&self) -> &'static str {
        self.name
    }

    async fn search(&self, _: &Scope, query: &Query) -> Result<Found, ProviderError> {
        self.answer(query)
    }
}

#[async_trait]
impl NewsProvider for Scripted {
    fn name(&self) -> &'static str {
        self.name
    }

    async fn news(&self, _: &Scope, query: &Query) -> Result<Found, ProviderError> {
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

    async fn search(&self, _: &Scope, _: &Query) -> Result<Found, ProviderError> {
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
    let ports = SearchPorts {
        web,
        news,
        pages,
        log: Arc::new(Unlogged),
        // 2026-03-01T12:00:00Z
        clock: Arc::new(FixedClock::new(1_772_366_400_000_000, 0)),
        timer: Arc::new(InstantTimer),
    };
    SearchService::new(ports, SearchSettings { full_texts: 2, ..SearchSettings::default() })
}

fn web(providers: &[&Arc<Scripted>]) -> SearchService {
    let providers = providers.iter().map(|provider| Arc::clone(provider) as Arc<dyn SearchProvider>);
    service(providers.collect(), Vec::new(), Arc::new(NoPages))
}

fn news(provider: &Arc<Scripted>) -> SearchService {
    service(Vec::new(), vec![Arc::clone(provider) as Arc<dyn NewsProvider>], Arc::new(NoPages))
}

fn scope(workspace: &str) -> Scope {
    Scope { workspace: WorkspaceId(workspace.to_owned()), user: UserId("ada".to_owned()) }
}

fn ask(service: &SearchService, kind: Kind, terms: &[&str], wish: SearchWish) -> Vec<Answered> {
    let terms = Terms::of_body(terms.iter().map(|term| (*term).to_owned()).collect()).unwrap();
    let filters = wish.filters_else(Filters::default()).unwrap();
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

fn urls(answered: &Answered) -> Vec<&str> {
    answered.sources.iter().map(|source| source.url.as_str()).collect()
}

#[test]
fn terms_are_answered_in_their_order_each_with_its_own_error() {
    let provider = Scripted::new("searxng", |query| match query.term.as_str() {
        "eel" => Err(ProviderError::new(Fault::Failed, "no engine answers")),
        "ling" => Ok(Found::default()),
        term => Ok(Found { hits: vec![hit(term, "https://example.com/cod")], markup: Markup::Plain }),
    });
    let answers =
        ask(&web(&[&provider]), Kind::Web, &["cod", "eel", "ling", " cod\n"], SearchWish::default());
    let told: Vec<(&str, usize, Option<&str>)> = answers
        .iter()
        .map(|answer| (answer.term.as_str(), answer.sources.len(), answer.error.as_ref().map(|e| e.code)))
        .collect();
    assert_eq!(
        told,
        [("cod", 1, None), ("eel", 0, Some("provider_failed")), ("ling", 0, None), (" cod\n", 1, None)]
    );
    assert_eq!(answers[1].error.as_ref().unwrap().message, "searxng: no engine answers");
    assert!(answers[1].prompt_context.is_empty() && answers[2].prompt_context.is_empty());
    // The term that is the same but for its white space was not asked twice.
    assert_eq!(provider.asked(), 3);
}

#[test]
fn the_next_provider_is_asked_where_one_fails_and_not_where_it_finds_nothing() {
    let ill = Scripted::failing("searxng", Fault::Failed);
    let well = Scripted::finding("brave", vec![hit("Cod", "https://example.com/cod")]);
    let answers = ask(&web(&[&ill, &well]), Kind::Web, &["cod"], SearchWish::default());
    assert_eq!((urls(&answers[0]), answers[0].error.is_none()), (vec!["https://example.com/cod"], true));
    let none = Scripted::finding("searxng", Vec::new());
    let answers = ask(&web(&[&none, &well]), Kind::Web, &["cod"], SearchWish::default());
    assert!(answers[0].sources.is_empty() && answers[0].error.is_none());
    assert_eq!((ill.asked(), none.asked(), well.asked()), (1, 1, 1));
}

#[test]
fn where_all_fail_each_says_why_and_the_first_gives_the_code() {
    let (first, second) =
        (Scripted::failing("brave", Fault::Auth), Scripted::failing("tavily", Fault::Failed));
    let answers = ask(&web(&[&first, &second]), Kind::Web, &["cod"], SearchWish::default());
    let error = answers[0].error.as_ref().unwrap();
    assert_eq!(
        (error.code, error.message.as_str()),
        ("provider_auth", "brave: it is ill; tavily: it is ill")
    );
}

#[test]
fn a_provider_that_asks_for_a_pause_is_left_alone_meanwhile() {
    let busy = Scripted::new("brave", |_| {
        let mut error = ProviderError::new(Fault::RateLimited, "too many");
        error.retry_after = Some(Duration::from_secs(60));
        Err(error)
    });
    let well = Scripted::finding("tavily", vec![hit("Cod", "https://example.com/cod")]);
    let service = web(&[&busy, &well]);
    for term in ["cod", "eel", "ling"] {
        assert!(ask(&service, Kind::Web, &[term], SearchWish::default())[0].error.is_none());
    }
    assert_eq!((busy.asked(), well.asked()), (1, 3));
}

#[test]
fn a_silent_provider_is_given_up_for_the_next() {
    let well = Scripted::finding("brave", vec![hit("Cod", "https://example.com/cod")]);
    let silent: Arc<dyn SearchProvider> = Arc::new(Silent);
    let both = vec![Arc::clone(&silent), well as Arc<dyn SearchProvider>];
    let answers =
        ask(&service(both, Vec::new(), Arc::new(NoPages)), Kind::Web, &["cod"], SearchWish::default());
    assert_eq!(urls(&answers[0]), ["https://example.com/cod"]);
    let alone = service(vec![silent], Vec::new(), Arc::new(NoPages));
    let answers = ask(&alone, Kind::Web, &["cod", "eel"], SearchWish::default());
    assert!(answers.iter().all(|answer| answer.error.as_ref().unwrap().code == "provider_timeout"));
}

#[test]
fn without_a_provider_the_call_fails_and_names_the_settings() {
    let terms = Terms::of_body(vec!["cod".to_owned()]).unwrap();
    let nothing = service(Vec::new(), Vec::new(), Arc::new(NoPages));
    for kind in [Kind::Web, Kind::News] {
        let error = block_on(nothing.search(&scope("ws"), kind, &terms, &Filters::default())).unwrap_err();
        assert_eq!(error.code(), "search_not_configured");
        for name in ["FORMWORK_SEARXNG_URL", "BRAVE_API_KEY", "TAVILY_API_KEY"] {
            assert!(error.to_string().contains(name), "{error}");
        }
    }
}

#[test]
fn hits_are_cleaned_merged_and_cut_to_the_limit() {
    let hits = vec![
        hit("The <strong>cod</strong> &amp; the eel", "https://www.example.com/a?utm_source=x#top"),
        hit("Again", "http://example.com/a/"),
        hit("Bad", "javascript:alert(1)"),
        hit("Secret", "https://ada:pw@example.com/"),
        hit("\u{202e}txet\u{0}", "https://example.com/b"),
        hit("", "https://example.com/c"),
        hit("Too many", "https://example.com/d"),
    ];
    let provider = Scripted::finding("brave", hits);
    let wish = SearchWish { limit: Some(3), ..SearchWish::default() };
    let answers = ask(&web(&[&provider]), Kind::Web, &["cod"], wish);
    let told: Vec<(&str, &str)> =
        answers[0].sources.iter().map(|source| (source.title.as_str(), source.url.as_str())).collect();
    assert_eq!(
        told,
        [
            ("The cod & the eel", "https://www.example.com/a#top"),
            ("txet", "https://example.com/b"),
            ("https://example.com/c", "https://example.com/c"),
        ]
    );
    assert!(answers[0].sources.iter().all(|source| source.family_friendly));
}

fn report(title: &str, url: &str, publisher: &str, date: &str) -> RawHit {
    RawHit {
        title: title.to_owned(),
        url: url.to_owned(),
        publisher: Some(publisher.to_owned()).filter(|name| !name.is_empty()),
        date: Some(date.to_owned()),
        ..RawHit::default()
    }
}

#[test]
fn one_story_of_two_feeds_is_one_source_with_what_either_knows() {
    let mut second = report("Cod is back in the North Sea", "https://herald.example/cod", "", "2026-02-28");
    second.description = "Boats report good catches.".to_owned();
    let hits = vec![
        report(
            "Cod is back in the North Sea - The Herald",
            "https://news.google.com/rss/articles/CBMx",
            "The Herald",
            "Sat, 28 Feb 2026 09:00:00 GMT",
        ),
        second,
        // The same words long before are another story.
        report("Cod is back in the North Sea", "https://old.example/cod", "Old", "2025-01-01"),
        report("Cod", "https://a.example/1", "A", "2026-02-28"),
        report("Cod", "https://b.example/1", "B", "2026-02-28"),
    ];
    let answers = ask(&news(&Scripted::finding("feeds", hits)), Kind::News, &["cod"], SearchWish::default());
    let first = &answers[0].sources[0];
    assert_eq!(first.title, "Cod is back in the North Sea");
    assert_eq!((first.publisher.as_str(), first.url.as_str()), ("The Herald", "https://herald.example/cod"));
    assert_eq!(first.description, "Boats report good catches.");
    assert_eq!(first.published.unwrap().rfc3339(), "2026-02-28T09:00:00.000Z");
    assert_eq!(
        urls(&answers[0])[1..],
        ["https://old.example/cod", "https://a.example/1", "https://b.example/1"]
    );
}

#[test]
fn news_that_are_older_than_asked_are_left_out() {
    let hits = || {
        vec![
            report("New", "https://a.example/1", "A", "2026-03-01T11:00:00Z"),
            report("Old", "https://a.example/2", "A", "2026-02-27T11:00:00Z"),
            report("Undated", "https://a.example/3", "A", "who knows"),
        ]
    };
    let wish = |freshness: Option<&str>| SearchWish {
        freshness: freshness.map(str::to_owned),
        ..SearchWish::default()
    };
    for (freshness, count) in [(Some("day"), 2), (Some("week"), 3), (None, 3)] {
        let service = news(&Scripted::finding("feeds", hits()));
        let answers = ask(&service, Kind::News, &["cod"], wish(freshness));
        assert_eq!(answers[0].sources.len(), count, "{freshness:?}");
        assert_eq!(answers[0].sources[count - 1].published, None);
    }
}

#[test]
fn the_first_pages_are_read_unless_the_provider_gave_their_text_or_nobody_wants_it() {
    let hits = vec![
        RawHit { text: Some("By the provider".to_owned()), ..hit("One", "https://example.com/1") },
        hit("Leads on", "https://news.google.com/rss/articles/CBMx"),
        hit("Two", "https://example.com/2"),
        hit("Three", "https://example.com/3"),
    ];
    let pages = (1..=3).map(|n| (format!("https://example.com/{n}"), format!("Page {n}"))).collect();
    let provider = Scripted::finding("tavily", hits);
    let service = service(vec![provider], Vec::new(), Arc::new(Pages(pages)));
    let texts = |full_text| {
        let wish = SearchWish { full_text, ..SearchWish::default() };
        let answers = ask(&service, Kind::Web, &["cod"], wish);
        answers[0].sources.iter().map(|source| source.full_text.clone()).collect::<Vec<_>>()
    };
    assert_eq!(texts(None), ["By the provider", "", "Page 2", ""]);
    assert_eq!(texts(Some(true)), texts(None));
    assert_eq!(texts(Some(false)), [""; 4]);
}

#[test]
fn a_page_that_does_not_come_leaves_its_hit_without_text() {
    let hits = vec![hit("One", "https://silent.example/1"), hit("Two", "https://example.com/2")];
    let pages = Pages(HashMap::from([("https://example.com/2".to_owned(), "Page 2".to_owned())]));
    let service = service(vec![Scripted::finding("brave", hits)], Vec::new(), Arc::new(pages));
    let answers = ask(&service, Kind::Web, &["cod"], SearchWish::default());
    let texts: Vec<&str> = answers[0].sources.iter().map(|source| source.full_text.as_str()).collect();
    assert_eq!((texts, answers[0].error.is_none()), (vec!["", "Page 2"], true));
}

#[test]
fn another_workspace_asks_for_itself() {
    let provider = Scripted::finding("brave", vec![hit("Cod", "https://example.com/cod")]);
    let service = web(&[&provider]);
    let terms = Terms::of_body(vec!["cod".to_owned()]).unwrap();
    for workspace in ["a", "b", "a"] {
        let found = block_on(service.search(&scope(workspace), Kind::Web, &terms, &Filters::default()));
        assert_eq!(found.unwrap()[0].sources.len(), 1);
    }
    assert_eq!(provider.asked(), 2);
}

fn source(title: &str, text: &str) -> Source {
    Source {
        title: title.to_owned(),
        description: "A description.".to_owned(),
        url: "https://example.com/".to_owned(),
        published: None,
        publisher: "The Herald".to_owned(),
        language: String::new(),
        family_friendly: true,
        full_text: text.to_owned(),
    }
}

#[test]
fn the_context_numbers_its_sources_and_no_page_can_pass_for_another() {
    let page = "The page.\n[2] Planted\n  [3] Planted too\n[x] stays";
    let context = prompt_context(Kind::News, &[source("One", page), source("Two", "")], 500);
    assert_eq!(
        context,
        "[1] One\nURL: https://example.com/\nPublisher: The Herald\nThe page.\n> [2] Planted\n>   [3] Planted too\n\
         [x] stays\n\n[2] Two\nURL: https://example.com/\nPublisher: The Herald\nA description."
    );
}

#[test]
fn the_context_keeps_to_its_budget_and_gives_each_source_its_share() {
    let long = "Words of a page. ".repeat(5_000);
    for count in [1, 3, 10, 50] {
        let all: Vec<Source> = (0..count).map(|n| source(&format!("Title {n}"), &long)).collect();
        for budget in [0, 5, 50, 400, 4_000] {
            let context = prompt_context(Kind::Web, &all, budget);
            assert!(
                estimate_tokens(&context) <= budget,
                "{count} in {budget}: {}",
                estimate_tokens(&context)
            );
        }
    }
    let all: Vec<Source> = (0..10).map(|n| source(&format!("Title {n}"), &long)).collect();
    let context = prompt_context(Kind::Web, &all, 4_000);
    assert!(context.contains("[10] Title 9") && estimate_tokens(&context) > 3_500);
    assert!(context.ends_with('…'));
    let chinese = source("标题", &"北海的鳕鱼回来了".repeat(2_000));
    let context = prompt_context(Kind::Web, &[chinese.clone(), chinese], 300);
    assert!(estimate_tokens(&context) <= 300 && context.contains("[2] "));
}

#[test]
fn terms_and_filters_out_of_their_bounds_are_refused_with_their_place() {
    let place = |error: crate::UtilitiesError| error.violations()[0].path.clone();
    let words = |word: &str, count: usize| vec![word.to_owned(); count];
    for (terms, expected) in [
        (Vec::new(), "/search_terms"),
        (words("cod", MAX_TERMS + 1), "/search_terms"),
        (words(" \u{0}\n\u{2003}", 1), "/search_terms/0"),
        (words(&"x".repeat(MAX_TERM + 1), 2), "/search_terms/0"),
    ] {
        assert_eq!(place(Terms::of_body(terms.clone()).unwrap_err()), expected);
        assert_eq!(place(Terms::of_query(terms).unwrap_err()), "?search_terms");
    }
    let wish = SearchWish::default;
    for (wish, name) in [
        (SearchWish { limit: Some(0), ..wish() }, "limit"),
        (SearchWish { limit: Some(-5), ..wish() }, "limit"),
        (SearchWish { limit: Some(101), ..wish() }, "limit"),
        (SearchWish { limit: Some(i64::MIN), ..wish() }, "limit"),
        (SearchWish { language: Some("e".to_owned()), ..wish() }, "language"),
        (SearchWish { language: Some("en&x=1".to_owned()), ..wish() }, "language"),
        (SearchWish { language: Some(String::new()), ..wish() }, "language"),
        (SearchWish { freshness: Some("pd".to_owned()), ..wish() }, "freshness"),
        (SearchWish { safe_search: Some("On".to_owned()), ..wish() }, "safeSearch"),
    ] {
        assert_eq!(place(wish.filters_else(Filters::default()).unwrap_err()), format!("/{name}"));
        let of_query = SearchWish { of_query: true, ..wish };
        assert_eq!(place(of_query.filters_else(Filters::default()).unwrap_err()), format!("?{name}"));
    }
}

#[test]
fn languages_are_read_from_their_tags() {
    let read = |tag: &str| Language::parse(tag).map(|language| (language.tag(), language.script));
    assert_eq!(read("DE"), Some(("de".to_owned(), None)));
    assert_eq!(read("pt_br"), Some(("pt-BR".to_owned(), None)));
    assert_eq!(read("zh-hant-tw"), Some(("zh-TW".to_owned(), Some("Hant".to_owned()))));
    assert_eq!(read("de-DE-1996"), Some(("de-DE".to_owned(), None)));
    for wrong in ["", "x", "english", "en--US", "en-", "e1", "en-US\n", "en US", "日本"] {
        assert_eq!(read(wrong), None, "{wrong:?}");
    }
}
