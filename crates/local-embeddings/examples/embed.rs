//! Embeds the lines of a file: `cargo run --release -p local-embeddings --example embed -- MODEL TEXTS OUT [THREADS [query]]`.
//! Each line is a JSON string. The vectors are written as consecutive 32-bit floats.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a program for developers")]

use std::path::PathBuf;
use std::time::Instant;

use futures_executor::block_on;
use gen_core::{EmbedModel as _, EmbedPurpose, EmbedRequest};
use local_embeddings::LocalModels;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, texts, out, rest @ ..] = arguments.as_slice() else {
        println!("MODEL TEXTS OUT [THREADS [query]]");
        return;
    };
    let threads = rest.first().and_then(|text| text.parse().ok()).unwrap_or(2);
    let purpose = match rest.get(1).map(String::as_str) {
        Some("query") => EmbedPurpose::Query,
        _ => EmbedPurpose::Document,
    };
    let start = Instant::now();
    let model = LocalModels::open(&[PathBuf::from(model)], threads).unwrap();
    let name = model.to_listed_models().remove(0).model;
    println!("loaded in {:.0?}", start.elapsed());
    let lines = std::fs::read_to_string(texts).unwrap();
    let texts: Vec<String> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let embed = |texts: Vec<String>| {
        let request = EmbedRequest { model: name.clone(), texts, purpose, ..EmbedRequest::default() };
        block_on(model.embed(request)).unwrap()
    };
    let (start, mut bytes, mut tokens) = (Instant::now(), Vec::new(), 0);
    for batch in texts.chunks(256) {
        let made = embed(batch.to_vec());
        tokens += made.usage.input_tokens;
        bytes.extend(made.vectors.iter().flatten().flat_map(|number| number.to_le_bytes()));
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} texts of {} tokens on the average: {:.1} texts/s, {:.0} tokens/s on {threads} threads",
        texts.len(),
        tokens / (texts.len() as u64).max(1),
        texts.len() as f64 / seconds,
        tokens as f64 / seconds
    );
    std::fs::write(out, bytes).unwrap();
    let mut times: Vec<_> = (0..50)
        .map(|number| {
            let start = Instant::now();
            embed(vec![format!("how long is the warranty of model {number}?")]);
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    println!("a query: p50 {:.1?}", times[times.len() / 2]);
}
