//! Warnings of documents that an earlier place of the run has, too.

use std::collections::HashMap;

use delta_core::{FinishedGroup, SourceDocument};
use parking_lot::Mutex;
use serde_json::{Value, json};

/// Documents of a run that are remembered; of a larger run, later ones are not compared. Bounds the memory to some ten
/// megabytes.
const MAX_DOCUMENTS: usize = 100_000;

/// Finds the same content again, by the hash of its bytes and its pages.
#[derive(Default)]
pub(super) struct RunDuplicates(Mutex<HashMap<String, (u32, u32)>>);

impl RunDuplicates {
    /// A warning for each document of a group that came before. Groups must be given in order.
    pub(super) fn warnings(&self, group: &FinishedGroup) -> Vec<Value> {
        let sources = group.response.iter().flat_map(|response| &response.sources);
        let indexed = sources.filter_map(|source| Some((source.named.as_ref()?, source)));
        let mut seen = self.0.lock();
        let mut found = Vec::new();
        for ((index, url), source) in indexed {
            let key = key(source);
            match seen.get(&key) {
                Some(first) => found.push(warning(source, (group.index, *index), url, *first)),
                None if seen.len() < MAX_DOCUMENTS => {
                    seen.insert(key, (group.index, *index));
                }
                None => {}
            }
        }
        found
    }
}

fn key(source: &SourceDocument) -> String {
    let content = match &source.pages {
        Some(pages) => format!("{}#{pages}", source.sha256),
        None => source.sha256.clone(),
    };
    match source.unit {
        Some(unit) => format!("{content}#{unit:?}"),
        None => content,
    }
}

fn warning(source: &SourceDocument, place: (u32, u32), url: &str, first: (u32, u32)) -> Value {
    json!({
        "code": "duplicate_document",
        "message": format!("'{}' has the content of document {} of group {}", source.name, first.1, first.0),
        "document": source.name,
        "file": url,
        "index": place.1,
        "group": place.0,
        "duplicate_of": {"group": first.0, "index": first.1}
    })
}
