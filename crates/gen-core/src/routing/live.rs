//! A streamed answer after its first event: passed through piece by piece, cut when it stalls, and
//! booked however it ends.

use futures_util::stream::{self, StreamExt as _};

use super::attempt::Held;
use super::bill;
use super::drive::Won;
use super::operations::{Opened, broken};
use super::pace::Pace;
use super::{GenEvent, GenEvents, StreamEnd};
use crate::{ChatEvent, ChatEvents, Fault, GenError, ProviderError, Spend, Usage};

/// A stream under way.
struct Live {
    first: Option<ChatEvent>,
    /// None once the stream has ended.
    running: Option<(Held, ChatEvents)>,
    pace: Pace,
    bill: Spend,
    warnings: Vec<String>,
    /// Characters passed on.
    received: u64,
}

/// Passes the answer on.
pub(crate) fn pass_on(won: Won<Opened>, pace: Pace) -> GenEvents {
    let Won { output: Opened { first, rest }, mut held, bill, warnings } = won;
    held.alive();
    let (first, running) = (Some(first), Some((held, rest)));
    let live = Live { first, running, pace, bill, warnings, received: 0 };
    stream::unfold(live, |mut live| async move { live.next().await.map(|item| (item, live)) }).boxed()
}

impl Live {
    async fn next(&mut self) -> Option<Result<GenEvent, GenError>> {
        let event = match self.first.take() {
            Some(first) => Ok(first),
            None => self.pull().await?,
        };
        match event {
            Ok(ChatEvent::Text(text)) => {
                self.received += bill::chars(&text);
                Some(Ok(GenEvent::Text(text)))
            }
            Ok(ChatEvent::End { finish, usage, warnings }) => {
                let (held, _) = self.running.take()?;
                let usage = if usage.total() > 0 { usage } else { self.about(&held) };
                let model = held.target.id.clone();
                self.bill += held.succeed(usage, 0).await;
                self.warnings.extend(warnings);
                let Spend { usage, cost } = self.bill;
                let warnings = std::mem::take(&mut self.warnings);
                Some(Ok(GenEvent::End(StreamEnd { model, finish, usage, cost, warnings })))
            }
            Err(error) => {
                let (held, _) = self.running.take()?;
                let usage = if error.usage.total() > 0 { error.usage } else { self.about(&held) };
                let upstream = held.target.route.upstream.clone();
                held.note_failure(&error);
                self.bill += held.fail(&error, usage).await;
                Some(Err(GenError::provider(upstream, error).having_spent(self.bill)))
            }
        }
    }

    /// The next event, in time; `None` when the stream has ended.
    async fn pull(&mut self) -> Option<Result<ChatEvent, ProviderError>> {
        let (held, events) = self.running.as_mut()?;
        let limit = held.target.route.backend.timeouts.idle.min(held.until.remaining());
        let event = match self.pace.within(limit, events.next()).await {
            Some(Some(event)) => event,
            Some(None) => Err(broken()),
            None => {
                Err(ProviderError::new(Fault::Timeout, "the provider stopped in the middle of its answer"))
            }
        };
        Some(event)
    }

    /// What was used, where nobody has counted.
    fn about(&self, held: &Held) -> Usage {
        let output_tokens = bill::tokens(self.received);
        Usage { input_tokens: held.input_tokens, output_tokens, ..Usage::default() }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        if let Some((held, _)) = self.running.take() {
            let usage = self.about(&held);
            held.abandon(usage);
        }
    }
}
