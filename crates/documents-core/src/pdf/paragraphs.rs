//! Lines to paragraphs, headings and items of lists.

use super::lines::Line;
use super::styles::{Sizes, Styles};

/// Lines further apart than this part of their size are not of one paragraph.
const PARAGRAPH_GAP: f64 = 0.9;
/// Lines of a heading at the most.
const HEADING_LINES: usize = 2;
/// Items that begin within this many sizes of each other are of one level.
const SAME_INDENT: f64 = 0.5;
/// Levels of lists at the most.
const MAX_DEPTH: usize = 8;
/// Marks of items that are nothing else.
const BULLETS: &str = "\u{2022}\u{2023}\u{2043}\u{204c}\u{2219}\u{25aa}\u{25ab}\u{25cf}\u{25cb}\u{25e6}\u{25b8}\u{25ba}\u{27a2}\u{2756}\u{f0b7}\u{f0a7}\u{f0d8}\u{f076}\u{f0a8}\u{f0fc}\u{b7}";
/// Marks that are also other things: they count where several lines begin with one.
const DASHES: &str = "-\u{2010}\u{2013}\u{2014}*o\u{fffd}";

/// What a paragraph is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Plain,
    Heading {
        level: u8,
    },
    /// An item of a list, with the characters of its mark.
    Item {
        depth: u8,
        ordered: bool,
        mark: usize,
    },
    /// The number of a table.
    Table(usize),
}

/// Lines that belong together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paragraph<'l> {
    pub(super) kind: Kind,
    pub(super) lines: &'l [Line],
}

/// The paragraphs of a region.
pub(super) fn paragraphs<'l>(lines: &'l [Line], styles: Option<&Styles>, page: &Sizes) -> Vec<Paragraph<'l>> {
    let marks = marks(lines);
    let large = |line: &Line| styles.is_some_and(|styles| styles.is_large(line, page));
    let mut found = Vec::new();
    let mut indents: Vec<f64> = Vec::new();
    let mut start = 0;
    for end in 1..=lines.len() {
        let parts = match lines.get(end - 1..=end) {
            Some([above, below]) => {
                marks.get(end).is_some_and(Option::is_some)
                    || large(above) != large(below)
                    || are_apart(above, below)
            }
            _ => true,
        };
        if !parts {
            continue;
        }
        let part = lines.get(start..end).unwrap_or_default();
        let mark = marks.get(start).copied().flatten();
        let kind = kind(part, mark, &mut indents, styles, &large);
        found.push(Paragraph { kind, lines: part });
        start = end;
    }
    found
}

fn kind(
    lines: &[Line],
    mark: Option<Mark>,
    indents: &mut Vec<f64>,
    styles: Option<&Styles>,
    large: &impl Fn(&Line) -> bool,
) -> Kind {
    let Some(first) = lines.first() else { return Kind::Plain };
    if let Some(table) = first.table {
        return Kind::Table(table);
    }
    if let Some(Mark { ordered, characters, .. }) = mark
        && !large(first)
    {
        let depth = depth(indents, first);
        return Kind::Item { depth, ordered, mark: characters };
    }
    indents.clear();
    let bold = |line: &Line| styles.is_some_and(|styles| styles.is_bold_heading(line));
    let short = lines.len() <= HEADING_LINES;
    match styles {
        Some(styles) if short && (lines.iter().all(large) || lines.iter().all(bold)) => {
            Kind::Heading { level: styles.level(first.size) }
        }
        _ => Kind::Plain,
    }
}

/// The level of an item by where it begins, below those before it.
fn depth(indents: &mut Vec<f64>, line: &Line) -> u8 {
    let reach = SAME_INDENT * line.size;
    while indents.len() > 1 && indents.last().is_some_and(|indent| *indent > line.x0 + reach) {
        indents.pop();
    }
    if indents.last().is_none_or(|indent| *indent < line.x0 - reach) && indents.len() < MAX_DEPTH {
        indents.push(line.x0);
    }
    u8::try_from(indents.len().saturating_sub(1)).unwrap_or(0)
}

/// Whether a gap, a step back up or a change of size shows that lines are of two paragraphs.
fn are_apart(above: &Line, below: &Line) -> bool {
    let size = above.size.max(below.size);
    let gap = below.top - above.bottom;
    let resized = above.size.min(below.size) < 0.8 * size;
    let table = above.table.is_some() || below.table.is_some();
    table
        || resized
        || gap > PARAGRAPH_GAP * size
        || gap < -1.5 * size
        || above.bold != below.bold && is_alone(above, below)
}

/// Whether one of two lines is short and ends no sentence: a bold line above or below such a one is a
/// heading, within a paragraph it is emphasis.
fn is_alone(above: &Line, below: &Line) -> bool {
    above.bold && above.x1 < below.x1 - above.size
}

/// The mark that a line begins with.
#[derive(Clone, Copy, Debug)]
struct Mark {
    ordered: bool,
    /// Characters of the mark and the space after it.
    characters: usize,
    /// What it counts, and how.
    number: i64,
    style: char,
    sure: bool,
}

/// The marks of the lines that are items.
fn marks(lines: &[Line]) -> Vec<Option<Mark>> {
    let marks: Vec<Option<Mark>> =
        lines.iter().map(|line| mark(&line.text).filter(|_| line.table.is_none())).collect();
    let is_item = |index: usize, mark: &Mark| {
        let others =
            marks.iter().enumerate().filter(|(other, _)| *other != index).filter_map(|(_, mark)| *mark);
        mark.sure
            || others
                .filter(|other| other.style == mark.style)
                .any(|other| !mark.ordered || (other.number - mark.number).abs() == 1)
    };
    (0..marks.len())
        .map(|index| marks.get(index).copied().flatten().filter(|mark| is_item(index, mark)))
        .collect()
}

fn mark(text: &str) -> Option<Mark> {
    let (head, rest) = text.split_once(' ')?;
    let space = rest.chars().take_while(|c| *c == ' ').count() + 1;
    let characters = head.chars().count() + space;
    let begins = rest.trim_start().chars().next()?;
    let mut letters = head.chars();
    if let (Some(only), None) = (letters.next(), letters.next()) {
        let sure = BULLETS.contains(only);
        let dash = DASHES.contains(only) && begins.is_alphabetic();
        return (sure || dash).then_some(Mark { ordered: false, characters, number: 0, style: only, sure });
    }
    let style = head.chars().next_back().filter(|c| matches!(c, '.' | ')'))?;
    let inner = head.trim_start_matches('(').trim_end_matches(style);
    let number = match inner.parse::<u16>() {
        Ok(number) if inner.len() <= 3 => i64::from(number),
        _ => {
            let mut letters = inner.chars();
            let letter = letters.next().filter(|c| c.is_ascii_lowercase() && letters.next().is_none())?;
            0x1_0000 + i64::from(u32::from(letter))
        }
    };
    Some(Mark { ordered: true, characters, number, style, sure: false })
}
