//! The guided dialogue. A turn extracts from the documents, interprets the message, runs the state machine,
//! and words the reply.

use gen_core::{Finish, GenerateRequest, Spend};
use language::reply::reply;
use shared_core::new_id;

use super::deadline::Deadline;
use super::documents::{document_names, text_document};
use super::form_view::{build_form_view, question_of, state_of};
use super::language::{has_no_replies, is_read, reply_language, session_language, update_language};
use super::store::{CompletedExchange, SessionGuard};
use super::{AgentCall, AgentChatAnswer, AgentForm, AnswerBasis, ChatReply, ChatService, GuidedReply};
use crate::chat::machine::{self, SystemAct, TurnContext};
use crate::chat::model_nlu::{self, NluPrompt};
use crate::chat::wording::{self, ReplyContext};
use crate::chat::{ChatError, FormState, Interpretation, Session, Submission, TurnOutcome, UserTurn};

// Chosen by hand; no measurement is recorded.
/// Attempts of a turn when another server changes the session meanwhile.
const ATTEMPTS: usize = 8;
/// Most recently filled values that a correction may refer to.
const RECENT: usize = 12;
/// Turns of history sent with a side question.
const SIDE_TURNS: usize = 6;

/// A turn in progress, with its outcome.
#[derive(Debug, Default)]
struct GuidedTurn {
    reply: String,
    parts: Vec<SystemAct>,
    basis: AnswerBasis,
    taken: TurnOutcome,
    warnings: Vec<String>,
    /// Whether tools of the agent's servers may have been called.
    has_used_tools: bool,
}

impl ChatService {
    pub(super) async fn answer_guided(
        &self,
        call: &AgentCall<'_>,
        about: &AgentForm,
    ) -> Result<AgentChatAnswer, ChatError> {
        for _ in 0..ATTEMPTS {
            let guard = self.lock_session(call).await?;
            if guard.session.taken_over.is_some() {
                match self.keep_for_person(call, Some(about), guard).await {
                    Err(ChatError::Busy) => continue,
                    kept => return kept,
                }
            }
            let SessionGuard { mut session, is_new, turn: _turn } = guard;
            let mut state = state_of(&session, about);
            let before = state.values.clone();
            let made = self.run_turn(call, about, &mut session, &mut state).await?;
            let changes = machine::changes(&before, &state);
            let is_submitted = made.parts.contains(&SystemAct::Submitted);
            let submission = is_submitted.then(|| self.submission(call, about, &session, &state));
            let shown = build_form_view(about, &session, &state, &made.parts);
            session.form = Some(state);
            let reply = GuidedReply {
                text: made.reply.clone(),
                submission: submission.as_ref().map(|submission| submission.id.clone()),
                basis: made.basis,
                form_view: shown,
            };
            let answer = AgentChatAnswer {
                session: session.id.clone(),
                reply: ChatReply::Guided(Box::new(reply)),
                outcome: made.taken,
                taken_over: None,
                warnings: made.warnings,
            };
            call.request.observe(&answer);
            let has_used_tools = made.has_used_tools;
            let said = CompletedExchange {
                message: &call.request.message,
                reply: &made.reply,
                outcome: made.taken,
                changes,
            };
            if self.store_exchange(call.payer, &mut session, is_new, said, submission.as_ref()).await? {
                return Ok(answer);
            }
            // A tool that writes must not be called twice for one message.
            if has_used_tools {
                break;
            }
        }
        Err(ChatError::Busy)
    }

    /// Runs one turn.
    async fn run_turn(
        &self,
        call: &AgentCall<'_>,
        about: &AgentForm,
        session: &mut Session,
        state: &mut FormState,
    ) -> Result<GuidedTurn, ChatError> {
        let (AgentForm { form, schema, .. }, message) = (about, call.request.message.as_str());
        let mut documents = self.documents(call).await?;
        let mut made = GuidedTurn::default();
        let prefilled = match documents.group.documents().is_empty() {
            true => Vec::new(),
            false => {
                let (mut found, warnings) = self.extract_documents(call, schema, &mut documents).await?;
                documents.group.name_documents(&mut found, &document_names(&call.request.urls));
                made.warnings = warnings;
                made.taken.spent += Spend { usage: found.usage, cost: found.cost };
                let filled = machine::prefill(schema, state, &found);
                machine::keep_evidence(state, Some((&found, &filled)));
                filled
            }
        };
        let is_first = session.turns == 0;
        let mut deadline = Deadline::after(self.ports.timer.as_ref(), self.limits.turn);
        let reading = self.interpret_message(call, about, session, state, deadline, &mut made).await;
        update_language(session, schema, message);
        let occasion = TurnContext { message, is_first, prefilled, whole: Some(&about.whole) };
        made.parts = machine::step(schema, state, &reading, occasion);
        machine::keep_evidence(state, None);
        let mut record = machine::record(schema, &state.values);
        about.whole.compute(&mut record);
        made.warnings.extend(about.whole.broken_rules(&record).into_iter().map(|rule| rule.message));
        let answer = match &reading.question {
            Some(question) => {
                made.has_used_tools = !call.agent.tools.is_empty();
                if made.has_used_tools {
                    let time = self.limits.tool_turn.max(self.limits.turn);
                    deadline = Deadline::after(self.ports.timer.as_ref(), time);
                }
                self.side_answer(call, session, question, deadline, &mut made).await?
            }
            None => String::new(),
        };
        let spoken = ReplyContext {
            language: reply_language(session, schema),
            title: &form.title,
            form: schema,
            state,
        };
        made.reply = wording::word(spoken, &made.parts, &answer);
        if !call.model.is_extractive() && has_no_replies(session) {
            self.translate(call, &session.language, deadline, &mut made).await;
        }
        made.basis = std::mem::take(&mut made.basis).keep_cited(&answer, &made.reply);
        Ok(made)
    }

    /// Lets the model say the reply in a language that there are no replies in; the reply stays as it is when that
    /// fails.
    async fn translate(
        &self,
        call: &AgentCall<'_>,
        language: &str,
        deadline: Deadline<'_>,
        made: &mut GuidedTurn,
    ) {
        let system = format!(
            "Translate the message into the language with the ISO 639-1 code '{language}'. Keep names, numbers, values \
             and Markdown as they are. Add nothing, leave nothing out, and answer only the translation."
        );
        let wanted = GenerateRequest {
            model_id: call.model.to_string(),
            prompt: made.reply.clone(),
            system: Some(system),
            ..GenerateRequest::default()
        };
        match deadline.run_within(self.ports.generate.generate(call.payer, wanted)).await {
            // A truncated or refused translation would lose part of the reply.
            Some(Ok(answer))
                if !matches!(answer.finish, Finish::Length | Finish::Refused)
                    && !answer.text.trim().is_empty() =>
            {
                made.taken.spent += Spend { usage: answer.usage, cost: answer.cost };
                made.reply = answer.text;
            }
            Some(Ok(answer)) => {
                made.taken.spent += Spend { usage: answer.usage, cost: answer.cost };
                made.warnings
                    .push("the reply could not be translated: the model's answer was incomplete".into());
            }
            Some(Err(error)) => made.warnings.push(format!("the reply could not be translated: {error}")),
            None => made.warnings.push(format!("the reply could not be translated: {}", deadline.message())),
        }
    }

    /// Interprets the message by the rules, and by the agent's model unless that is the built-in model.
    async fn interpret_message(
        &self,
        call: &AgentCall<'_>,
        about: &AgentForm,
        session: &Session,
        state: &FormState,
        deadline: Deadline<'_>,
        made: &mut GuidedTurn,
    ) -> Interpretation {
        let (AgentForm { form, schema, .. }, message) = (about, call.request.message.as_str());
        let has_value = |path: &&String| machine::pointer::get(&state.values, path).is_some();
        let recent: Vec<String> = state.trail.iter().rev().filter(has_value).take(RECENT).cloned().collect();
        let user_turn = UserTurn {
            message,
            language: session_language(session),
            form: schema,
            phase: state.phase,
            asked: state.asked.as_deref(),
            is_confirmation: state.is_confirmation(),
            values: &state.values,
            recent: &recent,
            today: self.ports.clock.now().date(),
        };
        let reading = self.ports.nlu.interpret(&user_turn);
        if call.model.is_extractive() {
            return reading;
        }
        let asked = question_of(about, session, state);
        let Some(asking) = NluPrompt::new(&form.schema, &asked, message, user_turn.today) else {
            return reading;
        };
        let documents = [text_document("conversation", asking.text.clone())];
        // If the model fails, the dialogue continues with the interpretation of the rules.
        let problem = match deadline.run_within(self.extract(call, &asking.schema, &documents)).await {
            Some(Ok(found)) => {
                made.taken.spent += Spend { usage: found.usage, cost: found.cost };
                if !found.errors.is_empty() {
                    let told = found.errors.iter().map(|error| error.message.as_str()).collect::<Vec<_>>();
                    made.warnings.push(format!("the model's answer was used in part: {}", told.join("; ")));
                }
                return model_nlu::merge_interpretations(
                    &user_turn,
                    &asking,
                    reading,
                    &found,
                    !is_read(self.ports.nlu.as_ref(), session),
                );
            }
            Some(Err(error)) => {
                // A failed extraction may have spent tokens.
                made.taken.spent += error.spent();
                error.to_string()
            }
            None => deadline.message(),
        };
        made.warnings.push(format!("the model could not interpret the message: {problem}"));
        reading
    }

    /// Answers a side question from the knowledge bases, the agent memory and the tools of the agent's servers.
    async fn side_answer(
        &self,
        call: &AgentCall<'_>,
        session: &Session,
        question: &str,
        deadline: Deadline<'_>,
        made: &mut GuidedTurn,
    ) -> Result<String, ChatError> {
        let language = session_language(session);
        let unknown = || reply(language, "no-answer", &[]);
        let mut wanted = self.grounded_request(call, question).await?;
        if wanted.knowledge.is_empty() && wanted.documents.is_empty() && call.model.is_extractive() {
            return Ok(unknown());
        }
        let mut messages = self.history(call.payer, session, session.turns == 0).await?;
        wanted.messages = messages.split_off(messages.len().saturating_sub(SIDE_TURNS));
        let problem = match deadline.run_within(self.generate_with_tools(call, wanted)).await {
            Some(Ok(mut answer)) => {
                made.taken.spent += Spend { usage: answer.usage, cost: answer.cost };
                made.taken.finish = answer.finish;
                made.basis = AnswerBasis::take(&mut answer);
                made.warnings.extend(answer.warnings);
                return Ok(answer.text);
            }
            Some(Err(error)) => error.to_string(),
            None => deadline.message(),
        };
        // A failed side question must not block the form.
        made.warnings.push(format!("the question could not be answered: {problem}"));
        Ok(unknown())
    }

    fn submission(
        &self,
        call: &AgentCall<'_>,
        about: &AgentForm,
        session: &Session,
        state: &FormState,
    ) -> Submission {
        let now = self.ports.clock.now();
        let mut record = machine::record(&about.schema, &state.values);
        about.whole.compute(&mut record);
        Submission {
            id: new_id("submission", now, self.ports.ids.as_ref()),
            workspace: session.workspace.clone(),
            author: call.author.clone(),
            agent: call.agent.id.clone(),
            session: session.id.clone(),
            form_id: about.form.form_id.clone(),
            record,
            created: now,
        }
    }
}
