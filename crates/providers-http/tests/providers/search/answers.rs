//! What is made of recorded answers.

use serde_json::{Value, json};
use testkit::upstream::{Reply, Upstream};
use utilities_core::search::{Markup, RawHit};

use super::{ALL, Asked, query, serving};

async fn hits(asked: Asked) -> (Vec<RawHit>, Markup) {
    let upstream = serving(Reply::whole(200, "application/json; charset=utf-8", asked.golden()));
    let found = asked.ask(&upstream.url(), &query("cod")).await.unwrap();
    (found.hits, found.markup)
}

fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[tokio::test]
async fn searxng_gives_plain_hits_and_leaves_out_what_is_none() {
    for asked in [Asked::SearxngWeb, Asked::SearxngNews] {
        let (hits, markup) = hits(asked).await;
        assert_eq!(markup, Markup::Plain);
        assert_eq!(
            hits,
            [
                RawHit {
                    url: "https://www.harbour.example/cod?utm_source=sx".into(),
                    title: "Cod at the harbour".into(),
                    description: "What the boats bring in, by month and by boat.".into(),
                    date: text("2025-12-30T08:00:00"),
                    ..RawHit::default()
                },
                RawHit {
                    url: "https://ministry.example/quota".into(),
                    title: "Quota for Vec<T> & co".into(),
                    ..RawHit::default()
                },
            ]
        );
    }
}

#[tokio::test]
async fn brave_tells_language_publisher_and_for_whom_a_page_is() {
    let (hits, markup) = hits(Asked::BraveWeb).await;
    assert_eq!((hits.len(), markup), (2, Markup::Html));
    assert_eq!(hits[0].publisher, text("Harbour Life"));
    assert_eq!((hits[0].language.clone(), hits[0].family_friendly), (text("en"), Some(true)));
    assert_eq!(hits[0].date, text("2025-12-31T10:20:30"));
    assert_eq!((hits[1].publisher.clone(), hits[1].family_friendly), (None, Some(false)));
}

#[tokio::test]
async fn brave_tells_the_publisher_and_the_age_of_news() {
    let (hits, _) = hits(Asked::BraveNews).await;
    let told: Vec<_> = hits.iter().map(|hit| (hit.publisher.clone(), hit.date.clone())).collect();
    assert_eq!(told, [(text("The Herald"), text("2025-12-31T21:00:00")), (None, text("2 days ago"))]);
}

#[tokio::test]
async fn tavily_gives_the_texts_of_pages() {
    for asked in [Asked::TavilyWeb, Asked::TavilyNews] {
        let (hits, markup) = hits(asked).await;
        assert_eq!((hits.len(), markup), (2, Markup::Plain));
        assert!(hits[0].text.as_ref().unwrap().starts_with("# Cod is back in the bay\n\nBoats"));
        assert_eq!(hits[0].date, text("Wed, 31 Dec 2025 21:00:00 GMT"));
        assert_eq!(hits[1].text, None);
    }
}

#[tokio::test]
async fn no_hits_are_an_answer() {
    for asked in ALL {
        let upstream = serving(Reply::whole(200, "application/json", asked.nothing()));
        let found = asked.ask(&upstream.url(), &query("cod")).await;
        assert_eq!(found.unwrap().hits, [], "{asked:?}");
    }
}

/// A page of hits with these numbers.
fn page(numbers: std::ops::Range<usize>, further: bool) -> Value {
    let hit = |n| json!({"url": format!("https://example.com/{n}"), "title": format!("Hit {n}")});
    let hits: Vec<Value> = numbers.map(hit).collect();
    json!({"query": {"more_results_available": further}, "results": hits, "web": {"results": hits}})
}

#[tokio::test]
async fn further_pages_are_asked_for_until_there_are_enough_hits_or_no_more() {
    for (asked, wanted, pages, hits, requests) in [
        (Asked::SearxngWeb, 10, vec![page(0..20, true)], 20, 1),
        (Asked::SearxngWeb, 30, vec![page(0..20, true), page(15..35, true)], 35, 2),
        (Asked::SearxngWeb, 30, vec![page(0..20, true), page(0..20, true)], 20, 2),
        (Asked::SearxngWeb, 30, vec![page(0..7, true)], 7, 1),
        (Asked::SearxngNews, 100, vec![page(0..10, true), page(10..20, true), page(20..21, true)], 21, 3),
        (Asked::BraveWeb, 10, vec![page(0..10, true)], 10, 1),
        (Asked::BraveWeb, 30, vec![page(0..20, true), page(20..40, true)], 40, 2),
        (Asked::BraveWeb, 30, vec![page(0..20, false)], 20, 1),
        (Asked::BraveNews, 60, vec![page(0..50, true), page(50..51, true)], 51, 2),
        (Asked::BraveNews, 60, vec![page(0..49, true)], 49, 1),
    ] {
        let upstream = Upstream::start_replies(pages.iter().map(|page| Reply::json(200, page))).unwrap();
        let mut query = query("cod");
        query.limit = wanted;
        let found = asked.ask(&upstream.url(), &query).await.unwrap();
        assert_eq!((found.hits.len(), upstream.count()), (hits, requests), "{asked:?} {wanted}");
    }
}

#[tokio::test]
async fn a_later_page_that_fails_leaves_the_hits_of_those_before() {
    for asked in [Asked::SearxngWeb, Asked::BraveWeb] {
        let replies = [Reply::json(200, &page(0..20, true)), Reply::whole(500, "text/plain", "no")];
        let upstream = Upstream::start_replies(replies).unwrap();
        let mut query = query("cod");
        query.limit = 50;
        assert_eq!(asked.ask(&upstream.url(), &query).await.unwrap().hits.len(), 20, "{asked:?}");
    }
}
