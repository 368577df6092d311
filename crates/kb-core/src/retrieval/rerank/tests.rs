//! The order of reranked findings.

use serde_json::Map;

use super::*;
use crate::{Chunk, ItemId, LiveChunk};

fn finding(target: usize, text: &str) -> RankedChunk {
    let chunk =
        Chunk { position: 0, page: None, start: 0, end: 0, heading: String::new(), text: text.into() };
    let live = LiveChunk {
        item: ItemId(text.into()),
        number: 1,
        name: "Title".into(),
        meta: Map::new(),
        expires: None,
        language: None,
        chunk,
    };
    RankedChunk { target, live, score: 0.5, lexical: None, semantic: None, others: None, rerank: None }
}

fn findings(all: &[(usize, &str)]) -> Vec<RankedChunk> {
    all.iter().map(|(target, text)| finding(*target, text)).collect()
}

fn order(findings: &[RankedChunk]) -> Vec<(&str, Option<f32>)> {
    findings.iter().map(|one| (one.live.chunk.text.as_str(), one.rerank)).collect()
}

#[test]
fn reranked_findings_change_places_among_themselves() {
    let found = reordered(
        findings(&[(0, "a"), (1, "b"), (0, "c"), (0, "d"), (0, "e")]),
        &[0, 2, 3],
        &[0.1, 0.9, 0.1],
    );
    let expected = [("c", Some(0.9)), ("b", None), ("a", Some(0.1)), ("d", Some(0.1)), ("e", None)];
    assert_eq!(order(&found), expected);
    assert_eq!(order(&reordered(findings(&[(0, "a")]), &[], &[])), [("a", None)]);
}

#[test]
fn limits_count_after_reranking() {
    let author = shared_core::Author {
        id: shared_core::UserId("u".into()),
        name: String::new(),
        email: String::new(),
    };
    let moment = shared_core::Timestamp::from_micros(1).unwrap();
    let base = Base {
        id: crate::BaseId("b".into()),
        number: 1,
        workspace: shared_core::WorkspaceId("w".into()),
        author,
        name: "b".into(),
        description: String::new(),
        embedding: None,
        serving: None,
        chunking: crate::Chunking::default(),
        rerank: crate::RerankSettings { model: Some("m@openai".into()), depth: 2 },
        counts: crate::Counts::default(),
        languages: Vec::new(),
        written: 0,
        revision: shared_core::Revision::FIRST,
        created: moment,
        updated: moment,
    };
    let options = |model: Option<&str>, depth| RerankOptions { model: model.map(str::to_owned), depth };
    let reranker = |options: Option<&RerankOptions>| target_reranker(&base, options).unwrap();
    let own = TargetReranker { model: "m@openai".into(), depth: 2 };
    assert_eq!(reranker(None).as_ref(), Some(&own));
    assert_eq!(reranker(Some(&options(None, Some(0)))), None);
    let other = reranker(Some(&options(Some("n@openai"), None))).unwrap();
    assert_eq!((other.model.as_str(), other.depth), ("n@openai", 2));
    let plain = Base { rerank: crate::RerankSettings::default(), ..base.clone() };
    assert_eq!(target_reranker(&plain, None).unwrap(), None);
    assert!(target_reranker(&plain, Some(&options(None, Some(5)))).is_err());

    let target = |rerank| SearchTarget { rerank, limit: Some(1), ..SearchTarget::of(base.clone()) };
    let targets = [target(Some(own)), target(None)];
    let all = findings(&[(0, "a"), (1, "b"), (0, "c"), (0, "d"), (1, "e")]);
    let grouped = groups(&targets, &all);
    assert_eq!(grouped.into_iter().collect::<Vec<_>>(), [("m@openai".to_owned(), vec![0, 2])]);
    assert_eq!(order(&within_limits(all.clone(), &targets, 9)), [("a", None), ("b", None)]);
    assert_eq!(order(&within_limits(all, &targets, 1)), [("a", None)]);
}

#[test]
fn texts_are_bounded_and_never_empty() {
    let long = "é".repeat(TEXT + 1);
    let texts = embedded_texts(&findings(&[(0, " "), (0, long.as_str())]), &[1, 0]);
    assert_eq!(texts[0].chars().count(), TEXT);
    assert_eq!(texts[1], "Title");
}
