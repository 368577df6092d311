//! The search for the missing rows of one list.

use std::collections::HashSet;

use super::super::error::Failure;
use super::super::field_question::FieldQuestion;
use super::super::node::Node;
use super::super::rows::{Row, RowList, remove_repeats};
use super::super::segment::Segment;
use super::super::text::line_shape::{LineShape, RowShapes};
use super::super::text::summary_lines::SumLabel;
use super::super::totals::{ColumnSums, amounts_on};
use super::super::{align, pictures, prompt};
use super::document_reading::DocumentReading;
use super::lines::{ShownLine, beside_rows, line_at, lines, mark_covered};
use super::lists::{node_at, pointer_of};
use crate::{Field, FormSchema};

// Limits of cost. Set on the tuned layouts of `tests/engine/lists` (docs/benchmarks/extraction.md, poor
// models): a model that gives two rows a call exceeds them. None was measured alone.
/// Follow-up calls per list and prompt that may find fewer than [`LEAST_FOUND`] rows.
const MAX_POOR_CALLS: usize = 24;
const LEAST_FOUND: usize = 5;
/// The text of all follow-up calls in tokens, as a multiple of the initial prompt.
const MAX_SHOWN: usize = 6;
/// Attempts at a line before it counts as something else.
const MAX_ASKED: u8 = 2;
/// Rows per call at least, however few were found before.
const LEAST_ROWS: usize = 20;
/// Lines that must be rows before others of their shape count as rows.
const LEAST_LINES: usize = 2;
/// Lines after a possible row that are sent with it at least, for rows of several lines.
const FOLLOWING: usize = 2;
/// Lines between two rows of a list of names and numbers: a page's footer and the next header.
const MAX_BETWEEN: usize = 12;
/// Printed sums that the rows are compared with.
const MAX_SUMS: usize = 60;

/// The search for the missing rows of one list.
pub(super) struct RowSearch {
    /// Row shapes found by other readings.
    pub(super) known: RowShapes,
    pub(super) lines: Vec<ShownLine>,
    /// Lines before and after a row's line that may belong to it.
    pub(super) reach: (usize, usize),
    pub(super) rows: RowList,
    /// Whether the last answer was truncated within the list.
    is_cut: bool,
    /// Rows per call: as many as the model returned before.
    pub(super) batch: usize,
    /// Whether possible rows are left that were not sent.
    has_unasked: bool,
}

impl RowSearch {
    pub(super) fn new(reading: &DocumentReading<'_>, items: Vec<Node>, is_cut: bool) -> Self {
        let rows: Vec<Row> =
            remove_repeats(items).into_iter().map(|node| Row::new(node, reading.sources)).collect();
        let mut lines = lines(reading);
        let mut reach = (0, FOLLOWING);
        for (before, after) in rows.iter().map(|row| mark_covered(&mut lines, row)) {
            reach = (reach.0.max(before), reach.1.max(after));
        }
        let batch = rows.len().max(LEAST_ROWS);
        let rows = RowList::from_rows(rows);
        Self { known: RowShapes::default(), lines, reach, rows, is_cut, batch, has_unasked: false }
    }

    /// Calls the model until no line looks like a row, or a limit is reached. Only calls that find few rows
    /// count against the limit, because each of the others shortens the rest.
    pub(super) async fn run(
        &mut self,
        reading: &DocumentReading<'_>,
        form: &FormSchema,
        path: &[usize],
    ) -> Result<(), Failure> {
        let mut room = reading.tokens(reading.shown).saturating_mul(MAX_SHOWN);
        let mut poor_calls = 0;
        while poor_calls < MAX_POOR_CALLS {
            let asked = self.next_lines(reading, self.batch);
            if asked.is_empty() {
                return Ok(());
            }
            let shown = self.segments(reading, &asked);
            let tokens = reading.tokens(&shown);
            if tokens > room {
                break;
            }
            room -= tokens;
            let known = self.known_near(form, path, asked.first().copied());
            let new = match self.ask_for_rows(reading, form, path, &shown, &known).await {
                Ok(new) => new,
                Err(error) if reading.question.asking.is_worth_retrying(&error) => return Err(error),
                // Keep the rows found so far; the list reports that it is incomplete.
                Err(Failure::Model(_) | Failure::Refused | Failure::Unusable) => break,
                Err(error) => return Err(error),
            };
            let found = self.add_rows(reading, new);
            poor_calls += usize::from(found < LEAST_FOUND);
            self.mark_asked(&asked, found);
            // If many lines had no row, more lines may have none either.
            self.batch = if found == 0 { asked.len().saturating_mul(2) } else { found }.max(LEAST_ROWS);
        }
        self.has_unasked = !self.next_lines(reading, 1).is_empty();
        Ok(())
    }

    /// The message for an incomplete list; `None` when it is complete. `said` is an earlier message.
    pub(super) fn incomplete_message(&self, field: &Field, said: Option<String>) -> Option<String> {
        let told = || {
            format!(
                "'{}' may not be complete: lines that look like its entries could not be read",
                field.name
            )
        };
        match (self.is_cut, self.has_unasked) {
            (true, _) => Some(said.unwrap_or_else(told)),
            (false, true) => Some(told()),
            (false, false) => None,
        }
    }

    /// The shapes of the rows found.
    pub(super) fn shapes(&self) -> RowShapes {
        let mut shapes = RowShapes::default();
        let rows = self.lines.iter().filter(|line| line.is_row && !line.is_ignored);
        rows.filter_map(|line| line.shape.as_ref()).for_each(|shape| shapes.learn(shape));
        shapes
    }

    /// Marks the lines that the model skipped: those before the last row that it returned, or all if it
    /// returned none. It may have stopped before the later ones.
    fn mark_asked(&mut self, asked: &[usize], found: usize) {
        let is_covered = |line: &&usize| self.lines.get(**line).is_some_and(|line| line.is_covered);
        let reached = asked.iter().rev().find(is_covered).copied();
        for number in asked.iter().take_while(|number| found == 0 || Some(**number) < reached) {
            if let Some(line) = self.lines.get_mut(*number) {
                line.asked = if found == 0 { MAX_ASKED } else { line.asked + 1 };
            }
        }
    }

    /// The lines of the next call: those that look like rows, at most `batch`. After a truncated answer also
    /// all lines after the last row.
    pub(super) fn next_lines(&self, reading: &DocumentReading<'_>, batch: usize) -> Vec<usize> {
        let mut shapes = self.shapes();
        shapes.extend(&self.known);
        let is_row = |line: &ShownLine| {
            let Some(shape) = &line.shape else { return false };
            let enough = matches!(shape, LineShape::Cells(_)) || shapes.count() >= LEAST_LINES;
            enough && line.may_be_row(&shapes) && shapes.knows(shape)
        };
        let beside = self.lines_beside_rows(reading, &shapes);
        let last = self.lines.iter().rposition(|line| line.is_covered);
        let behind = |number: usize| self.is_cut && last.is_some_and(|last| number > last);
        let wanted = |(number, line): &(usize, &ShownLine)| {
            !line.is_covered
                && line.asked < MAX_ASKED
                && (behind(*number) || is_row(line) || beside.contains(number))
        };
        let mut rows = 0;
        let fits = |(number, line): &(usize, &ShownLine)| {
            rows += usize::from(!behind(*number) || is_row(line));
            rows <= batch
        };
        self.lines.iter().enumerate().filter(wanted).take_while(fits).map(|(number, _)| number).collect()
    }

    /// Lines that may be rows because they are next to rows: words if rows are words; names with a number if
    /// rows are such, unless the sum of the rows is printed.
    fn lines_beside_rows(&self, reading: &DocumentReading<'_>, shapes: &RowShapes) -> HashSet<usize> {
        if shapes.is_of_words() {
            return beside_rows(&self.lines, 0, ShownLine::is_words);
        }
        let fits = |line: &ShownLine| {
            let is_known = line.shape.as_ref().is_some_and(|shape| shapes.knows_edge(shape));
            is_known && !line.is_ignored && line.label.is_none()
        };
        let found = beside_rows(&self.lines, MAX_BETWEEN, fits);
        let is_new = |number: &usize| self.lines.get(*number).is_some_and(|line| !line.is_covered);
        if found.iter().any(is_new) && !self.is_summed(reading) { found } else { HashSet::new() }
    }

    /// Whether the largest printed sum is that of all rows, with or without a tax.
    fn is_summed(&self, reading: &DocumentReading<'_>) -> bool {
        let printing = reading.question.printing;
        let mut columns = ColumnSums::default();
        self.rows.iter_reversed().for_each(|row| columns.add(&row.node, printing));
        let text = |line: &ShownLine| {
            reading.sources.get(line.document).map(|source| source.slice(&line.range)).unwrap_or_default()
        };
        let amounts = |is_it: fn(&SumLabel) -> bool| -> Vec<f64> {
            let lines = self.lines.iter().filter(|line| line.label.as_ref().is_some_and(is_it));
            lines.flat_map(|line| amounts_on(text(line), printing)).take(MAX_SUMS).collect()
        };
        let total = amounts(|label| label.is_sum).into_iter().reduce(f64::max);
        let taxes = amounts(|label| label.is_tax);
        // Subtotals are less than the total.
        total.is_some_and(|total| {
            columns.has_sum(total) || taxes.iter().any(|tax| columns.has_sum(total - tax))
        })
    }

    async fn ask_for_rows(
        &mut self,
        reading: &DocumentReading<'_>,
        form: &FormSchema,
        path: &[usize],
        shown: &[Segment],
        known: &str,
    ) -> Result<Vec<Node>, Failure> {
        let mut request = prompt::missing_rows_request(reading.system, reading.sources, shown, known);
        let mut seen =
            reading.pictures.load_followup(shown, reading.sources, reading.question.pictures).await;
        if !seen.is_empty() {
            let key = pictures::places_key(&form.fields);
            request = pictures::add_pictures(&request, reading.sources, shown, &seen, &key);
        }
        let question = FieldQuestion {
            request: &request,
            part: form,
            shown: shown.len(),
            can_reask: false,
            pictures: &seen,
            ..reading.question
        };
        let mut filled = question.fill().await?;
        align::attach_evidence(&form.fields, &mut filled.nodes, reading.sources, shown);
        reading.pictures.add_sizes(&mut seen, &filled.places).await;
        pictures::attach_places(&form.fields, &mut filled.nodes, reading.sources, &seen, &filled.places);
        reading.copies.move_to_origin(&mut filled.nodes);
        // The form contains only the list and the objects around it.
        let path = vec![0; path.len()];
        let pointer = pointer_of(&form.fields, &path);
        let is_cut = filled.is_cut(&pointer);
        let (items, problem) = match node_at(&mut filled.nodes, &path) {
            Some(Node::List { items, problem }) => (items, problem),
            // An answer without the list does not mean that there are no more rows.
            Some(Node::Failed(_)) => return Err(Failure::Unusable),
            _ => {
                self.is_cut = false;
                return Ok(Vec::new());
            }
        };
        self.is_cut = is_cut && problem.is_some();
        Ok(remove_repeats(std::mem::take(items)))
    }

    /// Adds the rows on lines that had none; returns how many.
    fn add_rows(&mut self, reading: &DocumentReading<'_>, new: Vec<Node>) -> usize {
        let rows = new.into_iter().map(|node| Row::new(node, reading.sources));
        let shapes = self.shapes();
        let is_new = |row: &Row| {
            let line = row.place.and_then(|place| line_at(&self.lines, place));
            line.and_then(|line| self.lines.get(line))
                .is_some_and(|line| !line.is_covered && line.may_be_row(&shapes))
        };
        let rows: Vec<Row> = rows.filter(is_new).collect();
        for row in &rows {
            // A repeated row says nothing about further rows around it.
            if self.rows.knows(row) {
                let line = row.place.and_then(|place| line_at(&self.lines, place));
                if let Some(line) = line.and_then(|line| self.lines.get_mut(line)) {
                    line.is_covered = true;
                }
                continue;
            }
            let (before, after) = mark_covered(&mut self.lines, row);
            self.reach = (self.reach.0.max(before), self.reach.1.max(after));
        }
        let before = self.rows.len();
        self.rows.merge_rows(rows);
        self.rows.len() - before
    }
}
