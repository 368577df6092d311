//! Measures question answering by `extractive@formwork` on the paragraphs and questions of XQuAD, in English
//! and German.
//!
//! `cargo run --release -p rules-engine --example talk_corpus -- FOLDER [--verbose] [--speed]`, where FOLDER (or
//! `retrieval` in it) contains `xquad-en` and `xquad-de`. Each question is asked twice: with its paragraph
//! among four others, where the quotes must contain the answer; and with the four others alone, where there
//! is no answer. Every second paragraph is open: the rules are developed on these, and `--verbose` prints
//! their mistakes. The others are held out.
#![allow(clippy::print_stdout, reason = "a program whose product is its output")]

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use gen_core::{ChatRequest, Message, Part, Role};
use serde_json::Value;

/// Paragraphs beside the one with the answer.
const OTHERS: usize = 4;

#[derive(Default)]
struct Score {
    asked: usize,
    answered: usize,
    right: usize,
    absent: usize,
    refused: usize,
    characters: usize,
}

fn main() -> ExitCode {
    let (mut folder, mut verbose, mut speed) = (None, false, false);
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--verbose" => verbose = true,
            "--speed" => speed = true,
            _ => folder = Some(PathBuf::from(argument)),
        }
    }
    let within =
        |folder: PathBuf| Some(folder.join("retrieval")).filter(|part| part.is_dir()).unwrap_or(folder);
    let Some(folder) = folder.map(within) else {
        println!("usage: talk_corpus FOLDER [--verbose]");
        return ExitCode::FAILURE;
    };
    for name in ["xquad-en", "xquad-de"] {
        if let Err(error) = measure(&folder.join(name), name, verbose) {
            println!("the corpus could not be read: {error}");
            return ExitCode::FAILURE;
        }
    }
    if speed && let Err(error) = time(&folder.join("xquad-en")) {
        println!("the corpus could not be read: {error}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Measures the seconds for an answer and a summary of one, two, four and eight million characters.
fn time(folder: &Path) -> io::Result<()> {
    let documents = lines(&folder.join("documents.jsonl"))?;
    let texts: Vec<&str> = documents.iter().filter_map(|document| document["text"].as_str()).collect();
    let once = texts.join("\n\n");
    for millions in [1, 2, 4, 8] {
        let text: String = once.chars().cycle().take(millions * 1_000_000).collect();
        for prompt in ["How many points did the Panthers defense surrender?", "Summarise"] {
            let begun = Instant::now();
            let found = ask(&[&text], prompt).is_some();
            println!(
                "{millions} million characters, {prompt:?}: {:.2} s, answered: {found}",
                begun.elapsed().as_secs_f64()
            );
        }
    }
    Ok(())
}

fn lines(path: &Path) -> io::Result<Vec<Value>> {
    let text = fs::read_to_string(path)?;
    text.lines().map(|line| serde_json::from_str(line).map_err(io::Error::from)).collect()
}

fn measure(folder: &Path, name: &str, verbose: bool) -> io::Result<()> {
    let documents = lines(&folder.join("documents.jsonl"))?;
    let texts: Vec<&str> =
        documents.iter().map(|document| document["text"].as_str().unwrap_or_default()).collect();
    let places: HashMap<&str, usize> = documents
        .iter()
        .enumerate()
        .filter_map(|(at, document)| Some((document["id"].as_str()?, at)))
        .collect();
    let mut scores = [Score::default(), Score::default()];
    for query in lines(&folder.join("queries.jsonl"))? {
        let question = query["text"].as_str().unwrap_or_default();
        let relevant = query["relevant"].as_object().and_then(|relevant| relevant.keys().next());
        let Some(&home) = relevant.and_then(|id| places.get(id.as_str())) else { continue };
        let answers: Vec<&str> =
            query["answers"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        // Others at the same distances, so that some are of the same article.
        let others: Vec<usize> =
            [1, 2, 40, 90].iter().map(|step| (home + step) % texts.len()).take(OTHERS).collect();
        let Some(score) = scores.get_mut(home % 2) else { continue };
        let open = verbose && home % 2 == 0;
        let with: Vec<&str> = others.iter().chain([&home]).filter_map(|at| texts.get(*at)).copied().collect();
        let said = ask(&with, question);
        score.asked += 1;
        if let Some(said) = said {
            score.answered += 1;
            score.characters += said.len();
            let right = answers.iter().any(|answer| said.contains(answer));
            score.right += usize::from(right);
            if open && !right {
                println!("WRONG {question} {answers:?}\n    {said}");
            }
        } else if open {
            println!("NONE {question} {answers:?}");
        }
        let without: Vec<&str> = others.iter().filter_map(|at| texts.get(*at)).copied().collect();
        score.absent += 1;
        match ask(&without, question) {
            None => score.refused += 1,
            Some(said) if open => println!("FALSE {question}\n    {said}"),
            Some(_) => {}
        }
    }
    for (half, score) in ["open", "blind"].iter().zip(&scores) {
        let Score { asked, answered, right, absent, refused, characters } = score;
        let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
        println!(
            "{name} {half}: {asked} questions; answered {:.3}, right {:.3} of all, {:.3} of the answered; without the paragraph refused {:.3}; {} bytes an answer",
            share(*answered, *asked),
            share(*right, *asked),
            share(*right, *answered),
            share(*refused, *absent),
            characters / answered.max(&1),
        );
    }
    Ok(())
}

/// The answer; `None` if the model refuses.
fn ask(texts: &[&str], question: &str) -> Option<String> {
    let document =
        |text: &&str| Part::Document { name: String::new(), description: None, text: (*text).into() };
    let parts = texts.iter().map(document).chain([Part::Text(question.to_owned())]).collect();
    let request =
        ChatRequest { messages: vec![Message { role: Role::User, parts }], ..ChatRequest::default() };
    let text = rules_engine::answer(&request).ok()?.text;
    text.ends_with(']').then_some(text)
}
