//! Representative chunks of bases: the beginnings of their items.

use shared_core::{PageRequest, Position, Scope, StoreError};

use super::find::{RankedChunk, SearchTarget};
use crate::{Item, ItemFilter, ItemStatus, KnowledgeService, LiveChunk};

/// Maximum items, the newest. Chosen by hand; no measurement recorded.
const ITEMS: u32 = 10;
/// Items of a page when a filter applies, and the maximum number of pages. Protects time.
const PAGE: u32 = 100;
const PAGES: u32 = 20;

impl KnowledgeService {
    /// At most this many chunks: the first ones of the bases' newest items, evenly distributed.
    pub(super) async fn beginnings(
        &self,
        scope: &Scope,
        targets: &[SearchTarget],
        wanted: usize,
    ) -> Result<Vec<RankedChunk>, StoreError> {
        let (now, mut items): (_, Vec<(usize, Item)>) = (self.ports.clock.now(), Vec::new());
        for (target, one) in targets.iter().enumerate() {
            let newest = self.newest(scope, one).await?.into_iter().filter(|item| !item.is_expired(now));
            items.extend(newest.map(|item| (target, item)));
        }
        items.truncate(wanted);
        let each = wanted.checked_div(items.len()).unwrap_or_default();
        let mut findings = Vec::new();
        for (target, item) in items {
            let limit = u32::try_from(each).unwrap_or(u32::MAX);
            for chunk in self.ports.chunks.chunks(scope, &item.id, 0, limit).await? {
                let live = LiveChunk {
                    item: item.id.clone(),
                    number: item.number,
                    name: item.name.clone(),
                    meta: item.meta.clone(),
                    expires: item.expires,
                    language: item.language.clone(),
                    chunk,
                };
                findings.push(RankedChunk {
                    target,
                    live,
                    score: 0.0,
                    lexical: None,
                    semantic: None,
                    others: None,
                    rerank: None,
                });
            }
        }
        Ok(findings)
    }

    /// The newest items of a base that match the search target.
    async fn newest(&self, scope: &Scope, target: &SearchTarget) -> Result<Vec<Item>, StoreError> {
        let base = Some(target.base.id.clone());
        let filter = ItemFilter { base, status: Some(ItemStatus::Ready), ..ItemFilter::default() };
        let Some(chosen) = &target.items else {
            return Ok(self.ports.items.list(scope, &filter, &PageRequest::first(ITEMS)).await?.items);
        };
        let mut newest = Vec::new();
        for number in 1..=PAGES {
            let page = PageRequest { position: Position::Number(number), limit: PAGE };
            let items = self.ports.items.list(scope, &filter, &page).await?.items;
            let over = items.len() < PAGE as usize;
            let fit = items.into_iter().filter(|item| chosen.numbers().binary_search(&item.number).is_ok());
            newest.extend(fit.take(ITEMS as usize - newest.len()));
            if over || newest.len() >= ITEMS as usize {
                break;
            }
        }
        Ok(newest)
    }
}
