//! Notes and what they are attached to: they stay with it, and they go with it. On both databases.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests assert"
)]

mod common;

use agents_core::{Agent, AgentRepository as _};
use diesel::connection::SimpleConnection as _;
use files_core::{BlobKey, FileId, FileRepository as _, NewFile};
use futures_util::future::join_all;
use notes_core::{NoteDraft, NoteId, NoteRepository as _, Resource, ResourceKind, Role};
use shared_core::{PageRequest, Revision, Scope, StoreError, Timestamp};
use store_diesel::{Database, DieselAgents, DieselFiles, DieselNotes, Failure};

use common::{Kind, block_on, fresh, two_workspaces};

async fn on_both(test: impl AsyncFn(Database, Scope)) {
    for kind in [Kind::Sqlite, Kind::Postgres] {
        if let Some(throwaway) = fresh(kind) {
            let (own, _) = two_workspaces(&throwaway.database).await;
            test(throwaway.database.clone(), own).await;
        }
    }
}

fn agent(namespace: &str) -> Resource {
    Resource { kind: ResourceKind::Agent, id: namespace.into() }
}

fn file(id: FileId) -> Resource {
    Resource { kind: ResourceKind::File, id: id.0.to_string() }
}

fn draft(resource: &Resource) -> NoteDraft {
    let created = Timestamp::from_micros(1).unwrap();
    let (resource, content) = (resource.clone(), "note".to_owned());
    NoteDraft { resource, role: Role::User, content, meta: Default::default(), created }
}

async fn upload(files: &DieselFiles, own: &Scope, name: &str) -> FileId {
    let file = NewFile {
        name: name.into(),
        bytes: 1,
        content_type: "text/plain".into(),
        sha256: name.into(),
        token: format!("token-{name}"),
        blob: BlobKey(name.into()),
        created: Timestamp::from_micros(1).unwrap(),
    };
    files.insert(own, vec![file]).await.unwrap()[0].id
}

#[test]
fn notes_stay_with_a_renamed_agent_and_a_namesake_has_none_of_them() {
    block_on(on_both(async |database, own| {
        let (agents, notes) = (DieselAgents::new(database.clone()), DieselNotes::new(database));
        let old = agents_core::contract::agent(&own, "old", 1);
        agents.insert(&own, &old).await.unwrap();
        let id = notes.insert(&own, &draft(&agent("old"))).await.unwrap();
        let new = Agent { namespace: "new".into(), revision: Revision(2), ..old };
        agents.update(&own, &new, Revision::FIRST).await.unwrap();
        let namesake = Agent { id: "twin".into(), ..agents_core::contract::agent(&own, "old", 2) };
        agents.insert(&own, &namesake).await.unwrap();

        assert_eq!(notes.find(&own, id).await.unwrap().unwrap().resource, agent("new"));
        let page = PageRequest::first(9);
        assert_eq!(notes.list(&own, &agent("new"), &page).await.unwrap().total, 1);
        assert_eq!(notes.list(&own, &agent("old"), &page).await.unwrap().total, 0);
        assert_eq!(notes.delete(&own, &agent("old"), &[id]).await.unwrap(), []);
        assert_eq!(notes.delete_all(&own, &agent("old")).await.unwrap(), 0);
        assert_eq!(notes.delete(&own, &agent("new"), &[id]).await.unwrap(), [id]);
    }));
}

#[test]
fn deleting_an_agent_or_a_file_deletes_its_notes_and_no_others() {
    block_on(on_both(async |database, own| {
        let (agents, files) = (DieselAgents::new(database.clone()), DieselFiles::new(database.clone()));
        let notes = DieselNotes::new(database);
        for namespace in ["gone", "stays"] {
            agents.insert(&own, &agents_core::contract::agent(&own, namespace, 1)).await.unwrap();
        }
        let (gone, stays) = (upload(&files, &own, "gone").await, upload(&files, &own, "stays").await);
        let mut ids: Vec<NoteId> = Vec::new();
        for resource in [agent("gone"), file(gone), agent("stays"), file(stays)] {
            ids.push(notes.insert(&own, &draft(&resource)).await.unwrap());
            assert_eq!(notes.find(&own, *ids.last().unwrap()).await.unwrap().unwrap().resource, resource);
        }
        assert!(agents.delete(&own, "gone").await.unwrap());
        assert!(files.delete(&own, gone).await.unwrap().is_some());
        let left = join_all(ids.iter().map(async |id| notes.find(&own, *id).await.unwrap().is_some())).await;
        assert_eq!(left, [false, false, true, true]);

        agents.insert(&own, &agents_core::contract::agent(&own, "gone", 1)).await.unwrap();
        let again = notes.list(&own, &agent("gone"), &PageRequest::first(9)).await.unwrap();
        assert_eq!((again.total, again.items.len()), (0, 0));
    }));
}

#[test]
fn a_deletion_that_is_not_committed_takes_no_notes() {
    block_on(on_both(async |database, own| {
        let (agents, notes) = (DieselAgents::new(database.clone()), DieselNotes::new(database.clone()));
        agents.insert(&own, &agents_core::contract::agent(&own, "a", 1)).await.unwrap();
        let id = notes.insert(&own, &draft(&agent("a"))).await.unwrap();
        let failed = database.write(|connection| {
            connection.batch_execute("DELETE FROM agents")?;
            Err::<(), _>(Failure::Store(StoreError::Missing("all")))
        });
        assert!(failed.await.is_err());
        assert!(notes.find(&own, id).await.unwrap().is_some());
        assert_eq!(notes.list(&own, &agent("a"), &PageRequest::first(1)).await.unwrap().total, 1);
    }));
}

#[test]
fn a_note_on_what_does_not_exist_is_refused() {
    block_on(on_both(async |database, own| {
        let notes = DieselNotes::new(database);
        let knowledge = Resource { kind: ResourceKind::KnowledgeBase, id: "kb".into() };
        let odd = Resource { kind: ResourceKind::File, id: "\u{0}".into() };
        for resource in [agent("nobody"), agent("\u{0}"), file(FileId(1)), odd, knowledge] {
            let refused = notes.insert(&own, &draft(&resource)).await;
            assert!(matches!(refused, Err(StoreError::Missing("resource"))), "{resource:?}");
            assert_eq!(notes.list(&own, &resource, &PageRequest::first(1)).await.unwrap().total, 0);
            assert_eq!(notes.delete_all(&own, &resource).await.unwrap(), 0);
        }
    }));
}

#[test]
fn the_number_of_notes_stays_right_when_many_write_at_once() {
    block_on(on_both(async |database, own| {
        let (agents, notes) = (DieselAgents::new(database.clone()), DieselNotes::new(database));
        agents.insert(&own, &agents_core::contract::agent(&own, "a", 1)).await.unwrap();
        let resource = agent("a");
        let add = async |_| notes.insert(&own, &draft(&resource)).await.unwrap();
        let ids = join_all((0..60).map(add)).await;
        // Deletions that overlap, in opposite orders, while others are added.
        let backwards: Vec<NoteId> = ids[10..50].iter().rev().copied().collect();
        let (one, two, more) = tokio::join!(
            notes.delete(&own, &resource, &ids[..40]),
            notes.delete(&own, &resource, &backwards),
            join_all((0..20).map(add)),
        );
        assert_eq!((one.unwrap().len() + two.unwrap().len(), more.len()), (50, 20));
        let left = notes.list(&own, &resource, &PageRequest::first(100)).await.unwrap();
        assert_eq!((left.total, left.items.len()), (30, 30));
    }));
}

#[test]
fn a_note_added_while_its_agent_goes_is_refused_or_goes_too() {
    block_on(on_both(async |database, own| {
        let (agents, notes) = (DieselAgents::new(database.clone()), DieselNotes::new(database));
        for round in 0..10 {
            agents.insert(&own, &agents_core::contract::agent(&own, "a", round)).await.unwrap();
            let add = async |_| notes.insert(&own, &draft(&agent("a"))).await;
            let (before, deleted, after) =
                tokio::join!(join_all((0..5).map(add)), agents.delete(&own, "a"), join_all((0..5).map(add)));
            assert!(deleted.unwrap());
            for added in before.into_iter().chain(after) {
                match added {
                    Ok(id) => assert_eq!(notes.find(&own, id).await.unwrap(), None),
                    Err(error) => assert!(matches!(error, StoreError::Missing("resource")), "{error}"),
                }
            }
        }
    }));
}
