//! The vector index in PostgreSQL, on a server with pgvector.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests assert"
)]

mod common;

use std::pin::Pin;
use std::sync::Arc;

use async_trait::async_trait;
use diesel::sql_types::BigInt;
use diesel::{Connection as _, PgConnection, RunQueryDsl as _, sql_query};
use futures_util::future::try_join;
use kb_core::contract::{IndexedStores, Stores};
use kb_core::{Found, IndexError, VectorIndex, VectorQuery};
use shared_core::Scope;
use store_diesel::{
    Database, DieselFiles, DieselJobs, DieselKnowledge, PgVectorError, PgVectorIndex, PgVectorSettings,
};

use common::{Kind, Throwaway, block_on, fresh, two_workspaces};

type Test = Pin<Box<dyn Future<Output = ()>>>;

fn stores(database: &Database) -> Stores {
    let store = Arc::new(DieselKnowledge::new(database.clone()));
    Stores {
        bases: store.clone(),
        items: store.clone(),
        ingest: store.clone(),
        chunks: store.clone(),
        embeddings: store.clone(),
        feed: store.clone(),
        stock: store,
        jobs: Arc::new(DieselJobs::new(database.clone())),
        files: Arc::new(DieselFiles::new(database.clone())),
    }
}

async fn index(database: &Database, graph_from: u32) -> PgVectorIndex {
    PgVectorIndex::open(database.clone(), PgVectorSettings { graph_from }, true).await.unwrap()
}

/// An index whose graphs are complete before each search.
#[derive(Debug)]
struct MaintainedIndex(PgVectorIndex);

#[async_trait]
impl VectorIndex for MaintainedIndex {
    async fn changed(&self, items: &[(i64, i64)], bases: &[i64]) -> Result<(), IndexError> {
        self.0.changed(items, bases).await
    }
    async fn reset(&self) {
        self.0.reset().await;
    }
    async fn search(&self, query: &VectorQuery) -> Result<Found, IndexError> {
        while self.0.maintain().await.unwrap() {}
        self.0.search(query).await
    }
}

mod exact {
    use super::*;
    fn run(_name: &str, test: impl FnOnce(IndexedStores, Scope, Scope) -> Test) {
        let Some(throwaway) = fresh(Kind::PgVector) else { return };
        block_on(async {
            let (own, other) = two_workspaces(&throwaway.database).await;
            let index = Arc::new(index(&throwaway.database, u32::MAX).await);
            test(IndexedStores { stores: stores(&throwaway.database), index }, own, other).await;
        });
    }
    kb_core::vector_contract!(run);
}

mod by_graph {
    use super::*;
    fn run(_name: &str, test: impl FnOnce(IndexedStores, Scope, Scope) -> Test) {
        let Some(throwaway) = fresh(Kind::PgVector) else { return };
        block_on(async {
            let (own, other) = two_workspaces(&throwaway.database).await;
            let index = Arc::new(MaintainedIndex(index(&throwaway.database, 1).await));
            test(IndexedStores { stores: stores(&throwaway.database), index }, own, other).await;
        });
    }
    kb_core::vector_contract!(run);
}

#[derive(Debug, diesel::QueryableByName)]
struct CountRow {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

fn count(throwaway: &Throwaway, rows: &str) -> i64 {
    let mut connection = PgConnection::establish(&throwaway.url).unwrap();
    let query = format!("SELECT count(*) AS count FROM {rows}");
    sql_query(query).get_result::<CountRow>(&mut connection).unwrap().count
}

fn query(base: i64, vector: &[f32]) -> VectorQuery {
    VectorQuery { base, model: "m@x".into(), vector: vector.into(), items: None, exact: false, limit: 9 }
}

#[test]
fn what_changed_while_nobody_kept_the_index_is_found_after_a_reconciliation() {
    let Some(throwaway) = fresh(Kind::PgVector) else { return };
    block_on(async {
        let (own, _) = two_workspaces(&throwaway.database).await;
        let index = index(&throwaway.database, 1).await;
        let kit = IndexedStores { stores: stores(&throwaway.database), index: Arc::new(index.clone()) };
        let unkept = IndexedStores {
            index: Arc::new(kb_core::MemoryVectorIndex::new(kit.stores.feed.clone())),
            ..kit.clone()
        };
        let base = unkept.base(&own, "a").await;
        let one = unkept.put(&own, &base, "1", &[vec![1.0, 0.0], vec![0.8, 0.2]]).await;
        let two = unkept.put(&own, &base, "2", &[vec![0.0, 1.0]]).await;
        assert_eq!(index.search(&query(base.number, &[1.0, 0.0])).await.unwrap(), Found::default());
        let reconcile = async || {
            let (mut after, mut passes) = (0, 0);
            while let Some(next) = index.reconcile(after).await.unwrap() {
                (after, passes) = (next, passes + 1);
            }
            passes
        };
        assert_eq!(reconcile().await, 1);
        let found = index.search(&query(base.number, &[1.0, 0.0])).await.unwrap();
        assert_eq!(
            found.hits.iter().map(|hit| hit.key.item).collect::<Vec<_>>(),
            [one.number, one.number, two.number]
        );
        assert_eq!(reconcile().await, 0, "nothing is due");
        unkept.delete(&own, &one).await;
        assert_eq!(
            index.search(&query(base.number, &[1.0, 0.0])).await.unwrap().hits.len(),
            1,
            "it is not shown"
        );
        assert_eq!(count(&throwaway, "kb_pgvector_2"), 3);
        reconcile().await;
        assert_eq!(count(&throwaway, "kb_pgvector_2"), 1);
        assert_eq!(count(&throwaway, "kb_pgvector_items"), 1);
    });
}

#[test]
fn servers_that_apply_the_same_changes_at_once_store_them_once() {
    let Some(throwaway) = fresh(Kind::PgVector) else { return };
    block_on(async {
        let (own, _) = two_workspaces(&throwaway.database).await;
        let first = index(&throwaway.database, 1).await;
        let second = index(&throwaway.database, 1).await;
        let kit = IndexedStores { stores: stores(&throwaway.database), index: Arc::new(first.clone()) };
        let unkept = IndexedStores {
            index: Arc::new(kb_core::MemoryVectorIndex::new(kit.stores.feed.clone())),
            ..kit
        };
        let base = unkept.base(&own, "a").await;
        let mut changed = Vec::new();
        for n in 0..40 {
            let item = unkept.put(&own, &base, &format!("{n}"), &[vec![1.0, n as f32], vec![2.0, 1.0]]).await;
            changed.push((item.number, base.number));
        }
        let backwards: Vec<(i64, i64)> = changed.iter().rev().copied().collect();
        try_join(first.changed(&changed, &[]), second.changed(&backwards, &[])).await.unwrap();
        assert_eq!(count(&throwaway, "kb_pgvector_2"), 80);
        let tend = async |index: &PgVectorIndex| while index.maintain().await.unwrap() {};
        futures_util::future::join(tend(&first), tend(&second)).await;
        tend(&first).await;
        assert_eq!(count(&throwaway, "kb_pgvector_2 WHERE graph"), 80);
        try_join(first.changed(&[], &[base.number]), second.changed(&[], &[base.number])).await.unwrap();
        for table in ["kb_pgvector_2", "kb_pgvector_items", "kb_pgvector_graphs"] {
            assert_eq!(count(&throwaway, table), 0, "{table}");
        }
    });
}

#[test]
fn vectors_of_a_model_that_is_no_longer_used_are_removed() {
    let Some(throwaway) = fresh(Kind::PgVector) else { return };
    block_on(async {
        let (own, _) = two_workspaces(&throwaway.database).await;
        let index = index(&throwaway.database, u32::MAX).await;
        let kit = IndexedStores { stores: stores(&throwaway.database), index: Arc::new(index.clone()) };
        let base = kit.base(&own, "a").await;
        kit.put(&own, &base, "1", &[vec![1.0, 0.0]]).await;
        assert!(!index.maintain().await.unwrap());
        kit.without_model(&own, &base).await;
        assert!(index.maintain().await.unwrap());
        assert_eq!(count(&throwaway, "kb_pgvector_2"), 0);
        assert!(!index.maintain().await.unwrap());
    });
}

#[test]
fn a_database_without_the_extension_is_told_apart() {
    let open = |database: &Database, create| {
        let database = database.clone();
        block_on(PgVectorIndex::open(database, PgVectorSettings::default(), create)).unwrap_err()
    };
    let sqlite = fresh(Kind::Sqlite).unwrap();
    assert!(matches!(open(&sqlite.database, true), PgVectorError::NotPostgres));
    if let Some(plain) = fresh(Kind::Postgres) {
        let error = open(&plain.database, false);
        assert!(matches!(error, PgVectorError::NotInstalled | PgVectorError::NotCreated), "{error}");
    }
    if let Some(fitting) = fresh(Kind::PgVector) {
        assert!(matches!(open(&fitting.database, false), PgVectorError::NotCreated));
    }
}
