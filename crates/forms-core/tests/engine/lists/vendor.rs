//! A model that answers from the truth: the rows that stand on the lines that it is shown.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use gen_core::{ChatAnswer, ChatModel, ChatRequest, Part, ProviderError};
use serde_json::{Map, Value, json};

use super::cases::Case;

/// How a truthful model lists rows.
#[derive(Clone, Copy, Debug)]
pub(super) enum Manner {
    /// Every row that it is shown, copies again.
    Relists,
    /// Copies that it sees in one text, once.
    Once,
    /// The same, and none that it is told are known.
    Heeds,
    /// The same as `Idempotency`, but no more than so many at once.
    Stops(usize),
    /// As `Relists`; when it is asked first, it takes sums, headings and comments for rows, too.
    Careless,
}

#[derive(Debug)]
pub(super) struct Truthful {
    manner: Manner,
    /// What each line says.
    facts: HashMap<String, Vec<Value>>,
    /// Lines that name the row of the next line.
    names: HashMap<String, String>,
    /// What it makes of lines that are no rows, if it is careless.
    asides: HashMap<String, Value>,
    /// The field that tells things apart, where the list is one of things.
    key: Option<&'static str>,
    /// How often each row is true.
    times: HashMap<String, usize>,
    calls: AtomicUsize,
}

impl Truthful {
    pub(super) fn new(case: &Case, manner: Manner) -> Self {
        let mut times = HashMap::new();
        case.truth.iter().for_each(|row| *times.entry(row.to_string()).or_default() += 1);
        Self {
            manner,
            facts: case.facts.clone(),
            names: case.names.clone(),
            asides: case.asides.clone(),
            key: case.key,
            times,
            calls: AtomicUsize::new(0),
        }
    }

    pub(super) fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }

    fn rows(&self, request: &ChatRequest) -> Vec<Value> {
        let is_careless = matches!(self.manner, Manner::Careless) && !asks_for_more(request);
        let mut rows = Vec::new();
        for part in request.messages.iter().flat_map(|message| &message.parts) {
            let Part::Document { text, .. } = part else { continue };
            let text = text.split_once("[Here the text begins:]\n").map_or(&**text, |(_, shown)| shown);
            let mut above = "";
            for line in text.lines() {
                for fact in self.facts.get(line).into_iter().flatten() {
                    let mut row = fact.clone();
                    if row.get("what").is_some_and(Value::is_null) {
                        row["what"] = json!(self.names.get(above));
                    }
                    rows.push(row);
                }
                rows.extend(self.asides.get(line).filter(|_| is_careless).cloned());
                above = line;
            }
        }
        rows
    }
}

/// Rows of one thing as one, its cells from all of them.
fn joined(rows: Vec<Value>, key: &str) -> Vec<Value> {
    let mut things: Vec<Value> = Vec::new();
    for row in rows {
        match things.iter_mut().find(|thing| thing[key] == row[key]) {
            Some(thing) => {
                for (name, value) in row.as_object().into_iter().flatten() {
                    if thing[name.as_str()].is_null() {
                        thing[name.as_str()] = value.clone();
                    }
                }
            }
            None => things.push(row),
        }
    }
    things
}

fn asks_for_more(request: &ChatRequest) -> bool {
    request.messages.iter().flat_map(|message| &message.parts).any(
        |part| matches!(part, Part::Text(text) if text.contains("List the entries that stand in the documents above")),
    )
}

/// The rows that a question says are known, one JSON object a line.
fn known(request: &ChatRequest) -> Vec<Value> {
    let texts = request.messages.iter().flat_map(|message| &message.parts).filter_map(|part| match part {
        Part::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts
        .flat_map(str::lines)
        .filter_map(|line| serde_json::from_str(line).ok())
        .filter(Value::is_object)
        .collect()
}

#[async_trait]
impl ChatModel for Truthful {
    async fn chat(&self, request: ChatRequest) -> Result<ChatAnswer, ProviderError> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        gen_core::scripted::turn().await;
        let mut rows = self.rows(&request);
        if let Some(key) = self.key {
            rows = joined(rows, key);
        } else if !matches!(self.manner, Manner::Relists | Manner::Careless) {
            let mut given: HashMap<String, usize> = HashMap::new();
            if matches!(self.manner, Manner::Heeds) {
                known(&request).iter().for_each(|row| *given.entry(row.to_string()).or_default() += 1);
            }
            rows.retain(|row| {
                let row = row.to_string();
                let given = given.entry(row.clone()).or_default();
                *given += 1;
                *given <= self.times.get(&row).copied().unwrap_or(usize::MAX)
            });
        }
        if let Manner::Stops(most) = self.manner {
            rows.truncate(most);
        }
        let wanted = request.response_schema.map(|schema| schema.schema).unwrap_or_default();
        let names = wanted["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let answer: Map<String, Value> = names
            .map(|name| (name.to_owned(), if name == "rows" { json!(rows) } else { Value::Null }))
            .collect();
        Ok(gen_core::scripted::text_answer(Value::Object(answer).to_string()))
    }
}
