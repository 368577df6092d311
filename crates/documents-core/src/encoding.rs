//! From bytes to text: byte-order marks, UTF-8, UTF-16, and legacy encodings by statistics.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8};

/// Decodes `bytes`; `declared` is a label that the document itself gives, such as HTML's `charset`.
pub(crate) fn decode<'a>(bytes: &'a [u8], declared: Option<&str>) -> Cow<'a, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(bytes.get(mark..).unwrap_or_default()).0;
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let named =
        declared.and_then(|label| Encoding::for_label(label.as_bytes())).filter(|named| *named != UTF_8);
    let encoding = named.unwrap_or_else(|| {
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
        detector.feed(bytes, true);
        detector.guess(None, Utf8Detection::Allow)
    });
    encoding.decode_without_bom_handling(bytes).0
}

/// Line ends as `\n`, no NUL.
pub(crate) fn normalised(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "\u{fffd}")
}
