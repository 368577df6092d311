//! Contract of the queries that searches need.

use std::sync::Arc;

use shared_core::Scope;

use super::stores::{Stores, at, chunked, chunks, document, finished, meta, replacement};
use crate::{ChunkKey, ContentHash, Item, ItemAttributes, ItemChange, ItemId, NewItem, Selection};

fn key(item: &Item, position: u32) -> (ChunkKey, i64) {
    (ChunkKey { item: item.number, position }, item.sequence)
}

/// A hit is returned with its item's present title and meta. Replaced, deleted, and foreign chunks (another
/// base or workspace) are not returned.
pub async fn only_what_is_live_is_shown(stores: &Stores, own: &Scope, other: &Scope) {
    let (base, second) = (stores.base(own, "a", None).await, stores.base(own, "b", None).await);
    let theirs = stores.base(other, "a", None).await;
    let one = stores.add_one(own, &base, chunked(own, "1", 3)).await;
    let two = stores.add_one(own, &base, chunked(own, "2", 3)).await;
    let waiting = stores.add_one(own, &base, document(own, "d")).await;
    let elsewhere = stores.add_one(own, &second, chunked(own, "3", 3)).await;
    let foreign = stores.add_one(other, &theirs, chunked(other, "4", 3)).await;
    let odd = (ChunkKey { item: one.number - 1, position: 1 << 20 }, one.sequence);
    let found = [
        key(&two, 1),
        key(&one, 2),
        key(&one, 3),
        key(&one, u32::MAX),
        (key(&one, 0).0, one.sequence + 1),
        (key(&one, 0).0, 0),
        key(&waiting, 0),
        key(&elsewhere, 0),
        key(&foreign, 0),
        odd,
        (ChunkKey { item: i64::MAX, position: 0 }, 1),
        (ChunkKey { item: -1, position: 0 }, 1),
        key(&one, 2),
    ];
    let shown = stores.chunks.load_live_chunks(own, &base.id, &found).await.expect("looks");
    let present: Vec<bool> = shown.iter().map(Option::is_some).collect();
    assert_eq!(present, [&[true, true], &[false; 10][..], &[true]].concat());
    for (index, item, word, position) in [(0, &two, "2", 1), (1, &one, "1", 2), (12, &one, "1", 2)] {
        let chunk = shown[index].as_ref().expect("is shown");
        assert_eq!(
            (&chunk.item, chunk.number, &chunk.name, &chunk.meta),
            (&item.id, item.number, &item.name, &item.meta)
        );
        assert_eq!(chunk.chunk, chunks(word, 3)[position]);
    }
    for (scope, base) in [(other, &base), (other, &theirs), (own, &theirs), (own, &second)] {
        let shown = stores.chunks.load_live_chunks(scope, &base.id, &found[..3]).await.expect("looks");
        assert!(shown.len() == 3 && shown.iter().all(Option::is_none), "{scope:?} {base:?}");
    }
    let change = ItemChange { name: Some("new".into()), meta: Some(meta(5)), ..replacement("e") };
    stores.items.update(own, &one.id, &change, at(9)).await.expect("updates");
    let still = stores.chunks.load_live_chunks(own, &base.id, &[key(&one, 2)]).await.expect("looks");
    let still = still[0].as_ref().expect("the old is found until the new is ready");
    assert_eq!((still.name.as_str(), &still.meta), ("new", &meta(5)));
    let new = stores.finish(own, &base, &one, &finished("e", 3, None)).await;
    let found = [key(&one, 2), key(&new, 2), key(&two, 0)];
    let shown = stores.chunks.load_live_chunks(own, &base.id, &found).await.expect("looks");
    assert!(shown[0].is_none() && shown[2].is_some());
    assert_eq!(shown[1].as_ref().expect("is shown").chunk, chunks("e", 3)[2]);
    let selection = Selection::Ids(Some(base.id.clone()), vec![two.id.clone()]);
    stores.items.delete(own, &selection, at(12)).await.expect("deletes");
    let shown = stores.chunks.load_live_chunks(own, &base.id, &found).await.expect("looks");
    assert_eq!(shown.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true, false]);
    stores.bases.delete(own, &base.id, at(13)).await.expect("deletes");
    let shown = stores.chunks.load_live_chunks(own, &base.id, &found).await.expect("looks");
    assert!(shown.iter().all(Option::is_none));
}

/// The attributes of findable items are listed by number, by page.
pub async fn attributes_come_by_number(stores: &Stores, own: &Scope, other: &Scope) {
    let (base, second) = (stores.base(own, "a", None).await, stores.base(own, "b", None).await);
    let mut wanted = Vec::new();
    for n in 0..4 {
        let given = |name: String, n| NewItem { meta: meta(n), ..chunked(own, &name, 1) };
        let item = stores.add_one(own, &base, given(format!("{n}"), n)).await;
        wanted.push(ItemAttributes::from(&item));
        stores.add_one(own, &second, given(format!("b{n}"), 9)).await;
        stores.add_one(own, &base, document(own, &format!("d{n}"))).await;
    }
    let ask = async |scope: &Scope, after, limit| {
        stores.chunks.attributes(scope, &base.id, after, limit).await.expect("lists")
    };
    assert_eq!(ask(own, 0, 9).await, wanted);
    assert_eq!(ask(own, 0, 3).await, wanted[..3]);
    assert_eq!(ask(own, wanted[2].number, 3).await, wanted[3..]);
    assert!(ask(own, wanted[3].number, 3).await.is_empty());
    assert!(ask(other, 0, 9).await.is_empty());
    assert!(ask(own, 0, 1).await[0].meta.keys().eq(meta(0).keys()), "keys keep their order");
}

fn vector(numbers: [f32; 2]) -> Arc<[f32]> {
    Arc::from(numbers.as_slice())
}

/// Vectors are identified by workspace, model and text; the first one stays.
pub async fn vectors_are_kept_by_workspace_and_model(stores: &Stores, own: &Scope, other: &Scope) {
    let [a, b, c] = ["a", "b\u{0}", "c"].map(ContentHash::of);
    stores
        .embeddings
        .store_vectors(own, "m@x", vec![(b, vector([1.5, f32::MIN])), (a, vector([0.0, 2.0]))])
        .await
        .expect("keeps");
    stores
        .embeddings
        .store_vectors(own, "m@x", vec![(a, vector([9.0, 9.0])), (a, vector([8.0, 8.0]))])
        .await
        .expect("keeps");
    stores.embeddings.store_vectors(own, "n@x", vec![(c, vector([3.0, 3.0]))]).await.expect("keeps");
    let known = async |scope: &Scope, model: &str| {
        let known = stores.embeddings.find_embedded(scope, model, &[a, b, c, a]).await.expect("asks");
        [a, b, c].map(|hash| known.contains(&hash))
    };
    assert_eq!(known(own, "m@x").await, [true, true, false]);
    assert_eq!(known(own, "n@x").await, [false, false, true]);
    assert_eq!(known(own, "\u{0}").await, [false; 3]);
    assert_eq!(known(other, "m@x").await, [false; 3]);
    stores.embeddings.store_vectors(own, "m@x", Vec::new()).await.expect("keeps");
    assert!(stores.embeddings.find_embedded(own, "m@x", &[]).await.expect("asks").is_empty());
}

/// The vectors of a base's findable chunks are listed by key, by page.
pub async fn vectors_of_a_base_come_in_order(stores: &Stores, own: &Scope, other: &Scope) {
    let (base, second) = (stores.base(own, "a", None).await, stores.base(own, "b", None).await);
    let theirs = stores.base(other, "a", None).await;
    let mut wanted = Vec::new();
    let mut kept = Vec::new();
    for n in 0..4_u8 {
        let name = n.to_string();
        let item = stores.add_one(own, &base, chunked(own, &name, 3)).await;
        stores.add_one(own, &base, document(own, &format!("d{n}"))).await;
        // Every second item is followed by one of another base.
        if n % 2 == 0 {
            let same = NewItem { id: ItemId(format!("same {n}")), ..chunked(own, &name, 3) };
            stores.add_one(own, &second, same).await;
        }
        stores.add_one(other, &theirs, chunked(other, &name, 3)).await;
        for chunk in chunks(&name, 3).iter().filter(|chunk| chunk.position != 1) {
            let numbers = vector([f32::from(n), -0.5]);
            wanted.push((key(&item, chunk.position).0, item.sequence, Arc::clone(&numbers)));
            kept.push((chunk.hash(), numbers));
        }
    }
    stores.embeddings.store_vectors(own, "m@x", kept).await.expect("keeps");
    let ask = async |base: i64, model: &str, after: ChunkKey, limit| {
        stores.feed.vectors(base, model, after, limit).await.expect("lists")
    };
    let start = ChunkKey { item: 0, position: 0 };
    assert_eq!(ask(base.number, "m@x", start, 99).await, wanted);
    let (mut after, mut seen) = (start, Vec::new());
    loop {
        let page = ask(base.number, "m@x", after, 3).await;
        let Some(last) = page.last() else { break };
        assert!(page.len() <= 3);
        after = last.0;
        seen.extend(page);
    }
    assert_eq!(seen, wanted);
    // A key after all chunks of an item, as readers of single items give it.
    let before_last = ChunkKey { item: wanted[6].0.item - 1, position: u32::MAX };
    assert_eq!(ask(base.number, "m@x", before_last, 99).await, wanted[6..]);
    assert_eq!(ask(second.number, "m@x", start, 99).await.len(), 4);
    assert!(ask(theirs.number, "m@x", start, 99).await.is_empty(), "vectors belong to a workspace");
    assert!(ask(base.number, "n@x", start, 99).await.is_empty());
    assert!(ask(i64::MAX, "m@x", start, 99).await.is_empty());
    assert!(ask(base.number, "m@x", ChunkKey { item: i64::MAX, position: 0 }, 99).await.is_empty());
}
