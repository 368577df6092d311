//! Retries, fallbacks, and what is said when all fail.

use gen_core::scripted::{ScriptedModel, text_answer};
use gen_core::{Cost, Fault, GenError, ModelChoice, ProviderError, Timer as _};
use shared_core::{DomainError as _, ErrorKind};

use crate::kit::{Kit, choice, fails, id, payer, question, seconds};

#[test]
fn a_passing_failure_is_retried_until_the_model_answers() {
    let kit = Kit::new(
        vec![Err(fails(Fault::Overloaded)), Err(fails(Fault::Failed)), Ok(text_answer("yes"))],
        vec![],
    );
    let done = kit.ask(&["m@openai", "n@anthropic"]).unwrap();
    assert_eq!((done.answer.text.as_str(), done.model), ("yes", id("m@openai")));
    assert_eq!(kit.first.asked().len(), 3);
    assert!(kit.second.asked().is_empty());
    assert!(done.warnings.is_empty(), "retries of the same model are nobody's business");
    assert!(kit.timer.elapsed() <= seconds(2), "half a second and a second at most");
    let given = "m@openai failed, again";
    assert_eq!(kit.notes.all(), [given, given]);
}

#[test]
fn a_model_that_keeps_failing_gives_way_to_the_next_one_which_is_said() {
    let failures = (0..3).map(|_| Err(fails(Fault::Failed))).collect();
    let kit = Kit::new(failures, vec![Ok(text_answer("from the second"))]);
    let done = kit.ask(&["m@openai", "n@anthropic"]).unwrap();
    assert_eq!((done.answer.text.as_str(), done.model), ("from the second", id("n@anthropic")));
    assert_eq!((kit.first.asked().len(), kit.second.asked().len()), (3, 1));
    assert_eq!(done.warnings, ["m@openai did not answer: OpenAI: as the script says"]);
    assert_eq!(done.answer.warnings, done.warnings);
    assert_eq!(kit.second.asked()[0].model, "n", "each vendor gets its own name");
}

#[test]
fn a_failure_that_will_not_pass_falls_back_at_once() {
    for fault in [Fault::Auth, Fault::Billing, Fault::InvalidRequest, Fault::ContextTooLong, Fault::Protocol]
    {
        let kit = Kit::new(vec![Err(fails(fault))], vec![Ok(text_answer("yes"))]);
        assert_eq!(kit.ask(&["m@openai", "n@anthropic"]).unwrap().model, id("n@anthropic"), "{fault:?}");
        assert_eq!(kit.first.asked().len(), 1, "{fault:?}");
        assert_eq!(kit.timer.elapsed(), seconds(0), "{fault:?}");
    }
}

#[test]
fn a_refusal_is_the_answer() {
    let kit = Kit::new(vec![Err(fails(Fault::Refused))], vec![Ok(text_answer("yes"))]);
    let error = kit.ask(&["m@openai", "n@anthropic"]).unwrap_err();
    assert_eq!((error.code(), error.kind()), ("provider_refused", ErrorKind::ProviderFailed));
    assert!(kit.second.asked().is_empty());
}

#[test]
fn the_last_failure_names_the_provider_and_what_it_said() {
    let kit =
        Kit::new(vec![Err(fails(Fault::Auth))], vec![Err(ProviderError::new(Fault::Billing, "no money"))]);
    let error = kit.ask(&["m@openai", "n@anthropic"]).unwrap_err();
    assert_eq!(error.to_string(), "Anthropic: no money");
    assert_eq!((error.code(), error.kind()), ("provider_billing", ErrorKind::ProviderFailed));
}

#[test]
fn the_wait_that_a_provider_asks_for_is_kept_and_passed_on_when_it_is_too_long() {
    let limited =
        |after: u64| Err(ProviderError { retry_after: Some(seconds(after)), ..fails(Fault::RateLimited) });
    let kit = Kit::new(vec![limited(20), Ok(text_answer("yes"))], vec![]);
    kit.ask(&["m@openai"]).unwrap();
    assert!(kit.timer.elapsed() >= seconds(20));

    let kit = Kit::new(vec![limited(61)], vec![]);
    let error = kit.ask(&["m@openai"]).unwrap_err();
    assert_eq!((error.kind(), error.code()), (ErrorKind::ProviderFailed, "provider_rate_limited"));
    assert_eq!(error.retry_after(), Some(61));
    assert_eq!(kit.timer.elapsed(), seconds(0));

    let kit = Kit::new(vec![limited(20)], vec![Ok(text_answer("yes"))]);
    assert_eq!(kit.ask(&["m@openai", "n@anthropic"]).unwrap().model, id("n@anthropic"));
    assert_eq!(kit.timer.elapsed(), seconds(0), "another model is left: nobody waits for so long");
}

#[test]
fn what_failed_attempts_used_is_part_of_the_answer_and_of_its_cost() {
    let mut wasted = fails(Fault::Failed);
    wasted.usage.input_tokens = 1_000;
    let kit = Kit::new(vec![Err(wasted), Ok(text_answer("yes"))], vec![]);
    let done = kit.ask(&["gpt-6-sol@openai"]).unwrap();
    assert_eq!((done.usage.input_tokens, done.usage.output_tokens), (1_010, 1));
    assert_eq!(done.answer.usage, done.usage);
    assert_eq!(done.cost, Some(Cost(1_010 * 2_000 + 10_000)));
}

#[test]
fn what_was_used_in_vain_is_told_with_the_failure() {
    let mut wasted = fails(Fault::Protocol);
    wasted.usage.output_tokens = 7;
    let kit = Kit::new(vec![Err(wasted)], vec![]);
    let error = kit.ask(&["m@openai"]).unwrap_err();
    assert_eq!((error.spent().usage.output_tokens, error.spent().cost), (7, None));
}

#[test]
fn an_attempt_that_takes_too_long_is_a_timeout() {
    let timer = std::sync::Arc::new(gen_core::scripted::VirtualTimer::default());
    let slow = ScriptedModel::new([Ok(text_answer("late"))]).with_delay(timer.clone(), seconds(601));
    let meter = gen_core::scripted::CountingMeter::default();
    let kit = Kit::with(timer, meter, slow, ScriptedModel::new([]), |first, _, builder| {
        builder.provider(gen_core::Provider::OpenAi, first)
    });
    let error = kit.ask(&["m@openai"]).unwrap_err();
    assert_eq!((error.code(), error.kind()), ("provider_timeout", ErrorKind::ProviderTimeout));
    let elapsed = kit.timer.elapsed();
    assert_eq!(kit.first.asked().len(), 2, "the second attempt is cut by the time for everything");
    assert_eq!(elapsed, seconds(900));
}

#[test]
fn models_beyond_the_fifth_fallback_are_refused_and_the_same_one_counts_once() {
    let many = |count: usize| ModelChoice::new(id("m@openai"), vec![id("n@anthropic"); count]);
    assert_eq!(many(5).unwrap().iter().count(), 2);
    assert!(matches!(many(6), Err(GenError::TooManyFallbacks)));
}

#[test]
fn every_model_is_checked_before_the_first_is_asked() {
    let kit = Kit::new(vec![Ok(text_answer("yes"))], vec![]);
    let error = kit.ask(&["m@openai", "x@mistral"]).unwrap_err();
    assert_eq!((error.code(), error.kind()), ("provider_not_configured", ErrorKind::NotConfigured));
    assert_eq!(kit.ask(&["m@openai", "x@formwork"]).unwrap_err().code(), "unknown_model");
    assert!(kit.first.asked().is_empty() && kit.meter.log().reserved.is_empty());
}

#[test]
fn without_a_timer_calls_are_made_once_and_fallbacks_still_stand_in() {
    let (first, second) = (
        std::sync::Arc::new(ScriptedModel::new([Err(fails(Fault::Failed))])),
        std::sync::Arc::new(ScriptedModel::new([Ok(text_answer("yes"))])),
    );
    let service = gen_core::GenService::builder()
        .with_chat(gen_core::Provider::OpenAi, first.clone())
        .with_chat(gen_core::Provider::Anthropic, second)
        .build();
    let (payer, choice) = (payer(), choice(&["m@openai", "n@anthropic"]));
    let asked = service.answer(&payer, &choice, question());
    assert_eq!(futures_executor::block_on(asked).unwrap().model, id("n@anthropic"));
    assert_eq!(first.asked().len(), 1);
}
