//! All items that have a word of a query, without scores.

use kb_core::{IndexError, ItemSet, LexicalQuery};
use tantivy::query::EnableScoring;
use tantivy::{Searcher, TantivyError};

use super::failure::to_index_error;
use super::live_index::LiveIndex;
use super::schema::ITEM;
use super::search::QueryPlan;

/// Finds the items of a query.
pub(super) fn matching_items(live: &LiveIndex, query: &LexicalQuery) -> Result<ItemSet, IndexError> {
    if query.items.as_ref().is_some_and(|items| items.numbers().is_empty()) {
        return Ok(ItemSet::default());
    }
    let searcher = live.searcher();
    let numbers = read_items(live, &searcher, query).map_err(to_index_error)?;
    Ok(ItemSet::new(numbers))
}

fn read_items(live: &LiveIndex, searcher: &Searcher, query: &LexicalQuery) -> Result<Vec<i64>, TantivyError> {
    let plan = QueryPlan::of(live, searcher, query, live.statistics(searcher, query.base)?)?;
    if plan.is_empty() {
        return Ok(Vec::new());
    }
    let weight = plan.weight(live, query, EnableScoring::disabled_from_searcher(searcher))?;
    let is_wanted = |item: i64| query.items.as_ref().is_none_or(|items| items.contains(item));
    let mut numbers = Vec::new();
    for segment in searcher.segment_readers() {
        let column = segment.fast_fields().column_first_or_default::<i64>(ITEM)?;
        weight.for_each_no_score(segment, &mut |docs| {
            let alive = |doc: &&u32| segment.alive_bitset().is_none_or(|alive| alive.is_alive(**doc));
            for item in docs.iter().filter(alive).map(|doc| column.get_val(*doc)) {
                // The chunks of an item mostly lie together.
                if numbers.last() != Some(&item) && is_wanted(item) {
                    numbers.push(item);
                }
            }
        })?;
    }
    Ok(numbers)
}
