//! Redirects: followed where they lead to what may be fetched, five at the most.

use std::net::Ipv4Addr;

use testkit::ForbiddenListener;
use testkit::upstream::Reply;

use crate::kit::{Kit, page, port, site, to};

#[tokio::test]
async fn redirects_of_every_status_and_form_are_followed() {
    let kit = Kit::new();
    let site = site(|path| match path {
        "/end/?x=1" => page("here"),
        _ => {
            let (status, form) = path.trim_start_matches('/').split_once('/').unwrap();
            let location = match form {
                "path" => "/end/?x=1",
                "relative" => "../end/?x=1#part",
                _ => form,
            };
            let location = location.replace('!', "/");
            Reply::whole_with(status.parse().unwrap(), &[("location", location.as_str())], "")
        }
    });
    let port = port(&site);
    for status in [301, 302, 303, 307, 308] {
        for form in ["path".to_owned(), "relative".to_owned(), format!("!!site.example:{port}!end!?x=1")] {
            let url = format!("{}/{status}/{form}", site.url());
            let fetched = kit.get(&url).await.unwrap_or_else(|error| panic!("{url}: {error:?}"));
            assert!(fetched.url.ends_with(&format!(":{port}/end/?x=1")), "{}", fetched.url);
            assert_eq!((fetched.bytes, fetched.name.as_str()), (4, "end"));
        }
    }
}

#[tokio::test]
async fn five_redirects_are_followed_and_six_are_not() {
    let kit = Kit::new();
    let site = site(|path| match path.trim_start_matches('/').parse::<u32>().unwrap() {
        0 => page("here"),
        left => to(&format!("/{}", left - 1)),
    });
    assert_eq!(kit.text(&format!("{}/5", site.url())).await, "here");
    assert_eq!(kit.fails(&format!("{}/6", site.url())).await, "fetch_redirects");
    assert_eq!(site.count(), 6 + 6, "the seventh request is not made");
}

#[tokio::test]
async fn redirects_that_lead_nowhere_are_told() {
    let kit = Kit::new();
    let site = site(|path| match path {
        "/missing" => Reply::whole(302, "text/html", ""),
        "/same" => to("/same"),
        "/one" => to("/two"),
        "/two" => to("/one"),
        "/long" => to(&format!("/{}", "x".repeat(10_000))),
        "/bytes" => {
            Reply::raw().write(&b"HTTP/1.1 302 Found\r\nLocation: /\xff\xfe\r\nContent-Length: 0\r\n\r\n"[..])
        }
        _ => page("here"),
    });
    for path in ["/missing", "/same", "/one", "/long", "/bytes"] {
        assert_eq!(kit.fails(&format!("{}{path}", site.url())).await, "fetch_redirects", "{path}");
    }
}

#[tokio::test]
async fn redirects_to_what_is_not_fetched_are_refused_before_anything_is_sent() {
    let kit = Kit::new();
    let trap = ForbiddenListener::bind(Ipv4Addr::new(127, 0, 0, 2).into(), 0).unwrap();
    let inner = trap.address().port();
    for name in ["inner.example", "127.0.0.2.nip.io"] {
        kit.names.set(name, &[&["127.0.0.2"]]);
    }
    let targets = [
        trap.url(),
        format!("//127.0.0.2:{inner}/"),
        format!("http://2130706434:{inner}/"),
        format!("http://0x7f.2:{inner}/"),
        format!("http://0177.0.0.2:{inner}/"),
        format!("http://[::ffff:127.0.0.2]:{inner}/"),
        format!("http://inner.example:{inner}/"),
        format!("http://127.0.0.1@127.0.0.2:{inner}/"),
        format!("http://user:secret@site.example:{inner}/"),
        format!("\\\\127.0.0.2:{inner}\\"),
        format!("http://127.0.0.2.nip.io:{inner}/"),
        "file:///etc/passwd".to_owned(),
        "gopher://127.0.0.1:70/_x".to_owned(),
        "javascript:alert(1)".to_owned(),
        "http://169.254.169.254/latest/meta-data".to_owned(),
        "http://metadata.google.internal/".to_owned(),
        "http://[fd00:ec2::254]/".to_owned(),
        "http://[64:ff9b::7f00:2]/".to_owned(),
    ];
    for target in targets {
        let location = target.clone();
        let site = site(move |_| to(&location));
        assert_eq!(kit.fails(&site.url()).await, "fetch_denied", "{target}");
        assert_eq!(site.count(), 1, "{target}");
    }
    assert!(trap.is_unused());
}

#[tokio::test]
async fn nothing_that_a_site_sets_is_sent_to_another() {
    let kit = Kit::new();
    let other = site(|_| page("there"));
    let location = format!("http://site.example:{}/x", port(&other));
    let first = site(move |_| {
        let cookie = ("set-cookie", "id=1; Domain=example; Path=/");
        Reply::whole_with(302, &[("location", location.as_str()), cookie], "")
    });
    assert_eq!(kit.text(&format!("{}/secret?token=1", first.url())).await, "there");
    for request in first.requests().iter().chain(&other.requests()) {
        for name in ["cookie", "referer", "authorization", "origin", "proxy-authorization"] {
            assert_eq!(request.header(name), None, "{name}");
        }
        assert!(request.header("user-agent").unwrap().starts_with("Formwork/"));
    }
}
