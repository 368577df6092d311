//! JSON shapes shared by several operations.

use document::{Rect, TableCell, TableContent};
use schemars::JsonSchema;
use serde::Serialize;
use utilities_core::ItemError;

/// Why a document could not be processed. Other documents of the call are not affected.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "DocumentError")]
pub(super) struct ErrorRecord {
    /// Stable, in snake case.
    code: &'static str,
    /// One sentence.
    message: String,
}

impl From<ItemError> for ErrorRecord {
    fn from(error: ItemError) -> Self {
        Self { code: error.code, message: error.message }
    }
}

/// A rectangle on the page in points (1/72 inch); the origin is at the top left of the upright page.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "PageBox")]
pub(super) struct BoxRecord {
    x0: f64,
    y0: f64,
    x1: f64,
    y1: f64,
}

impl From<Rect> for BoxRecord {
    fn from(Rect { x0, y0, x1, y1 }: Rect) -> Self {
        Self { x0, y0, x1, y1 }
    }
}

/// A table.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "DocumentTable")]
pub(super) struct TableRecord {
    /// Page on which it begins, from 1; null where the format has no pages.
    page: Option<u32>,
    /// Its caption, else the heading above it; null when there is neither.
    title: Option<String>,
    /// Its rows, all of the same length. A spanning cell has its text at its first position; the covered
    /// positions are empty.
    rows: Vec<Vec<String>>,
    /// Its non-empty cells by row, then column.
    cells: Vec<CellRecord>,
    /// Its rectangle, if known.
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    rect: Option<BoxRecord>,
}

impl From<TableContent> for TableRecord {
    fn from(table: TableContent) -> Self {
        Self {
            page: table.page,
            title: table.title,
            rows: table.rows,
            cells: table.cells.into_iter().map(CellRecord::from).collect(),
            rect: table.rect.map(BoxRecord::from),
        }
    }
}

/// A cell of a table.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "TableCell")]
struct CellRecord {
    /// From 0.
    row: u32,
    /// From 0.
    column: u32,
    /// Number of rows that it spans.
    row_span: u32,
    /// Number of columns that it spans.
    column_span: u32,
    text: String,
    /// Whether it is a header cell.
    header: bool,
}

impl From<TableCell> for CellRecord {
    fn from(cell: TableCell) -> Self {
        let TableCell { row, column, row_span, column_span, text, header } = cell;
        Self { row, column, row_span, column_span, text, header }
    }
}
