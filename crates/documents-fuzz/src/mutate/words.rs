//! Mutates text by tokens (words, numbers, tags and brackets), with a dictionary from all files of the
//! format.

use std::collections::BTreeSet;
use std::ops::Range;

use super::bytes::insert;
use crate::random::Random;

/// Maximum words of a dictionary.
const MOST: usize = 4_000;
/// Maximum bytes of a word.
const LONGEST: usize = 60;
/// Bytes of a text that one mutation tokenises.
const WINDOW: usize = 16 << 10;
/// Maximum bytes that a repetition adds.
const ROOM: usize = 1 << 18;

/// Numbers that often break parsers.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "7",
    "63",
    "255",
    "256",
    "1000",
    "16383",
    "16384",
    "16385",
    "65535",
    "65536",
    "1048576",
    "1048577",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551616",
    "99999999999999999999999",
    "0.5",
    "-0.0001",
    "1e9",
    "1e308",
    "1e309",
    "-1e309",
    "NaN",
    "inf",
    "0x7fffffff",
    "",
];

/// Texts that often break parsers.
const ODD: &[&str] = &[
    "\u{0}",
    "\u{feff}",
    "\u{200f}",
    "\u{202e}",
    "\u{301}",
    "\u{1f469}\u{200d}\u{1f680}",
    "\u{fb01}",
    "\u{a0}",
    "\u{2028}",
    "\u{ad}",
    "\u{85}",
    "\u{c}",
    "\u{b}",
    "|",
    "\\|",
    "\\",
    "\"",
    "'",
    "<",
    ">",
    "&",
    "&amp;",
    "&#0;",
    "&#x110000;",
    "]]>",
    "<![CDATA[",
    "<!--",
    "-->",
    "<?",
    "<!DOCTYPE a [<!ENTITY b \"c\">]>",
    "\r",
    "\n",
    "\r\n",
    "\n\n",
    "\t",
    "    ",
    "---",
    "***",
    "```",
    "> ",
    "# ",
    "- ",
    "1. ",
    "| - |",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "/",
    "%",
    "%%EOF",
    "\\u",
    "\\ud800",
    "\\'",
    "\\bin9999 ",
    "=?utf-8?b?",
    "ß",
    "İ",
    "ﷺ",
];

/// The words of all files of a format.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dictionary(Vec<Vec<u8>>);

impl Dictionary {
    /// Collects the words of contents.
    pub(crate) fn of<'c>(contents: impl Iterator<Item = &'c [u8]>) -> Self {
        let mut words = BTreeSet::new();
        for content in contents.filter(|content| looks_like_text(content)) {
            for range in tokens(content) {
                if words.len() < MOST && range.len() > 1 && range.len() <= LONGEST {
                    words.extend(content.get(range).map(<[u8]>::to_vec));
                }
            }
        }
        Self(words.into_iter().collect())
    }
}

/// Whether bytes are mostly letters.
pub(super) fn looks_like_text(bytes: &[u8]) -> bool {
    let head = bytes.get(..bytes.len().min(512)).unwrap_or_default();
    let odd = head.iter().filter(|byte| matches!(byte, 0..=8 | 14..=31)).count();
    !head.is_empty() && odd * 20 < head.len()
}

/// A window of a text, with its tokens.
struct Window {
    words: Vec<Range<usize>>,
}

impl Window {
    /// A random window: tokenising a large text for each mutation would be slow.
    fn of(bytes: &[u8], random: &mut Random) -> Self {
        let start = if bytes.len() > WINDOW { random.below(bytes.len() - WINDOW) } else { 0 };
        let stretch = bytes.get(start..bytes.len().min(start + WINDOW)).unwrap_or_default();
        Self { words: tokens(stretch).map(|word| word.start + start..word.end + start).collect() }
    }

    fn word(&self, random: &mut Random) -> Option<Range<usize>> {
        random.pick(&self.words).cloned()
    }
}

/// Applies one mutation to a text.
pub(super) fn damage(bytes: &mut Vec<u8>, donor: &[u8], words: &Dictionary, random: &mut Random) {
    let window = Window::of(bytes, random);
    let (Some(word), Some(other)) = (window.word(random), window.word(random)) else {
        return super::bytes::damage(bytes, donor, random);
    };
    let text = |range: Range<usize>| bytes.get(range).unwrap_or_default().to_vec();
    match random.below(10) {
        0 | 1 => {
            let numbers: Vec<_> =
                window.words.iter().filter(|word| is_number(bytes.get((*word).clone()))).cloned().collect();
            let place = random.pick(&numbers).cloned().unwrap_or(word);
            let number = random.pick(NUMBERS).copied().unwrap_or_default();
            bytes.splice(place, number.bytes());
        }
        2 => {
            bytes.drain(word);
        }
        3 => {
            let copy = text(word.clone());
            let times = 1 << random.below(13);
            insert(bytes, word.end, &copy.repeat(times.min(ROOM / copy.len().max(1))));
        }
        4 => {
            let copy = text(other);
            bytes.splice(word, copy);
        }
        5 => insert(bytes, word.end, random.pick(&words.0).map_or(&[], Vec::as_slice)),
        6 => {
            let new = random.pick(&words.0).cloned().unwrap_or_default();
            bytes.splice(word, new);
        }
        7 => {
            let odd = random.pick(ODD).copied().unwrap_or_default();
            insert(bytes, word.start + random.below(word.len() + 1), odd.as_bytes());
        }
        8 => stretch(bytes, word.start.min(other.start)..word.end.max(other.end), random),
        _ => {
            let taken = Window::of(donor, random).word(random).unwrap_or(0..0);
            let end = (taken.end + random.below(400)).min(donor.len());
            insert(bytes, word.end, donor.get(taken.start..end).unwrap_or_default());
        }
    }
}

/// Removes a range, or repeats it.
fn stretch(bytes: &mut Vec<u8>, range: Range<usize>, random: &mut Random) {
    let copy = bytes.get(range.clone()).unwrap_or_default().to_vec();
    let times: usize = random.pick(&[0, 0, 2, 3, 50]).copied().unwrap_or_default();
    bytes.splice(range, copy.repeat(times.min(1 + ROOM / copy.len().max(1))));
}

fn is_number(word: Option<&[u8]>) -> bool {
    word.is_some_and(|word| word.first().is_some_and(u8::is_ascii_digit))
}

/// Tags, runs of letters and digits, and single marks.
fn tokens(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while text.get(at).is_some_and(u8::is_ascii_whitespace) {
            at += 1;
        }
        let start = at;
        let first = *text.get(at)?;
        let run = |from: usize, of: fn(&u8) -> bool| {
            text.get(from..).unwrap_or_default().iter().take_while(|byte| of(byte)).count()
        };
        at += match first {
            // Every second tag is split into its tokens.
            b'<' if start % 2 == 0 => 1 + run(at + 1, |byte| !matches!(byte, b'<' | b'>')) + 1,
            b'0'..=b'9' => run(at, |byte| byte.is_ascii_digit()),
            b'\\' | b'/' => 1 + run(at + 1, u8::is_ascii_alphanumeric),
            byte if byte.is_ascii_alphabetic() || byte >= 0x80 => {
                run(at, |byte| byte.is_ascii_alphanumeric() || *byte >= 0x80 || matches!(byte, b':' | b'_'))
            }
            _ => 1,
        };
        at = at.min(text.len());
        Some(start..at)
    })
}
