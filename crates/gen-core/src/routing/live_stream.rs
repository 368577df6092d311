//! A streamed answer after its first event. It relays the events, ends a stalled stream, and settles the call
//! however the stream ends.

use futures_util::stream::{self, StreamExt as _};

use super::attempt::AttemptGuard;
use super::driver::CompletedCall;
use super::operations::{OpenedStream, broken_stream};
use super::optional_timer::OptionalTimer;
use super::token_estimate;
use super::{GenEvent, GenEvents, StreamEnd};
use crate::{ChatEvent, ChatEvents, Fault, GenError, ProviderError, Spend, Usage};

/// The state of a stream in flight.
struct LiveStream {
    first: Option<ChatEvent>,
    /// `None` once the stream has ended.
    running: Option<(AttemptGuard, ChatEvents)>,
    pace: OptionalTimer,
    spent: Spend,
    warnings: Vec<String>,
    /// Characters relayed.
    received: u64,
}

/// Relays the events of an opened stream.
pub(crate) fn relay_stream(completed: CompletedCall<OpenedStream>, pace: OptionalTimer) -> GenEvents {
    let CompletedCall { output: OpenedStream { first, rest }, mut guard, spent: total, warnings } = completed;
    guard.mark_alive();
    let (first, running) = (Some(first), Some((guard, rest)));
    let live = LiveStream { first, running, pace, spent: total, warnings, received: 0 };
    stream::unfold(live, |mut live| async move { live.next().await.map(|item| (item, live)) }).boxed()
}

impl LiveStream {
    async fn next(&mut self) -> Option<Result<GenEvent, GenError>> {
        let event = match self.first.take() {
            Some(first) => Ok(first),
            None => self.next_event().await?,
        };
        match event {
            Ok(ChatEvent::Text(text)) => {
                self.received += token_estimate::chars(&text);
                Some(Ok(GenEvent::Text(text)))
            }
            Ok(ChatEvent::ToolCall(delta)) => {
                self.received += token_estimate::chars(&delta.name) + token_estimate::chars(&delta.arguments);
                Some(Ok(GenEvent::ToolCall(delta)))
            }
            Ok(ChatEvent::End { finish, usage, warnings }) => {
                let (guard, _) = self.running.take()?;
                let usage = if usage.total() > 0 { usage } else { self.estimate_usage(&guard) };
                let model = guard.target.id.clone();
                self.spent += guard.succeed(usage, 0).await;
                self.warnings.extend(warnings);
                let Spend { usage, cost } = self.spent;
                let warnings = std::mem::take(&mut self.warnings);
                Some(Ok(GenEvent::End(StreamEnd { model, finish, usage, cost, warnings })))
            }
            Err(error) => {
                let (guard, _) = self.running.take()?;
                let usage = if error.usage.total() > 0 { error.usage } else { self.estimate_usage(&guard) };
                let upstream = guard.target.route.upstream.clone();
                guard.note_failure(&error);
                self.spent += guard.fail(&error, usage).await;
                Some(Err(GenError::provider(upstream, error).with_spend(self.spent)))
            }
        }
    }

    /// The next event within the idle limit; `None` when the stream has ended.
    async fn next_event(&mut self) -> Option<Result<ChatEvent, ProviderError>> {
        let (guard, events) = self.running.as_mut()?;
        let limit = guard.target.route.backend.timeouts.idle.min(guard.deadline.remaining());
        let event = match self.pace.run_within(limit, events.next()).await {
            Some(Some(event)) => event,
            Some(None) => Err(broken_stream()),
            None => Err(ProviderError::new(
                Fault::Timeout,
                "the provider's stream stalled in the middle of the answer",
            )),
        };
        Some(event)
    }

    /// An estimate of the usage, for a stream whose provider reported none.
    fn estimate_usage(&self, guard: &AttemptGuard) -> Usage {
        let output_tokens = token_estimate::tokens(self.received);
        Usage { input_tokens: guard.input_tokens, output_tokens, ..Usage::default() }
    }
}

impl Drop for LiveStream {
    fn drop(&mut self) {
        if let Some((guard, _)) = self.running.take() {
            let usage = self.estimate_usage(&guard);
            guard.abandon(usage);
        }
    }
}
