//! The use case of a message to an agent: it is answered and the exchange is stored.

mod cancellation;
mod deadline;
mod documents;
mod form_view;
mod free_form;
mod guided;
mod language;
mod record;
mod request;
mod store;
mod takeover;
mod tools;

use std::sync::Arc;

use document::DocumentReader;
use forms_core::{ExtractionEngine, FormSchema, FormVersion, FormsError};
use gen_core::{CallerContext, GenService, GenerateEvents, GenerateService, ModelId};
use shared_core::{Author, Clock, KeyedGuard, KeyedLocks, Rng, Scope, StoreError, Timer};

use super::{AgentMemory, ChatError, Nlu, NoopAgentMemory, Session, SessionRepository};
use crate::{Agent, AgentsService};
pub use request::{
    AgentChatAnswer, AgentChatRequest, AnswerBasis, AnswerObserver, ChatLimits, ChatReply, FormStateView,
    GuidedReply,
};

/// The services and ports that conversations use.
#[derive(Clone, Debug)]
pub struct ChatPorts {
    /// Agents.
    pub agents: AgentsService,
    /// Stores sessions and submissions.
    pub sessions: Arc<dyn SessionRepository>,
    /// Parses documents by reference.
    pub documents: DocumentReader,
    /// Extracts records.
    pub engine: ExtractionEngine,
    /// Generates answers with context.
    pub generate: GenerateService,
    /// Interprets messages without a model.
    pub nlu: Arc<dyn Nlu>,
    /// Known models.
    pub models: GenService,
    /// Wall clock.
    pub clock: Arc<dyn Clock>,
    /// Monotonic timer of deadlines.
    pub timer: Arc<dyn Timer>,
    /// Source of random ids.
    pub ids: Arc<dyn Rng>,
}

/// Conversations with agents. Clones share the session locks.
#[derive(Clone, Debug)]
pub struct ChatService {
    ports: ChatPorts,
    memory: Arc<dyn AgentMemory>,
    limits: ChatLimits,
    session_locks: Arc<KeyedLocks<String>>,
}

/// A checked message with its agent and model.
#[derive(Debug)]
struct AgentCall<'a> {
    payer: &'a CallerContext,
    author: &'a Author,
    request: AgentChatRequest,
    agent: Agent,
    model: ModelId,
}

/// The agent's form with its parsed schema.
#[derive(Debug)]
struct AgentForm {
    form: FormVersion,
    /// The fields that a conversation asks for.
    schema: FormSchema,
    /// The same with the computed fields.
    whole: FormSchema,
}

/// A streamed answer to a message.
#[allow(missing_debug_implementations, reason = "a stream has none")]
pub enum ChatResponseStream {
    /// The complete answer: the guided dialogue and records do not stream.
    Whole(Box<AgentChatAnswer>),
    /// Free-form chat as a stream. [`ChatService::finish`] stores its result.
    Live {
        /// The model's events.
        events: GenerateEvents,
        /// The exchange to pass to [`ChatService::finish`].
        exchange: Box<Exchange>,
    },
}

/// An exchange of free-form chat whose answer is still streaming. It holds the session lock.
#[derive(Debug)]
pub struct Exchange {
    session: Session,
    is_new: bool,
    payer: CallerContext,
    request: AgentChatRequest,
    _turn: KeyedGuard,
}

impl ChatService {
    /// Builds the service on its ports, without agent memory.
    #[must_use]
    pub fn new(ports: ChatPorts, limits: ChatLimits) -> Self {
        Self { ports, memory: Arc::new(NoopAgentMemory), limits, session_locks: Arc::default() }
    }

    /// Adds the agent memory.
    #[must_use]
    pub fn with_memory(self, memory: Arc<dyn AgentMemory>) -> Self {
        Self { memory, ..self }
    }

    /// Answers a message, billed to `payer`, and stores the exchange.
    ///
    /// # Errors
    /// [`ChatError`]. The request is validated before any model call; on an error nothing is stored.
    pub async fn chat(
        &self,
        payer: &CallerContext,
        author: &Author,
        namespace: &str,
        request: AgentChatRequest,
    ) -> Result<AgentChatAnswer, ChatError> {
        let (call, about) = self.prepare(payer, author, namespace, request).await?;
        match about {
            Some(about) => self.answer_form(&call, &about).await,
            None => self.answer_free_form(&call).await,
        }
    }

    /// As [`ChatService::chat`], but free-form chat is streamed.
    ///
    /// # Errors
    /// As [`ChatService::chat`].
    pub async fn stream(
        &self,
        payer: &CallerContext,
        author: &Author,
        namespace: &str,
        request: AgentChatRequest,
    ) -> Result<ChatResponseStream, ChatError> {
        let (call, about) = self.prepare(payer, author, namespace, request).await?;
        match about {
            Some(about) => Ok(ChatResponseStream::Whole(Box::new(self.answer_form(&call, &about).await?))),
            None => self.stream_free_form(&call).await,
        }
    }

    /// The answer of an agent with a form: a record or a dialogue turn.
    async fn answer_form(
        &self,
        call: &AgentCall<'_>,
        about: &AgentForm,
    ) -> Result<AgentChatAnswer, ChatError> {
        match call.request.json {
            true => self.record(call, about).await,
            false => self.answer_guided(call, about).await,
        }
    }

    async fn prepare<'a>(
        &self,
        payer: &'a CallerContext,
        author: &'a Author,
        namespace: &str,
        request: AgentChatRequest,
    ) -> Result<(AgentCall<'a>, Option<AgentForm>), ChatError> {
        let agent = self.ports.agents.get(&payer.scope, namespace).await?;
        request.check(&self.limits)?;
        let model = self.ports.agents.model_of(&agent)?;
        let about = self.load_form(&payer.scope, &agent).await?;
        if about.is_none() && request.json {
            return Err(ChatError::NoForm);
        }
        self.ports.models.check_ready(&model)?;
        Ok((AgentCall { payer, author, request, agent, model }, about))
    }

    /// The agent's form at the version that it works with; `None` without a form.
    async fn load_form(&self, scope: &Scope, agent: &Agent) -> Result<Option<AgentForm>, ChatError> {
        let found = self.ports.agents.form_of(scope, agent).await.map_err(|error| match error {
            FormsError::Store(error) => ChatError::Store(error),
            other => ChatError::Form(other),
        })?;
        let Some(form) = found else { return Ok(None) };
        let whole = form.parse_schema().map_err(|violations| {
            let problem = violations.first().map_or_else(String::new, |violation| violation.message.clone());
            ChatError::Store(StoreError::Failed(format!("a stored form is not valid: {problem}").into()))
        })?;
        Ok(Some(AgentForm { form, schema: whole.without_computed(), whole }))
    }
}
