//! Checks the plain types of values, and the formats of e-mail addresses and URLs.

use chrono::NaiveDate;
use serde_json::Value;

/// Most characters of an e-mail address (RFC 5321).
const MAX_EMAIL: usize = 254;

/// Whether `text` has the format of an e-mail address: one `@`, a domain with a dot, no spaces.
pub(crate) fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else { return false };
    let odd =
        |c: char| c.is_whitespace() || c.is_control() || matches!(c, '@' | ',' | ';' | '<' | '>' | '(' | ')');
    !local.is_empty()
        && text.chars().count() <= MAX_EMAIL
        && !text.replacen('@', "", 1).contains(odd)
        && is_host(domain)
}

/// Whether `text` has the format of a URL, with or without a scheme.
pub(crate) fn is_url(text: &str) -> bool {
    let schemes = ["https://", "http://", "ftp://"];
    let scheme = schemes
        .iter()
        .find(|scheme| text.get(..scheme.len()).is_some_and(|t| t.eq_ignore_ascii_case(scheme)));
    let rest = scheme.map_or(text, |scheme| text.get(scheme.len()..).unwrap_or_default());
    let host = rest.split(['/', '?', '#', ':']).next().unwrap_or_default();
    let plain_host = scheme.is_some()
        && !host.is_empty()
        && host.chars().all(|c| c.is_alphanumeric() || "-._@[]".contains(c));
    !text.chars().any(|c| c.is_whitespace() || c.is_control()) && (is_host(host) || plain_host)
}

/// Whether `text` is a dotted host name whose last label is not numeric.
fn is_host(text: &str) -> bool {
    let label =
        |label: &str| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_');
    let last = text.rsplit('.').next().unwrap_or_default();
    text.contains('.')
        && text.split('.').all(label)
        && last.chars().nth(1).is_some()
        && last.chars().any(char::is_alphabetic)
}

/// Whether a value has the plain type, or the kind of JSON of any other type, of this name.
pub(super) fn has_type(kind: &str, value: &Value) -> bool {
    match kind {
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|n| n.fract() == 0.0),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" | "money" | "map" => value.is_object(),
        "union" => !value.is_array() && !value.is_object() && !value.is_null(),
        _ => value.as_str().is_some_and(|text| text.is_empty() || has_format(kind, text)),
    }
}

/// Whether a text has the format that the type requires.
fn has_format(kind: &str, text: &str) -> bool {
    match kind {
        "email" => is_email(text),
        "url" => is_url(text),
        "date" => NaiveDate::parse_from_str(text, "%Y-%m-%d").is_ok(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::{is_email, is_url};

    #[test]
    fn addresses_are_told_by_their_shape() {
        for text in ["a@b.co", "jürgen.o'neil+x@müller.example", "x@sub.domain.org"] {
            assert!(is_email(text), "{text}");
        }
        for text in ["", "@b.co", "a@", "a@b", "a b@c.de", "a@b@c.de", "a@b..c", "a@1.2.3.4"] {
            assert!(!is_email(text), "{text}");
        }
        for text in [
            "http://localhost:8080/x",
            "https://example.com",
            "www.example.com",
            "example.org/path?q=1",
            "HTTP://A.DE",
        ] {
            assert!(is_url(text), "{text}");
        }
        for text in ["", "http://", "hello", "a b.com", "3.14", "https:// x.de"] {
            assert!(!is_url(text), "{text}");
        }
    }
}
