//! Contract of adding items and deduplicating them.

use futures_util::future::join_all;
use serde_json::Map;
use shared_core::{Scope, StoreError};

use super::stores::{Stores, at, base_id, chunked, chunks, content, document, error, finished, new_item};
use crate::{BaseId, ChangeKind, Contents, Counts, Item, ItemId, ItemStatus, NewItem, Progress, Source};

/// Items read back as they were added, in order. A document waits for a worker; an unusable one has failed.
pub async fn items_read_back_as_they_were_added(stores: &Stores, own: &Scope, _other: &Scope) {
    let base = stores.base(own, "a", None).await;
    let web = Source::Web { url: "https://example.com/\u{0}".into() };
    let broken =
        NewItem { source: web.clone(), key: None, ..new_item(own, "web", Contents::Unusable(error("gone"))) };
    let texts = NewItem { meta: Map::new(), source: Source::Chunks, ..chunked(own, "texts", 3) };
    let given = vec![document(own, "doc"), broken, texts];
    let added = stores.add(own, &base, given.clone()).await;
    assert!(added.iter().all(|one| one.new));
    for (place, (one, given)) in (0..).zip(added.iter().zip(&given)) {
        let item = stores.find(own, &one.item).await;
        assert_eq!(item, one.item);
        let told = (&item.id, &item.key, &item.source, &item.name, &item.meta, item.bytes);
        assert_eq!(told, (&given.id, &given.key, &given.source, &given.name, &given.meta, given.bytes));
        assert!(item.meta.keys().eq(given.meta.keys()), "keys keep their order");
        assert_eq!((item.place, &item.workspace, &item.base), (place, &own.workspace, &base.id));
        assert_eq!((&item.author, item.created, item.updated), (&own.user, at(5), at(5)));
        assert_eq!(item.embedded, None);
    }
    let [doc, broken, texts] = [0, 1, 2].map(|index| &added[index].item);
    assert!(doc.number > 0 && doc.number < broken.number && broken.number < texts.number);
    let told = (doc.status, doc.chunks, doc.sequence, doc.progress, &doc.error);
    assert_eq!(told, (ItemStatus::Queued, 0, 0, Progress::default(), &None));
    assert_eq!(doc.content, Some(content("own-doc")));
    assert_eq!(
        (broken.status, &broken.error, &broken.content),
        (ItemStatus::Failed, &Some(error("gone")), &None)
    );
    assert_eq!((texts.status, texts.chunks, texts.language.as_deref()), (ItemStatus::Ready, 3, Some("de")));
    let jobs = stores.claim(&base, 10).await;
    assert_eq!(jobs.keys().copied().collect::<Vec<_>>(), [doc.place], "the document alone is a job");
    let counts = Counts { queued: 1, ready: 1, failed: 1, chunks: 3, bytes: 300, ..Counts::default() };
    let base = stores.look(own, &base).await;
    assert_eq!((base.counts, base.languages, base.updated), (counts, vec!["de".to_owned()], at(5)));
    let none =
        stores.items.add(own, &BaseId("kb\u{0}".into()), vec![document(own, "x")], u64::MAX, at(5)).await;
    assert!(matches!(none, Err(StoreError::Missing("knowledge base"))));
    assert_eq!(stores.items.find(own, &ItemId("\u{0}".into())).await.expect("finds"), None);
}

/// Ready-made chunks are findable at once. They are ready when no vectors are wanted; else they wait for
/// them.
pub async fn ready_made_chunks_are_findable_at_once(stores: &Stores, own: &Scope, _other: &Scope) {
    let plain = stores.base(own, "plain", None).await;
    let item = stores.add_one(own, &plain, chunked(own, "a", 4)).await;
    assert_eq!((item.status, item.chunks, item.progress), (ItemStatus::Ready, 4, Progress::default()));
    let latest = stores.feed.state().await.expect("tells").latest;
    assert_eq!((item.sequence, stores.look(own, &plain).await.written), (latest, latest));
    let told = stores.feed.changes(latest - 1, 9).await.expect("lists");
    assert_eq!((told.len(), told[0].what), (1, ChangeKind::Put { item: item.number }));
    assert!(stores.claim(&plain, 10).await.is_empty());

    let rich = stores.base(own, "rich", Some("m@x")).await;
    let item = stores.add_one(own, &rich, chunked(own, "b", 4)).await;
    assert_eq!((item.status, item.chunks, item.sequence), (ItemStatus::Queued, 4, latest + 1));
    assert_eq!(item.progress, Progress { done: 0, total: 4 });
    assert_eq!(stores.feed.state().await.expect("tells").latest, latest + 1);
    assert!(stores.feed.item(item.number).await.expect("asks").is_some());
    let stored = stores.chunks.chunks(own, &item.id, 0, 9).await.expect("lists");
    assert_eq!(stored, chunks("b", 4), "they are kept for the worker");
    let done = crate::IngestResult {
        chunks: None,
        language: None,
        embedded: Some("m@x".into()),
        failure: None,
        remark: None,
    };
    let item = stores.finish(own, &rich, &item, &done).await;
    assert_eq!((item.status, item.chunks, item.sequence), (ItemStatus::Ready, 4, latest + 1));
    assert_eq!((item.language.as_deref(), item.embedded.as_deref()), (Some("de"), Some("m@x")));
    assert_eq!(item.progress, Progress { done: 4, total: 4 });
    assert_eq!(stores.look(own, &rich).await.languages, ["de"]);
}

/// Equal content is one item of a base, within a request and across requests; not in another base or
/// workspace.
pub async fn the_same_content_is_one_item(stores: &Stores, own: &Scope, other: &Scope) {
    let base = stores.base(own, "a", None).await;
    let again = |item: NewItem, id: &str| NewItem { id: ItemId(id.into()), name: "other".into(), ..item };
    let twice = vec![chunked(own, "x", 2), again(chunked(own, "x", 2), "second"), document(own, "d")];
    let added = stores.add(own, &base, twice).await;
    assert_eq!(added.iter().map(|one| one.new).collect::<Vec<_>>(), [true, false, true]);
    assert_eq!(added[0].item, added[1].item);
    let latest = stores.feed.state().await.expect("tells").latest;
    let third = stores.add(own, &base, vec![again(chunked(own, "x", 2), "third"), document(own, "d")]).await;
    assert_eq!((third[0].new, &third[0].item), (false, &added[0].item));
    assert_eq!((third[1].new, &third[1].item), (false, &added[2].item));
    assert_eq!(stores.feed.state().await.expect("tells").latest, latest, "nothing has changed");
    assert_eq!(stores.look(own, &base).await.counts.items(), 2);
    let second = stores.base(own, "b", None).await;
    let elsewhere = stores.add(own, &second, vec![again(chunked(own, "x", 2), "fourth")]).await;
    let theirs = stores.base(other, "a", None).await;
    let foreign = stores.add(other, &theirs, vec![chunked(other, "x", 2)]).await;
    assert!(elsewhere[0].new && foreign[0].new);
    assert_eq!(stores.items.find(own, &ItemId("second".into())).await.expect("finds"), None);
}

/// A failed item that is added again is queued again. An unusable one stays failed until it becomes usable.
pub async fn what_failed_and_is_given_again_is_queued_again(stores: &Stores, own: &Scope, _other: &Scope) {
    let base = stores.base(own, "a", None).await;
    let doc = stores.add_one(own, &base, document(own, "d")).await;
    let tokens = stores.claim(&base, 10).await;
    let task = stores.task(&doc).await;
    stores.ingest.fail(&task, tokens[&doc.place], &error("bad"), at(11)).await.expect("fails");
    let again = stores.add(own, &base, vec![document(own, "d")]).await.remove(0);
    assert_eq!((again.new, again.item.status, &again.item.error), (false, ItemStatus::Queued, &None));
    assert_eq!((&again.item.id, &again.item.content), (&doc.id, &doc.content));
    let done = stores.finish(own, &base, &doc, &finished("w", 1, None)).await;
    assert_eq!(done.status, ItemStatus::Ready);

    let unusable = |code| new_item(own, "w", Contents::Unusable(error(code)));
    let web = stores.add_one(own, &base, unusable("one")).await;
    let same = stores.add(own, &base, vec![unusable("two")]).await.remove(0);
    assert_eq!((same.new, &same.item), (false, &web));
    let texts = Contents::Chunks { chunks: chunks("w", 2), language: None };
    let usable = stores.add(own, &base, vec![new_item(own, "w", texts)]).await.remove(0);
    let told = (usable.new, usable.item.status, usable.item.chunks, &usable.item.error);
    assert_eq!(told, (false, ItemStatus::Ready, 2, &None));
    assert_eq!(stores.find(own, &web).await, usable.item);
    let found = stores.chunks.chunks(own, &web.id, 0, 9).await.expect("lists");
    assert_eq!(found, chunks("w", 2));
    let counts = stores.look(own, &base).await.counts;
    assert_eq!((counts.ready, counts.items(), counts.chunks), (2, 2, 3));
}

/// Concurrent additions of the same content get the same item, with one reference to the content.
pub async fn many_who_add_the_same_content_get_one_item(stores: &Stores, own: &Scope, _other: &Scope) {
    let base = stores.base(own, "a", None).await;
    let add = async |n: u32| {
        let doc = NewItem { id: ItemId(format!("doc {n}")), ..document(own, "d") };
        let texts = NewItem { id: ItemId(format!("texts {n}")), ..chunked(own, "t", 2) };
        let added = stores.items.add(own, &base.id, vec![doc, texts], u64::MAX, at(5)).await;
        added.expect("adds").expect("there is room")
    };
    let added = join_all((0..40).map(add)).await;
    for index in [0, 1] {
        assert_eq!(added.iter().filter(|one| one[index].new).count(), 1);
        let ids: Vec<&Item> = added.iter().map(|one| &one[index].item).collect();
        assert!(ids.iter().all(|item| item.id == ids[0].id), "{ids:?}");
    }
    let counts = stores.look(own, &base).await.counts;
    assert_eq!((counts.items(), counts.queued, counts.ready, counts.chunks), (2, 1, 1, 2));
    assert_eq!(stores.claim(&base, 10).await.len(), 1);
    let removed = stores.bases.delete(own, &base_id(own, "a"), at(12)).await.expect("deletes");
    assert_eq!(removed.expect("was there").orphans, [content("own-d").blob]);
}

/// A base never exceeds its maximum number of items, even with concurrent additions. A unit that does not fit
/// adds nothing; existing items are still returned.
pub async fn a_base_takes_no_more_items_than_it_may(stores: &Stores, own: &Scope, _other: &Scope) {
    let base = stores.base(own, "a", None).await;
    let pair = |n: u32| vec![document(own, &format!("d{n}")), chunked(own, &format!("t{n}"), 1)];
    let add =
        async |items: Vec<NewItem>| stores.items.add(own, &base.id, items, 9, at(5)).await.expect("answers");
    let added = join_all((0..20).map(|n| add(pair(n)))).await;
    assert_eq!(added.iter().flatten().count(), 4, "four pairs are eight of nine");
    assert_eq!(stores.look(own, &base).await.counts.items(), 8);
    let (there, refused): (Vec<u32>, Vec<u32>) = (0..20).partition(|n| added[*n as usize].is_some());
    for n in refused {
        let blob = content(&format!("own-d{n}")).blob;
        assert!(!stores.files.blob_in_use(&blob).await.expect("asks"), "{n}");
    }
    let mut given = pair(there[0]);
    given.extend([chunked(own, "last", 1), NewItem { id: ItemId("same".into()), ..chunked(own, "last", 1) }]);
    let last = add(given.clone()).await.expect("one of them is new");
    assert_eq!(last.iter().map(|one| one.new).collect::<Vec<_>>(), [false, false, true, false]);
    assert_eq!(last[3].item.id, last[2].item.id);
    let again = add(given).await.expect("nothing is new");
    assert!(again.iter().all(|one| !one.new));
    assert!(add(vec![chunked(own, "more", 1)]).await.is_none());
    let counts = stores.look(own, &base).await.counts;
    assert_eq!((counts.items(), stores.claim(&base, 10).await.len()), (9, 4));
}
