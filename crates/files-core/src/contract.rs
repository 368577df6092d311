//! The conformance suites of the ports, for their implementations.

use bytes::Bytes;
use futures_util::stream::StreamExt as _;
use shared_core::{PageRequest, Position, Scope, Timestamp};

use crate::{BlobError, BlobKey, BlobStore, FileId, FileRepository, NewFile};

fn new_file(name: &str, hash: &str, blob: &str, micros: i64) -> NewFile {
    NewFile {
        name: name.into(),
        bytes: 3,
        content_type: "text/plain".into(),
        sha256: hash.into(),
        token: format!("token-{blob}"),
        blob: BlobKey(blob.into()),
        created: Timestamp::from_micros(micros).unwrap_or_else(|| unreachable!("a valid instant")),
    }
}

/// Files are stored in the given order, with unusual names too. They are found by id only in their own
/// workspace, and by token from any.
pub async fn stores_and_isolates(store: &dyn FileRepository, own: &Scope, other: &Scope) {
    let weird = "../../\u{0}\u{202e}\u{1f600}'\"%_\\.pdf";
    let new = vec![new_file(weird, "h1", "b1", 10), new_file("b", "h2", "b2", 10)];
    let files = store.insert(own, new).await.expect("inserts");
    assert_eq!(files[0].name, weird);
    assert!(files[0].id.0 > 0 && files[1].id > files[0].id);
    assert_eq!(store.find(own, files[0].id).await.expect("finds"), Some(files[0].clone()));
    assert_eq!(store.find(other, files[0].id).await.expect("finds"), None);
    assert_eq!(store.find(own, FileId(i64::MAX)).await.expect("finds"), None);
    assert_eq!(store.find_by_token("token-b2").await.expect("finds"), Some(files[1].clone()));
    assert_eq!(store.delete(other, files[0].id).await.expect("answers"), None);
    assert_eq!(store.list(other, &PageRequest::first(10)).await.expect("lists").total, 0);
}

/// Records of equal content in one workspace share a blob; only the deletion of the last record orphans it.
pub async fn shares_blobs_within_a_workspace(store: &dyn FileRepository, own: &Scope, other: &Scope) {
    let first = store.insert(own, vec![new_file("a", "same", "s1", 1), new_file("b", "same", "s2", 1)]).await;
    let first = first.expect("inserts");
    let foreign = store.insert(other, vec![new_file("c", "same", "s3", 1)]).await.expect("inserts");
    assert_eq!((first[0].blob.0.as_str(), first[1].blob.0.as_str()), ("s1", "s1"));
    assert_eq!(foreign[0].blob.0, "s3");
    assert!(!store.blob_in_use(&BlobKey("s2".into())).await.expect("answers"));
    let deleted = store.delete(own, first[0].id).await.expect("deletes").expect("was there");
    assert_eq!(deleted.orphan, None);
    assert!(store.blob_in_use(&BlobKey("s1".into())).await.expect("answers"));
    let deleted = store.delete(own, first[1].id).await.expect("deletes").expect("was there");
    assert_eq!(deleted.orphan, Some(BlobKey("s1".into())));
    assert!(!store.blob_in_use(&BlobKey("s1".into())).await.expect("answers"));
    assert_eq!(store.delete(own, first[1].id).await.expect("answers"), None);
}

/// The id of a deleted file is not reused.
pub async fn never_reuses_an_id(store: &dyn FileRepository, own: &Scope, _other: &Scope) {
    let one = store.insert(own, vec![new_file("a", "r1", "r1", 1)]).await.expect("inserts")[0].id;
    store.delete(own, one).await.expect("deletes");
    let two = store.insert(own, vec![new_file("a", "r2", "r2", 1)]).await.expect("inserts")[0].id;
    assert!(two > one);
}

/// Lists newest first, then by id, by page and by cursor alike.
pub async fn lists_newest_first(store: &dyn FileRepository, own: &Scope, _other: &Scope) {
    for n in 0..5 {
        let name = format!("f{n}");
        store.insert(own, vec![new_file(&name, &name, &name, n / 2)]).await.expect("inserts");
    }
    let names = |page: &shared_core::Page<crate::File>| -> Vec<String> {
        page.items.iter().map(|file| file.name.clone()).collect()
    };
    let first = store.list(own, &PageRequest::first(2)).await.expect("lists");
    assert_eq!((names(&first), first.total), (vec!["f4".into(), "f3".into()], 5));
    let second = PageRequest { position: Position::Number(2), limit: 2 };
    assert_eq!(names(&store.list(own, &second).await.expect("lists")), ["f2", "f1"]);
    let after = PageRequest { position: Position::After(first.next.expect("more")), limit: 9 };
    let rest = store.list(own, &after).await.expect("lists");
    assert_eq!((names(&rest), rest.next), (vec!["f2".into(), "f1".into(), "f0".into()], None));
}

/// A committed blob is readable, whole and by range; a deleted one is not.
pub async fn blobs_round_trip(store: &dyn BlobStore) {
    let key = BlobKey("blob_0123456789abcdef".into());
    let mut writer = store.create(&key).await.expect("creates");
    for part in ["hello ", "", "world"] {
        writer.write(Bytes::from(part)).await.expect("writes");
    }
    assert!(matches!(store.read(&key, None).await.map(|_| ()), Err(BlobError::Missing)));
    writer.commit().await.expect("commits");
    assert_eq!(read(store, &key, None).await, b"hello world");
    assert_eq!(read(store, &key, Some(4..8)).await, b"o wo");
    let keys: Vec<_> = store.list().await.expect("lists").collect().await;
    assert!(keys.iter().any(|entry| matches!(entry, Ok((found, _)) if *found == key)));
    store.delete(&key).await.expect("deletes");
    store.delete(&key).await.expect("deletes again");
    assert!(matches!(store.read(&key, None).await.map(|_| ()), Err(BlobError::Missing)));
}

/// An empty blob is a blob.
pub async fn an_empty_blob_is_kept(store: &dyn BlobStore) {
    let key = BlobKey("blob_empty000000000".into());
    store.create(&key).await.expect("creates").commit().await.expect("commits");
    assert_eq!(read(store, &key, None).await, b"");
}

/// An aborted or dropped writer leaves no blob.
pub async fn an_unfinished_blob_leaves_nothing(store: &dyn BlobStore) {
    for drop_it in [true, false] {
        let key = BlobKey(format!("blob_unfinished{drop_it}"));
        let mut writer = store.create(&key).await.expect("creates");
        writer.write(Bytes::from(vec![7; 100_000])).await.expect("writes");
        if drop_it {
            drop(writer);
        } else {
            writer.abort().await;
        }
        assert!(matches!(store.read(&key, None).await.map(|_| ()), Err(BlobError::Missing)));
    }
    let left = store.list().await.expect("lists").collect::<Vec<_>>().await;
    assert!(left.is_empty(), "{left:?}");
}

async fn read(store: &dyn BlobStore, key: &BlobKey, range: Option<std::ops::Range<u64>>) -> Vec<u8> {
    let mut content = store.read(key, range).await.expect("opens");
    let mut all = Vec::new();
    while let Some(part) = content.next().await {
        all.extend_from_slice(&part.expect("reads"));
    }
    all
}

/// Expands to the tests of a [`FileRepository`]. `$run` takes a closure from
/// `(store, own scope, other scope)` to a future and runs it on a fresh store.
#[macro_export]
macro_rules! file_repository_contract {
    ($run:ident) => {
        $crate::file_repository_contract!($run: stores_and_isolates shares_blobs_within_a_workspace never_reuses_an_id lists_newest_first);
    };
    ($run:ident: $($name:ident)*) => {
        $(#[test] fn $name() {
            $run(stringify!($name), |store, own, other| {
                Box::pin(async move { $crate::contract::$name(&*store, &own, &other).await })
            });
        })*
    };
}

/// Expands to the tests of a [`BlobStore`]. `$run` takes a closure from a fresh store to a future.
#[macro_export]
macro_rules! blob_store_contract {
    ($run:ident) => {
        $crate::blob_store_contract!($run: blobs_round_trip an_empty_blob_is_kept an_unfinished_blob_leaves_nothing);
    };
    ($run:ident: $($name:ident)*) => {
        $(#[test] fn $name() {
            $run(|store| Box::pin(async move { $crate::contract::$name(&*store).await }));
        })*
    };
}
