//! Scoring of extracted fields against the truth.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use gen_core::builtin::answer;
use gen_core::{ChatRequest, Message, Part, ResponseSchema, Role};
use serde_json::{Map, Value};

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
    /// Documents in which a field that no document has was filled; of these, how often with a value
    /// of that kind that the document does print.
    pub(crate) false_fill: BTreeMap<String, (usize, usize)>,
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
        for (name, (filled, printed)) in &self.false_fill {
            let share = |count: usize| 100.0 * count as f64 / self.documents.max(1) as f64;
            println!(
                "  absent {name:<18} filled {:>5.1} %, of which {:.1} % are printed there",
                share(*filled),
                share(*printed)
            );
        }
    }

    fn milliseconds(&self) -> f64 {
        1_000.0 * self.spent.as_secs_f64() / self.documents.max(1) as f64
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

/// Asks the model to fill a form from one text, and how long that took.
pub(crate) fn fill(schema: &Value, text: &str) -> (Map<String, Value>, Duration) {
    let document = Part::Document { name: "document".to_owned(), description: None, text: text.into() };
    let request = ChatRequest {
        messages: vec![Message { role: Role::User, parts: vec![document] }],
        response_schema: Some(ResponseSchema { name: "form".to_owned(), schema: schema.clone() }),
        ..ChatRequest::default()
    };
    let begun = Instant::now();
    let answered = answer(&request);
    let spent = begun.elapsed();
    let record = answered.ok().and_then(|answer| serde_json::from_str(&answer.text).ok()).unwrap_or_default();
    (record, spent)
}
