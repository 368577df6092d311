//! Contract of deleting items and bases.

use shared_core::{PageRequest, Scope};

use super::stores::{Stores, at, chunked, chunks, content, document, finished, new_item};
use crate::{
    ChangeKind, ChunkKey, Contents, Counts, Item, ItemFilter, ItemId, NewItem, RemovedItems, Selection,
};

fn sorted(mut ids: Vec<ItemId>) -> Vec<ItemId> {
    ids.sort_unstable();
    ids
}

/// Asserts that nothing is left of an item: no chunk, no job, no hit.
async fn is_gone(stores: &Stores, scope: &Scope, item: &Item) {
    assert_eq!(stores.items.find(scope, &item.id).await.expect("finds"), None);
    assert!(stores.chunks.chunks(scope, &item.id, 0, 9).await.expect("lists").is_empty());
    assert!(stores.feed.item(item.number).await.expect("asks").is_none());
    assert!(stores.feed.chunks(item.number, 0, 9).await.expect("lists").is_empty());
    let found = [(ChunkKey { item: item.number, position: 0 }, item.sequence)];
    assert_eq!(stores.chunks.load_live_chunks(scope, &item.base, &found).await.expect("looks"), [None]);
    let task = stores.ingest.task(&scope.workspace, &item.base, item.place).await.expect("asks");
    assert!(task.is_none());
}

/// Items are deleted with their chunks, jobs and contents, in the given base or in any. Each findable one
/// writes a change.
pub async fn items_are_deleted_with_all_they_have(stores: &Stores, own: &Scope, _other: &Scope) {
    let (base, second) = (stores.base(own, "a", None).await, stores.base(own, "b", None).await);
    let given = vec![chunked(own, "1", 3), document(own, "2"), chunked(own, "3", 2), document(own, "4")];
    let items: Vec<Item> = stores.add(own, &base, given).await.into_iter().map(|one| one.item).collect();
    let elsewhere = stores.add_one(own, &second, chunked(own, "5", 2)).await;
    let before = stores.feed.state().await.expect("tells").latest;
    let [one, two, three, four] = [0, 1, 2, 3].map(|index| items[index].id.clone());
    let odd = ItemId("\u{0}".into());
    let named = vec![three.clone(), two.clone(), elsewhere.id.clone(), odd, two.clone()];
    let delete = async |selection| stores.items.delete(own, &selection, at(9)).await.expect("deletes");
    let removed = delete(Selection::Ids(Some(base.id.clone()), named.clone())).await;
    assert_eq!(sorted(removed.items), sorted(vec![two, three]));
    assert_eq!(removed.orphans, [content("own-2").blob]);
    assert_eq!(removed.position, Some(before + 1));
    is_gone(stores, own, &items[1]).await;
    is_gone(stores, own, &items[2]).await;
    let told = stores.feed.changes(before, 9).await.expect("lists");
    assert_eq!(
        told.iter().map(|one| one.what).collect::<Vec<_>>(),
        [ChangeKind::Gone { item: items[2].number }]
    );
    let counts = Counts { queued: 1, ready: 1, chunks: 3, bytes: 200, ..Counts::default() };
    let look = stores.look(own, &base).await;
    assert_eq!((look.counts, look.updated), (counts, at(9)));
    assert_eq!(stores.chunks.chunks(own, &one, 0, 9).await.expect("lists"), chunks("1", 3));
    assert_eq!(stores.find(own, &elsewhere).await, elsewhere);
    assert_eq!(stores.claim(&base, 10).await.keys().copied().collect::<Vec<_>>(), [items[3].place]);

    let removed = delete(Selection::Ids(None, vec![four, elsewhere.id.clone()])).await;
    assert_eq!((removed.items.len(), removed.orphans), (2, vec![content("own-4").blob]));
    is_gone(stores, own, &items[3]).await;
    is_gone(stores, own, &elsewhere).await;
    assert_eq!(stores.look(own, &second).await.counts, Counts::default());
    assert_eq!(delete(Selection::Ids(None, named)).await, RemovedItems::default());
    assert_eq!(delete(Selection::Ids(None, Vec::new())).await, RemovedItems::default());
    let again = stores.add(own, &base, vec![chunked(own, "3", 2)]).await.remove(0);
    assert!(again.new && again.item.number > elsewhere.number, "a number is never given again");
    assert!(again.item.place > items[3].place, "nor is a place");
}

/// Deleting all items of a base leaves the base, which can be used further.
pub async fn a_base_is_emptied(stores: &Stores, own: &Scope, other: &Scope) {
    let (base, second) = (stores.base(own, "a", None).await, stores.base(own, "b", None).await);
    let mut items = Vec::new();
    for n in 0..3 {
        let given = vec![chunked(own, &format!("c{n}"), 2), document(own, &format!("d{n}"))];
        items.extend(stores.add(own, &base, given).await.into_iter().map(|one| one.item));
        let again = NewItem { id: ItemId(format!("elsewhere {n}")), ..chunked(own, &format!("c{n}"), 2) };
        stores.add_one(own, &second, again).await;
    }
    let before = stores.feed.state().await.expect("tells").latest;
    let all = Selection::All(base.id.clone());
    let foreign = stores.items.delete(other, &all, at(8)).await.expect("answers");
    assert_eq!(foreign, RemovedItems::default());
    let removed = stores.items.delete(own, &all, at(9)).await.expect("deletes");
    assert_eq!(sorted(removed.items), sorted(items.iter().map(|item| item.id.clone()).collect()));
    assert_eq!((removed.orphans.len(), removed.position), (3, Some(before + 3)));
    for item in &items {
        is_gone(stores, own, item).await;
    }
    let told = stores.feed.changes(before, 99).await.expect("lists");
    let gone =
        items.iter().filter(|item| item.sequence > 0).map(|item| ChangeKind::Gone { item: item.number });
    assert_eq!(told.iter().map(|one| one.what).collect::<Vec<_>>(), gone.collect::<Vec<_>>());
    assert!(stores.claim(&base, 10).await.is_empty());
    assert_eq!(stores.look(own, &base).await.counts, Counts::default());
    assert_eq!(stores.look(own, &second).await.counts.chunks, 6);
    let new = stores.add_one(own, &base, chunked(own, "c0", 1)).await;
    assert!(new.place > items[5].place);
    let removed = stores.items.delete(own, &all, at(9)).await.expect("deletes");
    assert_eq!(removed.items, [new.id]);
    assert_eq!(stores.items.delete(own, &all, at(9)).await.expect("deletes"), RemovedItems::default());
}

/// A base is deleted with its items, their chunks and jobs, and writes one change. Others are unaffected.
pub async fn a_base_goes_with_all_it_has(stores: &Stores, own: &Scope, other: &Scope) {
    let (base, second) = (stores.base(own, "a", None).await, stores.base(own, "b", None).await);
    let given = vec![chunked(own, "1", 3), document(own, "2"), document(own, "3")];
    let items: Vec<Item> = stores.add(own, &base, given).await.into_iter().map(|one| one.item).collect();
    let bystander = stores.add_one(own, &second, document(own, "9")).await;
    let bystander = stores.finish(own, &second, &bystander, &finished("w", 2, None)).await;
    let before = stores.feed.state().await.expect("tells").latest;
    assert_eq!(stores.bases.delete(other, &base.id, at(9)).await.expect("answers"), None);
    let removed = stores.bases.delete(own, &base.id, at(9)).await.expect("deletes").expect("was there");
    assert_eq!(sorted(removed.items), sorted(items.iter().map(|item| item.id.clone()).collect()));
    assert_eq!(stores.bases.delete(own, &base.id, at(9)).await.expect("answers"), None);
    assert_eq!(stores.bases.find(own, &base.id).await.expect("finds"), None);
    for item in &items {
        is_gone(stores, own, item).await;
    }
    let told = stores.feed.changes(before, 9).await.expect("lists");
    assert_eq!(
        told.iter().map(|one| one.what).collect::<Vec<_>>(),
        [ChangeKind::BaseGone { base: base.number }]
    );
    assert_eq!(removed.position, Some(before + 1));
    assert!(stores.claim(&base, 900).await.is_empty());
    assert_eq!(stores.find(own, &bystander).await, bystander);
    assert_eq!(stores.chunks.chunks(own, &bystander.id, 0, 9).await.expect("lists"), chunks("w", 2));
    let left = stores.items.list(own, &ItemFilter::default(), &PageRequest::first(9)).await.expect("lists");
    assert_eq!((left.total, left.items), (1, vec![bystander]));
    let again = stores.base(own, "a", None).await;
    assert!(again.number > second.number, "a number is never given again");
}

/// Contents that only the deleted base referred to are orphans; shared ones stay.
pub async fn contents_of_a_deleted_base_go_when_nobody_refers_to_them(
    stores: &Stores,
    own: &Scope,
    _other: &Scope,
) {
    let (base, second) = (stores.base(own, "a", None).await, stores.base(own, "b", None).await);
    let file = stores.file(own, "kept").await;
    let present = Contents::Document { content: content("kept"), fresh: false };
    let doc = |name: &str, matter: &Contents| {
        let id = ItemId(format!("doc {name}"));
        NewItem { id, fingerprint: name.into(), ..new_item(own, name, matter.clone()) }
    };
    let shared = Contents::Document { content: content("shared"), fresh: true };
    // Two items of a base may refer to one content under different fingerprints.
    let twice = Contents::Document { content: content("twice"), fresh: true };
    let given = vec![doc("1", &present), doc("2", &shared), doc("3", &twice), doc("4", &twice)];
    stores.add(own, &base, given).await;
    stores.add(own, &second, vec![doc("5", &shared)]).await;
    let removed = stores.bases.delete(own, &base.id, at(9)).await.expect("deletes").expect("was there");
    assert_eq!(removed.orphans, [content("twice").blob]);
    for (name, used) in [("kept", true), ("shared", true), ("twice", false)] {
        assert_eq!(stores.files.blob_in_use(&content(name).blob).await.expect("asks"), used, "{name}");
    }
    let removed = stores.bases.delete(own, &second.id, at(9)).await.expect("deletes").expect("was there");
    assert_eq!(removed.orphans, [content("shared").blob]);
    let gone = stores.files.delete(own, file.id).await.expect("deletes").expect("was there");
    assert_eq!(gone.orphan, Some(content("kept").blob));
}
