//! Measures how the chunk size affects lexical retrieval: the paragraphs of XQuAD, five to a document as in
//! the articles that they are from, and its questions, in English and German.
//!
//! `cargo run --release -p kb-core --example chunk_sizes -- FOLDER`, where FOLDER (or `retrieval` in it)
//! contains `xquad-en` and `xquad-de`. A chunk answers a question when it contains an answer within the
//! paragraph that the question was made from. Reported are the share of questions that the first chunk
//! answers, and the first five; and the same with as many chunks as have 1,500 tokens together, which is what
//! fits into a prompt.
#![allow(clippy::print_stdout, reason = "a program whose product is its output")]

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use document::Document;
use documents_core::{Limits, parse};
use futures_executor::block_on;
use gen_core::estimate_tokens;
use kb_core::{
    Chunk, ChunkKey, Chunking, IndexError, IndexMark, IndexedChunk, LexicalIndex as _, LexicalQuery,
    MemoryLexicalIndex, chunk,
};
use serde_json::Value;

/// Paragraphs per document.
const TOGETHER: usize = 5;
/// Tokens of a prompt.
const PROMPT: usize = 1_500;

fn main() -> ExitCode {
    let within =
        |folder: PathBuf| Some(folder.join("retrieval")).filter(|part| part.is_dir()).unwrap_or(folder);
    let Some(folder) = std::env::args().nth(1).map(PathBuf::from).map(within) else {
        println!("usage: chunk_sizes FOLDER");
        return ExitCode::FAILURE;
    };
    for (name, language) in [("xquad-en", "en"), ("xquad-de", "de")] {
        for tokens in [60, 100, 150, 200, 300, 400, 600] {
            if let Err(error) = measure(&folder.join(name), language, tokens) {
                println!("it could not be measured: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

fn lines(path: &Path) -> io::Result<Vec<Value>> {
    let text = fs::read_to_string(path)?;
    text.lines().map(|line| serde_json::from_str(line).map_err(io::Error::from)).collect()
}

/// A paragraph's document, and its character range there.
type Place = (usize, std::ops::Range<u64>);

fn measure(folder: &Path, language: &str, tokens: u32) -> io::Result<()> {
    let paragraphs = lines(&folder.join("documents.jsonl"))?;
    let (documents, places) = documents(&paragraphs)?;
    let cut: Vec<Vec<Chunk>> =
        documents.iter().map(|document| chunk(document, Chunking { tokens })).collect();
    let words = block_on(index(&cut, language)).map_err(io::Error::other)?;
    let (mut asked, mut first, mut five, mut prompt) = (0_u32, 0_u32, 0_u32, 0_u32);
    for query in lines(&folder.join("queries.jsonl"))? {
        let relevant = query["relevant"].as_object().and_then(|relevant| relevant.keys().next());
        let Some(place) = relevant.and_then(|id| places.get(id.as_str())) else { continue };
        let answers: Vec<&str> =
            query["answers"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let search = LexicalQuery {
            base: 1,
            text: query["text"].as_str().unwrap_or_default().to_owned(),
            languages: vec![language.to_owned()],
            items: None,
            limit: 50,
            ..LexicalQuery::default()
        };
        let found = block_on(words.search(&search)).map_err(io::Error::other)?;
        let chunks: Vec<(usize, &Chunk)> = found.hits.iter().filter_map(|hit| named(&cut, hit.key)).collect();
        let answering = chunks.iter().position(|one| is_answer(*one, place, &answers));
        let before = chunks.iter().scan(0, |sum, (_, chunk)| {
            *sum += estimate_tokens(&chunk.text);
            Some(*sum)
        });
        let fitting = before.take_while(|sum| *sum <= PROMPT).count();
        asked += 1;
        first += u32::from(answering == Some(0));
        five += u32::from(answering.is_some_and(|at| at < 5));
        prompt += u32::from(answering.is_some_and(|at| at < fitting));
    }
    let share = |part: u32| f64::from(part) / f64::from(asked.max(1));
    println!(
        "{language}, {tokens} tokens: {} chunks; the first {:.3}, the first five {:.3}, within {PROMPT} tokens {:.3}",
        cut.iter().map(Vec::len).sum::<usize>(),
        share(first),
        share(five),
        share(prompt),
    );
    Ok(())
}

/// The paragraphs as documents, with the place of each.
fn documents(paragraphs: &[Value]) -> io::Result<(Vec<Document>, HashMap<&str, Place>)> {
    let (mut documents, mut places) = (Vec::new(), HashMap::new());
    for (at, together) in paragraphs.chunks(TOGETHER).enumerate() {
        let mut text = String::new();
        for paragraph in together {
            let begin = text.chars().count() as u64;
            text.push_str(paragraph["text"].as_str().unwrap_or_default().trim());
            places.insert(
                paragraph["id"].as_str().unwrap_or_default(),
                (at, begin..text.chars().count() as u64),
            );
            text.push_str("\n\n");
        }
        let document = parse(text.as_bytes(), "article.txt", &Limits::default()).map_err(io::Error::other)?;
        documents.push(document);
    }
    Ok((documents, places))
}

async fn index(cut: &[Vec<Chunk>], language: &str) -> Result<MemoryLexicalIndex, IndexError> {
    let words = MemoryLexicalIndex::new();
    for (item, chunks) in cut.iter().enumerate() {
        let indexed = |chunk: &Chunk| IndexedChunk {
            key: ChunkKey { item: item as i64, position: chunk.position },
            base: 1,
            sequence: 1,
            title: String::new(),
            heading: chunk.heading.clone(),
            text: chunk.text.clone(),
            language: Some(language.to_owned()),
        };
        words.put(chunks.iter().map(indexed).collect()).await?;
    }
    words.commit(IndexMark::default()).await?;
    Ok(words)
}

fn named(cut: &[Vec<Chunk>], key: ChunkKey) -> Option<(usize, &Chunk)> {
    let item = usize::try_from(key.item).ok()?;
    Some((item, cut.get(item)?.get(key.position as usize)?))
}

fn is_answer((item, chunk): (usize, &Chunk), (document, place): &Place, answers: &[&str]) -> bool {
    let (begin, end) = (chunk.start.max(place.start), chunk.end.min(place.end));
    if item != *document || begin >= end {
        return false;
    }
    let skip = usize::try_from(begin - chunk.start).unwrap_or(usize::MAX);
    let take = usize::try_from(end - begin).unwrap_or(usize::MAX);
    let part: String = chunk.text.chars().skip(skip).take(take).collect();
    answers.iter().any(|answer| part.contains(answer))
}
