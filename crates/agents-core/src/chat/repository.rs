//! The port of sessions and submissions.

use std::fmt;

use async_trait::async_trait;
use shared_core::{Cursor, Page, PageRequest, Revision, Scope, StoreError, Timestamp};

use super::{Session, Submission, Turn};

/// Stores conversations and what came of them. Implementations must pass `session_repository_contract!`.
///
/// What belongs to an agent goes with it, in the transaction that deletes it. Lists are newest first, then by id; a
/// page whose rows have more than [`PAGE_BYTES`](shared_core::PAGE_BYTES) ends early, and its cursor goes on from there.
#[async_trait]
pub trait SessionRepository: fmt::Debug + Send + Sync + 'static {
    /// Stores a new session with its first turns, and a submission with its event, as [`Self::advance`] does, where
    /// the first exchange made one. `Missing("agent")` when the agent is gone; `TurnOutcome("session")` when the id is.
    async fn insert(
        &self,
        scope: &Scope,
        session: &Session,
        turns: &[Turn],
        submission: Option<&Submission>,
    ) -> Result<(), StoreError>;
    /// The session of this agent, by its id.
    async fn find(&self, scope: &Scope, agent: &str, id: &str) -> Result<Option<Session>, StoreError>;
    /// Sessions of an agent.
    async fn list(&self, scope: &Scope, agent: &str, page: &PageRequest)
    -> Result<Page<Session>, StoreError>;
    /// The last turns of a session, at most `last`, oldest first; fewer where they have more than [`PAGE_BYTES`](shared_core::PAGE_BYTES).
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
    /// Deletes sessions of an agent that began by `until`, at most `most` of them, as [`Self::delete`] does. Answers
    /// how many.
    async fn delete_until(
        &self,
        scope: &Scope,
        agent: &str,
        until: Timestamp,
        most: u32,
    ) -> Result<u32, StoreError>;
    /// Submissions of an agent.
    async fn submissions(
        &self,
        scope: &Scope,
        agent: &str,
        page: &PageRequest,
    ) -> Result<Page<Submission>, StoreError>;
    /// The submissions of an agent that follow on `after` in their list, or its first ones: at most `most`, and as
    /// many as have [`PAGE_BYTES`](shared_core::PAGE_BYTES). With the cursor of the last when more follow. For reading them all, since nothing
    /// is counted.
    async fn submissions_after(
        &self,
        scope: &Scope,
        agent: &str,
        after: Option<&Cursor>,
        most: u32,
    ) -> Result<(Vec<Submission>, Option<Cursor>), StoreError>;
    /// Ids of the forms that submissions of an agent were made with, in their order, at most `most`.
    async fn submitted_forms(&self, scope: &Scope, agent: &str, most: u32)
    -> Result<Vec<String>, StoreError>;
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
