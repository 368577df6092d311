//! What the tests of every vendor need: a key, limits, and the reading of streams.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use gen_core::{ChatEvent, ChatRequest, Message, Part, ProviderError, Role, StreamingChatModel};
use providers_http::{IDLE_CONNECTIONS, Limits, Transport};
use shared_core::FixedClock;
use testkit::upstream::{Reply, Upstream};

/// The key of every test; it must stand in nothing that is shown.
pub(crate) const KEY: &str = "Zq8vN3kTw5LpXy7RbMdHc2";

/// Limits that a test reaches soon, apart from the times.
pub(crate) fn small() -> Limits {
    Limits {
        total: Duration::from_secs(60),
        idle: Duration::from_secs(60),
        json_bytes: 256 << 10,
        media_bytes: 256 << 10,
        event_bytes: 64 << 10,
        stream_bytes: 256 << 10,
        error_bytes: 4 << 10,
    }
}

/// Limits with little patience, for tests in which it runs out.
pub(crate) fn hasty() -> Limits {
    Limits { total: Duration::from_millis(300), idle: Duration::from_millis(100), ..small() }
}

pub(crate) fn transport() -> Transport {
    Transport::new(Duration::from_secs(5), IDLE_CONNECTIONS, Arc::new(FixedClock::default())).unwrap()
}

pub(crate) fn user(text: &str) -> Message {
    Message { role: Role::User, parts: vec![Part::Text(text.to_owned())] }
}

/// A reply of whole events.
pub(crate) fn stream(text: &str) -> Reply {
    Reply::event_stream().chunk(text).end()
}

/// Cuts a stream in two at every byte: it says the same each time.
pub(crate) async fn same_wherever_it_is_cut<T: StreamingChatModel>(
    whole: &str,
    client: impl FnOnce(&str) -> T,
    request: ChatRequest,
    (said, end): (&str, ChatEvent),
) {
    let cut = |at: usize| {
        let (before, after) = whole.as_bytes().split_at(at);
        Reply::event_stream().chunk(before).chunk(after).end()
    };
    let upstream = Upstream::start_replies((1..whole.len()).map(cut)).unwrap();
    let client = client(&upstream.url());
    for at in 1..whole.len() {
        let (events, outcome) = streamed(&client, request.clone()).await;
        outcome.unwrap();
        assert_eq!(text(&events), said, "{at}");
        assert_eq!(events.last(), Some(&end), "{at}");
    }
}

/// The events of a streamed answer before its failure, and how it went.
pub(crate) async fn streamed(
    client: &dyn StreamingChatModel,
    request: ChatRequest,
) -> (Vec<ChatEvent>, Result<(), ProviderError>) {
    let mut events = match client.stream(request).await {
        Ok(events) => events,
        Err(error) => return (Vec::new(), Err(error)),
    };
    let mut all = Vec::new();
    while let Some(event) = events.next().await {
        match event {
            Ok(event) => all.push(event),
            Err(error) => {
                assert!(events.next().await.is_none(), "an error is the last item");
                return (all, Err(error));
            }
        }
    }
    (all, Ok(()))
}

/// The text of a streamed answer.
pub(crate) fn text(events: &[ChatEvent]) -> String {
    let texts = events.iter().map(|event| match event {
        ChatEvent::Text(text) => {
            assert!(!text.is_empty(), "no empty pieces");
            text.as_str()
        }
        ChatEvent::ToolCall(_) | ChatEvent::End { .. } => "",
    });
    texts.collect()
}
