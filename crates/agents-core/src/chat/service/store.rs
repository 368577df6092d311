//! Sessions found, begun, and stored with their exchanges.

use futures_util::lock::OwnedMutexGuard;
use gen_core::Payer;
use shared_core::{Author, Revision, StoreError, new_id};

use super::{ChatRequest, ChatService};
use crate::chat::{ChatError, Session, Speaker, Submission, Turn};
use crate::{Agent, AgentsError};

/// Characters of a session's title.
const MAX_TITLE: usize = 80;
/// Characters of a session's id.
const MAX_ID: usize = 200;

/// What was said by both sides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Said<'a> {
    pub(super) message: &'a str,
    pub(super) reply: &'a str,
}

/// A session in which this message has the turn to speak.
#[derive(Debug)]
pub(super) struct Floor {
    pub(super) session: Session,
    pub(super) is_new: bool,
    pub(super) turn: OwnedMutexGuard<()>,
}

impl ChatService {
    /// Waits for the turn to speak in the session of a request, or begins one.
    pub(super) async fn floor(
        &self,
        payer: &Payer,
        author: &Author,
        agent: &Agent,
        request: &ChatRequest,
    ) -> Result<Floor, ChatError> {
        let named = request.session_id.as_deref();
        let waited = match named {
            Some(id) => Some(self.turns.turn(id).await),
            None => None,
        };
        let (session, is_new) = self.session(payer, author, agent, named, &request.message).await?;
        let turn = match waited {
            Some(turn) => turn,
            None => self.turns.turn(&session.id).await,
        };
        Ok(Floor { session, is_new, turn })
    }

    /// The session of a request, and whether it is new.
    async fn session(
        &self,
        payer: &Payer,
        author: &Author,
        agent: &Agent,
        id: Option<&str>,
        message: &str,
    ) -> Result<(Session, bool), ChatError> {
        if let Some(id) = id {
            if id.len() > MAX_ID {
                return Err(ChatError::Agents(AgentsError::SessionNotFound));
            }
            let found =
                self.ports.sessions.find(&payer.scope, &agent.id, id).await.map_err(ChatError::Store)?;
            return Ok((found.ok_or(ChatError::Agents(AgentsError::SessionNotFound))?, false));
        }
        let now = self.ports.clock.now();
        let title = message.split_whitespace().collect::<Vec<_>>().join(" ");
        let session = Session {
            id: new_id("session", now, self.ports.ids.as_ref()),
            workspace: payer.scope.workspace.clone(),
            author: author.clone(),
            agent: agent.id.clone(),
            title: title.chars().take(MAX_TITLE).collect(),
            form: None,
            language: String::new(),
            turns: 0,
            revision: Revision::FIRST,
            created: now,
            updated: now,
        };
        Ok((session, true))
    }

    /// Stores an exchange. `false` when somebody else was faster, and nothing was stored.
    pub(super) async fn keep(
        &self,
        payer: &Payer,
        session: &mut Session,
        is_new: bool,
        said: Said<'_>,
        submission: Option<&Submission>,
    ) -> Result<bool, ChatError> {
        let now = self.ports.clock.now();
        let turn = |number, speaker, text: &str| Turn { number, speaker, text: text.to_owned(), at: now };
        let turns = [
            turn(session.turns + 1, Speaker::User, said.message),
            turn(session.turns + 2, Speaker::Assistant, said.reply),
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
            Err(StoreError::Stale) => Ok(false),
            Err(StoreError::Missing("agent")) => Err(ChatError::Agents(AgentsError::NotFound)),
            Err(error) => Err(ChatError::Store(error)),
        }
    }
}
