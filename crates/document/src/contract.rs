//! The conformance suite of the cache of parsed documents, for its implementations.

use futures_util::future::join;
use shared_core::Scope;

use crate::{Block, BlockKind, Cell, Document, Format, Page, ParsedDocuments, Rect, Span};

/// A document with pages, places and a table, and with unusual characters.
fn document(word: &str) -> Document {
    let text = format!("| odd \u{0}\u{1f600} {word} |");
    let end = text.chars().count();
    let cell = Cell { row: 0, column: 0, row_span: 1, column_span: 2, header: true, start: 2, end: end - 2 };
    let rect = Rect { x0: 0.1, y0: 1e-9, x1: 595.276, y1: 841.89 };
    let kind = BlockKind::Table { cells: vec![cell] };
    Document {
        format: Format::Pdf,
        pages: vec![Page {
            number: 1,
            width: 595.276,
            height: 841.89,
            end,
            needs_ocr: true,
            ..Page::default()
        }],
        blocks: vec![Block { kind, start: 0, end, page: Some(1), rect: Some(rect) }],
        spans: vec![Span { start: 2, end: end - 2, page: 1, rect }],
        text,
        ..Document::default()
    }
}

/// A document reads back as it was stored.
pub async fn reads_back_what_it_stored(store: &dyn ParsedDocuments, own: &Scope, _other: &Scope) {
    assert!(store.find(own, "hash", 1).await.expect("finds").is_none());
    store.store(own, "hash", 1, &document("one")).await.expect("stores");
    let found = store.find(own, "hash", 1).await.expect("finds").expect("is there");
    assert_eq!(*found, document("one"));
}

/// The first document of a key stays, also among concurrent ones.
pub async fn keeps_the_first(store: &dyn ParsedDocuments, own: &Scope, _other: &Scope) {
    let (one, two) = (document("one"), document("two"));
    let (first, second) = join(store.store(own, "hash", 1, &one), store.store(own, "hash", 1, &two)).await;
    first.expect("stores");
    second.expect("stores");
    let found = store.find(own, "hash", 1).await.expect("finds").expect("is there");
    assert!(*found == one || *found == two);
    store.store(own, "hash", 1, &document("three")).await.expect("stores");
    assert_eq!(store.find(own, "hash", 1).await.expect("finds"), Some(found));
}

/// The key is the content and the version of the parser.
pub async fn tells_contents_and_versions_apart(store: &dyn ParsedDocuments, own: &Scope, _other: &Scope) {
    let recognised = 0x7fff_0001;
    store.store(own, "hash", 1, &document("one")).await.expect("stores");
    store.store(own, "hash", recognised, &document("read")).await.expect("stores");
    store.store(own, "another", 1, &document("other")).await.expect("stores");
    for (hash, version, word) in [("hash", 1, "one"), ("hash", recognised, "read"), ("another", 1, "other")] {
        let found = store.find(own, hash, version).await.expect("finds").expect("is there");
        assert_eq!(*found, document(word), "{hash} {version}");
    }
    assert!(store.find(own, "another", recognised).await.expect("finds").is_none());
}

/// Another workspace neither finds a document nor keeps this one from storing it.
pub async fn isolates_workspaces(store: &dyn ParsedDocuments, own: &Scope, other: &Scope) {
    store.store(other, "hash", 1, &document("theirs")).await.expect("stores");
    assert!(store.find(own, "hash", 1).await.expect("finds").is_none());
    store.store(own, "hash", 1, &document("mine")).await.expect("stores");
    assert_eq!(*store.find(own, "hash", 1).await.expect("finds").expect("is there"), document("mine"));
    assert_eq!(*store.find(other, "hash", 1).await.expect("finds").expect("is there"), document("theirs"));
}

/// Expands to the tests of a [`ParsedDocuments`]. `$run` takes a name and a closure from
/// `(store, own scope, other scope)` to a future and runs it on a fresh store.
#[macro_export]
macro_rules! parsed_documents_contract {
    ($run:ident) => {
        $crate::parsed_documents_contract!($run: reads_back_what_it_stored keeps_the_first tells_contents_and_versions_apart isolates_workspaces);
    };
    ($run:ident: $($name:ident)*) => {
        $(#[test] fn $name() {
            $run(stringify!($name), |store, own, other| {
                Box::pin(async move { $crate::contract::$name(&*store, &own, &other).await })
            });
        })*
    };
}
