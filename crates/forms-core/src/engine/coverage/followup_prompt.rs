//! The content of a follow-up prompt: the lines that may be rows, with the lines around them, the context
//! above them, and the known rows nearby.

use std::ops::Range;

use super::super::field_answer;
use super::super::node::NestedFields;
use super::super::rows::RowPosition;
use super::super::segment::Segment;
use super::super::text::line_shape::LineShape;
use super::DocumentReading;
use super::lines::ShownLine;
use super::lists::field_at;
use super::row_search::RowSearch;
use crate::FormSchema;

// They bound the prompt; forty rows show the model how the list is read. Chosen by hand; no measurement is
// recorded.
/// Known rows in a follow-up prompt, and their bytes.
const MAX_KNOWN: usize = 40;
const MAX_TOLD: usize = 4_000;
/// Bytes of a table header.
const MAX_HEAD: usize = 1_000;

impl RowSearch {
    /// The lines as segments of the prompt, each with the lines that may belong to it.
    pub(super) fn segments(&self, reading: &DocumentReading<'_>, asked: &[usize]) -> Vec<Segment> {
        let mut shown: Vec<(usize, Segment)> = Vec::new();
        for &first in asked {
            let Some(line) = self.lines.get(first) else { continue };
            let range = self.with_around(first, asked);
            match shown.last_mut() {
                Some((number, segment)) if *number == line.segment => match segment.pieces.last_mut() {
                    Some(piece) if piece.end >= range.start => piece.end = piece.end.max(range.end),
                    _ => segment.pieces.push(range),
                },
                _ => {
                    let Some(own) = reading.shown.get(line.segment) else { continue };
                    let context = self.context(reading, own, first);
                    shown.push((line.segment, Segment { pieces: vec![range], context, ..own.clone() }));
                }
            }
        }
        shown.into_iter().map(|(_, segment)| segment).collect()
    }

    /// A line with its neighbours that may belong to the same row.
    fn with_around(&self, number: usize, asked: &[usize]) -> Range<usize> {
        let Some(line) = self.lines.get(number) else { return 0..0 };
        let belongs = |other: &usize| {
            let is_asked = asked.binary_search(other).is_ok();
            let is_free = |other: &ShownLine| {
                !other.is_covered && !other.is_ignored && other.label.is_none() && other.shape.is_some()
            };
            !is_asked
                && self.lines.get(*other).is_some_and(|other| is_free(other) && other.segment == line.segment)
        };
        let first = (number.saturating_sub(self.reach.0)..number).rev().take_while(belongs).last();
        let last = (number + 1..=number + self.reach.1).take_while(belongs).last();
        let start =
            first.and_then(|first| self.lines.get(first)).map_or(line.range.start, |line| line.range.start);
        let end = last.and_then(|last| self.lines.get(last)).map_or(line.range.end, |line| line.range.end);
        start..end
    }

    /// The context above a line: the header of its table within the segment, else the context of the segment.
    fn context(&self, reading: &DocumentReading<'_>, segment: &Segment, number: usize) -> String {
        let own =
            |line: &&ShownLine| self.lines.get(number).is_some_and(|asked| asked.segment == line.segment);
        let text = |line: &ShownLine| {
            reading
                .sources
                .get(line.document)
                .map(|source| source.slice(&line.range).trim())
                .unwrap_or_default()
        };
        let before = self.lines.get(..number).unwrap_or_default();
        let is_table =
            self.lines.get(number).is_some_and(|line| matches!(line.shape, Some(LineShape::Cells(_))));
        let head = if is_table {
            let rule = before.iter().rposition(|line| line.shape.is_none() && text(line).starts_with('|'));
            rule.and_then(|rule| Some((self.lines.get(rule.checked_sub(1)?)?, self.lines.get(rule)?)))
                .filter(|(head, _)| own(head))
                .map(|(head, rule)| format!("{}\n{}", text(head), text(rule)))
        } else {
            let first = before.iter().position(|line| line.is_covered && own(&line));
            let above =
                first.and_then(|first| before.get(..first)?.iter().rfind(|line| line.shape.is_some()));
            let is_head = |line: &&ShownLine| own(line) && !text(line).chars().any(char::is_numeric);
            above.filter(is_head).map(|head| text(head).to_owned())
        };
        let Some(head) = head.filter(|head| head.len() <= MAX_HEAD && !head.is_empty()) else {
            return segment.context.clone();
        };
        let headings: Vec<&str> = segment.context.lines().filter(|line| line.starts_with('#')).collect();
        if headings.is_empty() { head } else { format!("{}\n{head}", headings.join("\n")) }
    }

    /// The known rows around a line, as JSON Lines.
    pub(super) fn known_near(&self, form: &FormSchema, path: &[usize], asked: Option<usize>) -> String {
        let Some(line) = asked.and_then(|number| self.lines.get(number)) else { return String::new() };
        let Some((field, _)) = field_at(&form.fields, &vec![0; path.len()]) else { return String::new() };
        let NestedFields::Items(item) = NestedFields::of(field) else { return String::new() };
        let near =
            self.rows.rows_near(RowPosition { document: line.document, at: line.range.start }, MAX_KNOWN);
        let mut told = String::new();
        for row in near {
            let written = field_answer::node_value(NestedFields::of(item), row.node.clone())
                .unwrap_or_default()
                .to_string();
            if told.len() + written.len() > MAX_TOLD {
                break;
            }
            told.push_str(&written);
            told.push('\n');
        }
        told
    }
}
