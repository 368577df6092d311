//! Pictures of pages in runs, before scripted vendors.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use documents_core::Raster;
use serde_json::{Value, json};
use testkit::upstream::{ReceivedRequest, Reply, Upstream};

use crate::generate::kit::{completion, refused, said, settings};
use crate::kit::{Parts, Server, invoice_schema, page_and_scan};

/// A scan with handwriting where [`record`] names it.
pub(crate) fn scan(width: u32) -> Vec<u8> {
    let mut rgba = vec![255; width as usize * 100 * 4];
    for (x, top) in (30..120_usize).flat_map(|x| [(x, 11), (x, 31)]) {
        let y = top + (x % 12).abs_diff(6);
        for (x, y) in [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)] {
            rgba[(y * width as usize + x) * 4..][..3].fill(20);
        }
    }
    Raster { width, height: 100, rgba }.to_png(false).unwrap()
}

/// A server without OCR before a vendor.
fn before(vendor: &Upstream, more: &str) -> Server {
    Server::with(&format!("{}[ocr]\nprogram = \"off\"\n{more}", settings(&vendor.url(), "")))
}

async fn upload(server: &Server, name: &str, content: &[u8]) -> Value {
    server.agent("inv", invoice_schema()).await;
    server.upload(Parts::new().file(name, content)).await.ok()[0]["id"].clone()
}

/// What a model saw in a picture.
pub(crate) fn record() -> String {
    let place =
        |field: &str, top: u32| json!({"field": field, "picture": 1, "box": [100, top, 400, top + 90]});
    json!({
        "invoice_number": "S-9", "total": 77.25, "due_date": null,
        "_places": [place("/invoice_number", 100), place("/total", 300)]
    })
    .to_string()
}

/// The record in the words of the vendor that is asked.
fn in_own_words(request: &ReceivedRequest) -> Reply {
    let body = if request.path.ends_with("/messages") {
        json!({
            "type": "message", "role": "assistant", "content": [{"type": "text", "text": record()}],
            "stop_reason": "end_turn", "usage": {"input_tokens": 11, "output_tokens": 7}
        })
    } else if request.path.contains(":generateContent") {
        let content = json!({"role": "model", "parts": [{"text": record()}]});
        json!({
            "candidates": [{"content": content, "finishReason": "STOP"}],
            "usageMetadata": {"promptTokenCount": 11, "candidatesTokenCount": 7}
        })
    } else {
        completion(&record())
    };
    Reply::json(200, &body)
}

/// The texts in a body that are a PNG in base64, with or without the beginning of a data URL.
fn pictures(body: &Value) -> usize {
    let text = match body {
        Value::String(text) => text.strip_prefix("data:image/png;base64,").unwrap_or(text),
        Value::Array(items) => return items.iter().map(pictures).sum(),
        Value::Object(members) => return members.values().map(pictures).sum(),
        _ => return 0,
    };
    let decoded = BASE64_STANDARD.decode(text).unwrap_or_default();
    usize::from(decoded.starts_with(b"\x89PNG\r\n\x1a\n"))
}

pub(crate) fn calls(vendor: &Upstream) -> Vec<usize> {
    let asked = vendor.requests().into_iter().filter(|request| request.method == "POST");
    asked.map(|request| pictures(&request.json())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scan_reaches_every_vendor_as_a_picture() {
    let vendor = Upstream::start(in_own_words).unwrap();
    let server = before(&vendor, "");
    let file = upload(&server, "scan.png", &scan(300)).await;
    let models = [
        "gpt-4o@openai",
        "claude-haiku-4-5@anthropic",
        "gemini-2.5-flash@google",
        "mistral-large-2512@mistral",
        "lab/m@formwork",
    ];
    for (index, model) in models.iter().enumerate() {
        let answer = server.delta("inv", &format!("?evidence=true&modelId={model}"), &[&[&file]]).await;
        assert_eq!(
            answer["results"][0],
            json!({"invoice_number": "S-9", "due_date": null, "total": 77.25}),
            "{model}: {answer}"
        );
        let evidence = &answer["evidence"][0]["/total"];
        assert_eq!(
            (&evidence["support"], &evidence["page"], &evidence["accepted"], &evidence["document"]),
            (&json!("pictured"), &json!(1), &json!(false), &json!("scan.png")),
            "{model}: {answer}"
        );
        // A picture has a point for each pixel, here 300 by 100.
        let place = json!({"x0": 30.0, "y0": 30.0, "x1": 120.0, "y1": 39.0});
        assert_eq!(evidence["box"], place, "{model}: {answer}");
        assert_eq!(answer["warnings"], json!([]), "{model}: {answer}");
        assert_eq!(calls(&vendor), vec![1; index + 1], "{model}");
    }
    // The same work is not paid for again.
    let again = server.delta("inv", "?modelId=gpt-4o@openai", &[&[&file]]).await;
    assert_eq!(again["results"][0]["total"], 77.25, "{again}");
    assert_eq!(calls(&vendor).len(), models.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_vendor_that_refuses_pictures_is_asked_again_without_them() {
    let refusal = || refused(400, "invalid_request_error", "this model has no image input");
    let text = json!({"invoice_number": "A-77", "total": 12.5, "due_date": null}).to_string();
    let vendor = Upstream::start_replies([refusal(), said(&text), refusal()]).unwrap();
    let server = before(&vendor, "");
    let file = upload(&server, "invoice.pdf", &page_and_scan()).await;
    let answer = server.delta("inv", "?modelId=gpt-4o@openai", &[&[&file]]).await;
    assert_eq!(answer["results"][0]["invoice_number"], "A-77", "{answer}");
    assert_eq!(calls(&vendor), [1, 0]);
    let told = |index: usize, key: &str| answer["warnings"][index][key].clone();
    assert_eq!((told(0, "code"), told(0, "pages")), (json!("pages_not_read"), json!([2])), "{answer}");
    assert_eq!((told(1, "code"), told(1, "pages")), (json!("pages_not_seen"), json!([2])), "{answer}");
    assert_eq!((told(1, "reason"), told(1, "group")), (json!("model"), json!(0)), "{answer}");
    let stored = server.get("/v1/agent/inv/workflow/delta?meta=true").await.ok();
    assert_eq!(stored[0]["meta"]["warnings"][1]["code"], "pages_not_seen", "{stored}");
    // Of a scan alone nothing is left without its picture.
    let scan = server.upload(Parts::new().file("scan.png", &scan(310))).await.ok()[0]["id"].clone();
    let answer = server.delta("inv", "?modelId=gpt-4o@openai", &[&[&scan]]).await;
    assert_eq!(answer["failed"][0]["error"]["code"], "document_needs_ocr", "{answer}");
    assert_eq!(calls(&vendor), [1, 0, 1]);
    let answer = server.delta("inv", "?partial=true&modelId=gpt-4o@openai", &[&[&scan]]).await;
    assert_eq!(answer["failed"][0]["error"]["code"], "document_needs_ocr", "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_was_seen_is_not_warned_of() {
    let vendor = Upstream::start_replies([said(&record())]).unwrap();
    let server = before(&vendor, "");
    let file = upload(&server, "invoice.pdf", &page_and_scan()).await;
    let answer = server.delta("inv", "?evidence=true&modelId=gpt-4o@openai", &[&[&file]]).await;
    assert_eq!(answer["warnings"], json!([]), "{answer}");
    let evidence = &answer["evidence"][0]["/total"];
    assert_eq!(evidence["box"], json!({"x0": 40.0, "y0": 120.0, "x1": 160.0, "y1": 156.0}), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_pictures_a_scan_is_refused_before_any_call() {
    let vendor = Upstream::start_replies([said(&record())]).unwrap();
    for (more, model) in [
        ("[extraction]\npictures = \"never\"\n", "gpt-4o@openai"),
        ("", "extractive@formwork"),
        ("", "codestral-latest@mistral"),
    ] {
        let server = before(&vendor, more);
        let file = upload(&server, "scan.png", &scan(300)).await;
        let answer = server.delta("inv", &format!("?modelId={model}"), &[&[&file]]).await;
        assert_eq!(answer["failed"][0]["error"]["code"], "document_needs_ocr", "{model}: {answer}");
    }
    assert_eq!(calls(&vendor), [0; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scan_in_a_chat_is_seen_by_the_agents_model_and_refused_where_it_sees_nothing() {
    let vendor = Upstream::start_replies([
        said(&record()),
        refused(400, "invalid_request_error", "this model has no image input"),
        said(&json!({"invoice_number": null, "total": null, "due_date": null}).to_string()),
    ])
    .unwrap();
    let models = "default = \"gpt-4o@openai\"";
    let server = Server::with(&format!("{}[ocr]\nprogram = \"off\"\n", settings(&vendor.url(), models)));
    let file = upload(&server, "scan.png", &scan(300)).await;
    let body = json!({"message": "Here it is.", "urls": [file], "response_format": "json"});
    let answer = server.post("/v1/agent/inv/chat", body.clone()).await.ok();
    assert_eq!(answer["record"]["total"], 77.25, "{answer}");
    assert_eq!(calls(&vendor), [1]);
    server.post("/v1/agent/inv/chat", body).await.fails(422, "document_needs_ocr");
    assert_eq!(calls(&vendor), [1, 1, 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_vendor_that_refuses_pictures_is_asked_with_them_once_in_a_run() {
    let text = json!({"invoice_number": "A-77", "total": 12.5, "due_date": null}).to_string();
    let vendor = Upstream::start(move |request| match pictures(&request.json()) {
        0 => said(&text),
        _ => refused(400, "invalid_request_error", "this model has no image input"),
    });
    let vendor = vendor.unwrap();
    let server = before(&vendor, "[limits]\nrun_concurrency = 1\n");
    let mut files = Vec::new();
    for name in ["1.pdf", "2.pdf", "3.pdf"] {
        let mut page = page_and_scan();
        page.extend(name.as_bytes());
        files.push(server.upload(Parts::new().file(name, &page)).await.ok()[0]["id"].clone());
    }
    server.agent("inv", invoice_schema()).await;
    let groups: Vec<[&Value; 1]> = files.iter().map(|file| [file]).collect();
    let groups: Vec<&[&Value]> = groups.iter().map(<[&Value; 1]>::as_slice).collect();
    let answer = server.delta("inv", "?modelId=gpt-4o@openai", &groups).await;
    assert_eq!(answer["results"].as_array().unwrap().len(), 3, "{answer}");
    assert_eq!(calls(&vendor), [1, 0, 0, 0]);
    // A later run asks again.
    server.delta("inv", "?modelId=gpt-4o@openai&fresh=true", &groups[..1]).await;
    assert_eq!(calls(&vendor), [1, 0, 0, 0, 1, 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_value_without_ink_is_null_and_a_review_says_why() {
    let vendor = Upstream::start(|_| said(&record())).unwrap();
    let server = before(&vendor, "");
    let file = upload(&server, "blank.png", &crate::ocr::picture(300)).await;
    let answer = server.delta("inv", "?evidence=true&modelId=gpt-4o@openai", &[&[&file]]).await;
    assert_eq!(answer["results"][0]["total"], Value::Null, "{answer}");
    let told = answer["errors"].to_string();
    assert!(told.contains("there is no ink at the place that was named for 'total'"), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_estimate_counts_the_pictures_of_a_scan() {
    let vendor = Upstream::start_replies([said(&record())]).unwrap();
    let server = before(&vendor, "");
    let file = upload(&server, "scan.png", &scan(300)).await;
    let path = "/v1/agent/inv/workflow/delta/estimate";
    let estimate =
        async |query: &str| server.post(&format!("{path}{query}"), json!([[{"url": file}]])).await.ok();
    let found = estimate("?modelId=gpt-4o@openai").await;
    let (input, seen) = (found["input_tokens"].as_u64().unwrap(), found["picture_tokens"].as_u64().unwrap());
    assert_eq!(found["pictures"], 1, "{found}");
    assert!(seen > 100 && input > seen, "{found}");
    assert!(found["cost"].as_f64().unwrap() > 0.0, "{found}");
    let blind = estimate("?modelId=extractive@formwork").await;
    assert_eq!((&blind["pictures"], &blind["picture_tokens"]), (&json!(0), &json!(0)), "{blind}");
    assert_eq!(calls(&vendor), [0; 0]);
}
