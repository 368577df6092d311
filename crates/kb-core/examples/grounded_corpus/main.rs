//! Measures grounded answers of `extractive@formwork`: the paragraphs of XQuAD as a knowledge base, and its
//! questions, in English and German.
//!
//! `cargo run --release -p kb-core --example grounded_corpus -- FOLDER [--verbose] [--some]`, where FOLDER
//! (or `retrieval` in it) contains `xquad-en` and `xquad-de`; with `--some`, only every fifth question is
//! used. The paragraphs are distributed over two bases alternately. Each question is sent to the base that
//! has its paragraph, where the quote must contain the answer and the citation must be the paragraph. It is
//! also sent to the other base, which has paragraphs of the same article and no answer.
#![allow(clippy::print_stdout, reason = "a program whose product is its output")]

mod farm;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use farm::Farm;
use futures_executor::block_on;
use serde_json::Value;

#[derive(Default)]
struct Score {
    asked: u32,
    given: u32,
    answered: u32,
    right: u32,
    cited: u32,
    refused: u32,
}

fn main() -> ExitCode {
    let (mut folder, mut verbose, mut every) = (None, false, 1);
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--verbose" => verbose = true,
            "--some" => every = 5,
            _ => folder = Some(PathBuf::from(argument)),
        }
    }
    let within =
        |folder: PathBuf| Some(folder.join("retrieval")).filter(|part| part.is_dir()).unwrap_or(folder);
    let Some(folder) = folder.map(within) else {
        println!("usage: grounded_corpus FOLDER [--verbose]");
        return ExitCode::FAILURE;
    };
    for name in ["xquad-en", "xquad-de"] {
        if let Err(error) = block_on(measure(&folder.join(name), name, every, verbose)) {
            println!("the corpus could not be read: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn lines(path: &Path) -> io::Result<Vec<Value>> {
    let text = fs::read_to_string(path)?;
    text.lines().map(|line| serde_json::from_str(line).map_err(io::Error::from)).collect()
}

async fn measure(folder: &Path, name: &str, every: usize, verbose: bool) -> io::Result<()> {
    let farm = Farm::new();
    let documents = lines(&folder.join("documents.jsonl"))?;
    let text = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let texts: Vec<(String, String)> =
        documents.iter().map(|document| (text(document, "id"), text(document, "text"))).collect();
    let part = |turn: usize| texts.iter().skip(turn).step_by(2).cloned().collect::<Vec<_>>();
    let bases = [farm.base(part(0)).await, farm.base(part(1)).await];
    let places: HashMap<&str, usize> =
        texts.iter().enumerate().map(|(at, (id, _))| (id.as_str(), at % 2)).collect();
    let mut score = Score::default();
    for query in lines(&folder.join("queries.jsonl"))?.into_iter().step_by(every) {
        let question = text(&query, "text");
        let relevant = query["relevant"].as_object().and_then(|relevant| relevant.keys().next());
        let Some((id, &place)) = relevant.and_then(|id| Some((id, places.get(id.as_str())?))) else {
            continue;
        };
        let golden: Vec<String> =
            query["answers"].as_array().into_iter().flatten().filter_map(Value::as_str).map(plain).collect();
        score.asked += 1;
        let answer = farm.ask(&bases[place], &question).await;
        score.given += u32::from(answer.titles.contains(id));
        if !answer.cited.is_empty() {
            score.answered += 1;
            let said = plain(&answer.text);
            let right = golden.iter().any(|golden| said.contains(golden));
            score.right += u32::from(right);
            score.cited += u32::from(answer.cited.contains(id));
            if verbose && !right {
                println!("wrong: {question}\n  {}\n  {golden:?}", answer.text);
            }
        } else if verbose {
            println!("none: {question}\n  {golden:?}");
        }
        let absent = farm.ask(&bases[1 - place], &question).await;
        score.refused += u32::from(absent.cited.is_empty());
        if verbose && !absent.cited.is_empty() {
            println!("made up: {question}\n  {}", absent.text);
        }
    }
    report(name, &score);
    Ok(())
}

/// Only letters and digits, in lower case.
fn plain(text: &str) -> String {
    let words = text.to_lowercase();
    words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn report(name: &str, score: &Score) {
    let share = |part: u32, of: u32| f64::from(part) / f64::from(of.max(1));
    println!(
        "{name}: {} questions; the paragraph was given {:.3}; answered {:.3}, of these right {:.3}, citing the \
         paragraph {:.3}; without the paragraph refused {:.3}",
        score.asked,
        share(score.given, score.asked),
        share(score.answered, score.asked),
        share(score.right, score.answered),
        share(score.cited, score.answered),
        share(score.refused, score.asked),
    );
}
