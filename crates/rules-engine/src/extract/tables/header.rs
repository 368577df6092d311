//! Detects the header of a table: its line, how it separates columns, and which field each column matches.

use forms_core::labels::{Line, Segment, Word, fit, words};

use super::super::kind::Output;
use super::super::schema::Leaf;
use super::super::text::Text;
use super::cells::Field;

/// Maximum bytes of a header. Longer lines are paragraphs. Chosen by hand; no measurement is recorded.
const MAX_BYTES: usize = 400;
/// Maximum columns of a table. Bounds the time.
const MAX_COLUMNS: usize = 40;
/// Minimum fit of a column header to a field. A little less than beside a value (`labelled_text::MIN_FIT`):
/// the other columns are evidence too. Chosen by hand; no measurement is recorded.
const MIN_FIT: f32 = 0.3;
/// Names of a row's main column, which are synonyms.
const NAMES: &[&str] = &["name", "description", "title", "service", "text", "task", "activity", "position"];
/// Names of a row's total, which are synonyms.
const SUMS: &[&str] = &["amount", "total"];

/// How a line is separated into columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnSplit {
    /// By bars, tabs or wide gaps.
    Gaps,
    /// By a character, with quotes.
    Separator(char),
    /// By words, for cells that are separated by one space.
    Words,
}

/// The type of a column's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellType {
    Number,
    Text,
    Any,
}

#[derive(Clone, Debug)]
pub(super) struct Header {
    pub(super) line: usize,
    /// Index of the first line that may be a row.
    pub(super) rows: usize,
    pub(super) columns: Vec<Segment>,
    pub(super) cell_types: Vec<CellType>,
    /// The column of each field.
    pub(super) fields: Vec<Option<usize>>,
    pub(super) split: ColumnSplit,
}

impl Header {
    /// The parts of a line, separated as in the header.
    pub(super) fn parts(&self, line: &Line) -> Vec<Segment> {
        match self.split {
            ColumnSplit::Gaps if line.segments.len() == 1 && !line.table => split_by_words(line),
            ColumnSplit::Gaps => line.segments.clone(),
            ColumnSplit::Separator(mark) => split_by_separator(line, mark),
            ColumnSplit::Words => split_by_words(line),
        }
    }
}

/// The headers of a text that match at least two fields (or all, if there are fewer), best first.
pub(super) fn headers(text: &Text, fields: &[Field<'_>]) -> Vec<Header> {
    let need = fields.len().clamp(1, 2);
    let mut found: Vec<Header> = Vec::new();
    for (index, line) in text.lines.iter().enumerate() {
        // Up to four digits, as of a year; lines with more are rows. Chosen by hand; no measurement is
        // recorded.
        if line.text.len() > MAX_BYTES || line.text.bytes().filter(u8::is_ascii_digit).count() > 4 {
            continue;
        }
        let Some((parting, columns)) = detect_split(line, fields) else { continue };
        if columns.len() < need || columns.len() > MAX_COLUMNS {
            continue;
        }
        let labels: Vec<Vec<Word>> =
            columns.iter().map(|part| words(line.slice(part.start, part.end))).collect();
        let numbers = numeric_columns(text, index, &columns);
        let answers = assign_columns(&labels, &numbers, fields);
        if answers.iter().flatten().count() < need {
            continue;
        }
        let takes = infer_cell_types(columns.len(), &answers, fields);
        found.push(Header {
            line: index,
            rows: index + 1,
            columns,
            cell_types: takes,
            fields: answers,
            split: parting,
        });
        // Bounds the time of documents that repeat a header on each line.
        if found.len() > 200 {
            break;
        }
    }
    found.sort_by_key(|header| std::cmp::Reverse(header.fields.iter().flatten().count()));
    found
}

/// How a line is separated into columns, with the columns.
fn detect_split(line: &Line, fields: &[Field<'_>]) -> Option<(ColumnSplit, Vec<Segment>)> {
    if line.segments.len() >= 2 {
        return Some((ColumnSplit::Gaps, line.segments.clone()));
    }
    if let Some(mark) = [';', ',', '\t', '|'].into_iter().find(|mark| line.text.matches(*mark).count() >= 1) {
        return Some((ColumnSplit::Separator(mark), split_by_separator(line, mark)));
    }
    let columns = split_by_words(line);
    // Words with one space between them are columns only if they match at least two fields.
    let asked = |part: &Segment| {
        let label = words(line.slice(part.start, part.end));
        fields.iter().any(|(_, leaf)| column_fit(leaf, &label) >= MIN_FIT)
    };
    // More words are a sentence. Chosen by hand; no measurement is recorded.
    let enough = (2..=12).contains(&columns.len()) && columns.iter().filter(|part| asked(part)).count() >= 2;
    enough.then_some((ColumnSplit::Words, columns))
}

/// Which columns have only digits and points in the line below.
fn numeric_columns(text: &Text, header: usize, columns: &[Segment]) -> Vec<bool> {
    let below = text.lines.get(header + 1).filter(|line| line.segments.len() == columns.len());
    let digits = |index: usize| {
        below.is_some_and(|line| {
            let cell = line.segment(index);
            !cell.is_empty() && cell.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        })
    };
    (0..columns.len()).map(digits).collect()
}

/// The column of each field, each column at most once; the best fits first.
fn assign_columns(labels: &[Vec<Word>], numbered: &[bool], fields: &[Field<'_>]) -> Vec<Option<usize>> {
    let mut pairs: Vec<(f32, usize, usize)> = Vec::new();
    for (field, (_, leaf)) in fields.iter().enumerate() {
        for (column, label) in labels.iter().enumerate() {
            let fit = column_fit(leaf, label);
            // A column of only digits is not text: it numbers the rows.
            let counts = leaf.output == Output::Verbatim && numbered.get(column) == Some(&true);
            // As much as a qualifier that the field lacks (`labels::STRANGE`), about. Chosen by hand; no
            // measurement is recorded.
            let fit = if counts && !leaf.concepts.has("number") { fit - 0.3 } else { fit };
            if fit >= MIN_FIT {
                pairs.push((fit, field, column));
            }
        }
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    let mut answers: Vec<Option<usize>> = vec![None; fields.len()];
    for (_, field, column) in pairs {
        if let Some(answer) = answers.get(field).copied()
            && answer.is_none()
            && !answers.contains(&Some(column))
            && let Some(slot) = answers.get_mut(field)
        {
            *slot = Some(column);
        }
    }
    answers
}

/// How well a column header fits a field.
fn column_fit(leaf: &Leaf, label: &[Word]) -> f32 {
    let field = &leaf.concepts.words;
    let plain = fit(&leaf.concepts, label);
    let says = |list: &[&str], words: &[Word]| words.iter().any(|word| list.contains(&word.as_ref()));
    // The number of an article is not the article.
    let number = label.iter().any(|word| word == "number") && !leaf.concepts.has("number");
    let alike = |list: &[&str]| {
        let all =
            |words: &[Word]| !words.is_empty() && words.iter().all(|word| list.contains(&word.as_ref()));
        // As for labels without a colon: twice the minimum. Chosen by hand; no measurement is recorded.
        if all(field) && says(list, label) || all(label) && says(list, field) { 0.6 } else { 0.0 }
    };
    let fit = plain.max(alike(NAMES)).max(alike(SUMS));
    if number { fit - 0.35 } else { fit }
}

fn infer_cell_types(columns: usize, answers: &[Option<usize>], fields: &[Field<'_>]) -> Vec<CellType> {
    let mut takes = vec![CellType::Any; columns];
    for ((_, leaf), column) in fields.iter().zip(answers) {
        if let Some(slot) = column.and_then(|column| takes.get_mut(column)) {
            *slot = match leaf.output {
                Output::Number | Output::Integer => CellType::Number,
                Output::Verbatim if leaf.options.is_empty() => CellType::Text,
                _ => CellType::Any,
            };
        }
    }
    takes
}

fn split_by_words(line: &Line) -> Vec<Segment> {
    let mut parts = Vec::new();
    let mut start = None;
    for (index, c) in line.text.char_indices().chain([(line.text.len(), ' ')]) {
        match (c.is_whitespace(), start) {
            (true, Some(begin)) => {
                parts.push(Segment { start: begin, end: index });
                start = None;
            }
            (false, None) => start = Some(index),
            _ => {}
        }
    }
    parts
}

fn split_by_separator(line: &Line, mark: char) -> Vec<Segment> {
    let mut parts = Vec::new();
    let (mut start, mut quoted) = (0, false);
    for (index, c) in line.text.char_indices().chain([(line.text.len(), mark)]) {
        if c == '"' {
            quoted = !quoted;
        }
        if c == mark && (!quoted || index == line.text.len()) {
            let part = line.slice(start, index);
            let content = part.trim().trim_matches('"');
            let begin = start + part.find(content).unwrap_or(0);
            parts.push(Segment { start: begin, end: begin + content.len() });
            start = index + c.len_utf8();
        }
    }
    parts
}
