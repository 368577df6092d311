//! A client that goes away, at every moment that it can.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use gen_core::scripted::{CountingMeter, ScriptedModel, VirtualTimer, run, run_until, text_answer};
use gen_core::{Backend, Capacity, CircuitSettings, Fault, Provider, RetryPolicy};

use crate::kit::{Answered, Kit, choice, fails, payer, question, seconds};

/// One place, no queue, and a circuit that one failure opens for no time: whatever stays behind shows.
fn strict(script: impl FnOnce(ScriptedModel) -> ScriptedModel) -> Kit {
    let timer = Arc::new(VirtualTimer::default());
    let first = script(ScriptedModel::default().with_delay(timer.clone(), Duration::from_millis(1)));
    Kit::with(timer, CountingMeter::default(), first, ScriptedModel::default(), |first, _, builder| {
        let capacity = Capacity { concurrent: 1, waiting: 0 };
        builder
            .provider(Provider::OpenAi, Backend { capacity, ..first })
            .circuit(CircuitSettings { failures: 1, pause: Duration::from_micros(1) })
            .retry(RetryPolicy { retries: 3, ..RetryPolicy::default() })
    })
}

/// Everything that a call could hold has been given back: the next one goes through.
fn assert_free(kit: &Kit, polls: usize) {
    assert!(kit.is_free(), "after {polls} polls: {:?}", kit.meter.log());
    let (payer, choice) = (payer(), choice(&["m@openai"]));
    kit.timer.advance(seconds(1));
    let next = run(&kit.timer, kit.service.answer(&payer, &choice, question())).unwrap();
    let blocked = |code: &str| ["provider_saturated", "provider_paused"].contains(&code);
    use shared_core::DomainError as _;
    assert!(!next.is_err_and(|error| blocked(error.code())), "after {polls} polls");
}

fn failing() -> Vec<Answered> {
    vec![Err(fails(Fault::Failed)), Err(fails(Fault::Failed)), Ok(text_answer("yes")), Ok(text_answer("on"))]
}

#[test]
fn a_call_dropped_at_any_moment_leaves_nothing_behind() {
    let mut finished = false;
    for polls in 0..60 {
        let kit = strict(|script| script.then_answers(failing()));
        let (payer, choice) = (payer(), choice(&["m@openai"]));
        let done = run_until(&kit.timer, polls, kit.service.answer(&payer, &choice, question()));
        finished = done.is_some();
        assert_free(&kit, polls);
    }
    assert!(finished, "the last rounds see the whole call");
}

#[test]
fn a_stream_dropped_at_any_moment_leaves_nothing_behind_and_what_came_is_booked() {
    let mut booked = Vec::new();
    for polls in 0..60 {
        let kit = strict(|script| {
            script
                .then_streams([Err(fails(Fault::Failed))])
                .then_trickles([Duration::from_millis(1); 3], "1234")
                .then_answers([Ok(text_answer("on"))])
        });
        let (payer, choice) = (payer(), choice(&["m@openai"]));
        let reading = async {
            let mut events = kit.service.stream(&payer, &choice, question()).await.unwrap();
            while events.next().await.is_some() {}
        };
        run_until(&kit.timer, polls, reading);
        let books = kit.meter.log();
        booked.push(books.settled.get(1).map_or(0, |spend| spend.usage.output_tokens));
        assert_free(&kit, polls);
    }
    booked.dedup();
    assert_eq!(booked, [0, 1, 2, 3], "a token for each piece");
}

#[test]
fn a_waiting_call_that_is_dropped_leaves_the_queue() {
    let timer = Arc::new(VirtualTimer::default());
    let script =
        ScriptedModel::new((0..3).map(|_| Ok(text_answer("yes")))).with_delay(timer.clone(), seconds(10));
    let kit =
        Kit::with(timer, CountingMeter::default(), script, ScriptedModel::default(), |first, _, builder| {
            let capacity = Capacity { concurrent: 1, waiting: 1 };
            builder.provider(Provider::OpenAi, Backend { capacity, ..first })
        });
    let (payer, choice) = (payer(), choice(&["m@openai"]));
    let ask = || kit.service.answer(&payer, &choice, question());
    kit.run(async {
        let mut first = Box::pin(ask());
        assert!(futures_util::poll!(first.as_mut()).is_pending());
        {
            let mut second = Box::pin(ask());
            assert!(futures_util::poll!(second.as_mut()).is_pending());
        }
        let (first, third) = futures_util::future::join(first, ask()).await;
        assert!(first.is_ok() && third.is_ok());
    });
    assert!(kit.is_free());
}
