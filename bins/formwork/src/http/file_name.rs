//! Parses the name of an uploaded file from the forms of `Content-Disposition` that clients send.

/// The name that the header gives: `filename*` (RFC 5987) where there is one, else `filename`.
pub(super) fn file_name(header: &[u8]) -> Option<String> {
    let header = String::from_utf8_lossy(header);
    let mut plain = None;
    for (name, value) in parameters(&header) {
        if name.eq_ignore_ascii_case("filename*")
            && let Some(decoded) = extended(&value)
        {
            return Some(decoded);
        }
        if name.eq_ignore_ascii_case("filename") {
            plain.get_or_insert(unescaped(&value));
        }
    }
    plain
}

/// The parameters of a header, quotes removed.
fn parameters(header: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = header;
    while let Some((_, after)) = rest.split_once(';') {
        let Some((name, value)) = after.split_once('=') else { break };
        let (value, tail) = match value.trim_start().strip_prefix('"') {
            Some(quoted) => unquoted(quoted),
            None => {
                let end = value.find(';').unwrap_or(value.len());
                let (value, tail) = value.split_at(end);
                (value.trim().to_owned(), tail)
            }
        };
        found.push((name.trim().to_owned(), value));
        rest = tail;
    }
    found
}

/// A quoted text up to its closing quote, and the rest. A backslash escapes a quote or another backslash.
/// Elsewhere it is literal, because browsers do not escape backslashes in names.
fn unquoted(text: &str) -> (String, &str) {
    let mut value = String::new();
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return (value, text.get(at + 1..).unwrap_or_default()),
            '\\' => match chars.next_if(|(_, next)| matches!(next, '"' | '\\')) {
                Some((_, escaped)) => value.push(escaped),
                None => value.push(c),
            },
            _ => value.push(c),
        }
    }
    (value, "")
}

/// Decodes the three escapes that the HTML standard defines for names in `multipart/form-data`. Other percent
/// signs are literal.
fn unescaped(value: &str) -> String {
    value.replace("%22", "\"").replace("%0D", "\r").replace("%0A", "\n")
}

/// `charset'language'percent-encoded`; `None` when it is not that.
fn extended(value: &str) -> Option<String> {
    let mut parts = value.splitn(3, '\'');
    let (charset, _language, text) = (parts.next()?, parts.next()?, parts.next()?);
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        if byte == b'%' {
            let hex = tail.get(..2).and_then(|pair| std::str::from_utf8(pair).ok())?;
            bytes.push(u8::from_str_radix(hex, 16).ok()?);
            rest = tail.get(2..).unwrap_or_default();
        } else {
            bytes.push(byte);
            rest = tail;
        }
    }
    if charset.eq_ignore_ascii_case("iso-8859-1") {
        return Some(bytes.into_iter().map(char::from).collect());
    }
    charset.eq_ignore_ascii_case("utf-8").then(|| String::from_utf8(bytes).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_headers_give_some_name_or_none() {
        for (header, name) in [
            ("form-data", None),
            ("form-data; filename", None),
            ("form-data; filename=", Some("")),
            ("form-data; filename=\"", Some("")),
            ("form-data; filename=\"a", Some("a")),
            ("form-data; filename=\"a\\\"", Some("a\"")),
            ("form-data; filename=\"%\"", Some("%")),
            ("form-data; filename=\"%2\"", Some("%2")),
            ("form-data; filename=\"%é2\"", Some("%é2")),
            ("form-data; filename=\"%41%22%0A%0a%00\"", Some("%41\"\n%0a%00")),
            ("form-data; filename*=UTF-8''%f", None),
            ("form-data; filename*=UTF-8''%ff; filename=a", Some("a")),
            ("form-data; filename*=iso-8859-1''%e9", Some("é")),
            ("form-data; filename*=utf-16''a", None),
            (";;;=;filename=a;;filename=b", Some("a")),
        ] {
            assert_eq!(file_name(header.as_bytes()).as_deref(), name, "{header}");
        }
    }
}
