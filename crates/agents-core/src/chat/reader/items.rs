//! The items that a list has, and which one some words name.

use std::collections::HashSet;
use std::ops::Range;

use serde_json::Value;

use super::entries::MAX_ITEMS;
use super::numbers;
use super::profile::{Profile, pointer};
use super::scene::Scene;
use super::text::{root, words_of};

/// The current items.
pub(super) fn items<'s>(scene: &'s Scene<'_>, list: &Profile<'_>) -> &'s [Value] {
    pointer(&scene.heard, &list.path).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// The item that some words name: by its place, or by its words.
pub(super) fn place(scene: &Scene<'_>, list: &Profile<'_>, words: &Range<usize>) -> Option<usize> {
    let current = items(scene, list);
    let article = usize::from(matches!(
        scene.text.plain(words.start),
        "the"
            | "my"
            | "item"
            | "number"
            | "die"
            | "den"
            | "das"
            | "le"
            | "la"
            | "el"
            | "der"
            | "les"
            | "las"
            | "los"
    ));
    if let Some((_, place)) = numbers::ordinal(&scene.text, words.start + article, current.len()) {
        return Some(place);
    }
    let numbered = scene
        .text
        .digits(words.start + article)
        .filter(|_| matches!(scene.text.plain(words.start + article - article), "item" | "number"));
    if let Some(n) = numbered {
        return usize::try_from(n).ok()?.checked_sub(1).filter(|place| *place < current.len());
    }
    item_named(scene, list, words)
}

/// The item that some words name by its own words.
fn item_named(scene: &Scene<'_>, list: &Profile<'_>, words: &Range<usize>) -> Option<usize> {
    let said: Vec<&str> = words.clone().map(|at| scene.text.root(at)).collect();
    items(scene, list).iter().position(|value| {
        let roots: Vec<String> = words_of(&text_of(value)).iter().map(|word| root(word)).collect();
        !roots.is_empty()
            && (roots.iter().all(|word| said.contains(&word.as_str()))
                || said.iter().filter(|word| word.len() > 2).any(|word| roots.contains(&(*word).to_owned())))
    })
}

/// Whether some words speak of an item that is there.
pub(super) fn has_item(scene: &Scene<'_>, list: &Profile<'_>, words: &Range<usize>) -> bool {
    let roots: HashSet<String> = items(scene, list)
        .iter()
        .take(MAX_ITEMS)
        .flat_map(|item| words_of(&text_of(item)))
        .map(|word| root(&word))
        .collect();
    words
        .clone()
        .filter(|at| !["common", "break", "pronoun"].iter().any(|list| scene.is(list, *at)))
        .any(|at| scene.text.plain(at).len() > 2 && roots.contains(scene.text.root(at)))
}

/// The words of an item.
fn text_of(item: &Value) -> String {
    match item {
        Value::String(text) => text.clone(),
        Value::Object(parts) => parts.values().filter_map(Value::as_str).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

/// Words without "to the list" at their end.
pub(super) fn without_list(scene: &Scene<'_>, list: &Profile<'_>, words: Range<usize>) -> Range<usize> {
    let is_list = |at: usize| {
        matches!(scene.text.plain(at), "list" | "order" | "liste" | "lista" | "items")
            || list.name.iter().any(|name| name == scene.text.plain(at))
    };
    let end = words.clone().find(|at| {
        matches!(scene.text.plain(*at), "to" | "zu" | "zur" | "a" | "auf" | "on" | "from")
            && (at + 1..words.end.min(at + 4)).any(is_list)
    });
    words.start..end.unwrap_or(words.end)
}
