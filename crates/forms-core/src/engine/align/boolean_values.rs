//! Booleans: a yes, a no or a check mark beside the name of the field.

use std::ops::Range;

use language::fold::words;
use serde_json::Value;

use super::super::coerce::scalar::parse_boolean;
use super::super::node::Leaf;
use super::place_choice::label_words;
use super::{SearchText, ValuePlace};
use crate::{Field, Support};

/// Boolean values that are searched for. Bounds the time.
const MAX_FLAGS: usize = 64;
/// Bytes of a text that are searched, and of a line. Bounds the time.
const LOOKED_AT: usize = 1_000_000;
const MAX_LINE: usize = 400;
/// Words of a line that are compared. Bounds the time.
const MAX_WORDS: usize = 60;
/// Check marks before or after their label.
const MARKS: [char; 9] = ['☑', '☒', '✓', '✔', '✅', '☐', '✗', '✘', '❌'];

/// A boolean value without a place so far.
struct OpenFlag {
    leaf: usize,
    value: bool,
    labels: Vec<String>,
    /// Label words in the best line so far.
    best: usize,
}

/// Finds places for the booleans among `leaves` that have none: a line with most words of the field's name
/// and a yes, a no or a check mark that agrees with the value.
pub(super) fn find_places(
    leaves: &[(&Field, &mut Leaf)],
    texts: &[SearchText<'_>],
    places: &mut [Option<ValuePlace>],
) {
    let mut flags: Vec<OpenFlag> = leaves
        .iter()
        .enumerate()
        .filter(|(at, _)| places.get(*at).is_some_and(Option::is_none))
        .filter_map(|(leaf, (field, own))| {
            let labels = label_words(&field.name);
            own.value.as_bool().filter(|_| !labels.is_empty()).map(|value| OpenFlag {
                leaf,
                value,
                labels,
                best: 0,
            })
        })
        .take(MAX_FLAGS)
        .collect();
    if flags.is_empty() {
        return;
    }
    for (document, text) in texts.iter().enumerate() {
        let mut at = 0;
        let looked_at = text.text.get(..text.text.floor_char_boundary(LOOKED_AT)).unwrap_or_default();
        for line in looked_at.split_inclusive('\n') {
            if line.len() <= MAX_LINE {
                read_line(line, at, document, &mut flags, places);
            }
            at += line.len();
        }
    }
}

fn read_line(
    line: &str,
    at: usize,
    document: usize,
    flags: &mut [OpenFlag],
    places: &mut [Option<ValuePlace>],
) {
    let mut found: Option<Vec<(Range<usize>, String)>> = None;
    for flag in flags {
        let words = found.get_or_insert_with(|| words(line).take(MAX_WORDS).collect());
        let is_label = |word: &str| flag.labels.iter().any(|label| label == word);
        let named = flag.labels.iter().filter(|label| words.iter().any(|(_, word)| word == *label)).count();
        // More than half of the field's words. Chosen by hand; no measurement is recorded.
        if named <= flag.best || 2 * named <= flag.labels.len() {
            continue;
        }
        let says = |text: &str| parse_boolean(&Value::Null, text) == Some(flag.value);
        // Single letters and digits are too ambiguous.
        let is_answer =
            |word: &str| !is_label(word) && (word.len() > 1 && !word.starts_with(|c: char| c.is_numeric()));
        let word = words
            .iter()
            .filter(|(_, word)| is_answer(word))
            .find(|(range, _)| line.get(range.clone()).is_some_and(says));
        let mark = || {
            line.char_indices()
                .find(|(_, c)| MARKS.contains(c) && says(c.encode_utf8(&mut [0; 4])))
                .map(|(from, c)| from..from + c.len_utf8())
        };
        if let Some(range) = word.map(|(range, _)| range.clone()).or_else(mark)
            && let Some(slot) = places.get_mut(flag.leaf)
        {
            flag.best = named;
            let range = at + range.start..at + range.end;
            *slot = Some(ValuePlace { document, range, support: Support::Normalised });
        }
    }
}
