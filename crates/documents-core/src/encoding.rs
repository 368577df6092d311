//! Decodes bytes to text: byte order marks, UTF-8, UTF-16, and legacy encodings by statistics.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// Decodes `bytes`. `declared` is a label that the document declares, such as HTML's `charset`.
pub(crate) fn decode<'a>(bytes: &'a [u8], declared: Option<&str>) -> Cow<'a, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(bytes.get(mark..).unwrap_or_default()).0;
    }
    let named =
        declared.and_then(|label| Encoding::for_label(label.as_bytes())).filter(|named| *named != UTF_8);
    // Text that is valid UTF-8 is hardly ever in another encoding, except a two-byte one.
    let wide = named.filter(|named| *named == UTF_16LE || *named == UTF_16BE);
    if wide.is_none_or(|_| wide_without_mark(bytes).is_none())
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        return Cow::Borrowed(text);
    }
    let encoding = named.unwrap_or_else(|| {
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
        detector.feed(bytes, true);
        detector.guess(None, Utf8Detection::Allow)
    });
    encoding.decode_without_bom_handling(bytes).0
}

/// The name of the character set that `decode` would use for a text, from its first bytes. Its last character
/// may be truncated.
#[must_use]
pub fn charset(prefix: &[u8]) -> &'static str {
    if let Some((encoding, _)) = Encoding::for_bom(prefix) {
        return encoding.name();
    }
    if let Some(wide) = wide_without_mark(prefix) {
        return wide;
    }
    let is_utf8 = match std::str::from_utf8(prefix) {
        Ok(_) => true,
        // A truncated character at the end is no error.
        Err(error) => error.error_len().is_none(),
    };
    if is_utf8 {
        return "utf-8";
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(prefix, true);
    detector.guess(None, Utf8Detection::Deny).name()
}

/// UTF-16 without a byte order mark: many zero bytes, all at even or all at odd offsets. At least a third of
/// the pairs in the first 4,096 bytes have a zero, and at most one of fifty is a control character.
/// Chosen by hand; no measurement recorded.
pub(crate) fn wide_without_mark(bytes: &[u8]) -> Option<&'static str> {
    let head = bytes.get(..bytes.len().min(4_096) & !1)?;
    if head.len() < 4 || Encoding::for_bom(bytes).is_some() {
        return None;
    }
    let zeros = |side: usize| head.iter().skip(side).step_by(2).filter(|byte| **byte == 0).count();
    let (first, second, pairs) = (zeros(0), zeros(1), head.len() / 2);
    let label = match (first, second) {
        (0, second) if second * 3 > pairs => "utf-16le",
        (first, 0) if first * 3 > pairs => "utf-16be",
        _ => return None,
    };
    // Text has few control characters besides line ends.
    let units = head.chunks_exact(2).map(|two| if label == "utf-16le" { two[0] } else { two[1] });
    let odd = units.filter(|byte| matches!(byte, 1..=8 | 14..=31)).count();
    (odd * 50 <= pairs).then_some(label)
}

/// The encoding declared in an XML declaration.
pub(crate) fn declared_encoding(bytes: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(bytes.get(..bytes.len().min(256))?).into_owned();
    let declaration = head.split_once("?>").filter(|(before, _)| before.trim_start().starts_with("<?xml"))?.0;
    let after = declaration.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = after.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    after.get(1..)?.split(quote).next().map(str::to_owned)
}

/// Line ends as `\n`, no NUL.
pub(crate) fn normalised(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "\u{fffd}")
}

/// The encoding of a Windows code page; Windows-1252 for unknown ones.
pub(crate) fn codepage(number: u16) -> &'static Encoding {
    match number {
        1_200 => encoding_rs::UTF_16LE,
        65_001 => UTF_8,
        10_000 => encoding_rs::MACINTOSH,
        866 => encoding_rs::IBM866,
        874 => encoding_rs::WINDOWS_874,
        932 => encoding_rs::SHIFT_JIS,
        936 | 54_936 => encoding_rs::GB18030,
        949 => encoding_rs::EUC_KR,
        950 => encoding_rs::BIG5,
        1_250 => encoding_rs::WINDOWS_1250,
        1_251 => encoding_rs::WINDOWS_1251,
        1_253 => encoding_rs::WINDOWS_1253,
        1_254 => encoding_rs::WINDOWS_1254,
        1_255 => encoding_rs::WINDOWS_1255,
        1_256 => encoding_rs::WINDOWS_1256,
        1_257 => encoding_rs::WINDOWS_1257,
        1_258 => encoding_rs::WINDOWS_1258,
        20_866 => encoding_rs::KOI8_R,
        20_932 | 51_932 => encoding_rs::EUC_JP,
        50_220..=50_222 => encoding_rs::ISO_2022_JP,
        28_591..=28_606 => Encoding::for_label(format!("iso-8859-{}", number - 28_590).as_bytes())
            .unwrap_or(encoding_rs::WINDOWS_1252),
        _ => encoding_rs::WINDOWS_1252,
    }
}
