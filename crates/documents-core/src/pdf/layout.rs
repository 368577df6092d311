//! Reading order: text by direction, columns of prose and blocks one after the other, everything else row by
//! row.

use std::collections::BTreeMap;

use kurbo::Point;

use super::baseline::turn_back;
use super::columns::{EFFORT, band};
use super::drawing_order::{Block, Rows, blocks};
use super::lines::{Line, record_lines, row_lines, rows};
use super::placed_glyph::PlacedGlyph;
use super::tables::{self, Rules, Table};
use super::tags::PageTags;
use super::word::Word;
use super::words::words;

/// Maximum nesting of columns. Protects time and stack.
const MAX_DEPTH: usize = 6;
/// Maximum words of a page for the detection of blocks; above, it is read row by row. A full newspaper page
/// has some 6,000. Protects time.
const MAX_WORDS: usize = 20_000;

/// Lines of one direction, with the rotation back to the page.
#[derive(Debug)]
pub(super) struct TextFlow {
    pub(super) angle: u16,
    /// Regions in reading order, each with its lines.
    pub(super) regions: Vec<Vec<Line>>,
    /// Tables that lines refer to.
    pub(super) tables: Vec<Table>,
}

/// The text of a page, with its tags when they are credible; its main direction first.
pub(super) fn lines_of(
    glyphs: Vec<PlacedGlyph>,
    rules: &[(Point, Point)],
    tags: Option<&PageTags>,
) -> Vec<TextFlow> {
    let mut directions: BTreeMap<u16, Vec<PlacedGlyph>> = BTreeMap::new();
    for glyph in glyphs {
        directions.entry(glyph.angle).or_default().push(glyph);
    }
    let mut flows: Vec<(usize, u16, Vec<PlacedGlyph>)> =
        directions.into_iter().map(|(angle, glyphs)| (glyphs.len(), angle, glyphs)).collect();
    flows.sort_by_key(|(count, angle, _)| (std::cmp::Reverse(*count), *angle));
    flows
        .into_iter()
        .map(|(_, angle, glyphs)| {
            let mut regions = Vec::new();
            let (words, tables) =
                tables::extract_tables(words(glyphs, angle, tags), &Rules::of(rules, angle));
            if words.len() > MAX_WORDS {
                regions.push(rows(words).iter().flat_map(|row| row_lines(row)).collect());
            } else {
                let mut effort = EFFORT;
                read(words, 0, &mut regions, &mut effort);
            }
            TextFlow { angle, regions, tables }
        })
        .collect()
}

/// The corners of a line on the page.
pub(super) fn corners(line: &Line, angle: u16) -> [f64; 4] {
    corners_between(line, (line.x0, line.x1), angle)
}

/// The corners of a part of a line.
pub(super) fn corners_between(line: &Line, (x0, x1): (f64, f64), angle: u16) -> [f64; 4] {
    let corners = [(x0, line.top), (x1, line.top), (x0, line.bottom), (x1, line.bottom)];
    corners.iter().fold(
        [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY],
        |all, (x, y)| {
            let (x, y) = turn_back(*x, *y, angle);
            [all[0].min(x), all[1].min(y), all[2].max(x), all[3].max(y)]
        },
    )
}

/// Orders words: bands of columns separately, all else by blocks and rows.
fn read(words: Vec<Word>, depth: usize, regions: &mut Vec<Vec<Line>>, effort: &mut usize) {
    let mut rest = rows(words);
    let mut plain: Rows = Vec::new();
    let mut index = 0;
    while index < rest.len() {
        let found =
            if depth < MAX_DEPTH { band(rest.get(index..).unwrap_or_default(), effort) } else { None };
        let Some(band) = found else {
            plain.extend(rest.get_mut(index).map(std::mem::take));
            index += 1;
            continue;
        };
        write_blocks(std::mem::take(&mut plain), regions);
        let inside =
            rest.get_mut(index..index + band.rows).unwrap_or_default().iter_mut().flat_map(std::mem::take);
        let (left, right): (Vec<Word>, Vec<Word>) = inside.partition(|word| word.middle() < band.at);
        read(left, depth + 1, regions, effort);
        read(right, depth + 1, regions, effort);
        index += band.rows;
    }
    write_blocks(plain, regions);
}

fn write_blocks(rows: Rows, regions: &mut Vec<Vec<Line>>) {
    let mut open: Vec<Line> = Vec::new();
    let mut records = false;
    for block in blocks(rows) {
        let (lines, is_record): (Vec<Line>, bool) = match block {
            Block::Rows(rows) => (rows.iter().flat_map(|row| row_lines(row)).collect(), false),
            Block::Record(cells) => (record_lines(&cells), true),
        };
        // The rows of a table stay together, whether their cells have one line or several.
        if !(records || is_record || open.is_empty()) {
            regions.push(std::mem::take(&mut open));
        }
        open.extend(lines);
        records = is_record;
    }
    if !open.is_empty() {
        regions.push(open);
    }
}
