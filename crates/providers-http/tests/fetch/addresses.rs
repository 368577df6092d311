//! Which addresses are connected to: those that were checked, and no others.

use std::net::Ipv4Addr;

use testkit::ForbiddenListener;
use testkit::upstream::Reply;
use utilities_core::web::{AllowList, FetchPurpose};

use crate::kit::{Kit, always, page, port, site, to};

fn trap(port: u16) -> ForbiddenListener {
    ForbiddenListener::bind(Ipv4Addr::new(127, 0, 0, 2).into(), port).unwrap()
}

#[tokio::test]
async fn a_name_that_is_rebound_between_two_requests_is_denied_at_the_second() {
    let site = always(page("first").close());
    let trap = trap(port(&site));
    let kit = Kit::new();
    kit.names.set("turn.example", &[&["127.0.0.1"], &["127.0.0.2"]]);
    let url = format!("http://turn.example:{}/", port(&site));
    assert_eq!(kit.text(&url).await, "first");
    site.wait_for_closed(1).await;
    assert_eq!(kit.fails(&url).await, "fetch_denied");
    assert!(trap.is_unused());
}

#[tokio::test]
async fn a_name_that_is_rebound_between_check_and_connection_is_connected_to_as_checked() {
    let site = always(page("checked"));
    let trap = trap(port(&site));
    let kit = Kit::new();
    // Whoever resolved a second time would get the other address.
    kit.names.set("turn.example", &[&["127.0.0.1"], &["127.0.0.2"]]);
    assert_eq!(kit.text(&format!("http://turn.example:{}/", port(&site))).await, "checked");
    assert_eq!(kit.names.asked.lock().len(), 1, "it is resolved once");
    assert!(trap.is_unused());
}

#[tokio::test]
async fn a_redirect_to_a_name_that_was_rebound_is_denied() {
    let kit = Kit::new();
    let site = site(|_| to("http://turn.example/"));
    kit.names.set("turn.example", &[&["127.0.0.2"]]);
    assert_eq!(kit.fails(&site.url()).await, "fetch_denied");
}

#[tokio::test]
async fn an_answer_that_mixes_addresses_is_denied_whole() {
    let site = always(page("no"));
    let trap = trap(port(&site));
    let kit = Kit::new();
    for (name, addresses) in [
        ("first.example", ["127.0.0.1", "127.0.0.2"]),
        ("last.example", ["127.0.0.2", "127.0.0.1"]),
        ("six.example", ["127.0.0.1", "::ffff:127.0.0.2"]),
        ("meta.example", ["127.0.0.1", "169.254.169.254"]),
        ("public.example", ["93.184.215.14", "127.0.0.2"]),
    ] {
        kit.names.set(name, &[&addresses]);
        assert_eq!(kit.fails(&format!("http://{name}:{}/", port(&site))).await, "fetch_denied", "{name}");
    }
    assert!(trap.is_unused() && site.count() == 0);
}

#[tokio::test]
async fn literals_in_every_notation_are_denied_before_anything_is_sent() {
    let trap = trap(0);
    let kit = Kit::new();
    let inner = trap.address().port();
    for host in [
        "127.0.0.2",
        "2130706434",
        "0x7f000002",
        "0177.0.0.2",
        "127.2",
        "①②⑦.⓪.⓪.②",
        "[::ffff:7f00:2]",
        "[::127.0.0.2]",
    ] {
        assert_eq!(kit.fails(&format!("http://{host}:{inner}/")).await, "fetch_denied", "{host}");
    }
    assert!(trap.is_unused() && kit.names.asked.lock().is_empty());
}

#[tokio::test]
async fn a_host_that_is_allowed_by_name_reaches_the_inside_but_no_metadata() {
    let site = always(page("wiki"));
    let kit = Kit::with(|settings| settings.policy.allow = AllowList::parse(["wiki.internal"]).unwrap());
    let url = format!("http://wiki.internal:{}/", port(&site));
    kit.names.set("wiki.internal", &[&["127.0.0.1"]]);
    assert_eq!(kit.text(&url).await, "wiki");
    kit.names.set("wiki.internal", &[&["169.254.169.254"]]);
    assert_eq!(kit.fails("http://wiki.internal/").await, "fetch_denied");
    assert_eq!(kit.fails(&site.url()).await, "fetch_denied", "its address alone is not allowed");
}

#[tokio::test]
async fn the_machines_own_name_is_asked_of_no_resolver() {
    let site = always(page("own"));
    let kit = Kit::new();
    kit.names.set("localhost", &[&["127.0.0.2"]]);
    assert_eq!(kit.text(&format!("http://localhost:{}/", port(&site))).await, "own");
    assert!(kit.names.asked.lock().is_empty());
}

#[tokio::test]
async fn a_name_without_addresses_or_with_far_too_many_is_told_as_unknown() {
    let kit = Kit::new();
    kit.names.set("empty.example", &[&[]]);
    let many = vec!["127.0.0.1"; 1_000];
    kit.names.set("many.example", &[&many]);
    for name in ["none.example", "empty.example", "many.example"] {
        assert_eq!(kit.fails(&format!("http://{name}/")).await, "fetch_failed", "{name}");
    }
}

#[tokio::test]
async fn odd_ports_are_for_what_is_listed() {
    let site = always(Reply::whole(200, "text/plain", "x"));
    let kit = Kit::with(|settings| settings.policy.allow = AllowList::default());
    let url = format!("http://93.184.215.14:{}/", port(&site));
    assert_eq!(kit.fails(&url).await, "fetch_denied");
    let named = Kit::new();
    named.names.set("public.example", &[&["93.184.215.14"]]);
    let url = format!("http://public.example:{}/", port(&site));
    assert_eq!(named.fails(&url).await, "fetch_denied");
    assert!(named.get_for("w", &site.url(), FetchPurpose::Image).await.is_ok());
}
