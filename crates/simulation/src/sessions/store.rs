//! The store of sessions as one process sees it.

use std::collections::BTreeSet;
use std::sync::Arc;

use agents_core::chat::{MemorySessions, Phase, Session, SessionRepository, Speaker, Submission, Turn};
use async_trait::async_trait;
use shared_core::{Cursor, Page, PageRequest, Revision, Scope, StoreError, Timestamp};

use crate::bug::PlantedBug;
use crate::faults::Connection;

/// Turns of a session at most.
const MAX_TURNS: usize = 1_000;

/// The sessions as one process sees them.
#[derive(Clone, Debug)]
pub(super) struct SessionStore {
    pub(super) sessions: Arc<MemorySessions>,
    pub(super) connection: Connection,
    pub(super) bug: Option<PlantedBug>,
}

impl SessionStore {
    /// The turns of a session are numbered, alternate, and no message is there twice.
    async fn check(&self, scope: &Scope, session: &Session) -> Result<(), StoreError> {
        let turns = self.sessions.turns(scope, &session.id, MAX_TURNS).await?;
        let world = self.connection.world();
        let stored = self.sessions.find(scope, &session.agent, &session.id).await?;
        if stored.is_none_or(|stored| stored.turns as usize != turns.len()) {
            world.violate("a session counts other turns than it has");
        }
        let is_user = |turn: &Turn| turn.speaker == Speaker::User;
        for (index, turn) in turns.iter().enumerate() {
            if turn.number as usize != index + 1 || is_user(turn) != (index % 2 == 0) {
                world.violate(format!("turn {} of a session is at place {index}", turn.number));
            }
        }
        let messages: Vec<&String> =
            turns.iter().filter(|turn| is_user(turn)).map(|turn| &turn.text).collect();
        if messages.iter().collect::<BTreeSet<_>>().len() < messages.len() {
            world.violate("a message is stored twice");
        }
        Ok(())
    }
}

#[async_trait]
impl SessionRepository for SessionStore {
    async fn insert(
        &self,
        scope: &Scope,
        session: &Session,
        turns: &[Turn],
        submission: Option<&Submission>,
    ) -> Result<(), StoreError> {
        let call = async {
            self.sessions.insert(scope, session, turns, submission).await?;
            self.check(scope, session).await
        };
        self.connection.write("session", call).await
    }

    async fn find(&self, scope: &Scope, agent: &str, id: &str) -> Result<Option<Session>, StoreError> {
        self.connection.read("session", self.sessions.find(scope, agent, id)).await
    }

    async fn list(
        &self,
        scope: &Scope,
        agent: &str,
        phase: Option<Phase>,
        page: &PageRequest,
    ) -> Result<Page<Session>, StoreError> {
        self.connection.read("sessions", self.sessions.list(scope, agent, phase, page)).await
    }

    async fn turns(&self, scope: &Scope, session: &str, last: usize) -> Result<Vec<Turn>, StoreError> {
        self.connection.read("turns", self.sessions.turns(scope, session, last)).await
    }

    async fn advance(
        &self,
        scope: &Scope,
        session: &Session,
        expected: Revision,
        turns: &[Turn],
        submission: Option<&Submission>,
    ) -> Result<(), StoreError> {
        let call = async {
            let mut expected = expected;
            if self.bug == Some(PlantedBug::TurnWithoutRevision) {
                let stored = self.sessions.find(scope, &session.agent, &session.id).await?;
                expected = stored.map_or(expected, |stored| stored.revision);
            }
            let kept = match self.bug {
                Some(PlantedBug::TurnsLost) if turns.len() > 1 && session.turns > 6 => &[],
                _ => turns,
            };
            self.sessions.advance(scope, session, expected, kept, submission).await?;
            let (process, number) = (self.connection.process().0, session.turns);
            self.connection.world().log(|| format!("{process} stores turn {number} of {}", session.id));
            self.check(scope, session).await
        };
        self.connection.write("turn", call).await
    }

    async fn delete(&self, scope: &Scope, agent: &str, id: &str) -> Result<bool, StoreError> {
        self.connection.write("deletion", self.sessions.delete(scope, agent, id)).await
    }

    async fn delete_until(
        &self,
        scope: &Scope,
        agent: &str,
        until: Timestamp,
        most: u32,
    ) -> Result<u32, StoreError> {
        self.connection.write("deletion", self.sessions.delete_until(scope, agent, until, most)).await
    }

    async fn submissions(
        &self,
        scope: &Scope,
        agent: &str,
        page: &PageRequest,
    ) -> Result<Page<Submission>, StoreError> {
        self.connection.read("submissions", self.sessions.submissions(scope, agent, page)).await
    }

    async fn submissions_after(
        &self,
        scope: &Scope,
        agent: &str,
        after: Option<&Cursor>,
        most: u32,
    ) -> Result<(Vec<Submission>, Option<Cursor>), StoreError> {
        self.connection.read("submissions", self.sessions.submissions_after(scope, agent, after, most)).await
    }

    async fn submitted_forms(
        &self,
        scope: &Scope,
        agent: &str,
        most: u32,
    ) -> Result<Vec<String>, StoreError> {
        self.connection.read("submissions", self.sessions.submitted_forms(scope, agent, most)).await
    }

    async fn submission(
        &self,
        scope: &Scope,
        agent: &str,
        id: &str,
    ) -> Result<Option<Submission>, StoreError> {
        self.connection.read("submission", self.sessions.submission(scope, agent, id)).await
    }

    async fn delete_submission(&self, scope: &Scope, agent: &str, id: &str) -> Result<bool, StoreError> {
        self.connection.write("deletion", self.sessions.delete_submission(scope, agent, id)).await
    }
}
