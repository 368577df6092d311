//! Chunks before and after what was found, joined to it.

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use shared_core::{Scope, StoreError};

use super::find::Finding;
use crate::{Chunk, KnowledgeService};

/// Findings whose neighbours are read at the same time.
const TOGETHER: usize = 8;

impl KnowledgeService {
    /// Joins so many chunks before and after to each finding.
    pub(super) async fn joined(
        &self,
        scope: &Scope,
        findings: Vec<Finding>,
        neighbours: u32,
    ) -> Result<Vec<Finding>, StoreError> {
        if neighbours == 0 {
            return Ok(findings);
        }
        let reading: Vec<_> = findings
            .into_iter()
            .map(|mut finding| async move {
                let around = self.around(scope, &finding, neighbours).await?;
                finding.live.chunk = join(finding.live.chunk, &around);
                Ok::<_, StoreError>(finding)
            })
            .collect();
        stream::iter(reading).buffered(TOGETHER).try_collect().await
    }

    /// The finding's chunk with so many before and after it, in order. The chunk alone where the item is
    /// another one meanwhile.
    pub(super) async fn around(
        &self,
        scope: &Scope,
        finding: &Finding,
        neighbours: u32,
    ) -> Result<Vec<Chunk>, StoreError> {
        let chunk = &finding.live.chunk;
        let from = chunk.position.saturating_sub(neighbours);
        let limit = (chunk.position - from).saturating_add(neighbours).saturating_add(1);
        let around = self.ports.items.chunks(scope, &finding.live.item, from, limit).await?;
        let same = around.iter().any(|other| other == chunk);
        Ok(if same { around } else { vec![chunk.clone()] })
    }
}

/// A chunk with the text, the place and the page of all of them.
fn join(chunk: Chunk, all: &[Chunk]) -> Chunk {
    let (Some(first), Some(last)) = (all.first(), all.last()) else { return chunk };
    Chunk { page: first.page, start: first.start, end: last.end, text: text_of(all), ..chunk }
}

/// The text of chunks that follow each other. Ready-made ones are parted by a blank line.
pub(super) fn text_of<'a>(chunks: impl IntoIterator<Item = &'a Chunk>) -> String {
    let (mut text, mut end) = (String::new(), None);
    for chunk in chunks {
        if end.is_some_and(|end| chunk.start > end) {
            text.push_str("\n\n");
        }
        text.push_str(&chunk.text);
        end = Some(chunk.end);
    }
    text
}
