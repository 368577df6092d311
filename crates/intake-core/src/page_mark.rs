//! Printed page numbers: `Page 1 of 2`, `Seite 1`, `1 / 2`.

use language::fold::fold_word;
use language::vocabulary::is_page_word;

/// Pages of a document at most of which a printed number tells; larger numbers are years and codes.
const MAX_PAGES: u32 = 2_000;
/// Letters of a word between a page number and the number of pages, such as `of`, `von` and `sur`.
const MAX_LINK: usize = 4;
/// Words of a line that has nothing but a page number.
const BARE_WORDS: usize = 3;

/// A printed page number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PageMark {
    pub(crate) number: u32,
    /// The number of pages, where it is printed.
    pub(crate) total: Option<u32>,
}

/// The page number in the first or the last lines of a page; one with a number of pages counts first.
pub(crate) fn page_mark(top: &[&str], bottom: &[&str]) -> Option<PageMark> {
    let mut found: Vec<PageMark> = top.iter().chain(bottom).filter_map(|line| in_line(line)).collect();
    found.sort_by_key(|mark| mark.total.is_none());
    found.first().copied()
}

fn in_line(line: &str) -> Option<PageMark> {
    let words: Vec<&str> =
        line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let after_word = words.iter().enumerate().filter(|(_, word)| is_page_word(&fold_word(word)));
    let marked = after_word.filter_map(|(at, _)| numbers(words.get(at + 1..)?)).next();
    let bare = || numbers(&words).filter(|mark| mark.total.is_some() && words.len() <= BARE_WORDS);
    // A date has two slashes, and three numbers.
    let is_bare = || {
        line.matches('/').count() == 1
            || words.len() == BARE_WORDS && words.get(1).is_some_and(|word| is_link(word))
    };
    marked.or_else(|| bare().filter(|_| is_bare()))
}

/// A page number at the beginning of some words, and the number of pages after it.
fn numbers(words: &[&str]) -> Option<PageMark> {
    let number = count(words.first()?)?;
    let total = match words.get(1) {
        Some(word) if is_link(word) => words.get(2),
        other => other,
    };
    let total = total.and_then(|word| count(word)).filter(|total| *total >= number);
    Some(PageMark { number, total })
}

fn is_link(word: &str) -> bool {
    word.chars().all(char::is_alphabetic) && word.chars().nth(MAX_LINK).is_none()
}

fn count(word: &str) -> Option<u32> {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|count| is_number && (1..=MAX_PAGES).contains(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_numbers_are_read_in_several_languages() {
        for (line, number, total) in [
            ("Page 1 of 2", 1, Some(2)),
            ("Seite 3 von 12", 3, Some(12)),
            ("Page: 2", 2, None),
            ("Rechnung 17, Seite 2/3", 2, Some(3)),
            ("1 / 2", 1, Some(2)),
            ("2 of 4", 2, Some(4)),
        ] {
            assert_eq!(page_mark(&[line], &[]), Some(PageMark { number, total }), "{line}");
        }
        for line in ["17 / 5 / 2024", "Total 2 4", "2024", "3 pieces 4", "Page 0", "5 of 2"] {
            assert_eq!(page_mark(&[line], &[]), None, "{line}");
        }
        assert_eq!(page_mark(&["Page 1"], &["Page 1 of 3"]).and_then(|mark| mark.total), Some(3));
    }
}
