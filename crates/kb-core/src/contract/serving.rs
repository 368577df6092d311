//! Contract of the model that serves a base.

use shared_core::Scope;

use super::stores::{Stores, at, chunked, document, error, finished, new_base, replacement};
use crate::{Base, IngestResult, Item, ItemStatus, Selection};

/// The result of a worker for an item whose chunks are stored already.
fn embedded(model: &str) -> IngestResult {
    IngestResult { chunks: None, language: None, embedded: Some(model.into()), failure: None, remark: None }
}

async fn want(stores: &Stores, scope: &Scope, base: &Base, model: Option<&str>) -> Base {
    let base = stores.look(scope, base).await;
    let wanted = Base { embedding: model.map(str::to_owned), ..base.clone() };
    stores.bases.update(scope, &wanted, base.revision, at(20)).await.expect("updates")
}

/// The wanted model, and the serving one.
async fn models(stores: &Stores, scope: &Scope, base: &Base) -> (Option<String>, Option<String>) {
    let base = stores.look(scope, base).await;
    (base.embedding, base.serving)
}

fn both(wanted: Option<&str>, serving: Option<&str>) -> (Option<String>, Option<String>) {
    (wanted.map(str::to_owned), serving.map(str::to_owned))
}

/// The serving model follows the wanted one when the last item has its vectors; at once when no item lacks
/// them, or none are wanted.
pub async fn serving_follows_the_last_item(stores: &Stores, own: &Scope, _other: &Scope) {
    let base = stores.base(own, "a", None).await;
    want(stores, own, &base, Some("m@x")).await;
    assert_eq!(models(stores, own, &base).await, both(Some("m@x"), Some("m@x")), "there is nothing yet");
    want(stores, own, &base, None).await;
    assert_eq!(models(stores, own, &base).await, both(None, None));
    let items = stores.add(own, &base, vec![chunked(own, "1", 2), chunked(own, "2", 3)]).await;
    let latest = stores.feed.state().await.expect("tells").latest;
    assert_eq!(want(stores, own, &base, Some("m@x")).await.serving, None);
    let tokens = stores.claim(&base, 30).await;
    assert_eq!(tokens.keys().copied().collect::<Vec<_>>(), [0, 1], "each is a job");
    for (place, serving) in [(1_u32, None), (0, Some("m@x"))] {
        let before = &items[place as usize].item;
        let task = stores.task(before).await;
        stores.ingest.begin(&task, tokens[&place], at(31)).await.expect("begins");
        assert_eq!(stores.find(own, before).await.status, ItemStatus::Ready, "it can be found meanwhile");
        stores.ingest.finish(&task, tokens[&place], &embedded("m@x"), at(32)).await.expect("finishes");
        let after = stores.find(own, before).await;
        let wanted = Item {
            embedded: Some("m@x".into()),
            progress: after.progress,
            position: stores.feed.state().await.expect("tells").latest,
            updated: at(32),
            ..before.clone()
        };
        assert_eq!(after, wanted, "its findings stay as they are");
        assert_eq!(models(stores, own, &base).await, both(Some("m@x"), serving));
    }
    let told = stores.feed.changes(latest, 9).await.expect("lists");
    assert_eq!(told.len(), 2, "who has read vectors before is told of the new ones");
    want(stores, own, &base, Some("n@y")).await;
    assert_eq!(models(stores, own, &base).await, both(Some("n@y"), Some("m@x")), "the old ones serve");
    want(stores, own, &base, Some("m@x")).await;
    assert_eq!(models(stores, own, &base).await, both(Some("m@x"), Some("m@x")));
    want(stores, own, &base, Some("n@y")).await;
    assert_eq!(want(stores, own, &base, None).await.serving, None);
    assert_eq!(models(stores, own, &base).await, both(None, None));
}

/// The serving model follows too when the last item that lacks vectors fails or is deleted. Queued items that
/// have never been findable do not block it.
pub async fn serving_follows_when_the_last_item_fails_or_goes(stores: &Stores, own: &Scope, _other: &Scope) {
    let base = stores.base(own, "a", None).await;
    let given = vec![chunked(own, "1", 1), chunked(own, "2", 1), document(own, "d"), chunked(own, "none", 0)];
    let items = stores.add(own, &base, given).await;
    want(stores, own, &base, Some("m@x")).await;
    let tokens = stores.claim(&base, 30).await;
    let task = stores.task(&items[0].item).await;
    stores.ingest.fail(&task, tokens[&0], &error("x"), at(31)).await.expect("fails");
    assert_eq!(models(stores, own, &base).await, both(Some("m@x"), None));
    let selection = Selection::Ids(None, vec![items[1].item.id.clone()]);
    stores.items.delete(own, &selection, at(32)).await.expect("deletes");
    assert_eq!(models(stores, own, &base).await, both(Some("m@x"), Some("m@x")));
    stores.items.retry(own, &items[0].item.id, at(33)).await.expect("answers");
    assert_eq!(models(stores, own, &base).await, both(Some("m@x"), Some("m@x")), "it serves already");
    want(stores, own, &base, Some("n@y")).await;
    assert_eq!(models(stores, own, &base).await, both(Some("n@y"), Some("m@x")));
    stores.items.delete(own, &Selection::All(base.id.clone()), at(34)).await.expect("deletes");
    assert_eq!(models(stores, own, &base).await, both(Some("n@y"), Some("n@y")));
}

/// When another model became wanted during the work on an item, the item becomes a job again. Its replaced
/// content has the vectors of the worker's model.
pub async fn another_model_during_the_work_is_a_job_again(stores: &Stores, own: &Scope, _other: &Scope) {
    let new = new_base(own, "a", Some("m@x"), 1);
    let base = stores.bases.insert(own, &new).await.expect("inserts");
    let item = stores.add_one(own, &base, document(own, "d")).await;
    let token = stores.claim(&base, 10).await[&item.place];
    let task = stores.task(&item).await;
    want(stores, own, &base, Some("n@y")).await;
    assert_eq!(models(stores, own, &base).await, both(Some("n@y"), Some("n@y")));
    let done = finished("w", 2, Some("m@x"));
    stores.ingest.finish(&task, token, &done, at(11)).await.expect("finishes");
    let ready = stores.find(own, &item).await;
    assert_eq!((ready.status, ready.embedded.as_deref()), (ItemStatus::Ready, Some("m@x")));
    let again = stores.claim(&base, 30).await[&item.place];
    assert!(again > token);
    let task = stores.task(&item).await;
    stores.ingest.finish(&task, again, &embedded("n@y"), at(31)).await.expect("finishes");
    let done = stores.find(own, &item).await;
    assert_eq!((done.embedded.as_deref(), done.sequence), (Some("n@y"), ready.sequence));
    assert!(stores.claim(&base, 900).await.is_empty());
    stores.items.update(own, &item.id, &replacement("e"), at(40)).await.expect("updates");
    want(stores, own, &base, Some("o@z")).await;
    assert_eq!(models(stores, own, &base).await, both(Some("o@z"), Some("n@y")), "the old chunks are found");
    let done = stores.finish(own, &base, &item, &finished("e", 1, Some("o@z"))).await;
    assert_eq!(done.embedded.as_deref(), Some("o@z"));
    assert_eq!(models(stores, own, &base).await, both(Some("o@z"), Some("o@z")));
}

/// The result of a worker that got no vectors for a document.
fn without_vectors(word: &str, count: u32) -> IngestResult {
    IngestResult { failure: Some(error("no vectors")), ..finished(word, count, None) }
}

/// Ends the work on an item, and returns the item.
async fn end(stores: &Stores, base: &Base, item: &Item, now: i64, done: &IngestResult) -> Item {
    let token = stores.claim(base, now).await[&item.place];
    let task = stores.task(item).await;
    stores.ingest.finish(&task, token, done, at(11)).await.expect("finishes");
    stores.find(&task.scope, item).await
}

/// An item without vectors has failed with an error, is still found lexically, and does not block the serving
/// model. After a retry it is like any other.
pub async fn what_gets_no_vectors_is_found_by_words(stores: &Stores, own: &Scope, _other: &Scope) {
    let base = stores.base(own, "a", None).await;
    let ready = stores.add_one(own, &base, chunked(own, "ready", 1)).await;
    want(stores, own, &base, Some("m@x")).await;
    let doc = stores.add_one(own, &base, document(own, "d")).await;
    let texts = stores.add_one(own, &base, chunked(own, "t", 3)).await;
    let none = IngestResult { chunks: None, ..without_vectors("t", 3) };
    for (item, done, count, now) in [(&doc, without_vectors("w", 2), 2, 100), (&texts, none, 3, 200)] {
        let latest = match item.sequence {
            0 => stores.feed.state().await.expect("tells").latest,
            // It has been found since it was added.
            found => found - 1,
        };
        let failed = end(stores, &base, item, now, &done).await;
        let told = (failed.status, failed.error, failed.chunks, failed.sequence, failed.embedded);
        assert_eq!(told, (ItemStatus::Failed, Some(error("no vectors")), count, latest + 1, None));
        let stored = stores.feed.chunks(item.number, 0, 9).await.expect("lists");
        assert_eq!(stored.len() as u64, count);
    }
    let now = stores.look(own, &base).await;
    assert_eq!((now.counts.failed, now.counts.chunks, now.serving), (2, 6, None));
    end(stores, &base, &ready, 300, &embedded("m@x")).await;
    assert_eq!(models(stores, own, &base).await, both(Some("m@x"), Some("m@x")));
    assert!(stores.claim(&base, 900).await.is_empty(), "their jobs have ended");

    let again = stores.items.retry(own, &texts.id, at(40)).await.expect("answers").expect("is there");
    assert_eq!((again.status, again.chunks), (ItemStatus::Queued, 3));
    let before = stores.find(own, &texts).await.sequence;
    let done = end(stores, &base, &texts, 1_000, &embedded("m@x")).await;
    let told = (done.status, &done.error, done.sequence, done.embedded.as_deref());
    assert_eq!(told, (ItemStatus::Ready, &None, before, Some("m@x")));
    assert_eq!(models(stores, own, &base).await, both(Some("m@x"), Some("m@x")));
}

/// With another model, or none, a failed item with chunks is queued again, and blocks the new model from
/// serving until it ends. One without chunks stays as it is.
pub async fn what_failed_is_queued_again_for_another_model(stores: &Stores, own: &Scope, _other: &Scope) {
    let base = stores.base(own, "a", None).await;
    let given = vec![chunked(own, "1", 2), chunked(own, "2", 1), document(own, "d"), document(own, "bad")];
    let items: Vec<Item> = stores.add(own, &base, given).await.into_iter().map(|one| one.item).collect();
    let tokens = stores.claim(&base, 10).await;
    let bad = stores.task(&items[3]).await;
    stores.ingest.fail(&bad, tokens[&3], &error("unreadable"), at(11)).await.expect("fails");
    want(stores, own, &base, Some("m@x")).await;
    let tokens = stores.claim(&base, 30).await;
    assert_eq!(tokens.keys().copied().collect::<Vec<_>>(), [0, 1, 2]);
    for (place, failure) in [(0_usize, true), (1, false), (2, true)] {
        let (task, token) = (stores.task(&items[place]).await, tokens[&(place as u32)]);
        let ended = match (place, failure) {
            (2, _) => stores.ingest.finish(&task, token, &without_vectors("w", 2), at(31)).await,
            (_, true) => stores.ingest.fail(&task, token, &error("no vectors"), at(31)).await,
            _ => stores.ingest.finish(&task, token, &embedded("m@x"), at(31)).await,
        };
        ended.expect("ends");
    }
    assert_eq!(models(stores, own, &base).await, both(Some("m@x"), Some("m@x")), "they keep nobody waiting");
    assert_eq!(stores.look(own, &base).await.counts.failed, 3);

    let latest = stores.feed.state().await.expect("tells").latest;
    let now = want(stores, own, &base, Some("n@y")).await;
    assert_eq!((now.counts.failed, now.counts.queued, now.counts.ready), (1, 2, 1));
    assert_eq!(now.serving.as_deref(), Some("m@x"));
    assert_eq!(stores.feed.state().await.expect("tells").latest, latest, "what is found stays");
    let seen = stores.find(own, &items[2]).await;
    assert_eq!((seen.status, seen.error, seen.chunks, seen.updated), (ItemStatus::Queued, None, 2, at(20)));
    let tokens = stores.claim(&base, 50).await;
    assert_eq!(tokens.keys().copied().collect::<Vec<_>>(), [0, 1, 2]);
    for place in 0..2_u32 {
        let task = stores.task(&items[place as usize]).await;
        stores.ingest.finish(&task, tokens[&place], &embedded("n@y"), at(51)).await.expect("finishes");
    }
    assert_eq!(models(stores, own, &base).await, both(Some("n@y"), Some("m@x")));
    let task = stores.task(&items[2]).await;
    stores.ingest.finish(&task, tokens[&2], &without_vectors("w", 2), at(52)).await.expect("finishes");
    assert_eq!(
        models(stores, own, &base).await,
        both(Some("n@y"), Some("n@y")),
        "it fails again, and goes by"
    );

    let now = want(stores, own, &base, None).await;
    assert_eq!((now.counts.failed, now.counts.queued, now.serving), (1, 1, None));
    for item in &items {
        assert_eq!(stores.find(own, item).await.embedded, None, "vectors that are not wanted go");
    }
    assert_eq!(stores.claim(&base, 70).await.keys().copied().collect::<Vec<_>>(), [2]);
    assert_eq!(stores.find(own, &items[3]).await.error, Some(error("unreadable")));
}

/// A worker that gets no vectors of a model that is no longer wanted has not failed: the item is a job again
/// when another model is wanted, else it is done.
pub async fn a_failure_of_a_model_that_is_no_longer_wanted_is_none(
    stores: &Stores,
    own: &Scope,
    _other: &Scope,
) {
    for (name, wanted) in [("n", Some("n@y")), ("none", None)] {
        let base = stores.base(own, name, Some("m@x")).await;
        let item = stores.add_one(own, &base, document(own, name)).await;
        let token = stores.claim(&base, 10).await[&item.place];
        let task = stores.task(&item).await;
        stores.ingest.progress(&task, token, 1, 2, at(10)).await.expect("shows");
        want(stores, own, &base, wanted).await;
        stores.ingest.finish(&task, token, &without_vectors(name, 2), at(11)).await.expect("finishes");
        let seen = stores.find(own, &item).await;
        assert_eq!((seen.status, seen.error, seen.chunks), (ItemStatus::Ready, None, 2));
        assert_eq!(seen.progress, crate::Progress::default());
        assert_eq!(stores.claim(&base, 30).await.len(), usize::from(wanted.is_some()));
    }
}
