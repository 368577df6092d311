//! Fits the weights of the logistic model that decides whether an answer is returned, and measures its
//! decisions; `cargo xtask bench refusals` runs it.
//!
//! The questions of XQuAD (English, German) are asked with the passages that they select from their article
//! or from the whole corpus: with their paragraph, which has the answer, and without it. The first half of
//! each question is asked without the paragraph. The model is fitted on every second of the 48 articles; the
//! others are held out. Not fitted on are the first halves with the paragraph, the content words of each
//! question as users type them, and the questions of Cranfield with and without the abstracts that are
//! relevant to them.

mod logistic;
mod report;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use gen_core::{ContextItem, ContextMaterial, ContextOptions, SourceDocument, select_context};
use language::detect::detect;
use language::token::words;
use language::vocabulary::is_stop_word;
use serde_json::Value;

use super::answerability::{Signals, probability};
use super::units::UnitIndex;
use super::weights::{BIAS, WEIGHTS};
use super::{AnswerCandidate, consider, quote};

/// Paragraphs of an article. XQuAD has five of each: 240 of 48 articles.
const ARTICLE: usize = 5;
/// Articles of which passages are selected. The corpus of one question (docs/benchmarks/generation.md).
const AROUND: usize = 12;
/// Maximum tokens of the passages that a question selects from a corpus. Chosen by hand; no measurement is
/// recorded.
const TOKENS: usize = 3_000;

/// Maximum words of a short question. As reported in docs/benchmarks/generation.md.
const SHORT: usize = 6;

/// A question with its passages.
struct Sample {
    /// The folder of the corpus.
    language: &'static str,
    kind: &'static str,
    /// Whether its article is in the training set.
    is_fitted_on: bool,
    /// Whether it is the complete question.
    whole: bool,
    short: bool,
    /// Whether the paragraph with the answer is in the corpus.
    beside: bool,
    /// Whether the passages contain the answer.
    answerable: bool,
    /// Whether the quotes contain the answer.
    right: bool,
    signals: Option<Signals>,
}

fn corpus() -> Option<PathBuf> {
    std::env::var_os("FORMWORK_CORPUS").map(|folder| PathBuf::from(folder).join("retrieval"))
}

fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn documents(texts: &[(usize, &str)]) -> Vec<SourceDocument> {
    let document = |(at, text): &(usize, &str)| SourceDocument::new(at.to_string(), "", *text);
    texts.iter().map(document).collect()
}

/// The passages that a question selects of the texts.
fn select_passages(texts: &[(usize, &str)], question: &str) -> Vec<ContextItem> {
    let material = ContextMaterial { documents: documents(texts), passages: Vec::new() };
    select_context(material, question, TOKENS, ContextOptions::default()).0
}

/// The signals of the best unit, and the answer that would be returned.
fn ask_question(context: &[ContextItem], question: &str) -> (Option<Signals>, String) {
    let mut reading = UnitIndex::default();
    for item in context {
        reading.add("", &item.text.as_str().into());
    }
    match consider(&reading, question, None, detect(question)) {
        Some(AnswerCandidate { chosen, signals }) => {
            (Some(signals), quote(&reading, &chosen, false).concat())
        }
        None => (None, String::new()),
    }
}

fn half(question: &str) -> String {
    let words: Vec<&str> = question.split_whitespace().collect();
    words[..words.len().div_ceil(2)].join(" ")
}

/// The content words of a question, as users type them.
fn keywords(question: &str) -> String {
    let language = detect(question);
    let content = words(question).map(|word| word.text);
    content.filter(|word| !is_stop_word(language, &word.to_lowercase())).collect::<Vec<_>>().join(" ")
}

fn xquad(name: &'static str, samples: &mut Vec<Sample>) {
    let folder = corpus().unwrap().join(name);
    let documents = lines(&folder.join("documents.jsonl"));
    let texts: Vec<(usize, &str)> =
        documents.iter().map(|document| document["text"].as_str().unwrap()).enumerate().collect();
    let places: HashMap<&str, usize> =
        documents.iter().enumerate().map(|(at, document)| (document["id"].as_str().unwrap(), at)).collect();
    for query in lines(&folder.join("queries.jsonl")) {
        let question = query["text"].as_str().unwrap();
        let home = places[query["relevant"].as_object().unwrap().keys().next().unwrap().as_str()];
        let answers: Vec<&str> =
            query["answers"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let article = home / ARTICLE;
        // The articles around it stand for a corpus.
        let from = article.saturating_sub(AROUND / 2).min(texts.len() / ARTICLE - AROUND);
        let corpus = &texts[from * ARTICLE..(from + AROUND) * ARTICLE];
        let own = &texts[article * ARTICLE..(article + 1) * ARTICLE];
        let near: Vec<(usize, &str)> = own.iter().copied().filter(|(at, _)| *at != home).collect();
        let all: Vec<(usize, &str)> = corpus.iter().copied().filter(|(at, _)| *at != home).collect();
        let (cut, keys) = (half(question), keywords(question));
        let (own, near, corpus, all) = (own, near.as_slice(), corpus, all.as_slice());
        for (kind, asks, texts, beside) in [
            ("article", question, own, true),
            ("corpus", question, corpus, true),
            ("near misses", question, near, false),
            ("taken out", question, all, false),
            ("half, article", &cut, own, true),
            ("half, near", &cut, near, false),
            ("half, taken out", &cut, all, false),
            ("keywords, article", &keys, own, true),
            ("keywords, corpus", &keys, corpus, true),
            ("keywords, near", &keys, near, false),
            ("keywords, taken out", &keys, all, false),
        ] {
            let (signals, said) = ask_question(&select_passages(texts, asks), asks);
            let answerable = beside && !kind.starts_with("half");
            samples.push(Sample {
                language: name,
                kind,
                is_fitted_on: article.is_multiple_of(2),
                whole: asks == question,
                short: question.split_whitespace().count() <= SHORT,
                beside,
                answerable,
                right: answerable && answers.iter().any(|answer| said.contains(answer)),
                signals,
            });
        }
    }
}

fn cranfield(samples: &mut Vec<Sample>) {
    let folder = corpus().unwrap().join("cranfield");
    let documents = lines(&folder.join("documents.jsonl"));
    let texts: Vec<(usize, &str)> =
        documents.iter().map(|document| document["text"].as_str().unwrap()).enumerate().collect();
    for query in lines(&folder.join("queries.jsonl")).into_iter().step_by(4) {
        let question = query["text"].as_str().unwrap();
        let relevant = query["relevant"].as_object().unwrap();
        let is_relevant = |at: usize| relevant.contains_key(documents[at]["id"].as_str().unwrap());
        let without: Vec<(usize, &str)> = texts.iter().copied().filter(|(at, _)| !is_relevant(*at)).collect();
        for (kind, texts, answerable) in [("corpus", &texts, true), ("taken out", &without, false)] {
            let (signals, _) = ask_question(&select_passages(texts, question), question);
            samples.push(Sample {
                language: "cranfield",
                kind,
                is_fitted_on: false,
                whole: true,
                short: false,
                beside: answerable,
                answerable,
                right: answerable,
                signals,
            });
        }
    }
}

fn samples() -> Vec<Sample> {
    let mut parts: Vec<Vec<Sample>> = Vec::new();
    std::thread::scope(|scope| {
        let works: [fn(&mut Vec<Sample>); 3] =
            [|all| xquad("xquad-en", all), |all| xquad("xquad-de", all), cranfield];
        let running: Vec<_> = works
            .into_iter()
            .map(|work| {
                scope.spawn(move || {
                    let mut all = Vec::new();
                    work(&mut all);
                    all
                })
            })
            .collect();
        parts = running.into_iter().map(|one| one.join().unwrap()).collect();
    });
    parts.into_iter().flatten().collect()
}

/// Whether the weights are fitted on a sample.
fn is_fitted_on(sample: &Sample) -> bool {
    let half = sample.kind.starts_with("half") && !sample.beside;
    sample.is_fitted_on && (sample.whole || half)
}

#[test]
#[ignore = "fits the weights anew, in minutes, on the open corpus"]
fn fits_the_weights() {
    let samples = samples();
    let fitted = samples.iter().filter(|one| is_fitted_on(one));
    let fitted: Vec<(Signals, bool)> = fitted.filter_map(|one| Some((one.signals?, one.right))).collect();
    let (weights, bias) = logistic::fit(&fitted);
    let rounded = |weight: f64| (weight * 1e3).round() / 1e3;
    println!("BIAS {}\nWEIGHTS {:?}", rounded(bias), weights.map(rounded));
    let steps = weights.iter().zip(WEIGHTS).map(|(new, old)| (new - f64::from(old)).abs());
    let step = steps.fold((bias - f64::from(BIAS)).abs(), f64::max);
    println!("the weights of the program are these to {step:.4}");
    let model = |signals: &Signals| {
        let sum: f64 = weights.iter().zip(signals).map(|(weight, signal)| weight * f64::from(*signal)).sum();
        (1.0 / (1.0 + (-(bias + sum)).exp())) as f32
    };
    report::print_report(&samples, &model);
    report::print_bounds(&samples, &model);
    if step > 0.01 {
        println!("with the weights of the program:");
        report::print_report(&samples, &probability);
    }
}
