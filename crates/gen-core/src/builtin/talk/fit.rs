//! Fits the weights of the logistic model that decides whether an answer is given, and tells how well it decides.
//!
//! `FORMWORK_CORPUS=FOLDER CARGO_PROFILE_DEV_OPT_LEVEL=1 cargo test -p gen-core --lib fits_the_weights -- --ignored
//! --nocapture` prints the weights and the figures, of every question, or with `FORMWORK_EVERY=3` of every third. The questions of XQuAD (English, German) are asked with the passages that a question would
//! select from their article or from the whole corpus: with their paragraph, where there is an answer, and without
//! it, where there is none; and the first half of each question is asked without it. Of the 48 articles every second
//! one is fitted on; the others tell what the weights are worth elsewhere. The questions of Cranfield, with and
//! without the abstracts that are relevant to them, tell it of another kind of text, and are not fitted on.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::answerability::{SIGNALS, Signals, least, probability};
use super::units::Reading;
use super::{Considered, consider, quote};
use crate::context::{Material, select};
use crate::text::{Language, detect};
use crate::{ContextItem, ContextOptions, SourceDocument};

/// Paragraphs of an article.
const ARTICLE: usize = 5;
/// Articles of which passages are selected.
const AROUND: usize = 12;
/// Tokens of the passages that a question selects from a corpus.
const TOKENS: usize = 3_000;

/// A question with passages.
struct Sample {
    language: &'static str,
    kind: &'static str,
    tuned: bool,
    /// Whether the passages hold the answer.
    answerable: bool,
    /// Whether what is quoted has it.
    right: bool,
    signals: Option<Signals>,
}

fn corpus() -> Option<PathBuf> {
    std::env::var_os("FORMWORK_CORPUS").map(|folder| PathBuf::from(folder).join("retrieval"))
}

/// Of how many questions one is asked.
fn every() -> usize {
    std::env::var_os("FORMWORK_EVERY").and_then(|every| every.to_str()?.parse().ok()).unwrap_or(1)
}

fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn documents(texts: &[(usize, &str)]) -> Vec<SourceDocument> {
    let document = |(at, text): &(usize, &str)| SourceDocument::of(at.to_string(), "", *text);
    texts.iter().map(document).collect()
}

/// What a question selects of the texts.
fn selected(texts: &[(usize, &str)], question: &str) -> Vec<ContextItem> {
    let material = Material { documents: documents(texts), passages: Vec::new() };
    select(material, question, TOKENS, ContextOptions::default()).0
}

/// The signals of the best place, and the answer that would be given.
fn asked(context: &[ContextItem], question: &str) -> (Option<Signals>, String) {
    let mut reading = Reading::default();
    for item in context {
        reading.add("", &item.text.as_str().into());
    }
    match consider(&reading, question, None, detect(question)) {
        Some(Considered { chosen, signals }) => (Some(signals), quote(&reading, &chosen, false).concat()),
        None => (None, String::new()),
    }
}

fn half(question: &str) -> String {
    let words: Vec<&str> = question.split_whitespace().collect();
    words[..words.len().div_ceil(2)].join(" ")
}

fn xquad(name: &'static str, samples: &mut Vec<Sample>) {
    let folder = corpus().unwrap().join(name);
    let documents = lines(&folder.join("documents.jsonl"));
    let texts: Vec<(usize, &str)> =
        documents.iter().map(|document| document["text"].as_str().unwrap()).enumerate().collect();
    let places: HashMap<&str, usize> =
        documents.iter().enumerate().map(|(at, document)| (document["id"].as_str().unwrap(), at)).collect();
    for query in lines(&folder.join("queries.jsonl")).into_iter().step_by(every()) {
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
        let cut = half(question);
        for (kind, question, texts, answerable) in [
            ("article", question, own, true),
            ("corpus", question, corpus, true),
            ("near misses", question, near.as_slice(), false),
            ("taken out", question, all.as_slice(), false),
            ("half, near", cut.as_str(), near.as_slice(), false),
            ("half, taken out", cut.as_str(), all.as_slice(), false),
        ] {
            let (signals, said) = asked(&selected(texts, question), question);
            let right = answerable && answers.iter().any(|answer| said.contains(answer));
            samples.push(Sample {
                language: name,
                kind,
                tuned: article.is_multiple_of(2),
                answerable,
                right,
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
    for query in lines(&folder.join("queries.jsonl")).into_iter().step_by(4 * every()) {
        let question = query["text"].as_str().unwrap();
        let relevant = query["relevant"].as_object().unwrap();
        let is_relevant = |at: usize| relevant.contains_key(documents[at]["id"].as_str().unwrap());
        let without: Vec<(usize, &str)> = texts.iter().copied().filter(|(at, _)| !is_relevant(*at)).collect();
        for (kind, texts, answerable) in [("corpus", &texts, true), ("taken out", &without, false)] {
            let (signals, _) = asked(&selected(texts, question), question);
            samples.push(Sample {
                language: "cranfield",
                kind,
                tuned: false,
                answerable,
                right: answerable,
                signals,
            });
        }
    }
}

/// Weights and bias by Newton's method with a ridge.
fn fit(samples: &[(Signals, bool)]) -> ([f64; SIGNALS], f64) {
    const N: usize = SIGNALS + 1;
    const RIDGE: f64 = 1.0;
    let mut weights = [0.0_f64; N];
    for _ in 0..25 {
        let (mut gradient, mut hessian) = ([0.0; N], vec![[0.0; N]; N]);
        for (signals, label) in samples {
            let mut x = [1.0; N];
            x.iter_mut().zip(signals).for_each(|(x, signal)| *x = f64::from(*signal));
            let sum: f64 = x.iter().zip(weights).map(|(x, weight)| x * weight).sum();
            let p = 1.0 / (1.0 + (-sum).exp());
            for at in 0..N {
                gradient[at] += (f64::from(u8::from(*label)) - p) * x[at];
                for other in 0..N {
                    hessian[at][other] += p * (1.0 - p) * x[at] * x[other];
                }
            }
        }
        for at in 0..N {
            let ridge = if at == SIGNALS { 1e-6 } else { RIDGE };
            gradient[at] -= ridge * weights[at];
            hessian[at][at] += ridge;
        }
        let step = solve(hessian, gradient);
        weights.iter_mut().zip(step).for_each(|(weight, step)| *weight += step);
    }
    let mut own = [0.0; SIGNALS];
    own.copy_from_slice(&weights[..SIGNALS]);
    (own, weights[SIGNALS])
}

fn solve<const N: usize>(mut a: Vec<[f64; N]>, mut b: [f64; N]) -> [f64; N] {
    for at in 0..N {
        let pivot = (at..N).max_by(|i, j| a[*i][at].abs().total_cmp(&a[*j][at].abs())).unwrap();
        a.swap(at, pivot);
        b.swap(at, pivot);
        for row in at + 1..N {
            let factor = a[row][at] / a[at][at];
            let pivot = a[at];
            for (own, other) in a[row].iter_mut().zip(pivot).skip(at) {
                *own -= factor * other;
            }
            b[row] -= factor * b[at];
        }
    }
    for at in (0..N).rev() {
        let known: f64 = (at + 1..N).map(|column| a[at][column] * b[column]).sum();
        b[at] = (b[at] - known) / a[at][at];
    }
    b
}

type Model<'a> = &'a dyn Fn(&Signals) -> f32;

fn given(sample: &Sample, model: Model<'_>) -> bool {
    let language = if sample.language == "xquad-de" { Language::German } else { Language::English };
    sample.signals.as_ref().is_some_and(|signals| model(signals) >= least(language))
}

fn share<'a>(of: impl Iterator<Item = &'a Sample>, is: impl Fn(&Sample) -> bool) -> (f64, usize) {
    let (mut hits, mut all) = (0_usize, 0_usize);
    for sample in of {
        all += 1;
        hits += usize::from(is(sample));
    }
    (hits as f64 / all.max(1) as f64, all)
}

fn tell(samples: &[Sample], model: Model<'_>) {
    for language in ["xquad-en", "xquad-de", "cranfield"] {
        for tuned in [true, false] {
            let of = || samples.iter().filter(move |one| one.language == language && one.tuned == tuned);
            if of().next().is_none() {
                continue;
            }
            let refused = |sample: &Sample| !given(sample, model);
            let (none, questions) = share(of().filter(|one| !one.answerable), refused);
            let (wrongly, _) = share(of().filter(|one| one.answerable), refused);
            let (right, _) = share(of().filter(|one| one.answerable && given(one, model)), |one| one.right);
            println!(
                "{language} {}: unanswerable ({questions}) refused {none:.3}, answerable refused {wrongly:.3}, right of the answered {right:.3}, AUROC {:.3}, ECE {:.3}",
                if tuned { "tuned" } else { "held out" },
                auroc(of(), model),
                calibration(of(), model),
            );
            let mut kinds: Vec<&str> = of().map(|one| one.kind).collect();
            kinds.sort_unstable();
            kinds.dedup();
            for kind in kinds {
                let (refused, all) = share(of().filter(|one| one.kind == kind), refused);
                println!("    {kind} ({all}): refused {refused:.3}");
            }
        }
    }
}

/// How often an answerable question is more probable than an unanswerable one.
fn auroc<'a>(of: impl Iterator<Item = &'a Sample>, model: Model<'_>) -> f64 {
    let mut scored: Vec<(f32, bool)> =
        of.map(|one| (one.signals.as_ref().map_or(0.0, model), one.answerable)).collect();
    scored.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut below, mut wins) = (0_usize, 0_usize);
    for (_, answerable) in &scored {
        if *answerable {
            wins += below;
        } else {
            below += 1;
        }
    }
    wins as f64 / (below * (scored.len() - below)).max(1) as f64
}

/// The expected calibration error over ten bins: how far probabilities are from shares of right answers.
fn calibration<'a>(of: impl Iterator<Item = &'a Sample>, model: Model<'_>) -> f64 {
    let mut bins = [(0.0_f64, 0.0_f64, 0.0_f64); 10];
    let mut all = 0.0;
    for one in of {
        let p = one.signals.as_ref().map_or(0.0, model);
        let bin = &mut bins[((p * 10.0) as usize).min(9)];
        *bin = (bin.0 + f64::from(p), bin.1 + f64::from(u8::from(one.right)), bin.2 + 1.0);
        all += 1.0;
    }
    bins.iter().map(|(said, right, _)| (said - right).abs()).sum::<f64>() / f64::max(all, 1.0)
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

#[test]
#[ignore = "fits the weights anew, in minutes, on the open corpus"]
fn fits_the_weights() {
    let samples = samples();
    // Half questions are mostly short; fitted on them, short questions that are whole would be refused.
    let is_open = |one: &&Sample| one.tuned && !one.kind.starts_with("half");
    let open: Vec<(Signals, bool)> =
        samples.iter().filter(is_open).filter_map(|one| Some((one.signals?, one.right))).collect();
    let (weights, bias) = fit(&open);
    println!("BIAS {bias:.4}");
    println!("WEIGHTS {:?}", weights.map(|weight| (weight * 1e4).round() / 1e4));
    let model = |signals: &Signals| {
        let sum: f64 = weights.iter().zip(signals).map(|(weight, signal)| weight * f64::from(*signal)).sum();
        (1.0 / (1.0 + (-(bias + sum)).exp())) as f32
    };
    tell(&samples, &model);
    println!("with the weights of the program:");
    tell(&samples, &probability);
}
