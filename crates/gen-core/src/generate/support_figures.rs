//! Measures how often `supported` is correct; `cargo xtask bench refusals` runs it.
//!
//! True statements are made from the paragraphs of XQuAD (English, German): sentences with an answer as they
//! are, with their parts reordered, and cut to the part with the answer; and questions with the answer in
//! place of the question word. False statements are the same with a number or name swapped, negated, with the
//! answer of another question, or checked against another paragraph of the article. The rules were developed
//! on every second of the 48 articles; the others are held out.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use language::Language;
use language::fold::fold;
use language::sentence::sentences;
use language::token::{Word, words};
use language::vocabulary::{is_negation, is_stop_word};
use serde_json::Value;

use super::support::PassageText;

/// Paragraphs of an article. XQuAD has five of each: 240 of 48 articles.
const ARTICLE: usize = 5;
/// Minimum words of a statement. Chosen by hand; no measurement is recorded.
const LEAST_WORDS: usize = 4;

/// A statement to check against a paragraph.
struct Sample {
    kind: &'static str,
    text: String,
    passage: usize,
    is_true: bool,
}

/// Question words in lower case that an answer can replace, longer ones first.
const ASKING: [(&str, &[&str]); 2] = [
    (
        "xquad-en",
        &[
            "how many",
            "how much",
            "in what year",
            "what year",
            "who",
            "whom",
            "when",
            "where",
            "what is",
            "what was",
        ],
    ),
    (
        "xquad-de",
        &[
            "wie viele",
            "wie viel",
            "in welchem jahr",
            "wer",
            "wen",
            "wem",
            "wann",
            "wo",
            "was ist",
            "was war",
        ],
    ),
];
/// A negation follows these words.
const AUXILIARIES: [(&str, &str, &[&str]); 2] = [
    ("xquad-en", "not", &["is", "was", "are", "were", "can", "could", "will", "would", "has", "had"]),
    (
        "xquad-de",
        "nicht",
        &["ist", "war", "sind", "waren", "wurde", "wurden", "kann", "konnte", "wird", "hat"],
    ),
];

fn lines(name: &str, file: &str) -> Vec<Value> {
    let folder = PathBuf::from(std::env::var_os("FORMWORK_CORPUS").unwrap()).join("retrieval").join(name);
    let text = fs::read_to_string(folder.join(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A question and its answer, with the index of its paragraph.
struct AnsweredQuestion {
    home: usize,
    question: String,
    answer: String,
}

fn answered_questions(name: &str, documents: &[Value]) -> Vec<AnsweredQuestion> {
    let ids: HashMap<&str, usize> =
        documents.iter().enumerate().map(|(at, document)| (document["id"].as_str().unwrap(), at)).collect();
    let read = |query: Value| AnsweredQuestion {
        home: ids[query["relevant"].as_object().unwrap().keys().next().unwrap().as_str()],
        question: query["text"].as_str().unwrap().trim().to_owned(),
        answer: query["answers"][0].as_str().unwrap().to_owned(),
    };
    lines(name, "queries.jsonl").into_iter().map(read).collect()
}

/// The question with the answer in place of the question word.
fn substituted(name: &str, question: &str, answer: &str) -> Option<String> {
    let (_, asking) = ASKING.iter().find(|(other, _)| *other == name)?;
    let lower = question.to_lowercase();
    let found = asking.iter().find(|asks| lower.starts_with(&format!("{asks} ")))?;
    // Of "what is", the verb stays.
    let asks = found
        .split_once(" is")
        .or(found.split_once(" was"))
        .or(found.split_once(" ist"))
        .or(found.split_once(" war"));
    let asks = asks.map_or(*found, |(asks, _)| asks);
    let rest = question.get(asks.len()..)?.trim_end_matches(['?', ' ']);
    Some(format!("{answer}{rest}."))
}

/// The sentence with its parts before and after the first comma swapped.
fn reordered(sentence: &str) -> Option<String> {
    let (first, rest) = sentence.trim_end_matches('.').split_once(", ")?;
    Some(format!("{rest}, {first}."))
}

/// The part between commas that contains the answer.
fn shortened(sentence: &str, answer: &str) -> Option<String> {
    let part = sentence.split(", ").find(|part| part.contains(answer))?;
    (part.len() < sentence.len()).then(|| part.to_owned())
}

fn negate(name: &str, sentence: &str) -> Option<String> {
    let (_, not, auxiliaries) = AUXILIARIES.iter().find(|(other, ..)| *other == name)?;
    if words(sentence).any(|word| is_negation(named(name), &fold(word.text))) {
        return None;
    }
    let found = words(sentence).find(|word| auxiliaries.contains(&word.text))?;
    let end = found.start + found.text.len();
    Some(format!("{} {not}{}", &sentence[..end], &sentence[end..]))
}

/// The numbers of a text, or its names: in German, all capitalised words within a sentence.
fn marked(text: &str, language: Language, numbers: bool) -> Vec<Word<'_>> {
    let is_name = |word: &Word<'_>| {
        let within = text[..word.start].trim_end().ends_with(|c: char| c.is_lowercase() || c == ',');
        let long = word.text.chars().count() > 2;
        within
            && long
            && word.text.starts_with(char::is_uppercase)
            && !is_stop_word(language, &word.text.to_lowercase())
    };
    let has_digit = |word: &Word<'_>| word.text.contains(|c: char| c.is_ascii_digit());
    words(text)
        .filter(|word| if numbers { has_digit(word) } else { !has_digit(word) && is_name(word) })
        .collect()
}

/// The sentence with its first number or name replaced by the first of `others` that it does not have.
fn swapped(sentence: &str, language: Language, numbers: bool, others: &[Word<'_>]) -> Option<String> {
    let own = marked(sentence, language, numbers).into_iter().next()?;
    let other =
        others.iter().find(|other| !sentence.contains(other.text) && !own.text.contains(other.text))?;
    let end = own.start + own.text.len();
    Some(format!("{}{}{}", &sentence[..own.start], other.text, &sentence[end..]))
}

/// The language of a part of the corpus.
fn named(name: &str) -> Language {
    let german = Language::from_code("de").unwrap_or_default();
    if name == "xquad-de" { german } else { Language::ENGLISH }
}

fn samples(name: &'static str) -> (Vec<String>, Vec<Sample>) {
    let language = named(name);
    let documents = lines(name, "documents.jsonl");
    let texts: Vec<String> =
        documents.iter().map(|document| document["text"].as_str().unwrap().to_owned()).collect();
    let questions = answered_questions(name, &documents);
    let mut samples: Vec<Sample> = Vec::new();
    for (at, AnsweredQuestion { home, question, answer }) in questions.iter().enumerate() {
        let text = texts[*home].as_str();
        let beside = home / ARTICLE * ARTICLE + (home + 1) % ARTICLE;
        let Some(sentence) = sentences(text)
            .into_iter()
            .map(|(start, end)| &text[start..end])
            .find(|one| one.contains(answer.as_str()))
        else {
            continue;
        };
        let mut add = |kind, said: Option<String>, passage, is_true| {
            let said = said.filter(|said| words(said).count() >= LEAST_WORDS);
            samples.extend(said.map(|text| Sample { kind, text, passage, is_true }));
        };
        let quote = || Some(sentence.to_owned());
        add("quoted", quote(), *home, true);
        add("reordered", reordered(sentence), *home, true);
        add("shortened", shortened(sentence, answer), *home, true);
        let filled = substituted(name, question, answer);
        add("answer in the question", filled.clone(), *home, true);
        for (numbers, own, other) in [
            (true, "number of the paragraph", "number of another"),
            (false, "name of the paragraph", "name of another"),
        ] {
            let rest = text.replacen(sentence, "", 1);
            let here = marked(&rest, language, numbers);
            let mut there = marked(&texts[beside], language, numbers);
            there.retain(|one| !text.contains(one.text));
            add(own, swapped(sentence, language, numbers, &here), *home, false);
            add(other, swapped(sentence, language, numbers, &there), *home, false);
        }
        add("denied", negate(name, sentence), *home, false);
        let others = [at.wrapping_sub(1), at + 1];
        let wrong = others.iter().filter_map(|at| questions.get(*at)).find(|other| {
            other.home == *home
                && !other.answer.contains(answer.as_str())
                && !answer.contains(other.answer.as_str())
                && !question.contains(other.answer.as_str())
        });
        add(
            "another answer",
            wrong.and_then(|other| substituted(name, question, &other.answer)),
            *home,
            false,
        );
        if !texts[beside].contains(answer.as_str()) {
            add("quoted, another paragraph", quote(), beside, false);
            add("answer in the question, another paragraph", filled, beside, false);
        }
    }
    (texts, samples)
}

#[test]
#[ignore = "measures in some seconds, on the open corpus"]
fn measures_support() {
    for name in ["xquad-en", "xquad-de"] {
        let (texts, samples) = samples(name);
        let passages: Vec<PassageText<'_>> = texts.iter().map(|text| PassageText::new(text)).collect();
        for looked_at in [true, false] {
            let mut kinds: Vec<(&str, bool, usize, usize)> = Vec::new();
            for sample in samples.iter().filter(|one| (one.passage / ARTICLE).is_multiple_of(2) == looked_at)
            {
                let supported =
                    passages[sample.passage].support(&sample.text).is_some_and(|found| found.supported);
                if looked_at && supported != sample.is_true && std::env::var_os("FORMWORK_VERBOSE").is_some()
                {
                    println!("{name} {}: {}", sample.kind, sample.text);
                }
                if !kinds.iter().any(|one| one.0 == sample.kind) {
                    kinds.push((sample.kind, sample.is_true, 0, 0));
                }
                let kind = kinds.iter_mut().find(|one| one.0 == sample.kind).unwrap();
                kind.2 += 1;
                kind.3 += usize::from(supported == sample.is_true);
            }
            print_figures(name, looked_at, &kinds);
        }
    }
}

/// Prints the share of correct results by kind, and the totals.
fn print_figures(name: &str, looked_at: bool, kinds: &[(&str, bool, usize, usize)]) {
    let sum = |of: bool| {
        let kinds = || kinds.iter().filter(|kind| kind.1 == of);
        (kinds().map(|kind| kind.2).sum::<usize>() as f64, kinds().map(|kind| kind.3).sum::<usize>() as f64)
    };
    let ((positives, hits), (negatives, rejected)) = (sum(true), sum(false));
    let precision = hits / (hits + negatives - rejected);
    let half = if looked_at { "looked at" } else { "held out" };
    println!(
        "{name}, {half}: {} statements; precision {precision:.3}, recall {:.3}, specificity {:.3}, accuracy {:.3}",
        positives + negatives,
        hits / positives,
        rejected / negatives,
        (hits + rejected) / (positives + negatives),
    );
    for (kind, is_true, all, right) in kinds {
        let told = if *is_true { "true" } else { "false" };
        println!("    {told}, {kind} ({all}): right {:.3}", *right as f64 / *all as f64);
    }
}
