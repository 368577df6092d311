//! The SQLite database that is copied.

use std::path::Path;

use diesel::connection::{DefaultLoadingMode, SimpleConnection as _};
use diesel::sql_types::{BigInt, Integer, Text};
use diesel::{QueryableByName, RunQueryDsl as _, SqliteConnection, sql_query};

use super::error::CopyError;
use super::table::{Column, Table, quote, sort_by_references};
use crate::connection::{Access, AnyConnection, Backend};
use crate::database::OpenError;
use crate::migrations;

pub(super) struct Source(SqliteConnection);

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Source")
    }
}

#[derive(QueryableByName)]
struct NameRow {
    #[diesel(sql_type = Text)]
    name: String,
}

#[derive(QueryableByName)]
struct ColumnRow {
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Integer)]
    is_binary: i32,
}

#[derive(QueryableByName)]
struct JsonRow {
    #[diesel(sql_type = Text)]
    row: String,
}

/// The last number that a table gave to a row.
#[derive(Debug, QueryableByName)]
pub(super) struct LastNumber {
    #[diesel(sql_type = Text)]
    pub(super) table: String,
    #[diesel(sql_type = BigInt)]
    pub(super) number: i64,
}

impl Source {
    /// Opens an existing database. All reads see it as it is now.
    pub(super) fn open(url: &str) -> Result<Self, CopyError> {
        let Some(Backend::Sqlite(path)) = Backend::of(url) else { return Err(CopyError::Direction) };
        if !Path::new(&path).is_file() {
            return Err(OpenError::File { path, reason: "there is no such file".into() }.into());
        }
        let cannot_open = |reason: String| OpenError::File { path: path.clone(), reason };
        let mut connection = Backend::Sqlite(path.clone())
            .connect(Access::Read)
            .map_err(|error| cannot_open(error.to_string()))?;
        if !migrations::missing(&mut connection)?.is_empty() {
            return Err(CopyError::Older);
        }
        let AnyConnection::Sqlite(mut connection) = connection else { return Err(CopyError::Direction) };
        connection.batch_execute("BEGIN")?;
        Ok(Self(connection))
    }

    /// What the database is known by: its first workspace.
    pub(super) fn identity(&mut self) -> Result<String, CopyError> {
        let first = sql_query("SELECT id AS name FROM workspaces ORDER BY created, id LIMIT 1");
        let first: Vec<NameRow> = first.load(&mut self.0)?;
        Ok(first.into_iter().next().map(|row| row.name).unwrap_or_default())
    }

    /// All tables of the program, parents first.
    pub(super) fn tables(&mut self) -> Result<Vec<Table>, CopyError> {
        let names = sql_query(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
             AND name <> '__diesel_schema_migrations' ORDER BY name",
        );
        let names: Vec<NameRow> = names.load(&mut self.0)?;
        let tables: Result<Vec<Table>, CopyError> =
            names.into_iter().map(|row| self.table(row.name)).collect();
        Ok(sort_by_references(tables?))
    }

    fn table(&mut self, name: String) -> Result<Table, CopyError> {
        let columns =
            sql_query("SELECT name, type = 'BLOB' AS is_binary FROM pragma_table_info(?) ORDER BY cid")
                .bind::<Text, _>(&name);
        let columns: Vec<ColumnRow> = columns.load(&mut self.0)?;
        let parents = sql_query("SELECT DISTINCT \"table\" AS name FROM pragma_foreign_key_list(?)")
            .bind::<Text, _>(&name);
        let parents: Vec<NameRow> = parents.load(&mut self.0)?;
        let column = |row: ColumnRow| Column { name: row.name, is_binary: row.is_binary != 0 };
        Ok(Table {
            name,
            columns: columns.into_iter().map(column).collect(),
            parents: parents.into_iter().map(|row| row.name).collect(),
        })
    }

    /// The rows of a table, each a JSON object, read one after the other.
    pub(super) fn rows(
        &mut self,
        table: &Table,
    ) -> Result<impl Iterator<Item = Result<String, CopyError>>, CopyError> {
        let pairs: Vec<String> = table.columns.iter().map(json_pair).collect();
        let query = format!("SELECT json_object({}) AS row FROM {}", pairs.join(", "), quote(&table.name));
        let rows = sql_query(query).load_iter::<JsonRow, DefaultLoadingMode>(&mut self.0)?;
        Ok(rows.map(|row| row.map(|row| row.row).map_err(CopyError::from)))
    }

    /// The last numbers of the tables that number their rows. They are above those of all rows, also deleted ones.
    pub(super) fn last_numbers(&mut self) -> Result<Vec<LastNumber>, CopyError> {
        let query = sql_query("SELECT name AS \"table\", CAST(seq AS BIGINT) AS number FROM sqlite_sequence");
        Ok(query.load(&mut self.0)?)
    }
}

/// The name and the value of a column in `json_object`. JSON has no bytes; PostgreSQL reads them in this form.
fn json_pair(column: &Column) -> String {
    let (name, text) = (quote(&column.name), column.name.replace('\'', "''"));
    match column.is_binary {
        true => format!("'{text}', '\\x' || lower(hex({name}))"),
        false => format!("'{text}', {name}"),
    }
}
