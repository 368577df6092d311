//! External ids within one request: each is of one item.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use shared_core::Violation;

use super::new_data::{EntryAttributes, NewData, NewPassage};

/// The chunks that have an id.
struct Group<'a> {
    first: &'a NewPassage,
    index: usize,
    has_text: bool,
}

/// The violations of ids that a request has for two items, and of ids for chunks without text.
pub(super) fn repeated_ids(data: &NewData) -> Vec<Violation> {
    let mut seen: HashMap<&str, Option<Group<'_>>> = HashMap::new();
    let mut violations = Vec::new();
    let mut fail = |path: String, rule: &str| violations.push(Violation::new(path, rule));
    let files = data.files.iter().map(|entry| ("file_ids", &entry.attributes));
    let urls = data.urls.iter().map(|entry| ("urls", &entry.attributes));
    let texts = data.texts.iter().map(|entry| ("texts", &entry.attributes));
    let others = files.enumerate().chain(urls.enumerate()).chain(texts.enumerate());
    for (index, (list, attributes)) in others {
        let Some(id) = &attributes.external_id else { continue };
        if seen.insert(id, None).is_some() {
            fail(format!("/{list}/{index}/externalId"), "'externalId' must occur only once in a request");
        }
    }
    for (index, chunk) in data.chunks.iter().enumerate() {
        let Some(id) = &chunk.attributes.external_id else { continue };
        let has_text = !chunk.content.trim().is_empty();
        let group = match seen.entry(id) {
            Entry::Vacant(vacant) => {
                vacant.insert(Some(Group { first: chunk, index, has_text }));
                continue;
            }
            Entry::Occupied(occupied) => occupied.into_mut(),
        };
        match group.as_mut().filter(|group| is_of_one_item(group.first, chunk)) {
            Some(group) => group.has_text |= has_text,
            None => {
                let rule = "chunks with one 'externalId' must have one title, meta and expiry, and no other                             entry may have it";
                fail(format!("/chunks/{index}/externalId"), rule);
            }
        }
    }
    // Nothing could replace the content of the item.
    let blank = seen.into_values().flatten().filter(|group| !group.has_text).map(|group| group.index);
    let mut blank: Vec<usize> = blank.collect();
    blank.sort_unstable();
    for index in blank {
        fail(format!("/chunks/{index}/content"), "the chunks of an 'externalId' must have text");
    }
    violations
}

fn is_of_one_item(one: &NewPassage, other: &NewPassage) -> bool {
    let EntryAttributes { meta, expires, external_id: _ } = &one.attributes;
    (&one.title, meta, expires) == (&other.title, &other.attributes.meta, &other.attributes.expires)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{NewText, UrlEntry};

    fn own(id: &str) -> EntryAttributes {
        EntryAttributes { external_id: Some(id.into()), ..EntryAttributes::default() }
    }

    fn chunk(title: &str, content: &str, id: &str) -> NewPassage {
        NewPassage { title: title.into(), content: content.into(), page: None, attributes: own(id) }
    }

    fn broken(data: &NewData) -> Vec<String> {
        repeated_ids(data).into_iter().map(|violation| violation.path).collect()
    }

    #[test]
    fn an_id_is_of_one_entry_or_of_the_chunks_of_one_item() {
        let text = |id: &str| NewText { attributes: own(id), ..NewText::default() };
        let mut other = chunk("t", "c", "x");
        other.attributes.meta = json!({"a": 1}).as_object().cloned().unwrap();
        let chunks = vec![
            chunk("t", "", "x"),
            chunk("t", "c", "x"),
            chunk("u", "c", "x"),
            other,
            chunk("t", "c", "b"),
            chunk("t", " ", "z"),
            NewPassage::default(),
        ];
        let urls = vec![UrlEntry { url: "u".into(), attributes: own("a") }];
        let data =
            NewData { urls, texts: vec![text("a"), text("b"), text("a")], chunks, ..NewData::default() };
        assert_eq!(
            broken(&data),
            [
                "/texts/0/externalId",
                "/texts/2/externalId",
                "/chunks/2/externalId",
                "/chunks/3/externalId",
                "/chunks/4/externalId",
                "/chunks/5/content"
            ]
        );
        assert!(broken(&NewData { texts: vec![NewText::default(); 3], ..NewData::default() }).is_empty());
    }
}
