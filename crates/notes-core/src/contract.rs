//! The conformance suite of the port, for its implementations. A store that also holds resources must have
//! the agents [`NAMESPACES`] in both workspaces before a test runs.

use serde_json::{Map, Value, json};
use shared_core::{Page, PageRequest, Position, Scope, Timestamp};

use crate::{Note, NoteDraft, NoteId, NoteRepository, NoteUpdate, PAGE_BYTES, Resource, ResourceKind, Role};

/// The namespaces of the agents that the suite's notes are attached to.
pub const NAMESPACES: [&str; 2] = ["noted", "another"];

fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros).unwrap_or_else(|| unreachable!("a valid instant"))
}

fn agent(index: usize) -> Resource {
    Resource { kind: ResourceKind::Agent, id: NAMESPACES[index].into() }
}

fn meta() -> Map<String, Value> {
    let meta = json!({"zebra": 1, "apple": [null, {"\u{0}": "é\"\\"}], "n": 1.5e300, "big": u64::MAX});
    meta.as_object().cloned().unwrap_or_default()
}

fn draft(resource: Resource, content: &str, micros: i64) -> NoteDraft {
    NoteDraft { resource, role: Role::User, content: content.into(), meta: meta(), created: at(micros) }
}

fn change(content: &str, micros: i64) -> NoteUpdate {
    NoteUpdate { role: Role::System, content: content.into(), meta: None, updated: at(micros) }
}

fn contents(page: &Page<Note>) -> Vec<&str> {
    page.items.iter().map(|note| note.content.as_str()).collect()
}

/// A note reads back as it was stored, including the order of its keys and unusual characters.
pub async fn reads_back_what_it_stored(store: &dyn NoteRepository, own: &Scope, _other: &Scope) {
    let odd = "Odd \u{0}\u{10ffff}\u{1f600}\u{202e} 'text' \\ %_\r\n\t";
    for (content, role) in [(odd, Role::Assistant), ("", Role::System), ("x", Role::User)] {
        let new = NoteDraft { role, ..draft(agent(0), content, 123_456_789) };
        let id = store.insert(own, &new).await.expect("inserts");
        assert!(id.0 > 0);
        let found = store.find(own, id).await.expect("finds").expect("is there");
        assert_eq!((found.id, &found.workspace, &found.author.id), (id, &own.workspace, &own.user));
        assert_eq!((found.content.as_str(), found.role, &found.resource), (content, role, &agent(0)));
        assert_eq!((found.created, found.updated), (at(123_456_789), at(123_456_789)));
        assert_eq!(found.meta, meta());
        assert!(found.meta.keys().eq(meta().keys()), "keys keep their order");
        let listed = store.list(own, &agent(0), &PageRequest::first(1)).await.expect("lists");
        assert_eq!(listed.items, [found]);
    }
    assert_eq!(store.find(own, NoteId(i64::MAX)).await.expect("finds"), None);
}

/// Another workspace can neither read, change nor delete a note, even if it has a resource of that name.
pub async fn isolates_workspaces(store: &dyn NoteRepository, own: &Scope, other: &Scope) {
    let id = store.insert(own, &draft(agent(0), "mine", 1)).await.expect("inserts");
    let stored = store.find(own, id).await.expect("finds").expect("is there");
    assert_eq!(store.find(other, id).await.expect("finds"), None);
    let theirs = store.list(other, &agent(0), &PageRequest::first(9)).await.expect("lists");
    assert_eq!((theirs.total, theirs.items.len()), (0, 0));
    assert_eq!(store.update(other, id, &change("stolen", 2)).await.expect("answers"), None);
    assert_eq!(store.delete(other, &agent(0), &[id]).await.expect("answers"), []);
    assert_eq!(store.delete_all(other, &agent(0)).await.expect("answers"), 0);
    assert_eq!(store.find(own, id).await.expect("finds"), Some(stored));
}

/// An update changes the given values, keeps an absent meta, and returns the note. A deleted note stays
/// deleted.
pub async fn updates_and_answers_the_note(store: &dyn NoteRepository, own: &Scope, _other: &Scope) {
    let id = store.insert(own, &draft(agent(0), "one", 1)).await.expect("inserts");
    let bystander = store.insert(own, &draft(agent(0), "one", 1)).await.expect("inserts");
    let first = store.find(own, id).await.expect("finds").expect("is there");
    let kept = store.update(own, id, &change("two\u{0}", 2)).await.expect("updates").expect("is there");
    let wanted = Note { content: "two\u{0}".into(), role: Role::System, updated: at(2), ..first };
    assert_eq!(kept, wanted);
    let emptied = NoteUpdate { meta: Some(Map::new()), ..change("two\u{0}", 3) };
    let emptied = store.update(own, id, &emptied).await.expect("updates").expect("is there");
    assert_eq!(emptied, Note { meta: Map::new(), updated: at(3), ..wanted });
    assert_eq!(store.find(own, id).await.expect("finds"), Some(emptied));
    let untouched = store.find(own, bystander).await.expect("finds").expect("is there");
    assert_eq!((untouched.content.as_str(), untouched.meta), ("one", meta()));
    store.delete(own, &agent(0), &[id]).await.expect("deletes");
    assert_eq!(store.update(own, id, &change("three", 4)).await.expect("answers"), None);
    assert_eq!(store.update(own, NoteId(i64::MAX), &change("x", 4)).await.expect("answers"), None);
}

/// Lists one resource's notes newest first, then by id, by page and by cursor alike; a cursor is stable
/// under inserts.
pub async fn lists_newest_first(store: &dyn NoteRepository, own: &Scope, _other: &Scope) {
    for n in 0..12_i64 {
        store.insert(own, &draft(agent(0), &format!("n{n}"), n / 2)).await.expect("inserts");
    }
    store.insert(own, &draft(agent(1), "elsewhere", 99)).await.expect("inserts");
    let first = store.list(own, &agent(0), &PageRequest::first(3)).await.expect("lists");
    assert_eq!((contents(&first), first.total), (vec!["n11", "n10", "n9"], 12));
    let second = PageRequest { position: Position::Number(2), limit: 3 };
    assert_eq!(contents(&store.list(own, &agent(0), &second).await.expect("lists")), ["n8", "n7", "n6"]);
    store.insert(own, &draft(agent(0), "newer", 50)).await.expect("inserts");
    let after = PageRequest { position: Position::After(first.next.expect("more")), limit: 8 };
    let rest = store.list(own, &agent(0), &after).await.expect("lists");
    assert_eq!((contents(&rest), rest.total), (vec!["n8", "n7", "n6", "n5", "n4", "n3", "n2", "n1"], 13));
    let last = PageRequest { position: Position::After(rest.next.expect("more")), limit: 8 };
    let last = store.list(own, &agent(0), &last).await.expect("lists");
    assert_eq!((contents(&last), &last.next), (vec!["n0"], &None));
    let beyond = PageRequest { position: Position::Number(u32::MAX), limit: 100 };
    let beyond = store.list(own, &agent(0), &beyond).await.expect("lists");
    assert_eq!((beyond.items.len(), beyond.total), (0, 13));
}

/// A page of large notes ends early, by number as by cursor, so no page needs much memory. The next page
/// continues there. The current size of a note counts, after it has grown or shrunk.
pub async fn bounds_a_page_by_bytes(store: &dyn NoteRepository, own: &Scope, _other: &Scope) {
    let sizes = [10, PAGE_BYTES / 2, 10, PAGE_BYTES / 2, PAGE_BYTES * 2, PAGE_BYTES / 2, 20];
    for (n, size) in sizes.iter().enumerate() {
        let new = NoteDraft { meta: Map::new(), ..draft(agent(0), &"x".repeat(*size), n as i64) };
        store.insert(own, &new).await.expect("inserts");
    }
    let mut seen = Vec::new();
    let mut position = Position::Number(1);
    loop {
        let page = store.list(own, &agent(0), &PageRequest { position, limit: 6 }).await.expect("lists");
        assert_eq!(page.total, 7);
        seen.push(page.items.iter().map(|note| note.content.len()).collect::<Vec<_>>());
        match page.next {
            Some(cursor) => position = Position::After(cursor),
            None => break,
        }
    }
    let half = PAGE_BYTES / 2;
    assert_eq!(seen, [vec![20, half], vec![PAGE_BYTES * 2], vec![half, 10], vec![half, 10]]);

    let second = PageRequest { position: Position::Number(2), limit: 2 };
    let page = store.list(own, &agent(0), &second).await.expect("lists");
    let large = page.items[0].clone();
    assert_eq!((page.items.len(), large.content.len()), (1, PAGE_BYTES * 2));
    store.update(own, large.id, &change("s", 9)).await.expect("updates");
    let page = store.list(own, &agent(0), &second).await.expect("lists");
    assert_eq!(page.items.iter().map(|note| note.content.len()).collect::<Vec<_>>(), [1, half]);
}

/// Deletes only notes of the resource, returns their ids, and updates the count.
pub async fn deletes_by_id(store: &dyn NoteRepository, own: &Scope, other: &Scope) {
    let mut ids = Vec::new();
    for n in 0..4 {
        ids.push(store.insert(own, &draft(agent(0), "n", n)).await.expect("inserts"));
    }
    let elsewhere = store.insert(own, &draft(agent(1), "n", 1)).await.expect("inserts");
    let foreign = store.insert(other, &draft(agent(0), "n", 1)).await.expect("inserts");
    let named = [ids[2], elsewhere, foreign, NoteId(i64::MAX), NoteId(-1), ids[0], ids[0]];
    assert_eq!(store.delete(own, &agent(0), &named).await.expect("deletes"), [ids[0], ids[2]]);
    assert_eq!(store.delete(own, &agent(0), &named).await.expect("deletes"), []);
    assert_eq!(store.delete(own, &agent(0), &[]).await.expect("deletes"), []);
    let left = store.list(own, &agent(0), &PageRequest::first(9)).await.expect("lists");
    assert_eq!(left.items.iter().map(|note| note.id).collect::<Vec<_>>(), [ids[3], ids[1]]);
    assert_eq!(left.total, 2);
    for (scope, id) in [(own, elsewhere), (other, foreign)] {
        assert!(store.find(scope, id).await.expect("finds").is_some());
    }
}

/// Many ids at once work like a few.
pub async fn deletes_many(store: &dyn NoteRepository, own: &Scope, _other: &Scope) {
    let mut ids = Vec::new();
    for n in 0..3 {
        ids.push(store.insert(own, &draft(agent(0), "n", n)).await.expect("inserts"));
    }
    let named: Vec<NoteId> = (1..=5_000).rev().map(|n| NoteId(ids[0].0 - 1 + n)).collect();
    assert_eq!(store.delete(own, &agent(0), &named).await.expect("deletes"), ids);
}

/// Deletes all notes of a resource and no others; the id of a deleted note is not reused.
pub async fn deletes_all(store: &dyn NoteRepository, own: &Scope, other: &Scope) {
    assert_eq!(store.delete_all(own, &agent(0)).await.expect("deletes"), 0);
    let mut last = NoteId(0);
    for n in 0..3 {
        last = store.insert(own, &draft(agent(0), "n", n)).await.expect("inserts");
    }
    let elsewhere = store.insert(own, &draft(agent(1), "n", 1)).await.expect("inserts");
    let foreign = store.insert(other, &draft(agent(0), "n", 1)).await.expect("inserts");
    assert_eq!(store.delete_all(own, &agent(0)).await.expect("deletes"), 3);
    assert_eq!(store.list(own, &agent(0), &PageRequest::first(9)).await.expect("lists").total, 0);
    for (scope, id) in [(own, elsewhere), (other, foreign)] {
        assert!(store.find(scope, id).await.expect("finds").is_some());
    }
    assert!(store.insert(own, &draft(agent(0), "n", 1)).await.expect("inserts") > last);
    assert_eq!(store.list(own, &agent(0), &PageRequest::first(9)).await.expect("lists").total, 1);
}

/// Expands to the tests of a [`NoteRepository`]. `$run` takes a name and a closure from
/// `(store, own scope, other scope)` to a future and runs it on a fresh store.
#[macro_export]
macro_rules! note_repository_contract {
    ($run:ident) => {
        $crate::note_repository_contract!($run: reads_back_what_it_stored isolates_workspaces updates_and_answers_the_note lists_newest_first bounds_a_page_by_bytes deletes_by_id deletes_many deletes_all);
    };
    ($run:ident: $($name:ident)*) => {
        $(#[test] fn $name() {
            $run(stringify!($name), |store, own, other| {
                Box::pin(async move { $crate::contract::$name(&*store, &own, &other).await })
            });
        })*
    };
}
