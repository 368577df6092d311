//! A scripted model, and a source of chance that is the same every time.

use std::collections::VecDeque;

use async_trait::async_trait;
use gen_core::structured::{Asker, Dialect, Schema, StructuredAnswer, StructuredError, ask};
use gen_core::{
    ChatAnswer, ChatRequest, Finish, GenError, Message, Part, Provider, ProviderError, Role, Spend, Upstream,
    Usage,
};
use parking_lot::Mutex;
use serde_json::Value;

/// Xorshift (Marsaglia 2003).
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % bound
    }

    pub(crate) fn is(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    pub(crate) fn of<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }
}

/// Gives its answers in turn and the last one for ever; keeps what it was asked.
pub(crate) struct Script {
    dialect: Dialect,
    answers: Mutex<VecDeque<Result<ChatAnswer, ProviderError>>>,
    pub(crate) asked: Mutex<Vec<ChatRequest>>,
}

impl Script {
    pub(crate) fn new(dialect: Dialect, answers: Vec<Result<ChatAnswer, ProviderError>>) -> Self {
        Self { dialect, answers: Mutex::new(answers.into()), asked: Mutex::default() }
    }

    pub(crate) fn asks(&self) -> usize {
        self.asked.lock().len()
    }
}

#[async_trait]
impl Asker for Script {
    fn dialects(&self) -> Vec<Dialect> {
        vec![self.dialect]
    }

    async fn ask(&self, request: ChatRequest) -> Result<ChatAnswer, GenError> {
        self.asked.lock().push(request);
        let answer = self.answers.lock().pop_front().unwrap_or_else(|| Err(ProviderError::timeout()));
        answer.map_err(|error| GenError::Provider {
            upstream: Upstream::Provider(Provider::OpenAi),
            error: Box::new(error),
            spent: Spend::default(),
        })
    }
}

/// An answer that costs ten tokens in and one out.
pub(crate) fn says(text: impl Into<String>) -> Result<ChatAnswer, ProviderError> {
    let usage = Usage { input_tokens: 10, output_tokens: 1, ..Usage::default() };
    Ok(ChatAnswer { text: text.into(), usage, ..ChatAnswer::default() })
}

/// One that ran into its limit of tokens.
pub(crate) fn cut(text: &str) -> Result<ChatAnswer, ProviderError> {
    Ok(ChatAnswer { finish: Finish::Length, ..says(text)? })
}

pub(crate) fn schema(value: &Value) -> Schema {
    Schema::new("answer", value.clone(), "").unwrap()
}

pub(crate) fn run(script: &Script, wanted: &Value) -> Result<StructuredAnswer, StructuredError> {
    run_within(script, wanted, None)
}

/// As [`run`], with a limit of tokens of the caller's.
pub(crate) fn run_within(
    script: &Script,
    wanted: &Value,
    max_tokens: Option<u32>,
) -> Result<StructuredAnswer, StructuredError> {
    let parts = vec![Part::Text("Tell me.".to_owned())];
    let request = ChatRequest {
        system: Some("Be exact.".to_owned()),
        messages: vec![Message { role: Role::User, parts }],
        max_tokens,
        ..ChatRequest::default()
    };
    futures_executor::block_on(ask(script, request, &schema(wanted)))
}
