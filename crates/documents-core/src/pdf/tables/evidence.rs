//! Whether aligned lines are a table: prose in columns, lists, forms and addresses are aligned, too.

use super::structure::Structure;

/// Lines with several cells that a table without lines has, at least.
const MIN_ROWS: usize = 3;
/// Letters of the average cell of a table of text, at most.
const MAX_LETTERS: usize = 24;
/// Letters of the average cell of a table that lines frame, at most.
const MAX_FRAMED_LETTERS: usize = 60;

/// Whether a structure is that of a table; `framed` when lines across frame it.
pub(super) fn is_convincing(structure: &Structure, framed: bool) -> bool {
    let cells: Vec<_> = structure.rows.iter().flatten().collect();
    let several = structure.rows.iter().filter(|row| row.len() > 1).count();
    if structure.columns < 2 || cells.is_empty() {
        return false;
    }
    let letters: usize =
        cells.iter().flat_map(|cell| &cell.words).map(|word| word.text.chars().count() + 1).sum();
    let values = cells.iter().filter(|cell| cell.is_value()).count();
    let average = letters / cells.len();
    let leaders =
        cells.iter().filter(|cell| cell.words.iter().any(|word| word.text.contains("...."))).count();
    if leaders * 3 > structure.rows.len() {
        return false;
    }
    if framed {
        return several >= 2 && average <= MAX_FRAMED_LETTERS && several * 2 > structure.rows.len();
    }
    let full = structure.rows.iter().filter(|row| row.len() * 2 > structure.columns).count();
    if several < MIN_ROWS || several * 3 < structure.rows.len() * 2 || full * 2 < structure.rows.len() {
        return false;
    }
    if structure.columns == 2 {
        return is_pairs_of_values(structure);
    }
    average <= MAX_LETTERS && (values * 3 > cells.len() || several > MIN_ROWS + 1 && !has_marks(structure))
}

/// Two columns are a table where the second has values, and the first no marks of a list or labels.
fn is_pairs_of_values(structure: &Structure) -> bool {
    let rows: Vec<_> = structure.rows.iter().filter(|row| row.len() == 2).collect();
    let values = rows.iter().filter(|row| row.last().is_some_and(|cell| cell.is_value())).count();
    rows.len() > MIN_ROWS && values * 10 >= rows.len() * 7 && !has_marks(structure)
}

/// Whether the first column has the marks of a list or labels of a form.
fn has_marks(structure: &Structure) -> bool {
    let first: Vec<String> = structure
        .rows
        .iter()
        .filter_map(|row| row.first().filter(|cell| cell.first == 0))
        .map(|cell| cell.words.iter().map(|word| word.text.as_str()).collect())
        .collect();
    let marks = first.iter().filter(|text| {
        let short = text.chars().count() <= 5;
        let mark = text.ends_with(['.', ')', ':']) || !text.contains(char::is_alphanumeric);
        text.ends_with(':') || (short && mark) || text.chars().count() == 1
    });
    marks.count() * 2 > first.len()
}
