//! Contract of contents shared by items and files.

use shared_core::{Scope, StoreError};

use super::stores::{Stores, at, content, document, error, new_item, replacement};
use crate::{Contents, ItemId, ItemStatus, NewItem, Selection, Source, Task};

fn present(scope: &Scope, id: &str, name: &str) -> NewItem {
    let matter = Contents::Document { content: content(name), fresh: false };
    NewItem { id: ItemId(id.into()), fingerprint: id.into(), ..new_item(scope, id, matter) }
}

/// A content exists as long as a file or item of the workspace refers to it. Removing the last reference
/// returns its blob.
pub async fn contents_are_shared_with_files(stores: &Stores, own: &Scope, other: &Scope) {
    let base = stores.base(own, "a", None).await;
    let file = stores.file(own, "f").await;
    let mut other_key = content("f");
    other_key.blob.0 = "another-key".into();
    let fresh = Contents::Document { content: other_key, fresh: true };
    let items = stores.add(own, &base, vec![present(own, "i", "f"), new_item(own, "j", fresh)]).await;
    assert!(items.iter().all(|one| one.item.content == Some(content("f"))), "all refer to the file's blob");
    let gone = stores.files.delete(own, file.id).await.expect("deletes").expect("was there");
    assert_eq!(gone.orphan, None);
    assert!(stores.files.blob_in_use(&file.blob).await.expect("asks"));
    let delete = async |id: &ItemId| {
        let selection = Selection::Ids(None, vec![id.clone()]);
        stores.items.delete(own, &selection, at(6)).await.expect("deletes").orphans
    };
    assert_eq!(delete(&items[0].item.id).await, []);
    let changed = stores.items.update(own, &items[1].item.id, &replacement("g"), at(7)).await;
    let (changed, removed) = changed.expect("updates").expect("is there");
    assert_eq!((changed.content, removed.orphans), (Some(content("g")), vec![file.blob.clone()]));
    assert!(!stores.files.blob_in_use(&file.blob).await.expect("asks"));
    assert!(stores.files.blob_in_use(&content("g").blob).await.expect("asks"));
    let file = stores.file(own, "g").await;
    assert_eq!(file.blob, content("g").blob);
    assert_eq!(delete(&items[1].item.id).await, [], "the file has it still");
    let gone = stores.files.delete(own, file.id).await.expect("deletes").expect("was there");
    assert_eq!(gone.orphan, Some(content("g").blob));

    stores.file(other, "theirs").await;
    let foreign = stores.items.add(own, &base.id, vec![present(own, "k", "theirs")], u64::MAX, at(5)).await;
    assert!(matches!(foreign, Err(StoreError::Missing("file"))), "a content of another workspace is none");
}

/// When a file is missing, the whole transaction is rolled back.
pub async fn a_missing_file_leaves_nothing_of_the_unit(stores: &Stores, own: &Scope, _other: &Scope) {
    let base = stores.base(own, "a", None).await;
    stores.file(own, "here").await;
    let before = stores.feed.state().await.expect("tells");
    let unit = vec![
        document(own, "d"),
        present(own, "i", "here"),
        super::stores::chunked(own, "c", 2),
        present(own, "j", "gone"),
    ];
    let missing = stores.items.add(own, &base.id, unit.clone(), u64::MAX, at(5)).await;
    assert!(matches!(missing, Err(StoreError::Missing("file"))));
    assert_eq!(stores.look(own, &base).await, base);
    assert_eq!(stores.feed.state().await.expect("tells"), before);
    assert!(stores.claim(&base, 10).await.is_empty());
    assert!(!stores.files.blob_in_use(&content("own-d").blob).await.expect("asks"));
    let fine = stores.add(own, &base, unit[..3].to_vec()).await;
    assert!(fine.iter().all(|one| one.new));
    let gone = super::stores::replacement("gone");
    let mut replacement = gone.replacement.expect("is one");
    replacement.fresh = false;
    let gone = crate::ItemChange {
        replacement: Some(replacement),
        name: Some("n".into()),
        ..crate::ItemChange::default()
    };
    let missing = stores.items.update(own, &fine[0].item.id, &gone, at(6)).await;
    assert!(matches!(missing, Err(StoreError::Missing("file"))));
    let item = stores.find(own, &fine[0].item).await;
    assert_eq!((&item, item.status), (&fine[0].item, ItemStatus::Queued));
}

/// An item with a remote original waits for it. The first worker to store the original wins.
pub async fn what_is_elsewhere_gets_its_original_once(stores: &Stores, own: &Scope, other: &Scope) {
    let base = stores.base(own, "a", None).await;
    let source = Source::Web { url: "https://example.com/a".into() };
    let web = NewItem { source, bytes: 0, ..new_item(own, "web", Contents::Remote) };
    let item = stores.add_one(own, &base, web.clone()).await;
    assert_eq!((item.status, &item.content, item.bytes), (ItemStatus::Queued, &None, 0));
    let tokens = stores.claim(&base, 10).await;
    let (task, token) = (stores.task(&item).await, tokens[&item.place]);
    let obtain = async |task: &Task, token: i64, name: &str| {
        stores.ingest.set_content(task, token, &content(name), Some("a.html"), at(12)).await
    };
    assert!(matches!(obtain(&task, token + 1, "late").await, Err(StoreError::Stale)));
    let mut foreign = task.clone();
    foreign.scope = other.clone();
    assert!(matches!(obtain(&foreign, token, "late").await, Err(StoreError::Stale)));
    assert!(!stores.files.blob_in_use(&content("late").blob).await.expect("asks"));
    let got = obtain(&task, token, "first").await.expect("gets it");
    assert_eq!((&got.content, got.bytes, got.name.as_str()), (&Some(content("first")), 7, "a.html"));
    assert_eq!((got.status, got.updated), (ItemStatus::Queued, at(12)));
    assert_eq!(stores.find(own, &item).await, got);
    assert_eq!(obtain(&task, token, "second").await.expect("keeps the first"), got);
    assert!(!stores.files.blob_in_use(&content("second").blob).await.expect("asks"));
    assert_eq!(stores.look(own, &base).await.counts.bytes, 7);

    stores.ingest.fail(&task, token, &error("bad"), at(13)).await.expect("fails");
    let again = stores.add(own, &base, vec![web]).await.remove(0);
    assert_eq!((again.new, again.item.status, again.item.content), (false, ItemStatus::Queued, got.content));
    let selection = Selection::Ids(None, vec![item.id.clone()]);
    let removed = stores.items.delete(own, &selection, at(14)).await.expect("deletes");
    assert_eq!(removed.orphans, [content("first").blob]);
}
