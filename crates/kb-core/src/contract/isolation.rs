//! Contract of the isolation of workspaces.

use shared_core::{PageRequest, Scope, StoreError};

use super::stores::{Stores, at, chunked, chunks, content, document, error, finished, replacement};
use crate::{Base, ChunkKey, IngestResult, ItemFilter, RemovedItems, Selection, Task};

/// Another workspace sees neither a base nor its items, through no method.
pub async fn another_workspace_sees_nothing(stores: &Stores, own: &Scope, other: &Scope) {
    let base = stores.base(own, "a", None).await;
    let item = stores.add_one(own, &base, chunked(own, "1", 3)).await;
    assert_eq!(stores.bases.find(other, &base.id).await.expect("finds"), None);
    let bases = stores.bases.list(other, &PageRequest::first(9)).await.expect("lists");
    assert_eq!((bases.total, bases.items.len()), (0, 0));
    let items = &stores.items;
    assert_eq!(items.find(other, &item.id).await.expect("finds"), None);
    for base in [None, Some(base.id.clone())] {
        let filter = ItemFilter { base, status: None, ..ItemFilter::default() };
        let page = items.list(other, &filter, &PageRequest::first(9)).await.expect("lists");
        assert_eq!((page.total, page.items.len()), (0, 0));
    }
    assert!(items.changed(other, &base.id, at(0), 9).await.expect("lists").is_empty());
    assert!(stores.chunks.chunks(other, &item.id, 0, 9).await.expect("lists").is_empty());
    let found = [(ChunkKey { item: item.number, position: 0 }, item.sequence)];
    assert_eq!(stores.chunks.load_live_chunks(other, &base.id, &found).await.expect("looks"), [None]);
    assert!(stores.chunks.attributes(other, &base.id, 0, 9).await.expect("lists").is_empty());
    assert!(stores.ingest.task(&other.workspace, &base.id, item.place).await.expect("asks").is_none());
    let hash = chunks("1", 1)[0].hash();
    stores
        .embeddings
        .store_vectors(own, "m@x", vec![(hash, [1.0_f32].as_slice().into())])
        .await
        .expect("keeps");
    assert!(stores.embeddings.find_embedded(other, "m@x", &[hash]).await.expect("asks").is_empty());
}

/// Another workspace changes neither a base nor its items, through no method.
pub async fn another_workspace_changes_nothing(stores: &Stores, own: &Scope, other: &Scope) {
    let base = stores.base(own, "a", None).await;
    let ready = stores.add_one(own, &base, chunked(own, "1", 3)).await;
    let doc = stores.add_one(own, &base, document(own, "d")).await;
    let token = stores.claim(&base, 10).await[&doc.place];
    let (state, base) = (stores.feed.state().await.expect("tells"), stores.look(own, &base).await);
    let items = &stores.items;
    let added = items.add(other, &base.id, vec![chunked(other, "x", 1)], u64::MAX, at(6)).await;
    assert!(matches!(added, Err(StoreError::Missing("knowledge base"))));
    let updated = stores.bases.update(other, &base, base.revision, at(6)).await;
    assert!(matches!(updated, Err(StoreError::Stale)));
    assert_eq!(stores.bases.delete(other, &base.id, at(6)).await.expect("answers"), None);
    for item in [&ready, &doc] {
        assert_eq!(items.update(other, &item.id, &replacement("z"), at(6)).await.expect("answers"), None);
        assert_eq!(items.retry(other, &item.id, at(6)).await.expect("answers"), None);
        let ids = vec![item.id.clone()];
        for selection in [
            Selection::Ids(None, ids.clone()),
            Selection::Ids(Some(base.id.clone()), ids),
            Selection::All(base.id.clone()),
        ] {
            let removed = items.delete(other, &selection, at(6)).await.expect("answers");
            assert_eq!(removed, RemovedItems::default());
        }
    }
    let theirs = stores.base(other, "a", None).await;
    let their_base = Base { number: base.number, ..theirs.clone() };
    for base in [base.clone(), their_base] {
        let task = Task { scope: other.clone(), base, item: doc.clone() };
        let done = IngestResult { chunks: None, language: None, embedded: None, failure: None, remark: None };
        let tried = [
            stores.ingest.begin(&task, token, at(6)).await,
            stores.ingest.progress(&task, token, 1, 2, at(6)).await,
            stores.ingest.postpone(&task, token, &error("x"), at(6)).await,
            stores.ingest.fail(&task, token, &error("x"), at(6)).await,
            stores.ingest.finish(&task, token, &done, at(6)).await,
            stores.ingest.finish(&task, token, &finished("x", 1, None), at(6)).await,
        ];
        assert!(tried.iter().all(|one| matches!(one, Err(StoreError::Stale))), "{tried:?}");
    }
    assert_eq!((stores.find(own, &ready).await, stores.find(own, &doc).await), (ready.clone(), doc.clone()));
    assert_eq!(stores.look(own, &base).await, base);
    assert_eq!(stores.feed.state().await.expect("tells"), state);
    assert_eq!(stores.chunks.chunks(own, &ready.id, 0, 9).await.expect("lists"), chunks("1", 3));
    assert!(stores.files.blob_in_use(&content("own-d").blob).await.expect("asks"));
    assert!(!stores.files.blob_in_use(&content("z").blob).await.expect("asks"));
    let task = stores.task(&doc).await;
    stores.ingest.finish(&task, token, &finished("w", 1, None), at(7)).await.expect("the job is there still");
}
