//! Knowledge bases beside notes, in databases that are full or older, where many write to the same, and by which
//! indexes they are found. On both databases where it applies.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests assert"
)]

#[path = "../common/mod.rs"]
mod common;
mod indexes;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use diesel::connection::SimpleConnection as _;
use diesel::sql_types::{BigInt, Text};
use diesel::{QueryableByName, RunQueryDsl as _};
use files_core::{BlobKey, FileRepository as _, NewFile};
use futures_util::future::join_all;
use kb_core::{
    Base, BaseId, BaseRepository as _, ChangeFeed as _, Chunk, ChunkKey, Chunking, Content, Contents, Counts,
    EmbeddingRepository as _, ItemId, ItemRepository as _, NewItem, Selection, Source,
};
use notes_core::{NoteDraft, NoteRepository as _, Resource, ResourceKind, Role};
use shared_core::{Author, PageRequest, Revision, Scope, StoreError, Timestamp};
use store_diesel::{AnyConnection, Database, DieselFiles, DieselKnowledge, DieselNotes};

use common::{Kind, Throwaway, block_on, fresh, two_workspaces};

fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros).unwrap()
}

fn base(scope: &Scope, id: &str) -> Base {
    Base {
        id: BaseId(id.into()),
        number: 0,
        workspace: scope.workspace.clone(),
        author: Author { id: scope.user.clone(), name: String::new(), email: String::new() },
        name: id.into(),
        description: String::new(),
        embedding: None,
        serving: None,
        chunking: Chunking::default(),
        rerank: kb_core::RerankSettings::default(),
        counts: Counts::default(),
        languages: Vec::new(),
        written: 0,
        revision: Revision::FIRST,
        created: at(1),
        updated: at(1),
    }
}

fn item(id: &str, matter: Contents) -> NewItem {
    NewItem {
        id: ItemId(id.into()),
        key: None,
        source: Source::Chunks,
        name: id.into(),
        meta: serde_json::Map::new(),
        bytes: 10,
        external_id: None,
        expires: None,
        fingerprint: id.into(),
        matter,
    }
}

fn chunked(id: &str, texts: &[String]) -> NewItem {
    let chunk = |(position, text): (u32, &String)| Chunk {
        position,
        page: None,
        start: u64::from(position) * 300,
        end: u64::from(position) * 300 + 300,
        heading: String::new(),
        text: text.clone(),
    };
    let chunks = (0..).zip(texts).map(chunk).collect();
    item(id, Contents::Chunks { chunks, language: Some("en".into()) })
}

fn document(id: &str, content: &str) -> NewItem {
    let content = Content { blob: BlobKey(format!("{id}-{content}")), sha256: content.into(), bytes: 7 };
    item(id, Contents::Document { content, fresh: true })
}

async fn on_both(test: impl AsyncFn(Throwaway, Scope)) {
    for kind in [Kind::Sqlite, Kind::Postgres] {
        if let Some(throwaway) = fresh(kind) {
            let (own, _) = two_workspaces(&throwaway.database).await;
            test(throwaway, own).await;
        }
    }
}

#[derive(Debug, QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

async fn number(database: &Database, query: &'static str) -> i64 {
    let query = format!("SELECT CAST(({query}) AS BIGINT) AS number");
    let read = move |connection: &mut AnyConnection| {
        Ok(match connection {
            AnyConnection::Sqlite(inner) => diesel::sql_query(&query).get_result::<Number>(inner)?,
            AnyConnection::Postgres(inner) => diesel::sql_query(&query).get_result::<Number>(inner)?,
        })
    };
    database.read(read).await.unwrap().number
}

#[test]
fn notes_of_a_base_go_with_it_and_with_nothing_else() {
    block_on(on_both(async |throwaway, own| {
        let database = throwaway.database.clone();
        let (store, notes) = (DieselKnowledge::new(database.clone()), DieselNotes::new(database));
        for id in ["a", "b"] {
            store.insert(&own, &base(&own, id)).await.unwrap();
        }
        let of = |id: &str| Resource { kind: ResourceKind::KnowledgeBase, id: id.into() };
        let draft = |id: &str| {
            let (resource, content) = (of(id), "note".to_owned());
            NoteDraft { resource, role: Role::User, content, meta: Default::default(), created: at(1) }
        };
        let first = notes.insert(&own, &draft("a")).await.unwrap();
        let second = notes.insert(&own, &draft("b")).await.unwrap();
        let none = notes.insert(&own, &draft("c\u{0}")).await;
        assert!(matches!(none, Err(StoreError::Missing("resource"))));
        assert_eq!(notes.find(&own, first).await.unwrap().unwrap().resource, of("a"));
        assert_eq!(notes.list(&own, &of("a"), &PageRequest::first(9)).await.unwrap().total, 1);
        ItemsOnly(&store).empty(&own, "a").await;
        assert!(notes.find(&own, first).await.unwrap().is_some(), "its items are something else");
        store.delete_base(&own, "a").await;
        assert_eq!(notes.find(&own, first).await.unwrap(), None);
        assert!(notes.find(&own, second).await.unwrap().is_some());
        store.insert(&own, &base(&own, "a")).await.unwrap();
        assert_eq!(notes.list(&own, &of("a"), &PageRequest::first(9)).await.unwrap().total, 0);
    }));
}

struct ItemsOnly<'a>(&'a DieselKnowledge);

impl ItemsOnly<'_> {
    async fn empty(&self, own: &Scope, id: &str) {
        let all = Selection::All(BaseId(id.into()));
        kb_core::ItemRepository::delete(self.0, own, &all, at(2)).await.unwrap();
    }
}

trait DeleteBase {
    async fn delete_base(&self, own: &Scope, id: &str) -> kb_core::RemovedItems;
}

impl DeleteBase for DieselKnowledge {
    async fn delete_base(&self, own: &Scope, id: &str) -> kb_core::RemovedItems {
        let gone = kb_core::BaseRepository::delete(self, own, &BaseId(id.into()), at(3)).await;
        gone.unwrap().unwrap()
    }
}

#[test]
fn contents_are_counted_rightly_while_many_add_delete_and_upload_the_same() {
    block_on(on_both(async |throwaway, own| {
        let database = throwaway.database.clone();
        let (store, files) = (DieselKnowledge::new(database.clone()), DieselFiles::new(database.clone()));
        for id in ["a", "b", "c"] {
            store.insert(&own, &base(&own, id)).await.unwrap();
        }
        let store = &store;
        let work = async |n: usize| {
            let id = ["a", "b", "c"][n % 3];
            // In another order each time, so that they would wait for each other in a circle if they could.
            let contents: Vec<String> = (0..4).map(|m| format!("sha{}", (n + m * (1 + n % 2)) % 4)).collect();
            let docs = contents.iter().map(|content| document(&format!("{n}-{content}"), content)).collect();
            let own_base = BaseId(id.into());
            match store.add(&own, &own_base, docs, u64::MAX, at(5)).await {
                Ok(_) | Err(StoreError::Missing("knowledge base")) => {}
                Err(error) => panic!("{error:?}"),
            }
            let file = NewFile {
                name: "f".into(),
                bytes: 7,
                content_type: "text/plain".into(),
                sha256: contents[0].clone(),
                token: format!("token {n}"),
                blob: BlobKey(format!("file {n}")),
                created: at(1),
            };
            let file = files.insert(&own, vec![file]).await.unwrap().remove(0);
            match n % 5 {
                0 => {
                    kb_core::BaseRepository::delete(store, &own, &own_base, at(6)).await.unwrap();
                }
                1 => ItemsOnly(store).empty(&own, id).await,
                2 => {
                    let ids = contents.iter().map(|content| ItemId(format!("{n}-{content}"))).collect();
                    let named = Selection::Ids(None, ids);
                    kb_core::ItemRepository::delete(store, &own, &named, at(6)).await.unwrap();
                }
                _ => {}
            }
            if n.is_multiple_of(2) {
                files.delete(&own, file.id).await.unwrap();
            }
        };
        join_all((0..60).map(work)).await;
        let wrong = "SELECT count(*) FROM blobs WHERE refs < 1 OR refs <> \
             (SELECT count(*) FROM files WHERE files.blob = blobs.key) \
             + (SELECT count(*) FROM kb_items WHERE kb_items.blob = blobs.key)";
        assert_eq!(number(&database, wrong).await, 0);
        let wrong = "SELECT count(*) FROM kb_bases WHERE queued <> \
             (SELECT count(*) FROM kb_items WHERE kb_items.base = kb_bases.number)";
        assert_eq!(number(&database, wrong).await, 0);
        let jobs = "SELECT (SELECT count(*) FROM jobs) - (SELECT count(*) FROM kb_items)";
        assert_eq!(number(&database, jobs).await, 0, "each item that waits has its job");
    }));
}

#[test]
fn a_unit_that_does_not_fit_on_the_disk_leaves_nothing() {
    let throwaway = fresh(Kind::Sqlite).unwrap();
    block_on(async {
        let database = throwaway.database.clone();
        let (own, _) = two_workspaces(&database).await;
        let store = DieselKnowledge::new(database.clone());
        store.insert(&own, &base(&own, "a")).await.unwrap();
        let limit =
            |connection: &mut AnyConnection| Ok(connection.batch_execute("PRAGMA max_page_count = 300")?);
        database.write(limit).await.unwrap();
        let id = BaseId("a".into());
        let text = |n: usize| vec!["x".repeat(3_000); n];
        let mut fits = 0;
        let full = loop {
            let given = vec![chunked(&format!("s{fits}"), &text(2)), chunked(&format!("l{fits}"), &text(20))];
            match store.add(&own, &id, given, u64::MAX, at(5)).await {
                Ok(_) => fits += 1,
                Err(error) => break error,
            }
        };
        assert!(matches!(full, StoreError::Full), "{full:?}");
        let base = kb_core::BaseRepository::find(&store, &own, &id).await.unwrap().unwrap();
        assert!(fits > 0 && base.counts.items() == 2 * fits && base.counts.chunks == 22 * fits);
        assert_eq!(store.state().await.unwrap().latest, 2 * i64::try_from(fits).unwrap());
        let stored = number(&database, "SELECT count(*) FROM kb_chunks").await;
        assert_eq!(stored, 22 * i64::try_from(fits).unwrap());
    });
}

/// The versions of the migrations from `first` on, and the text that takes them back.
fn migrations_since(kind: Kind, first: &str) -> (Vec<String>, String) {
    let folder = if matches!(kind, Kind::Sqlite) { "sqlite" } else { "postgres" };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations").join(folder);
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let version = |name: &str| name.split('_').next().unwrap().replace('-', "");
    let mut found: Vec<(String, PathBuf)> = entries
        .map(|entry| (version(entry.file_name().to_str().unwrap()), entry.path().join("down.sql")))
        .filter(|(version, _)| version.as_str() >= first)
        .collect();
    found.sort();
    let down = found.iter().rev().map(|(_, path)| std::fs::read_to_string(path).unwrap()).collect();
    (found.into_iter().map(|(version, _)| version).collect(), down)
}

#[test]
fn the_tables_go_and_come_again_without_a_trace() {
    for kind in [Kind::Sqlite, Kind::Postgres] {
        let Some(throwaway) = fresh(kind) else { continue };
        block_on(async {
            let database = throwaway.database.clone();
            let (own, _) = two_workspaces(&database).await;
            let store = DieselKnowledge::new(database.clone());
            store.insert(&own, &base(&own, "a")).await.unwrap();
            store.add(&own, &BaseId("a".into()), vec![document("d", "sha")], u64::MAX, at(5)).await.unwrap();
            let (again, down) = migrations_since(kind, "20261121000009");
            let back = move |connection: &mut AnyConnection| {
                connection.batch_execute(&down)?;
                let forget = "DELETE FROM __diesel_schema_migrations WHERE version >= '20261121000009'";
                Ok(connection.batch_execute(forget)?)
            };
            database.write(back).await.unwrap();
            assert_eq!(number(&database, "SELECT count(*) FROM blobs").await, 0);
            assert_eq!(number(&database, "SELECT count(*) FROM jobs").await, 0);
            assert_eq!(Database::migrate(&throwaway.url).unwrap(), again);
            store.insert(&own, &base(&own, "a")).await.unwrap();
        });
    }
}

#[test]
fn chunks_of_many_bytes_are_stored_under_their_names_as_those_of_few_are() {
    block_on(on_both(async |throwaway, own| {
        let store = DieselKnowledge::new(throwaway.database.clone());
        let base = store.insert(&own, &base(&own, "a")).await.unwrap();
        let texts: Vec<String> = (0..3).map(|n| format!("{n} {}", "x".repeat(500_000))).collect();
        let added = store.add(&own, &base.id, vec![chunked("long", &texts)], u64::MAX, at(5)).await;
        let item = added.unwrap().unwrap().remove(0).item;
        let stored = kb_core::ChunkRepository::chunks(&store, &own, &item.id, 0, 9).await.unwrap();
        assert!(stored.iter().map(|chunk| &chunk.text).eq(&texts));
        let vectors = stored.iter().map(|chunk| (chunk.hash(), Arc::from([1.0_f32].as_slice()))).collect();
        store.store_vectors(&own, "m@x", vectors).await.unwrap();
        let start = ChunkKey { item: 0, position: 0 };
        assert_eq!(store.vectors(base.number, "m@x", start, 9).await.unwrap().len(), 3);
    }));
}

#[test]
fn many_changes_are_forgotten_a_portion_at_a_time() {
    block_on(on_both(async |throwaway, _| {
        let store = DieselKnowledge::new(throwaway.database.clone());
        let fill = |connection: &mut AnyConnection| {
            Ok(connection.batch_execute(
                "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000) \
                 INSERT INTO kb_changes (sequence, what, number, time) SELECT i, 'gone', i, i FROM n; \
                 UPDATE kb_feed SET latest = 12000;",
            )?)
        };
        throwaway.database.write(fill).await.unwrap();
        for (forgotten, count) in [(10_000, 10_000), (11_500, 1_500), (11_500, 0)] {
            assert_eq!(store.forget(at(11_501), i64::MAX).await.unwrap(), count);
            assert_eq!(store.state().await.unwrap().forgotten, forgotten);
        }
        assert_eq!(store.changes(0, 1).await.unwrap()[0].sequence, 11_501);
    }));
}
