//! Parses the label of a field into its name and attributes.
//!
//! Counts of words that decide here were set on the phrases of `tests/schema`; none was measured alone.

use super::attribute::is_ratio;
use super::draft::{DraftKind, FieldDraft, Label};
use super::field_name::field_name;
use super::list::is_collection;
use super::question;
use super::range::{self, RangeUnit};
use super::spec::{FieldSpec, apply_range};
use super::words::{Lexicon, Word, longest_at, text_before, text_from, words};

/// Parses the label of a field. Other attributes are set on `draft`.
pub(super) fn parse_label(text: &str, lexicon: Lexicon, draft: &mut FieldDraft) -> Label {
    let text = trimmed(text);
    if let Some(label) = question::parse_question(text, lexicon) {
        return label;
    }
    let mut label = Label { shown: strip_leading_words(text, lexicon).to_owned(), ..Label::default() };
    let text = take_list_words(text, lexicon, draft);
    let text = take_letters(text, lexicon, draft);
    let text = take_range(text, lexicon, draft);
    let text = strip_leading_words(&text, lexicon).to_owned();
    let found = words(&text);
    let cut = clause_start(&found, lexicon);
    let (text, unit) = without_unit(text_before(&text, &found, cut), lexicon);
    label.unit = unit;
    label.name = field_name(text, lexicon);
    if draft.many {
        draft.many &= draft.kind != DraftKind::Boolean;
    }
    label
}

fn trimmed(text: &str) -> &str {
    text.trim().trim_matches(|c: char| {
        matches!(c, ',' | ';' | ':' | '.' | '-' | '!' | '*' | '#' | '<' | '>' | '/' | '=' | '\'' | '"')
            || c.is_whitespace()
    })
}

/// Strips leading phrases, but leaves at least one word.
fn strip_leading_words(text: &str, lexicon: Lexicon) -> &str {
    let found = words(text);
    let mut at = 0;
    loop {
        let count = longest_at(&found, at, lexicon.list("lead"));
        if count == 0 || at + count >= found.len() {
            return text_from(text, &found, at);
        }
        at += count;
    }
}

/// `list of skills` becomes `skills`, a list.
fn take_list_words<'a>(text: &'a str, lexicon: Lexicon, draft: &mut FieldDraft) -> &'a str {
    let bare = strip_leading_words(text, lexicon);
    if let Some((count, rest)) = take_count(bare, lexicon) {
        (draft.many, draft.min_items, draft.max_items) = (true, Some(count), Some(count));
        return rest;
    }
    for candidate in [text, bare] {
        let found = words(candidate);
        let skip = usize::from(found.first().is_some_and(|word| lexicon.has("list_article", &word.plain)));
        let count = longest_at(&found, skip, lexicon.list("list_lead"));
        let whole_noun = found.get(skip).is_some_and(|word| lexicon.has("all", &word.plain));
        if count > 0 && found.len() > skip + count {
            draft.many |= !whole_noun;
            let rest = skip + count;
            let of = usize::from(found.get(rest).is_some_and(|word| lexicon.has("of", &word.plain)));
            return text_from(candidate, &found, rest + of);
        }
    }
    let found = words(text);
    if found.len() > 1 && found.last().is_some_and(|word| lexicon.has("list_word", &word.plain)) {
        let before = text_before(text, &found, found.len() - 1);
        if !words(before).last().is_some_and(|word| lexicon.has("list_kind", &word.plain)) {
            draft.many = true;
            return before;
        }
    }
    text
}

/// `two references` becomes 2 and `references`.
fn take_count(text: &str, lexicon: Lexicon) -> Option<(u64, &str)> {
    let found = words(text);
    let first = found.first()?.plain.as_str();
    let named = lexicon.number(first).map(u64::from);
    // A list of one is no list, and a hundred fields are the most.
    let count = named.or_else(|| first.parse().ok()).filter(|count| (2..=100).contains(count))?;
    (found.len() <= 4 && is_collection(found.get(1..)?, lexicon)).then(|| (count, text_from(text, &found, 1)))
}

/// Splits off `from A to G` as options.
fn take_letters<'a>(text: &'a str, lexicon: Lexicon, draft: &mut FieldDraft) -> &'a str {
    let found = words(text);
    let Some(at) = (1..found.len().saturating_sub(2)).find(|at| {
        let plain = |n: usize| found.get(at + n).map_or("", |word| word.plain.as_str());
        lexicon.has("range_from", plain(0)) && plain(1).len() == 1 && lexicon.has("range_to", plain(2))
    }) else {
        // "Permit zone A to D"
        let at = found.len().checked_sub(3).filter(|at| *at > 0);
        let options =
            at.map(|at| FieldSpec::read(text_from(text, &found, at), lexicon).rest).unwrap_or_default();
        let letters = options.len() > 1 && options.iter().all(|option| option.len() == 1);
        if let Some(at) = at.filter(|_| letters) {
            draft.options = options;
            return text_before(text, &found, at);
        }
        return text;
    };
    let options = FieldSpec::read(text_from(text, &found, at + 1), lexicon);
    if options.rest.len() < 2 {
        return text;
    }
    draft.options = options.rest;
    text_before(text, &found, at)
}

/// Splits off a range; `up to 3 references` becomes a list.
fn take_range(text: &str, lexicon: Lexicon, draft: &mut FieldDraft) -> String {
    let Some(range) = range::find_range(text, lexicon) else { return text.to_owned() };
    let found = words(text);
    let (before, after) = (text_before(text, &found, range.first), text_from(text, &found, range.end));
    let bare = strip_leading_words(before, lexicon);
    let leads = bare.is_empty()
        || words(before).iter().all(|word| {
            lexicon.has("article", &word.plain)
                || longest_at(std::slice::from_ref(word), 0, lexicon.list("lead")) > 0
        });
    if leads && !after.is_empty() && range.counted == RangeUnit::Value {
        if is_collection(words(after).get(..words(after).len().min(2)).unwrap_or_default(), lexicon) {
            apply_range(&range::NumberRange { counted: RangeUnit::Entries, ..range }, draft);
            draft.many = true;
            return after.to_owned();
        }
        return text.to_owned();
    }
    if before.is_empty() {
        return text.to_owned();
    }
    apply_range(&range, draft);
    let after_words = words(after);
    let unit = after_words.first().is_some_and(|word| lexicon.has("unit", &word.plain));
    // A unit is told by a word before it.
    let lead = lexicon.list("unit_lead").first().filter(|_| unit).map_or("", String::as_str);
    [before, lead, after].join(" ")
}

/// Splits off a trailing unit such as `in kg`.
fn without_unit(text: &str, lexicon: Lexicon) -> (&str, bool) {
    let found = words(text);
    if found.last().is_some_and(|word| lexicon.has("format", &word.plain))
        && let Some(at) = (1..found.len())
            .rev()
            .take(4)
            .find(|at| found.get(*at).is_some_and(|word| lexicon.has("unit_lead", &word.plain)))
    {
        return (text_before(text, &found, at), false);
    }
    for at in (1..found.len()).rev().take(4) {
        let marked = found.get(at).is_some_and(|word| lexicon.has("unit_lead", &word.plain));
        let rest = found.get(at + 1..).unwrap_or_default();
        let unit = |word: &Word| {
            lexicon.has("unit", &word.plain)
                || is_ratio(&word.plain, lexicon)
                || word.plain.starts_with('°')
                || lexicon.has("unit_filler", &word.plain)
        };
        if marked && !rest.is_empty() && rest.iter().all(unit) {
            return (text_before(text, &found, at), true);
        }
    }
    let symbol =
        found.last().filter(|word| found.len() > 1 && ["€", "$", "£", "%"].contains(&word.plain.as_str()));
    match symbol {
        Some(word) => (text.get(..word.start).unwrap_or(text).trim(), true),
        None => (text, false),
    }
}

/// Index at which an explanation starts; past the end when there is none.
fn clause_start(found: &[Word], lexicon: Lexicon) -> usize {
    let wh = found.first().is_some_and(|word| lexicon.has("question_head", &word.plain));
    let first = if wh { found.len() } else { 1 };
    let begins = |at: &usize| {
        let count = longest_at(found, *at, lexicon.list("clause"));
        // "Found where" ends with such a word, which explains nothing.
        count > 1 || (count == 1 && at + 1 < found.len())
    };
    (first..found.len()).find(begins).unwrap_or(found.len())
}
