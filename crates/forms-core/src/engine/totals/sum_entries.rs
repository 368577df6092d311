//! Detection of summary entries: their words mark them, and the amounts above add up to theirs.

use std::collections::HashSet;

use super::super::rows::line_start;
use super::super::segment::Source;
use super::super::text::PrintConventions;
use super::columns::{ColumnSums, amounts_on};
use super::entry::ListEntry;

/// Lines below a tax that are searched for the sum including it. Bounds the time. Chosen by hand; no
/// measurement is recorded.
const MAX_BELOW: usize = 12;

/// The indices of entries that are summaries.
pub(super) fn find_sums(
    entries: &[ListEntry<'_>],
    sources: &[Source<'_>],
    printing: &PrintConventions<'_>,
) -> HashSet<usize> {
    let mut found = HashSet::new();
    // A list of summaries only was asked for as such.
    let Some(last) = entries.iter().rposition(|entry| entry.label.is_none()) else { return found };
    let mut walk = SumScan::new(entries, sources, printing);
    for (at, entry) in entries.iter().enumerate() {
        if walk.is_sum(entry, at > last) {
            found.insert(at);
        } else {
            walk.add(entry);
        }
    }
    found
}

/// The median number of filled cells per entry.
fn usual_cell_count(entries: &[ListEntry<'_>]) -> usize {
    let plain = entries.iter().filter(|entry| entry.label.is_none());
    let mut filled: Vec<usize> = plain.map(|entry| entry.filled).collect();
    filled.sort_unstable();
    filled.get(filled.len() / 2).copied().unwrap_or(0)
}

/// The state of a scan over the entries from the top.
struct SumScan<'a> {
    sources: &'a [Source<'a>],
    printing: &'a PrintConventions<'a>,
    /// The median number of filled cells per entry.
    usual: usize,
    /// Whether most entries have no summary label.
    is_list: bool,
    /// Sums of the entries since the last summary, and of all.
    group: ColumnSums,
    all: ColumnSums,
    /// Taxes below the last summary.
    taxes: f64,
    is_summed: bool,
}

impl<'a> SumScan<'a> {
    fn new(entries: &[ListEntry<'_>], sources: &'a [Source<'a>], printing: &'a PrintConventions<'a>) -> Self {
        let plain = entries.iter().filter(|entry| entry.label.is_none()).count();
        Self {
            sources,
            printing,
            usual: usual_cell_count(entries),
            is_list: plain > 1 && plain * 2 > entries.len(),
            group: ColumnSums::default(),
            all: ColumnSums::default(),
            taxes: 0.0,
            is_summed: false,
        }
    }

    fn add(&mut self, entry: &ListEntry<'_>) {
        self.group.add(entry.node, self.printing);
        self.all.add(entry.node, self.printing);
    }

    /// Whether an entry sums up those above; `is_last` if only summaries follow it.
    fn is_sum(&mut self, entry: &ListEntry<'_>, is_last: bool) -> bool {
        let adds_up = self.adds_up(entry);
        let Some(label) = entry.label else {
            let is_bare = entry.text.is_empty() && !entry.line.contains(char::is_alphabetic);
            return is_bare && adds_up && self.group.count > 1 && entry.filled < self.usual;
        };
        let is_poorer = entry.filled < self.usual;
        // `Total care 20.00` below another row of 20.00 may be a row.
        let is_told = label.is_pure || is_poorer || self.group.count > 1;
        if label.is_sum && (adds_up && is_told || label.is_pure && self.is_list) {
            self.is_summed = true;
            self.group = ColumnSums::default();
            return true;
        }
        let is_tax = label.is_pure && label.is_tax && is_last && self.is_summed && self.is_taxed(entry);
        if is_tax {
            self.taxes += entry.amounts.last().copied().unwrap_or(0.0);
        }
        is_tax
    }

    /// Whether the entries above add up to an amount of an entry, with or without taxes.
    fn adds_up(&self, entry: &ListEntry<'_>) -> bool {
        let makes = |amount: &f64| {
            self.group.has_sum(*amount) || self.all.has_sum(*amount) || self.all.has_sum(amount - self.taxes)
        };
        self.all.count > 0 && entry.amounts.iter().any(makes)
    }

    /// Whether the sum including a tax is printed below it.
    fn is_taxed(&self, entry: &ListEntry<'_>) -> bool {
        let Some(place) = entry.place else { return false };
        let Some(source) = self.sources.get(place.document) else { return false };
        let from = line_start(source.text(), place.at);
        let below = source.text().get(from..).unwrap_or_default().lines().skip(1).take(MAX_BELOW);
        let tax = self.taxes + entry.amounts.last().copied().unwrap_or(0.0);
        below.flat_map(|line| amounts_on(line, self.printing)).any(|amount| self.all.has_sum(amount - tax))
    }
}
