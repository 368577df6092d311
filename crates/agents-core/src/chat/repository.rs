//! The port of sessions and submissions.

use std::fmt;

use async_trait::async_trait;
use shared_core::{Cursor, Page, PageRequest, Revision, Scope, StoreError, Timestamp};

use super::{Phase, Session, Submission, Turn};

/// Stores sessions and submissions. Implementations must pass `session_repository_contract!`.
///
/// Deleting an agent deletes its sessions and submissions in the same transaction. Lists are newest first,
/// then by id. A page whose rows exceed [`PAGE_BYTES`](shared_core::PAGE_BYTES) ends early, and its cursor
/// continues from there.
#[async_trait]
pub trait SessionRepository: fmt::Debug + Send + Sync + 'static {
    /// Inserts a session with its first turns, and the submission with its event if the first exchange made
    /// one, as [`Self::advance`] does. Errors: `Missing("agent")` when the agent is deleted;
    /// `Taken("session")` when the id exists.
    async fn insert(
        &self,
        scope: &Scope,
        session: &Session,
        turns: &[Turn],
        submission: Option<&Submission>,
    ) -> Result<(), StoreError>;
    /// The session with this id, if it belongs to this agent.
    async fn find(&self, scope: &Scope, agent: &str, id: &str) -> Result<Option<Session>, StoreError>;
    /// Sessions of an agent, or those whose form is in a phase.
    async fn list(
        &self,
        scope: &Scope,
        agent: &str,
        phase: Option<Phase>,
        page: &PageRequest,
    ) -> Result<Page<Session>, StoreError>;
    /// The last turns of a session, at most `last`, oldest first; fewer when they exceed
    /// [`PAGE_BYTES`](shared_core::PAGE_BYTES).
    async fn turns(&self, scope: &Scope, session: &str, last: usize) -> Result<Vec<Turn>, StoreError>;
    /// Stores the changed session, the new turns and a submission in one transaction if the stored revision
    /// equals `expected`. `Stale` when it does not, or when the session is deleted. A submission also stores
    /// the event `form.submitted` for the webhooks that subscribe to it.
    async fn advance(
        &self,
        scope: &Scope,
        session: &Session,
        expected: Revision,
        turns: &[Turn],
        submission: Option<&Submission>,
    ) -> Result<(), StoreError>;
    /// Deletes a session with its turns; its submissions stay. Returns whether it existed.
    async fn delete(&self, scope: &Scope, agent: &str, id: &str) -> Result<bool, StoreError>;
    /// Deletes sessions of an agent created at or before `until`, at most `most`, as [`Self::delete`] does.
    /// Returns the number of deleted sessions.
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
    /// The submissions of an agent after the cursor `after`, or the first ones: at most `most`, and at most
    /// [`PAGE_BYTES`](shared_core::PAGE_BYTES). Returned with the cursor of the last row when more follow.
    /// For reading all submissions: it does not compute a total.
    async fn submissions_after(
        &self,
        scope: &Scope,
        agent: &str,
        after: Option<&Cursor>,
        most: u32,
    ) -> Result<(Vec<Submission>, Option<Cursor>), StoreError>;
    /// Ids of the forms of an agent's submissions, sorted, at most `most`.
    async fn submitted_forms(&self, scope: &Scope, agent: &str, most: u32)
    -> Result<Vec<String>, StoreError>;
    /// The submission with this id, if it belongs to this agent.
    async fn submission(
        &self,
        scope: &Scope,
        agent: &str,
        id: &str,
    ) -> Result<Option<Submission>, StoreError>;
    /// Deletes a submission. Returns whether it existed.
    async fn delete_submission(&self, scope: &Scope, agent: &str, id: &str) -> Result<bool, StoreError>;
}
