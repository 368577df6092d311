//! Pictures in calls after the first, over the groups of a run, and what they cost.

use std::sync::Arc;

use forms_core::{
    ExtractRequest, Extraction, ExtractionEngine, ExtractionEstimate, GroupDocument, NoopAnswerStore,
    PictureOptions, PicturePolicy, SecondReader, SecondReading, TrustOptions, UnseenReason,
};
use gen_core::scripted::ScriptedModel;
use gen_core::{Fault, GenService, PICTURE_TOKENS, Provider};
use serde_json::{Value, json};

use crate::common::{form, payer, says, scripted};
use crate::pictures::{Case, Kind, ScriptedPages, paper, pictures, refusal, total, unseen};

fn counts(model: &ScriptedModel) -> Vec<usize> {
    model.asked().iter().map(pictures).collect()
}

fn rows() -> Value {
    let item =
        json!({"type": "object", "properties": {"day": {"type": "string"}, "sum": {"type": "number"}}});
    json!({"rows": {"type": "array", "items": item}})
}

/// Lines of a list with numbers from `from` on.
fn lines(from: usize, count: usize) -> String {
    (from..from + count).map(|n| format!("2024-03-{:02}  {}.50\n", n + 1, 100 + n)).collect()
}

fn row(n: usize) -> Value {
    json!({"day": format!("2024-03-{:02}", n + 1), "sum": 100.5 + n as f64})
}

fn listed(rows: impl Iterator<Item = usize>) -> String {
    json!({"rows": rows.map(row).collect::<Vec<_>>(), "_places": null}).to_string()
}

#[test]
fn a_call_for_missing_rows_shows_the_doubtful_pages_of_its_lines_and_draws_none_again() {
    for (kind, shown) in [(Kind::Recognised, 1), (Kind::Printed, 0)] {
        let document = paper(&[(Kind::Recognised, &lines(0, 8)), (kind, &lines(8, 8))]);
        // The model stops within the second page.
        let model = scripted(vec![says(listed(0..10)), says(listed(10..16)), says(listed(0..0))]);
        let drawn = ScriptedPages::default();
        let found = Case::of(&model).run(&rows(), &[document], &drawn).unwrap();
        assert_eq!(found.record["rows"].as_array().unwrap().len(), 16, "{found:?}");
        let counts = counts(&model);
        assert_eq!(counts[..2], [1 + shown, shown], "{counts:?}");
        assert_eq!(drawn.pages.lock().len(), 1 + shown);
    }
}

#[test]
fn calls_for_missing_rows_have_no_more_pictures_than_the_group_may_have() {
    let document = paper(&[(Kind::Recognised, &lines(0, 10)), (Kind::Recognised, &lines(10, 10))]);
    let answers = [0..8, 8..9, 10..11, 11..12, 0..0, 0..0].map(|rows| says(listed(rows)));
    let model = scripted(Vec::from(answers));
    let options = PictureOptions { per_group: 2, ..PictureOptions::default() };
    Case { options, ..Case::of(&model) }.run(&rows(), &[document], &ScriptedPages::default()).unwrap();
    let counts = counts(&model);
    assert!(counts.len() > 2 && counts[0] == 2, "{counts:?}");
    assert!(counts[1..].iter().sum::<usize>() <= 2, "{counts:?}");
}

fn second(when: SecondReading) -> TrustOptions {
    let second_reader = SecondReader::Model("pixtral-large-latest@mistral".parse().unwrap());
    TrustOptions { second_reader, second_reading: when, ..TrustOptions::default() }
}

fn seen_total(total: f64) -> String {
    let place = json!({"field": "/total", "picture": 1, "box": [100, 500, 300, 550]});
    json!({"total": total, "_places": [place]}).to_string()
}

#[test]
fn a_second_reader_sees_the_pages_that_the_first_model_saw() {
    let document = [paper(&[(Kind::Printed, "Letter"), (Kind::Recognised, "Total"), (Kind::Unread, "")])];
    let sure = |other: f64| {
        let model = scripted(vec![says(seen_total(77.25)), says(seen_total(other))]);
        let case = Case { trust: second(SecondReading::Always), ..Case::of(&model) };
        let found = case.run(&total(), &document, &ScriptedPages::default()).unwrap();
        assert_eq!(counts(&model), [2, 2]);
        assert_eq!(found.evidence["/total"].accepted, Some(false));
        assert_eq!(found.record["total"], 77.25);
        found.evidence["/total"].confidence
    };
    assert!(sure(77.25) > sure(12.0));
}

#[test]
fn a_second_reader_reads_a_scan_without_text_and_one_that_refuses_pictures_does_not() {
    let scan = [paper(&[(Kind::Unread, "")])];
    let model = scripted(vec![says(seen_total(77.25)), says(seen_total(77.25))]);
    let case = Case { trust: second(SecondReading::Always), ..Case::of(&model) };
    case.run(&total(), &scan, &ScriptedPages::default()).unwrap();
    assert_eq!(counts(&model), [1, 1]);
    let model = scripted(vec![says(seen_total(77.25)), Err(refusal(Fault::Unsupported))]);
    let case = Case { trust: second(SecondReading::Always), ..Case::of(&model) };
    let found = case.run(&total(), &scan, &ScriptedPages::default()).unwrap();
    assert_eq!((counts(&model), found.record["total"].clone()), (vec![1, 1], json!(77.25)));
    // With text, it is asked for that.
    let page = [paper(&[(Kind::Recognised, "Total 77.25")])];
    let answers = [says(seen_total(77.25)), Err(refusal(Fault::Unsupported)), says(r#"{"total": 77.25}"#)];
    let model = scripted(Vec::from(answers));
    let case = Case { trust: second(SecondReading::Always), ..Case::of(&model) };
    case.run(&total(), &page, &ScriptedPages::default()).unwrap();
    assert_eq!(counts(&model), [1, 1, 0]);
}

fn engine(model: &Arc<ScriptedModel>, options: PictureOptions) -> ExtractionEngine {
    let generation = GenService::builder()
        .with_chat(Provider::Formwork, Arc::new(rules_engine::Extractive))
        .with_chat(Provider::OpenAi, model.clone())
        .build();
    ExtractionEngine::new(generation).with_picture_options(options)
}

fn page(text: &str) -> [GroupDocument; 1] {
    [paper(&[(Kind::Recognised, text)])]
}

fn run_groups(model: &Arc<ScriptedModel>, engine: &ExtractionEngine, groups: &[&str]) -> Vec<Extraction> {
    let one = |text: &&str| {
        let case = Case { run: Some(engine.clone()), ..Case::of(model) };
        case.run(&total(), &page(text), &ScriptedPages::default()).unwrap()
    };
    groups.iter().map(one).collect()
}

#[test]
fn a_model_that_refuses_pictures_is_asked_with_them_once_in_a_run() {
    let plain = || says(r#"{"total": 12.5}"#);
    let model = scripted(vec![Err(refusal(Fault::InvalidRequest)), plain(), plain(), plain()]);
    let run = engine(&model, PictureOptions::default()).for_run();
    assert!(run.may_show_pictures(&"gpt-4o@openai".parse().unwrap()));
    let found = run_groups(&model, &run, &["Total 12.5", "Sum 12.5", "Gross 12.5"]);
    assert_eq!(counts(&model), [1, 0, 0, 0]);
    assert!(found.iter().all(|found| found.record["total"] == 12.5));
    assert!(!run.may_show_pictures(&"gpt-4o@openai".parse().unwrap()));
    // Another run asks again.
    let model = scripted(vec![Err(refusal(Fault::InvalidRequest)), plain()]);
    run_groups(&model, &engine(&model, PictureOptions::default()).for_run(), &["Total 12.5"]);
    assert_eq!(counts(&model), [1, 0]);
}

#[test]
fn a_refusal_of_one_picture_after_others_were_taken_is_not_remembered() {
    let (plain, seen) = (|| says(r#"{"total": 12.5}"#), || says(r#"{"total": 12.5, "_places": null}"#));
    let refused = || Err(refusal(Fault::InvalidRequest));
    let model = scripted(vec![seen(), refused(), plain(), seen()]);
    let run = engine(&model, PictureOptions::default()).for_run();
    run_groups(&model, &run, &["Total 12.5", "Sum 12.5", "Gross 12.5"]);
    assert_eq!(counts(&model), [1, 1, 0, 1]);
}

fn estimate(engine: &ExtractionEngine, model: &str, documents: &[GroupDocument]) -> ExtractionEstimate {
    let request = ExtractRequest {
        payer: &payer(),
        schema: &form(&total()),
        instructions: "",
        model: &model.parse().unwrap(),
        documents,
        answers: &NoopAnswerStore,
    };
    engine.estimate(&request).unwrap()
}

#[test]
fn an_estimate_counts_pictures_as_the_vendor_of_the_model_does() {
    let documents = [paper(&[(Kind::Recognised, "Total 5"), (Kind::Unread, ""), (Kind::Printed, "Annex")])];
    let model = scripted(Vec::new());
    let auto = engine(&model, PictureOptions::default());
    let never = PictureOptions { policy: PicturePolicy::Never, ..PictureOptions::default() };
    let blind = estimate(&engine(&model, never), "gpt-4o@openai", &documents);
    assert_eq!((blind.pictures, blind.picture_tokens), (0, 0));
    // Pages of 100 by 200 points are drawn with 784 by 1,568 pixels.
    for (id, tokens) in [
        ("gpt-4o@openai", 25 * 49 * 6 / 5),
        ("claude-haiku-4-5@anthropic", 28 * 56),
        ("gemini-2.5-flash@google", 2 * 4 * 258),
        ("lab/m@formwork", PICTURE_TOKENS),
    ] {
        let found = estimate(&auto, id, &documents);
        assert_eq!((found.pictures, found.picture_tokens), (2, 2 * tokens), "{id}");
        let text = found.input_tokens - found.picture_tokens;
        assert!(text > 0 && text < 2 * blind.input_tokens, "{id}: {found:?}");
    }
    assert_eq!(estimate(&auto, "extractive@formwork", &documents).pictures, 0);
    assert_eq!(estimate(&auto, "codestral-latest@mistral", &documents).pictures, 0);
}

#[test]
fn a_bound_of_tokens_holds_for_all_pictures_of_a_group_and_the_pages_left_out_are_told() {
    let pages: Vec<(Kind, &str)> = vec![(Kind::Unread, ""); 5];
    let tokens_per_group = 3 * 25 * 49 * 6 / 5 + 100;
    let options = PictureOptions { tokens_per_group, ..PictureOptions::default() };
    let model = scripted((0..3).map(|_| says(r#"{"total": null, "_places": null}"#)).collect());
    let found =
        Case { options, ..Case::of(&model) }.run(&total(), &[paper(&pages)], &ScriptedPages::default());
    assert_eq!(counts(&model).iter().sum::<usize>(), 3);
    assert_eq!(found.unwrap().pictures.unseen, unseen(UnseenReason::Limit, &[4, 5]));
    assert_eq!(estimate(&engine(&model, options), "gpt-4o@openai", &[paper(&pages)]).pictures, 3);
    // A second reader has what the first model left.
    let page = [paper(&[(Kind::Recognised, "Total 77.25"), (Kind::Unread, "")])];
    let model = scripted(vec![says(seen_total(77.25)), says(r#"{"total": 77.25, "_places": null}"#)]);
    let case = Case { options, trust: second(SecondReading::Always), ..Case::of(&model) };
    case.run(&total(), &page, &ScriptedPages::default()).unwrap();
    assert_eq!(counts(&model), [2, 1]);
}
