//! Streamed answers.

use futures_util::StreamExt as _;
use gen_core::{ChatEvent, ChatRequest, Fault, Finish, StreamingChatModel as _, Usage};
use providers_http::OpenAiCompatible;
use serde_json::json;
use testkit::upstream::{Reply, Upstream};

use super::kit::{Operation, endpoint, hasty, last_piece, openai, piece, question, small, streamed};

fn end(finish: Finish, input_tokens: u64, output_tokens: u64) -> ChatEvent {
    let usage = Usage { input_tokens, output_tokens, ..Usage::default() };
    ChatEvent::End { finish, usage, warnings: Vec::new() }
}

fn text(text: &str) -> ChatEvent {
    ChatEvent::Text(text.to_owned())
}

#[tokio::test]
async fn pieces_come_in_order_and_the_end_tells_the_tokens() {
    let usage = json!({"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 7}}).to_string();
    let opening = json!({"choices": [{"delta": {"role": "assistant", "content": ""}}]}).to_string();
    let script = [opening, piece("Fi"), piece("ve."), last_piece("stop"), usage, "[DONE]".to_owned()];
    let upstream = Upstream::start_replies([Reply::events(script)]).unwrap();
    let request = ChatRequest { model: "o3".into(), temperature: Some(1.0), ..question() };
    let (events, outcome) = streamed(&openai(&upstream), request).await;
    outcome.unwrap();
    assert_eq!(events[..2], [text("Fi"), text("ve.")]);
    let ChatEvent::End { finish, usage, warnings } = &events[2] else { panic!("{events:?}") };
    assert_eq!((*finish, usage.input_tokens, usage.output_tokens), (Finish::Stop, 11, 7));
    assert_eq!(warnings.len(), 1);
}

#[tokio::test]
async fn pieces_arrive_whole_however_the_bytes_are_cut() {
    let whole = format!(
        "\u{feff}: hello\r\n\r\ndata: {}\r\n\r\nevent: message\ndata: {}\n\ndata:[DONE]\n\n",
        piece("Größe 🦀"),
        last_piece("length")
    );
    for size in [1, 2, 3, 7] {
        let chunked = whole.as_bytes().chunks(size).fold(Reply::event_stream(), Reply::chunk).end();
        let upstream = Upstream::start_replies([chunked]).unwrap();
        let (events, outcome) = streamed(&openai(&upstream), question()).await;
        outcome.unwrap();
        assert_eq!(events, [text("Größe 🦀"), end(Finish::Length, 5, 2)], "{size}");
    }
}

#[tokio::test]
async fn a_stream_without_its_end_is_broken_and_what_it_cost_is_told() {
    let cut = Reply::event_stream().event(&piece("12345678"));
    for (reply, fault) in [
        (cut.clone().end(), Fault::Unreachable),
        (cut.clone().close(), Fault::Unreachable),
        (cut.clone().chunk("data: {\"choi").close(), Fault::Unreachable),
        (cut.clone().write("ffff\r\ndata: half a chunk").close(), Fault::Unreachable),
        (cut.clone().write("this is no chunk\r\n").close(), Fault::Protocol),
        (cut.clone().event("{\"choices\": [").end(), Fault::Protocol),
        (cut.clone().event("[DONE]").end(), Fault::Protocol),
        (cut.clone().chunk(b"data: \xf0\x9f\n\n").end(), Fault::Protocol),
        (
            cut.clone().event(r#"{"error": {"type": "overloaded_error", "message": "busy"}}"#).end(),
            Fault::Overloaded,
        ),
        (cut.clone().chunk("event: error\ndata: {\"message\": \"no\"}\n\n").end(), Fault::Failed),
        (cut.clone().event(&last_piece("error")).event("[DONE]").end(), Fault::Failed),
    ] {
        let script = format!("{reply:?}");
        let upstream = Upstream::start_replies([reply]).unwrap();
        let (events, outcome) = streamed(&openai(&upstream), question()).await;
        let error = outcome.unwrap_err();
        assert_eq!(error.fault, fault, "{error:?} after {script}");
        assert_eq!((error.usage.input_tokens, error.usage.output_tokens), (5, 2), "{script}");
        assert_eq!(events, [text("12345678")], "{script}");
    }
}

#[tokio::test]
async fn an_answer_that_said_why_it_stopped_is_whole_even_when_the_connection_breaks() {
    let done = Reply::event_stream().event(&piece("1234")).event(&last_piece("stop"));
    for reply in [done.clone().end(), done.clone().close(), done.clone().event("[DONE]").close()] {
        let upstream = Upstream::start_replies([reply]).unwrap();
        let (events, outcome) = streamed(&openai(&upstream), question()).await;
        outcome.unwrap();
        assert_eq!(events, [text("1234"), end(Finish::Stop, 5, 1)]);
    }
}

#[tokio::test]
async fn an_own_server_may_leave_the_reason_out() {
    let upstream = Upstream::start_replies([Reply::events([piece("1234"), "[DONE]".to_owned()])]).unwrap();
    let client = OpenAiCompatible::self_hosted(endpoint(&upstream.url(), small()));
    let (events, outcome) = streamed(&client, question()).await;
    outcome.unwrap();
    assert_eq!(events, [text("1234"), end(Finish::Stop, 5, 1)]);
}

#[tokio::test]
async fn a_stream_that_falls_silent_is_cut() {
    for reply in [
        Reply::raw().hold(),
        Reply::event_stream().hold(),
        Reply::event_stream().event(&piece("12345678")).hold(),
        Reply::event_stream().event(&piece("12345678")).chunk("data: {").hold(),
    ] {
        let upstream = Upstream::start_replies([reply]).unwrap();
        let client = OpenAiCompatible::openai(endpoint(&upstream.url(), hasty()));
        assert_eq!(streamed(&client, question()).await.1.unwrap_err().fault, Fault::Timeout);
    }
}

#[tokio::test]
async fn a_stream_that_goes_on_for_too_long_is_cut_though_it_is_never_silent() {
    let drip = (0..10_000).fold(Reply::event_stream(), |reply, _| {
        reply.chunk(": alive\n\n").wait(std::time::Duration::from_millis(10))
    });
    let upstream = Upstream::start_replies([drip]).unwrap();
    let client = OpenAiCompatible::openai(endpoint(&upstream.url(), hasty()));
    assert_eq!(streamed(&client, question()).await.1.unwrap_err().fault, Fault::Timeout);
}

#[tokio::test]
async fn a_refusal_is_streamed_as_one() {
    let refusal = json!({"choices": [{"delta": {"refusal": "I will not."}}]}).to_string();
    let script = [refusal, last_piece("stop"), "[DONE]".to_owned()];
    let upstream = Upstream::start_replies([Reply::events(script)]).unwrap();
    let (events, outcome) = streamed(&openai(&upstream), question()).await;
    outcome.unwrap();
    assert_eq!(events, [text("I will not."), end(Finish::Refused, 5, 3)]);
}

#[tokio::test]
async fn a_stream_that_is_dropped_closes_its_connection() {
    let upstream = Upstream::start_replies([Reply::event_stream().event(&piece("1234")).hold()]).unwrap();
    let mut events = openai(&upstream).stream(question()).await.unwrap();
    assert_eq!(events.next().await.unwrap().unwrap(), text("1234"));
    drop(events);
    upstream.wait_for_closed(1).await;
}

#[tokio::test]
async fn a_call_that_is_dropped_closes_its_connection() {
    for operation in Operation::ALL {
        let upstream = Upstream::start_replies([Reply::raw().hold()]).unwrap();
        let client = openai(&upstream);
        tokio::select! {
            outcome = operation.call(&client) => panic!("{operation:?} {outcome:?}"),
            () = upstream.wait_for_requests(1) => {}
        }
        upstream.wait_for_closed(1).await;
    }
}
