//! Loads, starts and stores sessions with their exchanges.

use gen_core::CallerContext;
use shared_core::{KeyedGuard, Revision, StoreError, new_id};

use super::{AgentCall, ChatService};
use crate::AgentsError;
use crate::chat::{ChatError, Session, Speaker, Submission, Turn, TurnDetails, TurnOutcome, ValueChange};

/// Most characters of a session's title. Chosen by hand; no measurement is recorded.
const MAX_TITLE: usize = 80;
/// Most bytes of a session id; longer ids are not found. Bounds look-ups; ids of the server are shorter.
pub(super) const MAX_ID: usize = 200;

/// The texts and the outcome of an exchange.
#[derive(Clone, Debug)]
pub(super) struct CompletedExchange<'a> {
    pub(super) message: &'a str,
    pub(super) reply: &'a str,
    pub(super) outcome: TurnOutcome,
    /// Values of the form that the message changed.
    pub(super) changes: Vec<ValueChange>,
}

/// A loaded session with its lock.
#[derive(Debug)]
pub(super) struct SessionGuard {
    pub(super) session: Session,
    pub(super) is_new: bool,
    pub(super) turn: KeyedGuard,
}

impl ChatService {
    /// Locks and loads the session of a message, or starts one.
    pub(super) async fn lock_session(&self, call: &AgentCall<'_>) -> Result<SessionGuard, ChatError> {
        let Some(id) = call.request.session_id.as_deref() else {
            let id = new_id("session", self.ports.clock.now(), self.ports.ids.as_ref());
            let session = self.new_session(call, id);
            let turn = self.session_locks.lock(session.id.as_str()).await;
            return Ok(SessionGuard { session, is_new: true, turn });
        };
        if id.len() > MAX_ID {
            return Err(ChatError::Agents(AgentsError::SessionNotFound));
        }
        let turn = self.session_locks.lock(id).await;
        let found = self.ports.sessions.find(&call.payer.scope, &call.agent.id, id).await;
        match found.map_err(ChatError::Store)? {
            Some(session) => Ok(SessionGuard { session, is_new: false, turn }),
            None if call.request.starts_session => {
                Ok(SessionGuard { session: self.new_session(call, id.to_owned()), is_new: true, turn })
            }
            None => Err(ChatError::Agents(AgentsError::SessionNotFound)),
        }
    }

    fn new_session(&self, call: &AgentCall<'_>, id: String) -> Session {
        let now = self.ports.clock.now();
        let title = call.request.message.split_whitespace().collect::<Vec<_>>().join(" ");
        Session {
            id,
            workspace: call.payer.scope.workspace.clone(),
            author: call.author.clone(),
            agent: call.agent.id.clone(),
            title: title.chars().take(MAX_TITLE).collect(),
            form: None,
            taken_over: None,
            language: String::new(),
            turns: 0,
            revision: Revision::FIRST,
            created: now,
            updated: now,
        }
    }

    /// Stores an exchange. Returns `false` when the session was changed or started meanwhile; then nothing was
    /// stored.
    pub(super) async fn store_exchange(
        &self,
        payer: &CallerContext,
        session: &mut Session,
        is_new: bool,
        said: CompletedExchange<'_>,
        submission: Option<&Submission>,
    ) -> Result<bool, ChatError> {
        let now = self.ports.clock.now();
        let turn = |number, speaker, text: &str, taken, changes| Turn {
            number,
            speaker,
            text: text.to_owned(),
            at: now,
            outcome: taken,
            details: TurnDetails { author: None, changes },
        };
        let turns = [
            turn(session.turns + 1, Speaker::User, said.message, None, said.changes),
            turn(session.turns + 2, Speaker::Assistant, said.reply, Some(said.outcome), Vec::new()),
        ];
        session.turns = session.turns.saturating_add(2);
        session.updated = now;
        let sessions = &self.ports.sessions;
        let stored = if is_new {
            sessions.insert(&payer.scope, session, &turns, submission).await
        } else {
            let expected = session.revision;
            session.revision = expected.next();
            sessions.advance(&payer.scope, session, expected, &turns, submission).await
        };
        match stored {
            Ok(()) => Ok(true),
            Err(StoreError::Stale | StoreError::Taken("session")) => Ok(false),
            Err(StoreError::Missing("agent")) => Err(ChatError::Agents(AgentsError::NotFound)),
            Err(error) => Err(ChatError::Store(error)),
        }
    }
}
