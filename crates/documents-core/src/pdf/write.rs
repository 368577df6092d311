//! Lines to paragraphs and headings in the document.

use super::layout::{TextFlow, corners};
use super::lines::Line;
use super::tables;
use crate::Limits;
use crate::builder::Builder;
use crate::model::{BlockKind, Rect};

/// Lines further apart than this part of their size are not of one paragraph.
const PARAGRAPH_GAP: f64 = 0.9;
/// A line this much larger than the page's usual text is a heading.
const HEADING_RATIO: f64 = 1.25;
/// Characters of a heading at the most.
const HEADING_LENGTH: usize = 120;
/// Lines of a heading at the most.
const HEADING_LINES: usize = 2;
/// Text that is as large as more than this part of its page is no heading.
const HEADING_SHARE: f64 = 0.3;

/// Writes a page.
pub(super) fn page(
    builder: &mut Builder,
    number: u32,
    size: (f32, f32),
    flows: Vec<TextFlow>,
    limits: &Limits,
) {
    builder.separate();
    let start = builder.offset();
    let main = Sizes::of(flows.first());
    // What runs in another direction is a mark on the page and heads nothing.
    let beside = Sizes::of(None);
    for (index, flow) in flows.iter().enumerate() {
        let sizes = if index == 0 { &main } else { &beside };
        for region in &flow.regions {
            for paragraph in paragraphs(region, sizes) {
                match paragraph.first().and_then(|line| flow.tables.get(line.table?)) {
                    Some(table) => tables::write(builder, number, flow.angle, table, limits),
                    None => write_paragraph(builder, number, flow.angle, paragraph, sizes),
                }
            }
        }
    }
    if builder.offset() == start {
        builder.document_mut().metadata.pages_without_text.push(number);
    }
    builder.add_page(number, size, start);
}

/// The sizes of the text of one direction.
struct Sizes {
    /// Sizes, ascending, each with the characters that are as large or larger.
    sizes: Vec<(f64, usize)>,
    /// The size in the middle of all characters.
    body: f64,
    characters: usize,
}

impl Sizes {
    fn of(flow: Option<&TextFlow>) -> Self {
        let lines = flow.into_iter().flat_map(|flow| flow.regions.iter().flatten());
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

    /// How many characters are as large.
    fn as_large(&self, size: f64) -> usize {
        let first = self.sizes.partition_point(|(other, _)| *other < 0.95 * size);
        self.sizes.get(first).map_or(0, |(_, count)| *count)
    }

    fn is_heading(&self, line: &Line) -> bool {
        self.characters > 0
            && line.size >= HEADING_RATIO * self.body
            && line.text.chars().count() <= HEADING_LENGTH
            && !line.text.contains("  ")
            && line.text.chars().filter(|c| c.is_alphabetic()).count() >= 3
            && self.as_large(line.size) as f64 <= HEADING_SHARE * self.characters as f64
    }

    fn level(&self, lines: &[Line]) -> u8 {
        if lines.iter().any(|line| line.size >= 1.6 * self.body) { 1 } else { 2 }
    }
}

/// Cuts a region where a gap or a change of size shows a new paragraph.
fn paragraphs<'l>(lines: &'l [Line], sizes: &Sizes) -> Vec<&'l [Line]> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (index, pair) in lines.windows(2).enumerate() {
        let [above, below] = pair else { continue };
        let size = above.size.max(below.size);
        let gap = below.top - above.bottom;
        let resized = above.size.min(below.size) < 0.8 * size;
        let heading = sizes.is_heading(above) != sizes.is_heading(below);
        let table = above.table.is_some() || below.table.is_some();
        if table || gap > PARAGRAPH_GAP * size || gap < -1.5 * size || resized || heading {
            parts.extend(lines.get(start..=index));
            start = index + 1;
        }
    }
    parts.extend(lines.get(start..).filter(|rest| !rest.is_empty()));
    parts
}

fn write_paragraph(builder: &mut Builder, page: u32, angle: u16, lines: &[Line], sizes: &Sizes) {
    builder.separate();
    let heading = lines.len() <= HEADING_LINES && lines.iter().all(|line| sizes.is_heading(line));
    let level = sizes.level(lines);
    if heading {
        builder.push(if level == 1 { "# " } else { "## " });
    }
    let start = builder.offset();
    let mut around: Option<Rect> = None;
    for (index, line) in lines.iter().enumerate() {
        let rect = rect(corners(line, angle));
        around = Some(around.map_or(rect, |all| union(all, rect)));
        let begin = builder.offset();
        let next = lines.get(index + 1);
        let joined = next.and_then(|next| dehyphenated(&line.text, &next.text));
        builder.push(joined.unwrap_or(&line.text));
        builder.add_span(begin, page, rect);
        match next {
            Some(_) if joined.is_some() => {}
            Some(_) if heading => builder.push(" "),
            Some(_) => builder.push("\n"),
            None => {}
        }
    }
    let kind = if heading { BlockKind::Heading { level } } else { BlockKind::Paragraph };
    builder.add_block(kind, start, Some(page), around);
}

/// The line without its hyphen, when the word goes on in the next line.
fn dehyphenated<'a>(line: &'a str, next: &str) -> Option<&'a str> {
    let stem = line.strip_suffix(['-', '\u{2010}'])?;
    let word_before = stem.chars().next_back().is_some_and(char::is_lowercase);
    let word_after = next.chars().next().is_some_and(char::is_lowercase);
    (word_before && word_after).then_some(stem)
}

fn rect([x0, y0, x1, y1]: [f64; 4]) -> Rect {
    let tenth = |value: f64| (value * 10.0).round() / 10.0;
    Rect { x0: tenth(x0), y0: tenth(y0), x1: tenth(x1), y1: tenth(y1) }
}

fn union(a: Rect, b: Rect) -> Rect {
    Rect { x0: a.x0.min(b.x0), y0: a.y0.min(b.y0), x1: a.x1.max(b.x1), y1: a.y1.max(b.y1) }
}
