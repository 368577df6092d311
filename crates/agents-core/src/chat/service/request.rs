//! Chat requests, their validation rules, and the answers.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use forms_core::{Extraction, FormVersion};
use gen_core::{
    BaseQuery, ContextItem, ContextOptions, GenerateAnswer, IndexWait, MAX_REFERENCE, SourceCitation,
    Statement,
};
use shared_core::Violation;

use crate::chat::machine::FormView;
use crate::chat::{ChatError, Takeover, TurnOutcome};

/// Limits of conversations, set by the operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChatLimits {
    /// Most characters of a message.
    pub message_chars: usize,
    /// Most documents of a message.
    pub documents: usize,
    /// Most turns of history sent to a model.
    pub history: usize,
    /// Time limit of all model calls of a guided turn together; after it the rules answer alone. Reading
    /// documents does not count.
    pub turn: Duration,
    /// The same where the agent's tools are called for a side question, from that question on.
    pub tool_turn: Duration,
}

impl ChatLimits {
    /// Checks the text of a message, which the request has under this name.
    pub(super) fn check_text(&self, name: &str, text: &str) -> Result<(), ChatError> {
        let rule = if text.trim().is_empty() {
            format!("'{name}' must not be empty")
        } else if text.chars().nth(self.message_chars).is_some() {
            format!("'{name}' has at most {} characters", self.message_chars)
        } else {
            return Ok(());
        };
        Err(ChatError::Invalid(vec![Violation::new(format!("/{name}"), rule)]))
    }
}

impl Default for ChatLimits {
    fn default() -> Self {
        // They bound the prompt, about 8,000 tokens a message; five seconds are what a user waits. Chosen by
        // hand; no measurement is recorded. A call of a tool may take a minute.
        Self {
            message_chars: 32_000,
            documents: 50,
            history: 20,
            turn: Duration::from_secs(5),
            tool_turn: Duration::from_secs(60),
        }
    }
}

/// Is called with an answer immediately before its exchange is stored, so that a store can keep both together. It may
/// be called again with another answer when the exchange was not stored because of a conflict.
#[derive(Clone)]
pub struct AnswerObserver(pub Arc<dyn Fn(&AgentChatAnswer) + Send + Sync>);

impl fmt::Debug for AnswerObserver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AnswerObserver")
    }
}

/// A message to an agent, not yet validated.
#[derive(Clone, Debug, Default)]
pub struct AgentChatRequest {
    /// Text of the message.
    pub message: String,
    /// Id of the session to continue; `None` starts a new one.
    pub session_id: Option<String>,
    /// Whether a session with this id is started where there is none. Such ids must be hard to guess, as the
    /// service's own are.
    pub starts_session: bool,
    /// References to documents: file ids, the server's own file URLs and web URLs.
    pub urls: Vec<String>,
    /// Knowledge bases and search options for this message, instead of the agent's.
    pub knowledge: Option<Vec<BaseQuery>>,
    /// The changes of knowledge bases that the search waits for; `None`: all that concern these bases.
    pub wait: Option<IndexWait>,
    /// Whether to answer with a record instead of a dialogue turn.
    pub json: bool,
    /// Options for the context of the answer.
    pub context: ContextOptions,
    /// Sees the answer before it is stored.
    pub observer: Option<AnswerObserver>,
}

impl AgentChatRequest {
    /// Shows the answer to the observer.
    pub(super) fn observe(&self, answer: &AgentChatAnswer) {
        if let Some(AnswerObserver(observe)) = &self.observer {
            observe(answer);
        }
    }

    pub(super) fn check(&self, limits: &ChatLimits) -> Result<(), ChatError> {
        let mut wrong = self.context.violations();
        if let Err(ChatError::Invalid(broken)) = limits.check_text("message", &self.message) {
            wrong.extend(broken);
        }
        if self.urls.len() > limits.documents {
            let rule = format!("'urls' has at most {} entries", limits.documents);
            wrong.push(Violation::new("/urls", rule));
        }
        for (index, reference) in self.urls.iter().enumerate().take(limits.documents) {
            if reference.trim().is_empty() || reference.chars().nth(MAX_REFERENCE).is_some() {
                let rule = format!("an entry of 'urls' has 1 to {MAX_REFERENCE} characters");
                wrong.push(Violation::new(format!("/urls/{index}"), rule));
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(ChatError::Invalid(wrong)) }
    }
}

/// The answer of an agent.
#[derive(Clone, Debug)]
pub struct AgentChatAnswer {
    /// Id of the session, to continue the conversation.
    pub session: String,
    /// The reply.
    pub reply: ChatReply,
    /// Finish reason, usage and cost of all model calls.
    pub outcome: TurnOutcome,
    /// The person who answers in place of the agent. Then the reply is empty.
    pub taken_over: Option<Takeover>,
    /// Omitted parts and failed models, one sentence each.
    pub warnings: Vec<String>,
}

/// The reply, by mode.
#[derive(Clone, Debug)]
pub enum ChatReply {
    /// A record with evidence and errors.
    Record(Box<Extraction>),
    /// A turn of the guided dialogue.
    Guided(Box<GuidedReply>),
    /// A free-form answer.
    Text {
        /// The text, as Markdown.
        text: String,
        /// Its sources.
        basis: AnswerBasis,
    },
}

/// The sources of an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnswerBasis {
    /// Retrieved passages, in order.
    pub context: Vec<ContextItem>,
    /// Statements of the text with their support.
    pub statements: Vec<Statement>,
    /// Citations, in order.
    pub citations: Vec<SourceCitation>,
    /// Probability that the answer is correct, 0 to 1; `None` when the model does not give one.
    pub probability: Option<f64>,
}

impl AnswerBasis {
    /// Moves the sources out of an answer.
    pub(super) fn take(answer: &mut GenerateAnswer) -> Self {
        Self {
            context: std::mem::take(&mut answer.context),
            statements: std::mem::take(&mut answer.statements),
            citations: std::mem::take(&mut answer.citations),
            probability: answer.probability,
        }
    }

    /// Adapts the offsets to a reply that contains the answer's text. Drops statements and citations when the
    /// reply does not contain it.
    pub(super) fn keep_cited(mut self, answer: &str, reply: &str) -> Self {
        match reply.find(answer).filter(|_| !answer.is_empty()) {
            Some(at) => {
                let before = reply.get(..at).map_or(0, |before| before.chars().count());
                move_spans(&mut self.statements, &mut self.citations, before);
            }
            None => (self.statements, self.citations) = (Vec::new(), Vec::new()),
        }
        self
    }
}

/// Moves statements and citations by the characters that were put before their text.
pub(super) fn move_spans(statements: &mut [Statement], citations: &mut [SourceCitation], before: usize) {
    for statement in statements {
        (statement.start, statement.end) = (statement.start + before, statement.end + before);
    }
    for citation in citations {
        (citation.start, citation.end) = (citation.start + before, citation.end + before);
    }
}

/// A turn of the guided dialogue.
#[derive(Clone, Debug)]
pub struct GuidedReply {
    /// The text, as Markdown.
    pub text: String,
    /// State of the form after the turn.
    pub form_view: FormStateView,
    /// Id of the submission that the turn created.
    pub submission: Option<String>,
    /// Sources of the answer to a side question.
    pub basis: AnswerBasis,
}

/// State of a form for a user interface.
#[derive(Clone, Debug)]
pub struct FormStateView {
    /// Values and missing fields.
    pub view: FormView,
    /// Text of the open question; empty when nothing is asked.
    pub question: String,
    /// Options of the field that is asked for; empty when it has none.
    pub choices: Vec<String>,
    /// The form with its schema.
    pub form: FormVersion,
}
