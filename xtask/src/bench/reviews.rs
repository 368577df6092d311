//! What decisions of reviewers do for the confidence of later values: receipts of the open corpus, over HTTP. One half is
//! reviewed by its truth, the other half measures. Nothing is timed, so the server is built as for the tests.

use std::path::Path;

use anyhow::Context as _;
use reqwest::{Client, Method, multipart};
use serde_json::{Map, Value, json};

use crate::server::Server;

/// Decisions after which the other half is measured.
const STEPS: [usize; 5] = [0, 20, 40, 80, usize::MAX];
/// Decisions of one request, at most.
const DECISIONS: usize = 100;

/// A receipt of the corpus as text, with its truth.
struct Receipt {
    id: String,
    text: String,
    truth: Map<String, Value>,
}

impl Receipt {
    fn parse(line: &str) -> anyhow::Result<Self> {
        let receipt: Value = serde_json::from_str(line)?;
        let id = receipt["id"].as_str().context("a receipt has an id")?.to_owned();
        let truth = receipt["truth"].as_object().cloned().context("a receipt has a truth")?;
        let boxes = receipt["boxes"].as_array().context("a receipt has boxes")?;
        Ok(Self { id, text: text_of(boxes), truth })
    }
}

/// Prints the table.
pub(super) fn run() -> anyhow::Result<()> {
    let corpus = std::env::var("FORMWORK_CORPUS").context("FORMWORK_CORPUS must name the open corpus")?;
    let lines = std::fs::read_to_string(Path::new(&corpus).join("extraction/receipts/receipts.jsonl"))?;
    let receipts: Vec<Receipt> = lines.lines().map(Receipt::parse).collect::<Result<_, _>>()?;
    let (open, blind) = receipts.into_iter().partition(|receipt| is_open(&receipt.id));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let server = Server::start_checked(|command| command)?;
    let bench = Bench { client: server.client()?, url: server.url.clone() };
    runtime.block_on(bench.measure(open, blind))
}

struct Bench {
    client: Client,
    url: String,
}

/// A value with its confidence.
struct Judgement {
    confidence: f64,
    is_accepted: bool,
    is_right: bool,
}

impl Bench {
    async fn send(&self, method: Method, path: &str, body: &Value) -> anyhow::Result<Value> {
        let request = self.client.request(method, format!("{}{path}", self.url));
        let answer = request.json(body).send().await?;
        let status = answer.status();
        let value: Value = answer.json().await?;
        anyhow::ensure!(status.is_success(), "{path}: {value}");
        Ok(value)
    }

    async fn measure(&self, open: Vec<Receipt>, blind: Vec<Receipt>) -> anyhow::Result<()> {
        let schema = json!({
            "company": {"type": "string", "description": "Name of the company that issued the receipt"},
            "date": {"type": "string", "description": "Date of the receipt, as printed"},
            "address": {"type": "string", "description": "Address of the company"},
            "total": {"type": "number", "description": "Total amount to pay, tax included"}
        });
        let form =
            self.send(Method::POST, "/v1/form", &json!({"title": "Receipt", "schema": schema})).await?;
        let agent =
            json!({"namespace": "receipts", "form_id": form["form_id"], "review": {"calibrate": true}});
        self.send(Method::POST, "/v1/agent", &agent).await?;
        let (open_files, blind_files) = (self.upload(&open).await?, self.upload(&blind).await?);
        let run = self.extract(&open_files).await?;
        let sid = run["meta"]["sid"].as_i64();
        let decisions = self.decisions(&open, sid).await?;
        println!(
            "\n| decisions | values | right | mean confidence | ECE | accepted | wrong of these | from .9 on | wrong of these \
             |\n|---|---|---|---|---|---|---|---|---|"
        );
        let mut decided = 0;
        for step in STEPS {
            let until = step.min(decisions.len());
            for part in decisions.get(decided..until).unwrap_or_default().chunks(DECISIONS) {
                self.send(Method::POST, "/v1/reviews/decisions", &json!({"decisions": part})).await?;
            }
            decided = until;
            let run = self.extract(&blind_files).await?;
            println!("| {decided} {}", summary(&judge(&run, &blind)));
        }
        Ok(())
    }

    async fn upload(&self, receipts: &[Receipt]) -> anyhow::Result<Vec<Value>> {
        let mut ids = Vec::new();
        for receipt in receipts {
            let part = multipart::Part::text(receipt.text.clone()).file_name(format!("{}.txt", receipt.id));
            let body = multipart::Form::new().part("files", part);
            let answer = self.client.post(format!("{}/v1/files", self.url)).multipart(body).send().await?;
            let files: Value = answer.error_for_status()?.json().await?;
            ids.push(files[0]["id"].clone());
        }
        Ok(ids)
    }

    async fn extract(&self, files: &[Value]) -> anyhow::Result<Value> {
        let groups: Vec<Value> = files.iter().map(|id| json!([{"url": id}])).collect();
        let path = "/v1/agent/receipts/workflow/delta?evidence=true&fresh=true";
        self.send(Method::POST, path, &json!(groups)).await
    }

    /// What a reviewer decides who knows the truth: of every queued value of a run, in the order of the queue.
    async fn decisions(&self, receipts: &[Receipt], sid: Option<i64>) -> anyhow::Result<Vec<Value>> {
        let mut found = Vec::new();
        for page in 1.. {
            let sid = sid.map_or_else(String::new, |sid| format!("&sid={sid}"));
            let path = format!("/v1/reviews?namespace=receipts&state=open&limit=100&page={page}{sid}");
            let answer = self.send(Method::GET, &path, &Value::Null).await?;
            let reviews = answer["reviews"].as_array().cloned().unwrap_or_default();
            if reviews.is_empty() {
                break;
            }
            for review in reviews {
                let group = review["group"].as_u64().and_then(|group| usize::try_from(group).ok());
                let receipt = group.and_then(|group| receipts.get(group)).context("a group of the run")?;
                let field = review["field"].as_str().unwrap_or_default().trim_start_matches('/');
                let truth = receipt.truth.get(field).filter(|truth| truth.as_str() != Some(""));
                let action = match truth {
                    None => json!({"action": "not_stated"}),
                    Some(truth) if is_same(field, &review["value"], truth) => json!({"action": "accept"}),
                    Some(truth) => json!({"action": "correct", "value": truth}),
                };
                let mut decision = action;
                decision["review_id"] = review["id"].clone();
                found.push(decision);
            }
        }
        Ok(found)
    }
}

fn judge(run: &Value, receipts: &[Receipt]) -> Vec<Judgement> {
    let mut judged = Vec::new();
    for (at, receipt) in receipts.iter().enumerate() {
        let (record, evidence) = (&run["results"][at], &run["evidence"][at]);
        for (field, truth) in receipt.truth.iter().filter(|(_, truth)| truth.as_str() != Some("")) {
            let own = &evidence[format!("/{field}").as_str()];
            if let Some(confidence) = own["confidence"].as_f64() {
                let is_right = is_same(field, &record[field.as_str()], truth);
                judged.push(Judgement { confidence, is_accepted: own["accepted"] == true, is_right });
            }
        }
    }
    judged
}

fn summary(values: &[Judgement]) -> String {
    let count = values.len().max(1) as f64;
    let share = |of: &dyn Fn(&&Judgement) -> bool| values.iter().filter(of).count() as f64;
    let mean = values.iter().map(|value| value.confidence).sum::<f64>() / count;
    // Expected calibration error over ten bins of equal width.
    let bin = |value: &Judgement| ((value.confidence * 10.0) as usize).min(9);
    let gap = |at: usize| {
        let own = values.iter().filter(|value| bin(value) == at);
        own.map(|value| value.confidence - f64::from(u8::from(value.is_right))).sum::<f64>().abs()
    };
    let ece = (0..10).map(gap).sum::<f64>() / count;
    // The share of the values that are counted, and the share of these that is wrong.
    let trusted = |is_counted: &dyn Fn(&Judgement) -> bool| {
        let all = share(&|value| is_counted(value));
        let wrong = share(&|value| is_counted(value) && !value.is_right);
        format!("{:.1} % | {:.2} %", 100.0 * all / count, 100.0 * wrong / all.max(1.0))
    };
    format!(
        "| {} | {:.3} | {mean:.3} | {ece:.3} | {} | {} |",
        values.len(),
        share(&|value| value.is_right) / count,
        trusted(&|value| value.is_accepted),
        trusted(&|value| value.confidence >= 0.9)
    )
}

fn is_same(field: &str, value: &Value, truth: &Value) -> bool {
    let number = |value: &Value| match value {
        Value::String(text) => {
            text.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect::<String>().parse().ok()
        }
        other => other.as_f64(),
    };
    let letters = |value: &Value| -> String {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    match field {
        "total" => number(value).zip(number(truth)).is_some_and(|(a, b): (f64, f64)| (a - b).abs() < 0.005),
        _ => letters(value) == letters(truth),
    }
}

/// The words of a receipt as lines: those whose centres lie within half a box height. A word is its corners, clockwise
/// from the upper left, and its text.
fn text_of(boxes: &[Value]) -> String {
    /// Centre, height, left edge and text.
    struct Word<'a>(f64, f64, f64, &'a str);
    let number = |word: &Value, at: usize| word[at].as_f64().unwrap_or_default();
    let mut words: Vec<Word<'_>> = boxes
        .iter()
        .map(|word| {
            let (top, bottom) = (number(word, 1), number(word, 5));
            let left = number(word, 0).min(number(word, 6));
            Word(f64::midpoint(top, bottom), bottom - top, left, word[8].as_str().unwrap_or_default())
        })
        .collect();
    words.sort_by(|a, b| a.0.total_cmp(&b.0));
    let beside = |a: &Word<'_>, b: &Word<'_>| (a.0 - b.0).abs() <= 0.5 * a.1.min(b.1);
    let mut lines = String::new();
    for line in words.chunk_by_mut(beside) {
        line.sort_by(|a, b| a.2.total_cmp(&b.2));
        lines.push_str(&line.iter().map(|word| word.3).collect::<Vec<_>>().join(" "));
        lines.push('\n');
    }
    lines
}

/// The halves of `cargo xtask bench extraction`: a hash of the name (FNV-1a, mixed as in SplitMix64).
fn is_open(name: &str) -> bool {
    let fnv = name
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    let first = (fnv ^ (fnv >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let second = (first ^ (first >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (second ^ (second >> 31)) & 1 == 0
}
