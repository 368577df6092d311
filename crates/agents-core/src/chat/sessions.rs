//! The use cases of stored conversations and of what came of them. The conversation itself is not theirs.

use std::sync::Arc;

use forms_core::FormsService;
use shared_core::{Clock, Cursor, Page, PageRequest, Scope};

use super::{Session, SessionRepository, Submission, Turn};
use crate::{AgentsError, AgentsService};

/// Turns that are shown with a session, the last ones.
pub const MAX_SHOWN_TURNS: usize = 1_000;
/// Sessions that are deleted in one unit; other writers come between.
const DELETED_TOGETHER: u32 = 100;
/// Submissions that are read at once when all are wanted.
const READ_TOGETHER: u32 = 100;

/// Sessions and submissions of agents.
#[derive(Clone, Debug)]
pub struct SessionsService {
    pub(super) agents: AgentsService,
    pub(super) forms: FormsService,
    pub(super) repository: Arc<dyn SessionRepository>,
    clock: Arc<dyn Clock>,
}

impl SessionsService {
    /// Builds the service on its ports.
    #[must_use]
    pub fn new(
        agents: AgentsService,
        forms: FormsService,
        repository: Arc<dyn SessionRepository>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { agents, forms, repository, clock }
    }

    /// Sessions of an agent, newest first. A page of large ones ends early; its cursor goes on from there.
    ///
    /// # Errors
    /// [`AgentsError::NotFound`] when there is no such agent, or when the store fails.
    pub async fn list(
        &self,
        scope: &Scope,
        namespace: &str,
        page: &PageRequest,
    ) -> Result<Page<Session>, AgentsError> {
        let agent = self.agents.get(scope, namespace).await?;
        self.repository.list(scope, &agent.id, page).await.map_err(AgentsError::Store)
    }

    /// A session with its last turns, oldest first: at most [`MAX_SHOWN_TURNS`], fewer where they are long.
    ///
    /// # Errors
    /// [`AgentsError::NotFound`], [`AgentsError::SessionNotFound`], or when the store fails.
    pub async fn get(
        &self,
        scope: &Scope,
        namespace: &str,
        id: &str,
    ) -> Result<(Session, Vec<Turn>), AgentsError> {
        let agent = self.agents.get(scope, namespace).await?;
        let found = self.repository.find(scope, &agent.id, id).await.map_err(AgentsError::Store)?;
        let session = found.ok_or(AgentsError::SessionNotFound)?;
        let turns = self.repository.turns(scope, id, MAX_SHOWN_TURNS).await.map_err(AgentsError::Store)?;
        Ok((session, turns))
    }

    /// Deletes a session with its turns; its submissions stay.
    ///
    /// # Errors
    /// [`AgentsError::NotFound`], [`AgentsError::SessionNotFound`], or when the store fails.
    pub async fn delete(&self, scope: &Scope, namespace: &str, id: &str) -> Result<(), AgentsError> {
        let agent = self.agents.get(scope, namespace).await?;
        let deleted = self.repository.delete(scope, &agent.id, id).await.map_err(AgentsError::Store)?;
        if deleted { Ok(()) } else { Err(AgentsError::SessionNotFound) }
    }

    /// Deletes every session of an agent that has begun by now, part by part. Answers how many.
    ///
    /// # Errors
    /// [`AgentsError::NotFound`], or when the store fails; what was deleted before that is gone.
    pub async fn delete_all(&self, scope: &Scope, namespace: &str) -> Result<u64, AgentsError> {
        let agent = self.agents.get(scope, namespace).await?;
        let (until, mut gone) = (self.clock.now(), 0);
        loop {
            let part = self.repository.delete_until(scope, &agent.id, until, DELETED_TOGETHER).await;
            let part = part.map_err(AgentsError::Store)?;
            gone += u64::from(part);
            if part < DELETED_TOGETHER {
                return Ok(gone);
            }
        }
    }

    /// Submissions of an agent, newest first. A page of large ones ends early; its cursor goes on from there.
    ///
    /// # Errors
    /// [`AgentsError::NotFound`] when there is no such agent, or when the store fails.
    pub async fn submissions(
        &self,
        scope: &Scope,
        namespace: &str,
        page: &PageRequest,
    ) -> Result<Page<Submission>, AgentsError> {
        let agent = self.agents.get(scope, namespace).await?;
        self.repository.submissions(scope, &agent.id, page).await.map_err(AgentsError::Store)
    }

    /// A part of all submissions of an agent, newest first: those that follow on `after`, or the first ones. With
    /// the cursor for the next part, where there is one.
    ///
    /// # Errors
    /// [`AgentsError::NotFound`] when there is no such agent, or when the store fails.
    pub async fn submissions_after(
        &self,
        scope: &Scope,
        namespace: &str,
        after: Option<&Cursor>,
    ) -> Result<(Vec<Submission>, Option<Cursor>), AgentsError> {
        let agent = self.agents.get(scope, namespace).await?;
        let part = self.repository.submissions_after(scope, &agent.id, after, READ_TOGETHER).await;
        part.map_err(AgentsError::Store)
    }

    /// A submission.
    ///
    /// # Errors
    /// [`AgentsError::NotFound`], [`AgentsError::SubmissionNotFound`], or when the store fails.
    pub async fn submission(
        &self,
        scope: &Scope,
        namespace: &str,
        id: &str,
    ) -> Result<Submission, AgentsError> {
        let agent = self.agents.get(scope, namespace).await?;
        let found = self.repository.submission(scope, &agent.id, id).await.map_err(AgentsError::Store)?;
        found.ok_or(AgentsError::SubmissionNotFound)
    }

    /// Deletes a submission.
    ///
    /// # Errors
    /// [`AgentsError::NotFound`], [`AgentsError::SubmissionNotFound`], or when the store fails.
    pub async fn delete_submission(
        &self,
        scope: &Scope,
        namespace: &str,
        id: &str,
    ) -> Result<(), AgentsError> {
        let agent = self.agents.get(scope, namespace).await?;
        let deleted = self.repository.delete_submission(scope, &agent.id, id).await;
        if deleted.map_err(AgentsError::Store)? { Ok(()) } else { Err(AgentsError::SubmissionNotFound) }
    }
}
