//! The name of a candidate, also over two or three lines.

use forms_core::labels::Line;
use language::fold::fold_word;
use language::label::NameWord;
use language::vocabulary::is_company_suffix;
use serde_json::Value;

use super::super::ExtractedValue;
use super::super::text::Text;
use super::Candidate;
use super::cleanup::{MARKS, clean};
use super::score::{is_contact, is_title};

pub(super) fn candidate_name(text: &Text, candidate: &Candidate) -> Option<ExtractedValue> {
    let lines = text.lines.as_slice();
    let Candidate { score, line, segment } = *candidate;
    let single = lines.get(line)?.segments.len() == 1;
    let (first, last) = if single { extend(lines, line) } else { (line, line) };
    let (begin, end) = (lines.get(first)?, lines.get(last)?);
    // Rises with the score, from 0.475 at the minimum; the trees of `trust` calibrate it. Chosen by hand; no
    // measurement is recorded.
    let confidence = (0.3 + 0.5 * score).clamp(0.3, 0.95);
    if first == last {
        let printed = begin.slice(segment.start, segment.end);
        let name = clean(printed);
        let start = segment.start + printed.find(name)?;
        let (value, start, end) = (Value::from(name), begin.offset(start), begin.offset(start + name.len()));
        return Some(ExtractedValue { value, start, end, confidence });
    }
    let head = begin.text.trim().trim_start_matches(MARKS);
    let tail = clean(&end.text);
    let start = begin.text.find(head)?;
    let stop = end.text.find(tail)? + tail.len();
    let between = lines.get(first + 1..last)?.iter().map(|line| line.text.trim());
    let parts: Vec<&str> = std::iter::once(head).chain(between).chain([tail]).collect();
    let value = Value::from(parts.join(" "));
    Some(ExtractedValue { value, start: begin.offset(start), end: end.offset(stop), confidence })
}

/// The lines of a name: a line of only a legal form, or one that begins or ends with "&", belongs to its
/// neighbour.
fn extend(top: &[Line], found: usize) -> (usize, usize) {
    let name = |index: usize| {
        let line = top.get(index).filter(|line| line.segments.len() == 1 && !is_contact(&line.text));
        line.map_or("", |line| clean(&line.text))
    };
    let raw = |index: usize| {
        // Bytes: longer lines are running text. Chosen by hand; no measurement is recorded.
        let line = top.get(index).filter(|line| line.segments.len() == 1 && line.text.len() <= 80);
        line.map_or("", |line| line.text.trim())
    };
    let bare = |index: usize| {
        let folded: Vec<String> =
            name(index).split_whitespace().map(fold_word).filter(|word| !word.is_empty()).collect();
        !folded.is_empty() && folded.iter().all(|word| is_form(word) || word == "m")
    };
    let letters = |index: usize| name(index).chars().filter(|c| c.is_alphabetic()).count() >= 3;
    let joins = |index: usize| name(index).starts_with('&') || bare(index);
    // A bracket that the line before opened.
    let open = |index: usize| name(index).contains('(') && !name(index).contains(')');
    let closes = |index: usize| name(index).contains(')') && !name(index).contains('(');
    if found > 0 && closes(found) && raw(found - 1).contains('(') && !raw(found - 1).contains(')') {
        let head = raw(found - 1).split('(').next().unwrap_or_default();
        let form = head.split_whitespace().map(fold_word).all(|word| is_form(&word));
        let first = if form && found > 1 && letters(found - 2) { found - 2 } else { found - 1 };
        return (first, found);
    }
    if open(found) && closes(found + 1) {
        return (found, found + 1);
    }
    if found > 0
        && (joins(found) || name(found - 1).ends_with('&'))
        && letters(found - 1)
        && !is_title(name(found - 1))
    {
        return (found - 1, found);
    }
    if joins(found + 1) && letters(found + 1) || name(found).ends_with('&') && found + 1 < top.len() {
        return (found, found + 1);
    }
    (found, found)
}

/// Whether a folded word is a legal form or a kind of business.
fn is_form(word: &str) -> bool {
    is_company_suffix(word) || NameWord::Venue.has(word)
}
