//! Leave before every attempt, and its spend after it.

use std::sync::Arc;

use gen_core::scripted::{CountingMeter, ScriptedModel, VirtualTimer, text_answer};
use gen_core::{ChatRequest, Cost, EmbedRequest, Fault, Provider, Usage};
use shared_core::{DomainError as _, ErrorKind};

use crate::kit::{Answered, Kit, choice, fails, id, payer, question, text};

fn kit(meter: CountingMeter, answers: Vec<Answered>) -> Kit {
    let timer = Arc::new(VirtualTimer::default());
    Kit::with(timer, meter, ScriptedModel::new(answers), ScriptedModel::default(), |first, _, builder| {
        builder.provider(Provider::OpenAi, first)
    })
}

#[test]
fn every_attempt_is_reserved_before_and_settled_after() {
    let mut wasted = fails(Fault::Failed);
    wasted.usage.input_tokens = 5;
    let kit =
        kit(CountingMeter::default(), vec![Err(wasted), Err(fails(Fault::Failed)), Ok(text_answer("yes"))]);
    kit.ask(&["gpt-6-sol@openai"]).unwrap();
    let books = kit.meter.log();
    assert_eq!((books.reserved.len(), books.settled.len(), books.dropped), (3, 3, 0));
    let spent: Vec<(u64, Option<Cost>)> =
        books.settled.iter().map(|spend| (spend.usage.total(), spend.cost)).collect();
    assert_eq!(spent, [(5, Some(Cost(10_000))), (0, Some(Cost(0))), (11, Some(Cost(30_000)))]);
}

#[test]
fn leave_is_asked_for_the_request_and_the_longest_answer_at_their_price() {
    let kit =
        kit(CountingMeter::default(), vec![Ok(text_answer("a")), Ok(text_answer("b")), Ok(text_answer("c"))]);
    let asked = |max_tokens, model| {
        let request = ChatRequest { max_tokens, ..question() };
        kit.run(kit.service.chat(&payer(), &id(model), request)).unwrap();
        kit.meter.log().reserved.pop().unwrap()
    };
    let limited = asked(Some(100), "gpt-6-sol@openai");
    assert_eq!((limited.model, limited.tokens), (id("gpt-6-sol@openai"), 102));
    assert_eq!(limited.cost, Some(Cost(2 * 2_000 + 100 * 10_000)));
    assert_eq!(asked(None, "gpt-6-sol@openai").tokens, 2 + 4_096);
    assert_eq!(asked(None, "unheard-of@openai").cost, None, "an unknown price is not nothing");
}

#[test]
fn the_built_in_model_is_asked_on_nobodys_account() {
    let timer = Arc::new(VirtualTimer::default());
    let (none, second) = (CountingMeter::limited(0), ScriptedModel::default());
    let kit =
        Kit::with(timer, none, ScriptedModel::new([Ok(text_answer("free"))]), second, |first, _, builder| {
            builder.provider(Provider::Formwork, first)
        });
    let answer = kit.run(kit.service.answer_built_in(question())).unwrap().unwrap();
    assert_eq!((answer.text.as_str(), kit.first.asked()[0].model.as_str()), ("free", "extractive"));
    assert!(kit.meter.log().reserved.is_empty() && kit.meter.log().settled.is_empty());
    let other = self::kit(CountingMeter::default(), vec![Ok(text_answer("paid"))]);
    assert!(other.run(other.service.answer_built_in(question())).is_none(), "there is none");
}

#[test]
fn an_answer_of_unknown_price_has_an_unknown_cost() {
    let kit = kit(CountingMeter::default(), vec![Ok(text_answer("yes"))]);
    assert_eq!(kit.ask(&["unheard-of@openai"]).unwrap().cost, None);
    assert_eq!(kit.meter.log().settled[0].cost, None);
}

#[test]
fn a_limit_ends_the_request_and_says_when_to_come_back() {
    let kit = kit(CountingMeter::limited(1), vec![Err(fails(Fault::Failed)), Ok(text_answer("yes"))]);
    let error = kit.ask(&["m@openai"]).unwrap_err();
    assert_eq!((error.code(), error.kind()), ("limit_reached", ErrorKind::RateLimited));
    assert_eq!(error.retry_after(), Some(7));
    assert_eq!(error.to_string(), "the key's limit of a few requests per minute is reached");
    assert_eq!(kit.first.asked().len(), 1, "nothing is sent without leave");
    assert!(kit.is_free());
}

#[test]
fn an_answer_is_given_though_it_cannot_be_booked() {
    let script = ScriptedModel::new([Ok(text_answer("yes"))]).then_streams([text("yes"), crate::kit::end()]);
    let timer = Arc::new(VirtualTimer::default());
    let kit =
        Kit::with(timer, CountingMeter::broken(), script, ScriptedModel::default(), |first, _, builder| {
            builder.provider(Provider::OpenAi, first)
        });
    assert_eq!(kit.ask(&["m@openai"]).unwrap().answer.text, "yes");
    assert!(kit.stream(&["m@openai"]).unwrap().1.is_ok());
    assert_eq!(
        kit.notes.all(),
        ["m@openai unbooked: the storage is full", "m@openai unbooked: the storage is full"]
    );
}

#[test]
fn tokens_that_a_provider_does_not_count_are_estimated_from_the_texts() {
    let mut silent = text_answer("123456789");
    silent.usage = Usage::default();
    let kit = kit(CountingMeter::default(), vec![Ok(silent)]);
    let done = kit.ask(&["gpt-6-sol@openai"]).unwrap();
    assert_eq!((done.usage.input_tokens, done.usage.output_tokens), (2, 3));
    assert_eq!(kit.meter.log().settled[0].usage, done.usage);
}

#[test]
fn the_built_in_model_is_known_to_cost_nothing() {
    let timer = Arc::new(VirtualTimer::default());
    let script = ScriptedModel::new([Ok(text_answer("yes"))]);
    let kit =
        Kit::with(timer, CountingMeter::default(), script, ScriptedModel::default(), |first, _, builder| {
            builder.provider(Provider::Formwork, first)
        });
    assert_eq!(kit.ask(&["extractive@formwork"]).unwrap().cost, Some(Cost(0)));
}

#[test]
fn vectors_write_no_tokens_and_sounds_that_nobody_counts_are_estimated() {
    let kit = kit(CountingMeter::default(), vec![]);
    let request = EmbedRequest { texts: vec!["12345".into(), "1".into()], ..EmbedRequest::default() };
    kit.run(kit.service.embed(&payer(), &id("text-embedding-3-small@openai"), request)).unwrap();
    assert_eq!(kit.meter.log().reserved[0].tokens, 3);
    let request = gen_core::SpeechRequest { text: "hello".into(), ..gen_core::SpeechRequest::default() };
    let spoken = kit.run(kit.service.speech(&payer(), &choice(&["some-tts@openai"]), request)).unwrap();
    // Five characters: a third of a second of speech.
    let usage = Usage { input_tokens: 2, output_tokens: 9, ..Usage::default() };
    assert_eq!((spoken.usage, spoken.cost), (usage, None));
    assert_eq!(kit.meter.log().reserved[1].tokens, 11, "a budget of tokens bounds it");
}
