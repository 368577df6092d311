//! Answers of a model that is not there: the truth of a paper, with the faults of models injected by a
//! seeded generator. No vendor is asked in a bench; what a real model gets wrong, and how often, is an
//! assumption here: one value in eight is wrong, half of these another value of the same paper, the rest
//! misread or made up; and where the built-in model is wrong too, half of the wrong values are the same.
//! Every second answer is judged without a second reader, as fields are that the built-in model does not
//! know.

use std::sync::Arc;

use gen_core::scripted::{Scripted, says};
use gen_core::{ModelId, Provider};
use serde_json::{Map, Value};

use crate::cases;
use crate::faults::{Random, spoilt};
use crate::observed::{Observation, Paper, Read, Stated, extract};
use crate::score::{Compare, Half, same};

/// Answers to each paper, and to each recorded case.
const ROUNDS: usize = 4;
/// One value in so many is wrong.
const WRONG: usize = 8;

/// What the engine says of the values of such answers.
pub(crate) fn observed(papers: &[Paper]) -> Vec<Observation> {
    let mut random = Random::new(77);
    let mut observations = Vec::new();
    let nobody = Read::default();
    let id = ModelId { model: "made-up".to_owned(), provider: Provider::OpenAi };
    for (at, paper) in papers.iter().enumerate() {
        let (form, read) = (paper.form(), Read::of(paper));
        for round in 0..ROUNDS {
            let other = &papers[random.below(papers.len())];
            let record = answer(paper, if at == 0 { paper } else { other }, &read, &mut random);
            let reader = if round % 2 == 0 { Some(&read) } else { None };
            let model = Arc::new(Scripted::new([Ok(says(Value::Object(record.clone()).to_string())); 1]));
            let Some(extraction) = extract(paper, &form, model, &id, reader.is_some()) else { continue };
            observations.extend(paper.observe(&extraction, reader.unwrap_or(&nobody)));
        }
    }
    observations.extend(recorded(&mut random));
    observations
}

fn answer(paper: &Paper, other: &Paper, read: &Read, random: &mut Random) -> Map<String, Value> {
    let mut record = Map::new();
    for stated in paper.truth.iter().filter(|stated| is_printed(stated, &paper.text)) {
        let value = match random.once_in(WRONG) {
            false => worded(stated, random),
            true => wrong(stated, paper, other, read, random),
        };
        record.insert(stated.name.to_owned(), value);
    }
    // A field that the paper lacks is made up from what it has.
    for name in ["due_date", "birth_date", "iban", "email", "weight"] {
        if random.once_in(16) && paper.judge(name, &Value::Null) == Some(false) {
            let kind = if name.ends_with("date") { Compare::Text } else { Compare::Number };
            let stand_in = paper.truth.iter().find(|one| (one.name == "date") == (kind == Compare::Text));
            record.extend(stand_in.map(|one| (name.to_owned(), one.truth.clone())));
        }
    }
    record
}

/// Whether a paper's text has the letters of its truth: some stand in its pictures alone. Numbers, dates
/// and currencies are printed in too many forms to tell.
fn is_printed(stated: &Stated, text: &str) -> bool {
    let free = stated.compare == Compare::Number || stated.name.contains("date") || stated.name == "currency";
    let letters = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    free || stated.truth.as_str().is_none_or(|truth| letters(text).contains(&letters(truth)))
}

/// The truth as models write it.
fn worded(stated: &Stated, random: &mut Random) -> Value {
    match (&stated.truth, random.below(6)) {
        (Value::String(text), 0) if stated.compare == Compare::Text && stated.name != "date" => {
            let title = |word: &str| {
                let mut letters = word.chars();
                let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
                first + &letters.as_str().to_lowercase()
            };
            Value::from(text.split(' ').map(title).collect::<Vec<_>>().join(" "))
        }
        (Value::String(text), 1) => Value::from(text.replace(", ", ",").replace(" ,", ",")),
        (value, _) => value.clone(),
    }
}

fn wrong(stated: &Stated, paper: &Paper, other: &Paper, read: &Read, random: &mut Random) -> Value {
    let shared = read.record.get(stated.name).filter(|value| !value.is_null());
    if let Some(value) =
        shared.filter(|value| !same(stated.compare, value, &stated.truth) && random.once_in(2))
    {
        return value.clone();
    }
    let text = stated.truth.as_str().map_or_else(|| stated.truth.to_string(), str::to_owned);
    match random.below(8) {
        // Something else that the paper prints.
        0..4 => elsewhere(stated, paper, random).unwrap_or_else(|| Value::from(misread(&text, random))),
        4..6 => Value::from(misread(&text, random)),
        6 => {
            let part = text.split(' ').count().div_ceil(2);
            Value::from(text.split(' ').take(part).collect::<Vec<_>>().join(" "))
        }
        _ => other
            .truth
            .iter()
            .find(|one| one.name == stated.name)
            .map_or(Value::Null, |one| one.truth.clone()),
    }
}

fn elsewhere(stated: &Stated, paper: &Paper, random: &mut Random) -> Option<Value> {
    let numbers = || -> Vec<String> {
        let words = paper.text.split_whitespace();
        words
            .filter(|word| word.contains('.') && word.chars().all(|c| c.is_ascii_digit() || c == '.'))
            .map(str::to_owned)
            .collect()
    };
    let found: Vec<String> = match stated.compare {
        Compare::Number => numbers(),
        Compare::Text if stated.name.contains("date") => return None,
        Compare::Text => {
            paper.text.lines().map(str::trim).filter(|line| line.len() > 4).map(str::to_owned).collect()
        }
    };
    if found.is_empty() { None } else { Some(Value::from(found[random.below(found.len())].clone())) }
}

/// One digit, or else one letter, is another.
fn misread(text: &str, random: &mut Random) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let digits: Vec<usize> = (0..letters.len()).filter(|at| letters[*at].is_ascii_digit()).collect();
    let at = if digits.is_empty() { random.below(letters.len()) } else { digits[random.below(digits.len())] };
    if let Some(letter) = letters.get_mut(at) {
        *letter = match letter.to_digit(10) {
            Some(digit) => char::from_digit((digit + 1 + random.below(8) as u32) % 10, 10).unwrap_or('0'),
            None => 'x',
        };
    }
    letters.into_iter().collect()
}

/// Recorded cases with faults injected into their truths, and one value in eight made wrong.
fn recorded(random: &mut Random) -> Vec<Observation> {
    let mut observations = Vec::new();
    for case in cases::all() {
        for _ in 0..ROUNDS {
            let mut truth = case.truth.clone();
            for value in truth.as_object_mut().into_iter().flat_map(Map::values_mut) {
                if random.once_in(WRONG) && (value.is_string() || value.is_number()) {
                    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                    let wrong = misread(&text, random);
                    *value = value
                        .is_number()
                        .then(|| serde_json::from_str(&wrong).ok())
                        .flatten()
                        .unwrap_or_else(|| Value::from(wrong));
                }
            }
            let answer = spoilt(&truth, &case.form, random);
            let spoilt = cases::Case { answer, again: None, ..case.clone() };
            let extraction = spoilt.extract(forms_core::Unsupported::Keep);
            for leaf in cases::score(&case.form, &spoilt.answer, extraction.as_ref(), &case.truth) {
                let Some(confidence) = leaf.confidence.filter(|_| !leaf.got.is_null()) else { continue };
                observations.push(Observation {
                    kind: "recorded",
                    half: Half::Blind,
                    field: leaf.pointer,
                    right: leaf.engine,
                    confidence: f64::from(confidence),
                    support: leaf.support.unwrap_or(forms_core::Support::Unsupported),
                    checked: false,
                    mentions: 0,
                    second: None,
                });
            }
        }
    }
    observations
}
