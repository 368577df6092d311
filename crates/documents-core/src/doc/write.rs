//! Writes characters and properties as blocks.

use std::collections::HashMap;

use document::BlockKind;

use super::fib::Fib;
use super::lists::Lists;
use super::paragraphs::{Paragraphs, Properties};
use super::pieces::Characters;
use crate::Limits;
use crate::builder::Builder;
use crate::new_cell::NewCell;

/// The mark at the end of a cell or a row.
const CELL: char = '\u{7}';

/// Levels of a list.
const DEPTHS: usize = 9;

/// Writes the main text, then notes and text boxes. Headers and footers, macros and comments are left out.
pub(super) fn document(
    builder: &mut Builder,
    characters: &Characters,
    shape: &ParagraphTables,
    fib: &Fib,
    limits: &Limits,
) {
    let mut start = 0_usize;
    for (part, length) in fib.lengths.into_iter().enumerate() {
        let end = start.saturating_add(length);
        if part == 0 || matches!(part, 1 | 5 | 6) {
            let mut writer = Writer {
                builder,
                limits,
                note: matches!(part, 1 | 5),
                text: String::new(),
                fields: Vec::new(),
                codes: 0,
                cell: String::new(),
                row: Vec::new(),
                rows: Vec::new(),
                has_properties: fib.modern,
                lists: &shape.lists,
                counts: HashMap::new(),
            };
            writer.part(characters, &shape.paragraphs, start..end);
        }
        start = end;
    }
}

/// Paragraph properties and lists.
#[derive(Debug)]
pub(super) struct ParagraphTables {
    pub(super) paragraphs: Paragraphs,
    pub(super) lists: Lists,
}

struct Writer<'b> {
    builder: &'b mut Builder,
    limits: &'b Limits,
    note: bool,
    text: String,
    /// For each open field, whether its instruction has ended and its result is being read.
    fields: Vec<bool>,
    /// Number of open fields whose instruction has not ended.
    codes: usize,
    cell: String,
    row: Vec<String>,
    rows: Vec<Vec<String>>,
    has_properties: bool,
    lists: &'b Lists,
    /// Item counters of each list, by depth.
    counts: HashMap<usize, [u32; DEPTHS]>,
}

impl Writer<'_> {
    fn part(&mut self, characters: &Characters, paragraphs: &Paragraphs, range: std::ops::Range<usize>) {
        let end = range.end.min(characters.text.len());
        let range = range.start.min(end)..end;
        let text = characters.text.get(range.clone()).unwrap_or_default();
        let places = characters.places.get(range).unwrap_or_default();
        for (character, place) in text.iter().zip(places) {
            match *character {
                '\u{13}' => {
                    self.fields.push(false);
                    self.codes += 1;
                }
                '\u{14}' => {
                    if let Some(field @ false) = self.fields.last_mut() {
                        *field = true;
                        self.codes -= 1;
                    }
                }
                '\u{15}' => {
                    if self.fields.pop() == Some(false) {
                        self.codes -= 1;
                    }
                }
                _ if self.codes > 0 => {}
                '\r' | '\u{c}' => self.end_paragraph(paragraphs.at(*place)),
                CELL => self.end_cell(paragraphs.at(*place)),
                '\u{b}' | '\n' => self.text.push('\n'),
                '\u{e}' | '\t' => self.text.push('\t'),
                '\u{1e}' => self.text.push('-'),
                // Pictures, note marks, invisible hyphens.
                '\0'..='\u{1f}' | '\u{ad}' | '\u{200b}' => {}
                other => self.text.push(other),
            }
        }
        // An unclosed field must not swallow the next part.
        self.fields.clear();
        self.codes = 0;
        self.end_paragraph(Properties::default());
        self.end_row();
        self.end_table();
    }

    fn end_paragraph(&mut self, properties: Properties) {
        if properties.in_table {
            if !self.cell.is_empty() {
                self.cell.push('\n');
            }
            self.cell.push_str(&std::mem::take(&mut self.text));
            return;
        }
        self.end_row();
        self.end_table();
        let text = std::mem::take(&mut self.text);
        let lines: Vec<String> =
            text.split('\n').map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        let text = lines.join("\n");
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        if self.note {
            self.builder.block(BlockKind::Footnote, "", text);
        } else if properties.heading > 0 {
            let level = properties.heading.min(6);
            let mark = format!("{} ", "#".repeat(usize::from(level)));
            self.builder.block(BlockKind::Heading { level }, &mark, &text.replace('\n', " "));
        } else if let Some((depth, list)) = properties.item {
            self.write_item(depth, list, &text.replace('\n', " "));
        } else {
            self.builder.block(BlockKind::Paragraph, "", text);
        }
    }

    fn write_item(&mut self, depth: u8, list: u16, text: &str) {
        let indent = "  ".repeat(usize::from(depth));
        let numbered = self.lists.level(list, depth).filter(|(_, numbered)| *numbered);
        let Some((definition, _)) = numbered else {
            self.builder.block(BlockKind::ListItem { depth, ordered: false }, &format!("{indent}- "), text);
            return;
        };
        let counts = self.counts.entry(definition).or_default();
        let place = usize::from(depth).min(DEPTHS - 1);
        counts[place] = counts[place].saturating_add(1);
        // Deeper levels restart.
        counts[place + 1..].fill(0);
        let count = counts[place];
        let mark = format!("{indent}{count}. ");
        self.builder.block(BlockKind::ListItem { depth, ordered: true }, &mark, text);
    }

    fn end_cell(&mut self, properties: Properties) {
        if !self.cell.is_empty() && !self.text.is_empty() {
            self.cell.push('\n');
        }
        self.cell.push_str(&std::mem::take(&mut self.text));
        // Without properties, an empty cell after others is taken for the end of the row.
        let ends =
            properties.ends_row || (!self.has_properties && self.cell.is_empty() && !self.row.is_empty());
        if ends {
            self.end_row();
        } else {
            self.row.push(std::mem::take(&mut self.cell));
        }
    }

    fn end_row(&mut self) {
        if !self.cell.trim().is_empty() {
            self.row.push(std::mem::take(&mut self.cell));
        }
        self.cell.clear();
        if !self.row.is_empty() {
            self.rows.push(std::mem::take(&mut self.row));
        }
    }

    fn end_table(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        let cells = |(index, row): (usize, Vec<String>)| {
            row.into_iter().map(|text| NewCell::plain(text, index == 0)).collect::<Vec<_>>()
        };
        let rows: Vec<Vec<NewCell>> = rows.into_iter().enumerate().map(cells).collect();
        if rows.iter().flatten().any(|cell| !cell.text.trim().is_empty()) {
            self.builder.table(&rows, self.limits);
        }
    }
}
