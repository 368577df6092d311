//! How long the engine itself takes, beside a model that answers at once: large texts, long tables,
//! values that are not there.
//!
//! `cargo run --release -p forms-core --example evidence_speed`
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "an example that measures")]

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use documents_core::Document;
use forms_core::{ExtractRequest, ExtractionEngine, FormSchema, GroupDocument, NoKeptAnswers, Support};
use gen_core::{ChatAnswer, ChatModel, ChatRequest, GenService, ModelId, Payer, Provider, ProviderError};
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
    let model = ModelId::extractive();
    let generation =
        GenService::builder().with_chat(Provider::Formwork, Arc::new(Fixed(answer.to_string()))).build();
    let document = Arc::new(Document { text, ..Document::default() });
    let documents = [GroupDocument { name: "a.txt".into(), description: None, document }];
    let payer = Payer::keyless(Scope { workspace: WorkspaceId("w".into()), user: UserId("u".into()) });
    let request = ExtractRequest {
        payer: &payer,
        schema: &schema,
        instructions: "",
        model: &model,
        documents: &documents,
        answers: &NoKeptAnswers,
    };
    let start = Instant::now();
    let found = futures_executor::block_on(ExtractionEngine::new(generation).extract(request)).unwrap();
    let time = start.elapsed().as_secs_f64() * 1e3;
    let of = |support| found.evidence.values().filter(|evidence| evidence.support == support).count();
    println!(
        "{name}: {megabytes:.2} MB, {} values, {} exact, {} normalised, {} fuzzy, {} unsupported, {time:.1} ms",
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
