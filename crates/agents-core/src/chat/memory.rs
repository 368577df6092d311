//! The session repository in memory, for tests and embedders. Nothing survives the process, and no webhook
//! events are stored.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use parking_lot::{Mutex, MutexGuard};
use serde::Serialize;
use shared_core::{Cursor, Page, PageRequest, Position, Revision, Scope, StoreError, Timestamp, WorkspaceId};

use super::{Phase, Session, SessionRepository, Submission, Turn, page_length};
use crate::MemoryAgents;

/// In-memory sessions and submissions of the agents in another in-memory store.
#[derive(Debug)]
pub struct MemorySessions {
    agents: Arc<MemoryAgents>,
    rows: Mutex<Rows>,
}

#[derive(Debug, Default)]
struct Rows {
    sessions: Vec<(Session, Vec<Turn>)>,
    submissions: Vec<Submission>,
}

impl MemorySessions {
    /// A store for the sessions of these agents.
    #[must_use]
    pub fn new(agents: Arc<MemoryAgents>) -> Self {
        Self { agents, rows: Mutex::default() }
    }

    /// The rows, after removing those of the workspace's deleted agents.
    fn rows(&self, scope: &Scope) -> MutexGuard<'_, Rows> {
        let mut rows = self.rows.lock();
        let gone = |workspace: &WorkspaceId, agent: &str| {
            *workspace == scope.workspace && !self.agents.has(scope, agent)
        };
        rows.sessions.retain(|(row, _)| !gone(&row.workspace, &row.agent));
        rows.submissions.retain(|row| !gone(&row.workspace, &row.agent));
        rows
    }
}

impl Rows {
    fn index_of(&self, scope: &Scope, id: &str) -> Option<usize> {
        self.sessions.iter().position(|(row, _)| row.workspace == scope.workspace && row.id == id)
    }
}

fn is_of_agent(session: &Session, scope: &Scope, agent: &str) -> bool {
    session.workspace == scope.workspace && session.agent == agent
}

fn is_submission_of(submission: &Submission, scope: &Scope, agent: &str) -> bool {
    submission.workspace == scope.workspace && submission.agent == agent
}

/// Length in bytes of the value as JSON.
fn size(value: &impl Serialize) -> usize {
    serde_json::to_string(value).map_or(usize::MAX, |text| text.len())
}

/// Ends a page early when its rows are large.
fn truncate_page<T>(mut page: Page<T>, size: impl Fn(&T) -> usize, key: impl Fn(&T) -> Cursor) -> Page<T> {
    let kept = page_length(page.items.iter().map(size));
    if kept < page.items.len() {
        page.items.truncate(kept);
        page.next = page.items.last().map(key);
    }
    page
}

#[async_trait]
impl SessionRepository for MemorySessions {
    async fn insert(
        &self,
        scope: &Scope,
        session: &Session,
        turns: &[Turn],
        submission: Option<&Submission>,
    ) -> Result<(), StoreError> {
        let mut rows = self.rows(scope);
        if !self.agents.has(scope, &session.agent) {
            return Err(StoreError::Missing("agent"));
        }
        if rows.index_of(scope, &session.id).is_some() {
            return Err(StoreError::Taken("session"));
        }
        rows.sessions.push((session.clone(), turns.to_vec()));
        rows.submissions.extend(submission.cloned());
        Ok(())
    }

    async fn find(&self, scope: &Scope, agent: &str, id: &str) -> Result<Option<Session>, StoreError> {
        let rows = self.rows(scope);
        let found = rows.sessions.iter().find(|(row, _)| is_of_agent(row, scope, agent) && row.id == id);
        Ok(found.map(|(row, _)| row.clone()))
    }

    async fn list(
        &self,
        scope: &Scope,
        agent: &str,
        phase: Option<Phase>,
        page: &PageRequest,
    ) -> Result<Page<Session>, StoreError> {
        let rows = self.rows(scope);
        let is_wanted = |row: &&Session| {
            let own = row.form.as_ref().map(|form| form.phase);
            is_of_agent(row, scope, agent) && phase.is_none_or(|phase| own == Some(phase))
        };
        let own = rows.sessions.iter().map(|(row, _)| row).filter(is_wanted);
        let key = |row: &Session| Cursor { created: row.created, id: row.id.clone() };
        Ok(truncate_page(Page::paginate(own.cloned().collect(), page, key), |row| size(&row.form), key))
    }

    async fn turns(&self, scope: &Scope, session: &str, last: usize) -> Result<Vec<Turn>, StoreError> {
        let rows = self.rows(scope);
        let Some((_, turns)) = rows.index_of(scope, session).and_then(|place| rows.sessions.get(place))
        else {
            return Ok(Vec::new());
        };
        let kept = page_length(turns.iter().rev().take(last).map(|turn| turn.text.len()));
        Ok(turns.iter().skip(turns.len().saturating_sub(kept)).cloned().collect())
    }

    async fn advance(
        &self,
        scope: &Scope,
        session: &Session,
        expected: Revision,
        turns: &[Turn],
        submission: Option<&Submission>,
    ) -> Result<(), StoreError> {
        let mut rows = self.rows(scope);
        let place = rows.index_of(scope, &session.id).ok_or(StoreError::Stale)?;
        let (stored, said) = rows.sessions.get_mut(place).ok_or(StoreError::Stale)?;
        if stored.revision != expected || stored.agent != session.agent {
            return Err(StoreError::Stale);
        }
        *stored = Session { author: stored.author.clone(), created: stored.created, ..session.clone() };
        said.extend_from_slice(turns);
        rows.submissions.extend(submission.cloned());
        Ok(())
    }

    async fn delete(&self, scope: &Scope, agent: &str, id: &str) -> Result<bool, StoreError> {
        let mut rows = self.rows(scope);
        let before = rows.sessions.len();
        rows.sessions.retain(|(row, _)| !is_of_agent(row, scope, agent) || row.id != id);
        Ok(rows.sessions.len() < before)
    }

    async fn delete_until(
        &self,
        scope: &Scope,
        agent: &str,
        until: Timestamp,
        most: u32,
    ) -> Result<u32, StoreError> {
        let (mut rows, mut gone) = (self.rows(scope), 0);
        rows.sessions.retain(|(row, _)| {
            let goes = gone < most && is_of_agent(row, scope, agent) && row.created <= until;
            gone += u32::from(goes);
            !goes
        });
        Ok(gone)
    }

    async fn submissions(
        &self,
        scope: &Scope,
        agent: &str,
        page: &PageRequest,
    ) -> Result<Page<Submission>, StoreError> {
        let rows = self.rows(scope);
        let own = rows.submissions.iter().filter(|row| is_submission_of(row, scope, agent));
        let key = |row: &Submission| Cursor { created: row.created, id: row.id.clone() };
        Ok(truncate_page(Page::paginate(own.cloned().collect(), page, key), |row| size(&row.record), key))
    }

    async fn submissions_after(
        &self,
        scope: &Scope,
        agent: &str,
        after: Option<&Cursor>,
        most: u32,
    ) -> Result<(Vec<Submission>, Option<Cursor>), StoreError> {
        let position = after.map_or(Position::Number(1), |cursor| Position::After(cursor.clone()));
        let page = self.submissions(scope, agent, &PageRequest { position, limit: most }).await?;
        Ok((page.items, page.next))
    }

    async fn submitted_forms(
        &self,
        scope: &Scope,
        agent: &str,
        most: u32,
    ) -> Result<Vec<String>, StoreError> {
        let rows = self.rows(scope);
        let own = rows.submissions.iter().filter(|row| is_submission_of(row, scope, agent));
        let forms: BTreeSet<&String> = own.map(|row| &row.form_id).collect();
        Ok(forms.into_iter().take(most as usize).cloned().collect())
    }

    async fn submission(
        &self,
        scope: &Scope,
        agent: &str,
        id: &str,
    ) -> Result<Option<Submission>, StoreError> {
        let rows = self.rows(scope);
        Ok(rows.submissions.iter().find(|row| is_submission_of(row, scope, agent) && row.id == id).cloned())
    }

    async fn delete_submission(&self, scope: &Scope, agent: &str, id: &str) -> Result<bool, StoreError> {
        let mut rows = self.rows(scope);
        let before = rows.submissions.len();
        rows.submissions.retain(|row| !is_submission_of(row, scope, agent) || row.id != id);
        Ok(rows.submissions.len() < before)
    }
}
