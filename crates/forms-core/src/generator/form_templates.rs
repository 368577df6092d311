//! Templates of common forms, for phrases that name a form and none of its fields. The data is in
//! `kinds.txt`.

use std::sync::OnceLock;

use super::language::Language;
use super::words::{matches_at, word_count, words};

/// A template: the phrases that name the form, and its fields as a list.
#[derive(Debug)]
struct FormTemplate {
    language: Language,
    names: Vec<&'static str>,
    fields: &'static str,
}

fn form_templates() -> &'static [FormTemplate] {
    static KINDS: OnceLock<Vec<FormTemplate>> = OnceLock::new();
    KINDS.get_or_init(|| {
        let mut language = Language::English;
        let mut kinds = Vec::new();
        for line in include_str!("kinds.txt").lines() {
            match line.trim() {
                "[english]" => language = Language::English,
                "[german]" => language = Language::German,
                "[french]" => language = Language::French,
                "[spanish]" => language = Language::Spanish,
                line => kinds.extend(line.split_once(" = ").map(|(names, fields)| FormTemplate {
                    language,
                    names: names.split(", ").collect(),
                    fields,
                })),
            }
        }
        kinds
    })
}

/// The template that `text` names: its list of fields and its language. The text's own language takes
/// precedence, then the longest name, then the first in the text.
pub(super) fn template_fields(text: &str, language: Language) -> Option<(&'static str, Language)> {
    let spaced = text.replace(['-', '/', ',', '.', ':', '?', '!'], " ");
    let texts = [words(&spaced), words(text)];
    let rank = |kind: &FormTemplate| {
        let places = kind.names.iter().filter_map(|name| {
            let (bare, weight) = name.strip_prefix('~').map_or((*name, word_count(name)), |bare| (bare, 0));
            let place = |words: &Vec<_>| (0..words.len()).find(|at| matches_at(words, *at, bare));
            texts.iter().find_map(place).map(|at| (weight, usize::MAX - at))
        });
        places.max()
    };
    let best = |own: bool| {
        let kinds = form_templates().iter().filter(|kind| (kind.language == language) == own);
        kinds.filter_map(|kind| rank(kind).map(|rank| (rank, kind))).max_by_key(|(rank, _)| *rank)
    };
    best(true).or_else(|| best(false)).map(|(_, kind)| (kind.fields, kind.language))
}

/// The template for an unknown kind of form.
pub(super) fn plain_form(language: Language) -> &'static str {
    let plain = form_templates().iter().find(|kind| kind.language == language && kind.names == ["*"]);
    plain.map_or("name; date; description", |kind| kind.fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_read_and_has_fields() {
        assert!(form_templates().len() >= 60);
        assert!(
            form_templates().iter().all(|kind| kind.fields.split(';').count() >= 3 && !kind.names.is_empty())
        );
        assert_eq!(plain_form(Language::German), "Name; Datum; Beschreibung");
    }

    #[test]
    fn the_longest_name_decides() {
        let of = |text| template_fields(text, Language::English).unwrap().0.split(';').next().unwrap();
        assert_eq!(of("a purchase order for our suppliers"), "order number (required)");
        assert_eq!(of("sign up"), "full name (required)");
        assert_eq!(template_fields("nothing of the sort", Language::English), None);
    }
}
