//! Rows in order, and the merging of further rows.

use std::collections::{HashMap, HashSet};

use super::super::node::{Node, TextSpan};
use super::positions::{RowPosition, count_agreement, leaf_values, supported_span};
use super::{Row, cell_names};

/// Rows with one span or one name that are compared with another. Bounds the time of lists of equal rows.
const MAX_ALIKE: usize = 16;

/// How complete a row is: its values, and those with a supported span.
fn fullness(node: &Node) -> (usize, usize) {
    let leaves = leaf_values(node);
    (leaves.len(), leaves.iter().filter(|leaf| supported_span(leaf).is_some()).count())
}

/// Rows in order, indexed by the spans and names of their values.
#[derive(Debug, Default)]
pub(in super::super) struct RowList {
    rows: Vec<Row>,
    /// Indices of rows, in the order of the list.
    order: Vec<usize>,
    by_spot: HashMap<TextSpan, Vec<usize>>,
    by_name: HashMap<(usize, String), usize>,
    /// Indices by a cell's column and text.
    by_cell: HashMap<(usize, String), Vec<usize>>,
}

impl RowList {
    /// Starts with the rows of a first list.
    pub(in super::super) fn from_rows(rows: Vec<Row>) -> Self {
        let mut own = Self::default();
        for row in rows {
            let number = own.add(row);
            own.order.push(number);
        }
        own
    }

    fn add(&mut self, row: Row) -> usize {
        let number = self.rows.len();
        self.index_row(number, &row.node);
        if let Some(named) = &row.named {
            self.by_name.entry(named.clone()).or_insert(number);
        }
        self.rows.push(row);
        number
    }

    fn index_row(&mut self, number: usize, node: &Node) {
        for spot in leaf_values(node).into_iter().filter_map(supported_span) {
            let known = self.by_spot.entry(spot).or_default();
            if known.len() >= MAX_ALIKE {
                known.remove(0);
            }
            if known.last() != Some(&number) {
                known.push(number);
            }
        }
        for cell in cell_names(node) {
            let known = self.by_cell.entry(cell).or_default();
            if known.len() < MAX_ALIKE && !known.contains(&number) {
                known.push(number);
            }
        }
    }

    /// The rows in reverse order.
    pub(in super::super) fn iter_reversed(&self) -> impl Iterator<Item = &Row> {
        self.order.iter().rev().filter_map(|number| self.rows.get(*number))
    }

    /// The rows nearest to a position, at most `most`, in their order.
    pub(in super::super) fn rows_near(&self, place: RowPosition, most: usize) -> impl Iterator<Item = &Row> {
        let before =
            |number: &usize| self.rows.get(*number).and_then(|row| row.place).is_some_and(|own| own < place);
        let middle = self.order.iter().rposition(before).map_or(0, |at| at + 1);
        let from = middle.saturating_sub(most / 2);
        self.order.iter().skip(from).take(most).filter_map(|number| self.rows.get(*number))
    }

    pub(in super::super) fn len(&self) -> usize {
        self.order.len()
    }

    /// Merges the rows of another list. A row at the position of a known one is the same; the more complete
    /// of both is kept. A row that names the same thing elsewhere fills the gaps of the known one. Other rows
    /// are inserted by their position, or after the row before them.
    pub(in super::super) fn merge_rows(&mut self, new: Vec<Row>) {
        let mut own: HashSet<usize> = HashSet::new();
        let mut fresh = Vec::new();
        for row in new {
            if let Some(number) = self.find_same_place(&row, &own) {
                self.replace_if_fuller(number, row);
            } else if let Some(number) = self.find_same_entity(&row, &own) {
                // Two rows of one table cannot both be the same as a row of another.
                if !row.is_mention {
                    own.insert(number);
                }
                self.fill_gaps(number, row);
            } else {
                let number = self.add(row);
                own.insert(number);
                fresh.push(number);
            }
        }
        let places: Vec<Option<RowPosition>> =
            fresh.iter().map(|number| self.rows.get(*number)?.place).collect();
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
        // Rows without a position stay behind the one that they follow; the others of a slot are sorted by
        // position.
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

    /// The known row at the position of `row`, or with the same name in running text; rows in `own` came with
    /// `row` and do not count.
    fn find_same_place(&self, row: &Row, own: &HashSet<usize>) -> Option<usize> {
        let named = row.named.as_ref().and_then(|named| self.by_name.get(named));
        if let Some(number) = named.filter(|number| !own.contains(number)) {
            return Some(*number);
        }
        let mut best: Option<(usize, usize)> = None;
        let mut tried: Vec<usize> = Vec::new();
        for spot in leaf_values(&row.node).into_iter().filter_map(supported_span) {
            for number in self.by_spot.get(&spot).into_iter().flatten() {
                if own.contains(number) || tried.contains(number) {
                    continue;
                }
                tried.push(*number);
                let Some(known) = self.rows.get(*number) else { continue };
                let (same, apart) = count_agreement(&known.node, &row.node);
                if same > apart && best.is_none_or(|(most, _)| same > most) {
                    best = Some((same, *number));
                }
            }
        }
        best.map(|(_, number)| number)
    }

    /// The known row that names the same thing elsewhere.
    fn find_same_entity(&self, row: &Row, own: &HashSet<usize>) -> Option<usize> {
        let alike = cell_names(&row.node).filter_map(|cell| self.by_cell.get(&cell)).flatten();
        let known = alike.filter(|number| !own.contains(number));
        let mut same =
            known.filter(|number| self.rows.get(**number).is_some_and(|known| known.is_same_thing(row)));
        same.next().copied()
    }

    /// Whether a row is known, or names the same thing as a known one.
    pub(in super::super) fn knows(&self, row: &Row) -> bool {
        let none = HashSet::new();
        self.find_same_place(row, &none).or_else(|| self.find_same_entity(row, &none)).is_some()
    }

    /// Fills the gaps of a row from another about the same thing.
    fn fill_gaps(&mut self, number: usize, row: Row) {
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
        self.index_row(number, &node);
    }

    fn replace_if_fuller(&mut self, number: usize, row: Row) {
        let Some(known) = self.rows.get_mut(number) else { return };
        if fullness(&row.node) > fullness(&known.node) {
            *known = row;
            let node = known.node.clone();
            self.index_row(number, &node);
        }
    }

    /// The slot in the order before which each row is inserted.
    fn slots(&self, places: &[Option<RowPosition>]) -> Vec<usize> {
        let mut known: Vec<(RowPosition, usize)> = self
            .order
            .iter()
            .enumerate()
            .filter_map(|(slot, number)| Some((self.rows.get(*number)?.place?, slot)))
            .collect();
        known.sort_unstable();
        let end = self.order.len();
        let mut last = end;
        let slot = |place: &Option<RowPosition>| {
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

    /// The entries in order.
    pub(in super::super) fn into_nodes(self) -> Vec<Node> {
        let mut rows: Vec<Option<Node>> = self.rows.into_iter().map(|row| Some(row.node)).collect();
        self.order.into_iter().filter_map(|number| rows.get_mut(number)?.take()).collect()
    }
}
