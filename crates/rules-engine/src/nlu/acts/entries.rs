//! Splits an enumeration into entries at commas, "and" and line breaks, each in the type of the list's items.

use std::ops::Range;

use forms_core::{Field, FieldType};
use language::date::spoken::Calendar;
use language::fold::fold_word;
use language::stem::light_stem;
use serde_json::{Map, Value, json};

use crate::nlu::acts::rows;
use crate::nlu::context::nlu_context::NluContext;
use crate::nlu::entities::answer_frame::strip_answer_frame;
use crate::nlu::entities::numbers;
use crate::nlu::tokens::message::words_of;

/// Most items taken from one message.
pub(crate) const MAX_ITEMS: usize = 100;

/// The entries of an enumeration.
pub(crate) fn entries(context: &NluContext<'_>, item: &Field, words: &Range<usize>) -> Vec<Value> {
    let pieces = split(context, words);
    if let FieldType::Object(parts) = &item.kind {
        return row_entries(context, parts, pieces);
    }
    let several = pieces.len() > 1;
    pieces.into_iter().take(MAX_ITEMS).filter_map(|piece| entry(context, item, &piece, several)).collect()
}

/// The rows of an enumeration. A piece without the main column continues the previous row.
fn row_entries(context: &NluContext<'_>, parts: &[Field], pieces: Vec<Range<usize>>) -> Vec<Value> {
    let main = rows::main_part(context, parts).map(|field| field.name.as_str()).unwrap_or_default();
    let mut found: Vec<Map<String, Value>> = Vec::new();
    for piece in pieces.into_iter().take(MAX_ITEMS) {
        let row = rows::row(context, parts, &piece);
        match found.last_mut().filter(|last| !row.contains_key(main) || !last.contains_key(main)) {
            Some(last) if row.keys().all(|name| !last.contains_key(name)) => last.extend(row),
            _ if row.contains_key(main) || row.len() > 1 => found.push(row),
            _ => {}
        }
    }
    let in_order = |mut row: Map<String, Value>| {
        parts.iter().filter_map(|part| Some((part.name.clone(), row.remove(&part.name)?))).collect()
    };
    found.into_iter().map(in_order).map(Value::Object).collect()
}

/// Splits words at commas and "and".
pub(crate) fn split(context: &NluContext<'_>, words: &Range<usize>) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut start = words.start;
    for at in words.clone() {
        let joins =
            context.is_in_list("and", at) && !(at == words.start && context.text.folded(at).len() == 1);
        let digits = context.text.is_digits(at)
            && context.text.is_digits(at + 1)
            && !context.text.gap(at).contains(' ');
        let parted = context.text.gap(at).contains([',', ';', '&', '\n', '(', ')']) && !digits;
        if joins {
            pieces.push(start..at);
            start = at + 1;
        } else if parted || at + 1 == words.end {
            pieces.push(start..at + 1);
            start = at + 1;
        }
    }
    pieces
        .into_iter()
        .map(|piece| strip_answer_frame(context, &piece))
        .filter(|piece| !piece.is_empty())
        .collect()
}

/// One entry in the type of the list's items.
fn entry(context: &NluContext<'_>, item: &Field, words: &Range<usize>, several: bool) -> Option<Value> {
    if !item.options.is_empty() {
        let said = fold_word(context.text.slice(words));
        let roots: Vec<&str> = words.clone().map(|at| context.text.stem(at)).collect();
        let fits = |option: &&String| {
            fold_word(option) == said
                || words_of(option).iter().all(|word| roots.contains(&light_stem(word).as_str()))
        };
        return item.options.iter().find(fits).map(|option| json!(option));
    }
    let number = || context.text.number_at(words.start).map(|number| numbers::json(number.value));
    match item.kind {
        FieldType::Number | FieldType::Integer => number(),
        FieldType::Date => {
            let calendar = Calendar {
                today: context.turn.today,
                is_past: false,
                is_birth: false,
                languages: context.text.languages(),
            };
            let day =
                words.clone().find_map(|at| calendar.day_at(&context.text, at)).and_then(|day| day.date);
            Some(day.map_or_else(
                || json!(context.text.slice(words)),
                |day| json!(day.format("%Y-%m-%d").to_string()),
            ))
        }
        FieldType::String | FieldType::Email | FieldType::Url => {
            // "1. open the app": drop the number.
            let numbered = context.text.is_digits(words.start)
                && words.len() > 1
                && context.text.gap(words.start).starts_with(['.', ')'])
                && context.text.gap(words.start).ends_with(' ');
            let words = &(words.start + usize::from(numbered)..words.end);
            // "I could start in January" is a sentence; "I open the app" may be a step.
            let next = words.start + 1;
            let speaks = context.is_in_list("pronoun", words.start)
                && (context.is_in_list("auxiliary", next) || context.is_in_list("negation", next));
            let sane = words.len() <= 12
                && !speaks
                && (several
                    || !words
                        .clone()
                        .all(|at| context.is_in_list("common", at) || context.is_in_list("pronoun", at)));
            sane.then(|| json!(context.text.slice(words)))
        }
        _ => None,
    }
}
