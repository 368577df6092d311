//! The conformance suite of [`ThumbnailRepository`](crate::ThumbnailRepository).

use std::sync::Arc;

use document::{ImageFormat, ThumbnailOptions};
use files_core::{BlobKey, FileId, FileRepository, NewFile};
use shared_core::{Scope, StoreError, Timestamp};

use crate::{LinkEnd, NewPicture, PictureKey, ThumbnailRepository};

/// A store of pictures, and the files whose blobs it shares.
#[derive(Clone, Debug)]
pub struct Stores {
    /// Pictures.
    pub thumbnails: Arc<dyn ThumbnailRepository>,
    /// The file repository whose blobs pictures share.
    pub files: Arc<dyn FileRepository>,
}

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros(seconds * 1_000_000).expect("a time")
}

fn key(source: &str, page: u32) -> PictureKey {
    let options = ThumbnailOptions { width: 320, page, format: ImageFormat::Png };
    PictureKey { source: source.to_owned(), options, renderer: 1 }
}

fn picture(source: &str, page: u32, content: &str) -> NewPicture {
    NewPicture {
        key: key(source, page),
        blob: BlobKey(format!("blob_{source}_{page}_{content}")),
        sha256: content.to_owned(),
        bytes: 7,
    }
}

async fn file(stores: &Stores, scope: &Scope, name: &str, content: &str) -> FileId {
    let file = NewFile {
        name: name.to_owned(),
        bytes: 3,
        content_type: "text/plain".to_owned(),
        sha256: content.to_owned(),
        token: format!("token-{}-{name}", scope.workspace.0),
        blob: BlobKey(format!("blob_{}_{name}", scope.workspace.0)),
        created: at(1),
    };
    stores.files.insert(scope, vec![file]).await.expect("inserts")[0].id
}

/// A picture is stored once for each key. Each file has a link of its own to it.
pub async fn stores_a_picture_once_and_links_each_file(stores: Stores, own: &Scope, _: &Scope) {
    let store = &stores.thumbnails;
    let (a, b) = (file(&stores, own, "a", "same").await, file(&stores, own, "b", "same").await);
    let none = store.link(own, &key("same", 1), LinkEnd::File(a), "t1").await.expect("links");
    assert_eq!(none, None, "there is no picture");
    let first = store.insert(own, &picture("same", 1, "p"), LinkEnd::File(a), "t1").await.expect("inserts");
    assert_eq!((first.token.as_str(), first.blob.0.as_str()), ("t1", "blob_same_1_p"));
    let other = store.insert(own, &picture("same", 1, "q"), LinkEnd::File(a), "t2").await.expect("inserts");
    assert_eq!(other, first, "the first is kept, with its link");
    let again = store.link(own, &key("same", 1), LinkEnd::File(a), "t3").await.expect("links");
    assert_eq!(again.as_ref(), Some(&first));
    let linked =
        store.link(own, &key("same", 1), LinkEnd::File(b), "t4").await.expect("links").expect("linked");
    assert_eq!((linked.token.as_str(), &linked.blob), ("t4", &first.blob));
    for (key, what) in [
        (key("same", 2), "page"),
        (key("other", 1), "content"),
        (PictureKey { renderer: 2, ..key("same", 1) }, "renderer"),
        (
            PictureKey {
                options: ThumbnailOptions { width: 64, ..key("same", 1).options },
                ..key("same", 1)
            },
            "width",
        ),
        (
            PictureKey {
                options: ThumbnailOptions { format: ImageFormat::WebP, ..key("same", 1).options },
                ..key("same", 1)
            },
            "format",
        ),
    ] {
        let none = store.link(own, &key, LinkEnd::File(a), "t5").await.expect("links");
        assert_eq!(none, None, "another {what}");
    }
    let shown = store.find_by_token("t4", at(9)).await.expect("finds").expect("shown");
    assert_eq!((shown.sha256.as_str(), shown.bytes, shown.format), ("p", 7, ImageFormat::Png));
    assert_eq!((shown.blob, shown.until), (first.blob, None));
}

/// Deleting a file removes its links and no others. The sweep removes pictures without links, and their
/// bytes.
pub async fn links_end_with_their_file(stores: Stores, own: &Scope, _: &Scope) {
    let store = &stores.thumbnails;
    let (a, b) = (file(&stores, own, "a", "same").await, file(&stores, own, "b", "same").await);
    let made = store.insert(own, &picture("same", 1, "p"), LinkEnd::File(a), "t1").await.expect("inserts");
    store.link(own, &key("same", 1), LinkEnd::File(b), "t2").await.expect("links");
    stores.files.delete(own, a).await.expect("deletes");
    assert_eq!(store.find_by_token("t1", at(9)).await.expect("finds"), None);
    assert!(store.find_by_token("t2", at(9)).await.expect("finds").is_some());
    assert_eq!(store.sweep(at(9), 10).await.expect("sweeps"), (Vec::new(), false));
    stores.files.delete(own, b).await.expect("deletes");
    assert_eq!(store.find_by_token("t2", at(9)).await.expect("finds"), None);
    assert!(stores.files.blob_in_use(&made.blob).await.expect("asks"));
    assert_eq!(store.sweep(at(9), 10).await.expect("sweeps").0, std::slice::from_ref(&made.blob));
    assert!(!stores.files.blob_in_use(&made.blob).await.expect("asks"));
    let gone = store.link(own, &key("same", 1), LinkEnd::At(at(5)), "t3").await.expect("links");
    assert_eq!(gone, None);
}

/// Documents that are not files share a link, which expires at the latest time requested.
pub async fn links_end_at_their_time(stores: Stores, own: &Scope, _: &Scope) {
    let store = &stores.thumbnails;
    let a = file(&stores, own, "a", "same").await;
    let made =
        store.insert(own, &picture("same", 1, "p"), LinkEnd::At(at(100)), "t1").await.expect("inserts");
    for (end, shown) in [(50, 100), (200, 200)] {
        let linked = store.link(own, &key("same", 1), LinkEnd::At(at(end)), "t2").await.expect("links");
        assert_eq!(linked.as_ref(), Some(&made));
        let found = store.find_by_token("t1", at(99)).await.expect("finds").expect("shown");
        assert_eq!(found.until, Some(at(shown)));
    }
    assert_eq!(store.sweep(at(199), 10).await.expect("sweeps").0, []);
    assert!(store.find_by_token("t1", at(199)).await.expect("finds").is_some());
    assert_eq!(store.find_by_token("t1", at(200)).await.expect("finds"), None);
    let own_link =
        store.link(own, &key("same", 1), LinkEnd::File(a), "t3").await.expect("links").expect("linked");
    assert_eq!(own_link.token, "t3", "a file has a link of its own");
    assert_eq!(store.sweep(at(200), 10).await.expect("sweeps").0, [], "the file's link is there");
    assert!(store.find_by_token("t3", at(999)).await.expect("finds").is_some());
    stores.files.delete(own, a).await.expect("deletes");
    assert_eq!(store.sweep(at(200), 10).await.expect("sweeps").0, [made.blob]);
}

/// Pictures of another workspace are neither visible nor linked. A missing file cannot be linked.
pub async fn isolates_workspaces(stores: Stores, own: &Scope, other: &Scope) {
    let store = &stores.thumbnails;
    let (a, foreign) = (file(&stores, own, "a", "same").await, file(&stores, other, "a", "same").await);
    store.insert(own, &picture("same", 1, "p"), LinkEnd::File(a), "t1").await.expect("inserts");
    let none = store.link(other, &key("same", 1), LinkEnd::File(foreign), "t2").await.expect("links");
    assert_eq!(none, None, "another workspace draws its own");
    for missing in [foreign, FileId(a.0 + 1_000)] {
        let refused = store.link(own, &key("same", 1), LinkEnd::File(missing), "t3").await;
        assert!(matches!(refused, Err(StoreError::Missing("file"))), "{refused:?}");
        let refused = store.insert(own, &picture("new", 1, "q"), LinkEnd::File(missing), "t3").await;
        assert!(matches!(refused, Err(StoreError::Missing("file"))), "{refused:?}");
        let none = store.link(own, &key("new", 1), LinkEnd::File(a), "t4").await.expect("links");
        assert_eq!(none, None, "nothing of it was stored");
    }
    let twin = NewPicture { blob: BlobKey("blob_twin".into()), ..picture("same", 1, "p") };
    let theirs = store.insert(other, &twin, LinkEnd::File(foreign), "t5").await.expect("inserts");
    assert_eq!(theirs.blob, twin.blob, "bytes are not shared between workspaces");
}

/// Pictures of equal bytes share a blob, which is deleted with the last of them.
pub async fn shares_blobs_of_equal_bytes(stores: Stores, own: &Scope, _: &Scope) {
    let store = &stores.thumbnails;
    let (a, b) = (file(&stores, own, "a", "one").await, file(&stores, own, "b", "two").await);
    let first = store.insert(own, &picture("one", 1, "p"), LinkEnd::File(a), "t1").await.expect("inserts");
    let second = store.insert(own, &picture("two", 1, "p"), LinkEnd::File(b), "t2").await.expect("inserts");
    assert_eq!(first.blob, second.blob);
    stores.files.delete(own, a).await.expect("deletes");
    assert_eq!(store.sweep(at(9), 10).await.expect("sweeps").0, []);
    stores.files.delete(own, b).await.expect("deletes");
    assert_eq!(store.sweep(at(9), 10).await.expect("sweeps").0, [first.blob]);
}

/// Expands to the tests of a [`ThumbnailRepository`](crate::ThumbnailRepository). `$run` takes a name and a
/// closure from `(stores, own scope, other scope)` to a future and runs it on new stores.
#[macro_export]
macro_rules! thumbnail_repository_contract {
    ($run:ident) => {
        $crate::thumbnail_repository_contract!($run: stores_a_picture_once_and_links_each_file links_end_with_their_file links_end_at_their_time isolates_workspaces shares_blobs_of_equal_bytes);
    };
    ($run:ident: $($name:ident)*) => {
        $(#[test] fn $name() {
            $run(stringify!($name), |stores, own, other| {
                Box::pin(async move { $crate::contract::$name(stores, &own, &other).await })
            });
        })*
    };
}
