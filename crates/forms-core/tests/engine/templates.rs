//! The gallery of templates: every sample is read by the built-in model through the engine.

#![allow(clippy::print_stdout, reason = "the figures are shown")]

use forms_core::{FormSchema, validate_schema};
use rules_engine::schema::{FormTemplate, template, template_ids, template_languages};
use serde_json::{Map, Value};

use crate::built_in::read;
use crate::common::document;

fn templates(language: &str) -> Vec<FormTemplate> {
    template_ids(language).into_iter().map(|id| template(id, language).unwrap()).collect()
}

#[test]
fn every_template_is_a_valid_form_whose_sample_says_something_of_every_field() {
    for language in template_languages() {
        let templates = templates(language);
        assert!(templates.len() >= 30, "{language} has {}", templates.len());
        for FormTemplate { id, schema, record, sample, .. } in templates {
            assert_eq!(validate_schema(&Value::Object(schema.clone())), [], "{language} {id}");
            assert!(schema.keys().eq(record.keys()), "{language} {id}: {:?}", schema.keys());
            for (pointer, value) in leaves(&record) {
                assert!(
                    !value.is_null(),
                    "{language} {id}: {pointer} is not of its type: {} in\n{sample}",
                    schema[&pointer[1..].split('/').next().unwrap().to_owned()]
                );
            }
        }
    }
}

#[test]
fn every_sample_is_extracted() {
    let mut failed = Vec::new();
    for language in template_languages() {
        let mut score = Score::default();
        for template in templates(language) {
            score.add(&template);
        }
        let Score { values, right, wrong } = score;
        println!("{language}: {right} of {values} values right, {wrong} wrong");
        // Each language by itself: a sum would hide one that is not read.
        if right * 100 < values * 98 || wrong > 0 {
            failed.push(language);
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}

#[test]
fn an_unknown_kind_has_no_template() {
    assert_eq!(template("spaceship", "en"), None);
    assert_eq!(template("plain", "en"), None);
    assert_eq!(template("invoice", "xx"), None);
    assert!(template_ids("fi").is_empty());
}

/// Values of the samples, by what the extraction made of them.
#[derive(Debug, Default)]
struct Score {
    values: usize,
    right: usize,
    /// Another value than the sample's; what is missing is neither right nor wrong.
    wrong: usize,
}

impl Score {
    fn add(&mut self, template: &FormTemplate) {
        let schema = FormSchema::parse(&template.schema).unwrap();
        let extraction = read(&schema, &[document("sample.txt", &template.sample)]);
        for (pointer, expected) in leaves(&template.record) {
            let found =
                Value::Object(extraction.record.clone()).pointer(&pointer).cloned().unwrap_or_default();
            self.values += 1;
            if found == *expected || (expected.is_number() && found.as_f64() == expected.as_f64()) {
                self.right += 1;
                continue;
            }
            self.wrong += usize::from(!found.is_null());
            println!("{} {}{pointer}: {found} for {expected}", template.language, template.id);
        }
    }
}

/// The values of a record with their JSON pointers.
fn leaves(record: &Map<String, Value>) -> Vec<(String, &Value)> {
    let mut found = Vec::new();
    for (name, value) in record {
        add_leaves(&format!("/{name}"), value, &mut found);
    }
    found
}

fn add_leaves<'a>(pointer: &str, value: &'a Value, found: &mut Vec<(String, &'a Value)>) {
    match value {
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                add_leaves(&format!("{pointer}/{at}"), item, found);
            }
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                add_leaves(&format!("{pointer}/{name}"), value, found);
            }
        }
        value => found.push((pointer.to_owned(), value)),
    }
}
