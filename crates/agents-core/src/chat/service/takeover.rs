//! A person of staff answers a session in place of the agent.

use shared_core::{Author, KeyedGuard, Scope, StoreError};

use super::form_view::{build_form_view, resumption, state_of};
use super::store::{MAX_ID, SessionGuard};
use super::{AgentCall, AgentChatAnswer, AgentForm, AnswerBasis, ChatReply, ChatService, GuidedReply};
use crate::chat::{ChatError, Session, Speaker, Takeover, Turn, TurnDetails, TurnOutcome};
use crate::{Agent, AgentsError};

/// Attempts when another server changes the session meanwhile. Chosen by hand; no measurement is recorded.
const ATTEMPTS: usize = 8;

/// A session, locked within this server, with its agent.
#[derive(Debug)]
struct OpenSession {
    agent: Agent,
    session: Session,
    _turn: KeyedGuard,
}

impl ChatService {
    /// Lets a person answer in place of the agent, once the agent's current turn has ended. The same person may take
    /// over again without an effect.
    ///
    /// # Errors
    /// [`ChatError::TakenOver`] when another person has, [`ChatError::Busy`], when there is no such session, or when
    /// the store fails.
    pub async fn take_over(
        &self,
        scope: &Scope,
        author: &Author,
        namespace: &str,
        id: &str,
    ) -> Result<Session, ChatError> {
        for _ in 0..ATTEMPTS {
            let OpenSession { mut session, _turn, .. } = self.open_session(scope, namespace, id).await?;
            match &session.taken_over {
                Some(held) if held.by.id == author.id => return Ok(session),
                Some(held) => return Err(ChatError::TakenOver(held.by.name.clone())),
                None => {}
            }
            session.taken_over = Some(Takeover { by: author.clone(), since: self.ports.clock.now() });
            if self.store_turn(scope, &mut session, None).await? {
                return Ok(session);
            }
        }
        Err(ChatError::Busy)
    }

    /// Gives the session back to the agent, whoever has taken it over. The agent repeats its open question, or its
    /// summary where that awaits a confirmation.
    ///
    /// # Errors
    /// [`ChatError::Busy`], when there is no such session, or when the store fails.
    pub async fn give_back(&self, scope: &Scope, namespace: &str, id: &str) -> Result<Session, ChatError> {
        for _ in 0..ATTEMPTS {
            let OpenSession { agent, mut session, _turn } = self.open_session(scope, namespace, id).await?;
            if session.taken_over.take().is_none() {
                return Ok(session);
            }
            let question = self.open_question(scope, &agent, &session).await?;
            let turn = question.map(|text| (Speaker::Assistant, text, TurnDetails::default()));
            if self.store_turn(scope, &mut session, turn).await? {
                return Ok(session);
            }
        }
        Err(ChatError::Busy)
    }

    /// Stores a message of the person who has taken over the session.
    ///
    /// # Errors
    /// [`ChatError::Invalid`], [`ChatError::NotTakenOver`], [`ChatError::TakenOver`] when another person has,
    /// [`ChatError::Busy`], when there is no such session, or when the store fails.
    pub async fn write_as_person(
        &self,
        scope: &Scope,
        author: &Author,
        (namespace, id): (&str, &str),
        text: &str,
    ) -> Result<Turn, ChatError> {
        self.limits.check_text("content", text)?;
        for _ in 0..ATTEMPTS {
            let OpenSession { mut session, _turn, .. } = self.open_session(scope, namespace, id).await?;
            match &session.taken_over {
                Some(held) if held.by.id == author.id => {}
                Some(held) => return Err(ChatError::TakenOver(held.by.name.clone())),
                None => return Err(ChatError::NotTakenOver),
            }
            let details = TurnDetails { author: Some(author.name.clone()), changes: Vec::new() };
            let said = (Speaker::Assistant, text.to_owned(), details.clone());
            if self.store_turn(scope, &mut session, Some(said)).await? {
                return Ok(Turn {
                    number: session.turns,
                    speaker: Speaker::Assistant,
                    text: text.to_owned(),
                    at: session.updated,
                    outcome: None,
                    details,
                });
            }
        }
        Err(ChatError::Busy)
    }

    /// Stores the user's message for the person who has taken over the session. The agent says nothing.
    pub(super) async fn keep_for_person(
        &self,
        call: &AgentCall<'_>,
        about: Option<&AgentForm>,
        guard: SessionGuard,
    ) -> Result<AgentChatAnswer, ChatError> {
        let SessionGuard { mut session, turn: _turn, .. } = guard;
        let reply = match about {
            Some(about) => {
                let state = state_of(&session, about);
                ChatReply::Guided(Box::new(GuidedReply {
                    text: String::new(),
                    form_view: build_form_view(about, &session, &state, &[]),
                    submission: None,
                    basis: AnswerBasis::default(),
                }))
            }
            None => ChatReply::Text { text: String::new(), basis: AnswerBasis::default() },
        };
        let mut warnings = Vec::new();
        if !call.request.urls.is_empty() {
            warnings
                .push("a person answers in place of the agent, so the documents were not read".to_owned());
        }
        let answer = AgentChatAnswer {
            session: session.id.clone(),
            reply,
            outcome: TurnOutcome::default(),
            taken_over: session.taken_over.clone(),
            warnings,
        };
        call.request.observe(&answer);
        let said = (Speaker::User, call.request.message.clone(), TurnDetails::default());
        match self.store_turn(&call.payer.scope, &mut session, Some(said)).await? {
            true => Ok(answer),
            false => Err(ChatError::Busy),
        }
    }

    /// Refuses what only the agent can answer while a person answers in its place.
    pub(super) fn require_agent(session: &Session) -> Result<(), ChatError> {
        match &session.taken_over {
            Some(held) => Err(ChatError::TakenOver(held.by.name.clone())),
            None => Ok(()),
        }
    }

    /// How many of its values each form of these sessions has, and how many apply; `None` without a form of the agent.
    ///
    /// # Errors
    /// [`ChatError::Agents`] when there is no such agent, or when the store fails.
    pub async fn progress(
        &self,
        scope: &Scope,
        namespace: &str,
        sessions: &[Session],
    ) -> Result<Vec<Option<(usize, usize)>>, ChatError> {
        let agent = self.ports.agents.get(scope, namespace).await?;
        let about = match self.load_form(scope, &agent).await {
            Ok(about) => about,
            Err(ChatError::Form(_)) => None,
            Err(other) => return Err(other),
        };
        let of = |session: &Session| {
            let about = about.as_ref().filter(|_| session.form.is_some())?;
            let view = build_form_view(about, session, &state_of(session, about), &[]).view;
            Some((view.filled, view.total))
        };
        Ok(sessions.iter().map(of).collect())
    }

    /// Waits for the session's current turn, and loads it.
    async fn open_session(&self, scope: &Scope, namespace: &str, id: &str) -> Result<OpenSession, ChatError> {
        let agent = self.ports.agents.get(scope, namespace).await?;
        if id.len() > MAX_ID {
            return Err(ChatError::Agents(AgentsError::SessionNotFound));
        }
        let turn = self.session_locks.lock(id).await;
        let found = self.ports.sessions.find(scope, &agent.id, id).await.map_err(ChatError::Store)?;
        let session = found.ok_or(ChatError::Agents(AgentsError::SessionNotFound))?;
        Ok(OpenSession { agent, session, _turn: turn })
    }

    /// The question that the agent asks next; `None` when it asks none.
    async fn open_question(
        &self,
        scope: &Scope,
        agent: &Agent,
        session: &Session,
    ) -> Result<Option<String>, ChatError> {
        if session.form.is_none() {
            return Ok(None);
        }
        let about = match self.load_form(scope, agent).await {
            Ok(Some(about)) => about,
            Ok(None) | Err(ChatError::Form(_)) => return Ok(None),
            Err(other) => return Err(other),
        };
        let question = resumption(&about, session, &state_of(session, &about));
        Ok(Some(question).filter(|question| !question.is_empty()))
    }

    /// Stores the changed session with one more turn, if there is one. Returns `false` when the session was changed
    /// meanwhile; then nothing was stored.
    async fn store_turn(
        &self,
        scope: &Scope,
        session: &mut Session,
        said: Option<(Speaker, String, TurnDetails)>,
    ) -> Result<bool, ChatError> {
        let now = self.ports.clock.now();
        let expected = session.revision;
        session.revision = expected.next();
        let turn = said.map(|(speaker, text, details)| {
            session.turns = session.turns.saturating_add(1);
            session.updated = now;
            let is_of_agent = speaker == Speaker::Assistant && details.author.is_none();
            let outcome = is_of_agent.then(TurnOutcome::default);
            Turn { number: session.turns, speaker, text, at: now, outcome, details }
        });
        let stored = self.ports.sessions.advance(scope, session, expected, turn.as_slice(), None).await;
        match stored {
            Ok(()) => Ok(true),
            Err(StoreError::Stale) => Ok(false),
            Err(error) => Err(ChatError::Store(error)),
        }
    }
}
