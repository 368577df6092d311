//! The use case: a message to an agent is answered, and the exchange stored.

mod free;
mod guided;
mod read;
mod record;
mod request;
mod store;
mod turns;

use std::sync::Arc;

use documents_core::DocumentReader;
use forms_core::{ExtractionEngine, Form, FormSchema, FormsError, FormsService};
use gen_core::{GenService, GenerateEvents, GenerateService, ModelId, Payer};
use shared_core::{Author, Clock, IdSource, StoreError};

use super::{AgentMemory, ChatError, NoMemory, Session, SessionRepository};
use crate::{Agent, AgentsService};
pub use request::{ChatAnswer, ChatLimits, ChatReply, ChatRequest, GuidedReply};
use turns::Turns;

/// What conversations need of others.
#[derive(Clone, Debug)]
pub struct ChatPorts {
    /// Agents.
    pub agents: AgentsService,
    /// Their forms.
    pub forms: FormsService,
    /// Where sessions are kept.
    pub sessions: Arc<dyn SessionRepository>,
    /// Documents by reference.
    pub documents: DocumentReader,
    /// Records from documents.
    pub engine: ExtractionEngine,
    /// Answers with context.
    pub generate: GenerateService,
    /// Models.
    pub models: GenService,
    /// Time of day.
    pub clock: Arc<dyn Clock>,
    /// Randomness of ids.
    pub ids: Arc<dyn IdSource>,
}

/// Conversations with agents. Clones share it.
#[derive(Clone, Debug)]
pub struct ChatService {
    ports: ChatPorts,
    memory: Arc<dyn AgentMemory>,
    limits: ChatLimits,
    turns: Arc<Turns>,
}

/// A message whose agent, form and model are known.
#[derive(Debug)]
struct Prepared {
    agent: Agent,
    model: ModelId,
    form: Option<(Form, FormSchema)>,
}

/// A streamed answer to a message.
#[allow(missing_debug_implementations, reason = "a stream has none")]
pub enum ChatStream {
    /// All of it is there: the guided conversation and records are decided before they are worded.
    Whole(Box<ChatAnswer>),
    /// Free talk as the model words it; what it comes to is stored by [`ChatService::finish`].
    Live {
        /// The model's events.
        events: GenerateEvents,
        /// The exchange, to be finished.
        exchange: Box<Exchange>,
    },
}

/// An exchange of free talk whose answer is still being made.
#[derive(Debug)]
pub struct Exchange {
    session: Session,
    is_new: bool,
    payer: Payer,
    message: String,
    _turn: futures_util::lock::OwnedMutexGuard<()>,
}

impl ChatService {
    /// A service on its ports.
    #[must_use]
    pub fn new(ports: ChatPorts, limits: ChatLimits) -> Self {
        Self { ports, memory: Arc::new(NoMemory), limits, turns: Arc::default() }
    }

    /// With what agents have extracted before.
    #[must_use]
    pub fn with_memory(self, memory: Arc<dyn AgentMemory>) -> Self {
        Self { memory, ..self }
    }

    /// Answers a message, on the account of `payer`, and stores the exchange.
    ///
    /// # Errors
    /// [`ChatError`]; what the request does wrong comes first, and nothing is stored.
    pub async fn chat(
        &self,
        payer: &Payer,
        author: &Author,
        namespace: &str,
        request: ChatRequest,
    ) -> Result<ChatAnswer, ChatError> {
        let prepared = self.prepare(payer, namespace, &request).await?;
        if request.json {
            return self.record(payer, author, &prepared, request).await;
        }
        if prepared.form.is_some() {
            return self.guided(payer, author, &prepared, request).await;
        }
        self.free(payer, author, &prepared, request).await
    }

    /// As [`ChatService::chat`], free talk piece by piece.
    ///
    /// # Errors
    /// As [`ChatService::chat`].
    pub async fn stream(
        &self,
        payer: &Payer,
        author: &Author,
        namespace: &str,
        request: ChatRequest,
    ) -> Result<ChatStream, ChatError> {
        let prepared = self.prepare(payer, namespace, &request).await?;
        if request.json || prepared.form.is_some() {
            let answer = self.chat(payer, author, namespace, request).await?;
            return Ok(ChatStream::Whole(Box::new(answer)));
        }
        self.live(payer, author, &prepared, request).await
    }

    async fn prepare(
        &self,
        payer: &Payer,
        namespace: &str,
        request: &ChatRequest,
    ) -> Result<Prepared, ChatError> {
        let agent = self.ports.agents.get(&payer.scope, namespace).await?;
        request.check(&self.limits)?;
        let model = self.ports.agents.model_of(&agent)?;
        let form = match &agent.form_id {
            Some(id) => Some(self.form(payer, id).await?),
            None if request.json => return Err(ChatError::WithoutForm),
            None => None,
        };
        self.ports.models.ready(&model)?;
        Ok(Prepared { agent, model, form })
    }

    async fn form(&self, payer: &Payer, id: &str) -> Result<(Form, FormSchema), ChatError> {
        let form = self.ports.forms.get(&payer.scope, id).await.map_err(|error| match error {
            FormsError::Store(error) => ChatError::Store(error),
            other => ChatError::Form(other),
        })?;
        let schema = FormSchema::parse(&form.schema).map_err(|violations| {
            let problem = violations.first().map_or_else(String::new, |violation| violation.message.clone());
            ChatError::Store(StoreError::Failed(format!("a stored form is not valid: {problem}").into()))
        })?;
        Ok((form, schema))
    }
}
