//! Transcodes texts whose encoding only HTTP declares.

use std::sync::Arc;

use bytes::Bytes;
use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};
use sha2::{Digest as _, Sha256};
use shared_core::hex;

use super::{Body, FetchError, FetchResponse};

/// Maximum bytes that are transcoded. In longer texts the encoding can be detected statistically. Bounds the
/// memory.
const LONGEST: u64 = 4 << 20;

/// The response in UTF-8, if it is a text with another `charset`; else the response itself. A text that is
/// not valid in its declared `charset` stays unchanged too.
///
/// # Errors
/// When its bytes cannot be read.
pub(super) async fn transcode_to_utf8(found: Arc<FetchResponse>) -> Result<Arc<FetchResponse>, FetchError> {
    let Some(encoding) = declared_encoding(&found).filter(|_| found.bytes <= LONGEST) else {
        return Ok(found);
    };
    let bytes = found.read_all(LONGEST).await?;
    let is_wide = encoding == UTF_16LE || encoding == UTF_16BE;
    // Text that is valid UTF-8 is hardly ever in another encoding.
    if Encoding::for_bom(&bytes).is_some() || !is_wide && std::str::from_utf8(&bytes).is_ok() {
        return Ok(found);
    }
    let (text, is_broken) = encoding.decode_without_bom_handling(&bytes);
    if is_broken {
        return Ok(found);
    }
    let body = Bytes::from(text.into_owned());
    Ok(Arc::new(FetchResponse {
        redirects: found.redirects,
        url: found.url.clone(),
        name: found.name.clone(),
        content_type: found.media_type().map(|kind| format!("{kind}; charset=utf-8")),
        bytes: body.len() as u64,
        sha256: hex(&Sha256::digest(&body)),
        body: Body::Memory(body),
    }))
}

/// The encoding that `Content-Type` declares for a text that cannot declare its own; `None` for UTF-8.
fn declared_encoding(found: &FetchResponse) -> Option<&'static Encoding> {
    let kind = found.media_type()?;
    if !matches!(
        kind.as_str(),
        "text/plain" | "text/csv" | "text/tab-separated-values" | "text/markdown" | "application/csv"
    ) {
        return None;
    }
    let parameters = found.content_type.as_deref()?.split(';').skip(1);
    let charset =
        parameters.filter_map(|parameter| parameter.split_once('=')).find_map(|(name, value)| {
            name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches(['"', '\'']))
        })?;
    Encoding::for_label(charset.as_bytes()).filter(|encoding| *encoding != UTF_8 && *encoding != REPLACEMENT)
}

#[cfg(test)]
mod tests {
    use futures_executor::block_on;

    use super::*;
    use crate::scripted::response;

    fn text(content_type: &str, bytes: &'static [u8]) -> (Vec<u8>, Arc<FetchResponse>) {
        let found = response("https://a.example/t", content_type, Bytes::from_static(bytes));
        let found = block_on(transcode_to_utf8(Arc::new(found))).unwrap();
        (block_on(found.read_all(1_000)).unwrap().to_vec(), found)
    }

    #[test]
    fn a_text_is_read_in_the_encoding_that_only_http_tells() {
        for (content_type, bytes, expected) in [
            ("text/csv; charset=iso-8859-2", &b"\xa3\xf3d\xbc,1"[..], "Łódź,1"),
            ("text/csv; header=present; Charset=\"windows-1250\"", b"\xa3\xf3d\x9f,1", "Łódź,1"),
            ("text/plain;charset=koi8-r", b"\xcd\xc9\xd2", "мир"),
            ("text/plain; charset=utf-16le", b"a\0b\0", "ab"),
        ] {
            let (bytes, found) = text(content_type, bytes);
            assert_eq!(String::from_utf8(bytes.clone()).unwrap(), expected, "{content_type}");
            assert_eq!((found.bytes, &found.sha256), (bytes.len() as u64, &hex(&Sha256::digest(&bytes))));
        }
    }

    #[test]
    fn what_http_says_is_not_believed_against_the_bytes_and_of_other_types_it_is_not_needed() {
        for (content_type, bytes) in [
            ("text/plain; charset=iso-8859-1", "Łódź".as_bytes()),
            ("text/plain; charset=utf-16le", &b"\xff\xfea\0"[..]),
            ("text/plain; charset=shift_jis", b"\xff\xff\x80"),
            ("text/plain; charset=klingon", b"\xa3"),
            ("text/plain; charset=", b"\xa3"),
            ("text/plain; charset=utf-8", b"\xa3"),
            ("text/plain", b"\xa3"),
            ("application/pdf; charset=koi8-r", b"\xa3"),
            ("text/html; charset=koi8-r", b"\xa3"),
        ] {
            assert_eq!(text(content_type, bytes).0, bytes, "{content_type}");
        }
    }
}
