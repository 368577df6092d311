//! Streamed answers.

use std::sync::Arc;

use futures_util::StreamExt as _;
use gen_core::scripted::{CountingMeter, ScriptedModel, VirtualTimer, text_answer};
use gen_core::{Backend, ChatEvent, Cost, Fault, Finish, Provider, Timer as _, Transcript, Usage};
use shared_core::DomainError as _;

use crate::kit::{Kit, choice, end, fails, id, payer, question, seconds, text};

#[test]
fn pieces_pass_through_and_the_last_says_who_answered_and_what_it_cost() {
    let script = ScriptedModel::default().then_streams([text("one "), text("two"), end()]);
    let kit = Kit::of(script, ScriptedModel::default());
    let (texts, ended) = kit.stream(&["gpt-6-sol@openai"]).unwrap();
    assert_eq!(texts, ["one ", "two"]);
    let ended = ended.unwrap();
    assert_eq!((ended.model, ended.finish), (id("gpt-6-sol@openai"), Finish::Stop));
    assert_eq!((ended.usage.total(), ended.cost), (11, Some(Cost(10 * 2_000 + 10_000))));
    assert_eq!(kit.meter.log().settled[0].usage, ended.usage);
    assert!(kit.is_free());
}

#[test]
fn a_transcript_of_a_stream_is_the_answer_in_one_piece() {
    let script =
        ScriptedModel::new([Ok(text_answer("one two"))]).then_streams([text("one "), text("two"), end()]);
    let kit = Kit::of(script, ScriptedModel::default());
    let transcript = kit.run(async {
        let mut transcript = Transcript::default();
        let mut events = kit.service.stream(&payer(), &choice(&["m@openai"]), question()).await.unwrap();
        while let Some(event) = events.next().await {
            assert!(transcript.clone().finish().is_none());
            transcript.push(&event.unwrap());
        }
        transcript
    });
    let whole = kit.ask(&["m@openai"]).unwrap();
    assert_eq!(format!("{:?}", transcript.finish().unwrap()), format!("{whole:?}"));
}

#[test]
fn a_break_before_the_first_token_is_retried_and_falls_back() {
    let first = ScriptedModel::default()
        .then_streams([])
        .then_streams([Err(fails(Fault::Overloaded))])
        .then_streams([Err(fails(Fault::Auth))]);
    let second = ScriptedModel::default().then_streams([text("hello"), end()]);
    let kit = Kit::of(first, second);
    let (texts, ended) = kit.stream(&["m@openai", "n@anthropic"]).unwrap();
    let ended = ended.unwrap();
    assert_eq!((texts, ended.model), (vec!["hello".to_owned()], id("n@anthropic")));
    assert_eq!(ended.warnings, ["m@openai did not answer: OpenAI: as the script says"]);
    assert_eq!(kit.first.asked().len(), 3);
}

#[test]
fn a_break_after_the_first_token_ends_the_stream_with_an_error_and_books_what_came() {
    for (broken, code) in [
        (vec![text("12345678"), Err(fails(Fault::Overloaded))], "provider_overloaded"),
        (vec![text("12345678")], "provider_failed"),
    ] {
        let kit = Kit::of(
            ScriptedModel::default().then_streams(broken),
            ScriptedModel::default().then_streams([text("never"), end()]),
        );
        let (texts, ended) = kit.stream(&["m@openai", "n@anthropic"]).unwrap();
        let error = ended.unwrap_err();
        assert_eq!((texts, error.code()), (vec!["12345678".to_owned()], code));
        let usage = Usage { input_tokens: 2, output_tokens: 2, ..Usage::default() };
        assert_eq!(error.spent().usage, usage);
        assert_eq!(kit.meter.log().settled[0].usage, usage);
        assert!(kit.second.asked().is_empty() && kit.is_free());
    }
}

/// A backend whose streams can stall.
fn stalling(script: impl FnOnce(ScriptedModel) -> ScriptedModel) -> Kit {
    let timer = Arc::new(VirtualTimer::default());
    let first = script(ScriptedModel::default().with_delay(timer.clone(), seconds(0)));
    let second = ScriptedModel::default().then_streams([text("hello"), end()]);
    Kit::with(timer, CountingMeter::default(), first, second, |first, second, builder| {
        builder.provider(Provider::OpenAi, first).provider(Provider::Anthropic, second)
    })
}

#[test]
fn a_stream_that_stalls_is_cut() {
    let kit = stalling(|script| script.then_stalls([text("one")], seconds(1_000)));
    let (texts, ended) = kit.stream(&["m@openai"]).unwrap();
    assert_eq!((texts, ended.unwrap_err().code()), (vec!["one".to_owned()], "provider_timeout"));
    assert_eq!(kit.timer.elapsed(), seconds(60));
    assert!(kit.is_free());
}

#[test]
fn a_stream_that_never_begins_falls_back() {
    let kit = stalling(|script| (0..3).fold(script, |script, _| script.then_stalls([], seconds(1_000))));
    let (texts, ended) = kit.stream(&["m@openai", "n@anthropic"]).unwrap();
    assert_eq!((texts, ended.unwrap().model), (vec!["hello".to_owned()], id("n@anthropic")));
}

#[test]
fn a_stream_ends_at_the_latest_with_the_time_for_an_attempt() {
    let pieces: Vec<_> = (0..100).map(|_| seconds(50)).collect();
    let kit = stalling(|script| script.then_trickles(pieces, "x"));
    let (texts, ended) = kit.stream(&["m@openai"]).unwrap();
    assert_eq!((texts.len(), ended.unwrap_err().code()), (12, "provider_timeout"));
}

#[test]
fn a_model_that_cannot_stream_answers_in_one_piece() {
    let script = ScriptedModel::new([Ok(text_answer("whole"))]);
    let timer = Arc::new(VirtualTimer::default());
    let kit =
        Kit::with(timer, CountingMeter::default(), script, ScriptedModel::default(), |first, _, builder| {
            builder.provider(Provider::OpenAi, Backend { stream: None, ..first })
        });
    let (texts, ended) = kit.stream(&["m@openai"]).unwrap();
    assert_eq!((texts, ended.unwrap().usage.total()), (vec!["whole".to_owned()], 11));
}

#[test]
fn a_model_that_only_streams_answers_in_whole_too() {
    let script =
        ScriptedModel::default().then_streams([text("a"), text("b"), end()]).then_streams([text("a")]);
    let timer = Arc::new(VirtualTimer::default());
    let kit =
        Kit::with(timer, CountingMeter::default(), script, ScriptedModel::default(), |first, _, builder| {
            builder.provider(Provider::OpenAi, Backend { chat: None, ..first })
        });
    assert_eq!(kit.ask(&["m@openai"]).unwrap().answer.text, "ab");
    assert!(kit.ask(&["m@openai"]).is_err(), "half an answer is none");
}

#[test]
fn tokens_that_a_provider_does_not_count_are_estimated() {
    let silent = ChatEvent::End { finish: Finish::Stop, usage: Usage::default(), warnings: Vec::new() };
    let script = ScriptedModel::default().then_streams([text("12345"), Ok(silent)]);
    let kit = Kit::of(script, ScriptedModel::default());
    let usage = kit.stream(&["m@openai"]).unwrap().1.unwrap().usage;
    assert_eq!((usage.input_tokens, usage.output_tokens), (2, 2));
}
