//! A model vendor that answers immediately, the same for all sides, so that its time does not count for the
//! gateway.

use std::time::Duration;

use testkit::upstream::{Reply, Upstream};

/// The answer of a chat.
const ANSWER: &str = r#"{"id":"chatcmpl-1","object":"chat.completion","created":1767225600,"model":"bench","choices":[{"index":0,"message":{"role":"assistant","content":"The parcel left the warehouse this morning and will be there tomorrow.","refusal":null},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":24,"completion_tokens":14,"total_tokens":38}}"#;
/// Number of pieces of a streamed answer.
const PIECES: usize = 5;
/// Pause between two pieces.
const PAUSE: Duration = Duration::from_millis(5);

/// Serves OpenAI's chat completions.
pub(super) fn serve() -> anyhow::Result<Upstream> {
    let (whole, pieces) = (Reply::whole(200, "application/json", ANSWER), pieces());
    Upstream::start_counting(move |request| {
        let wants_pieces = |part: &[u8]| part == b"\"stream\":true" || part == b"stream\": true";
        if request.body.windows(13).any(wants_pieces) { pieces.clone() } else { whole.clone() }
    })
}

fn pieces() -> Reply {
    let begun = (0..PIECES).fold(Reply::event_stream(), |reply, number| {
        let delta = format!(
            r#"{{"id":"c","object":"chat.completion.chunk","created":1,"model":"bench","choices":[{{"index":0,"delta":{{"role":"assistant","content":"word{number} "}},"finish_reason":null}}]}}"#
        );
        reply.event(&delta).wait(PAUSE)
    });
    let end = r#"{"id":"c","object":"chat.completion.chunk","created":1,"model":"bench","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;
    let usage = r#"{"id":"c","object":"chat.completion.chunk","created":1,"model":"bench","choices":[],"usage":{"prompt_tokens":24,"completion_tokens":5,"total_tokens":29}}"#;
    begun.event(end).event(usage).event("[DONE]").end()
}
