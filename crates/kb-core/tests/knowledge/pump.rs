//! Indexes that follow the store: words by its changes, vectors by looking at all of them.

use std::sync::atomic::{AtomicBool, Ordering};

use kb_core::{
    ChangeFeed, ChangeKind, IndexMark, IndexProgress, LexicalIndex as _, MemoryKnowledge, MemoryLexicalIndex,
};

/// Applies changes as they come; never ends.
pub(crate) async fn follow(
    store: &MemoryKnowledge,
    words: &MemoryLexicalIndex,
    applied: &IndexProgress,
    held: &AtomicBool,
) {
    loop {
        let heard = applied.listen();
        let mark = words.mark().await.unwrap().unwrap_or_default();
        if !held.load(Ordering::SeqCst) {
            apply(store, words, mark).await;
            applied.announce(words.mark().await.unwrap().unwrap_or_default().sequence);
        }
        heard.await;
    }
}

async fn apply(store: &MemoryKnowledge, words: &MemoryLexicalIndex, mark: IndexMark) {
    let mut last = mark.sequence;
    for change in store.changes(last, u32::MAX).await.unwrap() {
        last = change.sequence;
        match change.what {
            ChangeKind::Put { item } => {
                words.remove(&[item], &[]).await.unwrap();
                let Some(indexed) = store.item(item).await.unwrap() else { continue };
                let chunks = ChangeFeed::chunks(store, item, 0, u32::MAX).await.unwrap();
                words.put(chunks.into_iter().map(|chunk| indexed.chunk(chunk)).collect()).await.unwrap();
            }
            ChangeKind::Gone { item } => words.remove(&[item], &[]).await.unwrap(),
            ChangeKind::BaseGone { base } => words.remove(&[], &[base]).await.unwrap(),
        }
    }
    words.commit(IndexMark { sequence: last, ..mark }).await.unwrap();
}
