//! Contract of items that expire.

use shared_core::Scope;

use super::stores::{Stores, at, chunked, content, document};
use crate::{ChangeKind, ChunkKey, Counts, Item, ItemChange, ItemId, NewItem, RemovedItems};

fn until(new: NewItem, micros: i64) -> NewItem {
    NewItem { expires: Some(at(micros)), ..new }
}

/// Expired items of all workspaces are deleted with all they have, those first that expired first. Hits tell
/// when their item expires.
pub async fn what_has_expired_goes_with_all_it_has(stores: &Stores, own: &Scope, other: &Scope) {
    let (base, theirs) = (stores.base(own, "a", None).await, stores.base(other, "a", None).await);
    let given = vec![
        until(chunked(own, "1", 2), 30),
        until(document(own, "2"), 20),
        chunked(own, "3", 1),
        until(chunked(own, "4", 1), 31),
    ];
    let items: Vec<Item> = stores.add(own, &base, given).await.into_iter().map(|one| one.item).collect();
    let foreign = stores.add_one(other, &theirs, until(chunked(other, "5", 1), 25)).await;
    assert_eq!(items[0].expires, Some(at(30)));
    assert_eq!(stores.find(own, &items[0]).await, items[0]);
    let found = [(ChunkKey { item: items[0].number, position: 0 }, items[0].sequence)];
    let live = stores.chunks.load_live_chunks(own, &base.id, &found).await.expect("looks").remove(0);
    assert_eq!(live.map(|live| live.expires), Some(Some(at(30))));
    let remove = async |now, limit| stores.items.remove_expired(at(now), limit).await.expect("deletes");
    assert_eq!(remove(19, 9).await, RemovedItems::default());
    let before = stores.feed.state().await.expect("tells").latest;
    let mut removed = remove(30, 2).await;
    removed.items.sort_unstable();
    let mut wanted = vec![items[1].id.clone(), foreign.id.clone()];
    wanted.sort_unstable();
    assert_eq!((removed.items, removed.orphans), (wanted, vec![content("own-2").blob]));
    let removed = remove(30, 2).await;
    assert_eq!((removed.items, removed.position), (vec![items[0].id.clone()], Some(before + 2)));
    assert_eq!(remove(30, 2).await, RemovedItems::default());
    let told = stores.feed.changes(before, 9).await.expect("lists");
    assert_eq!(
        told.iter().map(|one| one.what).collect::<Vec<_>>(),
        [ChangeKind::Gone { item: foreign.number }, ChangeKind::Gone { item: items[0].number }]
    );
    assert_eq!(stores.items.find(own, &items[0].id).await.expect("finds"), None);
    assert!(stores.chunks.chunks(own, &items[0].id, 0, 9).await.expect("lists").is_empty());
    assert!(stores.claim(&base, 40).await.is_empty());
    let counts = Counts { ready: 2, chunks: 2, bytes: 200, ..Counts::default() };
    assert_eq!(stores.look(own, &base).await.counts, counts);
    assert_eq!(stores.look(other, &theirs).await.counts, Counts::default());
}

/// A change or another addition of the same content sets how long an item lives.
pub async fn an_addition_decides_how_long_an_item_lives(stores: &Stores, own: &Scope, _other: &Scope) {
    let base = stores.base(own, "a", None).await;
    let item = stores.add_one(own, &base, until(chunked(own, "1", 1), 20)).await;
    let longer = stores.add_one(own, &base, until(chunked(own, "1", 1), 40)).await;
    assert_eq!((&longer.id, longer.expires), (&item.id, Some(at(40))));
    assert_eq!(stores.find(own, &item).await.expires, Some(at(40)));
    let before = stores.feed.state().await.expect("tells").latest;
    for expires in [Some(at(15)), None, Some(at(50))] {
        let change = ItemChange { expires: Some(expires), ..ItemChange::default() };
        let changed = stores.items.update(own, &item.id, &change, at(9)).await.expect("updates");
        assert_eq!(changed.map(|changed| changed.0.expires), Some(expires));
        assert_eq!(stores.find(own, &item).await.expires, expires);
    }
    let named = ItemChange { name: Some("n".into()), ..ItemChange::default() };
    stores.items.update(own, &item.id, &named, at(9)).await.expect("updates");
    assert_eq!(stores.find(own, &item).await.expires, Some(at(50)));
    assert_eq!(stores.feed.state().await.expect("tells").latest, before + 1, "the title alone is told");
    let forever = NewItem { id: ItemId("again".into()), ..chunked(own, "1", 1) };
    assert_eq!(stores.add_one(own, &base, forever).await.expires, None);
    assert_eq!(stores.items.remove_expired(at(99), 9).await.expect("deletes"), RemovedItems::default());
}
