//! A message and its rules, and what is answered.

use std::time::Duration;

use forms_core::{Extraction, Form};
use gen_core::{
    BaseQuery, ContextItem, ContextOptions, GenerateAnswer, MAX_REFERENCE, SourceCitation, Statement,
};
use shared_core::Violation;

use crate::chat::machine::FormView;
use crate::chat::{ChatError, TurnOutcome};

/// Bounds of conversations; settings of the operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChatLimits {
    /// Characters of a message.
    pub message_chars: usize,
    /// Documents of a message.
    pub documents: usize,
    /// Turns before the message that a model is shown.
    pub history: usize,
    /// How long the models of a turn of the guided conversation may take together; then the rules answer. Reading
    /// documents is not counted.
    pub turn: Duration,
}

impl Default for ChatLimits {
    fn default() -> Self {
        Self { message_chars: 32_000, documents: 50, history: 20, turn: Duration::from_secs(5) }
    }
}

/// A message to an agent, as the caller wrote it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentChatRequest {
    /// What the user says.
    pub message: String,
    /// The session that it goes on with; a new one when absent.
    pub session_id: Option<String>,
    /// Documents: file ids, own file URLs and web URLs.
    pub urls: Vec<String>,
    /// The knowledge bases of this message, and how they are searched, in place of the agent's.
    pub knowledge: Option<Vec<BaseQuery>>,
    /// Whether a record is wanted, and no conversation.
    pub json: bool,
    /// What is wanted of the context of an answer.
    pub context: ContextOptions,
}

impl AgentChatRequest {
    pub(super) fn check(&self, limits: &ChatLimits) -> Result<(), ChatError> {
        let mut wrong = self.context.violations();
        if self.message.trim().is_empty() {
            wrong.push(Violation::new("/message", "'message' must not be empty"));
        }
        if self.message.chars().nth(limits.message_chars).is_some() {
            let rule = format!("'message' has at most {} characters", limits.message_chars);
            wrong.push(Violation::new("/message", rule));
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

/// What an agent answers.
#[derive(Clone, Debug)]
pub struct AgentChatAnswer {
    /// The session, which the next message goes on with.
    pub session: String,
    /// What was asked for.
    pub reply: ChatReply,
    /// Why it ends, and what all calls of models took.
    pub outcome: TurnOutcome,
    /// What was left out, and which models failed, one sentence each.
    pub warnings: Vec<String>,
}

/// The answer by the mode of the conversation.
#[derive(Clone, Debug)]
pub enum ChatReply {
    /// A record, with its evidence and errors.
    Record(Box<Extraction>),
    /// A move of the guided conversation.
    Guided(Box<GuidedReply>),
    /// Free talk.
    Text {
        /// What is said, as Markdown.
        text: String,
        /// What it was based on.
        basis: AnswerBasis,
    },
}

/// What an answer was based on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnswerBasis {
    /// The passages, in order.
    pub context: Vec<ContextItem>,
    /// The statements of the text.
    pub statements: Vec<Statement>,
    /// Its citations, in order.
    pub citations: Vec<SourceCitation>,
    /// How likely it is that the answer is right, 0 to 1, where the model tells it.
    pub probability: Option<f64>,
}

impl AnswerBasis {
    /// Takes it from an answer.
    pub(super) fn take(answer: &mut GenerateAnswer) -> Self {
        Self {
            context: std::mem::take(&mut answer.context),
            statements: std::mem::take(&mut answer.statements),
            citations: std::mem::take(&mut answer.citations),
            probability: answer.probability,
        }
    }

    /// The same for a reply that has the answer's text somewhere; without statements and citations where it has not.
    pub(super) fn keep_cited(mut self, answer: &str, reply: &str) -> Self {
        match reply.find(answer).filter(|_| !answer.is_empty()) {
            Some(at) => {
                let before = reply.get(..at).map_or(0, |before| before.chars().count());
                for statement in &mut self.statements {
                    (statement.start, statement.end) = (statement.start + before, statement.end + before);
                }
                for citation in &mut self.citations {
                    (citation.start, citation.end) = (citation.start + before, citation.end + before);
                }
            }
            None => (self.statements, self.citations) = (Vec::new(), Vec::new()),
        }
        self
    }
}

/// A move of the guided conversation.
#[derive(Clone, Debug)]
pub struct GuidedReply {
    /// What is said, as Markdown.
    pub text: String,
    /// The form on its way.
    pub form_view: FormStateView,
    /// The submission that came of the message.
    pub submission: Option<String>,
    /// What an answer to a side question was based on.
    pub basis: AnswerBasis,
}

/// A form on its way, as a user interface shows it.
#[derive(Clone, Debug)]
pub struct FormStateView {
    /// Values and what is missing.
    pub view: FormView,
    /// The next question, ready to be shown; empty when nothing is asked.
    pub question: String,
    /// The options of what is asked for; empty where there are none.
    pub choices: Vec<String>,
    /// The form, whose schema holds the definitions.
    pub form: Form,
}
