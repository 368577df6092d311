//! The whole text of a page in reading order: nothing dropped, nothing added.
//!
//! Words are grown into blocks ([`grow`]), the blocks are sorted ([`order`]), and the lines of each block are
//! written one below the other. Running headers, page numbers and hidden text stay.

mod block_growing;
mod order;

use std::collections::BTreeMap;

use super::baseline::{turn, turn_back};
use super::lines::{Line, line, rows};
use super::placed_glyph::PlacedGlyph;
use super::word::Word;
use super::words::words;
use block_growing::{Block, grow};
use kurbo::Point;

/// Maximum steps of one document for finding blocks and their order. The rest is read row by row; no ordinary
/// document comes near. Protects time.
const EFFORT: usize = 400_000_000;

/// Single letters of a row are spaced out when their gaps are at most this many times the smallest gap, and
/// at most this many font sizes. As in poppler's `pdftotext`.
const SPACED: f64 = 1.3;
const MAX_SPACED: f64 = 0.4;

/// Extracts the text of a document's pages.
pub(super) struct RawReader {
    effort: usize,
}

impl RawReader {
    pub(super) fn new() -> Self {
        Self { effort: EFFORT }
    }

    /// The text of a page, with a newline after each line.
    pub(super) fn text(&mut self, glyphs: Vec<PlacedGlyph>) -> String {
        let mut directions: BTreeMap<u16, Vec<PlacedGlyph>> = BTreeMap::new();
        for glyph in glyphs {
            directions.entry(glyph.angle).or_default().push(glyph);
        }
        let most = directions.iter().max_by_key(|(_, glyphs)| glyphs.len());
        let main = most.map_or(0, |(angle, _)| *angle);
        let mut blocks = Vec::new();
        for (angle, glyphs) in directions {
            let grown = grow(words(glyphs, angle, None), &mut self.effort);
            blocks.extend(grown.into_iter().map(|block| block.turn_to(angle, main)));
        }
        let rtl = runs_left(&blocks);
        let mut text = String::new();
        for block in order::sort_blocks(blocks, rtl, &mut self.effort) {
            write(&mut text, &block.lines());
        }
        text
    }
}

/// Writes the lines of a block; words hyphenated at the end of a line are joined.
fn write(text: &mut String, lines: &[Line]) {
    for (index, line) in lines.iter().enumerate() {
        let stem = line.text.strip_suffix('-').filter(|stem| stem.ends_with(char::is_alphanumeric));
        match stem.filter(|_| index + 1 < lines.len()) {
            Some(stem) => text.push_str(stem),
            None => {
                text.push_str(&line.text);
                text.push('\n');
            }
        }
    }
}

/// Whether most letters belong to a right-to-left script.
fn runs_left(blocks: &[Block]) -> bool {
    let words = || blocks.iter().flat_map(|block| &block.words);
    let letters = |rtl: bool| {
        let counts = words().filter(|word| word.rtl == rtl);
        counts.map(|word| word.text.chars().filter(|c| c.is_alphabetic()).count()).sum::<usize>()
    };
    words().any(|word| word.rtl) && letters(true) > letters(false)
}

/// A row with its words; spaced-out letters are joined to words.
fn join_spaced_letters(row: Vec<Word>) -> Vec<Word> {
    let gaps = || row.windows(2).map(|pair| (pair[1].x0 - pair[0].x1) / pair[0].size);
    let least = gaps().fold(f64::INFINITY, f64::min);
    let single = row.iter().all(|word| !word.rtl && word.text.chars().count() == 1);
    if row.len() < 2 || !single || least <= 0.0 {
        return row;
    }
    let most = (SPACED * least).min(MAX_SPACED);
    let mut words: Vec<Word> = Vec::new();
    for word in row {
        match words.last_mut() {
            Some(last) if (word.x0 - last.x1) / last.size < most => last.append(word),
            _ => words.push(word),
        }
    }
    words
}

impl Block {
    /// Converts its coordinates to those of text in direction `main`.
    fn turn_to(mut self, angle: u16, main: u16) -> Self {
        if angle != main {
            let area = self.area;
            let corners = [(area.x0, area.y0), (area.x1, area.y0), (area.x0, area.y1), (area.x1, area.y1)];
            let points = corners.map(|(x, y)| {
                let (x, y) = turn_back(x, y, angle);
                let (x, y) = turn(Point::new(x, y), main);
                Point::new(x, y)
            });
            let [first, ..] = points;
            self.area = points
                .iter()
                .fold(kurbo::Rect::from_points(first, first), |area, point| area.union_pt(*point));
        }
        self
    }

    /// Its lines from top to bottom.
    fn lines(self) -> Vec<Line> {
        rows(self.words).into_iter().filter_map(|row| line(&join_spaced_letters(row))).collect()
    }
}
