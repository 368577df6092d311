//! Entries of lists as rows that stand somewhere: where, in which order, and which are the same.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::merge::is_same_node;
use super::node::{Leaf, Node, Spot};
use super::segment::Source;
use super::text::fold::folded;
use super::text::shape::Shape;
use crate::Support;

/// Bytes before a value in which the beginning of its line is looked for.
const MAX_LINE: usize = 2_000;
/// Values of a row that say where it stands.
const MAX_PLACED: usize = 100;
/// Rows at one spot, or of one name, that are compared with another.
const MAX_ALIKE: usize = 16;
/// Bytes of a text that can name something.
const MAX_NAME: usize = 200;

/// Where a row stands: a byte of the line that most of its values are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) document: usize,
    pub(super) at: usize,
}

/// An entry and where it stands, if that is known.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) node: Node,
    pub(super) place: Option<Place>,
    /// Its document and what it says, if it stands in running text: what is named there twice is one thing,
    /// while every row of a table is another.
    named: Option<(usize, String)>,
    /// How its line looks.
    shape: Option<Shape>,
    /// Whether it stands in running text or on a line of words, such as a name under a contract, and not in a table.
    is_mention: bool,
}

impl Row {
    pub(super) fn new(node: Node, sources: &[Source<'_>]) -> Self {
        let place = place(&node, sources);
        let named =
            place.filter(|place| is_prose(&node, *place, sources)).map(|place| (place.document, said(&node)));
        let source = place.and_then(|place| Some((sources.get(place.document)?, place.at)));
        let shape = source.and_then(|(source, at)| Shape::of(line_of(source.text(), at)));
        let is_mention = named.is_some() || shape.as_ref().is_some_and(Shape::is_words);
        Self { node, place, named, shape, is_mention }
    }

    /// Whether both name one thing: they share a name, none contradicts the other, and they are no two rows of one
    /// table. Rows that say all the same are one only where one of them is a mention in the same document.
    fn is_same_thing(&self, other: &Self) -> bool {
        let Some((own, others)) = additions(&self.node, &other.node) else { return false };
        let (Some(a), Some(b)) = (self.place, other.place) else { return false };
        let (is_mention, is_near) = (self.is_mention || other.is_mention, a.document == b.document);
        let is_apart = || matches!((&self.shape, &other.shape), (Some(a), Some(b)) if !a.is_like(b));
        match (own, others) {
            (0, 0) => is_mention && is_near,
            (0, _) | (_, 0) => is_mention || (!is_near && is_apart()),
            _ => is_mention || is_apart(),
        }
    }

    /// Where its values stand.
    pub(super) fn places(&self) -> impl Iterator<Item = Place> {
        let spots = leaves(&self.node).into_iter().filter_map(supported).take(MAX_PLACED);
        spots.map(|spot| Place { document: spot.document, at: spot.start })
    }
}

/// How many cells each of two entries has that the other lacks; `None` where they share no name, or say different
/// things of one cell.
fn additions(a: &Node, b: &Node) -> Option<(usize, usize)> {
    let (Node::Group(a), Node::Group(b)) = (a, b) else { return None };
    let is_empty = |node: &Node| match node {
        Node::Absent | Node::Failed(_) => true,
        Node::List { items, .. } => items.is_empty(),
        Node::Leaf(_) | Node::Group(_) => false,
    };
    let (mut own, mut others, mut is_named) = (0, 0, false);
    for (a, b) in a.iter().zip(b) {
        match (is_empty(a), is_empty(b)) {
            (true, true) => {}
            (false, true) => own += 1,
            (true, false) => others += 1,
            (false, false) if is_same_node(a, b) => is_named |= name(a).is_some(),
            (false, false) => return None,
        }
    }
    is_named.then_some((own, others))
}

/// The text of a cell that can name something, folded.
fn name(node: &Node) -> Option<String> {
    let Node::Leaf(leaf) = node else { return None };
    let text = leaf.value.as_str().filter(|text| text.len() <= MAX_NAME)?;
    text.chars().any(char::is_alphabetic).then(|| folded(text))
}

/// The cells of an entry that can name it, with their places among its cells.
fn names(node: &Node) -> impl Iterator<Item = (usize, String)> {
    let cells = match node {
        Node::Group(cells) => cells.as_slice(),
        _ => &[],
    };
    cells.iter().enumerate().filter_map(|(at, cell)| Some((at, name(cell)?)))
}

/// Whether an entry is a mention in running text: it is less than half of a line that is no row, or a few
/// words on a line of words.
fn is_prose(node: &Node, place: Place, sources: &[Source<'_>]) -> bool {
    let Some(source) = sources.get(place.document) else { return false };
    let line = line_of(source.text(), place.at);
    let shape = Shape::of(line);
    if shape.as_ref().is_some_and(Shape::is_telling) {
        return false;
    }
    let start = line_start(source.text(), place.at);
    let own = |spot: &Spot| line_start(source.text(), spot.start) == start;
    let spots = leaves(node).into_iter().filter_map(supported).filter(own);
    let said: usize = spots.map(|spot| spot.end - spot.start).sum();
    said * 2 < line.trim().len()
        || (matches!(node, Node::Leaf(_)) && shape.is_some_and(|shape| shape.is_words()))
}

/// All values of an entry, folded.
fn said(node: &Node) -> String {
    let mut said = String::new();
    for leaf in leaves(node) {
        match &leaf.value {
            Value::String(text) => said.push_str(&folded(text)),
            other => said.push_str(&other.to_string()),
        }
        said.push('\n');
    }
    said
}

fn line_of(text: &str, at: usize) -> &str {
    let end = text.floor_char_boundary(at.saturating_add(MAX_LINE));
    let start = text.floor_char_boundary(line_start(text, at));
    text.get(start..end).and_then(|line| line.split('\n').next()).unwrap_or_default()
}

fn place(node: &Node, sources: &[Source<'_>]) -> Option<Place> {
    // By line: how many values, how long they are, and where the first one is.
    let mut lines: Vec<(usize, usize, (usize, usize, usize))> = Vec::new();
    for leaf in leaves(node).into_iter().take(MAX_PLACED) {
        let Some(spot) = supported(leaf) else { continue };
        let Some(source) = sources.get(spot.document) else { continue };
        let line = line_start(source.text(), spot.start);
        let known = lines.iter_mut().find(|known| (known.0, known.1) == (spot.document, line));
        match known {
            Some((.., (count, length, at))) => {
                *count += 1;
                *length += spot.end - spot.start;
                *at = (*at).min(spot.start);
            }
            None => lines.push((spot.document, line, (1, spot.end - spot.start, spot.start))),
        }
    }
    let best = lines.into_iter().max_by_key(|(document, line, (count, length, _))| {
        (*count, *length, std::cmp::Reverse((*document, *line)))
    });
    best.map(|(document, _, (.., at))| Place { document, at })
}

/// Where the line begins that holds a byte; of very long lines, some byte that all nearby have in common.
fn line_start(text: &str, at: usize) -> usize {
    let from = at.saturating_sub(MAX_LINE);
    let before = text.as_bytes().get(from..at).unwrap_or_default();
    match before.iter().rposition(|byte| *byte == b'\n') {
        Some(newline) => from + newline + 1,
        None if from == 0 => 0,
        None => at - at % MAX_LINE,
    }
}

/// Where a leaf stands, if that is more than a likeness.
fn supported(leaf: &Leaf) -> Option<Spot> {
    let is_sure =
        leaf.evidence.as_ref().is_some_and(|e| matches!(e.support, Support::Exact | Support::Normalised));
    leaf.spot.filter(|_| is_sure)
}

/// All single values of a node.
fn leaves(node: &Node) -> Vec<&Leaf> {
    fn collect<'n>(node: &'n Node, out: &mut Vec<&'n Leaf>) {
        match node {
            Node::Leaf(leaf) => out.push(leaf),
            Node::Group(nodes) | Node::List { items: nodes, .. } => {
                nodes.iter().for_each(|node| collect(node, out))
            }
            Node::Absent | Node::Failed(_) => {}
        }
    }
    let mut out = Vec::new();
    collect(node, &mut out);
    out
}

/// The entries without those that say once more what one before says of the very same places, copies included.
/// Models that lose their way repeat themselves; what a text really says twice stands at two places.
pub(super) fn without_repeats(items: Vec<Node>) -> Vec<Node> {
    let mut seen: HashMap<Vec<Spot>, Vec<usize>> = HashMap::new();
    let mut kept: Vec<Node> = Vec::with_capacity(items.len());
    for item in items {
        let leaves = leaves(&item);
        let spots: Vec<Spot> = leaves.iter().copied().filter_map(supported).collect();
        let may_repeat = spots.len() > 1 || leaves.iter().any(|leaf| leaf.is_copy);
        let is_repeat = !spots.is_empty() && {
            let alike = seen.entry(spots).or_default();
            let repeats = may_repeat
                && alike.iter().any(|at| kept.get(*at).is_some_and(|known| is_same_node(known, &item)));
            if !repeats && alike.len() < MAX_ALIKE {
                alike.push(kept.len());
            }
            repeats
        };
        if !is_repeat {
            kept.push(item);
        }
    }
    kept
}

/// How many values of two rows stand at the same place, and how many at different ones.
fn agreement(a: &Node, b: &Node) -> (usize, usize) {
    match (a, b) {
        (Node::Leaf(a), Node::Leaf(b)) => match (supported(a), supported(b)) {
            (Some(a), Some(b)) if a == b => (1, 0),
            (Some(_), Some(_)) => (0, 1),
            _ => (0, 0),
        },
        (Node::Group(a), Node::Group(b)) | (Node::List { items: a, .. }, Node::List { items: b, .. }) => a
            .iter()
            .zip(b)
            .map(|(a, b)| agreement(a, b))
            .fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1)),
        _ => (0, 0),
    }
}

/// Whether two rows that say the same stand at different places of one document.
pub(super) fn stand_apart(a: &Row, b: &Row) -> bool {
    let same_document = matches!((a.place, b.place), (Some(a), Some(b)) if a.document == b.document);
    let (same, apart) = agreement(&a.node, &b.node);
    same_document && apart >= same
}

/// Whether a row is the first of its document: no number stands above it.
pub(super) fn begins_document(row: &Row, sources: &[Source<'_>]) -> bool {
    let above = row.place.and_then(|place| {
        let text = sources.get(place.document)?.text();
        text.get(..line_start(text, place.at))
    });
    above.is_none_or(|above| !above.chars().any(char::is_numeric))
}

/// How much a row says: its values, and those of them that were found.
fn fullness(node: &Node) -> (usize, usize) {
    let leaves = leaves(node);
    (leaves.len(), leaves.iter().filter(|leaf| supported(leaf).is_some()).count())
}

/// Rows in order, with every place that they were found at.
#[derive(Debug, Default)]
pub(super) struct Rows {
    rows: Vec<Row>,
    /// Numbers of rows, in the order of the list.
    order: Vec<usize>,
    by_spot: HashMap<Spot, Vec<usize>>,
    by_name: HashMap<(usize, String), usize>,
    /// By a cell's place and its text.
    by_cell: HashMap<(usize, String), Vec<usize>>,
}

impl Rows {
    /// The rows of a first list.
    pub(super) fn first(rows: Vec<Row>) -> Self {
        let mut own = Self::default();
        for row in rows {
            let number = own.add(row);
            own.order.push(number);
        }
        own
    }

    fn add(&mut self, row: Row) -> usize {
        let number = self.rows.len();
        self.note(number, &row.node);
        if let Some(named) = &row.named {
            self.by_name.entry(named.clone()).or_insert(number);
        }
        self.rows.push(row);
        number
    }

    fn note(&mut self, number: usize, node: &Node) {
        for spot in leaves(node).into_iter().filter_map(supported) {
            let known = self.by_spot.entry(spot).or_default();
            if known.len() >= MAX_ALIKE {
                known.remove(0);
            }
            if known.last() != Some(&number) {
                known.push(number);
            }
        }
        for cell in names(node) {
            let known = self.by_cell.entry(cell).or_default();
            if known.len() < MAX_ALIKE && !known.contains(&number) {
                known.push(number);
            }
        }
    }

    /// The rows, last first.
    pub(super) fn backwards(&self) -> impl Iterator<Item = &Row> {
        self.order.iter().rev().filter_map(|number| self.rows.get(*number))
    }

    /// The rows nearest to a place, at most so many, in their order.
    pub(super) fn near(&self, place: Place, most: usize) -> impl Iterator<Item = &Row> {
        let before =
            |number: &usize| self.rows.get(*number).and_then(|row| row.place).is_some_and(|own| own < place);
        let middle = self.order.iter().rposition(before).map_or(0, |at| at + 1);
        let from = middle.saturating_sub(most / 2);
        self.order.iter().skip(from).take(most).filter_map(|number| self.rows.get(*number))
    }

    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// Adds the rows of another list: one that stands where a row stands already is the same, and the fuller
    /// of both is kept; one that names the same thing elsewhere adds what it says of it; others come where their place says, or after the row before them.
    pub(super) fn weave(&mut self, new: Vec<Row>) {
        let mut own: HashSet<usize> = HashSet::new();
        let mut fresh = Vec::new();
        for row in new {
            if let Some(number) = self.same(&row, &own) {
                self.better(number, row);
            } else if let Some(number) = self.same_thing(&row, &own) {
                // Two rows of one table are not both the same as a row of another.
                if !row.is_mention {
                    own.insert(number);
                }
                self.complete(number, row);
            } else {
                let number = self.add(row);
                own.insert(number);
                fresh.push(number);
            }
        }
        let places: Vec<Option<Place>> = fresh.iter().map(|number| self.rows.get(*number)?.place).collect();
        let slots = self.slots(&places);
        let mut coming: Vec<(usize, usize, usize)> = slots
            .into_iter()
            .zip(fresh)
            .enumerate()
            .map(|(turn, (slot, number))| (slot, turn, number))
            .collect();
        let key = |(slot, turn, number): &(usize, usize, usize)| {
            (*slot, self.rows.get(*number).and_then(|row| row.place), *turn)
        };
        // Rows without a place stay behind the one that they follow; the others of a slot by their places.
        if coming.iter().all(|(.., number)| self.rows.get(*number).is_some_and(|row| row.place.is_some())) {
            coming.sort_by_key(key);
        } else {
            coming.sort_by_key(|(slot, turn, _)| (*slot, *turn));
        }
        let mut coming = coming.into_iter().peekable();
        let mut order = Vec::with_capacity(self.order.len() + coming.len());
        for slot in 0..=self.order.len() {
            while let Some((.., number)) = coming.next_if(|(own, ..)| *own == slot) {
                order.push(number);
            }
            order.extend(self.order.get(slot));
        }
        self.order = order;
    }

    /// The row that stands where `row` does, or names the same in running text, unless it came with it.
    fn same(&self, row: &Row, own: &HashSet<usize>) -> Option<usize> {
        let named = row.named.as_ref().and_then(|named| self.by_name.get(named));
        if let Some(number) = named.filter(|number| !own.contains(number)) {
            return Some(*number);
        }
        let mut best: Option<(usize, usize)> = None;
        let mut tried: Vec<usize> = Vec::new();
        for spot in leaves(&row.node).into_iter().filter_map(supported) {
            for number in self.by_spot.get(&spot).into_iter().flatten() {
                if own.contains(number) || tried.contains(number) {
                    continue;
                }
                tried.push(*number);
                let Some(known) = self.rows.get(*number) else { continue };
                let (same, apart) = agreement(&known.node, &row.node);
                if same > apart && best.is_none_or(|(most, _)| same > most) {
                    best = Some((same, *number));
                }
            }
        }
        best.map(|(_, number)| number)
    }

    /// The row that names the same thing elsewhere.
    fn same_thing(&self, row: &Row, own: &HashSet<usize>) -> Option<usize> {
        let alike = names(&row.node).filter_map(|cell| self.by_cell.get(&cell)).flatten();
        let known = alike.filter(|number| !own.contains(number));
        let mut same =
            known.filter(|number| self.rows.get(**number).is_some_and(|known| known.is_same_thing(row)));
        same.next().copied()
    }

    /// Whether a row is among these, or names the same as one of them.
    pub(super) fn knows(&self, row: &Row) -> bool {
        let none = HashSet::new();
        self.same(row, &none).or_else(|| self.same_thing(row, &none)).is_some()
    }

    /// Adds to a row what another says of the same thing.
    fn complete(&mut self, number: usize, row: Row) {
        let Some(known) = self.rows.get_mut(number) else { return };
        if let (Node::Group(own), Node::Group(more)) = (&mut known.node, row.node) {
            for (own, more) in own.iter_mut().zip(more) {
                if matches!(own, Node::Absent | Node::Failed(_)) && more != Node::Absent {
                    *own = more;
                }
            }
        }
        known.is_mention &= row.is_mention;
        let node = known.node.clone();
        self.note(number, &node);
    }

    fn better(&mut self, number: usize, row: Row) {
        let Some(known) = self.rows.get_mut(number) else { return };
        if fullness(&row.node) > fullness(&known.node) {
            *known = row;
            let node = known.node.clone();
            self.note(number, &node);
        }
    }

    /// For rows in turn, the place in the order before which each comes.
    fn slots(&self, places: &[Option<Place>]) -> Vec<usize> {
        let mut known: Vec<(Place, usize)> = self
            .order
            .iter()
            .enumerate()
            .filter_map(|(slot, number)| Some((self.rows.get(*number)?.place?, slot)))
            .collect();
        known.sort_unstable();
        let end = self.order.len();
        let mut last = end;
        let slot = |place: &Option<Place>| {
            if let Some(place) = place {
                let after = known.partition_point(|(own, _)| own <= place);
                last = match after.checked_sub(1).and_then(|before| known.get(before)) {
                    _ if after == known.len() => end,
                    Some((_, slot)) => slot + 1,
                    None => known.first().map_or(end, |(_, slot)| *slot),
                };
            }
            last
        };
        places.iter().map(slot).collect()
    }

    /// The entries in their order.
    pub(super) fn into_nodes(self) -> Vec<Node> {
        let mut rows: Vec<Option<Node>> = self.rows.into_iter().map(|row| Some(row.node)).collect();
        self.order.into_iter().filter_map(|number| rows.get_mut(number)?.take()).collect()
    }
}
