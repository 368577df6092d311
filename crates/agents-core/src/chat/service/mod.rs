//! The use case: a message to an agent is answered, and the exchange stored.

mod deadline;
mod documents;
mod form_view;
mod free_form;
mod guided;
mod language;
mod record;
mod request;
mod store;

use std::sync::Arc;

use documents_core::DocumentReader;
use forms_core::{ExtractionEngine, Form, FormSchema, FormsError, FormsService};
use gen_core::{CallerContext, GenService, GenerateEvents, GenerateService, ModelId};
use shared_core::{Author, Clock, KeyedGuard, KeyedLocks, Rng, Scope, StoreError, Timer};

use super::{AgentMemory, ChatError, NoopAgentMemory, Session, SessionRepository};
use crate::{Agent, AgentsService};
pub use request::{
    AgentChatAnswer, AgentChatRequest, AnswerBasis, ChatLimits, ChatReply, FormStateView, GuidedReply,
};

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
    /// Waiting.
    pub timer: Arc<dyn Timer>,
    /// Randomness of ids.
    pub ids: Arc<dyn Rng>,
}

/// Conversations with agents. Clones share it.
#[derive(Clone, Debug)]
pub struct ChatService {
    ports: ChatPorts,
    memory: Arc<dyn AgentMemory>,
    limits: ChatLimits,
    session_locks: Arc<KeyedLocks<String>>,
}

/// A message whose agent and model are known.
#[derive(Debug)]
struct AgentCall<'a> {
    payer: &'a CallerContext,
    author: &'a Author,
    request: AgentChatRequest,
    agent: Agent,
    model: ModelId,
}

/// What a conversation is about.
#[derive(Debug)]
struct AgentForm {
    form: Form,
    schema: FormSchema,
}

/// A streamed answer to a message.
#[allow(missing_debug_implementations, reason = "a stream has none")]
pub enum ChatResponseStream {
    /// All of it is there: the guided conversation and records are decided before they are worded.
    Whole(Box<AgentChatAnswer>),
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
    payer: CallerContext,
    message: String,
    _turn: KeyedGuard,
}

impl ChatService {
    /// A service on its ports.
    #[must_use]
    pub fn new(ports: ChatPorts, limits: ChatLimits) -> Self {
        Self { ports, memory: Arc::new(NoopAgentMemory), limits, session_locks: Arc::default() }
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

    /// As [`ChatService::chat`], free talk piece by piece.
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

    /// The answer of an agent with a form.
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
        let about = match &agent.form_id {
            Some(id) => Some(self.load_form(&payer.scope, id).await?),
            None if request.json => return Err(ChatError::NoForm),
            None => None,
        };
        self.ports.models.check_ready(&model)?;
        Ok((AgentCall { payer, author, request, agent, model }, about))
    }

    async fn load_form(&self, scope: &Scope, id: &str) -> Result<AgentForm, ChatError> {
        let form = self.ports.forms.get(scope, id).await.map_err(|error| match error {
            FormsError::Store(error) => ChatError::Store(error),
            other => ChatError::Form(other),
        })?;
        let schema = FormSchema::parse(&form.schema).map_err(|violations| {
            let problem = violations.first().map_or_else(String::new, |violation| violation.message.clone());
            ChatError::Store(StoreError::Failed(format!("a stored form is not valid: {problem}").into()))
        })?;
        Ok(AgentForm { form, schema })
    }
}
