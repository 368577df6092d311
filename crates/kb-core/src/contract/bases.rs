//! Contract of bases.

use shared_core::{PageRequest, Position, Revision, Scope, StoreError};

use super::stores::{Stores, at, base_id, new_base};
use crate::{Base, Chunking, Counts, RerankSettings};

/// A base reads back as it was stored, empty and with a number of its own.
pub async fn a_base_reads_back_as_it_was_stored(stores: &Stores, own: &Scope, other: &Scope) {
    let mut numbers = Vec::new();
    for (scope, name, model) in [(own, "a", None), (own, "b", Some("m\u{0}@x")), (other, "a", None)] {
        let given = new_base(scope, name, model, 123_456_789);
        let stored = stores.bases.insert(scope, &given).await.expect("inserts");
        assert_eq!(stores.look(scope, &given).await, stored);
        assert_eq!(stored.author.id, scope.user);
        numbers.push(stored.number);
        let wanted = Base {
            number: stored.number,
            author: stored.author.clone(),
            serving: given.embedding.clone(),
            counts: Counts::default(),
            languages: Vec::new(),
            written: 0,
            ..given
        };
        assert_eq!(stored, wanted);
    }
    numbers.sort_unstable();
    numbers.dedup();
    assert!(numbers.len() == 3 && numbers[0] > 0, "{numbers:?}");
    assert_eq!(stores.bases.find(own, &base_id(own, "c")).await.expect("finds"), None);
    let odd = crate::BaseId("\u{0}'".into());
    assert_eq!(stores.bases.find(own, &odd).await.expect("finds"), None);
    let twice = stores.bases.insert(own, &new_base(own, "a", None, 1)).await;
    assert!(matches!(twice, Err(StoreError::Taken(_))));
}

/// Bases of a workspace are listed newest first, by page and by cursor.
pub async fn bases_are_listed_newest_first(stores: &Stores, own: &Scope, other: &Scope) {
    for n in 0..5_i64 {
        stores.bases.insert(own, &new_base(own, &n.to_string(), None, n / 2)).await.expect("inserts");
    }
    stores.base(other, "elsewhere", None).await;
    let list = async |position, limit| {
        let page = stores.bases.list(own, &PageRequest { position, limit }).await.expect("lists");
        assert_eq!(page.total, 5);
        let ids: Vec<String> = page.items.iter().map(|base| base.id.0.clone()).collect();
        (ids, page.next)
    };
    let id = |n: i64| base_id(own, &n.to_string()).0;
    let (first, next) = list(Position::Number(1), 2).await;
    assert_eq!(first, [id(4), id(3)]);
    assert_eq!(list(Position::Number(2), 2).await.0, [id(2), id(1)]);
    assert_eq!(list(Position::After(next.expect("more")), 9).await, (vec![id(2), id(1), id(0)], None));
}

/// A base is changed only at the expected revision; its content stays.
pub async fn a_base_changes_by_revision(stores: &Stores, own: &Scope, other: &Scope) {
    let base = stores.base(own, "a", None).await;
    let wanted = Base {
        name: "new\u{0}".into(),
        description: String::new(),
        chunking: Chunking { tokens: 77 },
        rerank: RerankSettings { model: None, depth: 9 },
        counts: Counts { failed: 8, ..Counts::default() },
        created: at(44),
        ..base.clone()
    };
    let changed = stores.bases.update(own, &wanted, base.revision, at(9)).await.expect("updates");
    let kept = Base {
        name: "new\u{0}".into(),
        description: String::new(),
        chunking: Chunking { tokens: 77 },
        rerank: RerankSettings { model: None, depth: 9 },
        revision: Revision(2),
        updated: at(9),
        ..base.clone()
    };
    assert_eq!(changed, kept);
    assert_eq!(stores.look(own, &base).await, kept);
    let late = stores.bases.update(own, &wanted, base.revision, at(10)).await;
    assert!(matches!(late, Err(StoreError::Stale)));
    let foreign = stores.bases.update(other, &wanted, kept.revision, at(10)).await;
    assert!(matches!(foreign, Err(StoreError::Stale)));
    let missing = Base { id: base_id(own, "b"), ..wanted };
    let missing = stores.bases.update(own, &missing, Revision::FIRST, at(10)).await;
    assert!(matches!(missing, Err(StoreError::Stale)));
    assert_eq!(stores.look(own, &base).await, kept);
}
