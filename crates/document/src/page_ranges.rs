//! Which pages of a document are meant: ranges such as `1-3,7`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Characters of a text at most. It bounds the time and memory of a reference; five hundred ranges of pages with
/// three digits fit. Chosen by hand.
pub const MAX_PAGE_RANGES: usize = 4_000;
/// The form of a text, as a regular expression without features of one engine. A range may still be refused for
/// its order.
pub const PAGE_RANGES_PATTERN: &str =
    "^ *[1-9][0-9]{0,8} *(- *[1-9][0-9]{0,8} *)?(, *[1-9][0-9]{0,8} *(- *[1-9][0-9]{0,8} *)?)*$";

/// A set of page numbers, from 1: ascending ranges that neither overlap nor touch. Its text, and its JSON, is
/// `1-3,7`; parsing takes ranges in any order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PageRanges(Vec<(u32, u32)>);

/// Digits of a page number at most.
const MAX_DIGITS: usize = 9;

/// Why a text names no pages. `Display` is the user's message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PageRangesError {
    /// It is no list of numbers and ranges.
    #[error("'pages' must be page numbers and ranges, as in '1-3,7'")]
    Syntax,
    /// A page number is 0.
    #[error("'pages' counts from 1")]
    Zero,
    /// A range ends before it begins.
    #[error("'pages' has the range {0}-{1}, which ends before it begins")]
    Backwards(u32, u32),
    /// It has more than [`MAX_PAGE_RANGES`] characters.
    #[error("'pages' may have at most {MAX_PAGE_RANGES} characters")]
    TooLong,
}

impl PageRanges {
    /// The pages `first` to `last`; `None` unless 1 ≤ `first` ≤ `last`.
    #[must_use]
    pub fn of(first: u32, last: u32) -> Option<Self> {
        (1 <= first && first <= last).then(|| Self(vec![(first, last)]))
    }

    /// These pages; `None` when there are none, or one is 0.
    #[must_use]
    pub fn of_pages(pages: impl IntoIterator<Item = u32>) -> Option<Self> {
        let pages = Self::normalised(pages.into_iter().map(|page| (page, page)).collect());
        pages.0.first().is_some_and(|(first, _)| *first > 0).then_some(pages)
    }

    /// The ranges, ascending: first and last page.
    #[must_use]
    pub fn ranges(&self) -> &[(u32, u32)] {
        &self.0
    }

    /// The largest page number.
    #[must_use]
    pub fn last(&self) -> u32 {
        self.0.last().map_or(0, |(_, last)| *last)
    }

    /// Whether a page is among them.
    #[must_use]
    pub fn contains(&self, page: u32) -> bool {
        let after = self.0.partition_point(|(_, last)| *last < page);
        self.0.get(after).is_some_and(|(first, _)| *first <= page)
    }

    /// Sorts the ranges, and joins those that overlap or touch.
    fn normalised(mut ranges: Vec<(u32, u32)>) -> Self {
        ranges.sort_unstable();
        let mut joined: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
        for (first, last) in ranges {
            match joined.last_mut() {
                Some(before) if first <= before.1.saturating_add(1) => before.1 = before.1.max(last),
                _ => joined.push((first, last)),
            }
        }
        Self(joined)
    }
}

impl FromStr for PageRanges {
    type Err = PageRangesError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.chars().nth(MAX_PAGE_RANGES).is_some() {
            return Err(PageRangesError::TooLong);
        }
        text.split(',').map(range).collect::<Result<Vec<_>, _>>().map(Self::normalised)
    }
}

fn range(text: &str) -> Result<(u32, u32), PageRangesError> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last) = (number(first)?, number(last)?);
    match (first, last) {
        (0, _) | (_, 0) => Err(PageRangesError::Zero),
        _ if last < first => Err(PageRangesError::Backwards(first, last)),
        range => Ok(range),
    }
}

fn number(text: &str) -> Result<u32, PageRangesError> {
    let text = text.trim_matches(' ');
    // `parse` takes signs and leading zeros, too.
    let is_number = matches!(text.len(), 1..=MAX_DIGITS) && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_plain = is_number && (text == "0" || !text.starts_with('0'));
    text.parse().ok().filter(|_| is_plain).ok_or(PageRangesError::Syntax)
}

impl fmt::Display for PageRanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (first, last)) in self.0.iter().enumerate() {
            let comma = if place > 0 { "," } else { "" };
            match first == last {
                true => write!(f, "{comma}{first}")?,
                false => write!(f, "{comma}{first}-{last}")?,
            }
        }
        Ok(())
    }
}

impl Serialize for PageRanges {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PageRanges {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, PageRangesError> {
        text.parse::<PageRanges>().map(|pages| pages.to_string())
    }

    #[test]
    fn ranges_are_sorted_and_joined() {
        for (text, pages) in [
            ("1-3,7", "1-3,7"),
            (" 7 , 1 - 3 ", "1-3,7"),
            ("3,1,2", "1-3"),
            ("1-5,2-3", "1-5"),
            ("999999999", "999999999"),
            ("1-1", "1"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(pages), "{text}");
        }
    }

    #[test]
    fn what_names_no_pages_is_refused_with_its_reason() {
        use PageRangesError::{Backwards, Syntax, TooLong, Zero};
        for text in ["", "x", "1-", "-1", "1,,2", "+1", "1-2-3", "1234567890", "１", "1.5", "01", "1\n"] {
            assert_eq!(read(text), Err(Syntax), "{text}");
        }
        assert_eq!(read("0"), Err(Zero));
        assert_eq!(read("0-2"), Err(Zero));
        assert_eq!(read("5-2"), Err(Backwards(5, 2)));
        let odd = |count: usize| (0..count).map(|n| (2 * n + 1).to_string()).collect::<Vec<_>>().join(",");
        assert_eq!(read(&odd(10_000)), Err(TooLong));
        assert_eq!(read(&odd(800)).as_deref(), Ok(odd(800).as_str()));
    }

    #[test]
    fn a_page_is_among_them_or_not() {
        let pages: PageRanges = "2-3,7".parse().unwrap();
        let found: Vec<u32> = (0..10).filter(|page| pages.contains(*page)).collect();
        assert_eq!((found, pages.last()), (vec![2, 3, 7], 7));
        assert_eq!(PageRanges::of_pages([7, 2, 3]), Some(pages));
        assert_eq!((PageRanges::of_pages([]), PageRanges::of_pages([0, 1])), (None, None));
    }
}
