//! Tables of RTF: a sequence of rows, each with its own cell edges.

use super::super::flow::{FlowBlock, FlowCell};

/// Maximum columns of a table. Protects memory.
const COLUMNS: usize = 64;
/// Tolerance of equal edges, in twentieths of a point. Chosen by hand; no measurement recorded.
const NEAR: i32 = 40;

/// Definition of a cell in its row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CellDefinition {
    /// The right edge, in twentieths of a point.
    pub(super) edge: i32,
    /// Whether it continues the cell on its left, or the one above.
    pub(super) goes_on: bool,
    pub(super) goes_down: bool,
}

#[derive(Clone, Debug, Default)]
struct Row {
    cells: Vec<(Vec<FlowBlock>, CellDefinition)>,
    header: bool,
}

/// A table that is being parsed.
#[derive(Debug, Default)]
pub(super) struct Table {
    rows: Vec<Row>,
    shapes: Vec<CellDefinition>,
    next: CellDefinition,
    header: bool,
    cells: Vec<Vec<FlowBlock>>,
    cell: Vec<FlowBlock>,
    count: usize,
}

impl Table {
    /// Begins a row definition.
    pub(super) fn define(&mut self) {
        self.shapes.clear();
        self.next = CellDefinition::default();
        self.header = false;
    }

    pub(super) fn header(&mut self) {
        self.header = true;
    }

    pub(super) fn next_shape(&mut self) -> &mut CellDefinition {
        &mut self.next
    }

    /// Ends a cell definition.
    pub(super) fn end_definition(&mut self, edge: i32) {
        if self.shapes.len() < COLUMNS {
            self.shapes.push(CellDefinition { edge, ..self.next });
        }
        self.next = CellDefinition::default();
    }

    pub(super) fn content(&mut self) -> &mut Vec<FlowBlock> {
        &mut self.cell
    }

    /// Ends a cell. Beyond `most` cells in total, they are left out; returns whether this one was kept.
    pub(super) fn end_cell(&mut self, most: usize) -> bool {
        let cell = std::mem::take(&mut self.cell);
        self.count += 1;
        let kept = self.count <= most && self.cells.len() < COLUMNS;
        if kept {
            self.cells.push(cell);
        }
        kept
    }

    pub(super) fn end_row(&mut self) {
        if !self.cell.is_empty() {
            self.cells.push(std::mem::take(&mut self.cell));
        }
        let cells = std::mem::take(&mut self.cells);
        if cells.is_empty() {
            return;
        }
        let shapes = self.shapes.iter().copied().chain(std::iter::repeat(CellDefinition::default()));
        self.rows.push(Row { cells: cells.into_iter().zip(shapes).collect(), header: self.header });
    }

    /// The finished table, if there is one.
    pub(super) fn take(&mut self) -> Option<FlowBlock> {
        if !self.cell.is_empty() || !self.cells.is_empty() {
            self.end_row();
        }
        let rows = std::mem::take(&mut self.rows);
        (!rows.is_empty()).then(|| FlowBlock::Table(place_cells(rows)))
    }
}

/// Puts cells into columns, which are the intervals between the edges of all rows, if every row has its edges
/// in order.
fn place_cells(rows: Vec<Row>) -> Vec<Vec<FlowCell>> {
    let rising = |row: &Row| {
        let first = row.cells.first().is_some_and(|(_, shape)| shape.edge > 0);
        first && row.cells.windows(2).all(|pair| pair[0].1.edge < pair[1].1.edge)
    };
    let mut edges: Vec<i32> = Vec::new();
    if rows.iter().all(rising) {
        edges.extend(rows.iter().flat_map(|row| row.cells.iter().map(|(_, shape)| shape.edge)));
        edges.sort_unstable();
        edges.dedup_by(|next, known| next.saturating_sub(*known) <= NEAR);
        edges.truncate(COLUMNS * 2);
    }
    let mut grid: Vec<Vec<FlowCell>> = Vec::with_capacity(rows.len());
    // For each column, the row in which the cell that may continue below began.
    let mut began: Vec<usize> = Vec::new();
    for row in rows {
        let mut line: Vec<FlowCell> = Vec::new();
        for (content, shape) in row.cells {
            let column = line.len();
            let end =
                edges.iter().position(|edge| shape.edge.saturating_sub(*edge) <= NEAR).unwrap_or(column);
            let width = (end + 1).saturating_sub(column).max(1);
            began.resize(began.len().max(column + width), grid.len());
            if content.is_empty() && shape.goes_on {
                if let Some(cell) = line.iter_mut().rev().find(|cell| !cell.content.is_empty()) {
                    cell.column_span += u32::try_from(width).unwrap_or(1);
                }
            } else if content.is_empty() && shape.goes_down {
                let first = began.get(column).and_then(|row| grid.get_mut(*row)?.get_mut(column));
                if let Some(cell) = first {
                    cell.row_span += 1;
                }
            } else {
                if let Some(began) = began.get_mut(column) {
                    *began = grid.len();
                }
                let column_span = u32::try_from(width).unwrap_or(1);
                line.push(FlowCell { content, row_span: 1, column_span, header: row.header });
            }
            line.resize_with(column + width, FlowCell::covered);
        }
        grid.push(line);
    }
    grid
}
