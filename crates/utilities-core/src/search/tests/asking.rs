//! Who is asked, and what is made of the answers.

use super::*;

#[test]
fn terms_are_answered_in_their_order_each_with_its_own_error() {
    let provider = Scripted::new("searxng", |query| match query.term.as_str() {
        "eel" => Err(ProviderError::new(Fault::Failed, "no engine answers")),
        "ling" => Ok(ProviderHits::default()),
        term => Ok(ProviderHits { hits: vec![hit(term, "https://example.com/cod")], markup: Markup::Plain }),
    });
    let answers =
        ask(&web(&[&provider]), Kind::Web, &["cod", "eel", "ling", " cod\n"], SearchOptions::default());
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
    let answers = ask(&web(&[&ill, &well]), Kind::Web, &["cod"], SearchOptions::default());
    assert_eq!((urls(&answers[0]), answers[0].error.is_none()), (vec!["https://example.com/cod"], true));
    let none = Scripted::finding("searxng", Vec::new());
    let answers = ask(&web(&[&none, &well]), Kind::Web, &["cod"], SearchOptions::default());
    assert!(answers[0].sources.is_empty() && answers[0].error.is_none());
    assert_eq!((ill.asked(), none.asked(), well.asked()), (1, 1, 1));
}

#[test]
fn where_all_fail_each_says_why_and_the_first_gives_the_code() {
    let (first, second) =
        (Scripted::failing("brave", Fault::Auth), Scripted::failing("tavily", Fault::Failed));
    let answers = ask(&web(&[&first, &second]), Kind::Web, &["cod"], SearchOptions::default());
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
        assert!(ask(&service, Kind::Web, &[term], SearchOptions::default())[0].error.is_none());
    }
    assert_eq!((busy.asked(), well.asked()), (1, 3));
}

#[test]
fn a_silent_provider_is_given_up_for_the_next() {
    let well = Scripted::finding("brave", vec![hit("Cod", "https://example.com/cod")]);
    let silent: Arc<dyn SearchProvider> = Arc::new(Silent);
    let both = vec![Arc::clone(&silent), well as Arc<dyn SearchProvider>];
    let answers = ask(
        &service(both, Vec::new(), Arc::new(NoopPageText)),
        Kind::Web,
        &["cod"],
        SearchOptions::default(),
    );
    assert_eq!(urls(&answers[0]), ["https://example.com/cod"]);
    let alone = service(vec![silent], Vec::new(), Arc::new(NoopPageText));
    let answers = ask(&alone, Kind::Web, &["cod", "eel"], SearchOptions::default());
    assert!(answers.iter().all(|answer| answer.error.as_ref().unwrap().code == "provider_timeout"));
}

#[test]
fn without_a_provider_the_call_fails_and_names_the_settings() {
    let terms = Terms::from_body(vec!["cod".to_owned()]).unwrap();
    let nothing = service(Vec::new(), Vec::new(), Arc::new(NoopPageText));
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
    let wish = SearchOptions { limit: Some(3), ..SearchOptions::default() };
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
    let answers =
        ask(&news(&Scripted::finding("feeds", hits)), Kind::News, &["cod"], SearchOptions::default());
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
    let wish = |freshness: Option<&str>| SearchOptions {
        freshness: freshness.map(str::to_owned),
        ..SearchOptions::default()
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
        let wish = SearchOptions { full_text, ..SearchOptions::default() };
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
    let answers = ask(&service, Kind::Web, &["cod"], SearchOptions::default());
    let texts: Vec<&str> = answers[0].sources.iter().map(|source| source.full_text.as_str()).collect();
    assert_eq!((texts, answers[0].error.is_none()), (vec!["", "Page 2"], true));
}

#[test]
fn another_workspace_asks_for_itself() {
    let provider = Scripted::finding("brave", vec![hit("Cod", "https://example.com/cod")]);
    let service = web(&[&provider]);
    let terms = Terms::from_body(vec!["cod".to_owned()]).unwrap();
    for workspace in ["a", "b", "a"] {
        let found = block_on(service.search(&scope(workspace), Kind::Web, &terms, &Filters::default()));
        assert_eq!(found.unwrap()[0].sources.len(), 1);
    }
    assert_eq!(provider.asked(), 2);
}

/// Records the failures.
#[derive(Debug, Default)]
struct Heard(Mutex<Vec<(Kind, Vec<ProviderFailure>)>>);

impl SearchLog for Heard {
    fn failed(&self, kind: Kind, failures: &[ProviderFailure]) {
        self.0.lock().push((kind, failures.to_vec()));
    }
}

#[test]
fn the_log_hears_of_a_providers_failures_once_in_a_call() {
    let ill = Scripted::failing("ill", Fault::Failed);
    let well = Scripted::finding("well", Vec::new());
    let heard = Arc::new(Heard::default());
    let service = logged(vec![ill, well], heard.clone());
    for _ in 0..2 {
        ask(&service, Kind::Web, &["a", "b", "c"], SearchOptions::default());
    }
    let heard = heard.0.lock();
    let told: Vec<_> =
        heard.iter().map(|(kind, failures)| (*kind, failures.len(), failures[0].terms)).collect();
    // Answers are cached, so the second call sends no query.
    assert_eq!(told, [(Kind::Web, 1, 3)]);
    assert_eq!((heard[0].1[0].provider, heard[0].1[0].message.as_str()), ("ill", "it is ill"));
}
