//! Contract of the work on jobs.

use shared_core::{Scope, StoreError};

use super::stores::{Stores, at, chunked, chunks, content, document, error, finished, meta, replacement};
use crate::{Base, ChangeKind, Item, ItemChange, ItemStatus, Progress, Task};

/// Work on an item is visible in its status, and ends with its chunks.
pub async fn work_on_an_item_shows_and_ends(stores: &Stores, own: &Scope, _other: &Scope) {
    let base = stores.base(own, "a", None).await;
    let item = stores.add_one(own, &base, document(own, "d")).await;
    let token = stores.claim(&base, 10).await[&item.place];
    let task = stores.task(&item).await;
    let wanted = Task { scope: own.clone(), base: stores.look(own, &base).await, item: item.clone() };
    assert_eq!(task, wanted);
    stores.ingest.begin(&task, token, at(11)).await.expect("begins");
    let seen = stores.find(own, &item).await;
    assert_eq!((seen.status, seen.updated), (ItemStatus::Processing, at(11)));
    stores.ingest.progress(&task, token, 3, 8, at(12)).await.expect("shows");
    assert_eq!(stores.find(own, &item).await.progress, Progress { done: 3, total: 8 });
    assert_eq!(stores.look(own, &base).await.counts.processing, 1);
    stores.ingest.postpone(&task, token, &error("later"), at(13)).await.expect("notes");
    let seen = stores.find(own, &item).await;
    assert_eq!((seen.status, &seen.error), (ItemStatus::Queued, &Some(error("later"))));
    stores.ingest.begin(&task, token, at(14)).await.expect("begins");
    let before = stores.feed.state().await.expect("tells").latest;
    stores.ingest.finish(&task, token, &finished("w", 3, None), at(15)).await.expect("finishes");
    let seen = stores.find(own, &item).await;
    let wanted = Item {
        status: ItemStatus::Ready,
        chunks: 3,
        language: Some("en".into()),
        sequence: before + 1,
        position: before + 1,
        updated: at(15),
        ..item.clone()
    };
    assert_eq!(seen, wanted);
    assert_eq!(stores.chunks.chunks(own, &item.id, 0, 9).await.expect("lists"), chunks("w", 3));
    assert_eq!(stores.chunks.chunks(own, &item.id, 1, 1).await.expect("lists"), chunks("w", 3)[1..2]);
    assert!(stores.claim(&base, 900).await.is_empty(), "the job is done");
    let base = stores.look(own, &base).await;
    assert_eq!((base.counts.ready, base.counts.items(), base.counts.chunks), (1, 1, 3));
    assert_eq!((base.languages, base.written, base.updated), (vec!["en".to_owned()], before + 1, at(15)));
    assert!(stores.ingest.task(&own.workspace, &base.id, 77).await.expect("asks").is_none());
}

/// Asserts that every operation with a token is refused.
async fn refused(stores: &Stores, task: &Task, token: i64) {
    let tried = [
        stores.ingest.begin(task, token, at(50)).await,
        stores.ingest.progress(task, token, 1, 2, at(50)).await,
        stores.ingest.postpone(task, token, &error("late"), at(50)).await,
        stores.ingest.finish(task, token, &finished("late", 9, None), at(50)).await,
        stores.ingest.fail(task, token, &error("late"), at(50)).await,
    ];
    for (index, one) in tried.into_iter().enumerate() {
        assert!(matches!(one, Err(StoreError::Stale)), "{index}: {one:?}");
    }
}

/// A worker without the job's present token changes nothing.
pub async fn a_late_worker_is_refused_everything(stores: &Stores, own: &Scope, other: &Scope) {
    let base = stores.base(own, "a", None).await;
    let item = stores.add_one(own, &base, document(own, "d")).await;
    let task = stores.task(&item).await;
    refused(stores, &task, 7).await;
    let first = stores.claim(&base, 10).await[&item.place];
    let second = stores.claim(&base, 100).await[&item.place];
    assert!(second > first);
    refused(stores, &task, first).await;
    let foreign = Task { scope: other.clone(), ..task.clone() };
    refused(stores, &foreign, second).await;
    assert_eq!(stores.find(own, &item).await, item);
    stores.ingest.finish(&task, second, &finished("w", 1, None), at(101)).await.expect("finishes");
    refused(stores, &task, second).await;
    let done = stores.find(own, &item).await;
    assert_eq!((done.status, done.chunks), (ItemStatus::Ready, 1));
    let selection = crate::Selection::Ids(None, vec![item.id.clone()]);
    stores.items.delete(own, &selection, at(102)).await.expect("deletes");
    refused(stores, &task, second).await;
}

async fn fail(stores: &Stores, base: &Base, item: &Item, now: i64) -> i64 {
    let token = stores.claim(base, now).await[&item.place];
    let task = stores.task(item).await;
    stores.ingest.fail(&task, token, &error("bad"), at(now)).await.expect("fails");
    token
}

/// A failed item has an error, keeps its findable chunks, and is retried on request.
pub async fn what_failed_is_tried_again(stores: &Stores, own: &Scope, other: &Scope) {
    let base = stores.base(own, "a", None).await;
    let item = stores.add_one(own, &base, document(own, "d")).await;
    let retry = async |scope: &Scope, item: &Item| stores.items.retry(scope, &item.id, at(30)).await;
    assert!(matches!(retry(own, &item).await, Err(StoreError::Stale)), "it has not failed");
    fail(stores, &base, &item, 10).await;
    let failed = stores.find(own, &item).await;
    assert_eq!((failed.status, &failed.error), (ItemStatus::Failed, &Some(error("bad"))));
    assert!(stores.claim(&base, 900).await.is_empty());
    assert_eq!(stores.look(own, &base).await.counts.failed, 1);
    assert!(retry(other, &item).await.expect("answers").is_none());
    let again = retry(own, &item).await.expect("answers").expect("is there");
    assert_eq!((again.status, &again.error, again.updated), (ItemStatus::Queued, &None, at(30)));
    assert_eq!(stores.find(own, &item).await, again);
    let token = stores.claim(&base, 40).await[&item.place];
    let task = stores.task(&item).await;
    stores.ingest.finish(&task, token, &finished("w", 2, None), at(41)).await.expect("finishes");
    let ready = stores.find(own, &item).await;
    stores.items.update(own, &item.id, &replacement("e"), at(42)).await.expect("updates");
    fail(stores, &base, &item, 50).await;
    let failed = stores.find(own, &item).await;
    let told = (failed.status, failed.chunks, failed.sequence);
    assert_eq!(told, (ItemStatus::Failed, 2, ready.sequence), "the old content is found still");
    assert_eq!(stores.look(own, &base).await.counts.chunks, 2);
    let missing = Item { id: crate::ItemId("none\u{0}".into()), ..item };
    assert!(retry(own, &missing).await.expect("answers").is_none());
}

/// The fencing tokens of an item's jobs never repeat, so that an old worker cannot affect a later job.
pub async fn the_tokens_of_a_job_never_come_again(stores: &Stores, own: &Scope, _other: &Scope) {
    let base = stores.base(own, "a", None).await;
    let item = stores.add_one(own, &base, document(own, "d")).await;
    let lost = stores.claim(&base, 10).await[&item.place];
    let task = stores.task(&item).await;
    let mut last = fail(stores, &base, &item, 100).await;
    for round in 2..5 {
        stores.items.retry(own, &item.id, at(round * 100)).await.expect("answers").expect("is there");
        refused(stores, &task, lost).await;
        refused(stores, &task, last).await;
        let token = fail(stores, &base, &item, round * 100 + 1).await;
        assert!(token > last);
        last = token;
    }
}

/// New content is a new job, while the old chunks stay findable. A worker of the old content has lost the
/// job.
pub async fn replaced_content_is_found_until_the_new_is_ready(stores: &Stores, own: &Scope, _other: &Scope) {
    let base = stores.base(own, "a", None).await;
    let item = stores.add_one(own, &base, document(own, "d")).await;
    let first = stores.claim(&base, 10).await[&item.place];
    let old = stores.task(&item).await;
    let changed = stores.items.update(own, &item.id, &replacement("e"), at(11)).await.expect("updates");
    let (changed, removed) = changed.expect("is there");
    assert_eq!(
        (changed.status, &changed.content, changed.bytes),
        (ItemStatus::Queued, &Some(content("e")), 7)
    );
    assert_eq!(removed.orphans, [content("own-d").blob]);
    refused(stores, &old, first).await;
    let ready = stores.finish(own, &base, &item, &finished("e", 2, None)).await;
    assert_eq!(stores.look(own, &base).await.counts.bytes, 7);

    let change = ItemChange { name: Some("n".into()), meta: Some(meta(2)), ..replacement("f") };
    let (queued, _) =
        stores.items.update(own, &item.id, &change, at(20)).await.expect("updates").expect("is there");
    let told = (queued.status, queued.chunks, queued.sequence, queued.name.as_str());
    assert_eq!(told, (ItemStatus::Queued, 2, ready.sequence, "n"));
    let counts = stores.look(own, &base).await.counts;
    assert_eq!((counts.queued, counts.ready, counts.chunks), (1, 0, 2));
    assert_eq!(stores.feed.chunks(item.number, 0, 9).await.expect("lists"), chunks("e", 2));
    let new = stores.finish(own, &base, &item, &finished("f", 1, None)).await;
    assert!(new.sequence > ready.sequence);
    assert_eq!(stores.feed.chunks(item.number, 0, 9).await.expect("lists"), chunks("f", 1));
    assert_eq!(stores.look(own, &base).await.counts.chunks, 1);

    let waiting = stores.base(own, "b", Some("m@x")).await;
    let texts = stores.add_one(own, &waiting, chunked(own, "t", 3)).await;
    stores.items.update(own, &texts.id, &replacement("g"), at(21)).await.expect("updates");
    let left = stores.chunks.chunks(own, &texts.id, 0, 9).await.expect("lists");
    assert_eq!(left, chunks("t", 3), "the old ones are found though they wait for vectors");
}

/// Chunks are findable lexically while their vectors are made, in place of the old ones. The job continues,
/// and its end leaves them unchanged.
pub async fn chunks_are_found_before_they_have_vectors(stores: &Stores, own: &Scope, _other: &Scope) {
    let base = stores.base(own, "a", Some("m@x")).await;
    let item = stores.add_one(own, &base, document(own, "d")).await;
    let token = stores.claim(&base, 10).await[&item.place];
    let task = stores.task(&item).await;
    stores.ingest.begin(&task, token, at(11)).await.expect("begins");
    let done = finished("w", 3, Some("m@x"));
    stores
        .ingest
        .publish(&task, token, &crate::IngestResult { embedded: None, ..done.clone() }, at(12))
        .await
        .expect("shows");
    let latest = stores.feed.state().await.expect("tells").latest;
    let shown = stores.find(own, &item).await;
    let told = (shown.status, shown.chunks, shown.sequence, shown.embedded, shown.progress);
    assert_eq!(told, (ItemStatus::Processing, 3, latest, None, Progress { done: 0, total: 3 }));
    assert_eq!(stores.feed.chunks(item.number, 0, 9).await.expect("lists"), chunks("w", 3));
    let base = stores.look(own, &base).await;
    assert_eq!((base.counts.chunks, base.written, base.serving.as_deref()), (3, latest, Some("m@x")));
    let rest = crate::IngestResult { chunks: None, ..done };
    stores.ingest.finish(&task, token, &rest, at(13)).await.expect("finishes");
    let ready = stores.find(own, &item).await;
    let told = (ready.status, ready.chunks, ready.sequence, ready.embedded.as_deref());
    assert_eq!(told, (ItemStatus::Ready, 3, latest, Some("m@x")));
    assert!(matches!(
        stores.ingest.publish(&task, token, &finished("late", 1, None), at(14)).await,
        Err(StoreError::Stale)
    ));
}

/// The fingerprint of an item changes with its title and meta, unless another item has the new one.
pub async fn what_names_a_content_changes_with_it(stores: &Stores, own: &Scope, _other: &Scope) {
    let base = stores.base(own, "a", None).await;
    let one = stores.add_one(own, &base, chunked(own, "1", 1)).await;
    let two = stores.add_one(own, &base, chunked(own, "2", 1)).await;
    let named = |print: &str| ItemChange { fingerprint: Some(print.into()), ..ItemChange::default() };
    stores.items.update(own, &one.id, &named("new"), at(9)).await.expect("updates");
    stores.items.update(own, &two.id, &named("new"), at(9)).await.expect("updates");
    let given = |id: &str, print: &str| crate::NewItem {
        id: crate::ItemId(id.into()),
        fingerprint: print.into(),
        ..chunked(own, id, 1)
    };
    assert_eq!(stores.add_one(own, &base, given("a", "new")).await.id, one.id);
    assert_eq!(stores.add_one(own, &base, chunked(own, "2", 1)).await.id, two.id);
    assert!(stores.add(own, &base, vec![given("b", &chunked(own, "1", 1).fingerprint)]).await[0].new);
}

/// New content that another item of the base has is refused, and nothing changes. The item's own content is
/// accepted.
pub async fn new_content_that_is_taken_is_refused(stores: &Stores, own: &Scope, other: &Scope) {
    let base = stores.base(own, "a", None).await;
    let one = stores.add_one(own, &base, document(own, "d")).await;
    let two = stores.add_one(own, &base, chunked(own, "t", 1)).await;
    let mut change = replacement("d");
    change.name = Some("new".into());
    let taken = stores.items.update(own, &two.id, &change, at(9)).await;
    assert!(matches!(taken, Err(StoreError::Taken("content"))));
    assert_eq!(stores.find(own, &two).await, two);
    assert!(!stores.files.blob_in_use(&content("d").blob).await.expect("asks"));
    let (same, removed) = stores
        .items
        .update(own, &one.id, &replacement("d"), at(9))
        .await
        .expect("updates")
        .expect("is there");
    assert_eq!((same.content, removed.orphans), (Some(content("d")), vec![content("own-d").blob]));
    let foreign = stores.items.update(other, &one.id, &replacement("z"), at(9)).await;
    assert!(foreign.expect("answers").is_none());
    assert!(!stores.files.blob_in_use(&content("z").blob).await.expect("asks"));
}

/// A new title or meta of a findable item writes a change; its hits stay valid.
pub async fn titles_and_metas_are_told(stores: &Stores, own: &Scope, _other: &Scope) {
    let base = stores.base(own, "a", None).await;
    let ready = stores.add_one(own, &base, chunked(own, "t", 1)).await;
    let waiting = stores.add_one(own, &base, document(own, "d")).await;
    let latest = async || stores.feed.state().await.expect("tells").latest;
    let name = ItemChange { name: Some("new\u{0}".into()), ..ItemChange::default() };
    let before = latest().await;
    for (change, told) in [(&name, 1), (&name, 1), (&ItemChange { meta: Some(meta(9)), ..name.clone() }, 2)] {
        let changed = stores.items.update(own, &ready.id, change, at(9)).await.expect("updates");
        let (changed, removed) = changed.expect("is there");
        assert_eq!((changed.name.as_str(), changed.sequence), ("new\u{0}", ready.sequence));
        assert_eq!((latest().await, removed), (before + told, crate::RemovedItems::default()));
        assert_eq!(changed.position, before + told);
        assert_eq!(stores.find(own, &ready).await, changed);
    }
    assert_eq!(stores.look(own, &base).await.written, before + 2);
    let last = stores.feed.changes(before + 1, 9).await.expect("lists");
    assert_eq!((last.len(), last[0].what), (1, ChangeKind::Put { item: ready.number }));
    stores.items.update(own, &waiting.id, &name, at(9)).await.expect("updates").expect("is there");
    assert_eq!((latest().await, stores.find(own, &waiting).await.name.as_str()), (before + 2, "new\u{0}"));
    assert_eq!(stores.find(own, &ready).await.meta, meta(9));
}
