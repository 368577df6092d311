//! Formats page numbers as text.

use std::fmt;

/// Maximum ranges that are written out; beyond, the pages are counted. So that an error stays one sentence.
const MAX_RANGES: usize = 10;

/// Page numbers, ascending. They are displayed as `page 3`, or `pages 1-3, 7`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageNumbers(pub Vec<u32>);

impl PageNumbers {
    /// The verb `need` or `needs`.
    pub(crate) fn need(&self) -> &'static str {
        if self.0.len() == 1 { "needs" } else { "need" }
    }

    fn ranges(&self) -> Vec<(u32, u32)> {
        self.0
            .chunk_by(|a, b| a.checked_add(1) == Some(*b))
            .filter_map(|range| Some((*range.first()?, *range.last()?)))
            .collect()
    }
}

impl fmt::Display for PageNumbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.len() == 1 { "page " } else { "pages " })?;
        let ranges = self.ranges();
        for (index, (first, last)) in ranges.iter().take(MAX_RANGES).enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            if first == last {
                write!(f, "{comma}{first}")?;
            } else {
                write!(f, "{comma}{first}-{last}")?;
            }
        }
        let rest: u64 = ranges.iter().skip(MAX_RANGES).map(|(first, last)| u64::from(last - first) + 1).sum();
        if rest > 0 { write!(f, " and {rest} more") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_follow_each_other_are_a_range_and_many_are_counted() {
        let text = |numbers: &[u32]| PageNumbers(numbers.to_vec()).to_string();
        assert_eq!(text(&[3]), "page 3");
        assert_eq!(text(&[1, 2, 3, 7, 9, 10]), "pages 1-3, 7, 9-10");
        let odd: Vec<u32> = (0..15).map(|index| 2 * index + 1).collect();
        assert_eq!(text(&odd), "pages 1, 3, 5, 7, 9, 11, 13, 15, 17, 19 and 5 more");
    }
}
