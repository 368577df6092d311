//! Streams of a run's outcomes, events and responses, in progress or afterwards. Everything is read from the
//! store in pages, so memory does not grow with a run.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{Either, select};
use futures_util::stream::{self, BoxStream, StreamExt as _, TryStreamExt as _};
use shared_core::Scope;

use crate::followers::FollowedRun;
use crate::{DeltaError, FinishedGroup, ResponseCursor, Run, RunEvent, RunId, RunService, StoredResponse};

/// Rows read from the store per page. Bounds the memory of a stream. Chosen by hand; no measurement is
/// recorded.
const PAGE: u32 = 64;
/// How often the store is polled without a notification: another process may process the run. Chosen by hand;
/// no measurement is recorded.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

impl RunService {
    /// Streams the outcomes of a run in the order of its groups as they are stored; ends after the last one. While
    /// the stream exists, this process works on the run even if it is about to end.
    ///
    /// An error item ends the stream: the store's failure, or [`DeltaError::Stopped`] while the store rejects
    /// outcomes.
    #[must_use]
    pub fn outcomes(
        &self,
        scope: &Scope,
        run: &Run,
    ) -> BoxStream<'static, Result<FinishedGroup, DeltaError>> {
        let followed = self.followers.follow(run.sid);
        let wait = self.ports.jobs.wait_for_owner(&run.sid.0.to_string());
        let (this, scope, run) = (self.clone(), scope.clone(), run.clone());
        let pages = stream::try_unfold((0_u32, false, wait), move |(next, followed_before, wait)| {
            let (this, scope, run, followed) =
                (this.clone(), scope.clone(), run.clone(), Arc::clone(&followed));
            async move {
                if next >= run.total {
                    return Ok(None);
                }
                let page = this.next_outcomes(&followed, &scope, &run, next, followed_before).await?;
                let after = page.last().map_or(run.total, |group| group.index + 1);
                Ok::<_, DeltaError>(Some((stream::iter(page.into_iter().map(Ok)), (after, true, wait))))
            }
        });
        pages.try_flatten().boxed()
    }

    /// Waits for the outcome of the group `next`; returns it with those that follow it, without a gap.
    async fn next_outcomes(
        &self,
        followed: &FollowedRun,
        scope: &Scope,
        run: &Run,
        next: u32,
        told: bool,
    ) -> Result<Vec<FinishedGroup>, DeltaError> {
        loop {
            let ready = self.wait_for_outcome(followed, scope, run, next, told).await?;
            let mut page = self.ports.groups.finished(scope, run.sid, next, (ready - next).min(PAGE)).await?;
            let whole = page.iter().zip(next..).take_while(|(group, index)| group.index == *index).count();
            if whole == 0 || whole < page.len() {
                // A retry opened groups again that had an outcome when they were counted.
                followed.reopen();
            }
            page.truncate(whole);
            if whole > 0 {
                return Ok(page);
            }
            self.ports.timer.sleep(POLL_INTERVAL).await;
        }
    }

    /// Waits until the group `next` has its outcome; returns the number of leading groups that have one.
    async fn wait_for_outcome(
        &self,
        followed: &FollowedRun,
        scope: &Scope,
        run: &Run,
        next: u32,
        mut told: bool,
    ) -> Result<u32, DeltaError> {
        loop {
            // Subscribe before reading, so no change in between is missed.
            let change = followed.listen();
            let view = followed.view();
            if view.ready > next {
                return Ok(view.ready);
            }
            if let Some(stop) = view.failure {
                return Err(DeltaError::Stopped(stop));
            }
            if view.needs_reload || !told {
                let ready = self.ports.groups.first_open(scope, run.sid, next).await?;
                followed.advance(ready);
                if ready > next {
                    return Ok(ready);
                }
                // The run may have been deleted with its agent.
                self.reload(scope, run).await?;
            }
            // Changes by other processes are only visible in the store.
            let woken = select(change, self.ports.timer.sleep(POLL_INTERVAL)).await;
            told = matches!(woken, Either::Left(_));
        }
    }

    /// The outcomes stored so far, in the order of the groups.
    #[must_use]
    pub fn finished(
        &self,
        scope: &Scope,
        run: &Run,
    ) -> BoxStream<'static, Result<FinishedGroup, DeltaError>> {
        let (groups, scope, sid) = (Arc::clone(&self.ports.groups), scope.clone(), run.sid);
        let pages = stream::try_unfold(Some(0_u32), move |from| {
            let (groups, scope) = (Arc::clone(&groups), scope.clone());
            async move {
                let Some(from) = from else { return Ok(None) };
                let page = groups.finished(&scope, sid, from, PAGE).await?;
                let next = page.last().map(|group| group.index + 1);
                Ok::<_, DeltaError>(Some((stream::iter(page.into_iter().map(Ok)), next)))
            }
        });
        pages.try_flatten().boxed()
    }

    /// Streams the events of a run after `after`: pages of groups with an outcome, each followed by the progress.
    /// The first page has the progress even without groups. Ends when the run is over. A group that was retried
    /// has a second event.
    #[must_use]
    pub fn events(
        &self,
        scope: &Scope,
        run: &Run,
        after: u64,
    ) -> BoxStream<'static, Result<RunEvent, DeltaError>> {
        let followed = self.followers.follow(run.sid);
        let (this, scope, run) = (self.clone(), scope.clone(), run.clone());
        let begin = Some((after, true));
        let pages = stream::try_unfold(begin, move |at| {
            let (this, scope, run, followed) =
                (this.clone(), scope.clone(), run.clone(), Arc::clone(&followed));
            async move {
                let Some((after, first)) = at else { return Ok(None) };
                let (events, next) = this.next_events(&followed, &scope, &run, after, first).await?;
                Ok::<_, DeltaError>(Some((stream::iter(events.into_iter().map(Ok)), next)))
            }
        });
        pages.try_flatten().boxed()
    }

    async fn next_events(
        &self,
        followed: &FollowedRun,
        scope: &Scope,
        run: &Run,
        after: u64,
        first: bool,
    ) -> Result<(Vec<RunEvent>, Option<(u64, bool)>), DeltaError> {
        loop {
            let change = followed.listen();
            // Read the run before the groups: once it is over, all its group events are there.
            let now = self.reload(scope, run).await?;
            let groups = self.ports.groups.events(scope, run.sid, after, PAGE).await?;
            let last = groups.last().and_then(|group| group.sequence);
            let full = groups.len() >= PAGE as usize;
            let mut events: Vec<RunEvent> = groups.into_iter().map(RunEvent::Group).collect();
            if now.state.is_over() && !full {
                events.push(RunEvent::End(now));
                return Ok((events, None));
            }
            if first || !events.is_empty() {
                events.push(RunEvent::Progress(now));
                return Ok((events, Some((last.unwrap_or(after), false))));
            }
            select(change, self.ports.timer.sleep(POLL_INTERVAL)).await;
        }
    }

    /// The stored responses of the agent, of one run or of all: runs newest first, groups in order. The
    /// stream reads the store in pages, begins with the group of index `from` of the run, and skips the first `skip`.
    /// Also returns the total number at the start, whatever is left out.
    ///
    /// # Errors
    /// When the agent is unknown or has no form, it has no such run, or the store fails.
    pub async fn responses(
        &self,
        scope: &Scope,
        namespace: &str,
        sid: Option<RunId>,
        from: u32,
        skip: u64,
    ) -> Result<(u64, BoxStream<'static, Result<StoredResponse, DeltaError>>), DeltaError> {
        let agent = self.ports.agents.get(scope, namespace).await?;
        if agent.all_forms().is_empty() {
            return Err(DeltaError::AgentWithoutForm);
        }
        let responses = Arc::clone(&self.ports.responses);
        if let Some(sid) = sid {
            self.ports.runs.find(scope, &agent.id, sid).await?.ok_or(DeltaError::RunNotFound)?;
        }
        let total = responses.count_responses(scope, &agent.id, sid).await?;
        let (scope, agent) = (scope.clone(), agent.id);
        let before = sid.zip(from.checked_sub(1)).map(|(sid, index)| ResponseCursor { sid, index });
        let begin = Some((before, skip));
        let pages = stream::try_unfold(begin, move |at| {
            let (responses, scope, agent) = (Arc::clone(&responses), scope.clone(), agent.clone());
            async move {
                let Some((after, skip)) = at else { return Ok(None) };
                let page = responses.responses(&scope, &agent, sid, after, (skip, PAGE)).await?;
                let cursor = |last: &StoredResponse| ResponseCursor { sid: last.sid, index: last.index };
                let next = page.last().map(|last| (Some(cursor(last)), 0));
                Ok::<_, DeltaError>(Some((stream::iter(page.into_iter().map(Ok)), next)))
            }
        });
        Ok((total, pages.try_flatten().boxed()))
    }

    /// The parsed texts of a response's documents, separated by blank lines.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn context(&self, scope: &Scope, response: &StoredResponse) -> Result<String, DeltaError> {
        let mut texts = Vec::new();
        for source in &response.response.sources {
            let found = self.ports.documents.parsed(scope, &source.sha256, source.parser_version).await?;
            texts.push(found.map(|document| document.text.clone()).unwrap_or_default());
        }
        Ok(texts.join("\n\n"))
    }
}
