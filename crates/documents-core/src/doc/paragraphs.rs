//! Paragraph properties, by the position of the text in the main stream.

use super::fib::Fib;
use crate::ole::{u16_at, u32_at};

/// Bytes of a property page.
const PAGE: usize = 512;
/// Maximum paragraphs whose properties are read. Protects memory.
const PARAGRAPHS: usize = 1_000_000;

/// Properties of a paragraph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Properties {
    /// Heading level, from 1; 0 for other text.
    pub(super) heading: u8,
    /// For a list item, its depth and the number of the list.
    pub(super) item: Option<(u8, u16)>,
    pub(super) in_table: bool,
    /// Whether the paragraph mark ends a table row.
    pub(super) ends_row: bool,
}

/// The properties of all paragraphs, ordered by their end.
#[derive(Debug, Default)]
pub(super) struct Paragraphs {
    ends: Vec<(u32, Properties)>,
}

impl Paragraphs {
    pub(super) fn read(main: &[u8], table: &[u8], fib: &Fib) -> Self {
        let (start, length) = fib.paragraphs;
        let range = start.min(table.len())..start.saturating_add(length).min(table.len());
        let plc = table.get(range).unwrap_or_default();
        let count = plc.len().saturating_sub(4) / 8;
        let mut ends = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for index in 0..count {
            let Some(number) = u32_at(plc, (count + 1) * 4 + index * 4) else { break };
            let place = ((number & 0x003f_ffff) as usize).saturating_mul(PAGE);
            // A page that is referenced twice adds nothing new.
            if let Some(page) = main.get(place..place.saturating_add(PAGE)).filter(|_| seen.insert(number))
                && ends.len() < PARAGRAPHS
            {
                read_page(page, &mut ends);
            }
        }
        ends.sort_by_key(|(end, _)| *end);
        Self { ends }
    }

    /// The properties of the paragraph whose last character is at a position.
    pub(super) fn at(&self, place: u32) -> Properties {
        let index = self.ends.partition_point(|(end, _)| *end <= place);
        self.ends.get(index).map(|(_, properties)| *properties).unwrap_or_default()
    }
}

/// Reads a `PapxFkp` ([MS-DOC] 2.9.181).
fn read_page(page: &[u8], ends: &mut Vec<(u32, Properties)>) {
    let count = usize::from(page.last().copied().unwrap_or(0));
    for index in 0..count {
        let Some(end) = u32_at(page, (index + 1) * 4) else { return };
        let Some(&offset) = page.get((count + 1) * 4 + index * 13) else { return };
        let at = usize::from(offset) * 2;
        let (start, length) = match page.get(at) {
            Some(0) => (at + 2, usize::from(page.get(at + 1).copied().unwrap_or(0)) * 2),
            Some(&words) => (at + 1, usize::from(words) * 2 - 1),
            None => (at, 0),
        };
        let papx =
            page.get(start..(start + length).min(page.len())).filter(|_| offset != 0).unwrap_or_default();
        ends.push((end, properties(papx)));
    }
}

/// Style and property changes of a paragraph. The styles 1 to 9 are the headings of those levels.
fn properties(papx: &[u8]) -> Properties {
    let mut found = Properties::default();
    if let Some(style @ 1..=9) = u16_at(papx, 0) {
        found.heading = u8::try_from(style).unwrap_or(0);
    }
    let (mut list, mut depth) = (0, 0);
    let mut rest = papx.get(2..).unwrap_or_default();
    while let Some(code) = u16_at(rest, 0) {
        let operand = rest.get(2..).unwrap_or_default();
        let first = operand.first().copied().unwrap_or(0);
        match code {
            0x2416 => found.in_table = first != 0,
            0x2417 => found.ends_row = first != 0,
            0x260a => depth = first.min(8),
            0x460b => list = u16_at(operand, 0).unwrap_or(0),
            0x2640 if first < 9 && found.heading == 0 => found.heading = first + 1,
            _ => {}
        }
        rest = operand.get(operand_length(code, operand)..).unwrap_or_default();
    }
    // 0x7FF and above mean that there is no list.
    if (1..0x07ff).contains(&list) && found.heading == 0 {
        found.item = Some((depth, list));
    }
    found
}

/// Number of bytes of an operand ([MS-DOC] 2.6.1).
fn operand_length(code: u16, operand: &[u8]) -> usize {
    match code >> 13 {
        0 | 1 => 1,
        2 | 4 | 5 => 2,
        3 => 4,
        7 => 3,
        _ if code == 0xd608 => usize::from(u16_at(operand, 0).unwrap_or(0)) + 1,
        _ => usize::from(operand.first().copied().unwrap_or(0)) + 1,
    }
}
