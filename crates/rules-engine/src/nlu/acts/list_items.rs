//! The current items of a list, and which one a span names.

use std::collections::HashSet;
use std::ops::Range;

use language::stem::light_stem;
use serde_json::Value;

use crate::nlu::acts::entries::MAX_ITEMS;
use crate::nlu::context::field_profile::{FieldProfile, pointer};
use crate::nlu::context::nlu_context::NluContext;
use crate::nlu::tokens::message::words_of;

/// The current items of a list.
pub(crate) fn items<'s>(context: &'s NluContext<'_>, list: &FieldProfile<'_>) -> &'s [Value] {
    pointer(&context.turn, &list.path).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// The index of the item that a span names by position or by its words.
pub(crate) fn find_item(
    context: &NluContext<'_>,
    list: &FieldProfile<'_>,
    words: &Range<usize>,
) -> Option<usize> {
    let current = items(context, list);
    let is_one_of = |lists: [&str; 2], at: usize| lists.iter().any(|list| context.is_in_list(list, at));
    let noun = words.start + usize::from(is_one_of(["articles", "possessive"], words.start));
    if let Some((_, place)) = context.text.ordinal_at(noun, current.len()) {
        return Some(place);
    }
    // "item 3", "the number 2"
    let numbered = context.text.digits(noun + 1).filter(|_| is_one_of(["item_noun", "number_noun"], noun));
    if let Some(n) = numbered {
        return usize::try_from(n).ok()?.checked_sub(1).filter(|place| *place < current.len());
    }
    find_item_by_words(context, list, words)
}

/// The index of the item that a span names by its words.
fn find_item_by_words(
    context: &NluContext<'_>,
    list: &FieldProfile<'_>,
    words: &Range<usize>,
) -> Option<usize> {
    let said: Vec<&str> = words.clone().map(|at| context.text.stem(at)).collect();
    items(context, list).iter().position(|value| {
        let roots: Vec<String> = words_of(&text_of(value)).iter().map(|word| light_stem(word)).collect();
        !roots.is_empty()
            && (roots.iter().all(|word| said.contains(&word.as_str()))
                || said.iter().filter(|word| word.len() > 2).any(|word| roots.contains(&(*word).to_owned())))
    })
}

/// Whether a span mentions an existing item.
pub(crate) fn has_item(context: &NluContext<'_>, list: &FieldProfile<'_>, words: &Range<usize>) -> bool {
    let roots: HashSet<String> = items(context, list)
        .iter()
        .take(MAX_ITEMS)
        .flat_map(|item| words_of(&text_of(item)))
        .map(|word| light_stem(&word))
        .collect();
    words
        .clone()
        .filter(|at| {
            // "Remove Sue": a capital within a sentence marks a name.
            let is_name = context.text.is_capital(*at) && *at > context.sentence_words(*at).start;
            is_name || !["common", "break", "pronoun"].iter().any(|list| context.is_in_list(list, *at))
        })
        .any(|at| context.text.folded(at).len() > 2 && roots.contains(context.text.stem(at)))
}

/// The text of an item.
fn text_of(item: &Value) -> String {
    match item {
        Value::String(text) => text.clone(),
        Value::Object(parts) => parts.values().filter_map(Value::as_str).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

/// Strips a trailing "to the list".
pub(crate) fn strip_list_name(
    context: &NluContext<'_>,
    list: &FieldProfile<'_>,
    words: Range<usize>,
) -> Range<usize> {
    let is_list = |at: usize| {
        context.is_in_list("list_noun", at) || list.name.iter().any(|name| name == context.text.folded(at))
    };
    let end = words
        .clone()
        .find(|at| context.is_in_list("list_link", *at) && (at + 1..words.end.min(at + 4)).any(is_list));
    words.start..end.unwrap_or(words.end)
}
