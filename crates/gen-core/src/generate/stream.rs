//! A streamed answer: the model's text with its citations checked, then the complete record.

use futures_util::stream::{self, StreamExt as _};

use super::citation_filter::CitationFilter;
use super::prepared::PreparedRequest;
use super::{GenerateError, GenerateEvent, GenerateEvents};
use crate::{GenEvent, GenEvents, ModelOutput, StreamEnd, ToolCalls};

struct AnswerStream {
    events: GenEvents,
    citations: CitationFilter,
    text: String,
    calls: ToolCalls,
    /// `None` after the end.
    prepared: Option<PreparedRequest>,
    /// The last event, while text that the filter held back goes before it.
    last: Option<GenerateEvent>,
}

/// Relays the events of a model.
pub(super) fn stream_answer(prepared: PreparedRequest, events: GenEvents) -> GenerateEvents {
    let citations = CitationFilter::new(prepared.citation_scope());
    let state = AnswerStream {
        events,
        citations,
        text: String::new(),
        calls: ToolCalls::default(),
        prepared: Some(prepared),
        last: None,
    };
    stream::unfold(state, |mut state| async move { state.next().await.map(|event| (event, state)) }).boxed()
}

impl AnswerStream {
    async fn next(&mut self) -> Option<Result<GenerateEvent, GenerateError>> {
        if let Some(last) = self.last.take() {
            return Some(Ok(last));
        }
        self.prepared.as_ref()?;
        loop {
            match self.events.next().await {
                Some(Ok(GenEvent::Text(piece))) => {
                    let text = self.citations.push(&piece);
                    if !text.is_empty() {
                        self.text.push_str(&text);
                        return Some(Ok(GenerateEvent::Text(text)));
                    }
                }
                Some(Ok(GenEvent::ToolCall(delta))) => {
                    self.calls.push(&delta);
                    return Some(Ok(GenerateEvent::ToolCall(delta)));
                }
                Some(Ok(GenEvent::End(end))) => return self.end(end).await,
                Some(Err(error)) => {
                    self.prepared = None;
                    return Some(Err(error.into()));
                }
                None => {
                    self.prepared = None;
                    return None;
                }
            }
        }
    }

    async fn end(&mut self, end: StreamEnd) -> Option<Result<GenerateEvent, GenerateError>> {
        let prepared = self.prepared.take()?;
        let held = self.citations.finish();
        self.text.push_str(&held);
        let StreamEnd { model, finish, usage, cost, warnings } = end;
        let generated = ModelOutput { answer: (), model, usage, cost, warnings };
        let text = std::mem::take(&mut self.text);
        let calls = std::mem::take(&mut self.calls).into_vec();
        let answer = prepared.grounded_answer(text, calls, &mut self.citations, finish, generated).await;
        let record = GenerateEvent::End(Box::new(answer));
        if held.is_empty() {
            return Some(Ok(record));
        }
        self.last = Some(record);
        Some(Ok(GenerateEvent::Text(held)))
    }
}
