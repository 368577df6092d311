//! Every locale file is complete for its level and says nothing unknown.

#![allow(clippy::unwrap_used)]

#[path = "../build_script/schema.rs"]
#[allow(dead_code)]
mod schema;

use std::collections::BTreeSet;
use std::path::Path;

use toml::{Table, Value};

fn files() -> Vec<(String, Table)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("locales");
    let mut files: Vec<(String, Table)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).unwrap().parse().unwrap())
        })
        .collect();
    files.sort_by(|a, b| a.0.cmp(&b.0));
    files
}

fn table<'t>(files: &'t [(String, Table)], name: &str) -> &'t Table {
    files.iter().find(|(file, _)| file == name).map(|(_, table)| table).unwrap()
}

#[test]
fn every_locale_has_the_keys_of_its_level_and_no_others() {
    let files = files();
    let english = table(&files, "en.toml");
    let found: Vec<String> =
        files.iter().flat_map(|(file, locale)| schema::problems(file, locale, english)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn what_is_missing_or_unknown_is_named_with_its_file() {
    let files = files();
    let english = table(&files, "en.toml");
    let mut german = table(&files, "de.toml").clone();
    german.remove("stop_words");
    german.insert("stopwords".to_owned(), Value::from("der, die"));
    german.insert("compounds".to_owned(), Value::from("yes"));
    for (key, own) in [("months", "5"), ("cues", "yes"), ("replies", "greeting")] {
        german.get_mut(key).and_then(Value::as_table_mut).unwrap().remove(own);
    }
    let found: BTreeSet<String> = schema::problems("de.toml", &german, english).into_iter().collect();
    let expected = [
        "de.toml: `compounds` has another shape",
        "de.toml: missing key `cues.yes`",
        "de.toml: missing key `months.5`",
        "de.toml: missing key `replies.greeting`",
        "de.toml: missing key `stop_words`",
        "de.toml: unknown key `stopwords`",
    ];
    assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), expected);
}

#[test]
fn every_full_locale_has_words_of_each_part_of_speech_that_all_languages_have() {
    let parts = ["prepositions", "conjunctions", "auxiliaries", "pronouns"];
    for (file, locale) in
        files().iter().filter(|(_, locale)| schema::level(locale) == Some(schema::Need::Full))
    {
        let grammar = locale.get("grammar").and_then(Value::as_table).unwrap();
        for part in parts {
            assert!(!schema::joined(&grammar[part]).is_empty(), "{file}: grammar.{part}");
        }
    }
}

#[test]
fn replies_have_the_same_places_in_every_language() {
    let places = |text: &str| -> BTreeSet<String> {
        text.split('{')
            .skip(1)
            .filter_map(|rest| rest.split_once('}'))
            .map(|(name, _)| name.to_owned())
            .collect()
    };
    let files = files();
    let replies = |locale: &Table| locale.get("replies").and_then(Value::as_table).cloned();
    let english = replies(table(&files, "en.toml")).unwrap();
    for (file, locale) in &files {
        for (key, text) in replies(locale).unwrap_or_default() {
            let own = english.get(&key).and_then(Value::as_str).unwrap();
            assert_eq!(places(text.as_str().unwrap()), places(own), "{file}: replies.{key}");
        }
    }
}
