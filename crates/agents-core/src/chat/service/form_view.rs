//! The state of a form for a user interface.

use forms_core::{FieldType, FormSchema};
use shared_core::Scope;

use super::language::reply_language;
use super::{AgentForm, ChatService, FormStateView};
use crate::chat::machine::{self, SystemAct};
use crate::chat::wording::{self, ReplyContext};
use crate::chat::{ChatError, FormState, Phase, Session};

impl ChatService {
    /// A session's form as its last reply left it, migrated to the agent's current form. `None` when the
    /// session or the agent has none.
    ///
    /// # Errors
    /// [`ChatError::Agents`] when there is no such agent, or when the store fails.
    pub async fn form_view(
        &self,
        scope: &Scope,
        namespace: &str,
        session: &Session,
    ) -> Result<Option<FormStateView>, ChatError> {
        let agent = self.ports.agents.get(scope, namespace).await?;
        if session.form.is_none() {
            return Ok(None);
        }
        let about = match self.load_form(scope, &agent).await {
            Ok(Some(about)) => about,
            Ok(None) => return Ok(None),
            Err(ChatError::Form(_)) => return Ok(None),
            Err(other) => return Err(other),
        };
        let state = state_of(session, &about);
        Ok(Some(build_form_view(&about, session, &state, &[])))
    }
}

/// The view of a form after a reply with these system acts.
pub(super) fn build_form_view(
    about: &AgentForm,
    session: &Session,
    state: &FormState,
    parts: &[SystemAct],
) -> FormStateView {
    let AgentForm { form, schema, .. } = about;
    let view = machine::view(schema, state, parts);
    let choices = choices_of(schema, view.next.as_deref());
    FormStateView { question: question_of(about, session, state), choices, view, form: form.clone() }
}

/// The state of a session's form, migrated to the current form. A session without one gets a new state with
/// the defaults.
pub(super) fn state_of(session: &Session, about: &AgentForm) -> FormState {
    let AgentForm { form, schema, .. } = about;
    // Negative: older sessions have the revision of the form here, which must not be taken for a version.
    let revision = -i64::from(form.version);
    match session.form.clone() {
        Some(mut state) => {
            if state.form_id != form.form_id || state.revision != revision {
                machine::migrate_state(schema, &mut state, &form.form_id, revision);
            }
            state
        }
        None => machine::begin(schema, &form.form_id, revision),
    }
}

/// The options of the field that is asked for.
fn choices_of(schema: &FormSchema, asked: Option<&str>) -> Vec<String> {
    asked.and_then(|path| schema.field_at(path)).map_or_else(Vec::new, |field| match &field.kind {
        FieldType::Array(item) => item.options.clone(),
        _ => field.options.clone(),
    })
}

/// The text of the open question; empty while a confirmation is pending or nothing is asked.
pub(super) fn question_of(about: &AgentForm, session: &Session, state: &FormState) -> String {
    said(about, session, state, machine::pending_question(&about.schema, state))
}

/// What the agent says to go on after a person: its open question, or that for a confirmation. Empty when it asks nothing.
pub(super) fn resumption(about: &AgentForm, session: &Session, state: &FormState) -> String {
    let act = match state.phase {
        Phase::Filling => machine::pending_question(&about.schema, state),
        Phase::Confirming => Some(SystemAct::Summary),
        Phase::Cancelling => Some(SystemAct::AskCancel),
        Phase::Submitted | Phase::Cancelled => None,
    };
    said(about, session, state, act)
}

fn said(about: &AgentForm, session: &Session, state: &FormState, act: Option<SystemAct>) -> String {
    let AgentForm { form, schema, .. } = about;
    let spoken =
        ReplyContext { language: reply_language(session, schema), title: &form.title, form: schema, state };
    act.map_or_else(String::new, |act| wording::word(spoken, &[act], ""))
}
