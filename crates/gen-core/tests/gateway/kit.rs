//! Two scripted vendors behind a gateway whose time is virtual.

use std::sync::Arc;
use std::time::Duration;

use gen_core::scripted::{CountingMeter, ScriptedModel, VirtualTimer, run};
use gen_core::{
    Backend, CallerContext, ChatAnswer, ChatEvent, ChatRequest, Fault, Finish, GenError, GenEvent,
    GenService, GenServiceBuilder, Incident, Message, ModelChoice, ModelId, ModelOutput, Observer, Part,
    Provider, ProviderError, Role, StreamEnd, Usage,
};
use parking_lot::Mutex;
use shared_core::{Scope, SeededRng, UserId, WorkspaceId};

pub(crate) type Answered = Result<ChatAnswer, ProviderError>;
/// What came of a stream: its texts, and how it ended.
pub(crate) type Streamed = (Vec<String>, Result<StreamEnd, GenError>);

pub(crate) fn payer() -> CallerContext {
    CallerContext::keyless(Scope { workspace: WorkspaceId("w".into()), user: UserId("u".into()) })
}

pub(crate) fn id(text: &str) -> ModelId {
    text.parse().unwrap()
}

/// The first model, and the others as fallbacks.
pub(crate) fn choice(ids: &[&str]) -> ModelChoice {
    ModelChoice::new(id(ids[0]), ids[1..].iter().map(|text| id(text)).collect()).unwrap()
}

/// Eight characters, which are two tokens.
pub(crate) fn question() -> ChatRequest {
    let part = Part::Text("question".into());
    ChatRequest { messages: vec![Message { role: Role::User, parts: vec![part] }], ..ChatRequest::default() }
}

pub(crate) fn fails(fault: Fault) -> ProviderError {
    ProviderError::new(fault, "as the script says")
}

pub(crate) fn text(text: &str) -> Result<ChatEvent, ProviderError> {
    Ok(ChatEvent::Text(text.into()))
}

pub(crate) fn end() -> Result<ChatEvent, ProviderError> {
    let usage = Usage { input_tokens: 10, output_tokens: 1, ..Usage::default() };
    Ok(ChatEvent::End { finish: Finish::Stop, usage, warnings: Vec::new() })
}

pub(crate) fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Keeps what it is told, as text.
#[derive(Debug, Default)]
pub(crate) struct Notes(Mutex<Vec<String>>);

impl Notes {
    pub(crate) fn all(&self) -> Vec<String> {
        self.0.lock().clone()
    }
}

impl Observer for Notes {
    fn note(&self, incident: &Incident<'_>) {
        let note = match incident {
            Incident::AttemptFailed { model, retry_in, .. } => {
                format!("{model} failed, {}", if retry_in.is_some() { "again" } else { "given up" })
            }
            Incident::CircuitOpened { upstream } => format!("{upstream} opened"),
            Incident::SettleFailed { model, error } => format!("{model} unbooked: {error}"),
            Incident::ListFailed { upstream, .. } => format!("{upstream} not listed"),
        };
        self.0.lock().push(note);
    }
}

/// OpenAI is the first vendor, Anthropic the second.
pub(crate) struct Kit {
    pub(crate) timer: Arc<VirtualTimer>,
    pub(crate) meter: CountingMeter,
    pub(crate) notes: Arc<Notes>,
    pub(crate) first: Arc<ScriptedModel>,
    pub(crate) second: Arc<ScriptedModel>,
    pub(crate) service: GenService,
}

impl Kit {
    pub(crate) fn new(first: Vec<Answered>, second: Vec<Answered>) -> Self {
        Self::of(ScriptedModel::new(first), ScriptedModel::new(second))
    }

    pub(crate) fn of(first: ScriptedModel, second: ScriptedModel) -> Self {
        let timer = Arc::new(VirtualTimer::default());
        Self::with(timer, CountingMeter::default(), first, second, |first, second, builder| {
            builder.provider(Provider::OpenAi, first).provider(Provider::Anthropic, second)
        })
    }

    pub(crate) fn with(
        timer: Arc<VirtualTimer>,
        meter: CountingMeter,
        first: ScriptedModel,
        second: ScriptedModel,
        build: impl FnOnce(Backend, Backend, GenServiceBuilder) -> GenServiceBuilder,
    ) -> Self {
        let (first, second, notes) = (Arc::new(first), Arc::new(second), Arc::new(Notes::default()));
        let builder = GenService::builder()
            .timer(timer.clone())
            .meter(Arc::new(meter.clone()))
            .observer(notes.clone())
            .rng(Arc::new(SeededRng::new(1)));
        let service = build(first.backend(), second.backend(), builder).build();
        Self { timer, meter, notes, first, second, service }
    }

    pub(crate) fn run<F: Future>(&self, future: F) -> F::Output {
        run(&self.timer, future).unwrap()
    }

    pub(crate) fn ask(&self, ids: &[&str]) -> Result<ModelOutput<ChatAnswer>, GenError> {
        self.run(self.service.answer(&payer(), &choice(ids), question()))
    }

    /// Reads a stream to its end.
    pub(crate) fn stream(&self, ids: &[&str]) -> Result<Streamed, GenError> {
        use futures_util::StreamExt as _;
        self.run(async {
            let mut events = self.service.stream(&payer(), &choice(ids), question()).await?;
            let (mut texts, mut ended) = (Vec::new(), None);
            while let Some(event) = events.next().await {
                assert!(ended.is_none(), "nothing follows the end");
                match event {
                    Ok(GenEvent::Text(text)) => texts.push(text),
                    Ok(GenEvent::ToolCall(_)) => {}
                    Ok(GenEvent::End(end)) => ended = Some(Ok(end)),
                    Err(error) => ended = Some(Err(error)),
                }
            }
            Ok((texts, ended.expect("every stream ends with its end or an error")))
        })
    }

    /// Nothing is held any more: a question goes through with both vendors, if they have an answer left.
    pub(crate) fn is_free(&self) -> bool {
        self.meter.log().open() == 0
    }
}
