//! Contract of items with external ids.

use futures_util::future::join_all;
use shared_core::{PageRequest, Scope};

use super::stores::{Stores, at, chunked, chunks, content, document, error, finished, meta, new_item};
use crate::{ChunkKey, Contents, Item, ItemFilter, ItemId, ItemStatus, NewItem, Progress, Source};

/// The item as an entry with an external id.
fn owned(new: NewItem, id: &str) -> NewItem {
    let fingerprint = format!("{} of {id}", new.fingerprint);
    NewItem { external_id: Some(id.to_owned()), fingerprint, ..new }
}

/// Another entry under its own new id.
fn again(new: NewItem, n: u32) -> NewItem {
    NewItem { id: ItemId(format!("{}-{n}", new.id.0)), ..new }
}

async fn latest(stores: &Stores) -> i64 {
    stores.feed.state().await.expect("tells").latest
}

/// An external id reads back and can be listed by. In a base it is of one item; other bases and workspaces have
/// their own. Equal content with other external ids is other items.
pub async fn an_external_id_is_of_one_item_of_a_base(stores: &Stores, own: &Scope, other: &Scope) {
    let (base, second) = (stores.base(own, "a", None).await, stores.base(own, "b", None).await);
    let id = "ext\u{0}\u{10ffff} é";
    let entry = owned(chunked(own, "x", 2), id);
    let plain = again(chunked(own, "x", 2), 1);
    let items = stores.add(own, &base, vec![entry.clone(), plain, owned(chunked(own, "y", 1), "y")]).await;
    assert!(items.iter().all(|one| one.new && !one.replaced));
    let item = items[0].item.clone();
    assert_eq!(item.external_id.as_deref(), Some(id));
    assert_eq!(stores.find(own, &item).await, item);
    let before = latest(stores).await;
    let same = stores.add(own, &base, vec![again(entry.clone(), 2)]).await.remove(0);
    assert_eq!((same.new, same.replaced, &same.item), (false, false, &item));
    assert_eq!(latest(stores).await, before, "nothing has changed");
    assert!(stores.claim(&base, 10).await.is_empty());
    let elsewhere = stores.add(own, &second, vec![again(entry.clone(), 3)]).await.remove(0);
    let theirs = stores.base(other, "a", None).await;
    let foreign = stores.add(other, &theirs, vec![owned(chunked(other, "x", 2), id)]).await.remove(0);
    assert!(elsewhere.new && foreign.new);
    let list = async |base: Option<&crate::Base>, id: &str, status| {
        let (base, external_id) = (base.map(|base| base.id.clone()), Some(id.to_owned()));
        let filter = ItemFilter { base, status, external_id };
        let page = stores.items.list(own, &filter, &PageRequest::first(9)).await.expect("lists");
        assert_eq!(page.total, page.items.len() as u64);
        page.items
    };
    assert_eq!(list(Some(&base), id, None).await, std::slice::from_ref(&item));
    assert_eq!(list(None, id, Some(ItemStatus::Ready)).await, [elsewhere.item, item]);
    assert!(list(None, id, Some(ItemStatus::Failed)).await.is_empty());
    assert!(list(Some(&base), "ext", None).await.is_empty());
}

/// Concurrent entries with one external id are one item, with the content of one of them.
pub async fn many_entries_with_one_external_id_are_one_item(stores: &Stores, own: &Scope, _other: &Scope) {
    let base = stores.base(own, "a", None).await;
    let add = async |n: u32| {
        let new = if n.is_multiple_of(2) {
            document(own, &n.to_string())
        } else {
            chunked(own, &n.to_string(), 1 + n % 3)
        };
        let added = stores.items.add(own, &base.id, vec![owned(new, "x")], u64::MAX, at(5)).await;
        added.expect("adds").expect("there is room").remove(0)
    };
    let added = join_all((0..30).map(add)).await;
    assert_eq!(added.iter().filter(|one| one.new).count(), 1);
    assert!(added.iter().all(|one| one.item.id == added[0].item.id));
    let last = stores.find(own, &added[0].item).await;
    assert_eq!(stores.look(own, &base).await.counts.items(), 1);
    for n in (0..30).step_by(2) {
        let blob = content(&format!("own-{n}")).blob;
        let used = last.content.as_ref().is_some_and(|content| content.blob == blob);
        assert_eq!(stores.files.blob_in_use(&blob).await.expect("asks"), used, "{n}");
    }
    let mut orphans: Vec<_> = added.into_iter().filter_map(|one| one.orphan).collect();
    orphans.sort_unstable_by(|one, other| one.0.cmp(&other.0));
    orphans.dedup();
    assert_eq!(orphans.len(), 15 - usize::from(last.content.is_some()));
}

/// An entry with other content replaces that of the item, which is a job again. Its old chunks stay findable
/// until the new ones are, and a worker of the old content is refused.
pub async fn an_entry_replaces_the_content_of_its_item(stores: &Stores, own: &Scope, _other: &Scope) {
    let base = stores.base(own, "a", None).await;
    let item = stores.add_one(own, &base, owned(document(own, "1"), "x")).await;
    let item = stores.finish(own, &base, &item, &finished("old", 2, None)).await;
    let live = async |item: &Item| {
        let found = [(ChunkKey { item: item.number, position: 0 }, item.sequence)];
        let live = stores.chunks.load_live_chunks(own, &base.id, &found).await.expect("looks").remove(0);
        live.map(|live| (live.chunk.text, live.meta))
    };
    let entry = |name: &str, n| again(owned(document(own, name), "x"), n);
    let second = stores.add(own, &base, vec![entry("2", 1)]).await.remove(0);
    assert_eq!((second.new, second.replaced, second.orphan), (false, true, Some(content("own-1").blob)));
    let told = (&second.item.id, second.item.number, second.item.created, second.item.status);
    assert_eq!(told, (&item.id, item.number, item.created, ItemStatus::Queued));
    assert_eq!((&second.item.content, second.item.chunks), (&Some(content("own-2")), 2));
    let text = chunks("old", 1).remove(0).text;
    assert_eq!(live(&second.item).await, Some((text.clone(), meta(1))), "the old content is found meanwhile");
    let token = stores.claim(&base, 20).await[&item.place];
    let task = stores.task(&item).await;
    let third = NewItem { meta: meta(3), ..entry("3", 2) };
    let third = stores.add(own, &base, vec![third]).await.remove(0).item;
    let late = stores.ingest.finish(&task, token, &finished("late", 1, None), at(31)).await;
    assert!(matches!(late, Err(shared_core::StoreError::Stale)));
    assert_eq!(live(&third).await, Some((text, meta(3))));
    let done = stores.finish(own, &base, &third, &finished("new", 1, None)).await;
    assert_eq!(live(&done).await.map(|live| live.0), Some(chunks("new", 1).remove(0).text));
    assert_eq!(live(&third).await, None);
    let counts = stores.look(own, &base).await.counts;
    assert_eq!((counts.ready, counts.items(), counts.chunks, counts.bytes), (1, 1, 1, 7));

    let token = {
        stores.add(own, &base, vec![entry("4", 3)]).await;
        stores.claim(&base, 600).await[&item.place]
    };
    let task = stores.task(&item).await;
    stores.ingest.fail(&task, token, &error("bad"), at(601)).await.expect("fails");
    let tried = stores.add(own, &base, vec![entry("4", 4)]).await.remove(0);
    assert_eq!((tried.replaced, tried.item.status, &tried.item.error), (false, ItemStatus::Queued, &None));
}

/// An entry with the same content and another title or meta changes these alone: no job, no new chunks. The
/// change is told.
pub async fn other_labels_are_no_new_content(stores: &Stores, own: &Scope, _other: &Scope) {
    let base = stores.base(own, "a", None).await;
    let item = stores.add_one(own, &base, owned(document(own, "1"), "x")).await;
    let item = stores.finish(own, &base, &item, &finished("w", 2, None)).await;
    let labelled = NewItem {
        name: "new\u{0}".into(),
        meta: meta(2),
        expires: Some(at(99)),
        fingerprint: "other print of x".into(),
        ..again(owned(document(own, "1"), "x"), 1)
    };
    let before = latest(stores).await;
    let added = stores.add(own, &base, vec![labelled.clone()]).await.remove(0);
    assert_eq!((added.new, added.replaced, added.orphan), (false, false, None));
    let wanted = Item {
        name: "new\u{0}".into(),
        meta: meta(2),
        expires: Some(at(99)),
        position: before + 1,
        updated: at(5),
        ..item.clone()
    };
    assert_eq!(added.item, wanted);
    assert_eq!(stores.find(own, &item).await, wanted);
    assert_eq!(latest(stores).await, before + 1);
    assert!(stores.claim(&base, 600).await.is_empty());
    let same = stores.add(own, &base, vec![again(labelled, 2)]).await.remove(0);
    assert_eq!((same.item, latest(stores).await), (wanted, before + 1));
    assert!(stores.files.blob_in_use(&content("own-1").blob).await.expect("asks"));

    let web = Source::Web { url: "https://example.com/".into() };
    let page = owned(NewItem { source: web, ..new_item(own, "page", Contents::Remote) }, "page");
    let found = stores.add_one(own, &base, page.clone()).await;
    let token = stores.claim(&base, 700).await[&found.place];
    let task = stores.task(&found).await;
    stores.ingest.set_content(&task, token, &content("p"), Some("Title"), at(12)).await.expect("sets");
    stores.ingest.finish(&task, token, &finished("p", 1, None), at(13)).await.expect("finishes");
    let meta_only = NewItem { meta: meta(7), fingerprint: "third".into(), ..again(page, 1) };
    let changed = stores.add_one(own, &base, meta_only).await;
    assert_eq!((changed.name.as_str(), changed.meta, changed.status), ("Title", meta(7), ItemStatus::Ready));
}

/// Ready-made chunks replace a document at once, and a page of the web once it is fetched.
pub async fn ready_made_chunks_and_pages_replace_other_content(stores: &Stores, own: &Scope, _other: &Scope) {
    let base = stores.base(own, "a", None).await;
    let item = stores.add_one(own, &base, owned(document(own, "1"), "x")).await;
    let item = stores.finish(own, &base, &item, &finished("old", 3, None)).await;
    let source = Source::Chunks;
    let given = NewItem { source: source.clone(), ..again(owned(chunked(own, "new", 2), "x"), 1) };
    let before = latest(stores).await;
    let added = stores.add(own, &base, vec![given]).await.remove(0);
    assert_eq!((added.replaced, added.orphan), (true, Some(content("own-1").blob)));
    let told = (added.item.status, added.item.chunks, added.item.sequence, &added.item.source);
    assert_eq!(told, (ItemStatus::Ready, 2, before + 1, &source));
    assert_eq!((&added.item.content, added.item.language.as_deref()), (&None, Some("de")));
    assert_eq!(stores.find(own, &item).await, added.item);
    assert_eq!(stores.chunks.chunks(own, &item.id, 0, 9).await.expect("lists"), chunks("new", 2));
    assert_eq!(stores.look(own, &base).await.counts.chunks, 2);

    let web = Source::Web { url: "https://example.com/".into() };
    let page = NewItem { source: web.clone(), bytes: 0, ..new_item(own, "page", Contents::Remote) };
    let waiting = stores.add_one(own, &base, again(owned(page, "x"), 2)).await;
    let told = (waiting.status, waiting.chunks, waiting.sequence, &waiting.source);
    assert_eq!(told, (ItemStatus::Queued, 2, before + 1, &web));
    let done = stores.finish(own, &base, &waiting, &finished("page", 1, None)).await;
    assert_eq!((done.status, done.chunks), (ItemStatus::Ready, 1));

    let rich = stores.base(own, "rich", Some("m@x")).await;
    let first = stores.add_one(own, &rich, owned(again(chunked(own, "a", 1), 9), "x")).await;
    let done = stores.finish(own, &rich, &first, &finished("a", 1, Some("m@x"))).await;
    assert_eq!(stores.look(own, &rich).await.serving.as_deref(), Some("m@x"));
    let second = stores.add_one(own, &rich, owned(again(chunked(own, "b", 4), 10), "x")).await;
    assert!(second.sequence > done.sequence);
    let told = (second.status, second.progress, &second.embedded);
    assert_eq!(told, (ItemStatus::Queued, Progress { done: 0, total: 4 }, &None));
    let done = stores.finish(own, &rich, &second, &finished("b", 4, Some("m@x"))).await;
    assert_eq!((done.status, done.embedded.as_deref()), (ItemStatus::Ready, Some("m@x")));
}
