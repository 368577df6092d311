//! Removes duplicate sources: a document that is listed twice, or is in several knowledge bases, contributes
//! each of its parts once.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::candidates::ContextMaterial;
use crate::{Passage, SourceDocument};

/// Removes duplicate documents, and passages that earlier ones cover.
pub(super) fn remove_duplicates(material: &mut ContextMaterial) {
    let mut named: HashSet<String> = HashSet::new();
    material.documents.retain(|document| named.insert(content_key(document)));
    let mut given: HashMap<String, Vec<Range<u64>>> = HashMap::new();
    let mut texts: HashSet<String> = HashSet::new();
    let mut homes: HashMap<String, (Option<String>, String, String)> = HashMap::new();
    material.passages.retain_mut(|passage| {
        if let Some(hash) = passage.sha256.clone() {
            if named.contains(&hash) {
                return false;
            }
            // Passages of identical copies get the id and title of the copy that was found first.
            let Passage { knowledge_id, id, title, .. } = passage;
            let home = homes.entry(hash.clone());
            let home = home.or_insert_with(|| (knowledge_id.clone(), id.clone(), title.clone()));
            (*knowledge_id, *id, *title) = home.clone();
            let (own, given) = (places(passage), given.entry(hash).or_default());
            let covered = |place: &Range<u64>| given.iter().any(|other| overlaps(place, other));
            if !own.is_empty() && own.iter().all(covered) {
                return false;
            }
            given.extend(own);
        }
        texts.insert(passage.text.split_whitespace().collect::<Vec<_>>().join(" "))
    });
}

/// The identity of a document: its hash, else its id and text.
fn content_key(document: &SourceDocument) -> String {
    document.sha256.clone().unwrap_or_else(|| format!("{}\n{}", document.id, document.text))
}

/// The character ranges of the document in a passage.
fn places(passage: &Passage) -> Vec<Range<u64>> {
    let length = |at: usize, length: usize| {
        passage.text.get(at..at + length).map_or(0, |text| text.chars().count()) as u64
    };
    let place = passage.stretches.iter().map(|one| one.start..one.start + length(one.at, one.length));
    place.filter(|place| !place.is_empty()).collect()
}

/// Whether more than half of a range is in another one.
fn overlaps(place: &Range<u64>, other: &Range<u64>) -> bool {
    let shared = place.end.min(other.end).saturating_sub(place.start.max(other.start));
    shared * 2 > place.end - place.start
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SourceSpan;

    fn passage(base: &str, hash: &str, start: u64, text: &str) -> Passage {
        Passage {
            knowledge_id: Some(base.into()),
            id: format!("{base}-item"),
            title: String::new(),
            sha256: Some(hash.into()),
            page: None,
            score: 1.0,
            text: text.into(),
            stretches: vec![SourceSpan { at: 0, length: text.len(), start, page: None }],
        }
    }

    #[test]
    fn a_document_in_two_bases_gives_each_of_its_places_once_and_is_one_source() {
        let mut material = ContextMaterial {
            documents: Vec::new(),
            passages: vec![
                passage("a", "x", 0, "The gate opens at eight."),
                passage("b", "x", 0, "The gate opens at eight."),
                passage("b", "x", 100, "The gate closes at nine."),
                passage("b", "y", 0, "The gate is green."),
            ],
        };
        remove_duplicates(&mut material);
        let left: Vec<(&str, &str)> =
            material.passages.iter().map(|one| (one.id.as_str(), one.text.as_str())).collect();
        assert_eq!(
            left,
            [
                ("a-item", "The gate opens at eight."),
                ("a-item", "The gate closes at nine."),
                ("b-item", "The gate is green.")
            ]
        );
    }

    #[test]
    fn a_document_of_the_request_stands_for_its_copies_in_bases() {
        let document = |id: &str| SourceDocument {
            sha256: Some("x".into()),
            ..SourceDocument::new(id, "", "The gate opens at eight.")
        };
        let mut material = ContextMaterial {
            documents: vec![document("1"), document("2")],
            passages: vec![passage("a", "x", 0, "The gate opens at eight.")],
        };
        remove_duplicates(&mut material);
        assert_eq!((material.documents.len(), material.passages.len()), (1, 0));
    }
}
