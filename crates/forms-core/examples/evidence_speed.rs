//! How long the engine itself computes, beside a model that answers at once: large texts, long tables,
//! values that are not there.
//!
//! `cargo run --release -p forms-core --example evidence_speed`
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "an example that measures")]

use std::fmt::Write as _;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use async_trait::async_trait;
use document::Document;
use forms_core::{
    ExtractRequest, Extraction, ExtractionEngine, FormSchema, GroupDocument, NoopAnswerStore, Support,
};
use gen_core::{
    CallerContext, ChatAnswer, ChatModel, ChatRequest, GenService, ModelId, Part, Provider, ProviderError,
};
use serde_json::{Map, Value, json};
use shared_core::{Scope, UserId, WorkspaceId};

#[derive(Debug)]
struct Fixed(String);

#[async_trait]
impl ChatModel for Fixed {
    async fn chat(&self, _: ChatRequest) -> Result<ChatAnswer, ProviderError> {
        Ok(ChatAnswer { text: self.0.clone(), ..ChatAnswer::default() })
    }
}

/// Milliseconds that this thread has computed, where the system tells; else milliseconds that went by.
fn cpu() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| START.get_or_init(Instant::now).elapsed().as_secs_f64() * 1e3, |ns| ns / 1e6)
}

/// Reads the lines `| n | item | count | price |` that it is shown.
#[derive(Debug)]
struct Rows;

#[async_trait]
impl ChatModel for Rows {
    async fn chat(&self, request: ChatRequest) -> Result<ChatAnswer, ProviderError> {
        let mut rows = Vec::new();
        for part in request.messages.iter().flat_map(|message| &message.parts) {
            let Part::Document { text, .. } = part else { continue };
            for line in text.lines() {
                let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
                if let [n, item, count, price] = cells.as_slice()
                    && let (Ok(n), Ok(count), Ok(price)) =
                        (n.parse::<u32>(), count.parse::<u32>(), price.parse::<f64>())
                {
                    rows.push(json!({"n": n, "item": item, "count": count, "price": price}));
                }
            }
        }
        Ok(ChatAnswer { text: json!({"rows": rows}).to_string(), ..ChatAnswer::default() })
    }
}

/// Repeatable filler: words of varied length, some numbers, a line end now and then.
fn filler(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 64);
    let mut state = 1_u64;
    while text.len() < bytes {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let n = state >> 40;
        let _ = match n % 9 {
            0 => write!(text, "{}.{:02} ", n % 10_000, n % 97),
            1 => writeln!(text),
            2 => write!(text, "{:02}/{:02}/20{:02} ", n % 28 + 1, n % 12 + 1, n % 30),
            _ => write!(text, "w{:x} ", n % 60_000),
        };
    }
    text
}

fn measure(name: &str, schema: &Value, answer: &Value, text: String) {
    let megabytes = text.len() as f64 / 1e6;
    let schema = FormSchema::parse(schema.as_object().unwrap()).unwrap();
    let generation = GenService::builder()
        .with_chat(Provider::Formwork, Arc::new(Fixed(answer.to_string())))
        .with_chat(Provider::OpenAi, Arc::new(Rows))
        .build();
    // Without an answer to give, the reader of rows is asked, part by part.
    let model = if answer.is_null() { "m@openai".parse().unwrap() } else { ModelId::extractive() };
    let document = Arc::new(Document { text, ..Document::default() });
    let documents = [GroupDocument { name: "a.txt".into(), description: None, document, host: None }];
    let payer =
        CallerContext::keyless(Scope { workspace: WorkspaceId("w".into()), user: UserId("u".into()) });
    let request = ExtractRequest {
        payer: &payer,
        schema: &schema,
        instructions: "",
        model: &model,
        documents: &documents,
        answers: &NoopAnswerStore,
    };
    let engine = ExtractionEngine::new(generation);
    // Of small texts many, since the system tells the time in steps.
    let rounds = if request.documents[0].document.text.len() < 10_000 { 2_000 } else { 1 };
    let start = cpu();
    let mut found = Extraction::default();
    for _ in 0..rounds {
        found = futures_executor::block_on(engine.extract(request)).unwrap();
    }
    let time = (cpu() - start) / f64::from(rounds);
    let of = |support| found.evidence.values().filter(|evidence| evidence.support == support).count();
    println!(
        "{name}: {megabytes:.2} MB, {} values, {} exact, {} normalised, {} fuzzy, {} unsupported, {time:.2} ms",
        found.evidence.len(),
        of(Support::Exact),
        of(Support::Normalised),
        of(Support::Fuzzy),
        of(Support::Unsupported),
    );
}

fn fields(count: usize, value: impl Fn(usize) -> Value) -> (Value, Value) {
    let mut schema = Map::new();
    let mut answer = Map::new();
    for n in 0..count {
        let value = value(n);
        let kind = if value.is_number() { "number" } else { "string" };
        schema.insert(format!("field_{n}"), json!({"type": kind}));
        answer.insert(format!("field_{n}"), value);
    }
    (schema.into(), answer.into())
}

fn main() {
    let (schema, answer) = fields(6, |n| match n {
        0 => json!("ACME Trading Sdn Bhd"),
        1 => json!("12/03/2018"),
        2 => json!(9),
        _ => json!(format!("Lot {n}, Jalan Besar, 50000 Kuala Lumpur")),
    });
    let receipt =
        "ACME TRADING SDN BHD\nLOT 3, JALAN BESAR,\n50000 KUALA LUMPUR\n12/03/2018\nTOTAL RM 9.00\n";
    measure("receipt", &schema, &answer, receipt.to_owned());
    let invoice: String = (0..5).map(|n| format!("| {n} | Item {n} | 3 | 4.50 |\n")).collect();
    let rows = json!({"rows": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"},
        "item": {"type": "string"}, "count": {"type": "integer"}, "price": {"type": "number"}}}}});
    let terms = "Goods stay the seller's until they are paid, within 30 days of 1 May 2024.\n".repeat(60);
    measure("invoice of 5 rows and a page, with its model", &rows, &Value::Null, format!("{invoice}{terms}"));

    let text = filler(5_000_000);
    let words: Vec<&str> = text.split_whitespace().collect();
    let (schema, answer) =
        fields(40, |n| json!(words[words.len() - 100_000 * n / 40 - 5..][..3].join(" ").to_uppercase()));
    measure("5 MB, 40 texts that are there", &schema, &answer, text.clone());
    let (schema, answer) = fields(40, |n| match n % 3 {
        0 => json!(format!("w{n:x} nowhere here w{n:x} to find")),
        1 => json!(1e6 + n as f64),
        _ => json!(format!("2031-01-{:02}", n % 28 + 1)),
    });
    measure("5 MB, 40 values that are not", &schema, &answer, text.clone());

    let mut table = String::new();
    let mut rows = Vec::new();
    for n in 0..1_500 {
        let _ = writeln!(table, "| {n} | Item {} | {} | {}.50 |", n % 40, n % 7, n % 90);
        rows.push(json!({"n": n, "item": format!("Item {}", n % 40), "count": n % 7, "price": f64::from(n % 90) + 0.5}));
    }
    let schema = json!({"rows": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"},
        "item": {"type": "string"}, "count": {"type": "integer"}, "price": {"type": "number"}}}}});
    measure("table of 1,500 rows", &schema, &json!({"rows": rows}), table.clone());
    measure("the same in 5 MB", &schema, &json!({"rows": rows}), format!("{text}{table}"));
    measure("the table in parts, with its model", &schema, &Value::Null, table.clone());
    measure("the same in 5 MB, with its model", &schema, &Value::Null, format!("{text}{table}"));
    let absent: Vec<Value> =
        (0..1_500).map(|n| json!({"item": format!("w{n:x} w{:x} absent w{:x}", n + 1, n + 2)})).collect();
    measure("1,500 rows that are not there, 5 MB", &schema, &json!({"rows": absent}), text);
    let same = "the same words again and ".repeat(200_000);
    let (schema, answer) = fields(40, |n| json!(format!("the same words {n} again")));
    measure("repeated words, 5 MB", &schema, &answer, same);
    let (schema, answer) = fields(40, |_| json!("a"));
    measure("one letter 2,500,000 times", &schema, &answer, "a ".repeat(2_500_000));
    let (schema, answer) = fields(40, |_| json!("ab ".repeat(30_000)));
    measure("40 values of 90 kB over the same words", &schema, &answer, "ab ".repeat(1_000_000));
}
