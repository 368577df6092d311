//! Renders the first rows and columns of a table.

use document::{Cell, TextSlices};

use super::canvas::{Canvas, Style};
use super::inline_markdown::plain;

const ROWS: u32 = 40;
const COLUMNS: u32 = 8;
const SIZE: f32 = 9.0;
const ROW: f32 = 15.0;
const LINE: &str = "#d0d7de";
/// Maximum characters of a cell.
const LONGEST: usize = 60;
/// Minimum width of a column.
const NARROWEST: f32 = 24.0;

/// Draws a table across the sheet.
pub(super) fn write(canvas: &mut Canvas, cells: &[Cell], slices: &TextSlices<'_>) {
    let shown: Vec<(&Cell, String)> = cells
        .iter()
        .take_while(|cell| cell.row < ROWS)
        .filter(|cell| cell.column < COLUMNS)
        .map(|cell| (cell, plain(slices.get(cell.start, cell.end.min(cell.start + LONGEST)))))
        .collect();
    let edges = edges(canvas, &shown);
    let rows = shown.iter().map(|(cell, _)| cell.row + 1).max().unwrap_or_default();
    let room = (canvas.height - canvas.margin / 2.0 - canvas.y) / ROW;
    let rows = rows.min(room.max(0.0) as u32);
    let top = canvas.y;
    let (left, right) = (canvas.margin, edges.last().copied().unwrap_or(canvas.margin));
    let edge = |column: u32| edges.get(column as usize).copied().unwrap_or(right);
    for (cell, text) in shown.iter().filter(|(cell, _)| cell.row < rows) {
        let y = top + ROW * cell.row as f32;
        let (from, to) = (edge(cell.column), edge(cell.column.saturating_add(cell.column_span.max(1))));
        if cell.header {
            canvas.rect(from, y, to - from, ROW, "#eef1f4");
        }
        let style = Style { size: SIZE, bold: cell.header, color: "#24292f" };
        let text = fitting(canvas, text, to - from - 8.0, style);
        canvas.line(&text, from + 4.0, to - 4.0, y + 2.5, style);
    }
    let bottom = top + ROW * rows as f32;
    for row in 0..=rows {
        canvas.rect(left, top + ROW * row as f32, right - left, 0.7, LINE);
    }
    for x in edges {
        canvas.rect(x, top, 0.7, bottom - top, LINE);
    }
    canvas.y = bottom;
}

/// Left edges of the columns, and the right edge of the last; widths follow the texts, within the sheet.
fn edges(canvas: &Canvas, shown: &[(&Cell, String)]) -> Vec<f32> {
    let columns = shown.iter().map(|(cell, _)| cell.column + 1).max().unwrap_or(1) as usize;
    let mut widths = vec![NARROWEST; columns];
    for (cell, text) in shown.iter().filter(|(cell, _)| cell.column_span <= 1) {
        let wide = canvas.measure(text, Style { size: SIZE, bold: cell.header, color: "" }) + 9.0;
        if let Some(width) = widths.get_mut(cell.column as usize) {
            *width = width.max(wide.min(180.0));
        }
    }
    let room = canvas.width - 2.0 * canvas.margin;
    let total: f32 = widths.iter().sum();
    let scale = (room / total).min(1.3);
    let mut at = canvas.margin;
    let mut edges = vec![at];
    for width in widths {
        at += width * scale;
        edges.push(at);
    }
    edges
}

/// The beginning of a text that fits into its cell.
fn fitting(canvas: &Canvas, text: &str, width: f32, style: Style) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if canvas.measure(&text, style) <= width {
        return text;
    }
    let mut kept = String::new();
    for character in text.chars() {
        kept.push(character);
        if canvas.measure(&kept, style) + style.size > width {
            kept.pop();
            kept.push('\u{2026}');
            break;
        }
    }
    kept
}
