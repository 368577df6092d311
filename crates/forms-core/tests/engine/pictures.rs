//! Pictures of pages beside their text.

use std::sync::Arc;

use async_trait::async_trait;
use document::{Document, Format, Page, Rect, Span};
use forms_core::{
    ExtractError, ExtractRequest, Extraction, ExtractionEngine, GroupDocument, NoopAnswerStore, PagePictures,
    PictureOptions, PicturePolicy, SeenPages, Support, TrustOptions, UnseenPages, UnseenReason,
    UnsupportedPolicy,
};
use futures_executor::block_on;
use gen_core::scripted::ScriptedModel;
use gen_core::{ChatRequest, Fault, GenService, Media, Part, Provider, ProviderError};
use parking_lot::Mutex;
use rules_engine::Extractive;
use serde_json::{Value, json};
use shared_core::BoxError;

use crate::common::{form, payer, says, scripted};

/// Draws every page but some, and records what was drawn.
#[derive(Debug, Default)]
pub(crate) struct ScriptedPages {
    pub(crate) pages: Mutex<Vec<(usize, u32)>>,
    pub(crate) fails: Vec<u32>,
    /// Bytes of a picture.
    pub(crate) size: usize,
    /// The picture of each page, if it is to be one.
    pub(crate) image: Option<Vec<u8>>,
}

#[async_trait]
impl PagePictures for ScriptedPages {
    async fn picture(&self, document: usize, page: u32) -> Result<Media, BoxError> {
        self.pages.lock().push((document, page));
        if self.fails.contains(&page) {
            return Err("the worker was ended".into());
        }
        let plain = || vec![u8::try_from(page % 256).unwrap(); self.size.max(1)];
        let bytes = self.image.clone().unwrap_or_else(plain);
        Ok(Media { bytes: bytes.into(), content_type: "image/png".to_owned() })
    }
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Printed,
    Recognised,
    Unread,
}

/// A document with a line of text for each page, except for unread ones; pages are 100 by 200 points.
pub(crate) fn paper(pages: &[(Kind, &str)]) -> GroupDocument {
    let mut document = Document { format: Format::Pdf, ..Document::default() };
    let mut at = 0;
    for (number, (kind, text)) in (1..).zip(pages) {
        let start = at;
        if *kind != Kind::Unread {
            document.text.push_str(text);
            document.text.push('\n');
            at += text.chars().count() + 1;
            let rect = Rect { x0: 10.0, y0: 20.0, x1: 90.0, y1: 30.0 };
            document.spans.push(Span { start, end: at - 1, page: number, rect });
        }
        document.pages.push(Page {
            number,
            width: 100.0,
            height: 200.0,
            start,
            end: at,
            needs_ocr: *kind == Kind::Unread,
            recognised: *kind == Kind::Recognised,
        });
    }
    GroupDocument { name: "scan.pdf".into(), description: None, document: Arc::new(document), host: None }
}

pub(crate) struct Case<'a> {
    pub(crate) model: &'a Arc<ScriptedModel>,
    pub(crate) id: &'a str,
    pub(crate) options: PictureOptions,
    pub(crate) unsupported: UnsupportedPolicy,
    pub(crate) trust: TrustOptions,
    /// The engine of a run of several groups.
    pub(crate) run: Option<ExtractionEngine>,
}

impl<'a> Case<'a> {
    pub(crate) fn of(model: &'a Arc<ScriptedModel>) -> Self {
        let unsupported = UnsupportedPolicy::Keep;
        let (options, trust) = (PictureOptions::default(), TrustOptions::default());
        Self { model, id: "gpt-4o@openai", options, unsupported, trust, run: None }
    }

    pub(crate) fn run(
        &self,
        schema: &Value,
        documents: &[GroupDocument],
        drawn: &ScriptedPages,
    ) -> Result<Extraction, ExtractError> {
        let generation = GenService::builder()
            .with_chat(Provider::Formwork, Arc::new(Extractive))
            .with_chat(Provider::OpenAi, self.model.clone())
            .with_chat(Provider::Mistral, self.model.clone())
            .build();
        let trust = TrustOptions { unsupported: self.unsupported, ..self.trust.clone() };
        let engine = ExtractionEngine::new(generation).with_trust(trust).with_picture_options(self.options);
        let engine = self.run.clone().unwrap_or(engine);
        let request = ExtractRequest {
            payer: &payer(),
            schema: &form(schema),
            instructions: "",
            model: &self.id.parse().unwrap(),
            documents,
            answers: &NoopAnswerStore,
        };
        block_on(engine.extract_with_pictures(request, drawn))
    }
}

pub(crate) fn total() -> Value {
    json!({"total": {"type": "number"}})
}

pub(crate) fn pictures(request: &ChatRequest) -> usize {
    let parts = request.messages.iter().flat_map(|message| &message.parts);
    parts.filter(|part| matches!(part, Part::Picture(_))).count()
}

pub(crate) fn refusal(fault: Fault) -> ProviderError {
    ProviderError::new(fault, "image input is not supported")
}

pub(crate) fn unseen(reason: UnseenReason, pages: &[u32]) -> Vec<UnseenPages> {
    vec![UnseenPages { document: 0, reason, pages: pages.to_vec() }]
}

fn mixed() -> GroupDocument {
    paper(&[(Kind::Printed, "Letter of May"), (Kind::Recognised, "Total 12.50"), (Kind::Unread, "")])
}

#[test]
fn pages_with_missing_or_doubtful_text_are_shown_behind_the_text_of_their_document() {
    let model = scripted(vec![says(r#"{"total": 12.5, "_places": null}"#)]);
    let drawn = ScriptedPages::default();
    let found = Case::of(&model).run(&total(), &[mixed()], &drawn).unwrap();
    assert_eq!(found.record["total"], 12.5);
    assert_eq!(found.evidence["/total"].support, Support::Normalised);
    assert_eq!(*drawn.pages.lock(), [(0, 2), (0, 3)]);
    let asked = model.asked().remove(0);
    let parts: Vec<String> = asked.messages[0]
        .parts
        .iter()
        .map(|part| match part {
            Part::Document { .. } => "document".to_owned(),
            Part::Picture(picture) => format!("picture {}", picture.bytes[0]),
            Part::Text(text) => text.split([':', '.']).next().unwrap().to_owned(),
            _ => String::new(),
        })
        .collect();
    let rules = "The pictures show pages of the documents";
    let expected = ["document", "Picture 1", "picture 2", "Picture 2", "picture 3", rules];
    assert_eq!(parts[..6], expected);
    assert_eq!(parts.len(), 7);
    assert_eq!(asked.response_schema.unwrap().schema["required"], json!(["total", "_places"]));
    assert_eq!(found.pictures.seen, [SeenPages { document: 0, pages: vec![2, 3] }]);
    assert_eq!(found.pictures.unseen, []);
}

#[test]
fn a_group_without_such_pages_is_asked_as_without_pictures() {
    let documents = [paper(&[(Kind::Printed, "Total 12.50"), (Kind::Printed, "Thank you")])];
    let answer = || scripted(vec![says(r#"{"total": 12.5}"#)]);
    let (with, without) = (answer(), answer());
    let drawn = ScriptedPages::default();
    let found = Case::of(&with).run(&total(), &documents, &drawn).unwrap();
    let never = PictureOptions { policy: PicturePolicy::Never, ..PictureOptions::default() };
    Case { options: never, ..Case::of(&without) }.run(&total(), &[mixed()], &drawn).unwrap();
    Case { options: never, ..Case::of(&without) }.run(&total(), &documents, &drawn).unwrap_err();
    assert_eq!(format!("{:?}", with.asked()[0]), format!("{:?}", without.asked()[1]));
    assert_eq!(pictures(&without.asked()[0]), 0);
    assert!(drawn.pages.lock().is_empty());
    assert_eq!(found.pictures, Default::default());
}

#[test]
fn check_boxes_a_doubtful_text_layer_and_images_are_shown() {
    let odd = format!("Total 12.50 {}", "\u{e001}".repeat(30));
    let mut image = paper(&[(Kind::Recognised, "Total 3")]);
    Arc::make_mut(&mut image.document).format = Format::Image;
    for document in [paper(&[(Kind::Printed, "☐ yes ☒ no")]), paper(&[(Kind::Printed, &odd)]), image] {
        let model = scripted(vec![says(r#"{"total": null, "_places": null}"#)]);
        Case::of(&model).run(&total(), &[document], &ScriptedPages::default()).unwrap();
        assert_eq!(pictures(&model.asked()[0]), 1);
    }
}

#[test]
fn a_model_that_refuses_pictures_is_asked_again_without_them() {
    for fault in [Fault::InvalidRequest, Fault::Unsupported] {
        let model = scripted(vec![Err(refusal(fault)), says(r#"{"total": 12.5}"#)]);
        let found = Case::of(&model).run(&total(), &[mixed()], &ScriptedPages::default()).unwrap();
        assert_eq!(found.record["total"], 12.5);
        let asked = model.asked();
        assert_eq!(asked.iter().map(pictures).collect::<Vec<_>>(), [2, 0]);
        assert_eq!(asked[1].messages[0].parts.len(), 2, "document and question");
        assert_eq!(asked[1].response_schema.as_ref().unwrap().schema["required"], json!(["total"]));
        assert_eq!(found.pictures.seen, []);
        // Page 2 was read, if not seen.
        assert_eq!(found.pictures.unseen, unseen(UnseenReason::Model, &[3]));
    }
}

#[test]
fn another_failure_is_no_refusal_of_pictures() {
    let model = scripted(vec![Err(refusal(Fault::Auth))]);
    let failed = Case::of(&model).run(&total(), &[mixed()], &ScriptedPages::default());
    assert!(matches!(failed, Err(ExtractError::Model { .. })), "{failed:?}");
    assert_eq!(model.asked().len(), 1);
}

#[test]
fn a_model_that_is_known_to_take_no_pictures_gets_none_and_the_report_says_so() {
    let model = scripted(vec![says(r#"{"total": 12.5}"#)]);
    let drawn = ScriptedPages::default();
    let case = Case { id: "codestral-latest@mistral", ..Case::of(&model) };
    let found = case.run(&total(), &[mixed()], &drawn).unwrap();
    assert_eq!(pictures(&model.asked()[0]), 0);
    assert!(drawn.pages.lock().is_empty());
    assert_eq!(found.pictures.unseen, unseen(UnseenReason::Model, &[3]));
}

#[test]
fn thousands_of_scanned_pages_are_shown_within_the_bounds_and_the_rest_is_told() {
    let pages = vec![(Kind::Unread, ""); 5_000];
    let answers = || says(r#"{"total": null, "_places": null}"#);
    let model = scripted((0..3).map(|_| answers()).collect());
    let drawn = ScriptedPages::default();
    let options = PictureOptions { per_call: 4, per_group: 10, ..PictureOptions::default() };
    let found = Case { options, ..Case::of(&model) }.run(&total(), &[paper(&pages)], &drawn).unwrap();
    assert_eq!(drawn.pages.lock().len(), 10);
    let mut counts: Vec<usize> = model.asked().iter().map(pictures).collect();
    counts.sort_unstable();
    assert_eq!(counts, [2, 4, 4]);
    assert_eq!(found.pictures.seen, [SeenPages { document: 0, pages: (1..=10).collect() }]);
    let rest: Vec<u32> = (11..=5_000).collect();
    assert_eq!(found.pictures.unseen, unseen(UnseenReason::Limit, &rest));
}

#[test]
fn pages_without_text_go_before_others_where_not_all_are_shown() {
    let document = paper(&[(Kind::Recognised, "Total 12.50"), (Kind::Printed, "☐ a"), (Kind::Unread, "")]);
    let model = scripted(vec![says(r#"{"total": 12.5, "_places": []}"#)]);
    let drawn = ScriptedPages::default();
    let options = PictureOptions { per_group: 1, ..PictureOptions::default() };
    let found = Case { options, ..Case::of(&model) }.run(&total(), &[document], &drawn).unwrap();
    assert_eq!(*drawn.pages.lock(), [(0, 3)]);
    assert_eq!(found.pictures.unseen, unseen(UnseenReason::Limit, &[1, 2]));
}

#[test]
fn pages_of_a_long_scan_go_with_the_part_that_has_their_text() {
    let lines: Vec<String> = (0..12).map(|page| format!("Page {page} says {}", "much ".repeat(60))).collect();
    let pages: Vec<(Kind, &str)> = lines.iter().map(|line| (Kind::Recognised, line.as_str())).collect();
    let model = scripted((0..3).map(|_| says(r#"{"total": null, "_places": null}"#)).collect());
    let options = PictureOptions { per_call: 5, ..PictureOptions::default() };
    let case = Case { options, ..Case::of(&model) };
    case.run(&total(), &[paper(&pages)], &ScriptedPages::default()).unwrap();
    let mut shown = Vec::new();
    for request in model.asked() {
        let Part::Document { name, text, .. } = &request.messages[0].parts[0] else { panic!() };
        assert!(name.starts_with("scan.pdf (part "), "{name}");
        for part in &request.messages[0].parts {
            let Part::Picture(picture) = part else { continue };
            let page = u32::from(picture.bytes[0]);
            assert!(text.contains(&format!("Page {} says", page - 1)), "{page} of {name}");
            shown.push(page);
        }
    }
    shown.sort_unstable();
    assert_eq!(shown, (1..=12).collect::<Vec<_>>());
}

#[test]
fn a_page_that_cannot_be_drawn_or_is_too_large_is_left_out_and_told() {
    let unread = [(Kind::Unread, ""), (Kind::Unread, "")];
    let model = scripted(vec![says(r#"{"total": null, "_places": null}"#)]);
    let drawn = ScriptedPages { fails: vec![1], ..ScriptedPages::default() };
    let found = Case::of(&model).run(&total(), &[paper(&unread)], &drawn).unwrap();
    assert_eq!(pictures(&model.asked()[0]), 1);
    assert_eq!(found.pictures.seen, [SeenPages { document: 0, pages: vec![2] }]);
    assert_eq!(found.pictures.unseen, unseen(UnseenReason::Failed, &[1]));
    // Nothing is left to show: no model is asked to invent a record.
    let model = scripted(Vec::new());
    let drawn = ScriptedPages { size: 4_000_000, ..ScriptedPages::default() };
    let found = Case::of(&model).run(&total(), &[paper(&unread)], &drawn).unwrap();
    assert_eq!((found.record["total"].clone(), model.asked().len()), (Value::Null, 0));
    assert_eq!(found.pictures.unseen, unseen(UnseenReason::Failed, &[1, 2]));
}

#[test]
fn a_window_that_is_too_small_gets_fewer_pictures_and_at_last_none() {
    let unread = vec![(Kind::Unread, ""); 4];
    let answer = || says(r#"{"total": null, "_places": null}"#);
    let model = scripted(vec![Err(refusal(Fault::ContextTooLong)), answer(), answer()]);
    let options = PictureOptions { per_call: 4, ..PictureOptions::default() };
    Case { options, ..Case::of(&model) }.run(&total(), &[paper(&unread)], &ScriptedPages::default()).unwrap();
    assert_eq!(model.asked().iter().map(pictures).collect::<Vec<_>>(), [4, 2, 2]);
    let too_long = (0..40).map(|_| Err(refusal(Fault::ContextTooLong)));
    let model = scripted(too_long.collect());
    let found = Case::of(&model).run(&total(), &[paper(&unread[..1])], &ScriptedPages::default()).unwrap();
    assert_eq!(found.pictures.unseen, unseen(UnseenReason::Model, &[1]));
}

fn place(field: &str, picture: u32, edges: [i64; 4]) -> String {
    json!({"total": 77.25, "_places": [{"field": field, "picture": picture, "box": edges}]}).to_string()
}

#[test]
fn a_value_that_stands_in_a_picture_alone_has_page_and_box_and_is_never_accepted() {
    let document = paper(&[(Kind::Recognised, "Total"), (Kind::Unread, "")]);
    for unsupported in [UnsupportedPolicy::Keep, UnsupportedPolicy::Ask, UnsupportedPolicy::Null] {
        let model = scripted(vec![says(place("/total", 2, [100, 500, 300, 550]))]);
        let case = Case { unsupported, ..Case::of(&model) };
        let found = case.run(&total(), std::slice::from_ref(&document), &ScriptedPages::default()).unwrap();
        assert_eq!(found.record["total"], 77.25, "{unsupported:?}");
        let evidence = &found.evidence["/total"];
        assert_eq!((evidence.support, evidence.accepted), (Support::Pictured, Some(false)));
        assert_eq!((evidence.document.as_deref(), evidence.page), (Some("scan.pdf"), Some(2)));
        assert_eq!(evidence.rect, Some(Rect { x0: 10.0, y0: 100.0, x1: 30.0, y1: 110.0 }));
        assert_eq!(evidence.quote, None);
        assert!(evidence.confidence < 0.5, "{}", evidence.confidence);
        assert_eq!(model.asked().len(), 1);
    }
}

#[test]
fn a_place_that_does_not_hold_is_no_evidence() {
    let document = paper(&[(Kind::Recognised, "Total 12.50 EUR"), (Kind::Unread, "")]);
    for (field, picture, edges) in [
        // The whole page; outside; turned around; no such picture; another field.
        ("/total", 2, [0, 0, 1000, 1000]),
        ("/total", 2, [900, 0, 1100, 50]),
        ("/total", 2, [-1, 0, 100, 50]),
        ("/total", 2, [300, 500, 100, 550]),
        ("/total", 3, [100, 500, 300, 550]),
        ("/total", 0, [100, 500, 300, 550]),
        ("/sum", 2, [100, 500, 300, 550]),
        // The page prints another amount there.
        ("/total", 1, [100, 90, 900, 160]),
    ] {
        let model = scripted(vec![says(place(field, picture, edges))]);
        let found = Case::of(&model)
            .run(&total(), std::slice::from_ref(&document), &ScriptedPages::default())
            .unwrap();
        let evidence = &found.evidence["/total"];
        assert_eq!(evidence.support, Support::Unsupported, "{field} {picture} {edges:?}");
        assert_eq!((evidence.page, evidence.rect), (None, None));
    }
    // Beside the printed text there is room for handwriting.
    let model = scripted(vec![says(place("/total", 1, [100, 400, 900, 460]))]);
    let found = Case::of(&model).run(&total(), &[document], &ScriptedPages::default()).unwrap();
    assert_eq!(found.evidence["/total"].support, Support::Pictured);
}

#[test]
fn places_of_any_other_shape_change_nothing() {
    let places = [
        json!("x"),
        json!({"field": "/total"}),
        json!([1, null, {"field": "/total", "picture": -1, "box": [1, 2, 3, 4]}]),
        json!([{"field": "/total", "picture": 1, "box": [1, 2, 3]}]),
        json!([{"field": "/total", "picture": 1e300, "box": ["a", 2, 3, 4, 5]}]),
    ];
    for places in places {
        let answer = json!({"total": 12.5, "_places": places}).to_string();
        let model = scripted(vec![says(answer)]);
        let found = Case::of(&model).run(&total(), &[mixed()], &ScriptedPages::default()).unwrap();
        assert_eq!(found.record, json!({"total": 12.5}).as_object().unwrap().clone());
        assert_eq!(found.evidence["/total"].support, Support::Normalised);
    }
}

#[test]
fn a_field_with_the_name_of_the_places_keeps_it() {
    let schema = json!({"_places": {"type": "string"}});
    let model = scripted(vec![says(r#"{"_places": "Total", "__places": null}"#)]);
    let found = Case::of(&model).run(&schema, &[mixed()], &ScriptedPages::default()).unwrap();
    assert_eq!(found.record["_places"], "Total");
}
