//! The port of sessions and submissions.

use std::fmt;

use async_trait::async_trait;
use shared_core::{Page, PageRequest, Revision, Scope, StoreError};

use super::{Session, Submission, Turn};

/// Stores conversations and what came of them. Implementations must pass `contract::session_repository!`.
#[async_trait]
pub trait SessionRepository: fmt::Debug + Send + Sync + 'static {
    /// Stores a new session with its first turns, and a submission where the first exchange made one.
    /// `Missing("agent")` when the agent is gone.
    async fn insert(
        &self,
        scope: &Scope,
        session: &Session,
        turns: &[Turn],
        submission: Option<&Submission>,
    ) -> Result<(), StoreError>;
    /// The session of this agent, by its id.
    async fn find(&self, scope: &Scope, agent: &str, id: &str) -> Result<Option<Session>, StoreError>;
    /// Sessions of an agent, newest first, then by id.
    async fn list(&self, scope: &Scope, agent: &str, page: &PageRequest)
    -> Result<Page<Session>, StoreError>;
    /// The last turns of a session, at most `last`, oldest first.
    async fn turns(&self, scope: &Scope, session: &str, last: usize) -> Result<Vec<Turn>, StoreError>;
    /// Stores the changed session, the new turns and a submission in one unit, only if the stored revision is
    /// `expected`; else, and when the session is gone, `Stale`. With a submission, the event `form.submitted` is
    /// stored for the webhooks that want it.
    async fn advance(
        &self,
        scope: &Scope,
        session: &Session,
        expected: Revision,
        turns: &[Turn],
        submission: Option<&Submission>,
    ) -> Result<(), StoreError>;
    /// Deletes a session with its turns; its submissions stay. Answers whether it was there.
    async fn delete(&self, scope: &Scope, agent: &str, id: &str) -> Result<bool, StoreError>;
    /// Submissions of an agent, newest first, then by id.
    async fn submissions(
        &self,
        scope: &Scope,
        agent: &str,
        page: &PageRequest,
    ) -> Result<Page<Submission>, StoreError>;
    /// The submission of this agent, by its id.
    async fn submission(
        &self,
        scope: &Scope,
        agent: &str,
        id: &str,
    ) -> Result<Option<Submission>, StoreError>;
    /// Deletes a submission. Answers whether it was there.
    async fn delete_submission(&self, scope: &Scope, agent: &str, id: &str) -> Result<bool, StoreError>;
}
