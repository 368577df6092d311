//! Driving a run: its open groups, some at the same time, each stored as soon as it is done. It must
//! not know what working on a group means.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use forms_core::FormSchema;
use futures_util::future;
use futures_util::stream::{self, BoxStream, StreamExt as _, TryStreamExt as _};
use gen_core::{GenError, ModelId, Payer};
use shared_core::{Scope, StoreError};

use crate::group::Workshop;
use crate::service::PAGE;
use crate::{DeltaError, Progress, QueuedGroup, Run, RunId, RunService};

/// How often an outcome is offered to a failing store. Adapters have waited for a busy database
/// themselves, so there is no pause in between.
const STORE_ATTEMPTS: u32 = 3;

/// What the groups of one drive share.
struct Drive<'a> {
    service: &'a RunService,
    scope: &'a Scope,
    sid: RunId,
    workshop: &'a Workshop,
    progress: &'a Progress,
    /// Set by the first failure: no further group is begun.
    failed: AtomicBool,
}

impl RunService {
    /// Works on every group of the run that has no outcome yet, some at the same time, and stores each
    /// outcome as it comes. Outcomes are not kept in memory. May be dropped at any time; what is stored
    /// stays, and another drive, with a new `progress`, goes on.
    ///
    /// # Errors
    /// When the store fails: groups in work are still brought to their end and stored where possible,
    /// no further ones are begun, and the run is left as it is, to be driven again.
    pub fn drive(
        self,
        scope: Scope,
        run: Run,
        progress: Progress,
    ) -> impl Future<Output = Result<(), DeltaError>> + Send + 'static {
        // Made before the first poll: a drive that is dropped or panics must not leave readers waiting.
        let ending = progress.ending();
        async move {
            let result = self.drive_groups(&scope, &run, &progress).await;
            ending.end(result.as_ref().err());
            result
        }
    }

    async fn drive_groups(&self, scope: &Scope, run: &Run, progress: &Progress) -> Result<(), DeltaError> {
        let workshop = self.workshop(scope, run).await?;
        let failed = AtomicBool::new(false);
        let drive = Drive { service: self, scope, sid: run.sid, workshop: &workshop, progress, failed };
        drive.all(self.limits.concurrency.max(1)).await?;
        progress.finish(0..run.total);
        Ok(())
    }

    async fn workshop(&self, scope: &Scope, run: &Run) -> Result<Workshop, DeltaError> {
        let ports = &self.ports;
        let version = ports.forms.version(scope, &run.plan.form_id, run.plan.form_version).await?;
        let schema = FormSchema::parse(&version.schema).map_err(DeltaError::FormInvalid)?;
        let model: ModelId = run.plan.model_id.parse().map_err(GenError::from)?;
        Ok(Workshop {
            payer: Payer { scope: scope.clone(), key: run.plan.key.clone() },
            documents: ports.documents.clone(),
            engine: ports.engine.clone(),
            schema: Arc::new(schema),
            model,
            instructions: run.plan.instructions.as_str().into(),
            partial: run.plan.partial,
            clock: Arc::clone(&ports.clock),
            ids: Arc::clone(&ports.ids),
        })
    }
}

impl Drive<'_> {
    /// Works on all open groups; the first failure is the result, after what was begun has ended.
    async fn all(&self, concurrency: usize) -> Result<(), DeltaError> {
        let mut next = 0;
        let begun = self.queued().take_while(|_| future::ready(!self.failed.load(Ordering::Relaxed)));
        let mut work = begun
            .map(|group| {
                if let Ok(group) = &group {
                    // An earlier drive has finished those in between.
                    self.progress.finish(next..group.index);
                    next = group.index.saturating_add(1);
                }
                self.one(group)
            })
            .buffer_unordered(concurrency);
        let mut result = Ok(());
        while let Some(one) = work.next().await {
            result = result.and(one);
        }
        result
    }

    async fn one(&self, group: Result<QueuedGroup, DeltaError>) -> Result<(), DeltaError> {
        let result = match group {
            Ok(group) => self.work(&group).await,
            Err(error) => Err(error),
        };
        if result.is_err() {
            self.failed.store(true, Ordering::Relaxed);
        }
        result
    }

    async fn work(&self, group: &QueuedGroup) -> Result<(), DeltaError> {
        let _place = self.service.places.acquire().await;
        if self.failed.load(Ordering::Relaxed) {
            return Ok(());
        }
        let outcome = self.workshop.work(group).await?;
        let ports = &self.service.ports;
        let now = ports.clock.now();
        let mut attempt = 1;
        loop {
            match ports.runs.finish_group(self.scope, self.sid, group.index, &outcome, now).await {
                // Stale: an attempt before this one went through after all, another drive was first, or
                // the agent was deleted with its runs.
                Ok(()) | Err(StoreError::Stale) => break,
                Err(error) if attempt >= STORE_ATTEMPTS => return Err(error.into()),
                Err(_) => attempt += 1,
            }
        }
        self.progress.finish(group.index..group.index.saturating_add(1));
        Ok(())
    }

    /// The groups without an outcome, page by page.
    fn queued(&self) -> BoxStream<'_, Result<QueuedGroup, DeltaError>> {
        let pages = stream::try_unfold(Some(0_u32), move |from| async move {
            let Some(from) = from else { return Ok(None) };
            let page = self.service.ports.runs.queued(self.scope, self.sid, from, PAGE).await?;
            let next = page.last().map(|group| group.index.saturating_add(1));
            Ok::<_, DeltaError>(Some((stream::iter(page.into_iter().map(Ok)), next)))
        });
        pages.try_flatten().boxed()
    }
}
