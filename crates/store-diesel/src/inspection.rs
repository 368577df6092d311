//! Reads a whole database beside the servers that use it: for backups and checks.

use std::path::Path;

use diesel::sql_types::Text;
use diesel::{
    BoolExpressionMethods as _, ExpressionMethods as _, QueryDsl as _, QueryableByName, RunQueryDsl as _,
};
use files_core::BlobKey;
use shared_core::StoreError;

use crate::connection::{Access, AnyConnection, Backend};
use crate::database::OpenError;
use crate::failure::Failure;
use crate::rows::count;
use crate::schema::{blobs, kb_feed, kb_items};

/// Maximum number of reported references to missing rows; as many as SQLite reports of the structure.
const MAX_PROBLEMS: u32 = 100;

/// A blob that records refer to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredBlob {
    /// Key in the blob store.
    pub key: BlobKey,
    /// SHA-256 of the content, lower-case hex.
    pub sha256: String,
    /// Size in bytes.
    pub bytes: u64,
}

/// A connection that changes nothing and starts no thread. Its calls block.
#[derive(Debug)]
pub struct DatabaseInspection(AnyConnection);

#[derive(QueryableByName)]
struct Problem {
    #[diesel(sql_type = Text)]
    problem: String,
}

impl DatabaseInspection {
    /// Connects to an existing database.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn open(url: &str) -> Result<Self, OpenError> {
        let backend = Backend::of(url).ok_or(OpenError::Scheme)?;
        if let Backend::Sqlite(path) = &backend
            && !Path::new(path).is_file()
        {
            return Err(OpenError::File { path: path.clone(), reason: "there is no such file".into() });
        }
        let unreachable = |_| OpenError::Unreachable("the database cannot be opened".into());
        backend.connect(Access::Read).map(Self).map_err(unreachable)
    }

    /// Writes a consistent copy of an SQLite database to `file`, which must not exist, while others use the database.
    ///
    /// # Errors
    /// [`StoreError::Full`], or when the database cannot be read, or is not SQLite.
    pub fn copy_to(&mut self, file: &Path) -> Result<(), StoreError> {
        let AnyConnection::Sqlite(connection) = &mut self.0 else {
            return Err(StoreError::Failed("only SQLite databases can be copied to a file".into()));
        };
        let path = file.to_str().ok_or_else(|| StoreError::Failed("the path must be UTF-8".into()))?;
        diesel::sql_query("PRAGMA query_only = OFF").execute(connection).map_err(store_error)?;
        diesel::sql_query("VACUUM INTO ?").bind::<Text, _>(path).execute(connection).map_err(store_error)?;
        Ok(())
    }

    /// Checks the structure of an SQLite database and its references, and returns one sentence for each of at most a
    /// hundred problems. `is_quick` leaves out the comparison of tables with their indexes. PostgreSQL checks itself
    /// with `pg_amcheck`; here it has no problems if it answers.
    ///
    /// # Errors
    /// When the database is too damaged to be checked.
    pub fn problems(&mut self, is_quick: bool) -> Result<Vec<String>, StoreError> {
        let AnyConnection::Sqlite(connection) = &mut self.0 else {
            let one: Result<i64, _> = blobs::table.count().get_result(&mut self.0);
            return one.map(|_| Vec::new()).map_err(store_error);
        };
        let check = if is_quick { "quick_check" } else { "integrity_check" };
        let structure = format!("SELECT {check} AS problem FROM pragma_{check} WHERE {check} <> 'ok'");
        let references = format!(
            "SELECT 'a row of ' || \"table\" || ' refers to a missing row of ' || parent AS problem \
             FROM pragma_foreign_key_check LIMIT {MAX_PROBLEMS}"
        );
        let mut found = Vec::new();
        for query in [structure, references] {
            let problems: Vec<Problem> = diesel::sql_query(query).load(connection).map_err(store_error)?;
            found.extend(problems.into_iter().map(|found| found.problem));
        }
        Ok(found)
    }

    /// The blobs that records refer to, by key, after `after`; at most `limit`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn blobs(&mut self, after: &str, limit: u32) -> Result<Vec<StoredBlob>, StoreError> {
        let rows: Vec<(String, String, i64)> = blobs::table
            .filter(blobs::refs.gt(0))
            .filter(blobs::key.gt(after))
            .order(blobs::key)
            .limit(i64::from(limit))
            .select((blobs::key, blobs::sha256, blobs::bytes))
            .load(&mut self.0)
            .map_err(store_error)?;
        let read = |(key, sha256, bytes)| Ok(StoredBlob { key: BlobKey(key), sha256, bytes: count(bytes)? });
        rows.into_iter().map(read).collect()
    }

    /// Number, sequence number and number of chunks of the items of knowledge bases that can be found, by number, after
    /// `after`; at most `limit`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn findable_items(&mut self, after: i64, limit: u32) -> Result<Vec<(i64, i64, u64)>, StoreError> {
        let rows: Vec<(i64, i64, i64)> = kb_items::table
            .filter(kb_items::number.gt(after).and(kb_items::sequence.gt(0)))
            .order(kb_items::number)
            .limit(i64::from(limit))
            .select((kb_items::number, kb_items::sequence, kb_items::stored))
            .load(&mut self.0)
            .map_err(store_error)?;
        rows.into_iter().map(|(number, sequence, chunks)| Ok((number, sequence, count(chunks)?))).collect()
    }

    /// The number of the last change of knowledge bases, and the generation of their indexes.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn feed(&mut self) -> Result<(i64, i64), StoreError> {
        kb_feed::table.select((kb_feed::latest, kb_feed::generation)).first(&mut self.0).map_err(store_error)
    }

    /// Whether records refer to the blob.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn refers_to(&mut self, key: &BlobKey) -> Result<bool, StoreError> {
        let named = blobs::table.filter(blobs::key.eq(&key.0)).filter(blobs::refs.gt(0));
        let found: i64 = named.count().get_result(&mut self.0).map_err(store_error)?;
        Ok(found > 0)
    }
}

fn store_error(error: diesel::result::Error) -> StoreError {
    Failure::from(error).into_store()
}
