//! The ink at the places that a model names.

use std::io::Cursor;

use document::Rect;
use forms_core::{Support, UnsupportedPolicy};
use image::{GrayImage, ImageFormat, Luma};
use serde_json::{Value, json};

use crate::common::{says, scripted};
use crate::pictures::{Case, Kind, ScriptedPages, paper, total};

/// A page of 500 by 1,000 pixels with a scribble in the box from (100, 500) to (300, 550), of 1,000.
fn page() -> Vec<u8> {
    let mut pixels = GrayImage::from_pixel(500, 1_000, Luma([250]));
    for x in 55..145_u32 {
        let y = 512 + (x * 7) % 26;
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            pixels.put_pixel(x + dx, y + dy, Luma([40]));
        }
    }
    // A line to write on, at another place.
    (55..145).for_each(|x| pixels.put_pixel(x, 745, Luma([60])));
    let mut png = Cursor::new(Vec::new());
    pixels.write_to(&mut png, ImageFormat::Png).unwrap();
    png.into_inner()
}

fn drawn() -> ScriptedPages {
    ScriptedPages { image: Some(page()), ..ScriptedPages::default() }
}

const INK: [i64; 4] = [100, 500, 300, 550];
const LINE: [i64; 4] = [100, 700, 300, 750];
const BLANK: [i64; 4] = [600, 200, 900, 260];

fn answer(field: &str, value: &Value, edges: [i64; 4]) -> String {
    let place = json!({"field": format!("/{field}"), "picture": 1, "box": edges});
    json!({field: value, "_places": [place]}).to_string()
}

#[test]
fn a_value_that_is_named_where_nothing_is_written_is_null_with_the_reason() {
    let document = [paper(&[(Kind::Unread, "")])];
    for (edges, is_there) in [(INK, true), (LINE, false), (BLANK, false)] {
        let model = scripted(vec![says(answer("total", &json!(77.25), edges))]);
        let found = Case::of(&model).run(&total(), &document, &drawn()).unwrap();
        assert_eq!(found.record["total"], if is_there { json!(77.25) } else { Value::Null }, "{edges:?}");
        assert_eq!(found.evidence.contains_key("/total"), is_there, "{edges:?}");
        let told: Vec<&str> = found.errors.iter().map(|error| error.message.as_str()).collect();
        let expected = ["there is no ink at the place that was named for 'total'"];
        assert_eq!(told, if is_there { &[][..] } else { &expected }, "{edges:?}");
    }
}

#[test]
fn the_model_is_asked_again_for_a_value_without_ink_where_the_policy_says_so() {
    let document = [paper(&[(Kind::Unread, "")])];
    let answers = [answer("total", &json!(77.25), BLANK), answer("total", &json!(77.25), INK)];
    let model = scripted(answers.into_iter().map(says).collect());
    let case = Case { unsupported: UnsupportedPolicy::Ask, ..Case::of(&model) };
    let found = case.run(&total(), &document, &drawn()).unwrap();
    assert_eq!(found.record["total"], 77.25);
    assert_eq!(found.evidence["/total"].support, Support::Pictured);
    let again = format!("{:?}", model.asked()[1].messages.last().unwrap());
    assert!(again.contains("there is no ink"), "{again}");
    // The correction sees the pictures, too.
    assert_eq!(model.asked().iter().map(crate::pictures::pictures).collect::<Vec<_>>(), [1, 1]);
}

#[test]
fn a_mark_holds_where_its_box_has_ink_and_its_absence_where_the_box_is_empty() {
    for format in ["signed", "stamped", "checked"] {
        let schema = json!({"mark": {"type": "boolean", "format": format}});
        let document = [paper(&[(Kind::Recognised, "Mark")])];
        for (value, edges, holds) in
            [(true, INK, true), (true, BLANK, false), (false, BLANK, true), (false, INK, false)]
        {
            let model = scripted(vec![says(answer("mark", &json!(value), edges))]);
            let found = Case::of(&model).run(&schema, &document, &drawn()).unwrap();
            let expected = if holds { json!(value) } else { Value::Null };
            assert_eq!(found.record["mark"], expected, "{format} {value} {edges:?}");
            assert_eq!(found.errors.len(), usize::from(!holds), "{format} {value} {edges:?}");
        }
    }
}

#[test]
fn print_of_the_page_is_no_ink() {
    // The text layer has the words that the picture shows at the place.
    let mut document = paper(&[(Kind::Printed, "Signature of the tenant")]);
    let rect = Rect { x0: 8.0, y0: 100.0, x1: 32.0, y1: 112.0 };
    std::sync::Arc::make_mut(&mut document.document).spans[0].rect = rect;
    let schema = json!({"signature": {"type": "boolean", "format": "signed"}});
    let model = scripted(vec![says(answer("signature", &json!(true), [100, 480, 300, 600]))]);
    let found = Case::of(&model).run(&schema, &[document], &drawn()).unwrap();
    assert_eq!(found.record["signature"], Value::Null);
}

#[test]
fn a_picture_that_cannot_be_examined_refutes_nothing() {
    let document = [paper(&[(Kind::Unread, "")])];
    let bomb =
        ScriptedPages { image: Some(b"\x89PNG\r\n\x1a\nrubbish".to_vec()), ..ScriptedPages::default() };
    let model = scripted(vec![says(answer("total", &json!(77.25), BLANK))]);
    let found = Case::of(&model).run(&total(), &document, &bomb).unwrap();
    assert_eq!(found.record["total"], 77.25);
}
