//! Tables on a page: ruled ones by their rules, others by the alignment of words.
//!
//! A table is removed from the words of its page and replaced by a [placeholder](placeholder), so that the
//! reading order treats it like any other line.
//!
//! `cargo xtask bench documents tables` measures all thresholds of this folder together, on the PDFs of ICDAR
//! 2013 and on drawn tables (`examples/pdf_tables/drawn.rs`). No measurement of a single one is recorded: all
//! that are said to be chosen by hand.

mod aligned_tables;
mod columns;
mod disjoint_sets;
mod evidence;
mod frames;
mod headers;
mod join;
mod page_lines;
mod refinement;
mod ruled_tables;
mod rules;
mod structure;
mod table;
mod tagged_tables;
mod write;

pub(super) use join::join;
pub(super) use rules::{RuleCollector, Rules};
pub(super) use table::Table;
pub(super) use write::write;

use super::lines::rows;
use super::tags::{Role, Tag};
use super::word::{ASCENT, Word};
use page_lines::TextLine;
use table::{Area, CellDraft, assemble};

/// Maximum words of a page that is searched for tables. Protects time.
const MAX_WORDS: usize = 20_000;
/// Maximum seed lines that are tried in a section. Protects time.
const MAX_EFFORT: usize = 20_000;
/// A cell with more lines than this may be a table itself. Chosen by hand.
const MIN_COARSE: usize = 3;
/// Maximum runs of a seed line. Protects time: `a_page_of_thousands_of_columns_or_lines_is_read_in_time`.
const MAX_RUNS: usize = 100;
/// Letters of a placeholder: as many as a line of prose has, so that columns of prose are still detected.
/// Chosen by hand.
const PLACEHOLDER_LETTERS: usize = 60;
/// Range below a grid in which the values of a bare header begin, in font sizes: from above its lower edge to
/// below it. Chosen by hand.
const OVERLAP: f64 = 0.2;
const NEAR: f64 = 1.5;
/// A grid in which more than one of this many words is a number has values of its own. Chosen by hand.
const WORDS_PER_NUMBER: usize = 4;

/// Removes the tables from the words of a page and leaves a placeholder for each.
pub(super) fn extract_tables(mut words: Vec<Word>, rules: &Rules) -> (Vec<Word>, Vec<Table>) {
    if words.len() > MAX_WORDS {
        return (words, Vec::new());
    }
    let declared = tagged_tables::declared_tables(&words);
    let mut tables = Vec::new();
    let grids = ruled_tables::grids(rules);
    let loose = loose_words(&words, &grids);
    for mut grid in grids {
        let area = grid.area();
        let (inside, outside): (Vec<Word>, Vec<Word>) =
            words.into_iter().partition(|word| area.contains(word));
        words = outside;
        match ruled_table(&mut grid, &inside, rules) {
            Some(table) if !is_bare_header(&area, &inside, &loose) => tables.push((table, inside)),
            _ => words.extend(inside),
        }
    }
    words.sort_by_key(|word| word.index);
    for section in page_lines::sections(&words) {
        find_aligned_tables(&section, rules, &mut tables);
    }
    let tables = tagged_tables::prefer_tables(declared, tables);
    let mut found = Vec::new();
    for (mut table, inside) in tables {
        if !table.is_tagged && runs_left(&inside) {
            table.mirror();
        }
        let mut taken: Vec<&Word> = inside.iter().collect();
        taken.sort_by(|a, b| a.x0.total_cmp(&b.x0));
        words.retain(|word| word.table.is_some() || !is_within(word, &taken, table.area));
        words.extend(placeholder(&table, &inside, found.len()));
        found.push(table);
    }
    words.sort_by_key(|word| word.index);
    (words, found)
}

/// The tables of a section by the alignment of words; the best seed lines are tried first.
fn find_aligned_tables(lines: &[TextLine], rules: &Rules, tables: &mut Vec<(Table, Vec<Word>)>) {
    let frames = frames::tabular_parts(&frames::frames(rules), lines);
    let mut seeds: Vec<usize> = (0..lines.len()).collect();
    let runs = |index: &usize| lines.get(*index).map_or(0, |line| line.runs.len());
    seeds.retain(|index| (2..=MAX_RUNS).contains(&runs(index)));
    seeds.sort_by_key(|index| std::cmp::Reverse(runs(index)));
    let mut taken = vec![false; lines.len()];
    let mut effort = MAX_EFFORT;
    for seed in seeds {
        if effort == 0 || taken.get(seed).copied().unwrap_or(true) {
            continue;
        }
        let frame = lines.get(seed).and_then(|line| frames::enclosing_frame(&frames, line));
        let Some((mut first, mut after)) = aligned_tables::extent(lines, seed, frame) else { continue };
        effort = effort.saturating_sub(after - first);
        let is_free = |index: &usize| taken.get(*index) == Some(&false);
        first = (first..=seed).rev().take_while(is_free).last().unwrap_or(seed);
        after = (seed..after).take_while(is_free).last().unwrap_or(seed) + 1;
        let own = lines.get(first..after).unwrap_or_default();
        let Some(structure) = structure::structure(own, rules) else { continue };
        if !evidence::is_convincing(&structure, frame.is_some()) {
            continue;
        }
        taken.get_mut(first..after).unwrap_or_default().fill(true);
        let header_rows = structure.header_rows;
        let words = own.iter().flat_map(|line| line.words.iter().cloned()).collect();
        tables.extend(assemble(structure.drafts(), header_rows).map(|table| (table, words)));
    }
}

/// Whether a word is one of `taken`, sorted from left to right, or a part that was joined to one.
fn is_within(word: &Word, taken: &[&Word], area: Area) -> bool {
    if !area.contains(word) {
        return false;
    }
    let near = taken.partition_point(|other| other.x0 <= word.middle());
    let middle = f64::midpoint(word.top(), word.bottom());
    taken
        .get(..near)
        .unwrap_or_default()
        .iter()
        .rev()
        .any(|other| other.x1 >= word.middle() && other.top() <= middle && other.bottom() >= middle)
}

fn ruled_table(grid: &mut ruled_tables::Grid, words: &[Word], rules: &Rules) -> Option<Table> {
    refinement::add_columns(grid, words);
    let drafts = refinement::part_columns(ruled_tables::cells(grid, words), grid);
    let drafts = refinement::part_headers(refinement::part_rows(drafts, grid), grid);
    if let Some(table) = refine_table(&drafts, words, rules) {
        return Some(table);
    }
    let header_rows = header_rows(&drafts);
    is_table(&drafts).then(|| assemble(drafts, header_rows)).flatten()
}

/// The table by its words, if a ruled cell contains a table itself.
fn refine_table(drafts: &[CellDraft], words: &[Word], rules: &Rules) -> Option<Table> {
    let is_coarse = |draft: &CellDraft| {
        let lines = text_lines(&draft.words);
        lines.len() > MIN_COARSE
            && structure::structure(&lines, &Rules::default())
                .is_some_and(|structure| evidence::is_convincing(&structure, false))
    };
    if !drafts.iter().any(is_coarse) {
        return None;
    }
    let structure = structure::structure(&text_lines(words), rules)?;
    let header_rows = structure.header_rows;
    evidence::is_convincing(&structure, true).then(|| assemble(structure.drafts(), header_rows)).flatten()
}

fn text_lines(words: &[Word]) -> Vec<TextLine> {
    rows(words.to_vec()).into_iter().filter_map(TextLine::of).collect()
}

/// Number of header rows: the first row, and those that name parts of it.
fn header_rows(drafts: &[CellDraft]) -> usize {
    /// Maximum header rows. Chosen by hand.
    const MAX_HEADER: usize = 4;
    let mut rows = 1;
    while rows < MAX_HEADER {
        let above = drafts.iter().filter(|draft| draft.row < rows && !draft.words.is_empty());
        let reach = above.clone().map(|draft| draft.row + draft.row_span).max().unwrap_or(rows);
        let named =
            above.filter(|draft| draft.row + draft.row_span == rows).any(|draft| draft.column_span > 1);
        match reach.max(rows + usize::from(named)) {
            next if next == rows => break,
            next => rows = next,
        }
    }
    rows.min(MAX_HEADER)
}

/// A word outside of grids: its position, and whether it is a number.
struct LooseWord {
    top: f64,
    middle: f64,
    number: bool,
}

fn is_number(word: &Word) -> bool {
    word.text.starts_with(|c: char| c.is_ascii_digit())
}

/// The words outside of grids, from top to bottom.
fn loose_words(words: &[Word], grids: &[ruled_tables::Grid]) -> Vec<LooseWord> {
    /// Maximum grids that are examined. Protects time.
    const MAX_GRIDS: usize = 200;
    let areas: Vec<Area> = grids.iter().take(MAX_GRIDS).map(ruled_tables::Grid::area).collect();
    let outside = words.iter().filter(|word| !areas.iter().any(|area| area.contains(word)));
    let mut loose: Vec<LooseWord> = outside
        .map(|word| LooseWord { top: word.top(), middle: word.middle(), number: is_number(word) })
        .collect();
    loose.sort_by(|a, b| a.top.total_cmp(&b.top));
    loose
}

/// Whether rules surround only the header of a table, whose values follow directly below.
fn is_bare_header(area: &Area, words: &[Word], loose: &[LooseWord]) -> bool {
    /// Minimum numbers below a bare header. Chosen by hand.
    const MIN_VALUES: usize = 2;
    let Some(size) = words.iter().map(|word| word.size).reduce(f64::max) else { return false };
    if words.iter().filter(|word| is_number(word)).count() * WORDS_PER_NUMBER > words.len() {
        return false;
    }
    let first = loose.partition_point(|word| word.top < area.y1 - OVERLAP * size);
    let below = loose.get(first..).unwrap_or_default().iter();
    let near = below.take_while(|word| word.top < area.y1 + NEAR * size);
    let (all, numbers) = near
        .filter(|word| word.middle > area.x0 && word.middle < area.x1)
        .fold((0, 0), |(all, numbers), word| (all + 1, numbers + usize::from(word.number)));
    numbers >= MIN_VALUES && numbers * 2 >= all
}

/// Whether there are several rows and columns with text: at least two of each, and four cells.
fn is_table(drafts: &[CellDraft]) -> bool {
    let filled: Vec<&CellDraft> = drafts.iter().filter(|draft| !draft.words.is_empty()).collect();
    let rows = filled.iter().map(|draft| draft.row).collect::<std::collections::BTreeSet<_>>().len();
    let columns = filled.iter().map(|draft| draft.column).collect::<std::collections::BTreeSet<_>>().len();
    rows >= 2 && columns >= 2 && filled.len() >= 4
}

/// Whether most letters of a table are right-to-left: then its columns are too.
fn runs_left(words: &[Word]) -> bool {
    let letters = |rtl: bool| {
        let own = words.iter().filter(|word| word.rtl == rtl);
        own.flat_map(|word| word.text.chars()).filter(|c| c.is_alphabetic()).count()
    };
    letters(true) > letters(false)
}

/// The word that takes the place of a table.
fn placeholder(table: &Table, words: &[Word], number: usize) -> Option<Word> {
    let first = words.iter().min_by_key(|word| word.index)?;
    Some(Word {
        bold: false,
        text: "\u{fffc}".repeat(PLACEHOLDER_LETTERS),
        x0: table.area.x0,
        x1: table.area.x1,
        y: table.area.y0 + ASCENT * first.size,
        size: first.size,
        index: first.index,
        rtl: false,
        spaced: (true, true),
        table: Some(number),
        tag: first.tag.map(|tag| Tag { role: Role::Text, ..tag }),
    })
}
