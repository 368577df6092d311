//! The PostgreSQL database that receives the copy.

use std::collections::BTreeSet;

use diesel::connection::SimpleConnection as _;
use diesel::pg::PgRowByRowLoadingMode;
use diesel::sql_types::{BigInt, Bool, Text};
use diesel::{Connection as _, PgConnection, QueryableByName, RunQueryDsl as _, sql_query};

use super::digest::{Accumulator, TableDigest};
use super::error::CopyError;
use super::source::LastNumber;
use super::table::{Table, quote};
use crate::connection::{Access, AnyConnection, Backend};
use crate::database::OpenError;
use crate::migrations;

/// The only table with a row of the migrations.
const FEED: &str = "kb_feed";

pub(super) struct Target(PgConnection);

impl std::fmt::Debug for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Target")
    }
}

#[derive(QueryableByName)]
struct TextRow {
    #[diesel(sql_type = Text)]
    value: String,
}

#[derive(QueryableByName)]
struct FlagRow {
    #[diesel(sql_type = Bool)]
    value: bool,
}

impl Target {
    /// Connects and applies the migrations.
    pub(super) fn open(url: &str) -> Result<Self, CopyError> {
        let Some(backend @ Backend::Postgres(_)) = Backend::of(url) else { return Err(CopyError::Direction) };
        let unreachable = |error: diesel::ConnectionError| OpenError::Unreachable(error.to_string());
        let mut connection = backend.connect(Access::Write).map_err(unreachable)?;
        migrations::apply(&mut connection)?;
        let AnyConnection::Postgres(mut connection) = connection else { return Err(CopyError::Direction) };
        connection.batch_execute("SET bytea_output = 'hex'; SET synchronous_commit = on")?;
        Ok(Self(connection))
    }

    /// Requires that a table has the columns of the source.
    pub(super) fn require_columns(&mut self, table: &Table) -> Result<(), CopyError> {
        let query = "SELECT column_name::text AS value FROM information_schema.columns \
            WHERE table_schema = current_schema() AND table_name = $1";
        let found: Vec<TextRow> = sql_query(query).bind::<Text, _>(&table.name).load(&mut self.0)?;
        let found: BTreeSet<String> = found.into_iter().map(|row| row.value).collect();
        let wanted: BTreeSet<String> = table.columns.iter().map(|column| column.name.clone()).collect();
        if found == wanted { Ok(()) } else { Err(CopyError::Columns(table.name.clone())) }
    }

    /// Marks the unfinished copy, or goes on with one of the same source.
    pub(super) fn begin(&mut self, source: &str, tables: &[Table]) -> Result<(), CopyError> {
        let marked = format!("SELECT to_regclass('{}') IS NOT NULL AS value", migrations::UNFINISHED_COPY);
        if sql_query(marked).get_result::<FlagRow>(&mut self.0)?.value {
            let query = format!("SELECT source AS value FROM {}", migrations::UNFINISHED_COPY);
            let known: TextRow = sql_query(query).get_result(&mut self.0)?;
            return if known.value == source { Ok(()) } else { Err(CopyError::AnotherSource) };
        }
        for table in tables.iter().filter(|table| table.name != FEED) {
            let query = format!("SELECT EXISTS (SELECT 1 FROM {}) AS value", quote(&table.name));
            if sql_query(query).get_result::<FlagRow>(&mut self.0)?.value {
                return Err(CopyError::NotEmpty(table.name.clone()));
            }
        }
        let mark = migrations::UNFINISHED_COPY;
        self.0.transaction(|connection| {
            connection
                .batch_execute(&format!("CREATE TABLE {mark} (source TEXT NOT NULL); DELETE FROM {FEED}"))?;
            let insert = sql_query(format!("INSERT INTO {mark} VALUES ($1)")).bind::<Text, _>(source);
            insert.execute(connection).map(drop)
        })?;
        Ok(())
    }

    /// Inserts rows, a JSON array of objects, and skips those that are there already.
    pub(super) fn insert(&mut self, table: &Table, rows: &str) -> Result<(), CopyError> {
        let (name, columns) = (quote(&table.name), table.column_list());
        let insert = format!(
            "INSERT INTO {name} ({columns}) SELECT {columns} FROM json_populate_recordset(NULL::{name}, $1::json) \
             ON CONFLICT DO NOTHING"
        );
        sql_query(insert).bind::<Text, _>(rows).execute(&mut self.0)?;
        Ok(())
    }

    /// The content of a table.
    pub(super) fn digest(&mut self, table: &Table) -> Result<TableDigest, CopyError> {
        let (name, columns) = (quote(&table.name), table.column_list());
        let query =
            format!("SELECT row_to_json(copied)::text AS value FROM (SELECT {columns} FROM {name}) copied");
        let mut digest = Accumulator::default();
        for row in sql_query(query).load_iter::<TextRow, PgRowByRowLoadingMode>(&mut self.0)? {
            digest.add(&row?.value)?;
        }
        Ok(digest.into_digest(&table.name))
    }

    /// Continues the numbers of rows after those of the source, and removes the mark.
    pub(super) fn finish(&mut self, last: &[LastNumber]) -> Result<(), CopyError> {
        self.0.transaction(|connection| {
            for LastNumber { table, number } in last {
                let identity = "SELECT column_name::text AS value FROM information_schema.columns \
                    WHERE table_schema = current_schema() AND table_name = $1 AND is_identity = 'YES'";
                let column: TextRow = sql_query(identity).bind::<Text, _>(table).get_result(connection)?;
                let set = sql_query("SELECT setval(pg_get_serial_sequence($1, $2), $3) > 0 AS value");
                let set = set.bind::<Text, _>(table).bind::<Text, _>(column.value).bind::<BigInt, _>(number);
                set.get_result::<FlagRow>(connection)?;
            }
            connection.batch_execute(&format!("DROP TABLE {}", migrations::UNFINISHED_COPY))
        })?;
        Ok(())
    }
}
