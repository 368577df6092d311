//! Use cases of notes over the ports in memory.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests assert"
)]

use std::sync::Arc;

use async_trait::async_trait;
use futures_executor::block_on;
use notes_core::{
    MemoryNotes, MemoryResources, NewNote, Note, NoteChanges, NoteDeletion, NoteDraft, NoteId, NoteLimits,
    NoteRepository, NoteUpdate, NotesError, NotesService, Resource, ResourceKind,
};
use serde_json::{Value, json};
use shared_core::{
    DomainError as _, ErrorKind, FixedClock, Page, PageRequest, Position, Scope, StoreError, UserId,
    WorkspaceId,
};

fn scope(workspace: &str) -> Scope {
    Scope { workspace: WorkspaceId(workspace.into()), user: UserId("ada".into()) }
}

/// A service whose workspace `w` has the file 7 and the agents `a` and `b`.
fn service(bytes: usize) -> NotesService {
    let resources = MemoryResources::default();
    for (kind, id) in [(ResourceKind::File, "7"), (ResourceKind::Agent, "a"), (ResourceKind::Agent, "b")] {
        resources.add(&scope("w"), Resource { kind, id: id.into() });
    }
    let clock = Arc::new(FixedClock::default());
    NotesService::new(Arc::new(MemoryNotes::default()), Arc::new(resources), clock, NoteLimits { bytes })
}

fn note(resource: &str, resource_id: &str) -> NewNote {
    NewNote {
        content: "c".into(),
        role: "user".into(),
        resource: resource.into(),
        resource_id: resource_id.into(),
        meta: None,
    }
}

fn values(ids: &[&str]) -> NoteDeletion {
    NoteDeletion { values: Some(ids.iter().map(|id| (*id).to_owned()).collect()), all: false }
}

fn paths(error: &NotesError) -> Vec<&str> {
    error.violations().iter().map(|violation| violation.path.as_str()).collect()
}

async fn kept(notes: &NotesService, meta: Option<Value>) -> Result<Value, NotesError> {
    let id = notes.add(&scope("w"), NewNote { meta, ..note("file", "7") }).await?;
    Ok(Value::Object(notes.get(&scope("w"), id).await?.meta))
}

#[test]
fn a_meta_is_kept_as_an_object_however_it_was_sent() {
    let notes = service(100);
    for (sent, wanted) in [
        (None, json!({})),
        (Some(json!({"a": [1]})), json!({"a": [1]})),
        (Some(json!("{\"b\": 1, \"a\": null}")), json!({"b": 1, "a": null})),
        (Some(json!(" [1, 2] ")), json!({"value": [1, 2]})),
        (Some(json!("\"text\"")), json!({"value": "text"})),
        (Some(json!("null")), json!({"value": null})),
        (Some(json!("0.5")), json!({"value": 0.5})),
    ] {
        assert_eq!(block_on(kept(&notes, sent.clone())).unwrap(), wanted, "{sent:?}");
    }
    for bad in
        [json!(""), json!("{"), json!("{} {}"), json!("NaN"), json!("'a'"), json!(5), json!([1]), json!(true)]
    {
        let error = block_on(kept(&notes, Some(bad.clone()))).unwrap_err();
        assert_eq!((error.code(), paths(&error)), ("validation_failed", vec!["/meta"]), "{bad}");
    }
}

#[test]
fn a_meta_that_could_not_be_read_back_is_refused() {
    let notes = service(10_000);
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert!(block_on(kept(&notes, Some(json!(nested(99))))).is_ok());
    for levels in [100, 127, 128, 5_000] {
        let error = block_on(kept(&notes, Some(json!(nested(levels))))).unwrap_err();
        assert_eq!(paths(&error), ["/meta"], "{levels}");
    }
}

#[test]
fn every_broken_rule_is_told_and_nothing_is_stored() {
    let notes = service(10);
    let bad = NewNote {
        content: "eleven byte".into(),
        role: "robot".into(),
        meta: Some(json!({"key": "eleven byte"})),
        ..note("form", "7")
    };
    let error = block_on(notes.add(&scope("w"), bad)).unwrap_err();
    assert_eq!(paths(&error), ["/content", "/role", "/resource", "/meta"]);
    assert_eq!(error.to_string(), "'content' may have at most 10 bytes");
    assert_eq!(error.violations()[1].message, "'role' must be one of assistant, user, system");
    assert_eq!(error.violations()[2].message, "'resource' must be one of agent, knowledgebase, file");
    assert!(matches!(block_on(notes.get(&scope("w"), NoteId(1))), Err(NotesError::NotFound)));
}

#[test]
fn a_resource_that_the_workspace_does_not_have_is_not_found() {
    let notes = service(10);
    for (workspace, resource, id, code) in [
        ("w", "file", "8", "file_not_found"),
        ("w", "agent", "7", "agent_not_found"),
        ("w", "knowledgebase", "7", "knowledge_base_not_found"),
        ("theirs", "file", "7", "file_not_found"),
    ] {
        let scope = scope(workspace);
        let added = block_on(notes.add(&scope, note(resource, id))).unwrap_err();
        let listed = block_on(notes.list(&scope, resource, id, &PageRequest::first(1))).unwrap_err();
        let all = NoteDeletion { values: None, all: true };
        let deleted = block_on(notes.delete(&scope, resource, id, all)).unwrap_err();
        assert_eq!([added.code(), listed.code(), deleted.code()], [code; 3], "{resource} {id}");
    }
    let error = block_on(notes.list(&scope("w"), "form", "7", &PageRequest::first(1))).unwrap_err();
    assert_eq!(paths(&error), ["{resource}"]);
}

#[test]
fn an_update_without_meta_keeps_it_and_moves_only_the_time_of_change() {
    let notes = service(100);
    block_on(async {
        let own = scope("w");
        let id =
            notes.add(&own, NewNote { meta: Some(json!({"k": 1})), ..note("agent", "a") }).await.unwrap();
        let change = NoteChanges { content: "new".into(), role: "system".into(), meta: None };
        let changed = notes.update(&own, id, change.clone()).await.unwrap();
        assert_eq!((Value::Object(changed.meta.clone()), changed.content.as_str()), (json!({"k": 1}), "new"));
        assert!(changed.updated > changed.created);
        assert_eq!(notes.get(&own, id).await.unwrap(), changed);
        let cleared = NoteChanges { meta: Some(json!("{}")), ..change.clone() };
        assert!(notes.update(&own, id, cleared).await.unwrap().meta.is_empty());
        let bad = NoteChanges { role: "x".into(), meta: Some(json!("x")), ..change.clone() };
        assert_eq!(paths(&notes.update(&own, id, bad).await.unwrap_err()), ["/role", "/meta"]);
        let foreign = notes.update(&scope("theirs"), id, change).await;
        assert!(matches!(foreign, Err(NotesError::NotFound)));
    });
}

#[test]
fn deleting_by_values_leaves_what_is_not_the_resources_and_names_it() {
    let notes = service(100);
    block_on(async {
        let own = scope("w");
        let mut ids = Vec::new();
        for agent in ["a", "a", "b"] {
            ids.push(notes.add(&own, note("agent", agent)).await.unwrap().to_string());
        }
        let named = values(&[&ids[0], &ids[2], "-1", "99", "x", &ids[0], "007"]);
        let deleted = notes.delete(&own, "agent", "a", named).await.unwrap();
        assert_eq!(deleted.count, 1);
        assert_eq!(deleted.unmatched, [ids[2].as_str(), "-1", "99", "x", "007"]);
        assert_eq!(notes.list(&own, "agent", "b", &PageRequest::first(1)).await.unwrap().total, 1);
        assert_eq!(notes.list(&own, "agent", "a", &PageRequest::first(1)).await.unwrap().total, 1);
    });
}

#[test]
fn deleting_needs_values_or_all_and_all_wins() {
    let notes = service(100);
    block_on(async {
        let own = scope("w");
        for _ in 0..3 {
            notes.add(&own, note("agent", "a")).await.unwrap();
        }
        let too_many = vec!["1".to_owned(); 1_001];
        for (values, path) in [(None, ""), (Some(vec![]), "/values"), (Some(too_many), "/values")] {
            let deletion = NoteDeletion { values, all: false };
            let error = notes.delete(&own, "agent", "a", deletion).await.unwrap_err();
            assert_eq!((error.code(), paths(&error)), ("validation_failed", vec![path]));
        }
        let both = NoteDeletion { all: true, ..values(&["1"]) };
        let deleted = notes.delete(&own, "agent", "a", both).await.unwrap();
        assert_eq!((deleted.count, deleted.unmatched), (3, vec![]));
    });
}

#[test]
fn values_at_their_limits_are_accepted_and_one_byte_more_is_not() {
    let notes = service(10);
    let sent = |content: &str, meta: Value| {
        let new = NewNote { content: content.into(), meta: Some(meta), ..note("file", "7") };
        block_on(notes.add(&scope("w"), new))
    };
    sent("ten bytes.", json!({"k": "12"})).unwrap();
    assert_eq!(paths(&sent("c", json!({"k": "123"})).unwrap_err()), ["/meta"]);
    assert_eq!(paths(&sent("eleven byte", json!({})).unwrap_err()), ["/content"]);
    assert_eq!(NoteLimits::default().bytes, 1_048_576);
}

#[test]
fn objects_and_arrays_of_a_meta_count_as_levels_alike() {
    let notes = service(10_000);
    let nested = |levels: usize| {
        (1..levels).fold(json!({}), |inner, level| match level % 2 {
            0 => json!({"k": inner, "flat": 1}),
            _ => json!([1, inner]),
        })
    };
    // The meta itself is a level.
    let meta = |levels: usize| Some(json!({ "k": nested(levels - 1) }));
    assert!(block_on(kept(&notes, meta(100))).is_ok());
    assert_eq!(paths(&block_on(kept(&notes, meta(101))).unwrap_err()), ["/meta"]);
}

#[test]
fn a_page_of_large_metas_ends_early_and_goes_on_by_its_cursor() {
    let notes = service(1 << 20);
    block_on(async {
        let own = scope("w");
        for _ in 0..3 {
            let meta = Some(json!({ "k": "x".repeat(600_000) }));
            notes.add(&own, NewNote { meta, ..note("file", "7") }).await.unwrap();
        }
        let mut page = PageRequest::first(3);
        for more in [true, true, false] {
            let found = notes.list(&own, "file", "7", &page).await.unwrap();
            assert_eq!((found.items.len(), found.total, found.next.is_some()), (1, 3, more));
            page.position = found.next.map_or(page.position, Position::After);
        }
    });
}

#[test]
fn a_deletion_may_name_a_thousand_ids() {
    let deletion = NoteDeletion { values: Some((1..=1_000).map(|id| id.to_string()).collect()), all: false };
    let deleted = block_on(service(10).delete(&scope("w"), "agent", "a", deletion)).unwrap();
    assert_eq!((deleted.count, deleted.unmatched.len()), (0, 1_000));
}

#[test]
fn failures_have_the_kinds_codes_and_sentences_that_clients_see() {
    for (error, kind, code, sentence) in [
        (NotesError::NotFound, ErrorKind::NotFound, "note_not_found", "there is no such note"),
        (
            NotesError::ResourceNotFound(ResourceKind::Agent),
            ErrorKind::NotFound,
            "agent_not_found",
            "there is no such agent",
        ),
        (
            NotesError::ResourceNotFound(ResourceKind::KnowledgeBase),
            ErrorKind::NotFound,
            "knowledge_base_not_found",
            "there is no such knowledge base",
        ),
        (
            NotesError::ResourceNotFound(ResourceKind::File),
            ErrorKind::NotFound,
            "file_not_found",
            "there is no such file",
        ),
        (NotesError::Invalid(Vec::new()), ErrorKind::Invalid, "validation_failed", "the note is not valid"),
        (NotesError::Store(StoreError::Full), ErrorKind::StorageFull, "storage_full", "the storage is full"),
    ] {
        assert_eq!((error.kind(), error.code(), error.to_string().as_str()), (kind, code, sentence));
        assert!(error.violations().is_empty());
    }
}

/// A store whose resources are deleted just before each request.
#[derive(Debug)]
struct EmptyStore;

#[async_trait]
impl NoteRepository for EmptyStore {
    async fn insert(&self, _: &Scope, _: &NoteDraft) -> Result<NoteId, StoreError> {
        Err(StoreError::Missing("resource"))
    }

    async fn find(&self, _: &Scope, _: NoteId) -> Result<Option<Note>, StoreError> {
        Ok(None)
    }

    async fn list(&self, _: &Scope, _: &Resource, _: &PageRequest) -> Result<Page<Note>, StoreError> {
        Err(StoreError::Full)
    }

    async fn update(&self, _: &Scope, _: NoteId, _: &NoteUpdate) -> Result<Option<Note>, StoreError> {
        Ok(None)
    }

    async fn delete(&self, _: &Scope, _: &Resource, _: &[NoteId]) -> Result<Vec<NoteId>, StoreError> {
        Ok(Vec::new())
    }

    async fn delete_all(&self, _: &Scope, _: &Resource) -> Result<u64, StoreError> {
        Ok(0)
    }
}

#[test]
fn a_resource_that_is_deleted_while_a_note_is_added_is_not_found() {
    let resources = MemoryResources::default();
    resources.add(&scope("w"), Resource { kind: ResourceKind::File, id: "7".into() });
    let clock = Arc::new(FixedClock::default());
    let notes = NotesService::new(Arc::new(EmptyStore), Arc::new(resources), clock, NoteLimits::default());
    let refused = block_on(notes.add(&scope("w"), note("file", "7"))).unwrap_err();
    assert!(matches!(refused, NotesError::ResourceNotFound(ResourceKind::File)), "{refused:?}");
}
