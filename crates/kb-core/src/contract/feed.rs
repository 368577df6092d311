//! Contract of the change feed.

use futures_util::future::{join, join_all};
use shared_core::Scope;

use super::stores::{Stores, at, chunked, chunks, document, finished};
use crate::{Change, ChangeKind, FeedState, IndexedItem, Item, Selection};

fn indexed(item: &Item, base: i64) -> IndexedItem {
    IndexedItem {
        number: item.number,
        base,
        sequence: item.sequence,
        name: item.name.clone(),
        language: item.language.clone(),
    }
}

/// Changes are numbered without gaps. Findable items and their chunks are listed by page.
pub async fn changes_are_told_in_order(stores: &Stores, own: &Scope, other: &Scope) {
    let start = stores.feed.state().await.expect("tells").latest;
    let (base, theirs) = (stores.base(own, "a", None).await, stores.base(other, "a", None).await);
    let one = stores.add_one(own, &base, chunked(own, "1", 5)).await;
    let doc = stores.add_one(own, &base, document(own, "d")).await;
    let foreign = stores.add_one(other, &theirs, chunked(other, "2", 1)).await;
    let two = stores.add_one(own, &base, chunked(own, "3", 1)).await;
    let doc = stores.finish(own, &base, &doc, &finished("w", 2, None)).await;
    let selection = Selection::Ids(None, vec![two.id.clone()]);
    stores.items.delete(own, &selection, at(12)).await.expect("deletes");
    stores.bases.delete(other, &theirs.id, at(13)).await.expect("deletes");
    let whats = [
        ChangeKind::Put { item: one.number },
        ChangeKind::Put { item: foreign.number },
        ChangeKind::Put { item: two.number },
        ChangeKind::Put { item: doc.number },
        ChangeKind::Gone { item: two.number },
        ChangeKind::BaseGone { base: theirs.number },
    ];
    let wanted: Vec<Change> =
        (start + 1..).zip(whats).map(|(sequence, what)| Change { sequence, what }).collect();
    let feed = &stores.feed;
    assert_eq!(feed.changes(start, 99).await.expect("lists"), wanted);
    assert_eq!(feed.changes(start + 1, 3).await.expect("lists"), wanted[1..4]);
    assert!(feed.changes(start + 6, 3).await.expect("lists").is_empty());
    assert_eq!(feed.state().await.expect("tells").latest, start + 6);
    let times = [(start + 4, Some(at(12))), (start + 5, Some(at(13))), (start + 6, None)];
    for (after, time) in times {
        assert_eq!(feed.next_change_time(after).await.expect("tells"), time, "{after}");
    }
    let (one, doc) = (indexed(&one, base.number), indexed(&doc, base.number));
    assert_eq!(feed.item(one.number).await.expect("asks"), Some(one.clone()));
    assert_eq!(feed.item(doc.number).await.expect("asks"), Some(doc.clone()));
    for gone in [two.number, foreign.number, 0, i64::MAX, i64::MIN] {
        assert_eq!(feed.item(gone).await.expect("asks"), None, "{gone}");
        assert!(feed.chunks(gone, 0, 9).await.expect("lists").is_empty(), "{gone}");
    }
    assert_eq!(feed.items(0, 9).await.expect("lists"), [one.clone(), doc.clone()]);
    assert_eq!(feed.items(0, 1).await.expect("lists"), std::slice::from_ref(&one));
    assert_eq!(feed.items(one.number, 9).await.expect("lists"), std::slice::from_ref(&doc));
    assert_eq!(feed.chunks(one.number, 0, 9).await.expect("lists"), chunks("1", 5));
    assert_eq!(feed.chunks(one.number, 3, 9).await.expect("lists"), chunks("1", 5)[3..]);
    assert_eq!(feed.chunks(one.number, 1, 2).await.expect("lists"), chunks("1", 5)[1..3]);
    assert!(feed.chunks(one.number, u32::MAX, 9).await.expect("lists").is_empty());
}

/// Old changes are forgotten from the first on, as far as they are applied. Each renewal increments the
/// generation.
pub async fn changes_are_forgotten_from_the_first_on(stores: &Stores, own: &Scope, _other: &Scope) {
    let base = stores.base(own, "a", None).await;
    let feed = &stores.feed;
    let start = feed.state().await.expect("tells");
    // The third is older than the second: clocks are sometimes set back.
    for (n, micros) in [10, 30, 20, 40].into_iter().enumerate() {
        let new = vec![chunked(own, &n.to_string(), 1)];
        stores.items.add(own, &base.id, new, u64::MAX, at(micros)).await.expect("adds");
    }
    let latest = start.latest + 4;
    let forget = async |before, applied| feed.forget(at(before), applied).await.expect("forgets");
    assert_eq!(forget(10, latest).await, 0, "none is older");
    assert_eq!(forget(99, start.latest).await, 0, "none is applied");
    assert_eq!(feed.state().await.expect("tells"), FeedState { latest, ..start });
    assert_eq!(forget(25, latest).await, 1, "what comes after one that stays, stays");
    let state = FeedState { latest, forgotten: latest - 3, ..start };
    assert_eq!(feed.state().await.expect("tells"), state);
    let left = feed.changes(0, 9).await.expect("lists");
    assert_eq!(left.iter().map(|one| one.sequence).collect::<Vec<_>>(), [latest - 2, latest - 1, latest]);
    assert_eq!(forget(99, latest - 1).await, 2);
    assert_eq!(forget(99, i64::MAX).await, 1);
    assert_eq!(forget(99, i64::MAX).await, 0);
    let state = FeedState { latest, forgotten: latest, ..start };
    assert_eq!(feed.state().await.expect("tells"), state);
    assert_eq!(feed.renew().await.expect("renews"), start.generation + 1);
    let state = FeedState { generation: start.generation + 1, ..state };
    assert_eq!(feed.state().await.expect("tells"), state);
    stores.add_one(own, &base, chunked(own, "new", 1)).await;
    let new = feed.changes(latest, 9).await.expect("lists");
    assert_eq!(new.iter().map(|one| one.sequence).collect::<Vec<_>>(), [latest + 1]);
}

/// A reader that asks for the changes after the last one it has seen misses none, whatever the number of
/// concurrent writers.
pub async fn who_follows_the_changes_misses_none(stores: &Stores, own: &Scope, other: &Scope) {
    let bases = [
        (own, stores.base(own, "a", None).await),
        (own, stores.base(own, "b", None).await),
        (other, stores.base(other, "a", None).await),
    ];
    let start = stores.feed.state().await.expect("tells").latest;
    let write = async |n: usize| {
        let (scope, base) = &bases[n % 3];
        let given = vec![chunked(scope, &format!("{n} x"), 1), chunked(scope, &format!("{n} y"), 1)];
        let added = stores.add(scope, base, given).await;
        let selection = Selection::Ids(None, vec![added[0].item.id.clone()]);
        stores.items.delete(scope, &selection, at(9)).await.expect("deletes");
    };
    let follow = async {
        let (mut after, mut asked) = (start, 0);
        while after < start + 180 {
            for change in stores.feed.changes(after, 7).await.expect("lists") {
                assert_eq!(change.sequence, after + 1, "none is missing");
                after = change.sequence;
            }
            asked += 1;
            assert!(asked < 1_000_000, "the changes come to an end");
            yield_once().await;
        }
    };
    join(follow, join_all((0..60).map(write))).await;
    assert_eq!(stores.feed.state().await.expect("tells").latest, start + 180);
}

/// Yields to the other tasks.
async fn yield_once() {
    let mut first = true;
    std::future::poll_fn(|context| {
        if std::mem::take(&mut first) {
            context.waker().wake_by_ref();
            return std::task::Poll::Pending;
        }
        std::task::Poll::Ready(())
    })
    .await;
}
