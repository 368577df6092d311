//! Decides whether aligned lines are a table: columns of prose, lists, forms and addresses are aligned too.

use super::columns::CellPiece;
use super::structure::Structure;

/// Minimum lines with several cells of a table without rules. Chosen by hand.
const MIN_ROWS: usize = 3;
/// Maximum mean letters of a cell in a table of text. Chosen by hand.
const MAX_LETTERS: usize = 24;
/// Maximum mean letters of a cell in a table framed by rules. Chosen by hand.
const MAX_FRAMED_LETTERS: usize = 60;

/// Whether a structure is that of a table; `framed` when horizontal rules frame it.
pub(super) fn is_convincing(structure: &Structure, framed: bool) -> bool {
    let cells: Vec<_> = structure.rows.iter().flatten().collect();
    let several = structure.rows.iter().filter(|row| row.len() > 1).count();
    if structure.columns < 2 || cells.is_empty() {
        return false;
    }
    let letters: usize =
        cells.iter().flat_map(|cell| &cell.words).map(|word| word.text.chars().count() + 1).sum();
    // Numbers in the first column may be line numbers.
    let values = cells.iter().filter(|cell| cell.first > 0 && cell.is_value()).count();
    let average = letters / cells.len();
    let leaders = cells.iter().filter(|cell| has_leader(cell)).count();
    // Chosen by hand, here and below: leaders in a third of the rows; two thirds of the rows with several
    // cells, half of them full; seven of ten whole; a third of the cells values.
    if structure.columns == 2 && leaders * 3 > structure.rows.len() {
        return false;
    }
    let full = structure.rows.iter().filter(|row| row.len() * 2 > structure.columns).count();
    if structure.columns == 2 && has_marks(structure) {
        return false;
    }
    if framed {
        return several >= 2
            && full >= 2
            && average <= MAX_FRAMED_LETTERS
            && several * 2 > structure.rows.len();
    }
    if several < MIN_ROWS
        || several * 3 < structure.rows.len() * 2
        || full < MIN_ROWS
        || full * 2 < structure.rows.len()
    {
        return false;
    }
    if structure.columns == 2 {
        return is_pairs_of_values(structure);
    }
    let whole = structure.rows.iter().filter(|row| row.len() == structure.columns).count();
    let regular = several > MIN_ROWS && whole * 10 >= structure.rows.len() * 7;
    average <= MAX_LETTERS && (values * 3 > cells.len() || (regular && !has_labels(structure)))
}

/// Whether a dot leader connects a cell with the next, as in a table of contents.
fn has_leader(cell: &CellPiece) -> bool {
    let dots = cell.words.iter().filter(|word| word.text.chars().all(|c| c == '.')).count();
    // Three dots are an ellipsis.
    dots > 3 || cell.words.iter().any(|word| word.text.contains("...."))
}

/// Whether many cells are labels of the cells beside them.
fn has_labels(structure: &Structure) -> bool {
    let last = |cell: &CellPiece| cell.words.last().is_some_and(|word| word.text.ends_with(':'));
    structure.rows.iter().flatten().filter(|cell| last(cell)).count() * 2 > structure.rows.len()
}

/// Whether two columns are a table: the second has numbers, and the first has neither list marks nor labels.
/// The values of a form are of several kinds.
fn is_pairs_of_values(structure: &Structure) -> bool {
    let body = structure.rows.get(1..).unwrap_or_default().iter().filter(|row| row.len() == 2);
    let (rows, numbers) = body.fold((0, 0), |(rows, numbers), row| {
        (rows + 1, numbers + usize::from(row.last().is_some_and(is_number)))
    });
    // Four of five second cells are numbers. Chosen by hand.
    rows >= MIN_ROWS && numbers * 5 >= rows * 4 && !has_marks(structure)
}

/// Whether a cell is a number, an amount or a percentage, or a mark for an empty value.
fn is_number(cell: &CellPiece) -> bool {
    cell.is_value()
        && cell
            .words
            .iter()
            .flat_map(|word| word.text.chars())
            .all(|c| !c.is_alphabetic() && c != '/' && c != ':')
}

/// Whether the first column has list marks or form labels.
fn has_marks(structure: &Structure) -> bool {
    let first: Vec<String> = structure
        .rows
        .iter()
        .filter_map(|row| row.first().filter(|cell| cell.first == 0))
        .map(|cell| cell.words.iter().map(|word| word.text.as_str()).collect())
        .collect();
    let marks = first.iter().filter(|text| {
        // As long as `(iii)`. Chosen by hand.
        let short = text.chars().count() <= 5;
        let mark = text.ends_with(['.', ')', ':']) || !text.contains(char::is_alphanumeric);
        text.ends_with(':') || (short && mark) || text.chars().count() == 1
    });
    marks.count() * 2 > first.len()
}
