//! What bases are about: the beginnings of their items.

use shared_core::{PageRequest, Scope, StoreError};

use super::find::{Finding, Target};
use crate::{Item, ItemFilter, ItemStatus, KnowledgeService, LiveChunk};

/// Items that are begun, the newest.
const ITEMS: u32 = 10;

impl KnowledgeService {
    /// At most so many chunks: those that the newest items of the bases begin with, of each about as many.
    pub(super) async fn beginnings(
        &self,
        scope: &Scope,
        targets: &[Target],
        wanted: usize,
    ) -> Result<Vec<Finding>, StoreError> {
        let mut items: Vec<(usize, Item)> = Vec::new();
        for (target, one) in targets.iter().enumerate() {
            let filter = ItemFilter { base: Some(one.base.id.clone()), status: Some(ItemStatus::Ready) };
            let page = self.ports.items.list(scope, &filter, &PageRequest::first(ITEMS)).await?;
            items.extend(page.items.into_iter().map(|item| (target, item)));
        }
        items.truncate(wanted);
        let each = wanted.checked_div(items.len()).unwrap_or_default();
        let mut findings = Vec::new();
        for (target, item) in items {
            let limit = u32::try_from(each).unwrap_or(u32::MAX);
            for chunk in self.ports.items.chunks(scope, &item.id, 0, limit).await? {
                let (name, meta) = (item.name.clone(), item.meta.clone());
                let live = LiveChunk { item: item.id.clone(), number: item.number, name, meta, chunk };
                findings.push(Finding { target, live, score: 0.0, lexical: None, semantic: None });
            }
        }
        Ok(findings)
    }
}
