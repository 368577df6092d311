//! The store of a process: notes, and the records of requests, which are written in one transaction.

use std::collections::BTreeMap;
use std::sync::Arc;

use accounts_core::idempotency::{
    Attempt, EffectRef, Fingerprint, IdempotencyRepository, KeyState, MemoryIdempotency, RecordedResponse,
};
use async_trait::async_trait;
use parking_lot::Mutex;
use shared_core::{Scope, StoreError, Timestamp};

use crate::bug::PlantedBug;
use crate::faults::Connection;

/// The kind of the effect that is recorded.
const KIND: &str = "note";

/// What requests have stored: the ids of the notes of each key, and whose each note is.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) of_key: BTreeMap<String, Vec<u64>>,
    last: u64,
}

impl Notes {
    /// The id of the next note.
    pub(super) fn next(&self) -> u64 {
        self.last + 1
    }

    /// Whether the key has a note with this id.
    pub(super) fn has(&self, key: &str, id: &str) -> bool {
        self.of_key.get(key).is_some_and(|ids| ids.iter().any(|own| own.to_string() == id))
    }
}

/// The database that all processes share.
#[derive(Debug, Default)]
pub(super) struct RequestDatabase {
    pub(super) records: MemoryIdempotency,
    pub(super) notes: Mutex<Notes>,
    last_effect: Mutex<Option<EffectRef>>,
}

/// The store as one process sees it.
#[derive(Clone, Debug)]
pub(super) struct RequestStore {
    pub(super) database: Arc<RequestDatabase>,
    pub(super) connection: Connection,
    pub(super) bug: Option<PlantedBug>,
}

impl RequestStore {
    /// Stores a note for the request of an attempt, and records it under the key of the request, in one transaction.
    /// Returns the id of the note.
    pub(super) async fn insert_note(&self, scope: &Scope, attempt: &Attempt) -> Result<u64, StoreError> {
        let call = async {
            let id = self.database.notes.lock().next();
            let effect = EffectRef { kind: KIND.to_owned(), ids: vec![id.to_string()] };
            let is_held = match self.bug {
                Some(PlantedBug::EffectWithoutRecord | PlantedBug::AnswerBeforeEffect) => true,
                _ => self.database.records.record_effect(scope, attempt, &effect).await?,
            };
            if !is_held && self.bug != Some(PlantedBug::EffectWithoutFencing) {
                return Err(StoreError::Unavailable("another attempt has taken over the key".into()));
            }
            *self.database.last_effect.lock() = Some(effect);
            let mut notes = self.database.notes.lock();
            notes.last = id;
            notes.of_key.entry(attempt.key.as_str().to_owned()).or_default().push(id);
            Ok(id)
        };
        self.connection.write("note", call).await
    }
}

#[async_trait]
impl IdempotencyRepository for RequestStore {
    async fn claim(
        &self,
        scope: &Scope,
        attempt: &Attempt,
        fingerprint: &Fingerprint,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<KeyState, StoreError> {
        let call = async {
            let state = self.database.records.claim(scope, attempt, fingerprint, now, until).await?;
            let (key, process) = (attempt.key.as_str(), self.connection.process().0);
            self.connection.world().log(|| format!("{process} claims {key}: {state:?}"));
            match (state, self.bug) {
                (KeyState::Recovered(_), Some(PlantedBug::EffectOfAnotherKey)) => {
                    Ok(KeyState::Recovered(self.database.last_effect.lock().clone().into_iter().collect()))
                }
                (state, _) => Ok(state),
            }
        };
        self.connection.write("key claim", call).await
    }

    async fn renew(&self, scope: &Scope, attempt: &Attempt, until: Timestamp) -> Result<bool, StoreError> {
        self.connection.write("key renewal", self.database.records.renew(scope, attempt, until)).await
    }

    async fn complete(
        &self,
        scope: &Scope,
        attempt: &Attempt,
        answer: &RecordedResponse,
        until: Timestamp,
    ) -> Result<bool, StoreError> {
        let call = self.database.records.complete(scope, attempt, answer, until);
        self.connection.write("answer", call).await
    }

    async fn record_effect(
        &self,
        scope: &Scope,
        attempt: &Attempt,
        effect: &EffectRef,
    ) -> Result<bool, StoreError> {
        self.connection.write("effect", self.database.records.record_effect(scope, attempt, effect)).await
    }

    async fn release(&self, scope: &Scope, attempt: &Attempt, now: Timestamp) -> Result<(), StoreError> {
        self.connection.write("key release", self.database.records.release(scope, attempt, now)).await
    }

    async fn expire_attempts(&self, now: Timestamp) -> Result<u64, StoreError> {
        self.connection.write("key expiry", self.database.records.expire_attempts(now)).await
    }

    async fn sweep(&self, now: Timestamp, effects_before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        self.connection.write("key sweep", self.database.records.sweep(now, effects_before, limit)).await
    }
}
