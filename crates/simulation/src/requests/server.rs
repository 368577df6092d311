//! A server that executes a request once: claims its key, stores its effect, stores its answer, as the HTTP shell does
//! it.

use std::pin::pin;
use std::time::Duration;

use accounts_core::idempotency::{
    Attempt, ClaimOutcome, Fingerprint, IdempotencyError, IdempotencyService, RecordedResponse, RequestKey,
};
use futures_util::future::{Either, select};
use shared_core::{Scope, UserId, WorkspaceId};

use super::store::RequestStore;
use crate::bug::PlantedBug;

/// Seconds of the lock on a key.
pub(super) const LEASE: u32 = 30;

/// The answer to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// The id of the note.
    Done(String),
    /// The request is in progress.
    Running,
    /// It failed and can be sent again.
    Failed,
}

/// The services of one process.
#[derive(Clone, Debug)]
pub(super) struct RequestServer {
    pub(super) service: IdempotencyService,
    pub(super) store: RequestStore,
}

pub(super) fn scope() -> Scope {
    Scope { workspace: WorkspaceId("w".into()), user: UserId("u".into()) }
}

impl RequestServer {
    /// Executes a request.
    pub(super) async fn serve(self, key: RequestKey) -> Reply {
        let fingerprint = Fingerprint::of([key.as_str().as_bytes()]);
        match self.service.claim(&scope(), key, &fingerprint).await {
            Ok(ClaimOutcome::Granted(attempt)) => self.execute(&attempt).await,
            Ok(ClaimOutcome::Recovered(attempt, effects)) => {
                let id = effects.last().and_then(|effect| effect.ids.first()).cloned().unwrap_or_default();
                self.complete(&attempt, id).await
            }
            Ok(ClaimOutcome::Replayed(answer)) => {
                Reply::Done(String::from_utf8_lossy(&answer.body).into_owned())
            }
            Err(IdempotencyError::Running) => Reply::Running,
            Err(_) => Reply::Failed,
        }
    }

    async fn execute(&self, attempt: &Attempt) -> Reply {
        if self.store.bug == Some(PlantedBug::AnswerBeforeEffect) {
            let id = self.store.database.notes.lock().next().to_string();
            let reply = self.complete(attempt, id).await;
            let _ = self.store.insert_note(&scope(), attempt).await;
            return reply;
        }
        match self.work_with_renewal(attempt).await {
            Some(id) => self.complete(attempt, id.to_string()).await,
            None => {
                let _ = self.service.release(&scope(), attempt).await;
                Reply::Failed
            }
        }
    }

    async fn work_with_renewal(&self, attempt: &Attempt) -> Option<u64> {
        let world = self.store.connection.world();
        let mut work = pin!(async {
            world.sleep(world.random().millis(0, 15_000)).await;
            self.store.insert_note(&scope(), attempt).await.ok()
        });
        loop {
            let pause = world.sleep(Duration::from_secs(u64::from(LEASE) / 3));
            match select(work.as_mut(), pin!(pause)).await {
                Either::Left((id, _)) => return id,
                Either::Right(_) => {
                    let _ = self.service.renew(&scope(), attempt).await;
                }
            }
        }
    }

    /// Stores the answer. It is given even where it could not be stored, as its effect is.
    async fn complete(&self, attempt: &Attempt, id: String) -> Reply {
        let body = id.clone().into_bytes();
        let answer = RecordedResponse { status: 200, content_type: "text/plain".to_owned(), body };
        let _ = self.service.complete(&scope(), attempt, &answer).await;
        Reply::Done(id)
    }
}
