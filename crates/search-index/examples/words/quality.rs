//! Measures retrieval quality of the lexical index on the corpus sets.

use std::collections::HashMap;
use std::path::Path;

use futures_executor::block_on;
use kb_core::{ChunkKey, IndexMark, IndexedChunk, LexicalIndex, LexicalQuery};
use serde_json::Value;

/// Measures an index on each set.
pub(crate) fn run(corpus: &Path, name: &str, fresh: &dyn Fn() -> Box<dyn LexicalIndex>) {
    for (set, language) in [("cranfield", "en"), ("xquad-en", "en"), ("xquad-de", "de")] {
        let folder = corpus.join("retrieval").join(set);
        let (documents, queries) =
            (lines(&folder.join("documents.jsonl")), lines(&folder.join("queries.jsonl")));
        measure(&*fresh(), &format!("{name} {set}"), language, &documents, &queries);
    }
}

fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("the set");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn measure(words: &dyn LexicalIndex, set: &str, language: &str, documents: &[Value], queries: &[Value]) {
    let mut ids = HashMap::new();
    let chunks = documents.iter().zip(1..).map(|(document, item)| {
        ids.insert(item, document["id"].as_str().expect("id"));
        IndexedChunk {
            key: ChunkKey { item, position: 0 },
            base: 1,
            sequence: 1,
            title: document["title"].as_str().unwrap_or_default().to_owned(),
            heading: String::new(),
            text: document["text"].as_str().expect("text").to_owned(),
            language: Some(language.to_owned()),
        }
    });
    let chunks = chunks.collect();
    block_on(words.put(chunks)).expect("put");
    block_on(words.commit(IndexMark::default())).expect("commit");
    let (mut gain, mut first, mut precision, mut recall) = (0.0, 0.0, 0.0, 0.0);
    for query in queries {
        let relevant = query["relevant"].as_object().expect("relevant");
        let grade = |id: &str| relevant.get(id).and_then(Value::as_f64).unwrap_or(0.0);
        let query = LexicalQuery {
            base: 1,
            text: query["text"].as_str().expect("text").to_owned(),
            languages: vec![language.to_owned()],
            items: None,
            limit: 100,
            ..LexicalQuery::default()
        };
        let found = block_on(words.search(&query)).expect("search");
        let grades: Vec<f64> = found.hits.iter().map(|hit| grade(ids[&hit.key.item])).collect();
        let mut ideal: Vec<f64> = relevant.values().filter_map(Value::as_f64).collect();
        ideal.sort_by(|a, b| b.total_cmp(a));
        let discounted = |grades: &[f64]| {
            grades.iter().take(10).zip(2..).map(|(grade, rank)| grade / f64::from(rank).log2()).sum::<f64>()
        };
        gain += discounted(&grades) / discounted(&ideal).max(1e-9);
        first += f64::from(grades.first().is_some_and(|grade| *grade > 0.0));
        let mut hits = 0.0;
        for (grade, rank) in grades.iter().zip(1..) {
            if *grade > 0.0 {
                hits += 1.0;
                precision +=
                    hits / f64::from(rank) / ideal.iter().filter(|g| **g > 0.0).count().max(1) as f64;
            }
        }
        recall += hits / ideal.iter().filter(|g| **g > 0.0).count().max(1) as f64;
    }
    let count = queries.len() as f64;
    println!(
        "{set}: nDCG@10 {:.4}  hit@1 {:.4}  MAP {:.4}  R@100 {:.4}  ({} queries)",
        gain / count,
        first / count,
        precision / count,
        recall / count,
        queries.len()
    );
}
