//! The index in memory keeps the contract of indexes of words.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use kb_core::{LexicalIndex, MemoryWords};

fn run(_: &str, case: impl FnOnce(Arc<dyn LexicalIndex>) -> BoxFuture<'static, ()>) {
    futures_executor::block_on(case(Arc::new(MemoryWords::new())));
}

kb_core::lexical_contract!(run);
