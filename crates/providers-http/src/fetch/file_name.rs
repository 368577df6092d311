//! The display name of a fetched file; never a path.

use reqwest::header::{CONTENT_DISPOSITION, HeaderMap};
use url::Url;

/// Maximum number of characters of a name. File systems take 255 bytes. Chosen by hand; no measurement is
/// recorded.
const LONGEST: usize = 200;

/// The file name in `Content-Disposition` (RFC 6266), else the last path segment, else the host.
pub(super) fn name(headers: &HeaderMap, url: &Url) -> String {
    let given =
        headers.get(CONTENT_DISPOSITION).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    let given = given.and_then(|text| disposition(&text));
    let of_path = || {
        let last = url.path_segments()?.rfind(|part| !part.is_empty())?;
        clean(&decoded(last))
    };
    given.or_else(of_path).unwrap_or_else(|| url.host_str().unwrap_or("page").to_owned())
}

fn disposition(text: &str) -> Option<String> {
    let mut plain = None;
    for (key, value) in parameters(text) {
        match key.as_str() {
            // RFC 8187: only UTF-8 is in use.
            "filename*" => {
                let mut parts = value.splitn(3, '\'');
                let (charset, _, encoded) = (parts.next()?, parts.next(), parts.next());
                if let Some(name) = encoded.filter(|_| charset.eq_ignore_ascii_case("utf-8")).map(decoded)
                    && let Some(name) = clean(&name)
                {
                    return Some(name);
                }
            }
            "filename" => plain = plain.or_else(|| clean(&value)),
            _ => {}
        }
    }
    plain
}

/// The parameters after the first semicolon, unquoted.
fn parameters(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = text.split_once(';').map_or("", |(_, rest)| rest);
    while let Some((key, after)) = rest.split_once('=') {
        let key = key.trim_matches([' ', '\t', ';']).to_ascii_lowercase();
        let after = after.trim_start();
        let (value, next) = match after.strip_prefix('"') {
            Some(quoted) => quoted_text(quoted),
            None => {
                let (value, next) = after.split_once(';').unwrap_or((after, ""));
                (value.trim().to_owned(), next)
            }
        };
        found.push((key, value));
        rest = next;
    }
    found
}

fn quoted_text(text: &str) -> (String, &str) {
    let mut out = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return (out, text.get(at + 1..).unwrap_or_default()),
            '\\' => out.extend(chars.next().map(|(_, c)| c)),
            _ => out.push(c),
        }
    }
    (out, "")
}

fn decoded(text: &str) -> String {
    percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// The last segment of a possible path, without invisible characters; `None` when nothing is left.
fn clean(name: &str) -> Option<String> {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let hidden = |c: &char| {
        !c.is_control()
            && !matches!(*c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    let shown: String = last.chars().filter(hidden).take(LONGEST).collect();
    let shown = shown.trim().to_owned();
    (!shown.is_empty() && !shown.bytes().all(|byte| byte == b'.')).then_some(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(disposition: &str, url: &str) -> String {
        let mut headers = HeaderMap::new();
        if !disposition.is_empty() {
            headers.insert(CONTENT_DISPOSITION, disposition.parse().unwrap());
        }
        name(&headers, &Url::parse(url).unwrap())
    }

    #[test]
    fn the_name_is_of_the_header_else_of_the_path_else_of_the_host() {
        for (header, expected) in [
            ("attachment; filename=\"a b.pdf\"", "a b.pdf"),
            ("inline; x=\"a;filename=z\"; filename=a.pdf", "a.pdf"),
            ("attachment; filename=\"e.pdf\"; filename*=UTF-8''%e2%82%ac.pdf", "€.pdf"),
            ("attachment; filename*=iso-8859-1'en'%A3; filename=f.pdf", "f.pdf"),
            ("attachment; filename=\"..\\\\..\\\\x\\\"y.pdf\"", "x\"y.pdf"),
            ("attachment; filename=\"../../etc/passwd\"", "passwd"),
            ("attachment; filename=\"..\"", "c d.txt"),
            ("attachment", "c d.txt"),
            ("attachment; filename=\"open", "open"),
        ] {
            assert_eq!(of(header, "https://example.com/b/c%20d.txt?q"), expected, "{header}");
        }
        assert_eq!(of("", "https://example.com/"), "example.com");
        assert_eq!(of("", "https://example.com/a/b/"), "b");
        assert_eq!(of("", "https://example.com/a%2Fb%00c"), "bc");
        assert_eq!(of("", &format!("https://example.com/{}", "x".repeat(900))).len(), 200);
    }
}
