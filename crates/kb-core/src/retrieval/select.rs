//! The items of a base that match a filter, read in pages.

use std::sync::Arc;

use serde_json::{Map, Value};
use shared_core::{Scope, Violation, offload};

use super::filter::Filter;
use super::selections::SelectionKey;
use crate::{Base, ContentHash, IndexError, ItemSet, KnowledgeError, KnowledgeService};

/// Items whose meta is read in one page. Protects memory.
const PAGE: u32 = 200;
/// Maximum values that one selection visits, some seconds of work: hundreds for each of a million items.
/// Protects time.
const STEPS: u64 = 500_000_000;

impl KnowledgeService {
    /// The findable items of a base that match the filter.
    ///
    /// # Errors
    /// When the filter is too expensive for so many items, or the store fails.
    pub(super) async fn selected(
        &self,
        scope: &Scope,
        base: &Base,
        filter: Filter,
        written: &Value,
    ) -> Result<ItemSet, KnowledgeError> {
        let key = SelectionKey {
            base: base.number,
            written: base.written,
            updated: base.updated,
            filter: ContentHash::of(&written.to_string()),
        };
        if let Some(set) = self.selections.find(&key) {
            return Ok(set);
        }
        let (mut numbers, mut after, mut room) = (Vec::new(), 0, STEPS);
        let filter = Arc::new(filter);
        loop {
            let page = self.ports.chunks.metas(scope, &base.id, after, PAGE).await?;
            let Some((last, _)) = page.last() else { break };
            after = *last;
            let filter = Arc::clone(&filter);
            // On a worker thread: lists of a meta times comparisons can be many.
            let work = move || fitting(&filter, &page, room);
            let done = offload(self.ports.workers.as_ref(), work).await;
            let (fit, left) = done.ok_or_else(unfinished)?.ok_or_else(too_much)?;
            numbers.extend(fit);
            room = left;
        }
        let set = ItemSet::new(numbers);
        self.selections.keep(key, set.clone());
        Ok(set)
    }
}

/// The numbers of the matching items, and how many more values may be visited; `None` when the limit is
/// exceeded.
fn fitting(filter: &Filter, page: &[(i64, Map<String, Value>)], room: u64) -> Option<(Vec<i64>, u64)> {
    let (mut numbers, mut steps) = (Vec::new(), 0);
    for (number, meta) in page {
        if filter.fits(meta, &mut steps) {
            numbers.push(*number);
        }
        if steps > room {
            return None;
        }
    }
    Some((numbers, room - steps))
}

fn too_much() -> KnowledgeError {
    let rule =
        "the filter compares too many values for the files of the knowledge base; use fewer comparisons";
    KnowledgeError::Invalid(vec![Violation::new("/filter", rule)])
}

fn unfinished() -> KnowledgeError {
    KnowledgeError::Index(IndexError::Failed("the evaluation of the filter was cancelled".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_that_compares_too_much_is_given_up_after_the_item_that_was_too_many() {
        let list: Vec<u32> = (0..1_000).collect();
        let meta = serde_json::json!({ "list": list }).as_object().cloned().unwrap();
        let page: Vec<_> = (0..10).map(|number| (number, meta.clone())).collect();
        let tests: Vec<_> = (0..100).map(|at| serde_json::json!({"list": {"ne": 5_000 + at}})).collect();
        let filter = Filter::parse(&serde_json::json!({ "and": tests }), "").unwrap();
        let each = 100 * 1_002;
        assert_eq!(fitting(&filter, &page, 10 * each), Some(((0..10).collect(), 0)));
        assert_eq!(fitting(&filter, &page, 10 * each - 1), None);
        let one = Filter::parse(&serde_json::json!({"list": {"in": [5_000, 7]}}), "").unwrap();
        assert_eq!(fitting(&one, &page, 10 * 1_002), Some(((0..10).collect(), 0)));
    }
}
