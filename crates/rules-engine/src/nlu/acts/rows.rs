//! Parses rows of a list of objects: "2 red shirts in L at 15 each", "Bob (42, vegan)".

use std::ops::Range;

use forms_core::{Field, FieldType};
use language::date::spoken::Calendar;
use language::number::spoken::SpokenNumber;
use language::stem::light_stem;
use serde_json::{Map, Value, json};

use crate::nlu::context::nlu_context::NluContext;
use crate::nlu::context::slot_type::{SlotType, infer_slot_type};
use crate::nlu::entities::names;
use crate::nlu::entities::numbers;
use crate::nlu::tokens::message::{any_lexicon, words_of};

/// Kind of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ColumnKind {
    Choice,
    Day,
    Quantity,
    Number,
    Price,
    Class,
    Text,
    Other,
}

fn column_kind(context: &NluContext<'_>, field: &Field) -> ColumnKind {
    let names = words_of(&field.name);
    let is = |key: &str| {
        names.iter().any(|name| {
            let list = context.lexicon.list("sense");
            list.lines_of(name)
                .any(|line| list.keys().get(line).and_then(|keys| keys.first()).is_some_and(|k| k == key))
        })
    };
    match field.kind {
        _ if !field.options.is_empty() => ColumnKind::Choice,
        FieldType::Date => ColumnKind::Day,
        FieldType::Number | FieldType::Integer | FieldType::String if is("money") => ColumnKind::Price,
        FieldType::Number | FieldType::Integer | FieldType::String if is("count") => ColumnKind::Quantity,
        FieldType::Number | FieldType::Integer => ColumnKind::Number,
        FieldType::String if slot_type_of(field, &names) == SlotType::Class => ColumnKind::Class,
        FieldType::String => ColumnKind::Text,
        _ => ColumnKind::Other,
    }
}

fn slot_type_of(field: &Field, names: &[String]) -> SlotType {
    infer_slot_type(field, names, &words_of(field.description.as_deref().unwrap_or_default()))
}

/// Parses one row; tracks the words not yet consumed.
struct RowParser<'s, 'a> {
    context: &'s NluContext<'a>,
    words: Range<usize>,
    free: Vec<bool>,
    row: Map<String, Value>,
}

impl RowParser<'_, '_> {
    fn is_free(&self, at: usize) -> bool {
        at.checked_sub(self.words.start).and_then(|n| self.free.get(n)).copied().unwrap_or(false)
    }

    fn take(&mut self, words: &Range<usize>) {
        for at in words.clone() {
            if let Some(free) = at.checked_sub(self.words.start).and_then(|n| self.free.get_mut(n)) {
                *free = false;
            }
        }
    }

    fn put(&mut self, field: &Field, value: Value, words: &Range<usize>) {
        self.row.insert(field.name.clone(), value);
        self.take(words);
    }

    /// Fills an enum column; longer options are tried first.
    fn choice(&mut self, field: &Field) {
        let mut options: Vec<&String> = field.options.iter().filter(|option| !option.is_empty()).collect();
        options.sort_by_key(|option| std::cmp::Reverse(option.len()));
        for option in options {
            let words: Vec<String> = words_of(option).iter().map(|word| light_stem(word)).collect();
            let fits = |at: usize| {
                let same = words
                    .iter()
                    .enumerate()
                    .all(|(n, word)| self.is_free(at + n) && self.context.text.stem(at + n) == word);
                // "L" is a size; the "s" of "it's" is not.
                same && !words.is_empty()
                    && (option.len() > 2 || self.context.text.slice(&(at..at + 1)) == option)
            };
            let Some(at) = self.words.clone().find(|at| fits(*at)) else { continue };
            let value =
                option.trim().parse::<f64>().ok().filter(|_| !matches!(field.kind, FieldType::String));
            let named = usize::from(
                words_of(&field.name).iter().any(|name| name == self.context.text.folded(at.wrapping_sub(1))),
            );
            self.put(
                field,
                value.map_or_else(|| json!(option), numbers::json),
                &(at - named..at + words.len()),
            );
            return;
        }
    }

    fn day(&mut self, field: &Field) {
        let calendar = Calendar {
            today: self.context.turn.today,
            is_past: false,
            is_birth: false,
            languages: self.context.text.languages(),
        };
        let found = self.words.clone().find_map(|at| Some((at, calendar.day_at(&self.context.text, at)?)));
        if let Some((at, day)) = found
            && let Some(date) = day.date
        {
            self.put(field, json!(date.to_string()), &(at..at + day.skipped + day.tokens));
        }
    }

    /// Fills a column of a class, such as a colour.
    fn class(&mut self, field: &Field) {
        let class = self.context.lexicon.list("class");
        let names = words_of(&field.name);
        let fits = |line: usize| {
            class.keys().get(line).is_some_and(|keys| keys.iter().any(|key| names.contains(key)))
        };
        let found = self.words.clone().filter(|at| self.is_free(*at)).find_map(|at| {
            let longest = class
                .all(&self.context.text, at)
                .filter(|found| fits(found.value))
                .map(|found| found.tokens)
                .max()?;
            Some(at..at + longest)
        });
        if let Some(words) = found {
            let value = json!(self.context.text.slice(&words));
            self.put(field, value, &words);
        }
    }

    /// Fills a number next to a word of the column's name: "8 hours", "age 30", "30 years old".
    fn parse_labelled_number(&mut self, field: &Field) {
        let own: Vec<String> = words_of(&field.name).iter().map(|word| light_stem(word)).collect();
        let context = self.context;
        let is_own = |at: usize| {
            own.iter().any(|own| {
                !context.text.stem(at).is_empty() && context.lexicon.are_alike(own, context.text.stem(at))
            })
        };
        let is_short = |at: usize| {
            context.text.folded(at) == "h"
                && own.iter().any(|own| any_lexicon().list("hour_noun").has_word(own))
        };
        let found = self.words.clone().filter(|at| self.is_free(*at)).find_map(|at| {
            let number = context.text.number_at(at)?;
            let end = at + number.tokens;
            let linked = usize::from(
                ["copula", "into", "of"].iter().any(|list| context.is_in_list(list, at.wrapping_sub(1))),
            );
            let before = at.checked_sub(1 + linked).filter(|at| self.is_free(*at) && is_own(*at));
            let years = context.is_in_list("unit_year", end)
                && own.iter().any(|own| any_lexicon().list("age_noun").has_word(own));
            let old = usize::from(years && context.is_in_list("old_age", end + 1));
            // "twice a day".
            let per = (end..end + 2).take_while(|at| context.is_in_list("per", *at)).count();
            let behind = is_own(end + per) || is_short(end) || years;
            let end = if behind && is_own(end + per) { end + per } else { end };
            (behind || before.is_some())
                .then(|| (number, before.unwrap_or(at)..end + usize::from(behind) + old))
        });
        if let Some((number, words)) = found {
            self.put(field, typed_number(field, number.value), &words);
        }
    }

    /// Fills a number without a label. A number at the start may precede a noun.
    fn number(&mut self, field: &Field) {
        let context = self.context;
        let first = self.words.clone().find(|at| self.is_free(*at));
        let found = self.words.clone().filter(|at| self.is_free(*at)).find_map(|at| {
            let number = context.text.number_at(at)?;
            // "400 mg" is a number of another unit.
            let end = at + number.tokens;
            let ends = end >= self.words.end
                || !self.is_free(end)
                || context.text.before(end).contains([',', '(', ')'])
                || ["break", "filler", "link"].iter().any(|list| context.is_in_list(list, end));
            Some((at, number)).filter(|_| ends || first == Some(at))
        });
        let Some((at, number)) = found else { return };
        let times = context.is_in_list("times", at + number.tokens);
        self.put(field, typed_number(field, number.value), &(at..at + number.tokens + usize::from(times)));
    }

    fn price(&mut self, field: &Field) {
        let Some((from, end, number)) = price(self.context, &self.words) else { return };
        self.put(field, typed_number(field, number.value), &(from..end));
    }

    /// Fills a text column with the next run of unconsumed words.
    fn text(&mut self, field: &Field, is_last: bool) {
        let context = self.context;
        let empty = |at: usize| {
            ["lead", "filler", "pronoun", "link", "courtesy", "break"]
                .iter()
                .any(|list| context.is_in_list(list, at))
                || context.list("each", at) > 0
                || context.is_in_list("column_link", at)
        };
        let is_name = slot_type_of(field, &words_of(&field.name)) == SlotType::Person;
        let named = self.words.clone().filter(|at| is_name && self.is_free(*at)).find_map(|at| {
            let before = (self.words.start..at).filter(|at| self.is_free(*at));
            let run = names::capitalized_name(context, at)
                .filter(|_| before.clone().all(|at| empty(at) || context.is_in_list("common", at)))?;
            let end = run.clone().find(|at| !self.is_free(*at)).unwrap_or(run.end);
            Some(run.start..end)
        });
        let words = named.or_else(|| {
            let start = self.words.clone().find(|at| {
                self.is_free(*at) && (!empty(*at) || context.text.is_capital(*at) && *at > self.words.start)
            })?;
            // "400 mg" starts another column.
            let parts = |at: usize| !is_last && at > start && context.text.number_at(at).is_some();
            let mut end = (start..self.words.end)
                .find(|at| {
                    !self.is_free(*at)
                        || parts(*at)
                        || *at > start && context.text.before(*at).contains(['(', ')'])
                })
                .unwrap_or(self.words.end);
            while end > start && empty(end - 1) {
                end -= 1;
            }
            Some(start..end)
        });
        if let Some(words) = words.filter(|words| (1..=12).contains(&words.len())) {
            let value = json!(context.text.slice(&words));
            self.put(field, value, &words);
        }
    }
}

/// The columns of a row that a span states, in the order of the form.
pub(crate) fn row(context: &NluContext<'_>, parts: &[Field], words: &Range<usize>) -> Map<String, Value> {
    read(context, parts, words, |_| true)
}

/// The columns of an existing row that a span changes. Free text is never changed.
pub(crate) fn changes(context: &NluContext<'_>, parts: &[Field], words: &Range<usize>) -> Map<String, Value> {
    read(context, parts, words, |part| part != ColumnKind::Text)
}

fn read(
    context: &NluContext<'_>,
    parts: &[Field],
    words: &Range<usize>,
    wanted: impl Fn(ColumnKind) -> bool,
) -> Map<String, Value> {
    let mut reading =
        RowParser { context, words: words.clone(), free: vec![true; words.len()], row: Map::new() };
    let of = |kinds: &[ColumnKind]| -> Vec<&Field> {
        let kind = |field: &&Field| Some(column_kind(context, field)).filter(|part| wanted(*part));
        parts.iter().filter(|field| kind(field).is_some_and(|kind| kinds.contains(&kind))).collect()
    };
    let numeric = [ColumnKind::Quantity, ColumnKind::Number];
    of(&[ColumnKind::Choice]).into_iter().for_each(|field| reading.choice(field));
    of(&[ColumnKind::Day]).into_iter().for_each(|field| reading.day(field));
    of(&[ColumnKind::Price]).into_iter().for_each(|field| reading.price(field));
    of(&numeric).into_iter().for_each(|field| reading.parse_labelled_number(field));
    for field in of(&[ColumnKind::Quantity]).into_iter().chain(of(&[ColumnKind::Number])) {
        if !reading.row.contains_key(&field.name) {
            reading.number(field);
        }
    }
    of(&[ColumnKind::Class]).into_iter().for_each(|field| reading.class(field));
    let texts = of(&[ColumnKind::Text]);
    for (n, field) in texts.iter().enumerate() {
        reading.text(field, n + 1 == texts.len());
    }
    let row = reading.row;
    parts.iter().filter_map(|part| Some((part.name.clone(), row.get(&part.name)?.clone()))).collect()
}

/// Whether a word names a row: by a word of its main or text column, or by its date.
pub(crate) fn is_named(context: &NluContext<'_>, parts: &[Field], row: &Value, at: usize) -> bool {
    let said = |field: &Field| row.get(&field.name).and_then(Value::as_str);
    let main = main_part(context, parts).and_then(said).unwrap_or_default();
    let text = parts
        .iter()
        .find(|field| column_kind(context, field) == ColumnKind::Text)
        .and_then(said)
        .unwrap_or_default();
    let has = |text: &str| words_of(text).iter().any(|word| light_stem(word) == context.text.stem(at));
    let calendar = Calendar {
        today: context.turn.today,
        is_past: false,
        is_birth: false,
        languages: context.text.languages(),
    };
    let on = |field: &&Field| column_kind(context, field) == ColumnKind::Day;
    let day =
        parts.iter().find(on).and_then(said).zip(calendar.day_at(&context.text, at).and_then(|day| day.date));
    let short = context.text.folded(at).len() < 2;
    !short && (has(main) || has(text)) || day.is_some_and(|(own, day)| own == day.to_string())
}

/// The main column of a row: the first required enum or text column, else the first one, else the first
/// column.
pub(crate) fn main_part<'f>(context: &NluContext<'_>, parts: &'f [Field]) -> Option<&'f Field> {
    let is_word =
        |field: &&&Field| matches!(column_kind(context, field), ColumnKind::Choice | ColumnKind::Text);
    let fields: Vec<&Field> = parts.iter().collect();
    let required = fields.iter().filter(|field| field.required).find(is_word);
    required.or_else(|| fields.iter().find(is_word)).or_else(|| fields.first()).copied()
}

/// Whether a row is distinctive: an enum or class column and at least one more.
pub(crate) fn is_distinctive(context: &NluContext<'_>, parts: &[Field], row: &Map<String, Value>) -> bool {
    let known = |field: &Field| matches!(column_kind(context, field), ColumnKind::Choice | ColumnKind::Class);
    row.len() > 1 && parts.iter().any(|field| known(field) && row.contains_key(&field.name))
}

fn typed_number(field: &Field, value: f64) -> Value {
    if matches!(field.kind, FieldType::String) {
        json!(numbers::json(value).to_string())
    } else {
        numbers::json(value)
    }
}

/// The price after "at" or "for", or with a currency: start and end of its words, and the number.
fn price(context: &NluContext<'_>, words: &Range<usize>) -> Option<(usize, usize, SpokenNumber)> {
    words.clone().find_map(|at| {
        let number = context.text.number_at(at)?;
        let before = if at > words.start { context.text.folded(at - 1) } else { "" };
        let cued = context.lexicon.list("price_cue").has_word(before);
        // "3 @ 12.50"
        let signed = context.text.before(at).contains('@');
        let sum = context.text.money_at(at);
        let end = at + sum.map_or(number.tokens, |sum| sum.tokens);
        let named = sum.is_some() || context.list("each", at + number.tokens) > 0;
        (cued || signed || named).then_some((if cued { at - 1 } else { at }, end, number))
    })
}

/// The value of one column from the words that state it.
pub(crate) fn column_value(context: &NluContext<'_>, part: &Field, words: &Range<usize>) -> Option<Value> {
    if matches!(part.kind, FieldType::Number | FieldType::Integer) {
        return words
            .clone()
            .find_map(|at| context.text.number_at(at))
            .map(|number| numbers::json(number.value));
    }
    let told = read(context, std::slice::from_ref(part), words, |part| {
        part == ColumnKind::Choice || part == ColumnKind::Day
    });
    let text = || json!(context.text.slice(words));
    told.get(&part.name).cloned().or_else(|| (!words.is_empty()).then(text))
}
