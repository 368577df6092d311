//! Recorded answers of models, right and with every fault that models make, through the engine: a value
//! that was right never becomes wrong, and most that were wrong become right.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests assert"
)]

#[allow(dead_code, reason = "the bench tells more of each leaf")]
mod cases;
mod faults;
mod hostile;

use std::collections::BTreeMap;
use std::sync::Arc;

use forms_core::{Support, UnsupportedPolicy};
use gen_core::scripted::{ScriptedModel, text_answer};
use serde_json::{Value, json};

/// Leaves by theme: all, right in the raw answers, right in the records.
type Tally = BTreeMap<&'static str, [usize; 3]>;

#[test]
fn no_right_value_becomes_wrong_and_most_wrong_ones_become_right() {
    let mut tally = Tally::new();
    let mut broken = Vec::new();
    let mut left = Vec::new();
    let cases = cases::all();
    assert!(cases.len() >= 60, "{}", cases.len());
    for case in &cases {
        let extraction = case.extract(UnsupportedPolicy::Keep);
        for leaf in cases::score(&case.form, &case.answer, extraction.as_ref(), &case.truth) {
            let counts = tally.entry(case.theme).or_default();
            counts[0] += 1;
            counts[1] += usize::from(leaf.raw);
            counts[2] += usize::from(leaf.engine);
            let told = format!("{}: {} is {}, not {}", case.title, leaf.pointer, leaf.got, leaf.wanted);
            if leaf.raw && !leaf.engine {
                broken.push(told);
            } else if !leaf.engine {
                left.push(told);
            }
        }
    }
    assert!(broken.is_empty(), "right values became wrong:\n{}", broken.join("\n"));
    let sum = tally.values().fold([0; 3], |sum, counts| [0, 1, 2].map(|at| sum[at] + counts[at]));
    println!("by theme, leaves, right as answered, right after the engine: {tally:?}\nleft: {left:#?}");
    let (wrong, mended) = (sum[0] - sum[1], sum[2] - sum[1]);
    assert!(mended * 100 >= wrong * 95, "{mended} of {wrong} were mended:\n{}", left.join("\n"));
}

#[test]
fn right_values_have_exact_or_normalised_evidence() {
    let (mut right, mut shown, mut told) = (0, 0, Vec::new());
    for case in cases::all() {
        let extraction = case.extract(UnsupportedPolicy::Keep);
        for leaf in cases::score(&case.form, &case.answer, extraction.as_ref(), &case.truth) {
            let Some(support) = leaf.support.filter(|_| leaf.engine) else { continue };
            right += 1;
            match support {
                Support::Exact | Support::Normalised => shown += 1,
                other => told.push(format!("{}: {} {} is {other:?}", case.title, leaf.pointer, leaf.got)),
            }
        }
    }
    println!("{shown} of {right}: {told:#?}");
    assert!(shown * 1000 >= right * 970, "{shown} of {right}:\n{}", told.join("\n"));
}

#[test]
fn faults_injected_at_random_spoil_no_value_that_is_still_right() {
    let cases: Vec<cases::Case> = cases::all();
    let mut random = faults::Random::new(20_251_121);
    let (mut leaves, mut raw, mut engine, mut broken) = (0, 0, 0, Vec::new());
    for round in 0..40 {
        for case in &cases {
            let answer = faults::spoilt(&case.truth, &case.form, &mut random);
            let spoilt = cases::Case { answer, again: None, ..case.clone() };
            let extraction = spoilt.extract(UnsupportedPolicy::Keep);
            for leaf in cases::score(&case.form, &spoilt.answer, extraction.as_ref(), &case.truth) {
                leaves += 1;
                raw += usize::from(leaf.raw);
                engine += usize::from(leaf.engine);
                if leaf.raw && !leaf.engine {
                    broken.push(format!(
                        "{round} {}: {} is {}, not {}\n{}",
                        case.title, leaf.pointer, leaf.got, leaf.wanted, spoilt.answer
                    ));
                }
            }
        }
    }
    assert!(
        broken.is_empty(),
        "{} right values became wrong:\n{}",
        broken.len(),
        broken[..broken.len().min(12)].join("\n")
    );
    assert!(raw < engine, "{raw} of {leaves} were right, and {engine} are");
    println!("{leaves} leaves: {raw} right as answered, {engine} after the engine");
    assert!(engine * 100 >= leaves * 90, "{engine} of {leaves}");
}

#[test]
fn one_fault_spoils_none_of_its_neighbours() {
    let mut random = faults::Random::new(7);
    let (mut leaves, mut raw, mut broken) = (0, 0, Vec::new());
    for _ in 0..20 {
        for case in &cases::all() {
            let answer = faults::touched(&case.truth, &case.form, &mut random);
            let spoilt = cases::Case { answer, again: None, ..case.clone() };
            let extraction = spoilt.extract(UnsupportedPolicy::Keep);
            for leaf in cases::score(&case.form, &spoilt.answer, extraction.as_ref(), &case.truth) {
                leaves += 1;
                raw += usize::from(leaf.raw);
                if leaf.raw && !leaf.engine {
                    broken.push(format!(
                        "{} {}: {} is not {}",
                        case.title, leaf.pointer, leaf.got, leaf.wanted
                    ));
                }
            }
        }
    }
    assert!(broken.is_empty(), "right values became wrong:\n{}", broken.join("\n"));
    assert!(raw * 2 > leaves, "{raw} of {leaves} were right: the faults are too many to tell");
}

#[test]
fn whatever_a_right_answer_says_comes_out_as_it_was_said() {
    let form = json!({"s": {"type": "string"}, "t": {"type": "string"}, "n": {"type": "number"},
        "i": {"type": "integer"}, "d": {"type": "date"}, "l": {"type": "array", "items": {"type": "string"}},
        "o": {"type": "object", "properties": {"s": {"type": "string"}, "n": {"type": "number"}}}});
    let mut random = faults::Random::new(99);
    for _ in 0..600 {
        let number = |random: &mut faults::Random| {
            let digits = random.below(10_000_000) as f64;
            digits / [1.0, 10.0, 100.0, 1000.0][random.below(4)] * if random.once_in(5) { -1.0 } else { 1.0 }
        };
        let date =
            format!("{}-{:02}-{:02}", 1950 + random.below(100), 1 + random.below(12), 1 + random.below(28));
        let list: Vec<String> = (0..random.below(4)).map(|_| faults::words(&mut random)).collect();
        let truth = json!({"s": faults::words(&mut random), "t": faults::words(&mut random), "n": number(&mut random),
            "i": random.below(1_000_000), "d": date, "l": list,
            "o": {"s": faults::words(&mut random), "n": number(&mut random)}});
        // The document may print it all, or none of it, or something like it.
        let text = match random.below(3) {
            0 => String::new(),
            1 => truth.to_string().replace("\\\"", "\""),
            _ => truth.to_string().replace(['’', '“', '–'], "'").replace(' ', "\n").to_uppercase(),
        };
        let case = cases::Case {
            theme: "random",
            title: String::new(),
            form: form.clone(),
            documents: vec![("a.txt".to_owned(), text.clone())],
            answer: truth.to_string(),
            again: None,
            truth: truth.clone(),
        };
        let extraction = case.extract(UnsupportedPolicy::Keep);
        for leaf in cases::score(&form, &case.answer, extraction.as_ref(), &truth) {
            assert!(leaf.raw && leaf.engine, "{} is {}, not {}\n{text}", leaf.pointer, leaf.got, leaf.wanted);
        }
    }
}

#[test]
fn what_the_documents_do_not_show_is_kept_nulled_or_asked_for_as_the_setting_says() {
    let form = json!({
        "vendor": {"type": "string"}, "total": {"type": "number"}, "paid": {"type": "boolean"},
        "kind": {"type": "string", "enum": ["retail", "trade"]},
        "rows": {"type": "array", "items": {"type": "object", "properties": {"item": {"type": "string"}}}}
    });
    let schema = forms_core::FormSchema::parse(form.as_object().unwrap()).unwrap();
    let documents = [cases::document("a.txt", "Pike & Co\nTotal 45.00\nrake\nhoe")];
    let first = json!({"vendor": "Trout Ltd", "total": 45, "paid": true, "kind": "trade",
                       "rows": [{"item": "rake"}, {"item": "axe"}]});
    let second = json!({"vendor": "Pike & Co", "rows": [{"item": "rake"}, {"item": "saw"}]});
    let run = |unsupported| {
        let model = Arc::new(ScriptedModel::new([
            Ok(text_answer(first.to_string())),
            Ok(text_answer(second.to_string())),
        ]));
        let extraction = cases::extract(model.clone(), &schema, &documents, unsupported).unwrap();
        let paths: Vec<String> = extraction.errors.iter().map(|error| error.path.clone()).collect();
        (Value::Object(extraction.record), paths, model.asked())
    };
    let (record, errors, asked) = run(UnsupportedPolicy::Keep);
    assert_eq!((record, errors.len(), asked.len()), (first.clone(), 0, 1));

    let (record, errors, asked) = run(UnsupportedPolicy::Null);
    let nulled = json!({"vendor": null, "total": 45, "paid": true, "kind": "trade",
                        "rows": [{"item": "rake"}, {"item": null}]});
    assert_eq!((record, asked.len()), (nulled, 1));
    assert_eq!(errors, ["/vendor", "/rows/1/item"]);

    let (record, errors, asked) = run(UnsupportedPolicy::Ask);
    let mended = json!({"vendor": "Pike & Co", "total": 45, "paid": true, "kind": "trade",
                        "rows": [{"item": "rake"}, {"item": null}]});
    assert_eq!((record, asked.len()), (mended, 2));
    assert_eq!(errors, ["/rows/1/item"]);
    let again = &asked[1];
    assert_eq!(again.response_schema.as_ref().unwrap().schema["required"], json!(["vendor", "rows"]));
    let told = again.messages.last().map(|message| format!("{:?}", message.parts)).unwrap();
    assert!(told.contains("/vendor: the value given for 'vendor' is not found in the documents"), "{told}");
}
