//! Asking a site whether an answer of before still holds.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use testkit::upstream::{ReceivedRequest, Reply, Upstream};
use utilities_core::web::FetchPurpose;

use crate::kit::{Kit, to};

const MODIFIED: &str = "Thu, 01 Jan 2026 00:00:00 GMT";

fn kit() -> Kit {
    Kit::with(|settings| settings.keep = Duration::from_secs(60))
}

/// A site whose answers are stale at once and are what they were for those who know the mark of it.
fn marked(
    headers: &'static [(&'static str, &'static str)],
    asks: &'static str,
    mark: &'static str,
) -> Upstream {
    Upstream::start(move |request: &ReceivedRequest| {
        if request.path != "/a" {
            return Reply::whole(404, "text/plain", "");
        }
        match request.header(asks) {
            Some(known) if known == mark => Reply::whole_with(304, headers, ""),
            _ => Reply::whole_with(200, headers, "High water is at noon."),
        }
    })
    .unwrap()
}

#[tokio::test]
async fn a_stale_answer_that_still_holds_is_not_sent_again() {
    let tag = marked(&[("cache-control", "no-cache"), ("etag", "W/\"7\"")], "if-none-match", "W/\"7\"");
    let modified =
        marked(&[("cache-control", "max-age=0"), ("last-modified", MODIFIED)], "if-modified-since", MODIFIED);
    for site in [tag, modified] {
        let (kit, url) = (kit(), format!("{}/a", site.url()));
        let first = kit.get(&url).await.unwrap();
        for _ in 0..2 {
            let again = kit.get(&url).await.unwrap();
            assert_eq!((&again.sha256, again.bytes), (&first.sha256, first.bytes));
            assert_eq!(kit.text(&url).await, "High water is at noon.");
        }
        assert_eq!(site.count(), 5, "a site that wants to be asked is asked each time");
        assert!(site.requests()[0].header("if-none-match").is_none());
        assert!(site.requests()[0].header("if-modified-since").is_none());
    }
}

#[tokio::test]
async fn an_answer_that_was_confirmed_is_fresh_for_as_long_as_the_site_says_then() {
    let site = Upstream::start(|request| match request.header("if-none-match") {
        Some(_) => Reply::whole_with(304, &[("cache-control", "max-age=50")], ""),
        None => Reply::whole_with(200, &[("cache-control", "max-age=0"), ("etag", "\"1\"")], "x"),
    });
    let (kit, site) = (kit(), site.unwrap());
    for count in [1, 2, 2, 2] {
        assert_eq!(kit.text(&site.url()).await, "x");
        assert_eq!(site.count(), count);
    }
}

#[tokio::test]
async fn an_answer_that_changed_takes_the_place_of_the_one_before() {
    let number = AtomicUsize::new(0);
    let site = Upstream::start(move |request| {
        let (number, known) = (number.fetch_add(1, Ordering::SeqCst), request.header("if-none-match"));
        let tag = format!("\"{number}\"");
        match known {
            // The third answer confirms the second.
            Some("\"1\"") => Reply::whole_with(304, &[], ""),
            _ => Reply::whole_with(
                200,
                &[("cache-control", "no-cache"), ("etag", &tag)],
                format!("text {number}"),
            ),
        }
    });
    let (kit, site) = (kit(), site.unwrap());
    for text in ["text 0", "text 1", "text 1", "text 1"] {
        assert_eq!(kit.text(&site.url()).await, text);
    }
    assert_eq!(site.count(), 4);
}

#[tokio::test]
async fn nothing_is_told_to_another_address_than_the_one_that_the_answer_came_from() {
    let other = marked(&[("cache-control", "no-cache"), ("etag", "\"7\"")], "if-none-match", "\"7\"");
    let target = format!("{}/a", other.url());
    let site = Upstream::start(move |_| to(&target)).unwrap();
    let kit = kit();
    for _ in 0..2 {
        assert_eq!(kit.text(&site.url()).await, "High water is at noon.");
    }
    assert!(site.requests().iter().all(|request| request.header("if-none-match").is_none()));
    assert_eq!(other.requests()[1].header("if-none-match"), Some("\"7\""));
}

#[tokio::test]
async fn what_confirms_nothing_is_an_error_and_what_is_not_to_be_stored_is_not() {
    let site = Upstream::start(|_| Reply::whole_with(304, &[("etag", "\"1\"")], "")).unwrap();
    let error = kit().get(&site.url()).await.unwrap_err();
    assert_eq!(error.to_string(), "the site answered with status 304");

    let private = [("cache-control", "no-store"), ("etag", "\"1\"")];
    let site = Upstream::start(move |_| Reply::whole_with(200, &private, "x")).unwrap();
    let kit = kit();
    for _ in 0..2 {
        kit.get(&site.url()).await.unwrap();
    }
    assert!(site.requests()[1].header("if-none-match").is_none());

    let never = Kit::new();
    let site = marked(&[("etag", "\"1\"")], "if-none-match", "\"1\"");
    for _ in 0..2 {
        never.get(&format!("{}/a", site.url())).await.unwrap();
    }
    assert!(site.requests()[1].header("if-none-match").is_none(), "nothing is kept where that is set");
}

#[tokio::test]
async fn a_workspace_and_a_use_have_answers_of_their_own_and_all_together_a_bound() {
    let site = marked(&[("cache-control", "no-cache"), ("etag", "\"7\"")], "if-none-match", "\"7\"");
    let (first, url) = (kit(), format!("{}/a", site.url()));
    for (workspace, wants) in
        [("w", FetchPurpose::Page), ("other", FetchPurpose::Page), ("w", FetchPurpose::Image)]
    {
        first.get_for(workspace, &url, wants).await.unwrap();
    }
    assert!(site.requests().iter().all(|request| request.header("if-none-match").is_none()));

    let large = "x".repeat(200_000);
    let headers = [("cache-control", "no-cache"), ("etag", "\"1\"")];
    let site = Upstream::start(move |_| Reply::whole_with(200, &headers, large.clone())).unwrap();
    let kit = Kit::with(|settings| {
        settings.keep = Duration::from_secs(60);
        settings.keep_bytes = 1_000_000;
    });
    for number in 0..10 {
        kit.get(&format!("{}/{number}", site.url())).await.unwrap();
    }
    assert!((1..=4).contains(&kit.files()), "{}", kit.files());
}
