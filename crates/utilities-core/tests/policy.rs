//! What may be fetched and what may not, over lists of URLs and over names with all kinds of addresses.
#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests assert, too")]

use std::net::IpAddr;
use std::path::Path;

use shared_core::DomainError as _;
use utilities_core::web::{
    AddressClass, AllowList, FetchError, FetchPolicy, MAX_URL, Reach, Target, classify_address,
};

fn refused(policy: &FetchPolicy, url: &str) -> String {
    match policy.target(url) {
        Ok(target) => panic!("{url} was taken as {}", target.url()),
        Err(error @ (FetchError::InvalidUrl(_) | FetchError::Denied(_))) => error.code().to_owned(),
        Err(error) => panic!("{url}: {error}"),
    }
}

fn allowing(entries: &[&str]) -> FetchPolicy {
    FetchPolicy { allow: AllowList::parse(entries.iter().copied()).unwrap(), ..FetchPolicy::default() }
}

fn target(policy: &FetchPolicy, url: &str) -> Target {
    policy.target(url).unwrap_or_else(|error| panic!("{url}: {error}"))
}

#[test]
fn every_url_of_the_denied_list_is_refused() {
    let policy = FetchPolicy::default();
    let list = include_str!("data/denied_urls.txt");
    let urls: Vec<&str> = list.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(urls.len() > 60);
    for url in urls {
        refused(&policy, url);
    }
}

#[test]
fn every_url_of_the_hostile_corpus_is_refused() {
    // Tests alone read the environment themselves.
    #[allow(
        clippy::disallowed_methods,
        reason = "the folder of the corpus is named by whoever runs the tests"
    )]
    let Ok(corpus) = std::env::var("FORMWORK_CORPUS") else {
        println!("not run: FORMWORK_CORPUS names no corpus");
        return;
    };
    let list = std::fs::read_to_string(Path::new(&corpus).join("hostile/denied_urls.txt")).unwrap();
    let policy = FetchPolicy::default();
    assert!(list.lines().count() > 30);
    for url in list.lines() {
        refused(&policy, url);
        // What stands for a control character in the list.
        refused(&policy, &url.replace("\\t", "\t"));
    }
}

#[test]
fn addresses_of_the_web_are_taken_without_their_fragment() {
    let policy = FetchPolicy::default();
    for (url, taken) in [
        ("https://example.com", "https://example.com/"),
        (" http://example.com:8080/a?b=c@d#e@f ", "http://example.com:8080/a?b=c@d"),
        ("HTTPS://EXAMPLE.com:443/%7Ea", "https://example.com/%7Ea"),
        ("https://example.com?mail=a@b.example", "https://example.com/?mail=a@b.example"),
        ("https://münchen.example/ü", "https://xn--mnchen-3ya.example/%C3%BC"),
        ("http://8.8.8.8/", "http://8.8.8.8/"),
        ("https://[2606:4700::1111]:8443/", "https://[2606:4700::1111]:8443/"),
        ("https://example.com./", "https://example.com./"),
    ] {
        let target = target(&policy, url);
        assert_eq!((target.url().as_str(), target.reach()), (taken, Reach::Public));
    }
    let long = format!("https://example.com/{}", "a".repeat(MAX_URL));
    assert_eq!(refused(&policy, &long), "invalid_url");
}

#[test]
fn refusals_tell_a_bad_url_from_one_that_is_not_allowed() {
    let policy = FetchPolicy::default();
    for url in
        ["http:///x", "https://exam ple.com", "https://[::1/", "http://a.example:99999/", "example.com"]
    {
        assert_eq!(refused(&policy, url), "invalid_url", "{url}");
    }
    for url in ["ftp://example.com/", "http://a@example.com/", "http://10.0.0.1/", "http://example.com:22/"] {
        assert_eq!(refused(&policy, url), "fetch_denied", "{url}");
    }
}

#[test]
fn what_is_listed_is_taken_on_any_port_and_the_rest_is_not() {
    let policy = allowing(&["127.0.0.1", "10.0.0.0/8", "wiki.internal", "*.corp.example"]);
    for (url, reach) in [
        ("http://127.0.0.1:9999/", Reach::Listed),
        ("http://[::ffff:127.0.0.1]:9999/", Reach::Listed),
        ("http://10.9.8.7:1/", Reach::Listed),
        ("http://localhost:3000/", Reach::Listed),
        ("http://printer/", Reach::Listed),
        ("http://example.com:9999/", Reach::Listed),
        ("http://WIKI.internal.:9999/", Reach::Named),
        ("http://a.corp.example:22/", Reach::Named),
        ("http://example.com/", Reach::Public),
    ] {
        assert_eq!(target(&policy, url).reach(), reach, "{url}");
    }
    for url in
        ["http://127.0.0.2/", "http://[::1]/", "http://11.0.0.1:9999/", "http://metadata.google.internal/"]
    {
        refused(&policy, url);
    }
}

#[test]
fn no_allow_list_reaches_a_metadata_service() {
    let everything = allowing(&[
        "0.0.0.0/0",
        "::/0",
        "metadata.google.internal",
        "*.internal",
        "*.io",
        "169.254.169.254",
        "rebound.example",
    ]);
    for url in [
        "http://169.254.169.254/",
        "http://[::ffff:a9fe:a9fe]/",
        "http://168.63.129.16/",
        "http://100.100.100.200/",
        "http://192.0.0.192/",
        "http://[fd00:ec2::254]/",
        "http://metadata.google.internal/",
        "http://2852039166/",
        "http://[64:ff9b::a9fe:a9fe]/",
        "http://[2002:a9fe:a9fe::]/",
        "http://169.254.169.254.nip.io/",
    ] {
        refused(&everything, url);
    }
    let addresses = ["169.254.169.254".parse().unwrap()];
    for reach in [Reach::Public, Reach::Listed, Reach::Named] {
        assert!(everything.admit("rebound.example", reach, &addresses).is_err());
    }
}

#[test]
fn one_denied_address_spoils_an_answer() {
    let policy = allowing(&["10.0.0.0/8", "named.example"]);
    let admitted = |host: &str, reach, addresses: &[&str]| {
        let addresses: Vec<IpAddr> = addresses.iter().map(|text| text.parse().unwrap()).collect();
        policy.admit(host, reach, &addresses).is_ok()
    };
    assert!(admitted("a.example", Reach::Public, &["8.8.8.8", "2606:4700::1111"]));
    assert!(admitted("a.example", Reach::Public, &["8.8.8.8", "10.0.0.1"]));
    assert!(!admitted("a.example", Reach::Public, &["8.8.8.8", "127.0.0.1"]));
    assert!(!admitted("a.example", Reach::Public, &["::ffff:127.0.0.1", "8.8.8.8"]));
    assert!(admitted("a.example", Reach::Listed, &["10.0.0.1", "10.0.0.2"]));
    assert!(!admitted("a.example", Reach::Listed, &["10.0.0.1", "8.8.8.8"]));
    assert!(admitted("named.example", Reach::Named, &["127.0.0.1", "192.168.1.1", "8.8.8.8"]));
    assert!(admitted("NAMED.example.", Reach::Public, &["127.0.0.1"]));
    assert!(!admitted("named.example", Reach::Named, &["192.168.1.1", "169.254.0.1"]));
}

#[test]
fn the_machines_own_names_have_the_listed_addresses_alone() {
    let own = |entries: &[&str], host: &str| {
        let addresses = allowing(entries).own_addresses(host);
        addresses.map(|all| all.iter().map(IpAddr::to_string).collect::<Vec<_>>())
    };
    assert_eq!(own(&[], "localhost"), Some(vec![]));
    assert_eq!(own(&["127.0.0.1"], "a.LOCALHOST."), Some(vec!["127.0.0.1".to_owned()]));
    assert_eq!(own(&["localhost"], "localhost"), Some(vec!["127.0.0.1".to_owned(), "::1".to_owned()]));
    assert_eq!(own(&["127.0.0.1"], "example.com"), None);
    let policy = allowing(&["10.0.0.0/8", "127.0.0.2"]);
    for url in ["http://localhost/", "http://LOCALHOST.:80/", "http://a.localhost/"] {
        assert_eq!(refused(&policy, url), "fetch_denied", "{url}: none of its addresses is listed");
    }
}

#[test]
fn redirects_are_held_to_the_same_rules() {
    let policy = FetchPolicy::default();
    let from = target(&policy, "https://example.com/a/b?c");
    for (location, to) in [
        ("d", "https://example.com/a/d"),
        ("/d", "https://example.com/d"),
        ("?d", "https://example.com/a/b?d"),
        ("//other.example/x", "https://other.example/x"),
        ("http://other.example/x#y", "http://other.example/x"),
        ("", "https://example.com/a/b?c"),
        ("\\\\other.example\\x", "https://other.example/x"),
    ] {
        assert_eq!(policy.redirect_target(&from, location).unwrap().url().as_str(), to, "{location}");
    }
    let long = format!("/{}", "a".repeat(MAX_URL));
    for location in [
        "file:///etc/passwd",
        "//127.0.0.1/",
        "http://2130706433/",
        "//user@example.com/",
        "https://:x@example.com/",
        "http://[::1]/",
        "//localhost",
        "\\\\10.0.0.1",
        "ftp://example.com",
        "javascript:alert(1)",
        "//example.com:22/",
        "http://169.254.169.254/latest",
        "//[::ffff:7f00:1]/",
        &long,
    ] {
        assert!(policy.redirect_target(&from, location).is_err(), "{location}");
    }
}

#[test]
fn whatever_a_url_is_made_of_its_host_is_public_or_it_is_refused() {
    const PIECES: &[&str] = &[
        "http",
        "https",
        ":",
        "//",
        "/",
        "\\",
        "@",
        "#",
        "?",
        ".",
        "127",
        "0",
        "1",
        "10",
        "0x7f",
        "0177",
        "[",
        "]",
        "::1",
        "::ffff:",
        "localhost",
        "example",
        "com",
        "internal",
        "%31",
        "%2e",
        "%00",
        "①",
        "。",
        "-",
        "169.254",
        "80",
        " ",
        "\t",
        "nip.io",
        "xn--",
        "ß",
        "\u{202e}",
        "\u{ad}",
        "2130706433",
        "fe80::1%25eth0",
    ];
    // Numerical Recipes' linear congruential generator: the same URLs in every run.
    let mut state = 5_u32;
    let mut random = |below: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % below
    };
    let policy = FetchPolicy::default();
    let mut taken = 0;
    for _ in 0..200_000 {
        let start = ["http://", "https://", "HTTP:", ""][random(4)];
        let count = 1 + random(9);
        let url = (0..count).fold(start.to_owned(), |url, _| url + PIECES[random(PIECES.len())]);
        let Ok(target) = policy.target(&url) else { continue };
        taken += 1;
        let parsed = target.url();
        assert!(matches!(parsed.scheme(), "http" | "https") && parsed.username().is_empty(), "{url}");
        assert!([80, 443, 8080, 8443].contains(&parsed.port_or_known_default().unwrap()), "{url}");
        match parsed.host().unwrap() {
            url::Host::Ipv4(address) => {
                assert_eq!(classify_address(address.into()), AddressClass::Public, "{url}")
            }
            url::Host::Ipv6(address) => {
                assert_eq!(classify_address(address.into()), AddressClass::Public, "{url}")
            }
            url::Host::Domain(name) => {
                assert!(
                    name.trim_end_matches('.').contains('.')
                        && !name.trim_end_matches('.').ends_with(".localhost"),
                    "{url}: {name}"
                );
            }
        }
        // What is fetched is decided in the same way again.
        assert_eq!(policy.target(parsed.as_str()).ok().as_ref(), Some(&target), "{url}");
    }
    assert!(taken > 1_000, "{taken}");
}
