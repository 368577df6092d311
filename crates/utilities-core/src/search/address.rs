//! URLs of hits: cleans them, and computes a key to deduplicate pages.

use url::Url;

/// Maximum characters of a URL. Bounds the memory.
const LONGEST: usize = 4_096;
/// Maximum redirect wrappers that are unwrapped: one may contain the next. Bounds the time. Chosen by hand;
/// no measurement is recorded.
const WRAPPINGS: usize = 3;

/// Tracking parameters: they describe where the reader came from, not the page.
const TRACKING: [&str; 26] = [
    "fbclid",
    "gclid",
    "gclsrc",
    "dclid",
    "gbraid",
    "wbraid",
    "msclkid",
    "yclid",
    "twclid",
    "ttclid",
    "igshid",
    "igsh",
    "mc_cid",
    "mc_eid",
    "mkt_tok",
    "_ga",
    "_gl",
    "_hsenc",
    "_hsmi",
    "vero_id",
    "oly_anon_id",
    "oly_enc_id",
    "s_cid",
    "cmpid",
    "ocid",
    "ref_src",
];

/// The URL for the answer: http or https with a host and without user information, unwrapped from the
/// redirects of search engines, without tracking parameters. `None` when there is no such URL.
pub(super) fn clean_url(address: &str) -> Option<Url> {
    let mut url = usable(address)?;
    for _ in 0..WRAPPINGS {
        match unwrap_redirect(&url).as_deref().and_then(usable) {
            Some(inner) => url = inner,
            None => break,
        }
    }
    if url.query().is_some() {
        let kept: Vec<(String, String)> = url
            .query_pairs()
            .filter(|(name, _)| !is_tracking(name))
            .map(|(name, value)| (name.into_owned(), value.into_owned()))
            .collect();
        if kept.is_empty() {
            url.set_query(None);
        } else if kept.len() < url.query_pairs().count() {
            // Only if a parameter was removed: serializing a query anew may change its escapes.
            url.query_pairs_mut().clear().extend_pairs(kept);
        }
    }
    Some(url)
}

fn usable(address: &str) -> Option<Url> {
    let address = address.trim();
    if address.len() > LONGEST {
        return None;
    }
    let url = Url::parse(address).ok()?;
    let plain = matches!(url.scheme(), "http" | "https")
        && url.host_str().is_some_and(|host| !host.is_empty())
        && url.username().is_empty()
        && url.password().is_none();
    plain.then_some(url)
}

fn is_tracking(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.starts_with("utm_") || TRACKING.contains(&name.as_str())
}

/// The target of a search engine's redirect URL, which only counts the click.
fn unwrap_redirect(url: &Url) -> Option<String> {
    let (host, path) = (bare_host(url)?, url.path());
    let parameter = |wanted: &str| {
        url.query_pairs().find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned())
    };
    match host.as_str() {
        "bing.com" if path.eq_ignore_ascii_case("/news/apiclick.aspx") => parameter("url"),
        "google.com" if path == "/url" => parameter("url").or_else(|| parameter("q")),
        "google.com" if path.starts_with("/amp/s/") => {
            path.get(7..).map(|rest| with_query("https", rest, url))
        }
        "duckduckgo.com" if path == "/l/" => parameter("uddg"),
        _ if host.ends_with(".cdn.ampproject.org") || host == "cdn.ampproject.org" => {
            let mut parts = path.trim_start_matches('/').splitn(3, '/');
            // AMP cache: /c/s/host/path over TLS, /c/host/path without; also v and i for other kinds.
            match (parts.next()?, parts.next()?, parts.next()) {
                (kind, "s", Some(rest)) if kind.len() == 1 => Some(with_query("https", rest, url)),
                (kind, host, rest) if kind.len() == 1 => {
                    Some(with_query("http", &format!("{host}/{}", rest.unwrap_or_default()), url))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// The URL of an AMP copy's original, with the copy's query.
fn with_query(scheme: &str, rest: &str, copy: &Url) -> String {
    match copy.query() {
        Some(query) => format!("{scheme}://{rest}?{query}"),
        None => format!("{scheme}://{rest}"),
    }
}

/// The host without labels that only select a presentation (`www`, `amp` and the like).
pub(super) fn bare_host(url: &Url) -> Option<String> {
    let host = url.host_str()?.trim_end_matches('.');
    let mut bare = host;
    for prefix in ["www.", "m.", "amp.", "mobile."] {
        if let Some(rest) = bare.strip_prefix(prefix).filter(|rest| rest.contains('.')) {
            bare = rest;
        }
    }
    Some(bare.to_owned())
}

/// One key for all URLs of a page: without scheme, `www`, AMP marks, tracking and fragment; parameters are
/// sorted.
pub(super) fn key(url: &Url) -> String {
    let mut path = url.path().trim_end_matches('/').to_owned();
    for end in ["/amp", "/index.html", ".amp", ".amp.html"] {
        if let Some(rest) = path.strip_suffix(end) {
            path = rest.trim_end_matches('/').to_owned();
        }
    }
    if let Some(rest) = path.strip_prefix("/amp/") {
        path = format!("/{rest}");
    }
    let mut pairs: Vec<(String, String)> = url
        .query_pairs()
        .filter(|(name, value)| !is_tracking(name) && !is_amp(name, value))
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect();
    pairs.sort();
    let mut key = bare_host(url).unwrap_or_default();
    if let Some(port) = url.port() {
        key.push_str(&format!(":{port}"));
    }
    key.push_str(&path);
    for (name, value) in pairs {
        key.push_str(&format!("\n{name}={value}"));
    }
    // A fragment that begins with `!` is a route within a page that its script renders.
    if let Some(fragment) = url.fragment().filter(|fragment| fragment.starts_with('!')) {
        key.push_str(&format!("\n#{fragment}"));
    }
    key
}

fn is_amp(name: &str, value: &str) -> bool {
    name == "amp" && matches!(value, "" | "1" | "true") || name == "outputType" && value == "amp"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key_of(address: &str) -> String {
        key(&clean_url(address).unwrap())
    }

    #[test]
    fn addresses_of_one_page_have_one_key() {
        let page = key_of("https://example.com/news/cod?id=7&page=2");
        for same in [
            "http://www.example.com/news/cod?page=2&id=7#comments",
            "https://m.example.com/news/cod/?id=7&page=2&utm_source=x&UTM_Medium=y&fbclid=z",
            "https://amp.example.com/news/cod/amp?id=7&page=2",
            "https://EXAMPLE.com:443/amp/news/cod?id=7&page=2&amp=1",
            "https://www.google.com/url?q=https%3A%2F%2Fexample.com%2Fnews%2Fcod%3Fid%3D7%26page%3D2&sa=U",
            "http://www.bing.com/news/apiclick.aspx?ref=FexRss&url=https%3a%2f%2fexample.com%2fnews%2fcod%3fid%3d7%26page%3d2&c=1",
            "https://example-com.cdn.ampproject.org/c/s/example.com/news/cod/amp?id=7&page=2",
        ] {
            assert_eq!(key_of(same), page, "{same}");
        }
        for other in [
            "https://example.com/news/cod?id=8&page=2",
            "https://example.com:8443/news/cod?id=7&page=2",
            "https://example.org/news/cod?id=7&page=2",
            "https://example.com/news?id=7&page=2",
            "https://example.com/news/cod?id=7&page=2#!/part",
        ] {
            assert_ne!(key_of(other), page, "{other}");
        }
    }

    #[test]
    fn only_addresses_that_a_reader_can_follow_safely_are_shown() {
        for address in [
            "javascript:alert(1)",
            "data:text/html,x",
            "ftp://example.com/",
            "file:///etc/passwd",
            "//example.com/a",
            "/a",
            "",
            "http://",
            "https://ada:secret@example.com/",
            "about:blank",
            "mailto:a@example.com",
            "https://www.google.com/url?q=javascript:alert(1)",
        ] {
            let address = clean_url(address);
            assert!(
                address.as_ref().is_none_or(|url| url.host_str() == Some("www.google.com")),
                "{address:?}"
            );
        }
        assert!(clean_url(&format!("https://example.com/{}", "x".repeat(5_000))).is_none());
        let kept = clean_url("https://example.com/a?q=a+b%20c&utm_source=x").unwrap();
        assert_eq!(kept.as_str(), "https://example.com/a?q=a+b+c");
        assert_eq!(
            clean_url(" https://example.com/a?q=a%20b ").unwrap().as_str(),
            "https://example.com/a?q=a%20b"
        );
    }
}
