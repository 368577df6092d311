//! What the division of a document looks at on each of its pages.

use document::{Page, TextSlices};
use forms_core::labels::labelled_values;
use language::Language;
use language::detect::detect_reliably;
use language::fold::fold_word;
use language::form_kinds::kinds_named;
use language::label::SumWord;

use crate::page_mark::{PageMark, page_mark};

// Bounds of time and memory of one page; the beginning and the end of a page tell of its document.
/// Bytes of a page that are looked at.
const MAX_BYTES: usize = 20_000;
/// Lines at the top that may have a letterhead or a title, and lines at the bottom.
const TOP_LINES: usize = 10;
const BOTTOM_LINES: usize = 4;
/// Labels of a page, and words of its first lines.
const MAX_LABELS: usize = 100;
const MAX_TOP_WORDS: usize = 100;
/// Words of a line that may be a title, and of one that says that something is carried over. Chosen by hand.
const TITLE_WORDS: usize = 6;
/// Letters and digits of a page without content at most: specks of a scan. Chosen by hand.
const BLANK: usize = 3;
/// The same of a separator sheet, which has a word or a code word and no number. Chosen by hand.
const SEPARATOR: usize = 30;

/// A label with its value, both folded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PageLabel {
    pub(crate) label: String,
    pub(crate) value: String,
}

/// A page as the division sees it.
#[derive(Clone, Debug, Default)]
pub(crate) struct PageProfile {
    pub(crate) number: u32,
    /// Width and height in points.
    pub(crate) size: (f32, f32),
    /// Whether its text is from OCR, or still needs it.
    pub(crate) is_scan: bool,
    /// Whether it has next to no text, and none that could be read by OCR.
    pub(crate) is_blank: bool,
    /// Folded words of its first lines, without those with digits.
    pub(crate) top: Vec<String>,
    /// Folded words of at least four letters, sorted.
    pub(crate) words: Vec<String>,
    /// The language of its text; unknown where it cannot be told.
    pub(crate) language: Option<Language>,
    pub(crate) mark: Option<PageMark>,
    /// In their order.
    pub(crate) labels: Vec<PageLabel>,
    /// Kinds of documents that its title lines name.
    pub(crate) kinds: Vec<&'static str>,
    /// Whether its first, or its last lines say that something is carried over.
    pub(crate) carries: (bool, bool),
    /// Whether it begins within a sentence, and whether it ends in one.
    pub(crate) open: (bool, bool),
}

impl PageProfile {
    pub(crate) fn of(page: &Page, slices: &TextSlices<'_>) -> Self {
        let text = cut(slices.get(page.start, page.end));
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| has_content(line)).collect();
        let top = lines.get(..TOP_LINES.min(lines.len())).unwrap_or_default();
        let bottom = lines.get(lines.len().saturating_sub(BOTTOM_LINES)..).unwrap_or_default();
        let mark = page_mark(top, bottom);
        let mut words: Vec<String> =
            folded_words(text).filter(|word| word.chars().nth(3).is_some()).collect();
        words.sort_unstable();
        words.dedup();
        Self {
            number: page.number,
            size: (page.width, page.height),
            is_scan: page.recognised || page.needs_ocr,
            is_blank: !page.needs_ocr && is_blank(&lines, mark),
            top: top.iter().flat_map(|line| folded_words(line)).take(MAX_TOP_WORDS).collect(),
            words,
            language: detect_reliably(text),
            mark,
            labels: labels(text),
            kinds: top.iter().filter(|line| is_title(line)).flat_map(|line| kinds_named(line)).collect(),
            carries: (top.iter().any(|line| is_carried(line)), bottom.iter().any(|line| is_carried(line))),
            open: (
                top.first().is_some_and(|line| begins_within(line)),
                bottom.last().is_some_and(|line| ends_within(line)),
            ),
        }
    }
}

/// The beginning of a text, cut between characters.
fn cut(text: &str) -> &str {
    let end = (0..=MAX_BYTES.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    text.get(..end.unwrap_or_default()).unwrap_or_default()
}

fn has_content(line: &str) -> bool {
    line.chars().any(char::is_alphanumeric)
}

/// The folded words of a text, without those with digits.
pub(crate) fn folded_words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).map(fold_word);
    words.filter(|word| !word.is_empty() && !word.chars().any(|c| c.is_ascii_digit()))
}

/// Whether a line is short enough to be a title.
pub(crate) fn is_title(line: &str) -> bool {
    line.split_whitespace().nth(TITLE_WORDS).is_none()
}

fn labels(text: &str) -> Vec<PageLabel> {
    let found = labelled_values(text).into_iter().take(MAX_LABELS);
    found
        .map(|one| PageLabel { value: fold_word(text.get(one.value).unwrap_or_default()), label: one.label })
        .collect()
}

/// Whether a page has no content of a document. A value, however short, is content.
fn is_blank(lines: &[&str], mark: Option<PageMark>) -> bool {
    let count: usize = lines.iter().map(|line| line.chars().filter(|c| c.is_alphanumeric()).count()).sum();
    let has_digits = lines.iter().any(|line| line.chars().any(char::is_numeric));
    let is_marked = mark.is_some() && lines.len() == 1;
    count <= BLANK
        || is_marked
        || count <= SEPARATOR && !has_digits && !lines.iter().any(|line| line.contains(':'))
}

/// Whether a short line says that a sum is carried over, or that the document is continued.
fn is_carried(line: &str) -> bool {
    if !is_title(line) {
        return false;
    }
    let words: Vec<String> = folded_words(line).collect();
    let phrases = (0..words.len()).flat_map(|start| {
        (start + 1..=words.len())
            .filter_map(|end| words.get(start..end))
            .map(<[String]>::concat)
            .collect::<Vec<_>>()
    });
    phrases.into_iter().any(|phrase| SumWord::Carried.has(&phrase))
}

fn begins_within(line: &str) -> bool {
    line.chars().find(|c| c.is_alphanumeric()).is_some_and(char::is_lowercase)
}

fn ends_within(line: &str) -> bool {
    // Cells of a table end anywhere.
    !line.ends_with('|') && line.chars().next_back().is_some_and(|c| c.is_lowercase() || c == ',')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(text: &str) -> PageProfile {
        let page = Page { number: 1, end: text.chars().count(), ..Page::default() };
        PageProfile::of(&page, &TextSlices::new(text))
    }

    #[test]
    fn sheets_without_content_are_blank_and_short_values_are_not() {
        for text in ["", " \n.\n", "SEPARATOR SHEET", "Page 2 of 2", "- - -"] {
            assert!(profile(text).is_blank, "{text}");
        }
        for text in ["Total: 4", "12.50", "Paid", "Dear Ms Grey,\nthank you for your letter of last week."] {
            assert_eq!(profile(text).is_blank, text == "Paid", "{text}");
        }
        let unread = Page { number: 1, needs_ocr: true, ..Page::default() };
        assert!(!PageProfile::of(&unread, &TextSlices::new("")).is_blank);
    }

    #[test]
    fn a_page_tells_its_title_labels_and_what_is_carried_over() {
        let page = profile("Harbour Ltd\n# Invoice\nInvoice No.: A-17\nÜbertrag 120,00\n");
        assert!(page.kinds.contains(&"invoice") && page.carries == (true, true));
        assert_eq!(page.labels[0], PageLabel { label: "invoiceno".into(), value: "a17".into() });
        assert_eq!(profile("Invoice\nTotal 4\n").carries, (false, false));
    }

    #[test]
    fn a_sentence_may_run_over_from_one_page_to_the_next() {
        assert_eq!(profile("of the goods, which\nthe buyer shall").open, (true, true));
        assert_eq!(profile("The goods.\nPaid.").open, (false, false));
    }
}
