//! Fields for check marks, signatures and stamps.

use std::sync::Arc;

use document::{FieldKind, FormField, Rect};
use forms_core::{GroupDocument, Support, UnseenReason};
use serde_json::{Value, json};

use crate::common::{says, scripted};
use crate::pictures::{Case, Kind, ScriptedPages, paper, unseen};

fn schema() -> Value {
    json!({"tenant_signature": {"type": "boolean", "format": "signed", "aliases": ["Unterschrift Mieter"]}})
}

/// A lease of three sound pages; the second has the place to sign.
fn lease() -> GroupDocument {
    let pages =
        [(Kind::Printed, "Lease"), (Kind::Printed, "Signature of the tenant"), (Kind::Printed, "Annex")];
    paper(&pages)
}

fn answer(value: bool, places: &Value) -> String {
    json!({"tenant_signature": value, "_places": places}).to_string()
}

#[test]
fn a_page_with_the_label_of_a_signature_is_shown_and_its_box_is_the_evidence() {
    // The box covers the label, over which people sign.
    let places = json!([{"field": "/tenant_signature", "picture": 1, "box": [100, 90, 900, 160]}]);
    let model = scripted(vec![says(answer(true, &places))]);
    let drawn = ScriptedPages::default();
    let found = Case::of(&model).run(&schema(), &[lease()], &drawn).unwrap();
    assert_eq!(*drawn.pages.lock(), [(0, 2)]);
    assert_eq!(found.record["tenant_signature"], true);
    let evidence = &found.evidence["/tenant_signature"];
    assert_eq!(
        (evidence.support, evidence.page, evidence.accepted),
        (Support::Pictured, Some(2), Some(false))
    );
    let asked = model.asked().remove(0).response_schema.unwrap().schema;
    let told = asked["properties"]["tenant_signature"]["description"].as_str().unwrap();
    assert!(told.contains("the place to sign is there and empty"), "{told}");
}

#[test]
fn without_a_label_the_last_page_is_shown() {
    let model = scripted(vec![says(answer(true, &json!(null)))]);
    let drawn = ScriptedPages::default();
    let letter = paper(&[(Kind::Printed, "Dear Sir"), (Kind::Printed, "Yours sincerely")]);
    Case::of(&model).run(&schema(), &[letter], &drawn).unwrap();
    assert_eq!(*drawn.pages.lock(), [(0, 2)]);
}

#[test]
fn a_mark_that_nobody_saw_is_not_stated() {
    for value in [true, false] {
        let model = scripted(vec![says(answer(value, &json!([])))]);
        let found = Case::of(&model).run(&schema(), &[lease()], &ScriptedPages::default()).unwrap();
        assert_eq!(found.record["tenant_signature"], Value::Null);
        assert!(found.evidence.is_empty());
        // A box on a page that was not shown.
        let places = json!([{"field": "/tenant_signature", "picture": 2, "box": [100, 90, 900, 160]}]);
        let model = scripted(vec![says(answer(value, &places))]);
        let found = Case::of(&model).run(&schema(), &[lease()], &ScriptedPages::default()).unwrap();
        assert_eq!(found.record["tenant_signature"], Value::Null);
    }
}

#[test]
fn a_model_without_eyes_leaves_the_mark_open_and_the_page_is_told() {
    let model = scripted(vec![says(r#"{"tenant_signature": true}"#)]);
    let case = Case { id: "codestral-latest@mistral", ..Case::of(&model) };
    let found = case.run(&schema(), &[lease()], &ScriptedPages::default()).unwrap();
    assert_eq!(found.record["tenant_signature"], Value::Null);
    assert_eq!(found.pictures.unseen, unseen(UnseenReason::Model, &[2]));
}

#[test]
fn a_digital_signature_decides_whatever_the_model_says() {
    for (signer, is_signed) in [(Some("Ada Byron".to_owned()), true), (None, false)] {
        let mut lease = lease();
        let rect = Some(Rect { x0: 10.0, y0: 20.0, x1: 90.0, y1: 30.0 });
        let (name, kind) = ("signature_tenant".to_owned(), FieldKind::Signature);
        let field = FormField { name, label: None, value: signer, kind, page: Some(2), rect };
        Arc::make_mut(&mut lease.document).fields.push(field);
        let model = scripted(vec![says(answer(!is_signed, &json!(null)))]);
        let found = Case::of(&model).run(&schema(), &[lease], &ScriptedPages::default()).unwrap();
        assert_eq!(found.record["tenant_signature"], is_signed);
        let evidence = &found.evidence["/tenant_signature"];
        assert_eq!((evidence.support, evidence.page, evidence.rect), (Support::Normalised, Some(2), rect));
    }
}

#[test]
fn a_tick_in_the_text_is_evidence_without_a_picture() {
    let schema = json!({"smoker": {"type": "boolean", "format": "checked"}});
    let model = scripted(vec![says(r#"{"smoker": true, "_places": null}"#)]);
    let form = paper(&[(Kind::Printed, "☑ Smoker")]);
    let found = Case::of(&model).run(&schema, &[form], &ScriptedPages::default()).unwrap();
    assert_eq!(found.record["smoker"], true);
    assert_eq!(found.evidence["/smoker"].support, Support::Normalised);
}
