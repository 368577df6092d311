//! Origins of web pages.

use reqwest::Url;

/// What an origin must be, for errors.
pub(crate) const RULE: &str =
    "must be the origin of web pages, such as https://shop.example or http://localhost:3000";

/// The origin as browsers send it; `None` for a text that is none, or has more than one.
pub(crate) fn parse_origin(text: &str) -> Option<String> {
    let url = Url::parse(text.trim()).ok()?;
    let is_alone = url.path() == "/"
        && url.query().is_none()
        && url.fragment().is_none()
        && url.username().is_empty()
        && url.password().is_none();
    (["http", "https"].contains(&url.scheme()) && is_alone).then(|| url.origin().ascii_serialization())
}

#[cfg(test)]
mod tests {
    use super::parse_origin;

    #[test]
    fn an_origin_is_written_as_browsers_send_it() {
        for (text, origin) in [
            ("https://Shop.Example", "https://shop.example"),
            (" https://shop.example/ ", "https://shop.example"),
            ("https://shop.example:443", "https://shop.example"),
            ("http://localhost:3000", "http://localhost:3000"),
            ("http://[::1]:80", "http://[::1]"),
            ("https://b\u{fc}cher.example", "https://xn--bcher-kva.example"),
        ] {
            assert_eq!(parse_origin(text).as_deref(), Some(origin), "{text}");
        }
        for bad in [
            "",
            "*",
            "null",
            "shop.example",
            "ftp://shop.example",
            "file:///a",
            "https://shop.example/form",
            "https://shop.example?a",
            "https://shop.example#a",
            "https://user@shop.example",
            "https://",
        ] {
            assert_eq!(parse_origin(bad), None, "{bad}");
        }
    }
}
