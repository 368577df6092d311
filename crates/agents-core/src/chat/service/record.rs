//! Record mode: extracts the form's fields from the message, the user's earlier messages and documents.

use std::sync::Arc;

use document::Document;
use forms_core::{Evidence, Extraction, FormSchema, Support};
use gen_core::{CallerContext, Spend};
use language::Language;
use serde_json::{Map, Value};

use super::documents::document_names;
use super::store::{CompletedExchange, SessionGuard};
use super::{AgentCall, AgentChatAnswer, AgentForm, ChatReply, ChatService};
use crate::chat::machine;
use crate::chat::{ChatError, FormState, Phase, Speaker, TurnOutcome, UserTurn};

/// Document name of the message in the evidence.
const MESSAGE: &str = "message";
/// Confidence of a value that the rules found and that is a literal substring of the message; half of it
/// otherwise. Chosen by hand; no measurement is recorded.
const SURE: f32 = 0.8;

impl ChatService {
    pub(super) async fn record(
        &self,
        call: &AgentCall<'_>,
        about: &AgentForm,
    ) -> Result<AgentChatAnswer, ChatError> {
        let (AgentCall { payer, request, .. }, AgentForm { whole: schema, .. }) = (call, about);
        let SessionGuard { mut session, is_new, turn: _turn } = self.lock_session(call).await?;
        Self::require_agent(&session)?;
        let said = self.user_messages(payer, &session.id, is_new, &request.message).await?;
        let text = said.join("\n\n");
        let mut documents = self.documents(call).await?;
        let message = Document { text: text.clone(), ..Document::default() };
        documents.group.add(MESSAGE.to_owned(), None, Arc::new(message));
        let (mut found, warnings) = self.extract_documents(call, schema, &mut documents).await?;
        documents.group.name_documents(&mut found, &document_names(&request.urls));
        if call.model.is_extractive() {
            let mut state = FormState::default();
            for message in &said {
                self.apply_message(schema, &mut state, message);
            }
            prefer(schema, &mut found, &state, &text);
        }
        let reply = Value::Object(found.record.clone()).to_string();
        let taken =
            TurnOutcome { spent: Spend { usage: found.usage, cost: found.cost }, ..TurnOutcome::default() };
        let answer = AgentChatAnswer {
            session: session.id.clone(),
            outcome: taken,
            reply: ChatReply::Record(Box::new(found)),
            taken_over: None,
            warnings,
        };
        request.observe(&answer);
        let exchange = CompletedExchange {
            message: &request.message,
            reply: &reply,
            outcome: taken,
            changes: Vec::new(),
        };
        match self.store_exchange(payer, &mut session, is_new, exchange, None).await? {
            true => Ok(answer),
            false => Err(ChatError::Busy),
        }
    }

    /// The user's messages in the session, the current one last.
    async fn user_messages(
        &self,
        payer: &CallerContext,
        session: &str,
        is_new: bool,
        message: &str,
    ) -> Result<Vec<String>, ChatError> {
        let mut said = Vec::new();
        if !is_new {
            let turns = self.ports.sessions.turns(&payer.scope, session, self.limits.history).await;
            let turns = turns.map_err(ChatError::Store)?;
            said.extend(turns.into_iter().filter(|turn| turn.speaker == Speaker::User).map(|turn| turn.text));
        }
        said.push(message.to_owned());
        Ok(said)
    }

    /// Applies the rules' interpretation of a message to the state.
    fn apply_message(&self, schema: &FormSchema, state: &mut FormState, message: &str) {
        let recent: Vec<String> = state.trail.iter().rev().cloned().collect();
        let reading = self.ports.nlu.interpret(&UserTurn {
            message,
            language: Language::UNKNOWN,
            form: schema,
            phase: Phase::Filling,
            asked: None,
            is_confirmation: false,
            values: &state.values,
            recent: &recent,
            today: self.ports.clock.now().date(),
        });
        machine::apply_slot_updates(schema, state, &reading.statements);
    }
}

/// Replaces values that the built-in model extracted by those that the rules found in the messages. Other
/// values stay.
fn prefer(schema: &FormSchema, found: &mut Extraction, state: &FormState, text: &str) {
    let heard = machine::record(schema, &state.values);
    for (name, value) in heard.iter().filter(|(_, value)| !is_empty(value)) {
        let path = machine::pointer::child("", name);
        let is_new = found.record.get(name) != Some(value);
        if !is_new {
            continue;
        }
        found.evidence.retain(|at, _| *at != path && !at.starts_with(&format!("{path}/")));
        found.errors.retain(|error| error.path != path && !error.path.starts_with(&format!("{path}/")));
        evidence(&path, value, text, found);
        found.record.insert(name.clone(), value.clone());
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(parts) => parts.values().all(is_empty),
        _ => false,
    }
}

/// Adds the evidence of a value and of everything nested in it.
fn evidence(path: &str, value: &Value, text: &str, found: &mut Extraction) {
    match value {
        Value::Null => {}
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                evidence(&machine::pointer::child(path, &index.to_string()), item, text, found);
            }
        }
        Value::Object(parts) => parts_evidence(path, parts, text, found),
        leaf => {
            let said = leaf.as_str().map_or_else(|| leaf.to_string(), str::to_owned);
            found.evidence.insert(path.to_owned(), leaf_evidence(&said, text));
        }
    }
}

fn parts_evidence(path: &str, parts: &Map<String, Value>, text: &str, found: &mut Extraction) {
    for (name, part) in parts {
        evidence(&machine::pointer::child(path, name), part, text, found);
    }
}

fn leaf_evidence(said: &str, text: &str) -> Evidence {
    let at = text.find(said).filter(|_| !said.is_empty());
    let start = at.map(|at| text.get(..at).unwrap_or_default().chars().count());
    let (support, confidence) = match at {
        Some(_) => (Support::Exact, SURE),
        None => (Support::Normalised, SURE / 2.0),
    };
    Evidence {
        document: Some(MESSAGE.to_owned()),
        quote: at.map(|_| said.to_owned()),
        start,
        end: start.map(|start| start + said.chars().count()),
        ..Evidence::without_place(support, confidence)
    }
}
