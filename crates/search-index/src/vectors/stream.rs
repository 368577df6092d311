//! Searches a base that does not fit into memory: its vectors are streamed from the store, and none is kept.

use kb_core::{ChunkKey, Found, Hit, IndexError, ItemSet};

use super::block::VectorRow;
use super::codes::QueryVector;
use super::rows::{START, VectorReader};
use super::top::{ScoredItem, TopK};

/// Maximum items that are read individually, rather than all of the base. Protects time.
const MAX_ITEM_READS: usize = 4_096;

/// The nearest chunks, and the number of vectors in the base where all were read.
pub(super) async fn search(
    rows: &VectorReader<'_>,
    probe: &QueryVector,
    items: Option<&ItemSet>,
    limit: usize,
) -> Result<(Found, Option<usize>), IndexError> {
    let mut best: TopK<(ChunkKey, i64)> = TopK::new(limit);
    let mut rated = 0_usize;
    let mut take = |(key, sequence, vector): &VectorRow| {
        if let Some(cosine) = probe.exact_cosine(vector) {
            rated += 1;
            best.push(cosine.clamp(0.0, 1.0), (*key, *sequence));
        }
    };
    let mut count = None;
    match items {
        Some(items) if items.numbers().len() <= MAX_ITEM_READS => {
            rows.read_items(items.numbers(), |row| take(&row)).await?;
        }
        _ => {
            let (mut after, mut all) = (START, 0);
            loop {
                let page = rows.read_after(after).await?;
                let Some(last) = page.last() else { break };
                after = last.0;
                all += page.len();
                let wanted = |row: &&VectorRow| items.is_none_or(|items| items.contains(row.0.item));
                page.iter().filter(wanted).for_each(&mut take);
            }
            count = Some(all);
        }
    }
    let hit = |ScoredItem { score: rate, item: (key, sequence) }| Hit { key, sequence, score: rate };
    let hits = best.into_best().into_iter().map(hit).collect();
    Ok((Found { hits, more: rated > limit }, count))
}
