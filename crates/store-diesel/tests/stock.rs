//! What reading along the chunks costs on PostgreSQL before it has counted the tables.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "tests assert")]

mod common;

use diesel::sql_types::BigInt;
use diesel::{QueryableByName, RunQueryDsl as _};
use kb_core::{
    Base, BaseId, BaseRepository as _, Chunk, ChunkPlace, Chunking, Contents, Counts, ItemId,
    ItemRepository as _, NewItem, Source, VectorKind, VectorStore as _,
};
use shared_core::{Author, Revision, Scope, Timestamp};
use store_diesel::{AnyConnection, Database, DatabaseSettings, DieselKnowledge};

use common::{Kind, block_on, fresh, two_workspaces};

const MODEL: &str = "m@x";
/// Items, chunks of each, and chunks of a page.
const ITEMS: u32 = 8;
const CHUNKS: u32 = 1_000;
const PAGE: u32 = 500;

fn base(scope: &Scope) -> Base {
    let now = Timestamp::from_micros(1).unwrap();
    Base {
        id: BaseId("a".into()),
        number: 0,
        workspace: scope.workspace.clone(),
        author: Author { id: scope.user.clone(), name: String::new(), email: String::new() },
        name: "a".into(),
        description: String::new(),
        embedding: Some(MODEL.into()),
        serving: Some(MODEL.into()),
        chunking: Chunking::default(),
        rerank: kb_core::RerankSettings::default(),
        counts: Counts::default(),
        languages: Vec::new(),
        written: 0,
        revision: Revision::FIRST,
        created: now,
        updated: now,
    }
}

fn item(id: &str) -> NewItem {
    let chunk = |position: u32| Chunk {
        position,
        page: None,
        start: 0,
        end: 0,
        heading: String::new(),
        text: format!("passage {position} of {id}, {}", "of some words ".repeat(20)),
    };
    let chunks = (0..CHUNKS).map(chunk).collect();
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
        matter: Contents::Chunks { chunks, language: Some("en".into()) },
    }
}

#[derive(Debug, QueryableByName)]
struct Rows {
    #[diesel(sql_type = BigInt)]
    rows: i64,
}

/// Rows of chunks that were read so far, by the one connection that reads.
async fn rows_read(database: &Database) -> i64 {
    let flush = |connection: &mut AnyConnection| {
        let AnyConnection::Postgres(inner) = connection else { panic!("PostgreSQL") };
        diesel::sql_query("SELECT pg_stat_force_next_flush()").execute(inner)?;
        Ok(())
    };
    database.read(flush).await.unwrap();
    let read = |connection: &mut AnyConnection| {
        let AnyConnection::Postgres(inner) = connection else { panic!("PostgreSQL") };
        let query = "SELECT seq_tup_read + idx_tup_fetch AS rows FROM pg_stat_user_tables \
             WHERE relname = 'kb_chunks'";
        Ok(diesel::sql_query(query).get_result::<Rows>(inner)?.rows)
    };
    database.read(read).await.unwrap()
}

#[test]
fn each_chunk_is_read_once_while_pages_of_what_chunks_need_are_read() {
    let Some(throwaway) = fresh(Kind::Postgres) else { return };
    block_on(async {
        let (own, _) = two_workspaces(&throwaway.database).await;
        let one = Database::open(&throwaway.url, DatabaseSettings { readers: 1, writers: 1 }).unwrap();
        let store = DieselKnowledge::new(one.clone());
        let base = store.insert(&own, &base(&own)).await.unwrap();
        for number in 0..ITEMS {
            let items = vec![item(&format!("i{number}"))];
            store.add(&own, &base.id, items, u64::MAX, base.created).await.unwrap().unwrap();
        }
        let before = rows_read(&one).await;
        let kind = VectorKind { workspace: own.workspace.clone(), model: MODEL.into() };
        let (mut from, mut pages, mut count) = (Some(ChunkPlace::START), 0, 0);
        while let Some(place) = from {
            let (names, next) = store.needed(&kind, place, PAGE).await.unwrap();
            (from, pages, count) = (next, pages + 1, count + names.len());
        }
        assert_eq!(count, (ITEMS * CHUNKS) as usize);
        let read = rows_read(&one).await - before;
        assert!(read <= i64::from(ITEMS * CHUNKS) + pages, "{read} rows were read for {pages} pages");
        one.close();
    });
}
