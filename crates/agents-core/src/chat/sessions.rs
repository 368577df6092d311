//! Use cases of stored sessions and submissions. The dialogue itself is in
//! [`ChatService`](super::ChatService).

use std::sync::Arc;

use forms_core::FormsService;
use shared_core::{Clock, Cursor, Page, PageRequest, Scope};

use super::{Phase, Session, SessionRepository, Submission, Turn};
use crate::{AgentsError, AgentsService};

/// Most turns returned with a session; the last ones are used. Bounds the memory. Chosen by hand; no
/// measurement is recorded.
pub const MAX_SHOWN_TURNS: usize = 1_000;
// Chosen by hand; no measurement is recorded.
/// Sessions deleted per transaction, so that other writers are not blocked for long.
const DELETED_TOGETHER: u32 = 100;
/// Turns read beyond those that are new: as many as other messages may store while the session is read. Chosen by
/// hand; no measurement is recorded.
const MEANWHILE: usize = 64;
/// Submissions read per page of [`SessionsService::submissions_after`].
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

    /// Sessions of an agent, or those whose form is in a phase, newest first. A page of large sessions ends early; its cursor continues from
    /// there.
    ///
    /// # Errors
    /// [`AgentsError::NotFound`] when there is no such agent, or when the store fails.
    pub async fn list(
        &self,
        scope: &Scope,
        namespace: &str,
        phase: Option<Phase>,
        page: &PageRequest,
    ) -> Result<Page<Session>, AgentsError> {
        let agent = self.agents.get(scope, namespace).await?;
        self.repository.list(scope, &agent.id, phase, page).await.map_err(AgentsError::Store)
    }

    /// A session without its turns.
    ///
    /// # Errors
    /// [`AgentsError::NotFound`], [`AgentsError::SessionNotFound`], or when the store fails.
    pub async fn find(&self, scope: &Scope, namespace: &str, id: &str) -> Result<Session, AgentsError> {
        let agent = self.agents.get(scope, namespace).await?;
        let found = self.repository.find(scope, &agent.id, id).await.map_err(AgentsError::Store)?;
        found.ok_or(AgentsError::SessionNotFound)
    }

    /// A session with its last turns, oldest first: at most [`MAX_SHOWN_TURNS`], fewer when they are long.
    ///
    /// # Errors
    /// [`AgentsError::NotFound`], [`AgentsError::SessionNotFound`], or when the store fails.
    pub async fn get(
        &self,
        scope: &Scope,
        namespace: &str,
        id: &str,
    ) -> Result<(Session, Vec<Turn>), AgentsError> {
        let session = self.find(scope, namespace, id).await?;
        let turns = self.repository.turns(scope, id, MAX_SHOWN_TURNS).await.map_err(AgentsError::Store)?;
        Ok((session, turns))
    }

    /// A session with its turns after the turn `number`, oldest first, as [`Self::get`] reads them.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub async fn get_after(
        &self,
        scope: &Scope,
        namespace: &str,
        id: &str,
        number: u32,
    ) -> Result<(Session, Vec<Turn>), AgentsError> {
        let session = self.find(scope, namespace, id).await?;
        // A turn that was stored since the session was read is told by the next request.
        let new = session.turns.saturating_sub(number) as usize;
        let turns = match new {
            0 => Vec::new(),
            new => {
                let last = new.saturating_add(MEANWHILE).min(MAX_SHOWN_TURNS);
                self.repository.turns(scope, id, last).await.map_err(AgentsError::Store)?
            }
        };
        let is_new = |turn: &Turn| turn.number > number && turn.number <= session.turns;
        let turns = turns.into_iter().filter(is_new).collect();
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

    /// Deletes every session that the agent has now, in batches. Returns the number of deleted sessions.
    ///
    /// # Errors
    /// [`AgentsError::NotFound`], or when the store fails. Batches deleted before the failure stay deleted.
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

    /// Submissions of an agent, newest first. A page of large submissions ends early; its cursor continues
    /// from there.
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

    /// A batch of an agent's submissions, newest first: those after the cursor `after`, or the first ones.
    /// Returned with the cursor of the next batch, `None` at the end.
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

    /// The submission with this id.
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
