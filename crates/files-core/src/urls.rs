//! Capability URLs: their format, and the resolution of document references.

use shared_core::Timestamp;

use crate::{File, FileId, UrlSigning};

/// The public address under which files are served. References to it, or to the same port of this machine
/// under another loopback name, are own file URLs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileUrls {
    base: String,
    origin: Option<UrlParts>,
    signing: Option<UrlSigning>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct UrlParts {
    scheme: String,
    host: String,
    port: u16,
    path: String,
}

/// What a document reference resolves to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReferenceTarget {
    /// A file by its id.
    File(FileId),
    /// A file by its capability token.
    Token(String),
    /// A page or file on the web.
    Web(String),
    /// Not a valid reference; the rule that it breaks.
    Invalid(&'static str),
}

impl FileUrls {
    /// From the public base address, such as `https://forms.example.com` (a trailing `/` is dropped).
    #[must_use]
    pub fn new(base: &str) -> Self {
        let base = base.trim_end_matches('/').to_owned();
        let origin = UrlParts::parse(&base);
        Self { base, origin, signing: None }
    }

    /// With URLs that expire; `None` leaves them unsigned.
    #[must_use]
    pub fn with_signing(self, signing: Option<UrlSigning>) -> Self {
        Self { signing, ..self }
    }

    /// The signing of URLs; `None` when they do not expire.
    pub(crate) fn signing(&self) -> Option<&UrlSigning> {
        self.signing.as_ref()
    }

    /// The capability URL of a file: `{base}/files/{token}/{name}`, with an expiry and a signature if URLs
    /// expire.
    #[must_use]
    pub fn url(&self, file: &File, now: Timestamp) -> String {
        let query = self.signing.as_ref().map(|signing| signing.query(&file.token, now)).unwrap_or_default();
        format!("{}/files/{}/{}{query}", self.base, file.token, encode(&file.name))
    }

    /// Resolves `reference`.
    #[must_use]
    pub fn locate(&self, reference: &str) -> ReferenceTarget {
        let reference = reference.trim();
        if !reference.is_empty() && reference.bytes().all(|byte| byte.is_ascii_digit()) {
            let id = FileId::parse(reference);
            return id
                .map_or(ReferenceTarget::Invalid("a file id is a positive integer"), ReferenceTarget::File);
        }
        let Some(found) = UrlParts::parse(reference) else {
            return ReferenceTarget::Invalid(
                "'url' must be an http or https URL, an own file URL or a file id",
            );
        };
        match self.find_own_token(&found) {
            Some(token) => ReferenceTarget::Token(token),
            None => ReferenceTarget::Web(reference.to_owned()),
        }
    }

    fn find_own_token(&self, found: &UrlParts) -> Option<String> {
        let own = self.origin.as_ref()?;
        let same_host = found.host == own.host || (is_loopback(&found.host) && is_loopback(&own.host));
        if !same_host || found.port != own.port {
            return None;
        }
        let path = found.path.strip_prefix(own.path.as_str())?.strip_prefix("/files/")?;
        let token = path.split(['/', '?', '#']).next().unwrap_or_default();
        (!token.is_empty()).then(|| token.to_owned())
    }
}

impl UrlParts {
    /// Splits an absolute http(s) URL without user information; `None` for any other text.
    fn parse(text: &str) -> Option<Self> {
        let (scheme, rest) = text.split_once("://")?;
        let scheme = scheme.to_ascii_lowercase();
        let default_port = match scheme.as_str() {
            "http" => 80,
            "https" => 443,
            _ => return None,
        };
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        if authority.is_empty() || authority.contains(['@', '\\', ' ']) || text.chars().any(char::is_control)
        {
            return None;
        }
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.contains(']') => (host, port.parse().ok()?),
            _ => (authority, default_port),
        };
        if host.is_empty() {
            return None;
        }
        Some(Self { scheme, host: host.to_ascii_lowercase(), port, path: path.to_owned() })
    }
}

fn is_loopback(host: &str) -> bool {
    matches!(host, "localhost" | "127.0.0.1" | "[::1]")
}

/// Percent-encodes everything but the unreserved characters of RFC 3986, so that any name is one
/// path segment.
fn encode(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            out.push(char::from(byte));
        } else {
            out.push('%');
            for digit in [byte >> 4, byte & 15] {
                out.push(char::from_digit(u32::from(digit), 16).unwrap_or('0').to_ascii_uppercase());
            }
        }
    }
    // Clients would resolve "." and ".." as path steps.
    if out.bytes().all(|byte| byte == b'.') { "file".to_owned() } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(reference: &str) -> ReferenceTarget {
        FileUrls::new("http://127.0.0.1:8080/").locate(reference)
    }

    #[test]
    fn own_urls_are_known_under_every_loopback_name() {
        for host in ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080"] {
            let url = format!("http://{host}/files/tok_1/a.pdf?x=1");
            assert_eq!(token(&url), ReferenceTarget::Token("tok_1".into()), "{url}");
        }
    }

    #[test]
    fn the_same_path_on_another_host_or_port_is_the_web() {
        for url in
            ["http://example.com/files/tok", "http://127.0.0.1:8081/files/tok", "http://127.0.0.1/files/t"]
        {
            assert_eq!(token(url), ReferenceTarget::Web(url.into()));
        }
    }

    #[test]
    fn a_base_with_a_path_or_without_a_port_has_its_own_urls_alone() {
        let is_own = |base: &str, url: &str| matches!(FileUrls::new(base).locate(url), ReferenceTarget::Token(token) if token == "tok");
        for (base, url) in [
            ("https://a.example", "https://a.example/files/tok"),
            ("https://a.example", "https://A.example:443/files/tok?x"),
            ("http://a.example", "HTTP://a.example:80/files/tok#x"),
            ("http://a.example:80", "http://a.example/files/tok/"),
            ("https://a.example/base/", "https://a.example/base/files/tok"),
            ("http://[::1]", "http://[::1]:80/files/tok"),
        ] {
            assert!(is_own(base, url), "{base} {url}");
        }
        for (base, url) in [
            ("https://a.example/base", "https://a.example/files/tok"),
            ("https://a.example", "https://a.example/files/"),
            ("https://a.example", "https://a.example/thumbnails/tok"),
            ("http://a.example", "http://localhost/files/tok"),
            ("http://localhost", "http://a.example/files/tok"),
            ("/base", "http://a.example/files/tok"),
        ] {
            assert!(!is_own(base, url), "{base} {url}");
        }
    }

    #[test]
    fn ids_are_positive_integers_and_other_text_is_refused() {
        assert_eq!(token("42"), ReferenceTarget::File(FileId(42)));
        assert_eq!(token(" 9007199254740991 "), ReferenceTarget::File(FileId((1 << 53) - 1)));
        for bad in [
            "",
            "0",
            "042",
            "99999999999999999999",
            "file:///etc/passwd",
            "a.pdf",
            "ftp://x/y",
            "http://",
            "http://a@b/c",
            "http://:80/c",
            "http://a:port/c",
            "http://a b/c",
            "http://a\\b/c",
            "http://a/\u{7}",
            "9007199254740992",
        ] {
            assert!(matches!(token(bad), ReferenceTarget::Invalid(_)), "{bad}");
        }
    }

    #[test]
    fn any_name_becomes_one_path_segment() {
        assert_eq!(encode("../../x y\u{e9}"), "..%2F..%2Fx%20y%C3%A9");
        assert_eq!(encode(".."), "file");
        assert_eq!(encode(""), "file");
    }
}
