//! Groups lines into paragraphs, headings and list items.

use super::lines::Line;
use super::styles::{Sizes, Styles};
use super::tags::Role;

/// Lines with a gap above this part of their font size belong to two paragraphs. Their baselines are then
/// 1.85 apart ([`Word::top`](super::word::Word::top)); lines of text are about 1.2 apart.
/// Chosen by hand; no measurement recorded.
const PARAGRAPH_GAP: f64 = 0.9;
/// The same for lines of one tagged paragraph.
/// `paragraphs_by_tags_are_whole_and_apart_whatever_the_space_between_their_lines` has 1.45. Chosen by hand;
/// no measurement recorded.
const TAGGED_GAP: f64 = 2.0;
/// Maximum lines of a heading. Chosen by hand; no measurement recorded.
const HEADING_LINES: usize = 2;
/// Maximum lines of a tagged heading, and its maximum characters. Chosen by hand; no measurement recorded.
const TAGGED_LINES: usize = 6;
const TAGGED_LENGTH: usize = 400;
/// Items whose left edges differ by less than this many font sizes have one level.
/// Chosen by hand; no measurement recorded.
const SAME_INDENT: f64 = 0.5;
/// Maximum levels of lists. Chosen by hand; no measurement recorded.
const MAX_DEPTH: usize = 8;
/// Lines belong to two paragraphs when one is smaller than this part of the other.
/// Chosen by hand; no measurement recorded.
const SAME_SIZE: f64 = 0.8;
/// A step up by more than this many font sizes begins a paragraph. Chosen by hand; no measurement recorded.
const STEP_UP: f64 = 1.5;
/// Characters that are always bullets.
const BULLETS: &str = "\u{2022}\u{2023}\u{2043}\u{204c}\u{2219}\u{25aa}\u{25ab}\u{25cf}\u{25cb}\u{25e6}\u{25b8}\u{25ba}\u{27a2}\u{2756}\u{f0b7}\u{f0a7}\u{f0d8}\u{f076}\u{f0a8}\u{f0fc}\u{b7}";
/// Ambiguous bullets: they count when several lines begin with one.
const DASHES: &str = "-\u{2010}\u{2013}\u{2014}*o\u{fffd}";

/// What a paragraph is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Plain,
    Heading {
        level: u8,
    },
    /// A list item, with the number of characters of its mark.
    Item {
        depth: u8,
        ordered: bool,
        mark: usize,
    },
    /// A table by its index.
    Table(usize),
    /// A figure's description.
    Figure,
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
    let head = |line: &Line| (styles.and_then(|styles| styles.tagged_heading(line)), large(line));
    let mut found = Vec::new();
    let mut indents: Vec<f64> = Vec::new();
    let mut start = 0;
    for end in 1..=lines.len() {
        let parts = match lines.get(end - 1..=end) {
            Some([above, below]) => {
                marks.get(end).is_some_and(Option::is_some)
                    || heads_apart(head(above), head(below))
                    || are_apart(above, below)
                    || are_parted_by_tags(above, below, styles)
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
    if first.figure {
        return Kind::Figure;
    }
    if let Some((_, level)) = styles.and_then(|styles| styles.tagged_heading(first)) {
        indents.clear();
        let length: usize = lines.iter().map(|line| line.text.chars().count()).sum();
        let is_short = lines.len() <= TAGGED_LINES && length <= TAGGED_LENGTH;
        return if is_short { Kind::Heading { level } } else { Kind::Plain };
    }
    if let Some(Mark { ordered, characters, .. }) = mark
        && !large(first)
    {
        let depth = tagged_item(first).map_or_else(|| depth(indents, first), |(_, depth)| depth);
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

/// The level of an item by its left edge, relative to the items before it.
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

/// Whether a gap, a step back up or a change of font size separates two lines.
fn are_apart(above: &Line, below: &Line) -> bool {
    let size = above.size.max(below.size);
    let gap = below.top - above.bottom;
    let resized = above.size.min(below.size) < SAME_SIZE * size;
    let is_one = above.tag.zip(below.tag).is_some_and(|(above, below)| above.block == below.block);
    let own = |line: &Line| line.table.is_some() || line.figure;
    own(above)
        || own(below)
        || resized
        || gap > if is_one { TAGGED_GAP } else { PARAGRAPH_GAP } * size
        || gap < -STEP_UP * size
        || above.bold != below.bold && is_alone(above, below)
}

/// Whether tags put two lines into different paragraphs. Some programs tag each line separately; then only
/// lines that are not one above the other are separated.
fn are_parted_by_tags(above: &Line, below: &Line, styles: Option<&Styles>) -> bool {
    let differ = above.tag.zip(below.tag).is_some_and(|(above, below)| above.block != below.block);
    let is_beside = above.x1.min(below.x1) < above.x0.max(below.x0);
    differ && (is_beside || styles.is_some_and(Styles::tags_tell_paragraphs))
}

/// Whether one of two lines is short and ends no sentence: a bold line next to such a line is a heading,
/// within a paragraph it is emphasis.
fn is_alone(above: &Line, below: &Line) -> bool {
    above.bold && above.x1 < below.x1 - above.size
}

/// Whether a heading begins or ends between two lines: by their elements, or by their font size.
fn heads_apart(above: (Option<(u32, u8)>, bool), below: (Option<(u32, u8)>, bool)) -> bool {
    match (above.0, below.0) {
        (None, None) => above.1 != below.1,
        (above, below) => above != below,
    }
}

/// The element of a tagged list item, and its depth.
fn tagged_item(line: &Line) -> Option<(u32, u8)> {
    match line.tag?.role {
        Role::Item { depth } => Some((line.tag?.block, depth)),
        _ => None,
    }
}

/// The mark of a tagged list item, which may have none that is visible.
fn tagged_mark(line: &Line) -> Option<Mark> {
    let label = line.tag?.label;
    let seen = mark(&line.text);
    let text: String = line.text.chars().take(label).collect();
    let space = line.text.chars().skip(label).take_while(|c| *c == ' ').count();
    let counts = |c: char| c.is_ascii_digit() || matches!(c, '.' | ')');
    let ordered = if label > 0 { text.contains(counts) } else { seen.is_some_and(|mark| mark.ordered) };
    let characters = if label > 0 { label + space } else { seen.map_or(0, |mark| mark.characters) };
    // A label alone on its line is not a mark.
    (characters < line.text.chars().count()).then_some(Mark {
        ordered: ordered && characters > 0,
        characters,
        number: 0,
        style: ' ',
        sure: true,
    })
}

/// The mark at the beginning of a line.
#[derive(Clone, Copy, Debug)]
struct Mark {
    ordered: bool,
    /// Characters of the mark and the space after it.
    characters: usize,
    /// Its number and numbering style.
    number: i64,
    style: char,
    sure: bool,
}

/// The marks of the lines that are list items.
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
        .map(|index| {
            let item = lines.get(index).and_then(tagged_item);
            let before = index.checked_sub(1).and_then(|before| lines.get(before)).and_then(tagged_item);
            match item {
                Some(item) if Some(item) == before => None,
                Some(_) => lines.get(index).and_then(tagged_mark),
                None => marks.get(index).copied().flatten().filter(|mark| is_item(index, mark)),
            }
        })
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
    // Longer numbers, such as years, are no marks.
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
