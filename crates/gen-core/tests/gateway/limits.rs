//! Places, queues and circuits.

use std::sync::Arc;

use futures_util::future::join_all;
use gen_core::scripted::{CountingMeter, ScriptedModel, VirtualTimer, text_answer};
use gen_core::{
    Backend, Capacity, CircuitSettings, Fault, GenServiceBuilder, Provider, RetryPolicy, Timer as _,
};
use shared_core::{DomainError as _, ErrorKind};

use crate::kit::{Answered, Kit, choice, fails, id, payer, question, seconds};

/// Answers that take ten seconds each, of a vendor with these places.
fn narrow(answers: Vec<Answered>, concurrent: usize, waiting: usize) -> Kit {
    let timer = Arc::new(VirtualTimer::default());
    let slow = ScriptedModel::new(answers).with_delay(timer.clone(), seconds(10));
    let second = ScriptedModel::new([Ok(text_answer("second"))]);
    Kit::with(timer, CountingMeter::default(), slow, second, |first, second, builder| {
        let first = Backend { capacity: Capacity { concurrent, waiting }, ..first };
        builder.provider(Provider::OpenAi, first).provider(Provider::Anthropic, second)
    })
}

#[test]
fn calls_beyond_the_places_wait_and_those_beyond_the_queue_are_refused() {
    let kit = narrow((0..4).map(|_| Ok(text_answer("yes"))).collect(), 1, 2);
    let (payer, choice) = (payer(), choice(&["m@openai"]));
    let calls = (0..4).map(|_| kit.service.answer(&payer, &choice, question()));
    let done = kit.run(join_all(calls));
    let refused: Vec<bool> = done.iter().map(Result::is_err).collect();
    assert_eq!(refused, [false, false, false, true]);
    let error = done[3].as_ref().unwrap_err();
    assert_eq!((error.code(), error.kind()), ("provider_saturated", ErrorKind::Saturated));
    assert_eq!(error.retry_after(), Some(1));
    assert_eq!(kit.timer.elapsed(), seconds(30), "one after the other");
}

#[test]
fn a_full_queue_falls_back() {
    let kit = narrow(vec![Ok(text_answer("yes"))], 1, 0);
    let payer = payer();
    let both = [choice(&["m@openai"]), choice(&["m@openai", "n@anthropic"])];
    let calls = both.iter().map(|choice| kit.service.answer(&payer, choice, question()));
    let done = kit.run(join_all(calls));
    assert_eq!(done[0].as_ref().unwrap().model, id("m@openai"));
    let fallen = done[1].as_ref().unwrap();
    assert_eq!(fallen.model, id("n@anthropic"));
    assert_eq!(fallen.warnings, ["m@openai did not answer: too many requests wait for OpenAI"]);
}

#[test]
fn nobody_waits_longer_than_the_time_for_everything() {
    let kit = narrow((0..200).map(|_| Ok(text_answer("yes"))).collect(), 1, 200);
    let (payer, choice) = (payer(), choice(&["m@openai"]));
    let calls = (0..100).map(|_| kit.service.answer(&payer, &choice, question()));
    let done = kit.run(join_all(calls));
    assert_eq!(done.iter().filter(|done| done.is_ok()).count(), 90, "ten seconds each, in 900");
    assert!(done[95].as_ref().is_err_and(|error| error.code() == "provider_saturated"));
}

/// Opens after three failures, for ten seconds; nothing is retried.
fn brittle(answers: Vec<Answered>) -> Kit {
    let timer = Arc::new(VirtualTimer::default());
    let second = ScriptedModel::new((0..10).map(|_| Ok(text_answer("second"))));
    let build = |first, second, builder: GenServiceBuilder| {
        builder
            .provider(Provider::OpenAi, first)
            .provider(Provider::Anthropic, second)
            .retry(RetryPolicy { retries: 0, ..RetryPolicy::default() })
            .circuit(CircuitSettings { failures: 3, pause: seconds(10) })
    };
    Kit::with(timer, CountingMeter::default(), ScriptedModel::new(answers), second, build)
}

fn failures(count: usize) -> Vec<Answered> {
    (0..count).map(|_| Err(fails(Fault::Unreachable))).collect()
}

#[test]
fn a_backend_that_keeps_failing_is_left_alone_until_a_probe_succeeds() {
    let mut script = failures(3);
    script.extend([Err(fails(Fault::Failed)), Ok(text_answer("back")), Ok(text_answer("on"))]);
    let kit = brittle(script);
    for _ in 0..3 {
        assert_eq!(kit.ask(&["m@openai"]).unwrap_err().code(), "provider_failed");
    }
    assert!(kit.notes.all().contains(&"OpenAI opened".to_owned()));
    let error = kit.ask(&["m@openai"]).unwrap_err();
    assert_eq!((error.code(), error.kind()), ("provider_paused", ErrorKind::Saturated));
    assert_eq!(error.retry_after(), Some(10));
    assert_eq!(error.to_string(), "OpenAI failed too often; it is tried again in 10 s");
    assert_eq!(kit.first.asked().len(), 3, "nothing is sent");

    assert_eq!(kit.ask(&["m@openai", "n@anthropic"]).unwrap().model, id("n@anthropic"));
    kit.timer.advance(seconds(10));
    assert_eq!(kit.ask(&["m@openai"]).unwrap_err().code(), "provider_failed", "the probe");
    assert_eq!(kit.ask(&["m@openai"]).unwrap_err().code(), "provider_paused");
    kit.timer.advance(seconds(10));
    assert_eq!(kit.ask(&["m@openai"]).unwrap().answer.text, "back");
    assert_eq!(kit.ask(&["m@openai"]).unwrap().answer.text, "on");
}

#[test]
fn requests_that_the_backend_finds_wrong_leave_the_circuit_closed() {
    let kit = brittle((0..10).map(|_| Err(fails(Fault::InvalidRequest))).collect());
    for _ in 0..10 {
        assert_eq!(kit.ask(&["m@openai"]).unwrap_err().code(), "provider_invalid_request");
    }
}

#[test]
fn an_open_circuit_ends_the_retries_with_what_the_provider_said() {
    let timer = Arc::new(VirtualTimer::default());
    let script = ScriptedModel::new(failures(3));
    let kit =
        Kit::with(timer, CountingMeter::default(), script, ScriptedModel::default(), |first, _, builder| {
            let circuit = CircuitSettings { failures: 2, pause: seconds(100) };
            builder.provider(Provider::OpenAi, first).circuit(circuit)
        });
    assert_eq!(kit.ask(&["m@openai"]).unwrap_err().to_string(), "OpenAI: as the script says");
    assert_eq!(kit.first.asked().len(), 2);
}

#[test]
fn the_built_in_model_has_no_circuit_and_is_not_asked_again() {
    let timer = Arc::new(VirtualTimer::default());
    let mut script = failures(9);
    script.push(Ok(text_answer("yes")));
    let script = ScriptedModel::new(script);
    let kit =
        Kit::with(timer, CountingMeter::default(), script, ScriptedModel::default(), |first, _, builder| {
            builder.provider(Provider::Formwork, first)
        });
    for _ in 0..9 {
        assert!(kit.ask(&["extractive@formwork"]).is_err());
    }
    assert_eq!(kit.ask(&["extractive@formwork"]).unwrap().answer.text, "yes");
}
