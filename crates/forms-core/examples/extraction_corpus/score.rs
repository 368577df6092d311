//! Scoring of extracted fields against the truth.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use gen_core::{ChatAnswer, ChatRequest, Message, Part, ResponseSchema, Role};
use rules_engine::answer;
use serde_json::{Map, Value};

use crate::absent::ABSENT;

/// How a field is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compare {
    /// Letters and digits alone, in lower case.
    Text,
    /// Numbers to the cent.
    Number,
}

/// Hits and misses of one field.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    right: usize,
    filled: usize,
    stated: usize,
}

impl Tally {
    /// Adds what was answered for one document whose truth is known.
    pub(crate) fn add(&mut self, answered: bool, right: bool) {
        self.stated += 1;
        self.filled += usize::from(answered);
        self.right += usize::from(right);
    }

    fn plus(self, other: Self) -> Self {
        Self {
            right: self.right + other.right,
            filled: self.filled + other.filled,
            stated: self.stated + other.stated,
        }
    }

    fn f1(self) -> f64 {
        2.0 * self.right as f64 / (self.filled + self.stated).max(1) as f64
    }
}

/// The tallies of a set of documents.
#[derive(Debug, Default)]
pub(crate) struct Sheet {
    /// By field, in the order of the form.
    pub(crate) fields: Vec<(String, Tally)>,
    /// For fields that are asked for in vain: documents that surely lack them, and how many of these
    /// were filled; then how many of all.
    pub(crate) false_fill: BTreeMap<&'static str, [usize; 3]>,
    /// Documents.
    pub(crate) documents: usize,
    /// Time of the model alone.
    pub(crate) spent: Duration,
}

impl Sheet {
    /// The tally of a field.
    pub(crate) fn field(&mut self, name: &str) -> &mut Tally {
        let at = self.fields.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
            self.fields.push((name.to_owned(), Tally::default()));
            self.fields.len() - 1
        });
        &mut self.fields[at].1
    }

    /// Adds the answers to the fields that are asked for in vain; names of the fields that were filled
    /// though the document lacks them.
    pub(crate) fn tally_absent(&mut self, record: &Map<String, Value>, text: &str) -> Vec<&'static str> {
        let lower = text.to_lowercase();
        let mut wrong = Vec::new();
        for field in &ABSENT {
            let Some(answer) = record.get(field.name) else { continue };
            let (lacks, filled) = (field.lacks(&lower), !answer.is_null());
            let counts = self.false_fill.entry(field.name).or_default();
            counts[0] += usize::from(lacks);
            counts[1] += usize::from(lacks && filled);
            counts[2] += usize::from(filled);
            if lacks && filled {
                wrong.push(field.name);
            }
        }
        wrong
    }

    /// Prints the table.
    pub(crate) fn print(&self, title: &str) {
        println!("\n{title}: {} documents, {:.2} ms each", self.documents, self.milliseconds());
        println!("  {:<20}{:>10}{:>10}{:>10}{:>8}", "field", "precision", "recall", "F1", "count");
        let all = self.fields.iter().fold(Tally::default(), |sum, (_, tally)| sum.plus(*tally));
        for (name, tally) in
            self.fields.iter().map(|(name, tally)| (name.as_str(), *tally)).chain([("micro", all)])
        {
            let ratio = |count: usize| tally.right as f64 / count.max(1) as f64;
            println!(
                "  {name:<20}{:>10.3}{:>10.3}{:>10.3}{:>8}",
                ratio(tally.filled),
                ratio(tally.stated),
                tally.f1(),
                tally.stated
            );
        }
        for (name, [lacking, filled, all]) in &self.false_fill {
            println!(
                "  absent {name:<18} filled {:>5.1} % of {lacking:>3} that lack it; {:>5.1} % of all",
                100.0 * *filled as f64 / (*lacking).max(1) as f64,
                100.0 * *all as f64 / self.documents.max(1) as f64
            );
        }
    }

    fn milliseconds(&self) -> f64 {
        1_000.0 * self.spent.as_secs_f64() / self.documents.max(1) as f64
    }
}

/// Half of a corpus, by a hash of the document's name (FNV-1a, mixed as in SplitMix64).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Half {
    /// The half whose mistakes may be looked at.
    Open,
    /// The half that nobody looks at.
    Blind,
}

impl Half {
    /// The half of a document.
    pub(crate) fn of(name: &str) -> Self {
        let fnv = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        let first = (fnv ^ (fnv >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let second = (first ^ (first >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        if (second ^ (second >> 31)) & 1 == 0 { Self::Open } else { Self::Blind }
    }
}

/// Whether an answer is the truth.
pub(crate) fn same(compare: Compare, answer: &Value, truth: &Value) -> bool {
    match compare {
        Compare::Number => number(answer).zip(number(truth)).is_some_and(|(a, b)| (a - b).abs() < 0.005),
        Compare::Text => bare(&text(answer)) == bare(&text(truth)),
    }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::String(text) => {
            text.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect::<String>().parse().ok()
        }
        other => other.as_f64(),
    }
}

fn bare(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The built-in model's answer to a form about one text.
pub(crate) fn answered(schema: &Value, text: &str) -> Option<ChatAnswer> {
    let document = Part::Document { name: "document".to_owned(), description: None, text: text.into() };
    let request = ChatRequest {
        messages: vec![Message { role: Role::User, parts: vec![document] }],
        response_schema: Some(ResponseSchema { name: "form".to_owned(), schema: schema.clone() }),
        ..ChatRequest::default()
    };
    answer(&request).ok()
}

/// Asks the model to fill a form from one text, and how long that took.
pub(crate) fn fill(schema: &Value, text: &str) -> (Map<String, Value>, Duration) {
    let begun = Instant::now();
    let answered = answered(schema, text);
    let spent = begun.elapsed();
    let record = answered.and_then(|answer| serde_json::from_str(&answer.text).ok()).unwrap_or_default();
    (record, spent)
}
