//! Contract of removing unneeded vectors.

use std::sync::Arc;

use futures_util::future::join;
use shared_core::{Scope, StoreError};

use super::stores::{Stores, at, chunked, chunks, document, finished, new_base};
use crate::{Base, Chunk, ChunkPlace, ContentHash, IngestResult, Selection, VectorKind};

fn kind(scope: &Scope, model: &str) -> VectorKind {
    VectorKind { workspace: scope.workspace.clone(), model: model.into() }
}

/// The hashes of the embedded texts of some chunks, ascending.
fn names(chunks: &[Chunk]) -> Vec<ContentHash> {
    let mut names: Vec<ContentHash> = chunks.iter().map(Chunk::hash).collect();
    names.sort_unstable();
    names
}

async fn keep(stores: &Stores, scope: &Scope, model: &str, names: &[ContentHash]) {
    let vector: Arc<[f32]> = Arc::from([1.0, 0.5].as_slice());
    let vectors = names.iter().map(|name| (*name, Arc::clone(&vector))).collect();
    stores.embeddings.store_vectors(scope, model, vectors).await.expect("keeps");
}

async fn discard(
    stores: &Stores,
    kind: &VectorKind,
    names: &[ContentHash],
    (before, now): (i64, i64),
) -> u64 {
    stores.stock.discard(kind, names, at(before), at(now)).await.expect("discards")
}

async fn noted(stores: &Stores, kind: &VectorKind) -> Vec<ContentHash> {
    stores.stock.unneeded(kind, None, 99).await.expect("lists")
}

/// The hashes that chunks need, ascending, read by page.
async fn needed(stores: &Stores, kind: &VectorKind, limit: u32) -> Vec<ContentHash> {
    let (mut all, mut from) = (Vec::new(), Some(ChunkPlace::START));
    for _ in 0..1_000 {
        let Some(place) = from else { break };
        let (names, next) = stores.stock.needed(kind, place, limit).await.expect("lists");
        assert!(next.is_none_or(|next| next > place), "it goes on");
        all.extend(names);
        from = next;
    }
    assert_eq!(from, None, "it ends");
    all.sort_unstable();
    all
}

/// Vectors are listed by workspace and model, by hash, by page.
pub async fn all_vectors_are_listed(stores: &Stores, own: &Scope, other: &Scope) {
    let all = names(&chunks("w", 5));
    assert_eq!(stores.stock.next_kind(None).await.expect("asks"), None);
    for (scope, model, count) in [(own, "m@x", 5), (own, "n\u{0}@y", 1), (other, "m@x", 2)] {
        keep(stores, scope, model, &all[..count]).await;
    }
    let (mut kinds, mut last) = (Vec::new(), None);
    while let Some(next) = stores.stock.next_kind(last.as_ref()).await.expect("asks") {
        kinds.push(next.clone());
        last = Some(next);
    }
    kinds.sort();
    assert_eq!(kinds, [kind(other, "m@x"), kind(own, "m@x"), kind(own, "n\u{0}@y")]);
    let list =
        async |of: &VectorKind, after, limit| stores.stock.names(of, after, limit).await.expect("lists");
    let own_kind = kind(own, "m@x");
    assert_eq!(list(&own_kind, None, 9).await, all);
    assert_eq!(list(&own_kind, None, 2).await, all[..2]);
    assert_eq!(list(&own_kind, Some(all[1]), 2).await, all[2..4]);
    assert!(list(&own_kind, Some(all[4]), 2).await.is_empty());
    assert!(list(&own_kind, Some(ContentHash([u8::MAX; 16])), 2).await.is_empty());
    assert_eq!(list(&kind(own, "n\u{0}@y"), None, 9).await, all[..1]);
    assert_eq!(list(&kind(other, "m@x"), None, 9).await, all[..2]);
    assert!(list(&kind(other, "n\u{0}@y"), None, 9).await.is_empty());
}

/// A vector is needed by the chunks of a base whose wanted or serving model is its model, findable or not,
/// and by those of an item that has vectors of it; by no others.
pub async fn what_chunks_need_is_listed(stores: &Stores, own: &Scope, other: &Scope) {
    let (m, n) = (kind(own, "m@x"), kind(own, "n@y"));
    let base = stores.base(own, "a", Some("m@x")).await;
    let plain = stores.base(own, "b", None).await;
    let theirs = stores.base(other, "a", Some("m@x")).await;
    let mut made = Vec::new();
    for name in 0..3 {
        // Items of the bases alternate.
        made.push(stores.add_one(own, &base, chunked(own, &format!("{name}"), 3)).await);
        stores.add_one(own, &plain, chunked(own, &format!("plain {name}"), 2)).await;
        stores.add_one(other, &theirs, chunked(other, &format!("their {name}"), 2)).await;
    }
    let waiting = names(&(0..3).flat_map(|name| chunks(&name.to_string(), 3)).collect::<Vec<_>>());
    for limit in [1, 2, 4, 1_000] {
        assert_eq!(needed(stores, &m, limit).await, waiting, "{limit}");
    }
    assert!(needed(stores, &n, 9).await.is_empty());
    assert!(needed(stores, &kind(own, ""), 9).await.is_empty());
    let item = stores.add_one(own, &base, document(own, "d")).await;
    assert_eq!(needed(stores, &m, 9).await, waiting, "it has no chunks yet");
    let embedded = |model: &str| IngestResult {
        chunks: None,
        language: None,
        embedded: Some(model.into()),
        failure: None,
        remark: None,
    };
    let tokens = stores.claim(&base, 500).await;
    let done = finished("w", 2, Some("m@x"));
    stores
        .ingest
        .finish(&stores.task(&item).await, tokens[&item.place], &done, at(11))
        .await
        .expect("finishes");
    for item in &made {
        let task = stores.task(item).await;
        stores.ingest.finish(&task, tokens[&item.place], &embedded("m@x"), at(11)).await.expect("finishes");
    }
    let with_item =
        names(&[(0..3).flat_map(|n| chunks(&n.to_string(), 3)).collect(), chunks("w", 2)].concat());
    assert_eq!(needed(stores, &m, 9).await, with_item);
    let want = async |model: &str| {
        let old = stores.look(own, &base).await;
        let wanted = Base { embedding: Some(model.into()), ..old.clone() };
        stores.bases.update(own, &wanted, old.revision, at(20)).await.expect("updates")
    };
    assert_eq!(want("n@y").await.serving.as_deref(), Some("m@x"));
    assert_eq!(needed(stores, &m, 9).await, with_item, "they serve still");
    assert_eq!(needed(stores, &n, 9).await, with_item);
    let tokens = stores.claim(&base, 500).await;
    for item in made.iter().chain([&item]) {
        let task = stores.task(item).await;
        stores.ingest.finish(&task, tokens[&item.place], &embedded("n@y"), at(11)).await.expect("finishes");
    }
    assert_eq!(stores.look(own, &base).await.serving.as_deref(), Some("n@y"));
    assert!(needed(stores, &m, 9).await.is_empty());
    assert_eq!(want("o@z").await.serving.as_deref(), Some("n@y"));
    want("p@z").await;
    let all = Selection::All(base.id.clone());
    stores.items.delete(own, &all, at(30)).await.expect("deletes");
    assert!(needed(stores, &n, 9).await.is_empty());
}

/// An unneeded vector is marked first, and deleted when it has been marked for long enough. Looking it up,
/// storing it again or clearing the mark keeps it.
pub async fn what_nothing_needs_is_noted_and_goes_later(stores: &Stores, own: &Scope, other: &Scope) {
    let all = names(&chunks("w", 5));
    let m = kind(own, "m@x");
    for (scope, model) in [(own, "m@x"), (own, "n@y"), (other, "m@x")] {
        keep(stores, scope, model, &all).await;
    }
    assert!(noted(stores, &m).await.is_empty());
    assert_eq!(discard(stores, &m, &all[..4], (90, 100)).await, 0, "they were not noted");
    assert_eq!(noted(stores, &m).await, all[..4]);
    assert_eq!(stores.stock.unneeded(&m, Some(all[1]), 1).await.expect("lists"), all[2..3]);
    assert_eq!(discard(stores, &m, &all, (100, 110)).await, 0, "not before its time");
    assert_eq!(noted(stores, &m).await, all);
    stores.stock.clear_unneeded(&m, &all[..1]).await.expect("spares");
    assert_eq!(stores.embeddings.find_embedded(own, "m@x", &all[1..2]).await.expect("asks").len(), 1);
    keep(stores, own, "m@x", &[all[2], all[2]]).await;
    assert_eq!(noted(stores, &m).await, all[3..]);
    assert_eq!(discard(stores, &m, &all, (101, 120)).await, 1, "the last was noted later, others again");
    let left = [&all[..3], &all[4..]].concat();
    assert_eq!(stores.stock.names(&m, None, 9).await.expect("lists"), left);
    assert_eq!(noted(stores, &m).await, left);
    for (scope, model) in [(own, "n@y"), (other, "m@x")] {
        let of = kind(scope, model);
        assert_eq!(stores.stock.names(&of, None, 9).await.expect("lists"), all);
        assert!(noted(stores, &of).await.is_empty(), "each kind is apart");
    }
    assert_eq!(discard(stores, &m, &left, (121, 130)).await, 4);
    assert!(stores.stock.next_kind(None).await.expect("asks").is_some());
    assert!(stores.embeddings.find_embedded(own, "m@x", &all).await.expect("asks").is_empty());
    keep(stores, own, "m@x", &all[..1]).await;
    assert!(noted(stores, &m).await.is_empty());
}

/// A vector that a worker found or stored exists afterwards, even when it is being deleted concurrently.
pub async fn who_is_told_of_a_vector_has_it(stores: &Stores, own: &Scope, _other: &Scope) {
    let base = stores.bases.insert(own, &new_base(own, "a", Some("m@x"), 1)).await.expect("inserts");
    let all = names(&chunks("w", 40));
    let m = kind(own, "m@x");
    let mut deleted = 0;
    for round in 0..20 {
        keep(stores, own, "m@x", &all).await;
        discard(stores, &m, &all, (0, 10)).await;
        let away = async { discard(stores, &m, &all, (100, 200)).await };
        let told = if round % 2 == 0 {
            let (told, gone) = join(stores.embeddings.find_embedded(own, "m@x", &all), away).await;
            deleted += gone;
            told.expect("asks")
        } else {
            let (gone, ()) = join(away, keep(stores, own, "m@x", &all)).await;
            deleted += gone;
            all.iter().copied().collect()
        };
        assert_eq!(discard(stores, &m, &all, (100, 300)).await, 0, "none of what is left was noted before");
        let there = stores.stock.names(&m, None, 99).await.expect("lists");
        assert!(told.iter().all(|name| there.binary_search(name).is_ok()), "{round}");
    }
    assert!(deleted <= 20 * 40);
    let gone: Result<_, StoreError> = stores.bases.delete(own, &base.id, at(9)).await;
    assert!(gone.expect("deletes").is_some());
}
