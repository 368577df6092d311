//! What the answers of several operations share.

use documents_core::{Rect, TableCell, TableContent};
use schemars::JsonSchema;
use serde::Serialize;
use utilities_core::ItemError;

/// Why a document gave nothing; the others of the call are answered all the same.
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
    /// Page that it begins on, from 1; null where the format has no pages.
    page: Option<u32>,
    /// Its caption, else the heading that it stands under; null where there is neither.
    title: Option<String>,
    /// Its rows, all of the same length. What covers several places is at the first of them, and the others are empty.
    rows: Vec<Vec<String>>,
    /// Its cells that are not empty, by row and then column.
    cells: Vec<CellRecord>,
    /// Where it is printed, where that is known.
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
    /// Rows that it covers.
    row_span: u32,
    /// Columns that it covers.
    column_span: u32,
    text: String,
    /// Whether it is a header.
    header: bool,
}

impl From<TableCell> for CellRecord {
    fn from(cell: TableCell) -> Self {
        let TableCell { row, column, row_span, column_span, text, header } = cell;
        Self { row, column, row_span, column_span, text, header }
    }
}
