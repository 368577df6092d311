//! What a locale file may hold and must hold. The build script and the tests share it.

use toml::{Table, Value};

/// The levels of a locale, from the least complete.
pub(crate) const LEVELS: [&str; 3] = ["search", "document", "full"];

/// From which level on a key must be there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Need {
    Search,
    Document,
    Full,
    Never,
}

/// What stands under a key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// One string.
    Text,
    /// `true` or `false`.
    Flag,
    /// Words and phrases: a string with commas or an array of strings.
    List,
    /// A table whose keys are those of English.
    Table,
    /// A table whose keys are these numbers, and perhaps more.
    Numbers(&'static [i64]),
    /// A table with keys of its own.
    Open,
}

const MONTHS: &[i64] = &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
const WEEKDAYS: &[i64] = &[1, 2, 3, 4, 5, 6, 7];
const NUMBERS: &[i64] =
    &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 30, 40, 50, 60, 70, 80, 90];
const ORDINALS: &[i64] = &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -1];
const DAYPARTS: &[i64] = &[0, 12, 18];
const CLOCK: &[i64] = &[0, 12];
const DAYS: &[i64] = &[0, 1, 2, -1, -2];

/// Every key of a locale, its shape, and from which level on it must be there.
pub(crate) const KEYS: &[(&str, Shape, Need)] = &[
    ("code", Shape::Text, Need::Search),
    ("aliases", Shape::List, Need::Never),
    ("name", Shape::Text, Need::Search),
    ("iso639_3", Shape::Text, Need::Search),
    ("level", Shape::Text, Need::Search),
    ("script", Shape::Text, Need::Search),
    ("stemmer", Shape::Text, Need::Never),
    ("stem_endings", Shape::List, Need::Never),
    ("stem_exceptions", Shape::List, Need::Never),
    ("compounds", Shape::Flag, Need::Document),
    ("capital_nouns", Shape::Flag, Need::Document),
    ("noun_first", Shape::Flag, Need::Document),
    ("keeps_accents", Shape::Flag, Need::Never),
    ("transliteration", Shape::List, Need::Never),
    ("cardinal_days", Shape::Flag, Need::Never),
    ("ordinal_hours", Shape::Flag, Need::Never),
    ("usual_of_script", Shape::Flag, Need::Never),
    ("cut_months", Shape::Flag, Need::Never),
    ("letters", Shape::Text, Need::Document),
    ("negation", Shape::List, Need::Document),
    ("and", Shape::List, Need::Document),
    ("or", Shape::List, Need::Document),
    ("articles", Shape::List, Need::Document),
    ("minus", Shape::List, Need::Document),
    ("between", Shape::List, Need::Document),
    ("range", Shape::List, Need::Document),
    ("range_from", Shape::List, Need::Document),
    ("elisions", Shape::List, Need::Document),
    ("after_ordinals", Shape::List, Need::Document),
    ("number_joints", Shape::List, Need::Document),
    ("ordinal_suffixes", Shape::List, Need::Document),
    ("date_links", Shape::List, Need::Document),
    ("date_leads", Shape::List, Need::Document),
    ("debit", Shape::List, Need::Document),
    ("credit", Shape::List, Need::Document),
    ("absence", Shape::List, Need::Document),
    ("absence_places", Shape::List, Need::Document),
    ("copies", Shape::List, Need::Document),
    ("pages", Shape::List, Need::Document),
    ("abbreviations", Shape::List, Need::Document),
    ("titles", Shape::List, Need::Document),
    ("salutations", Shape::List, Need::Document),
    ("greetings", Shape::List, Need::Document),
    ("company_suffixes", Shape::List, Need::Document),
    ("card_numbers", Shape::List, Need::Document),
    ("label_fillers", Shape::List, Need::Document),
    ("stop_words", Shape::List, Need::Document),
    ("question_words", Shape::List, Need::Document),
    ("booleans", Shape::Table, Need::Document),
    ("months", Shape::Numbers(MONTHS), Need::Document),
    ("weekdays", Shape::Numbers(WEEKDAYS), Need::Document),
    ("number_words", Shape::Numbers(NUMBERS), Need::Document),
    ("ordinals", Shape::Numbers(ORDINALS), Need::Document),
    ("multiples", Shape::Numbers(&[]), Need::Document),
    ("money_multiples", Shape::Numbers(&[]), Need::Document),
    ("currency_multiples", Shape::Numbers(&[]), Need::Document),
    ("spoken_multiples", Shape::Numbers(&[]), Need::Document),
    ("relative_days", Shape::Numbers(DAYS), Need::Document),
    ("date_words", Shape::Table, Need::Document),
    ("dayparts", Shape::Numbers(DAYPARTS), Need::Document),
    ("clock_times", Shape::Numbers(CLOCK), Need::Document),
    ("time_words", Shape::Table, Need::Document),
    ("currency_words", Shape::Open, Need::Document),
    ("units", Shape::Open, Need::Document),
    ("labels", Shape::Table, Need::Document),
    ("label_compounds", Shape::Table, Need::Document),
    ("sum_words", Shape::Table, Need::Document),
    ("layout_words", Shape::Table, Need::Document),
    ("name_words", Shape::Table, Need::Document),
    ("page_words", Shape::Table, Need::Full),
    ("contract", Shape::Table, Need::Document),
    ("questions", Shape::Table, Need::Document),
    ("answer_types", Shape::Table, Need::Document),
    ("intents", Shape::Table, Need::Document),
    ("grammar", Shape::Table, Need::Document),
    ("answer_signs", Shape::Table, Need::Document),
    ("meanings", Shape::Table, Need::Document),
    ("cues", Shape::Table, Need::Full),
    ("replies", Shape::Table, Need::Full),
    ("schema", Shape::Table, Need::Full),
    ("forms", Shape::Open, Need::Full),
    ("samples", Shape::Open, Need::Full),
];

/// The level of a locale as a need; `None` for a level that there is not.
pub(crate) fn level(locale: &Table) -> Option<Need> {
    let level = locale.get("level")?.as_str()?;
    let needs = [Need::Search, Need::Document, Need::Full];
    LEVELS.iter().position(|known| *known == level).and_then(|at| needs.get(at)).copied()
}

/// What is wrong with a locale: unknown keys, wrong shapes, and keys that its level needs and that are
/// missing. `english` has the keys of the tables whose keys are words.
pub(crate) fn problems(file: &str, locale: &Table, english: &Table) -> Vec<String> {
    let mut found = Vec::new();
    let Some(own) = level(locale) else {
        return vec![format!("{file}: `level` is none of {}", LEVELS.join(", "))];
    };
    let stem = file.trim_end_matches(".toml");
    if locale.get("code").and_then(Value::as_str) != Some(stem) {
        found.push(format!("{file}: `code` is not {stem}"));
    }
    for key in locale.keys().filter(|key| KEYS.iter().all(|(known, ..)| known != key)) {
        found.push(format!("{file}: unknown key `{key}`"));
    }
    for (key, shape, need) in KEYS {
        match locale.get(*key) {
            Some(value) => shaped(file, key, *shape, value, english, own >= *need, &mut found),
            None if own >= *need => found.push(format!("{file}: missing key `{key}`")),
            None => {}
        }
    }
    found
}

fn shaped(
    file: &str,
    key: &str,
    shape: Shape,
    value: &Value,
    english: &Table,
    needed: bool,
    found: &mut Vec<String>,
) {
    match (shape, value) {
        (Shape::Text, Value::String(_)) | (Shape::Flag, Value::Boolean(_)) => {}
        (Shape::List, value) if is_list(value) => {}
        (Shape::Table, Value::Table(table)) => {
            let wanted = english.get(key).and_then(Value::as_table);
            for own in table.keys().filter(|own| wanted.is_some_and(|wanted| !wanted.contains_key(*own))) {
                found.push(format!("{file}: unknown key `{key}.{own}`"));
            }
            for (other, _) in
                wanted.into_iter().flatten().filter(|(other, _)| needed && !table.contains_key(*other))
            {
                found.push(format!("{file}: missing key `{key}.{other}`"));
            }
            members(file, key, table, found);
        }
        (Shape::Numbers(wanted), Value::Table(table)) => {
            for own in table.keys().filter(|own| own.parse::<i64>().is_err()) {
                found.push(format!("{file}: `{key}.{own}` is no number"));
            }
            for number in wanted.iter().filter(|number| needed && !table.contains_key(&number.to_string())) {
                found.push(format!("{file}: missing key `{key}.{number}`"));
            }
            members(file, key, table, found);
        }
        (Shape::Open, Value::Table(table)) => members(file, key, table, found),
        _ => found.push(format!("{file}: `{key}` has another shape")),
    }
}

/// The values of a table: lists, or tables of lists.
fn members(file: &str, key: &str, table: &Table, found: &mut Vec<String>) {
    for (own, value) in table {
        let fits = is_list(value) || value.as_table().is_some_and(|inner| inner.values().all(is_list));
        if !fits {
            found.push(format!("{file}: `{key}.{own}` has another shape"));
        }
    }
}

fn is_list(value: &Value) -> bool {
    value.is_str() || value.as_array().is_some_and(|items| items.iter().all(Value::is_str))
}

/// A list as it is kept: entries between commas, without blanks around.
pub(crate) fn joined(value: &Value) -> String {
    let texts: Vec<&str> = match value {
        Value::String(text) => vec![text.as_str()],
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let entries = texts.iter().flat_map(|text| text.split([',', '\n'])).map(str::trim);
    entries.filter(|entry| !entry.is_empty()).collect::<Vec<_>>().join(",")
}

/// A table as it is kept: a line each, the key (of a table within, its key and the inner key between tabs), a
/// tab, and the list; of an array one line for each of its strings. `is_text` leaves texts as they are.
pub(crate) fn lines(table: &Table, is_text: bool) -> String {
    let mut out = String::new();
    let mut push = |key: &str, text: &str| {
        out.push_str(key);
        out.push('\t');
        out.push_str(text);
        out.push('\n');
    };
    for (key, value) in table {
        match value {
            Value::Table(inner) => {
                for (own, value) in inner {
                    push(&format!("{key}\t{own}"), &joined(value));
                }
            }
            Value::Array(items) => {
                for item in items {
                    match item.as_str() {
                        Some(text) if is_text => push(key, text),
                        _ => push(key, &joined(item)),
                    }
                }
            }
            Value::String(text) if is_text => push(key, text),
            value => push(key, &joined(value)),
        }
    }
    out
}
