//! Rows of a list of objects: "2 shirts at 15 each".

use std::ops::Range;

use forms_core::{Field, FieldType};
use serde_json::{Map, Value, json};

use super::numbers::{self, Number};
use super::scene::Scene;
use super::text::words_of;

/// What a part of a row holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Quantity,
    Price,
    Text,
}

fn part_of(scene: &Scene<'_>, field: &Field) -> Part {
    let names = words_of(&field.name);
    let is = |key: &str| {
        names.iter().any(|name| {
            let list = scene.lexicon.list("sense");
            list.lines(name)
                .any(|line| list.keys().get(line).and_then(|keys| keys.first()).is_some_and(|k| k == key))
        })
    };
    match field.kind {
        FieldType::Number | FieldType::Integer if is("money") => Part::Price,
        FieldType::Number | FieldType::Integer => Part::Quantity,
        _ if is("money") => Part::Price,
        _ if is("count") => Part::Quantity,
        _ => Part::Text,
    }
}

/// A row: its quantity, its price, and what is left as the name.
pub(super) fn row(scene: &Scene<'_>, parts: &[Field], words: &Range<usize>) -> Option<Value> {
    let find = |wanted: Part| parts.iter().find(|part| part_of(scene, part) == wanted);
    let mut row = Map::new();
    let mut left = words.clone();
    if let Some(field) = find(Part::Quantity)
        && let Some(number) = numbers::at(&scene.text, left.start)
    {
        row.insert(field.name.clone(), typed(field, number.value));
        left.start += number.words;
        left.start += usize::from(matches!(
            scene.text.plain(left.start),
            "x" | "of" | "times" | "mal" | "pieces" | "stuck" | "de"
        ));
    }
    if let Some(field) = find(Part::Price)
        && let Some((from, number)) = price(scene, &left)
    {
        row.insert(field.name.clone(), typed(field, number.value));
        left.end = from;
    }
    let text = find(Part::Text)?;
    while left.end > left.start
        && matches!(scene.text.plain(left.end - 1), "at" | "for" | "each" | "zu" | "a" | "je" | "fur")
    {
        left.end -= 1;
    }
    if left.is_empty() || left.len() > 12 {
        return None;
    }
    row.insert(text.name.clone(), json!(scene.text.slice(&left)));
    // In the order of the form.
    let ordered =
        parts.iter().filter_map(|part| Some((part.name.clone(), row.get(&part.name)?.clone()))).collect();
    Some(Value::Object(ordered))
}

fn typed(field: &Field, value: f64) -> Value {
    if matches!(field.kind, FieldType::String) {
        json!(numbers::json(value).to_string())
    } else {
        numbers::json(value)
    }
}

/// The number after "at" or "for", or with a currency: where its words begin, and the number.
fn price(scene: &Scene<'_>, words: &Range<usize>) -> Option<(usize, Number)> {
    words.clone().skip(1).find_map(|at| {
        let number = numbers::at(&scene.text, at)?;
        let before = scene.text.plain(at - 1);
        let cued = matches!(
            before,
            "at" | "for" | "zu" | "a" | "je" | "fur" | "pour" | "por" | "each" | "costing" | "cost"
        );
        let signed = scene.text.before(at).contains(['$', '€', '£', '@']);
        let named = scene.list("currency", at + number.words) > 0
            || scene.list("each", at + number.words) > 0
            || scene.text.gap(at + number.words - 1).contains(['$', '€', '£']);
        (cued || signed || named).then_some((if cued { at - 1 } else { at }, number))
    })
}

/// The value of one part of a row, from the words that give it.
pub(super) fn part_value(scene: &Scene<'_>, part: &Field, words: &Range<usize>) -> Option<Value> {
    match part.kind {
        FieldType::Number | FieldType::Integer => words
            .clone()
            .find_map(|at| numbers::at(&scene.text, at))
            .map(|number| numbers::json(number.value)),
        _ => (!words.is_empty()).then(|| json!(scene.text.slice(words))),
    }
}
