//! Rows that a model left out: it stopped early, was cut off, or passed over some. Lines that look like the
//! rows that were found, and that no row stands on, are shown to it again, until nothing new comes.

mod lines;
mod lists;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use gen_core::estimate_tokens;

use super::copies::Copies;
use super::error::Failure;
use super::fill::{Filled, Question};
use super::node::{Fields, Node};
use super::plan::of_fields;
use super::rows::{Place, Row, Rows, without_repeats};
use super::segment::{Segment, Source};
use super::text::shape::{RowShapes, Shape};
use super::{align, coerce, prompt, said};
use crate::{Field, FormSchema};
use lines::{Line, cover, line_at, lines};
use lists::{ListAt, field_at, find_lists, node_at, pointer_of};

/// Further calls for one list of one reading.
const MAX_CALLS: usize = 24;
/// Tokens of text that they show together, as a multiple of the reading's.
const MAX_SHOWN: usize = 6;
/// How often a line is shown again before it is taken for something else.
const MAX_ASKED: u8 = 2;
/// Rows that are asked for at once, however few came before.
const LEAST_ROWS: usize = 20;
/// Printed lines that must be rows before others like them are taken for rows.
const LEAST_LINES: usize = 2;
/// Rows that must be known elsewhere, and lines like them, before a list without rows is looked at again.
const LEAST_KNOWN: usize = 5;
const LEAST_UNREAD: usize = 3;
/// Lines after one that looks like a row that are shown with it at least: the rest of a row of several lines.
const FOLLOWING: usize = 2;
/// Known rows that a further question shows, and their bytes.
const MAX_KNOWN: usize = 40;
const MAX_TOLD: usize = 4_000;
/// Bytes of a table's head.
const MAX_HEAD: usize = 1_000;

/// What a reading shows, and how it is asked about.
#[derive(Debug)]
pub(super) struct Reading<'a> {
    pub(super) sources: &'a [Source<'a>],
    pub(super) copies: &'a Copies,
    pub(super) shown: &'a [Segment],
    /// What stands before the documents.
    pub(super) system: &'a str,
    /// The question that was asked first.
    pub(super) question: Question<'a>,
}

impl Reading<'_> {
    /// Tokens of what segments hold.
    fn tokens(&self, shown: &[Segment]) -> usize {
        let of = |segment: &Segment| {
            let source = self.sources.get(segment.document)?;
            Some(segment.pieces.iter().map(|piece| estimate_tokens(source.slice(piece))).sum::<usize>())
        };
        shown.iter().filter_map(of).sum()
    }

    /// Completes every list of objects; gives, by the field's place in the part, how the rows of the topmost
    /// lists look.
    pub(super) async fn complete(&self, filled: &mut Filled) -> Result<HashMap<usize, RowShapes>, Failure> {
        let mut shapes = HashMap::new();
        let mut lists = Vec::new();
        find_lists(
            &self.question.part.fields,
            &filled.nodes,
            &ListAt { path: vec![], pointer: String::new() },
            &mut lists,
        );
        for at in lists {
            let is_cut = filled.is_cut(&at.pointer);
            let Some((field, only)) = field_at(&self.question.part.fields, &at.path) else { continue };
            let Some(Node::List { items, problem }) = node_at(&mut filled.nodes, &at.path) else { continue };
            let items_now = std::mem::take(items);
            let most = field.max_items.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
            let mut search = Search::new(self, items_now, is_cut && problem.is_some());
            let outcome = match search.rows.len() < most {
                true => search.run(self, &of_fields(vec![only]), &at.path).await,
                false => Ok(()),
            };
            if let [top] = at.path.as_slice() {
                shapes.insert(*top, search.shapes());
            }
            let left = search.left(field, problem.take());
            *items = search.rows.into_nodes();
            *problem = left.or_else(|| coerce::count_rule(field, items.len()));
            outcome?;
        }
        Ok(shapes)
    }

    /// Looks for rows where a list has none, but others of the same document have: some models answer that
    /// there is nothing rather than that there is much. `known` says by field how these rows look.
    pub(super) async fn look(
        &self,
        nodes: &mut [Node],
        known: &HashMap<usize, RowShapes>,
    ) -> Result<(), Failure> {
        for (index, field) in self.question.part.fields.iter().enumerate() {
            let Some(shapes) = known.get(&index).filter(|shapes| shapes.count() >= LEAST_KNOWN) else {
                continue;
            };
            let Some(node) = nodes.get_mut(index).filter(|node| is_empty(node)) else { continue };
            let mut search = Search::new(self, Vec::new(), false);
            search.known.extend(shapes);
            search.batch = usize::MAX;
            if search.next(LEAST_UNREAD).len() < LEAST_UNREAD {
                continue;
            }
            search.run(self, &of_fields(vec![field.clone()]), &[0]).await?;
            let problem = search.left(field, None);
            let items = search.rows.into_nodes();
            if !items.is_empty() || problem.is_some() {
                *node = Node::List { items, problem };
            }
        }
        Ok(())
    }
}

fn is_empty(node: &Node) -> bool {
    match node {
        Node::Absent => true,
        Node::List { items, problem } => items.is_empty() && problem.is_none(),
        _ => false,
    }
}

/// The search for the missing rows of one list.
struct Search {
    /// How rows look that others found.
    known: RowShapes,
    lines: Vec<Line>,
    /// Lines before and after that of a row which may belong to it.
    reach: (usize, usize),
    rows: Rows,
    /// Whether the last answer was cut off in the list.
    is_cut: bool,
    /// Rows that are asked for at once: as many as the model gave before.
    batch: usize,
    /// Whether lines are left that should have been asked for.
    is_left: bool,
}

impl Search {
    fn new(reading: &Reading<'_>, items: Vec<Node>, is_cut: bool) -> Self {
        let rows: Vec<Row> =
            without_repeats(items).into_iter().map(|node| Row::new(node, reading.sources)).collect();
        let mut lines = lines(reading);
        let mut reach = (0, FOLLOWING);
        for (before, after) in rows.iter().map(|row| cover(&mut lines, row)) {
            reach = (reach.0.max(before), reach.1.max(after));
        }
        let batch = rows.len().max(LEAST_ROWS);
        let rows = Rows::first(rows);
        Self { known: RowShapes::default(), lines, reach, rows, is_cut, batch, is_left: false }
    }

    async fn run(&mut self, reading: &Reading<'_>, form: &FormSchema, path: &[usize]) -> Result<(), Failure> {
        let mut room = reading.tokens(reading.shown).saturating_mul(MAX_SHOWN);
        for _ in 0..MAX_CALLS {
            let asked = self.next(self.batch);
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
            let new = match self.ask(reading, form, path, &shown, &known).await {
                Ok(new) => new,
                Err(error) if reading.question.asking.waits_for(&error) => return Err(error),
                // What came before is not thrown away because the rest did not come; the list says so.
                Err(Failure::Model(_) | Failure::Refused | Failure::Unusable) => break,
                Err(error) => return Err(error),
            };
            let found = self.take(reading, new);
            if found == 0 {
                return Ok(());
            }
            self.settle(&asked);
            self.batch = found.max(LEAST_ROWS);
        }
        self.is_left = !self.next(1).is_empty();
        Ok(())
    }

    /// The sentence about what is left unread, which may have been said before.
    fn left(&self, field: &Field, said: Option<String>) -> Option<String> {
        let told = || {
            format!(
                "'{}' may not be complete: lines that look like its entries could not be read",
                field.name
            )
        };
        match (self.is_cut, self.is_left) {
            (true, _) => Some(said.unwrap_or_else(told)),
            (false, true) => Some(told()),
            (false, false) => None,
        }
    }

    /// How the rows look that were found.
    fn shapes(&self) -> RowShapes {
        let mut shapes = RowShapes::default();
        let rows = self.lines.iter().filter(|line| line.is_row);
        rows.filter_map(|line| line.shape.as_ref()).for_each(|shape| shapes.learn(shape));
        shapes
    }

    /// Notes which lines the model passed over: those before the last row that it gave. It may have stopped
    /// before the others.
    fn settle(&mut self, asked: &[usize]) {
        let reached =
            asked.iter().rev().find(|line| self.lines.get(**line).is_some_and(|line| line.is_covered));
        for number in asked.iter().take_while(|number| Some(*number) < reached) {
            if let Some(line) = self.lines.get_mut(*number) {
                line.asked += 1;
            }
        }
    }

    /// The lines to ask for next: those that look like rows, at most `batch` of them; and after an answer
    /// that was cut off, all that stand behind the last row.
    fn next(&self, batch: usize) -> Vec<usize> {
        let mut shapes = self.shapes();
        shapes.extend(&self.known);
        let is_row = |line: &Line| {
            let Some(shape) = &line.shape else { return false };
            let enough = matches!(shape, Shape::Cells(_)) || shapes.count() >= LEAST_LINES;
            enough && !line.is_aside && shapes.knows(shape)
        };
        let beside = if shapes.is_of_words() { lines::beside_rows(&self.lines) } else { HashSet::new() };
        let last = self.lines.iter().rposition(|line| line.is_covered);
        let behind = |number: usize| self.is_cut && last.is_some_and(|last| number > last);
        let wanted = |(number, line): &(usize, &Line)| {
            !line.is_covered
                && line.asked < MAX_ASKED
                && (behind(*number) || is_row(line) || beside.contains(number))
        };
        let mut rows = 0;
        let fits = |(number, line): &(usize, &Line)| {
            rows += usize::from(!behind(*number) || is_row(line));
            rows <= batch
        };
        self.lines.iter().enumerate().filter(wanted).take_while(fits).map(|(number, _)| number).collect()
    }

    /// The lines as segments to show, each with the lines that may belong to it.
    fn segments(&self, reading: &Reading<'_>, asked: &[usize]) -> Vec<Segment> {
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

    /// A line with those before and after it that may belong to the same row.
    fn with_around(&self, number: usize, asked: &[usize]) -> Range<usize> {
        let Some(line) = self.lines.get(number) else { return 0..0 };
        let belongs = |other: &usize| {
            let is_asked = asked.binary_search(other).is_ok();
            let is_free = |other: &Line| !other.is_covered && !other.is_aside && other.shape.is_some();
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

    /// What stands above a line: the head of its table within the segment, else what the segment shows.
    fn context(&self, reading: &Reading<'_>, segment: &Segment, number: usize) -> String {
        let own = |line: &&Line| self.lines.get(number).is_some_and(|asked| asked.segment == line.segment);
        let text = |line: &Line| {
            reading
                .sources
                .get(line.document)
                .map(|source| source.slice(&line.range).trim())
                .unwrap_or_default()
        };
        let before = self.lines.get(..number).unwrap_or_default();
        let is_table = self.lines.get(number).is_some_and(|line| matches!(line.shape, Some(Shape::Cells(_))));
        let head = if is_table {
            let rule = before.iter().rposition(|line| line.shape.is_none() && text(line).starts_with('|'));
            rule.and_then(|rule| Some((self.lines.get(rule.checked_sub(1)?)?, self.lines.get(rule)?)))
                .filter(|(head, _)| own(head))
                .map(|(head, rule)| format!("{}\n{}", text(head), text(rule)))
        } else {
            let first = before.iter().position(|line| line.is_covered && own(&line));
            let above =
                first.and_then(|first| before.get(..first)?.iter().rfind(|line| line.shape.is_some()));
            let is_head = |line: &&Line| own(line) && !text(line).chars().any(char::is_numeric);
            above.filter(is_head).map(|head| text(head).to_owned())
        };
        let Some(head) = head.filter(|head| head.len() <= MAX_HEAD && !head.is_empty()) else {
            return segment.context.clone();
        };
        let headings: Vec<&str> = segment.context.lines().filter(|line| line.starts_with('#')).collect();
        if headings.is_empty() { head } else { format!("{}\n{head}", headings.join("\n")) }
    }

    /// The known rows around a line, one JSON object a line.
    fn known_near(&self, form: &FormSchema, path: &[usize], asked: Option<usize>) -> String {
        let Some(line) = asked.and_then(|number| self.lines.get(number)) else { return String::new() };
        let Some((field, _)) = field_at(&form.fields, &vec![0; path.len()]) else { return String::new() };
        let Fields::Items(item) = Fields::of(field) else { return String::new() };
        let near = self.rows.near(Place { document: line.document, at: line.range.start }, MAX_KNOWN);
        let mut told = String::new();
        for row in near {
            let written = said::value(Fields::of(item), row.node.clone()).unwrap_or_default().to_string();
            if told.len() + written.len() > MAX_TOLD {
                break;
            }
            told.push_str(&written);
            told.push('\n');
        }
        told
    }

    async fn ask(
        &mut self,
        reading: &Reading<'_>,
        form: &FormSchema,
        path: &[usize],
        shown: &[Segment],
        known: &str,
    ) -> Result<Vec<Node>, Failure> {
        let request = prompt::more(reading.system, reading.sources, shown, known);
        let question = Question {
            request: &request,
            part: form,
            shown: shown.len(),
            asks_again: false,
            ..reading.question
        };
        let mut filled = question.fill().await?;
        align::attach(&form.fields, &mut filled.nodes, reading.sources, shown);
        reading.copies.settle(&mut filled.nodes);
        // The form holds nothing but the list and what it lies in.
        let path = vec![0; path.len()];
        let pointer = pointer_of(&form.fields, &path);
        let is_cut = filled.is_cut(&pointer);
        let (items, problem) = match node_at(&mut filled.nodes, &path) {
            Some(Node::List { items, problem }) => (items, problem),
            // An answer without the list does not say that there is nothing more.
            Some(Node::Failed(_)) => return Err(Failure::Unusable),
            _ => {
                self.is_cut = false;
                return Ok(Vec::new());
            }
        };
        self.is_cut = is_cut && problem.is_some();
        Ok(without_repeats(std::mem::take(items)))
    }

    /// Takes the rows that stand on lines on which none stood; gives how many these are.
    fn take(&mut self, reading: &Reading<'_>, new: Vec<Node>) -> usize {
        let rows = new.into_iter().map(|node| Row::new(node, reading.sources));
        let is_new = |row: &Row| {
            let line = row.place.and_then(|place| line_at(&self.lines, place));
            line.and_then(|line| self.lines.get(line)).is_some_and(|line| !line.is_covered && !line.is_aside)
        };
        let rows: Vec<Row> = rows.filter(is_new).collect();
        for row in &rows {
            // What is named again is no sign of further rows around it.
            if self.rows.knows(row) {
                let line = row.place.and_then(|place| line_at(&self.lines, place));
                if let Some(line) = line.and_then(|line| self.lines.get_mut(line)) {
                    line.is_covered = true;
                }
                continue;
            }
            let (before, after) = cover(&mut self.lines, row);
            self.reach = (self.reach.0.max(before), self.reach.1.max(after));
        }
        let before = self.rows.len();
        self.rows.weave(rows);
        self.rows.len() - before
    }
}
