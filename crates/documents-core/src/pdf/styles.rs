//! The font sizes of a document, and its headings by size.
//!
//! No corpus with known headings measures these thresholds; `tests/pdf/structure.rs`, `layout.rs` and
//! `tagged.rs` have single cases.

use super::lines::Line;
use super::page_layout::LaidOutPage;
use super::tags::Role;

/// Minimum ratio of a heading's font size to the body size. Chosen by hand.
const HEADING_RATIO: f64 = 1.25;
/// Minimum ratio for a bold line that stands alone. Chosen by hand.
const BOLD_RATIO: f64 = 0.95;
/// Maximum characters of a heading. Chosen by hand.
const HEADING_LENGTH: usize = 120;
/// Maximum characters of a heading that is only bold. Chosen by hand.
const BOLD_LENGTH: usize = 80;
/// Text in a size that more than this part of its page has is no heading. Case:
/// `larger_lines_are_headings_unless_most_of_the_page_is_as_large`. Chosen by hand.
const HEADING_SHARE: f64 = 0.3;
/// Sizes that differ by less than this part are equal. Chosen by hand.
const SAME_SIZE: f64 = 0.05;
/// Tagged headings are ignored when they are more than this part of a document. Case:
/// `a_document_whose_every_line_is_tagged_as_a_heading_has_none`. Chosen by hand.
const TAGGED_SHARE: f64 = 0.4;
/// Minimum mean lines of tagged paragraphs; with fewer, each tag is just a line. Chosen by hand.
const LINES_OF_PARAGRAPH: f64 = 1.5;
/// Bold text is the body text when it is more than this part of a document. Chosen by hand.
const BOLD_SHARE: f64 = 0.3;
/// Minimum letters of a heading. Chosen by hand.
const MIN_LETTERS: usize = 3;

/// The sizes of some text.
#[derive(Default)]
pub(super) struct Sizes {
    /// Sizes, ascending, each with the number of characters that are as large or larger.
    sizes: Vec<(f64, usize)>,
    /// The median size of all characters.
    body: f64,
    characters: usize,
}

impl Sizes {
    pub(super) fn of<'l>(lines: impl Iterator<Item = &'l Line>) -> Self {
        let mut sizes: Vec<(f64, usize)> = lines.map(|line| (line.size, line.text.chars().count())).collect();
        sizes.sort_by(|a, b| a.0.total_cmp(&b.0));
        let characters = sizes.iter().map(|(_, count)| count).sum();
        let mut passed = 0;
        let middle = sizes.iter().find(|(_, count)| {
            passed += count;
            passed * 2 > characters
        });
        let body = middle.map_or(0.0, |(size, _)| *size);
        let mut larger = 0;
        for (_, count) in sizes.iter_mut().rev() {
            larger += *count;
            *count = larger;
        }
        Self { sizes, body, characters }
    }

    /// The median font size of all characters.
    pub(super) fn body(&self) -> f64 {
        self.body
    }

    /// The part of the characters that are as large.
    fn share(&self, size: f64) -> f64 {
        let first = self.sizes.partition_point(|(other, _)| *other < (1.0 - SAME_SIZE) * size);
        let count = self.sizes.get(first).map_or(0, |(_, count)| *count);
        count as f64 / self.characters.max(1) as f64
    }
}

/// The headings of a document: the same appearance has the same level on all pages.
pub(super) struct Styles {
    all: Sizes,
    /// Sizes of headings, largest first.
    levels: Vec<f64>,
    /// Whether bold text is rare enough to mark headings.
    bold_tells: bool,
    /// Whether tagged headings are credible: some text has them, and not too much.
    tags_tell: bool,
    /// Whether tagged paragraphs are credible: many have several lines.
    paragraphs_tell: bool,
}

impl Styles {
    pub(super) fn of(sheets: &[LaidOutPage]) -> Self {
        let all = Sizes::of(sheets.iter().flat_map(LaidOutPage::main_lines));
        let bold: usize = sheets
            .iter()
            .flat_map(LaidOutPage::main_lines)
            .filter(|line| line.bold)
            .map(|line| line.text.chars().count())
            .sum();
        let bold_tells = bold as f64 <= BOLD_SHARE * all.characters as f64;
        let tagged: usize = sheets
            .iter()
            .flat_map(LaidOutPage::main_lines)
            .filter(|line| level_by_tag(line).is_some())
            .map(|line| line.text.chars().count())
            .sum();
        let tags_tell = tagged > 0 && tagged as f64 <= TAGGED_SHARE * all.characters as f64;
        let paragraphs_tell = paragraphs_tell(sheets);
        let mut styles = Self { all, levels: Vec::new(), bold_tells, tags_tell, paragraphs_tell };
        let mut sizes: Vec<f64> = Vec::new();
        for sheet in sheets {
            let page = Sizes::of(sheet.main_lines());
            sizes
                .extend(sheet.main_lines().filter(|line| styles.is_large(line, &page)).map(|line| line.size));
        }
        sizes.sort_by(|a, b| b.total_cmp(a));
        sizes.dedup_by(|smaller, larger| *smaller > (1.0 - SAME_SIZE) * *larger);
        styles.levels = sizes;
        styles
    }

    /// Whether a line is large enough for a heading, relative to its page.
    pub(super) fn is_large(&self, line: &Line, page: &Sizes) -> bool {
        line.size >= HEADING_RATIO * self.all.body
            && may_head(line, HEADING_LENGTH)
            && page.share(line.size) <= HEADING_SHARE
    }

    /// Whether a line that stands alone is a heading because it is bold.
    pub(super) fn is_bold_heading(&self, line: &Line) -> bool {
        self.bold_tells
            && line.bold
            && !(self.tags_tell && line.tag.is_some())
            && line.size >= BOLD_RATIO * self.all.body
            && may_head(line, BOLD_LENGTH)
            && !line.text.ends_with(['.', ',', ';', ':', '\u{3002}'])
    }

    pub(super) fn tags_tell_paragraphs(&self) -> bool {
        self.paragraphs_tell
    }

    /// The element of a tagged heading, and its level.
    pub(super) fn tagged_heading(&self, line: &Line) -> Option<(u32, u8)> {
        level_by_tag(line).filter(|_| self.tags_tell)
    }

    /// The level of a heading by its size; 1 is the highest, 6 the lowest, as in Markdown. Those that are only
    /// bold are below all larger ones.
    pub(super) fn level(&self, size: f64) -> u8 {
        let above = self.levels.iter().take_while(|level| size < (1.0 - SAME_SIZE) * **level).count();
        u8::try_from(above + 1).unwrap_or(6).min(6)
    }
}

/// Whether tagged paragraphs have several lines, so that they are not just lines.
fn paragraphs_tell(sheets: &[LaidOutPage]) -> bool {
    let tags = || sheets.iter().flat_map(LaidOutPage::main_lines).filter_map(|line| line.tag);
    let mut blocks: Vec<u32> = tags().filter(|tag| tag.role == Role::Text).map(|tag| tag.block).collect();
    let lines = blocks.len();
    blocks.sort_unstable();
    blocks.dedup();
    lines as f64 >= LINES_OF_PARAGRAPH * blocks.len() as f64
}

/// The element and level of a heading by its tag.
fn level_by_tag(line: &Line) -> Option<(u32, u8)> {
    match line.tag?.role {
        Role::Heading(level) if line.text.contains(char::is_alphanumeric) => Some((line.tag?.block, level)),
        _ => None,
    }
}

fn may_head(line: &Line, length: usize) -> bool {
    line.table.is_none()
        && !line.figure
        && line.text.chars().count() <= length
        && !line.text.contains("  ")
        && line.text.chars().filter(|c| c.is_alphabetic()).count() >= MIN_LETTERS
}
