//! The issuer in the legal footer of a document: seat, register, capital and directors.

use forms_core::labels::{Line, Segment};
use language::Language;
use language::fold::fold_word;
use language::vocabulary::is_company_suffix;

use super::super::text::Text;
use super::Candidate;
use super::score::is_title;
use crate::pattern::pattern;

/// Maximum lines that are searched, from the end of the document. Bounds the time.
const MAX_LINES: usize = 400;
/// Maximum words of a name. Chosen by hand; no measurement is recorded.
const MAX_WORDS: usize = 8;
/// The score of a name in a footer. It is above a name on the first line without signs (0.7). Chosen by hand;
/// no measurement is recorded.
const SCORE: f32 = 0.8;

pattern!(REGISTERS, &format!(r"(?i)\b(?:{})\b", register_phrases().join("|")));

/// Phrases of all languages that name the register, capital or seat of a company.
fn register_phrases() -> Vec<String> {
    let locales = Language::all().filter_map(Language::locale);
    locales.flat_map(|locale| locale.name_words.words("register_phrase").iter()).map(regex::escape).collect()
}

/// The name in the document's legal footer.
pub(super) fn issuer(text: &Text) -> Option<Candidate> {
    let first = text.lines.len().saturating_sub(MAX_LINES);
    let lines = text.lines.iter().enumerate().skip(first).rev();
    // Longer lines are clauses of contracts. Chosen by hand; no measurement is recorded.
    lines.filter(|(_, line)| line.text.len() <= 400).find_map(|(index, line)| {
        let cue = REGISTERS.find(&line.text)?;
        if let Some(segment) = name_before_cue(line, cue.start()) {
            return Some(Candidate { score: SCORE, line: index, segment });
        }
        let above = index.checked_sub(1)?;
        let segment = whole_line_name(text.lines.get(above)?)?;
        (line.text.trim_start().len() == line.text.len() - line.text.find(cue.as_str())?)
            .then_some(Candidate { score: SCORE, line: above, segment })
    })
}

/// The name before the first separator of a legal line.
fn name_before_cue(line: &Line, cue: usize) -> Option<Segment> {
    let before = line.text.get(..cue)?;
    let end = before.find([',', '|', '·', '•', '–', '−', '(', ':']).unwrap_or(before.len());
    let end = before.find(" - ").unwrap_or(end).min(end);
    name_between(line, 0, end)
}

/// The segment of a line that is only a name.
fn whole_line_name(line: &Line) -> Option<Segment> {
    (line.segments.len() == 1).then(|| name_between(line, 0, line.text.len()))?
}

/// The segment of a name between two bytes; `None` if it cannot be a name.
fn name_between(line: &Line, start: usize, end: usize) -> Option<Segment> {
    let part = line.slice(start, end);
    let name = part.trim();
    let letters = name.chars().filter(|c| c.is_alphabetic()).count();
    let plain = !name.chars().any(|c| c.is_ascii_digit()) && !name.contains([':', '@']);
    let capital = name.chars().next().is_some_and(char::is_uppercase);
    let form = name.split_whitespace().map(fold_word).all(|word| is_company_suffix(&word));
    let fits = !form
        && letters >= 3
        && plain
        && capital
        && name.split_whitespace().count() <= MAX_WORDS
        && !is_title(name);
    let start = start + (part.len() - part.trim_start().len());
    fits.then(|| Segment { start, end: start + name.len() })
}
