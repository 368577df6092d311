//! Removal of list entries that are none: sums of the others, and column headings. Models return them
//! although the prompt forbids it. Only verified ones are removed, and the list reports it.

mod columns;
mod entry;
mod heading_entries;
mod sum_entries;

use super::node::Node;
use super::segment::Source;
use super::text::PrintConventions;
pub(super) use columns::{ColumnSums, amounts_on};
use entry::ListEntry;
use sum_entries::find_sums;

/// Entries of a list at most; longer lists are not checked. Bounds the time.
const MAX_ENTRIES: usize = 20_000;
/// Names of entries in a message. Bounds the message. Chosen by hand; no measurement is recorded.
const MAX_NAMES: usize = 5;

/// A list without summaries and headings, and the message about it.
#[derive(Debug, Default)]
pub(super) struct ClearedList {
    pub(super) items: Vec<Node>,
    /// One sentence, if an entry was removed or is doubtful.
    pub(super) told: Option<String>,
}

/// Removes summaries and headings from the list of a field.
pub(super) fn remove_summaries(
    field: &str,
    items: Vec<Node>,
    sources: &[Source<'_>],
    printing: &PrintConventions<'_>,
) -> ClearedList {
    if items.len() < 2 || items.len() > MAX_ENTRIES {
        return ClearedList { items, told: None };
    }
    let entries: Vec<ListEntry<'_>> =
        items.iter().map(|item| ListEntry::new(item, sources, printing)).collect();
    let sums = find_sums(&entries, sources, printing);
    let heads = heading_entries::find_heads(&entries, &sums, sources);
    let is_none = |at: &usize| sums.contains(at) || heads.contains(at);
    let names = |numbers: Vec<usize>| list_names(numbers.into_iter().filter_map(|at| entries.get(at)));
    let out = names((0..entries.len()).filter(is_none).collect());
    let doubtful =
        names(heading_entries::find_doubtful(&entries).into_iter().filter(|at| !is_none(at)).collect());
    let told = [
        out.map(|names| format!("'{field}' omits totals and headings: {names}")),
        doubtful.map(|names| {
            format!("'{field}' has entries without numbers, which may be headings or comments: {names}")
        }),
    ];
    let told: Vec<String> = told.into_iter().flatten().collect();
    let is_kept: Vec<bool> = (0..entries.len()).map(|at| !is_none(&at)).collect();
    drop(entries);
    let items =
        items.into_iter().zip(is_kept).filter(|(_, is_kept)| *is_kept).map(|(item, _)| item).collect();
    ClearedList { items, told: (!told.is_empty()).then(|| told.join("; ")) }
}

/// The names of entries; `None` when there are none.
fn list_names<'e>(entries: impl Iterator<Item = &'e ListEntry<'e>>) -> Option<String> {
    let names: Vec<String> = entries.map(|entry| format!("'{}'", entry.name())).collect();
    let more = names.len().saturating_sub(MAX_NAMES);
    let shown = names.get(..names.len() - more)?.join(", ");
    (!names.is_empty()).then(|| if more > 0 { format!("{shown} and {more} more") } else { shown })
}
