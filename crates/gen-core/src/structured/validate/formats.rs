//! The formats that are validated. A text matches every other format.

use std::net::{Ipv4Addr, Ipv6Addr};

use chrono::{DateTime, NaiveDate};

/// Whether a text matches a format.
pub(super) fn matches_format(format: &str, text: &str) -> bool {
    match format {
        "date" => is_date(text),
        "date-time" => DateTime::parse_from_rfc3339(text).is_ok(),
        "time" => DateTime::parse_from_rfc3339(&format!("2000-01-01T{text}")).is_ok(),
        "email" => is_email(text),
        "uri" => is_uri(text),
        "ipv4" => text.parse::<Ipv4Addr>().is_ok(),
        "ipv6" => text.parse::<Ipv6Addr>().is_ok(),
        "uuid" => is_uuid(text),
        "hostname" => is_hostname(text),
        _ => true,
    }
}

fn is_date(text: &str) -> bool {
    text.len() == 10 && text.is_ascii() && NaiveDate::parse_from_str(text, "%Y-%m-%d").is_ok()
}

fn is_email(text: &str) -> bool {
    let Some((name, host)) = text.rsplit_once('@') else { return false };
    let no_space =
        |part: &str| !part.is_empty() && !part.contains(|c: char| c.is_whitespace() || c.is_control());
    // 64 and 255 octets with the sign between them (RFC 5321, section 4.5.3.1).
    text.len() <= 320 && no_space(name) && no_space(host) && !name.contains('@')
}

fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let starts = scheme.starts_with(|c: char| c.is_ascii_alphabetic());
    let is_scheme = scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'));
    starts && is_scheme && !rest.is_empty() && !rest.contains(|c: char| c.is_whitespace() || c.is_control())
}

fn is_uuid(text: &str) -> bool {
    let lengths = text.split('-').map(str::len);
    // RFC 9562, section 4.
    lengths.eq([8, 4, 4, 4, 12]) && text.bytes().all(|b| b == b'-' || b.is_ascii_hexdigit())
}

fn is_hostname(text: &str) -> bool {
    let is_label = |label: &str| {
        // Labels and names of RFC 1035, section 2.3.4 (255 octets on the wire).
        (1..=63).contains(&label.len())
            && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    text.len() <= 253 && text.split('.').all(is_label)
}
