//! The items of a base that match a filter, read in pages.

use std::sync::Arc;

use serde_json::Value;
use shared_core::{Scope, Violation, offload};

use super::filter::Filter;
use super::selections::SelectionKey;
use crate::{Base, ContentHash, IndexError, ItemAttributes, ItemSet, KnowledgeError, KnowledgeService};

/// Items whose attributes are read in one page. Protects memory.
pub(super) const PAGE: u32 = 200;
/// Maximum values that one selection visits, some seconds of work: hundreds for each of a million items.
/// Protects time.
pub(super) const STEPS: u64 = 500_000_000;

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
            let page = self.ports.chunks.attributes(scope, &base.id, after, PAGE).await?;
            let Some(last) = page.last() else { break };
            after = last.number;
            let filter = Arc::clone(&filter);
            // On a worker thread: lists of a meta times comparisons can be many.
            let work = move || fitting(&filter, &page, room);
            let done = offload(self.ports.workers.as_ref(), work).await;
            let (fit, left) = done.ok_or_else(unfinished)?.ok_or_else(|| too_much("/filter"))?;
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
fn fitting(filter: &Filter, page: &[ItemAttributes], room: u64) -> Option<(Vec<i64>, u64)> {
    let (mut numbers, mut steps) = (Vec::new(), 0);
    for item in page {
        if filter.fits(item, &mut steps) {
            numbers.push(item.number);
        }
        if steps > room {
            return None;
        }
    }
    Some((numbers, room - steps))
}

/// The error of a filter, or of facets, at this path.
pub(super) fn too_much(path: &str) -> KnowledgeError {
    let rule = match path {
        "/filter" => {
            "the filter compares too many values for the files of the knowledge base; use fewer comparisons"
        }
        _ => "the facets have too many values for the files of the knowledge base; use fewer facets",
    };
    KnowledgeError::Invalid(vec![Violation::new(path, rule)])
}

pub(super) fn unfinished() -> KnowledgeError {
    KnowledgeError::Index(IndexError::Failed("the evaluation of the filter was cancelled".into()))
}

#[cfg(test)]
mod tests {
    use serde_json::Map;
    use shared_core::Timestamp;

    use super::*;
    use crate::{ItemId, Source};

    fn item(number: i64, meta: &Map<String, Value>) -> ItemAttributes {
        let time = Timestamp::from_micros(number).unwrap();
        ItemAttributes {
            number,
            id: ItemId(format!("item_{number}")),
            name: String::new(),
            meta: meta.clone(),
            source: Source::Text,
            language: None,
            created: time,
            updated: time,
        }
    }

    #[test]
    fn a_filter_that_compares_too_much_is_given_up_after_the_item_that_was_too_many() {
        let list: Vec<u32> = (0..1_000).collect();
        let meta = serde_json::json!({ "list": list }).as_object().cloned().unwrap();
        let page: Vec<_> = (0..10).map(|number| item(number, &meta)).collect();
        let tests: Vec<_> = (0..100).map(|at| serde_json::json!({"list": {"ne": 5_000 + at}})).collect();
        let filter = Filter::parse(&serde_json::json!({ "and": tests }), "").unwrap();
        let each = 100 * 1_002;
        assert_eq!(fitting(&filter, &page, 10 * each), Some(((0..10).collect(), 0)));
        assert_eq!(fitting(&filter, &page, 10 * each - 1), None);
        let one = Filter::parse(&serde_json::json!({"list": {"in": [5_000, 7]}}), "").unwrap();
        assert_eq!(fitting(&one, &page, 10 * 1_002), Some(((0..10).collect(), 0)));
    }
}
