//! Contract of listing items.

use shared_core::{PageRequest, Position, Scope};

use super::stores::{Stores, at, base_id, chunked, document, error, new_item};
use crate::{Contents, Item, ItemChange, ItemFilter, ItemStatus};

fn numbers(items: &[Item]) -> Vec<i64> {
    items.iter().map(|item| item.number).collect()
}

/// Items are listed by base and by status, with the totals of each.
pub async fn items_are_listed_by_base_and_status(stores: &Stores, own: &Scope, other: &Scope) {
    let (first, second) = (stores.base(own, "a", None).await, stores.base(own, "b", None).await);
    let theirs = stores.base(other, "a", None).await;
    stores.add(other, &theirs, vec![chunked(other, "x", 1)]).await;
    let broken = |name| new_item(own, name, Contents::Unusable(error("x")));
    let one = stores.add(own, &first, vec![chunked(own, "1", 1), document(own, "2"), broken("3")]).await;
    let two = stores.add(own, &second, vec![chunked(own, "4", 1), broken("5")]).await;
    let all: Vec<i64> = one.iter().chain(&two).map(|added| added.item.number).collect();
    let tokens = stores.claim(&first, 10).await;
    let task = stores.task(&one[1].item).await;
    stores.ingest.begin(&task, tokens[&1], at(11)).await.expect("begins");
    let asked = [
        (None, None, vec![4, 3, 2, 1, 0]),
        (Some("a"), None, vec![2, 1, 0]),
        (None, Some(ItemStatus::Failed), vec![4, 2]),
        (Some("b"), Some(ItemStatus::Failed), vec![4]),
        (Some("a"), Some(ItemStatus::Processing), vec![1]),
        (Some("a"), Some(ItemStatus::Queued), vec![]),
        (Some("c"), None, vec![]),
    ];
    for (base, status, wanted) in asked {
        let filter =
            ItemFilter { base: base.map(|name| base_id(own, name)), status, ..ItemFilter::default() };
        let page = stores.items.list(own, &filter, &PageRequest::first(9)).await.expect("lists");
        let wanted: Vec<i64> = wanted.into_iter().map(|index: usize| all[index]).collect();
        assert_eq!((page.total, numbers(&page.items)), (wanted.len() as u64, wanted), "{filter:?}");
        for item in &page.items {
            assert_eq!(stores.find(own, item).await, *item);
        }
    }
    let foreign = ItemFilter { base: Some(theirs.id), status: None, ..ItemFilter::default() };
    let page = stores.items.list(own, &foreign, &PageRequest::first(9)).await.expect("lists");
    assert_eq!((page.total, page.items.len()), (0, 0));
}

/// A cursor continues a list where it ended, whatever is added meanwhile; items of one moment are ordered by
/// number.
pub async fn items_are_listed_by_cursor(stores: &Stores, own: &Scope, _other: &Scope) {
    let base = stores.base(own, "a", None).await;
    let mut all = Vec::new();
    for n in 0..12_i64 {
        let added =
            stores.items.add(own, &base.id, vec![chunked(own, &n.to_string(), 1)], u64::MAX, at(n / 3)).await;
        all.push(added.expect("adds").expect("there is room")[0].item.number);
    }
    all.reverse();
    for filter in [
        ItemFilter::default(),
        ItemFilter { base: Some(base.id.clone()), status: None, ..ItemFilter::default() },
        ItemFilter { base: Some(base.id.clone()), status: Some(ItemStatus::Ready), ..ItemFilter::default() },
        ItemFilter { base: None, status: Some(ItemStatus::Ready), ..ItemFilter::default() },
    ] {
        let list = async |position| {
            let page = PageRequest { position, limit: 5 };
            stores.items.list(own, &filter, &page).await.expect("lists")
        };
        let first = list(Position::Number(1)).await;
        assert_eq!(numbers(&first.items), all[..5]);
        assert_eq!(numbers(&list(Position::Number(2)).await.items), all[5..10]);
        let next = list(Position::After(first.next.expect("more"))).await;
        assert_eq!(numbers(&next.items), all[5..10]);
        let last = list(Position::After(next.next.expect("more"))).await;
        assert_eq!((numbers(&last.items), last.next), (all[10..].to_vec(), None));
        assert!(list(Position::Number(u32::MAX)).await.items.is_empty());
    }
}

/// Items are listed by their last change, latest first, without those changed before the moment.
pub async fn items_are_told_by_their_last_change(stores: &Stores, own: &Scope, _other: &Scope) {
    let base = stores.base(own, "a", None).await;
    let elsewhere = stores.base(own, "b", None).await;
    let mut added = Vec::new();
    for n in 0..4_i64 {
        let new = vec![document(own, &n.to_string())];
        added.push(
            stores
                .items
                .add(own, &base.id, new, u64::MAX, at(n))
                .await
                .expect("adds")
                .expect("there is room")[0]
                .item
                .clone(),
        );
        let beside = vec![document(own, &format!("b{n}"))];
        stores
            .items
            .add(own, &elsewhere.id, beside, u64::MAX, at(n))
            .await
            .expect("adds")
            .expect("there is room");
    }
    let changed =
        async |since, limit| stores.items.changed(own, &base.id, at(since), limit).await.expect("lists");
    let all = numbers(&added);
    assert_eq!(numbers(&changed(0, 9).await), [all[3], all[2], all[1], all[0]]);
    assert_eq!(numbers(&changed(2, 9).await), [all[3], all[2]]);
    let token = stores.claim(&base, 10).await[&added[0].place];
    let task = stores.task(&added[0]).await;
    stores.ingest.begin(&task, token, at(20)).await.expect("begins");
    stores.ingest.progress(&task, token, 1, 2, at(20)).await.expect("shows");
    let renamed = ItemChange { name: Some("other".into()), ..ItemChange::default() };
    stores.items.update(own, &added[1].id, &renamed, at(20)).await.expect("changes");
    let last = changed(0, 3).await;
    assert_eq!(numbers(&last), [all[1], all[0], all[3]], "at one moment, by number");
    assert_eq!(last[1], stores.find(own, &added[0]).await);
    assert!(changed(21, 9).await.is_empty());
}
