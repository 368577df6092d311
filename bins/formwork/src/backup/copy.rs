//! Copies the embedded database to PostgreSQL.

use std::path::Path;

use anyhow::Context as _;
use store_diesel::{CopyError, DatabaseCopy};

use crate::database_lock::lock;
use crate::settings::Settings;

/// Copies every record. Without `from`, the source is the database of the data folder; without `to`, the target is the
/// database of the settings. A copy that was ended can be repeated. Returns what was done.
///
/// # Errors
/// One sentence for the operator.
pub(crate) async fn copy(
    settings: &Settings,
    from: Option<String>,
    to: Option<String>,
) -> anyhow::Result<String> {
    let from = from.unwrap_or_else(|| settings.embedded_database_url());
    let to = to.unwrap_or_else(|| settings.database_url());
    let Some(path) = from.strip_prefix("sqlite://") else { return Err(CopyError::Direction.into()) };
    anyhow::ensure!(Path::new(path).is_file(), "there is no database {path}");
    // What a server wrote from now on would be missing in the copy.
    let _lock = lock(&from).await.context("stop the server before its database is copied")?;
    let tables = DatabaseCopy::open(&from, &to)?.run(|table| {
        tracing::info!(table = table.table, rows = table.rows, "copied");
        Ok(())
    })?;
    let rows: u64 = tables.iter().map(|table| table.rows).sum();
    let mut text = String::new();
    for table in tables.iter().filter(|table| table.rows > 0) {
        text.push_str(&format!("{}: {}\n", table.table, table.rows));
    }
    Ok(format!(
        "{text}Copied and compared: {rows} rows of {} tables. File contents are not part of the database: keep the \
         data folder for the server, and set its `database_url` to the copy. It builds the search index again.\n",
        tables.len()
    ))
}
