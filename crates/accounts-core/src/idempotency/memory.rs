//! The port in memory, for tests and embedders. Nothing survives the process.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use shared_core::{Scope, StoreError, Timestamp};

use super::{AnswerRepository, Attempt, Fingerprint, Found, KeptAnswer};

/// Kept answers in memory.
#[derive(Debug, Default)]
pub struct MemoryAnswers(Mutex<HashMap<Place, Row>>);

type Place = (String, String, String);

#[derive(Debug)]
struct Row {
    token: String,
    fingerprint: Fingerprint,
    until: Timestamp,
    answer: Option<KeptAnswer>,
}

impl MemoryAnswers {
    fn rows(&self) -> MutexGuard<'_, HashMap<Place, Row>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the row of an attempt that still holds its key, unanswered.
    fn change(&self, scope: &Scope, attempt: &Attempt, change: impl FnOnce(&mut Row)) -> bool {
        let mut rows = self.rows();
        let held = rows
            .get_mut(&place(scope, attempt))
            .filter(|row| row.token == attempt.token && row.answer.is_none());
        held.map(change).is_some()
    }
}

fn place(scope: &Scope, attempt: &Attempt) -> Place {
    (scope.workspace.0.clone(), scope.user.0.clone(), attempt.key.as_str().to_owned())
}

#[async_trait]
impl AnswerRepository for MemoryAnswers {
    async fn claim(
        &self,
        scope: &Scope,
        attempt: &Attempt,
        fingerprint: &Fingerprint,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Found, StoreError> {
        let mut rows = self.rows();
        let place = place(scope, attempt);
        if let Some(row) = rows.get(&place).filter(|row| row.until > now) {
            return Ok(match &row.answer {
                _ if row.fingerprint != *fingerprint => Found::Other,
                Some(answer) => Found::Answered(answer.clone()),
                None => Found::Running,
            });
        }
        let (token, fingerprint) = (attempt.token.clone(), fingerprint.clone());
        rows.insert(place, Row { token, fingerprint, until, answer: None });
        Ok(Found::Claimed)
    }

    async fn renew(&self, scope: &Scope, attempt: &Attempt, until: Timestamp) -> Result<bool, StoreError> {
        Ok(self.change(scope, attempt, |row| row.until = until))
    }

    async fn complete(
        &self,
        scope: &Scope,
        attempt: &Attempt,
        answer: &KeptAnswer,
        until: Timestamp,
    ) -> Result<bool, StoreError> {
        Ok(self.change(scope, attempt, |row| {
            row.answer = Some(answer.clone());
            row.until = until;
        }))
    }

    async fn release(&self, scope: &Scope, attempt: &Attempt) -> Result<(), StoreError> {
        let mut rows = self.rows();
        let place = place(scope, attempt);
        if rows.get(&place).is_some_and(|row| row.token == attempt.token && row.answer.is_none()) {
            rows.remove(&place);
        }
        Ok(())
    }

    async fn sweep(&self, now: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let mut rows = self.rows();
        let old: Vec<Place> = rows
            .iter()
            .filter(|(_, row)| row.until <= now)
            .take(limit as usize)
            .map(|(place, _)| place.clone())
            .collect();
        old.iter().for_each(|place| drop(rows.remove(place)));
        Ok(old.len() as u64)
    }
}
