//! The index on tantivy keeps the contract of indexes of words.

#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests, too, may fail loudly")]

use std::sync::Arc;

use futures_util::future::BoxFuture;
use kb_core::{IndexMark, LexicalIndex};
use search_index::{LexicalSettings, TantivyLexicalIndex};

fn run(_: &str, case: impl FnOnce(Arc<dyn LexicalIndex>) -> BoxFuture<'static, ()>) {
    let folder = tempfile::tempdir().expect("a folder");
    let words = TantivyLexicalIndex::open(folder.path(), LexicalSettings::default()).expect("open");
    futures_executor::block_on(async {
        let fresh = words.rebuild().await.expect("rebuild");
        fresh.finish(IndexMark::default()).await.expect("an empty index");
        case(Arc::new(words)).await;
    });
}

kb_core::lexical_contract!(run);
