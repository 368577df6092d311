//! OCR errors by which one line is read in two ways: letters for similar digits, and lost punctuation.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

/// Numbers of a line that may differ in punctuation. With more, two different rows could be one. Chosen by
/// hand; no measurement is recorded.
const MAX_DOTS: usize = 1;

/// The class of characters that OCR confuses; `None` for characters that are easily lost.
fn confusable_class(c: char) -> Option<char> {
    match c {
        'O' | 'o' => Some('0'),
        'l' | 'I' | 'i' => Some('1'),
        'S' | 's' => Some('5'),
        'B' => Some('8'),
        '.' | ',' | '\'' | '’' => None,
        _ if c.is_whitespace() => None,
        _ => Some(c),
    }
}

/// A word with each character replaced by its class, so confusable words are equal.
pub(super) fn confusable_skeleton(word: &str) -> String {
    word.chars().filter_map(confusable_class).collect()
}

/// A hash that is equal for lines that may be the same line.
pub(super) fn confusable_key(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.chars().filter_map(confusable_class).for_each(|c| c.hash(&mut hasher));
    hasher.finish()
}

/// Whether two lines are the same line read in two ways: their words are confusable one by one, more of them
/// are equal than not, and at most [`MAX_DOTS`] number differs in punctuation. Digits are never confused with
/// each other.
pub(super) fn is_same_line(a: &str, b: &str) -> bool {
    let (mut same, mut slips, mut dots) = (0_usize, 0_usize, 0_usize);
    let (mut own, mut others) = (a.split_whitespace(), b.split_whitespace());
    loop {
        match (own.next(), others.next()) {
            (None, None) => break,
            (Some(a), Some(b)) if a == b => same += 1,
            (Some(a), Some(b)) if confusable_skeleton(a) == confusable_skeleton(b) => {
                slips += 1;
                dots += usize::from(!a.contains(char::is_alphabetic) && !b.contains(char::is_alphabetic));
            }
            _ => return false,
        }
    }
    same > slips && dots <= MAX_DOTS
}

/// The byte ranges of corresponding words of a line and of its first occurrence.
pub(super) fn align_words<'a>(
    text: &'a str,
    first: &'a str,
) -> impl Iterator<Item = (Range<usize>, Range<usize>)> + 'a {
    places(text).zip(places(first))
}

fn places(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.split_whitespace().map(move |word| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        start..start + word.len()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_was_read_in_two_ways_is_one() {
        for (a, b) in [
            ("A-1001 Bolt M6 12 1.05", "A-lOO1 Bolt M6 12 1.05"),
            ("Invoice No. 20177 of May", "Invoice No 20177 of May"),
            ("Pen 2 1.50 3.00", "Pen 2 150 3.00"),
        ] {
            assert!(confusable_key(a) == confusable_key(b) && is_same_line(a, b), "{a}");
        }
        for (a, b) in [
            ("A-1001 Bolt M6 12 1.05", "A-1007 Bolt M6 12 1.05"),
            ("Pen 2 1.50 3.00", "Pen 2 1.50 8.00"),
            ("Pen 2 1.50 3.00", "Pen 2 150 300"),
            ("Pen 1.50", "Pen 150"),
            ("Pen 2 5.00", "Pen 2 -5.00"),
        ] {
            assert!(!is_same_line(a, b), "{a}");
        }
        let places: Vec<_> = align_words("a lO c", "a 10 cd").collect();
        assert_eq!(places, [(0..1, 0..1), (2..4, 2..4), (5..6, 5..7)]);
    }
}
