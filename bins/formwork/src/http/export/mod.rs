//! Exports: long answers as JSON Lines, comma-separated values or a workbook.

mod chunk_writer;
mod workbook;

use actix_web::HttpResponseBuilder;
use actix_web::http::header;
use forms_core::table::{Row, Table};
use futures_util::stream::{BoxStream, StreamExt as _, TryStreamExt as _};
use serde::Serialize;
use serde_json::{Value, json};
use shared_core::DomainError;
use tokio::sync::Semaphore;

pub(in crate::http) use self::chunk_writer::{StreamEnded, WriteResult, Writer, written};
use self::workbook::{WorkbookError, WorkbookWriter};
use super::{ApiError, HandlerResult};
use crate::csv::{self, CsvWriter};

/// Maximum number of workbooks built concurrently, because each is held in memory. Others wait.
static WORKBOOKS: Semaphore = Semaphore::const_new(2);

/// The format of an export.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Format {
    Json,
    Jsonl,
    Csv,
    Xlsx,
}

impl Format {
    const ALL: [Self; 4] = [Self::Json, Self::Jsonl, Self::Csv, Self::Xlsx];

    /// Schema of the `format` parameter.
    pub(super) fn schema() -> Value {
        json!({"type": "string", "enum": Self::ALL.map(Self::name)})
    }

    /// The format of this name; JSON by default.
    pub(super) fn read(name: Option<&str>) -> Result<Self, ApiError> {
        let Some(name) = name else { return Ok(Self::Json) };
        let found = Self::ALL.into_iter().find(|format| format.name() == name);
        found.ok_or_else(|| ApiError::invalid("?format", "'format' must be json, jsonl, csv or xlsx"))
    }

    fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Jsonl => "jsonl",
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
        }
    }

    pub(super) fn media(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Jsonl => "application/jsonl",
            Self::Csv => "text/csv",
            Self::Xlsx => workbook::MEDIA,
        }
    }

    /// Text without a character set is read as Latin-1 by some clients.
    fn content_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv; charset=utf-8",
            other => other.media(),
        }
    }

    /// Writes the headers. Formats other than JSON are downloads under the file name `name`, which must only
    /// have characters that a header allows.
    pub(super) fn head(self, head: &mut HttpResponseBuilder, name: &str) {
        head.content_type(self.content_type());
        if self != Self::Json {
            let name = format!("attachment; filename=\"{name}.{}\"", self.name());
            head.insert_header((header::CONTENT_DISPOSITION, name));
        }
    }
}

/// Rows as read from the store.
pub(super) type RowStream<T, E> = BoxStream<'static, Result<T, E>>;

/// The next item. A failure in the middle aborts the answer.
pub(super) async fn next<T, E: DomainError>(
    to: &mut Writer,
    items: &mut RowStream<T, E>,
) -> Result<Option<T>, StreamEnded> {
    match items.next().await.transpose() {
        Ok(item) => Ok(item),
        Err(error) => to.break_off(error.into()).await.map(|()| None),
    }
}

/// Writes each record as a line of JSON.
pub(super) async fn json_lines<T: Serialize + Sync, E: DomainError>(
    mut to: Writer,
    mut records: RowStream<T, E>,
) -> WriteResult {
    while let Some(record) = next(&mut to, &mut records).await? {
        to.json(&record).await?;
        to.raw("\n").await?;
    }
    to.send().await
}

/// Writes the rows of a single table as comma-separated values.
pub(super) async fn table<E: DomainError>(
    mut to: Writer,
    csv: CsvWriter,
    tables: Vec<Table>,
    mut rows: RowStream<Vec<Row>, E>,
) -> WriteResult {
    to.raw(csv::MARK).await?;
    for table in tables {
        to.raw(&csv.texts(&table.columns)).await?;
    }
    while let Some(rows) = next(&mut to, &mut rows).await? {
        for row in rows {
            to.raw(&csv.row(&row.cells)).await?;
        }
    }
    to.send().await
}

/// Answers with a workbook, which is complete before the answer begins.
pub(super) async fn book<E: DomainError>(
    mut head: HttpResponseBuilder,
    tables: &[Table],
    mut rows: RowStream<Vec<Row>, E>,
) -> HandlerResult {
    // The semaphore is never closed.
    let _place = WORKBOOKS.acquire().await;
    let mut book = WorkbookWriter::new(tables)?;
    while let Some(rows) = rows.try_next().await? {
        book.add(rows)?;
    }
    let saved = tokio::task::spawn_blocking(|| book.save()).await.map_err(WorkbookError::from)?;
    Ok(head.body(saved.map_err(WorkbookError::from)?))
}
