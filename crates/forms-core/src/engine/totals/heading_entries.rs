//! Detection of heading entries: column names, and sections that a sum names.

use std::collections::HashSet;

use language::fold::fold_letters;

use super::super::rows::line_start;
use super::super::segment::Source;
use super::super::text::summary_lines::is_summary;
use super::entry::ListEntry;

/// Entries with numbers, and their percentage of all, from which an entry without one is doubtful. Fewer may
/// have names alone by chance. Chosen by hand; no measurement is recorded.
const LEAST: usize = 5;
const MOST: usize = 90;

/// The indices of entries that are headings; `sums` are those of summaries.
pub(super) fn find_heads(
    entries: &[ListEntry<'_>],
    sums: &HashSet<usize>,
    sources: &[Source<'_>],
) -> HashSet<usize> {
    let mut standing: HashSet<(usize, usize)> = HashSet::new();
    let is_row = |(at, entry): &(usize, &ListEntry<'_>)| !entry.amounts.is_empty() && !sums.contains(at);
    for (_, entry) in entries.iter().enumerate().filter(is_row) {
        standing.extend(line_of(entry, sources));
    }
    let names: Vec<String> =
        sums.iter().filter_map(|at| entries.get(*at)).map(|entry| fold_letters(&entry.text)).collect();
    let columns = entries.iter().map(|entry| entry.amounts.len()).max().unwrap_or(0);
    let is_head = |entry: &ListEntry<'_>| {
        is_column_head(entry, columns, &standing, sources) || is_summed_section(entry, &names)
    };
    let of_words = entries.iter().enumerate().filter(|(_, entry)| is_of_words(entry));
    of_words.filter(|(_, entry)| is_head(entry)).map(|(at, _)| at).collect()
}

/// Entries with a single text where nearly all others have numbers.
pub(super) fn find_doubtful(entries: &[ListEntry<'_>]) -> Vec<usize> {
    let numbered = entries.iter().filter(|entry| !entry.amounts.is_empty()).count();
    if numbered < LEAST || numbered * 100 < entries.len() * MOST {
        return Vec::new();
    }
    let alone = entries.iter().enumerate().filter(|(_, entry)| entry.filled == 1 && is_of_words(entry));
    alone.map(|(at, _)| at).collect()
}

/// Whether neither an entry nor its line has a number.
fn is_of_words(entry: &ListEntry<'_>) -> bool {
    entry.amounts.is_empty() && !entry.line.contains(char::is_numeric) && !entry.text.is_empty()
}

/// The document and start of an entry's line.
fn line_of(entry: &ListEntry<'_>, sources: &[Source<'_>]) -> Option<(usize, usize)> {
    let place = entry.place?;
    Some((place.document, line_start(sources.get(place.document)?.text(), place.at)))
}

/// Whether an entry is one of several names on a line directly above entries and below none, with at least
/// one name per column of numbers.
fn is_column_head(
    entry: &ListEntry<'_>,
    columns: usize,
    standing: &HashSet<(usize, usize)>,
    sources: &[Source<'_>],
) -> bool {
    let Some((document, start)) = line_of(entry, sources) else { return false };
    let Some(text) = sources.get(document).map(Source::text) else { return false };
    let line = text.get(start..).and_then(|rest| rest.split_inclusive('\n').next()).unwrap_or_default();
    let next = start + line.len();
    let below = text.get(next..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let before = start.checked_sub(1).map(|at| line_start(text, at));
    let is_above = standing.contains(&(document, next)) || is_summary(below) || is_rule(below);
    let names = entry.line.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).count();
    is_above
        && before.is_none_or(|before| !standing.contains(&(document, before)))
        // Less than half of its line: other names are beside it.
        && fold_letters(&entry.text).len() * 2 < fold_letters(entry.line).len()
        && names > columns
}

/// Whether a line is the rule below the header of a Markdown table.
fn is_rule(line: &str) -> bool {
    line.contains("---") && line.trim().chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
}

/// Whether an entry is only a name with which a sum ends.
fn is_summed_section(entry: &ListEntry<'_>, sums: &[String]) -> bool {
    let name = fold_letters(&entry.text);
    entry.filled == 1
        && !name.is_empty()
        && sums.iter().any(|sum| sum.len() > name.len() && sum.ends_with(&name))
}
