//! Parses the label of a field into its name and attributes.
//!
//! Counts of words that decide here were set on the phrases of `tests/generator`; none was measured alone.

use super::attribute::is_ratio;
use super::draft::{DraftKind, FieldDraft};
use super::field_name::field_name;
use super::language::Language;
use super::lexicon::UNITS;
use super::list::is_collection;
use super::question::{self, ARTICLES};
use super::range::{self, RangeUnit};
use super::spec::{FieldSpec, apply_range};
use super::words::{Phrases, Word, longest_at, text_before, text_from, words};

/// Name and display text of a field.
#[derive(Clone, Debug, Default)]
pub(super) struct Label {
    pub(super) name: String,
    pub(super) shown: String,
    /// The type that the words state.
    pub(super) kind: Option<DraftKind>,
    /// Whether a unit was stated.
    pub(super) unit: bool,
}

/// Leading phrases that are not part of the name.
static LEADING: Phrases = Phrases::new(
    "also, then, finally, lastly, additionally, plus, and, or, as well as, a field for, \
    a field for the, fields for, field for, an indication of, information about, information on, \
    say, tell us, rate the, rate your, rate our, state the, indicate, space for, a space for, room for, und, sowie, auch, et, aussi, \
    ainsi que, y, tambien, und ob, we need, i need, we want, ask for, ask, asks for, include, \
    including, optionally, their, his, her, its, your, our, my, the, a, an, some, any, ein, eine, \
    einen, der, die, das, den, dem, seine, ihre, le, la, les, l', un, une, des, du, son, sa, ses, \
    votre, vos, leur, leurs, el, los, las, una, su, sus, what is, what's, what are, what was, \
    what is your, the name of the field, where the, a short, a brief, a detailed, with, mit, avec, \
    con, all, each, every, is there a field for, add, a place for, a box for, such as",
);
/// Phrases that introduce a list.
static LISTS: Phrases = Phrases::new(
    "list of, lists of, array of, one or more, multiple, several, any number of, all, zero or more, \
    liste der, liste von, liste des, liste de, liste d', lista de, un ou plusieurs, une ou plusieurs, \
    uno o mas, una o mas, mehrere, plusieurs, varios, varias, eine liste von, a number of, \
    collection of, set of, a set of",
);
/// Phrases that introduce an explanation.
static CLAUSES: Phrases = Phrases::new(
    "they'd, we'd, you'd, i'd, they're, you're, they've, you've, so that, so we, so they, because, in order to, who, that, if, unless, when, where, as it appears, \
    as shown, as printed, as stated, as in, falls, wenn, damit, si, afin, pour que, para que, they, \
    he, she, we, you, i, it, such as, like, e.g, for example, including, in case, to be able, \
    including any, ordered by, in the format, in format, as per, according to, via, depending, \
    measured in, expressed in, given in, stated in, from visitors, from customers, from each, \
    from every, zum beispiel, par exemple, por ejemplo, z.b, comme",
);

/// Parses the label of a field. Other attributes are set on `draft`.
pub(super) fn parse_label(text: &str, language: Language, draft: &mut FieldDraft) -> Label {
    let text = trimmed(text);
    if let Some(label) = question::parse_question(text, language) {
        return label;
    }
    let mut label = Label { shown: strip_leading_words(text).to_owned(), ..Label::default() };
    let text = take_list_words(text, draft);
    let text = take_letters(text, draft);
    let text = take_range(text, draft);
    let text = strip_leading_words(&text).to_owned();
    let found = words(&text);
    let cut = clause_start(&found);
    let (text, unit) = without_unit(text_before(&text, &found, cut));
    label.unit = unit;
    label.name = field_name(text, language);
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
fn strip_leading_words(text: &str) -> &str {
    let found = words(text);
    let mut at = 0;
    loop {
        let count = longest_at(&found, at, &LEADING);
        if count == 0 || at + count >= found.len() {
            return text_from(text, &found, at);
        }
        at += count;
    }
}

/// `list of skills` becomes `skills`, a list.
fn take_list_words<'a>(text: &'a str, draft: &mut FieldDraft) -> &'a str {
    let bare = strip_leading_words(text);
    if let Some((count, rest)) = take_count(bare) {
        (draft.many, draft.min_items, draft.max_items) = (true, Some(count), Some(count));
        return rest;
    }
    for candidate in [text, bare] {
        let found = words(candidate);
        let skip = usize::from(found.first().is_some_and(|word| {
            matches!(word.plain.as_str(), "a" | "an" | "the" | "eine" | "une" | "una" | "la")
        }));
        let count = longest_at(&found, skip, &LISTS);
        let whole_noun = found.get(skip).is_some_and(|word| word.plain == "all");
        if count > 0 && found.len() > skip + count {
            draft.many |= !whole_noun;
            let rest = skip + count;
            let of = usize::from(found.get(rest).is_some_and(|word| word.plain == "of"));
            return text_from(candidate, &found, rest + of);
        }
    }
    let found = words(text);
    if found.len() > 1
        && found.last().is_some_and(|word| matches!(word.plain.as_str(), "list" | "liste" | "lista"))
    {
        let before = text_before(text, &found, found.len() - 1);
        if !["price", "waiting", "check", "mailing", "packing"]
            .contains(&words(before).last().map_or("", |word| word.plain.as_str()))
        {
            draft.many = true;
            return before;
        }
    }
    text
}

/// `two references` becomes 2 and `references`.
fn take_count(text: &str) -> Option<(u64, &str)> {
    const NUMBERS: [&str; 9] = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let found = words(text);
    let first = found.first()?.plain.as_str();
    let named = NUMBERS.iter().zip(2_u64..).find(|(name, _)| **name == first).map(|(_, count)| count);
    // A list of one is no list, and a hundred fields are the most.
    let count = named.or_else(|| first.parse().ok()).filter(|count| (2..=100).contains(count))?;
    (found.len() <= 4 && is_collection(found.get(1..)?)).then(|| (count, text_from(text, &found, 1)))
}

/// Splits off `from A to G` as options.
fn take_letters<'a>(text: &'a str, draft: &mut FieldDraft) -> &'a str {
    let found = words(text);
    let Some(at) = (1..found.len().saturating_sub(2)).find(|at| {
        let plain = |n: usize| found.get(at + n).map_or("", |word| word.plain.as_str());
        ["from", "von", "de", "between"].contains(&plain(0))
            && plain(1).len() == 1
            && ["to", "bis", "a", "and"].contains(&plain(2))
    }) else {
        // "Permit zone A to D"
        let at = found.len().checked_sub(3).filter(|at| *at > 0);
        let options = at
            .map(|at| FieldSpec::read(text_from(text, &found, at), Language::English).rest)
            .unwrap_or_default();
        let letters = options.len() > 1 && options.iter().all(|option| option.len() == 1);
        if let Some(at) = at.filter(|_| letters) {
            draft.options = options;
            return text_before(text, &found, at);
        }
        return text;
    };
    let options = FieldSpec::read(text_from(text, &found, at + 1), Language::English);
    if options.rest.len() < 2 {
        return text;
    }
    draft.options = options.rest;
    text_before(text, &found, at)
}

/// Splits off a range; `up to 3 references` becomes a list.
fn take_range(text: &str, draft: &mut FieldDraft) -> String {
    let Some(range) = range::find_range(text) else { return text.to_owned() };
    let found = words(text);
    let (before, after) = (text_before(text, &found, range.first), text_from(text, &found, range.end));
    let bare = strip_leading_words(before);
    let leads = bare.is_empty()
        || words(before).iter().all(|word| {
            ARTICLES.contains(&word.plain.as_str()) || longest_at(std::slice::from_ref(word), 0, &LEADING) > 0
        });
    if leads && !after.is_empty() && range.counted == RangeUnit::Value {
        if is_collection(words(after).get(..words(after).len().min(2)).unwrap_or_default()) {
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
    let unit = after_words.first().is_some_and(|word| UNITS.contains(&word.plain.as_str()));
    if unit { format!("{before} in {after}") } else { format!("{before} {after}") }
}

/// Splits off a trailing unit such as `in kg`.
fn without_unit(text: &str) -> (&str, bool) {
    let found = words(text);
    if found.last().is_some_and(|word| word.plain == "format")
        && let Some(at) =
            (1..found.len()).rev().take(4).find(|at| found.get(*at).is_some_and(|word| word.plain == "in"))
    {
        return (text_before(text, &found, at), false);
    }
    let marks = ["in", "en", "in the", "in full", "as"];
    for at in (1..found.len()).rev().take(4) {
        let marked = marks.contains(&found.get(at).map_or("", |word| word.plain.as_str()));
        let rest = found.get(at + 1..).unwrap_or_default();
        let unit = |word: &Word| {
            UNITS.contains(&word.plain.as_str())
                || is_ratio(&word.plain)
                || word.plain.starts_with('°')
                || ["per", "or", "square", "cubic", "full", "whole", "degrees"].contains(&word.plain.as_str())
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
fn clause_start(found: &[Word]) -> usize {
    let wh = found.first().is_some_and(|word| {
        [
            "what", "who", "when", "since", "where", "why", "how", "was", "wer", "wann", "wo", "quand",
            "que", "cuando",
        ]
        .contains(&word.plain.as_str())
    });
    let first = if wh { found.len() } else { 1 };
    let begins = |at: &usize| {
        let count = longest_at(found, *at, &CLAUSES);
        // "Found where" ends with such a word, which explains nothing.
        count > 1 || (count == 1 && at + 1 < found.len())
    };
    (first..found.len()).find(begins).unwrap_or(found.len())
}
