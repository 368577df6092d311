//! Manners: robots.txt, waits that sites ask for, one request for many who ask, answers that are used again.

use std::time::Duration;

use futures_util::future::join_all;
use shared_core::DomainError as _;
use testkit::upstream::{Reply, Upstream};
use tokio::sync::watch;
use utilities_core::web::FetchPurpose;

use crate::kit::{Kit, always, page, site, to};

fn asked(site: &Upstream, path: &str) -> usize {
    site.requests().iter().filter(|request| request.path == path).count()
}

#[tokio::test]
async fn robots_are_asked_once_before_pages_and_documents_and_obeyed() {
    let kit = Kit::with(|settings| settings.robots = true);
    let site = site(|path| match path {
        "/robots.txt" => {
            Reply::whole(200, "text/plain", "User-agent: Formwork\nDisallow: /private\nDisallow: /*?q=")
        }
        "/moved" => to("/private/b"),
        _ => page("open"),
    });
    let url = |path: &str| format!("{}{path}", site.url());
    assert_eq!(kit.text(&url("/a")).await, "open");
    for path in ["/private", "/private/x", "/search?q=1", "/moved"] {
        assert_eq!(kit.fails(&url(path)).await, "fetch_robots", "{path}");
    }
    assert!(kit.get_for("w", &url("/private/d.pdf"), FetchPurpose::Document).await.is_err());
    assert!(kit.get_for("w", &url("/private/i.png"), FetchPurpose::Image).await.is_ok());
    assert_eq!(
        (asked(&site, "/robots.txt"), asked(&site, "/private/x"), asked(&site, "/private/b")),
        (1, 0, 0)
    );
}

#[tokio::test]
async fn robots_that_cannot_be_had_forbid_nothing_and_switched_off_they_are_not_asked() {
    let broken = [
        Reply::whole(404, "text/plain", "User-agent: *\nDisallow: /"),
        Reply::whole(500, "text/plain", ""),
        to("http://169.254.169.254/"),
        to("/robots.txt"),
        Reply::whole(200, "text/plain", "x".repeat(600_000)),
        Reply::whole_with(200, &[("content-encoding", "gzip")], "no gzip"),
        Reply::raw().close(),
    ];
    for reply in broken {
        let kit = Kit::with(|settings| settings.robots = true);
        let site = site(move |path| if path == "/robots.txt" { reply.clone() } else { page("open") });
        assert_eq!(kit.text(&format!("{}/a", site.url())).await, "open");
    }
    let kit = Kit::new();
    let site = always(page("User-agent: *\nDisallow: /"));
    kit.text(&format!("{}/a", site.url())).await;
    assert_eq!(asked(&site, "/robots.txt"), 0);
}

#[tokio::test]
async fn a_site_that_asks_to_be_left_alone_is_not_asked_again_for_so_long() {
    let kit = Kit::new();
    for status in [429, 503] {
        let site = always(Reply::whole_with(status, &[("retry-after", "120")], ""));
        let error = kit.get(&format!("{}/a", site.url())).await.unwrap_err();
        assert_eq!((error.code(), error.retry_after()), ("fetch_status", Some(120)));
        let error = kit.get(&format!("{}/b", site.url())).await.unwrap_err();
        assert_eq!(error.code(), "fetch_busy");
        assert!(error.retry_after().is_some_and(|wait| (100..=121).contains(&wait)), "{error:?}");
        assert_eq!(site.count(), 1);
    }
}

#[tokio::test]
async fn many_who_ask_for_the_same_get_one_answer() {
    let (open, gate) = watch::channel(false);
    let site = Upstream::start(move |_| Reply::raw().until(gate.clone()).followed_by(page("once"))).unwrap();
    let kit = Kit::new();
    let url = site.url();
    let all = join_all((0..20).map(|_| kit.text(&url)));
    let release = async {
        site.wait_for_requests(1).await;
        open.send_replace(true);
    };
    let (texts, ()) = futures_util::future::join(all, release).await;
    assert!(texts.iter().all(|text| text == "once") && site.count() == 1, "{}", site.count());
}

#[tokio::test]
async fn who_gives_up_takes_nothing_from_those_who_still_wait() {
    let (open, gate) = watch::channel(false);
    let site = Upstream::start(move |_| Reply::raw().until(gate.clone()).followed_by(page("once"))).unwrap();
    let kit = Kit::new();
    let url = site.url();
    let first = kit.get(&url);
    let begun = futures_util::future::select(Box::pin(first), Box::pin(site.wait_for_requests(1))).await;
    let second = kit.get(&url);
    let give_up = async {
        drop(begun);
        open.send_replace(true);
    };
    let (got, ()) = futures_util::future::join(second, give_up).await;
    assert_eq!((got.unwrap().bytes, site.count()), (4, 1));
}

#[tokio::test]
async fn an_answer_is_used_again_in_its_workspace_as_long_as_the_site_allows() {
    let kit = Kit::with(|settings| settings.keep = Duration::from_secs(60));
    let site = site(|path| match path {
        "/plain" => page("x"),
        "/large" => page(&"x".repeat(300_000)),
        "/never" => Reply::whole_with(200, &[("cache-control", "no-store")], "x"),
        "/stale" => Reply::whole_with(200, &[("cache-control", "max-age=0")], "x"),
        _ => Reply::whole(404, "text/plain", ""),
    });
    let url = |path: &str| format!("{}{path}", site.url());
    for (path, count) in [("/plain", 1), ("/large", 1), ("/never", 3), ("/stale", 3), ("/gone", 1)] {
        for _ in 0..3 {
            let _ = kit.get(&url(path)).await;
        }
        assert_eq!(asked(&site, path), count, "{path}");
    }
    assert_eq!(kit.files(), 1, "the large one is kept");
    kit.get_for("other", &url("/plain"), FetchPurpose::Page).await.unwrap();
    assert_eq!(asked(&site, "/plain"), 2, "another workspace asks for itself");
    kit.get(&url("/plain#part")).await.unwrap();
    assert_eq!(asked(&site, "/plain"), 2, "a fragment is no other address");
}

#[tokio::test]
async fn what_is_kept_has_a_bound() {
    let kit = Kit::with(|settings| {
        settings.keep = Duration::from_secs(60);
        settings.keep_bytes = 1_000_000;
    });
    let site = site(|path| page(&"x".repeat(if path == "/huge" { 400_000 } else { 200_000 })));
    for path in (0..10).map(|n| format!("/{n}")).chain(["/huge".to_owned()]) {
        kit.get(&format!("{}{path}", site.url())).await.unwrap();
    }
    assert!((1..=4).contains(&kit.files()), "{}", kit.files());
}

#[tokio::test]
async fn a_page_that_was_read_as_a_document_is_not_asked_for_again_unless_it_is_too_large_for_one() {
    let kit = Kit::with(|settings| {
        settings.keep = Duration::from_secs(60);
        settings.page_bytes = 1_000;
    });
    let site = site(|path| page(&"x".repeat(if path == "/long" { 2_000 } else { 10 })));
    let url = |path: &str| format!("{}{path}", site.url());
    for (first, second, path) in [
        (FetchPurpose::Page, FetchPurpose::Document, "/one"),
        (FetchPurpose::Document, FetchPurpose::Page, "/two"),
    ] {
        kit.get_for("w", &url(path), first).await.unwrap();
        kit.get_for("w", &url(path), second).await.unwrap();
        assert_eq!(asked(&site, path), 1, "{path}");
        kit.get_for("w", &url(path), FetchPurpose::Image).await.unwrap();
        assert_eq!(asked(&site, path), 2, "a picture is asked for in another way");
    }
    kit.get_for("w", &url("/long"), FetchPurpose::Document).await.unwrap();
    assert_eq!(kit.fails(&url("/long")).await, "fetch_too_large");
    kit.get_for("w", &url("/long"), FetchPurpose::Document).await.unwrap();
    assert_eq!(asked(&site, "/long"), 2, "the failure of the page is not that of the document");
}
