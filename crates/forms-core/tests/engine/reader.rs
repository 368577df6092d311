//! A model that really reads what it is shown: every line that is a row of a delivery, in one of the ways in
//! which models fall short.

use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use gen_core::{ChatAnswer, ChatModel, ChatRequest, Finish, Part, ProviderError, Usage};
use parking_lot::Mutex;
use serde_json::{Value, json};

/// How a reader falls short.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Manner {
    /// It reads everything.
    Whole,
    /// It stops after so many rows.
    Most(usize),
    /// It leaves out about one row in so many.
    Skips(usize),
    /// Its answer is cut off after so many bytes.
    Cut(usize),
    /// Every so many times it finds nothing.
    Blind(usize),
    /// It gives the first row it sees, again and again.
    Same(usize),
}

/// Reads rows such as `05.01.2024 Bolt M8 12 1,250.00 15,000.00`, or `| 05.01.2024 | Bolt M8 | 12 | … |`.
#[derive(Debug)]
pub(crate) struct Reader {
    manner: Manner,
    asked: Mutex<Vec<ChatRequest>>,
    turn: AtomicUsize,
}

impl Reader {
    pub(crate) fn new(manner: Manner) -> Self {
        Self { manner, asked: Mutex::default(), turn: AtomicUsize::new(1) }
    }

    pub(crate) fn asked(&self) -> Vec<ChatRequest> {
        self.asked.lock().clone()
    }

    fn skips(&self, one_in: usize) -> bool {
        let turn = self.turn.fetch_add(1, Ordering::Relaxed) as u64;
        let mixed = turn.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33;
        usize::try_from(mixed).unwrap_or(0).is_multiple_of(one_in)
    }
}

/// The row that a line is, as a model writes it.
pub(crate) fn row(line: &str) -> Option<Value> {
    let is_table = line.starts_with('|');
    let cells: Vec<&str> = if is_table {
        line.trim_matches('|').split('|').map(str::trim).collect()
    } else {
        let tokens: Vec<&str> = line.split(' ').collect();
        let [date, what @ .., count, price, sum] = tokens.as_slice() else { return None };
        if what.is_empty() {
            return None;
        }
        let what = &line[date.len() + 1..line.len() - count.len() - price.len() - sum.len() - 3];
        vec![date, what, count, price, sum]
    };
    let [date, what, count, price, sum] = cells.as_slice() else { return None };
    let is_date = date.len() == 10 && date.chars().filter(|c| *c == '.').count() == 2;
    let number = |text: &str| text.replace(',', "").parse::<f64>().ok();
    let (count, price, sum) = (count.parse::<u32>().ok()?, number(price)?, number(sum)?);
    is_date.then(|| json!({"date": date, "what": what, "count": count, "price": price, "sum": sum}))
}

/// The texts of a request's documents.
pub(crate) fn shown(request: &ChatRequest) -> String {
    let parts = request.messages.iter().flat_map(|message| &message.parts);
    let texts = parts.filter_map(|part| match part {
        Part::Document { text, .. } => Some(text.to_string()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

#[async_trait]
impl ChatModel for Reader {
    async fn chat(&self, request: ChatRequest) -> Result<ChatAnswer, ProviderError> {
        let text = shown(&request);
        let wanted = request.response_schema.as_ref().map(|schema| schema.schema.clone()).unwrap_or_default();
        self.asked.lock().push(request);
        gen_core::scripted::turn().await;
        let mut rows: Vec<Value> = text.lines().filter_map(row).collect();
        match self.manner {
            Manner::Most(most) => rows.truncate(most),
            Manner::Skips(one_in) => rows.retain(|_| !self.skips(one_in)),
            Manner::Same(times) => {
                rows = rows.first().map(|row| vec![row.clone(); times]).unwrap_or_default()
            }
            Manner::Blind(one_in)
                if rows.len() > 100 && self.turn.fetch_add(1, Ordering::Relaxed).is_multiple_of(one_in) =>
            {
                rows.clear();
            }
            Manner::Whole | Manner::Cut(_) | Manner::Blind(_) => {}
        }
        let vendor = text.lines().find_map(|line| line.strip_prefix("Sold by ").map(str::to_owned));
        let mut answer = serde_json::Map::new();
        for name in wanted["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            let value = match name {
                "rows" => json!(rows),
                "vendor" => json!(vendor),
                _ => Value::Null,
            };
            answer.insert(name.to_owned(), value);
        }
        let mut text = Value::Object(answer).to_string();
        let mut finish = Finish::Stop;
        if let Manner::Cut(most) = self.manner
            && text.len() > most
        {
            text.truncate(text.floor_char_boundary(most));
            finish = Finish::Length;
        }
        let output_tokens = (text.len() / 4) as u64;
        let usage = Usage { input_tokens: 10, output_tokens, ..Usage::default() };
        Ok(ChatAnswer { text, finish, usage, ..ChatAnswer::default() })
    }
}

/// What answers a question.
type Answering = dyn Fn(&ChatRequest) -> Result<ChatAnswer, ProviderError> + Send + Sync;

/// Answers each question by itself, whatever their order.
pub(crate) struct Answers {
    answering: Box<Answering>,
    asked: Mutex<Vec<ChatRequest>>,
}

impl std::fmt::Debug for Answers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Answers").finish_non_exhaustive()
    }
}

impl Answers {
    pub(crate) fn new(
        answering: impl Fn(&ChatRequest) -> Result<ChatAnswer, ProviderError> + Send + Sync + 'static,
    ) -> Self {
        Self { answering: Box::new(answering), asked: Mutex::default() }
    }

    pub(crate) fn asked(&self) -> Vec<ChatRequest> {
        self.asked.lock().clone()
    }
}

#[async_trait]
impl ChatModel for Answers {
    async fn chat(&self, request: ChatRequest) -> Result<ChatAnswer, ProviderError> {
        let answer = (self.answering)(&request);
        self.asked.lock().push(request);
        gen_core::scripted::turn().await;
        answer
    }
}
