//! Which models there are.

use std::sync::Arc;

use futures_util::future::join;
use gen_core::scripted::{CountingMeter, ScriptedModel, VirtualTimer};
use gen_core::{Backend, Fault, ListedModel, Model, ModelKind, Provider, ProviderError, Timer as _};

use crate::kit::{Kit, fails, id, seconds};
use crate::names::listed;

type List = Result<Vec<ListedModel>, ProviderError>;

fn kit(lists: Vec<List>, delay: u64) -> Kit {
    let timer = Arc::new(VirtualTimer::default());
    let first = ScriptedModel::default().with_delay(timer.clone(), seconds(delay));
    let first = lists.into_iter().fold(first, ScriptedModel::then_lists);
    Kit::with(timer, CountingMeter::default(), first, ScriptedModel::default(), |first, second, builder| {
        let own = Backend { chat: second.chat, ..Backend::default() };
        builder.provider(Provider::OpenAi, first).provider(Provider::Formwork, own)
    })
}

fn ids(models: &[Model]) -> Vec<String> {
    models.iter().map(|model| model.id.to_string()).collect()
}

fn names(names: &[&str]) -> List {
    Ok(names.iter().map(|name| listed(name)).collect())
}

#[test]
fn models_are_those_that_providers_list_with_what_the_catalogue_knows_in_a_fixed_order() {
    let list =
        names(&["zeta", "gpt-6-sol-2026-09-22", "whisper-1", "gpt-image-2", "alpha", "alpha", "bad\nname"]);
    let kit = kit(vec![list], 0);
    let models = kit.run(kit.service.models());
    let order = ["alpha@openai", "gpt-6-sol-2026-09-22@openai", "zeta@openai", "gpt-image-2@openai"];
    assert_eq!(ids(&models), [&order[..], &["extractive@formwork"]].concat());
    let known = &models[1];
    assert_eq!((known.name.as_str(), known.context_tokens), ("GPT-6 Sol", Some(1_050_000)));
    assert!(known.price.is_some() && models[0].price.is_none());
    assert_eq!(models[3].kind, ModelKind::TextToImage);
}

#[test]
fn the_providers_word_on_sizes_goes_before_the_catalogues() {
    let said = ListedModel { context_tokens: Some(5), name: Some("Sol".into()), ..listed("gpt-6-sol") };
    let kit = kit(vec![Ok(vec![said])], 0);
    let models = kit.run(kit.service.models());
    assert_eq!((models[0].name.as_str(), models[0].context_tokens), ("Sol", Some(5)));
    assert_eq!(models[0].output_tokens, Some(128_000));
    assert_eq!(kit.service.describe(&id("gpt-6-sol@openai")), models[0]);
}

#[test]
fn a_list_is_kept_for_ten_minutes_and_fetched_once_for_all_who_ask() {
    let kit = kit(vec![names(&["a"]), names(&["b"])], 1);
    kit.run(join(kit.service.models(), kit.service.models()));
    kit.timer.advance(seconds(599));
    assert_eq!(ids(&kit.run(kit.service.models()))[0], "a@openai");
    assert_eq!(kit.first.listed(), 1);
    kit.timer.advance(seconds(1));
    assert_eq!(ids(&kit.run(kit.service.models()))[0], "b@openai");
    assert_eq!(kit.first.listed(), 2);
}

#[test]
fn a_failed_fetch_leaves_the_old_list_and_is_not_repeated_at_once() {
    let kit = kit(vec![names(&["a"]), Err(fails(Fault::Failed)), names(&["b"])], 0);
    kit.run(kit.service.models());
    kit.timer.advance(seconds(600));
    for _ in 0..3 {
        assert_eq!(ids(&kit.run(kit.service.models()))[0], "a@openai");
    }
    assert_eq!((kit.first.listed(), kit.notes.all()), (2, vec!["OpenAI not listed".to_owned()]));
    kit.timer.advance(seconds(30));
    assert_eq!(ids(&kit.run(kit.service.models()))[0], "b@openai");
}

#[test]
fn a_provider_that_cannot_tell_has_the_models_of_the_catalogue() {
    let kit = kit(vec![Err(fails(Fault::Unreachable))], 0);
    let models = ids(&kit.run(kit.service.models()));
    assert!(models.contains(&"gpt-6-luna@openai".to_owned()));
    assert!(!models.iter().any(|id| id.ends_with("@anthropic")), "it is not configured");
}

#[test]
fn a_slow_provider_holds_the_list_up_for_three_seconds_and_its_list_comes_later() {
    let kit = kit(vec![names(&["late"])], 10);
    let models = ids(&kit.run(kit.service.models()));
    assert_eq!(kit.timer.elapsed(), seconds(3));
    assert!(models.contains(&"gpt-6-luna@openai".to_owned()));
    kit.timer.advance(seconds(10));
    assert_eq!(ids(&kit.run(kit.service.models())), ["late@openai", "extractive@formwork"]);
    assert_eq!(kit.first.listed(), 1, "the same fetch");
}

#[test]
fn a_model_that_its_backend_cannot_serve_is_not_listed() {
    let timer = Arc::new(VirtualTimer::default());
    let first = ScriptedModel::default().then_lists(names(&["text", "new-tts", "new-embed"]));
    let kit =
        Kit::with(timer, CountingMeter::default(), first, ScriptedModel::default(), |first, _, builder| {
            let server = Backend { speech: None, models: vec![listed("extra")], ..first };
            builder.server("gpu".parse().unwrap(), server)
        });
    let models = ids(&kit.run(kit.service.models()));
    assert_eq!(models, ["gpu/extra@formwork", "gpu/text@formwork", "gpu/new-embed@formwork"]);
}
