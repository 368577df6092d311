//! The port in memory, for tests and embedders. Nothing survives the process.

use std::collections::HashMap;

use async_trait::async_trait;
use parking_lot::{Mutex, MutexGuard};
use shared_core::{Scope, StoreError, Timestamp};

use super::{Attempt, EffectRef, Fingerprint, IdempotencyRepository, KeyState, RecordedResponse};

/// Recorded responses in memory.
#[derive(Debug, Default)]
pub struct MemoryIdempotency(Mutex<HashMap<RecordKey, Row>>);

type RecordKey = (String, String, String);

#[derive(Debug)]
struct Row {
    token: String,
    fingerprint: Fingerprint,
    until: Timestamp,
    effects: Vec<EffectRef>,
    answer: Option<RecordedResponse>,
}

impl MemoryIdempotency {
    fn rows(&self) -> MutexGuard<'_, HashMap<RecordKey, Row>> {
        self.0.lock()
    }

    /// Changes the row of an attempt that still holds its key and has no response yet.
    fn change(&self, scope: &Scope, attempt: &Attempt, change: impl FnOnce(&mut Row)) -> bool {
        let mut rows = self.rows();
        let held = rows
            .get_mut(&record_key(scope, attempt))
            .filter(|row| row.token == attempt.token && row.answer.is_none());
        held.map(change).is_some()
    }
}

fn record_key(scope: &Scope, attempt: &Attempt) -> RecordKey {
    (scope.workspace.0.clone(), scope.user.0.clone(), attempt.key.as_str().to_owned())
}

#[async_trait]
impl IdempotencyRepository for MemoryIdempotency {
    async fn claim(
        &self,
        scope: &Scope,
        attempt: &Attempt,
        fingerprint: &Fingerprint,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<KeyState, StoreError> {
        let mut rows = self.rows();
        let place = record_key(scope, attempt);
        if let Some(row) = rows.get(&place).filter(|row| row.until > now) {
            return Ok(match &row.answer {
                _ if row.fingerprint != *fingerprint => KeyState::Mismatched,
                Some(answer) => KeyState::Completed(answer.clone()),
                None => KeyState::Running,
            });
        }
        let expired = rows.get(&place).filter(|row| row.answer.is_none() && !row.effects.is_empty());
        if expired.is_some_and(|row| row.fingerprint != *fingerprint) {
            return Ok(KeyState::Mismatched);
        }
        let effects = expired.map_or_else(Vec::new, |row| row.effects.clone());
        let (token, fingerprint) = (attempt.token.clone(), fingerprint.clone());
        rows.insert(place, Row { token, fingerprint, until, effects: effects.clone(), answer: None });
        Ok(if effects.is_empty() { KeyState::Claimed } else { KeyState::Recovered(effects) })
    }

    async fn renew(&self, scope: &Scope, attempt: &Attempt, until: Timestamp) -> Result<bool, StoreError> {
        Ok(self.change(scope, attempt, |row| row.until = until))
    }

    async fn complete(
        &self,
        scope: &Scope,
        attempt: &Attempt,
        answer: &RecordedResponse,
        until: Timestamp,
    ) -> Result<bool, StoreError> {
        Ok(self.change(scope, attempt, |row| {
            row.answer = Some(answer.clone());
            row.until = until;
        }))
    }

    async fn record_effect(
        &self,
        scope: &Scope,
        attempt: &Attempt,
        effect: &EffectRef,
    ) -> Result<bool, StoreError> {
        Ok(self.change(scope, attempt, |row| row.effects.push(effect.clone())))
    }

    async fn release(&self, scope: &Scope, attempt: &Attempt, now: Timestamp) -> Result<(), StoreError> {
        let mut has_effect = false;
        let held = self.change(scope, attempt, |row| {
            row.until = now;
            has_effect = !row.effects.is_empty();
        });
        if held && !has_effect {
            self.rows().remove(&record_key(scope, attempt));
        }
        Ok(())
    }

    async fn expire_attempts(&self, now: Timestamp) -> Result<u64, StoreError> {
        let mut rows = self.rows();
        let open = rows.values_mut().filter(|row| row.answer.is_none() && row.until > now);
        Ok(open.map(|row| row.until = now).count() as u64)
    }

    async fn sweep(&self, now: Timestamp, effects_before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let mut rows = self.rows();
        let old: Vec<RecordKey> = rows
            .iter()
            .filter(|(_, row)| match row.answer {
                None if !row.effects.is_empty() => row.until <= effects_before,
                _ => row.until <= now,
            })
            .take(limit as usize)
            .map(|(place, _)| place.clone())
            .collect();
        old.iter().for_each(|place| drop(rows.remove(place)));
        Ok(old.len() as u64)
    }
}
