//! Batch extraction: what goes in, and what is answered at once.

use serde_json::{Value, json};
use testkit::vendor::{Behaviour, Vendor, delivery_note};

use crate::generate::kit::booked;
use crate::kit::{Server, invoice, invoice_schema};

const PATH: &str = "/v1/agent/inv/workflow/delta";

/// Checks every evidence entry of a record against the text it points into; answers how many there are.
pub(crate) fn check_evidence(record: &Value, evidence: &Value, texts: &[(&str, &str)]) -> usize {
    let entries = evidence.as_object().unwrap();
    for (pointer, entry) in entries {
        assert!(!record.pointer(pointer).unwrap().is_null(), "{pointer}: {record}");
        assert!(["exact", "normalised", "fuzzy"].contains(&entry["support"].as_str().unwrap()), "{entry}");
        let document = entry["document"].as_str().unwrap();
        let (_, text) = texts.iter().find(|(name, _)| *name == document).unwrap();
        let at = |end: &str| usize::try_from(entry[end].as_u64().unwrap()).unwrap();
        let quoted: String = text.chars().skip(at("start")).take(at("end") - at("start")).collect();
        assert_eq!(entry["quote"], quoted, "{pointer}");
        let confidence = entry["confidence"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&confidence), "{confidence}");
    }
    entries.len()
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_go_in_and_checked_records_come_out_in_the_order_of_the_groups() {
    main_job(&Server::start()).await;
}

/// The main job on a fresh server.
pub(crate) async fn main_job(server: &Server) {
    server.agent("inv", invoice_schema()).await;
    let files = server
        .files(&[
            ("../../a.txt", &invoice("A-1", "1,234.50")),
            ("b.html", "<p>Rechnungsnummer: 77-1</p><p>Gesamtbetrag: 99,90</p>"),
            ("c.txt", "A letter about nothing.\n"),
        ])
        .await;
    let (web, none) = (json!("https://example.com/x.pdf"), json!("999"));
    let as_text = json!(files[2]["id"].to_string());
    let groups: [&[&Value]; 5] = [&[&files[0]["url"]], &[&web], &[&files[1]["id"]], &[&as_text], &[&none]];
    let answer = server.delta("inv", "", &groups).await;
    assert!(answer["sid"].is_u64());
    let expected = json!([
        {"invoice_number": "A-1", "due_date": null, "total": 1234.5},
        {"invoice_number": "77-1", "due_date": null, "total": 99.9},
        {"invoice_number": null, "due_date": null, "total": null}
    ]);
    assert_eq!(
        answer["results"].to_string(),
        json!([
            {"invoice_number": "A-1", "due_date": null, "total": 1234.5},
            {"invoice_number": "77-1", "due_date": null, "total": 99.9},
            {"invoice_number": null, "due_date": null, "total": null}
        ])
        .to_string(),
        "fields stand in the form's order"
    );
    assert_eq!(answer["results"], expected);
    let meta = &answer["meta"];
    assert_eq!((&meta["total"], &meta["successful"], &meta["failed"]), (&json!(5), &json!(3), &json!(2)));
    assert!(meta["duration"].as_f64().unwrap() >= 0.0 && meta["usage"].is_object());
    // A required field that the document does not say is null and told, and the group succeeds.
    assert_eq!(answer["errors"][2][0]["path"], "/total");
    assert!(answer.get("evidence").is_none() && answer.get("conflicts").is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn evidence_names_its_document_also_where_two_have_the_same_name() {
    let server = Server::start();
    server.agent("inv", invoice_schema()).await;
    let texts = [("scan.txt", "Invoice No: A-1\n"), ("scan.txt", "Total: 12.50 EUR\n")];
    let files = server.files(&texts).await;
    let answer = server.delta("inv", "?evidence=true", &[&[&files[0]["id"], &files[1]["url"]]]).await;
    let evidence = &answer["evidence"][0];
    for (pointer, file, index) in
        [("/invoice_number", json!(files[0]["id"].to_string()), 0), ("/total", files[1]["url"].clone(), 1)]
    {
        let told = &evidence[pointer];
        assert_eq!(told["document"], "scan.txt", "{answer}");
        assert_eq!((&told["file"], &told["index"]), (&file, &json!(index)), "{answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_tells_what_its_calls_cost_and_the_report_of_usage_has_the_same() {
    let vendor = Vendor::start(Behaviour::default()).unwrap();
    let server = Server::with(&format!(
        "[models]\ndefault = \"bench@openai\"\nretries = 0\n\
         [models.openai]\nkey = \"none\"\nbase_url = \"{}/v1\"\n\
         [models.prices.\"bench@openai\"]\ninput = 3.0\noutput = 15.0\n",
        vendor.url()
    ));
    server.agent("notes", delivery_note::schema()).await;
    let files = server.files(&[("a.txt", &delivery_note::text(1)), ("b.txt", &delivery_note::text(2))]).await;
    let groups: [&[&Value]; 2] = [&[&files[0]["id"]], &[&files[1]["id"]]];
    let answer = server.delta("notes", "", &groups).await;
    let charged = vendor.ledger().total();
    let cost = (3 * charged.input_tokens + 15 * charged.output_tokens) as f64 / 1e6;
    let usage = &answer["meta"]["usage"];
    assert_eq!(usage["inputTokens"], charged.input_tokens, "{answer}");
    let is_cost = |told: &Value| cost > 0.0 && (told.as_f64().unwrap() - cost).abs() < 1e-9;
    assert!(is_cost(&usage["cost"]), "{cost}: {answer}");
    let report = booked(&server, vendor.calls()).await;
    assert!(is_cost(&report["total"]["cost"]), "{cost}: {report}");
    // The built-in model costs nothing.
    let free = Server::start();
    free.agent("inv", invoice_schema()).await;
    let file = free.files(&[("a.txt", &invoice("A-1", "5.00"))]).await.remove(0);
    let answer = free.delta("inv", "", &[&[&file["id"]]]).await;
    assert_eq!(answer["meta"]["usage"]["cost"], 0.0, "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn both_forms_of_the_body_give_the_same() {
    let server = Server::start();
    server.agent("inv", invoice_schema()).await;
    let file = server.files(&[("a.txt", &invoice("A-1", "5.00"))]).await.remove(0);
    let groups =
        json!([[{"description": "the only one", "url": file["url"]}], [{"url": file["id"], "more": 1}]]);
    let bare = server.post(PATH, groups.clone()).await.ok();
    let wrapped = server.post(PATH, json!({"files": groups, "unknown": 1})).await.ok();
    assert_eq!(bare["results"], wrapped["results"]);
    assert_eq!(bare["results"].as_array().unwrap().len(), 2);
    assert!(wrapped["sid"].as_u64() > bare["sid"].as_u64());
    // Null stands for an absent description.
    server.post(PATH, json!([[{"description": null, "url": file["id"]}]])).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_that_are_no_groups_are_refused_with_their_place_and_start_no_run() {
    let server = Server::start();
    server.agent("inv", invoice_schema()).await;
    let long = "x".repeat(10_000);
    for (body, place) in [
        (json!([]), ""),
        (json!({"files": []}), ""),
        (json!({}), ""),
        (json!({"file": []}), ""),
        (json!(null), ""),
        (json!("x"), ""),
        (json!(1), ""),
        (json!([[]]), "/0"),
        (json!([[{"url": "1"}], []]), "/1"),
        (json!({"files": [[{"url": "1"}], []]}), "/files/1"),
        (json!({"files": [[{"url": ""}]]}), "/files/0/0/url"),
        (json!({"files": {}}), "/files"),
        (json!({"files": null}), "/files"),
        (json!([{"url": "1"}]), "/0"),
        (json!(["1"]), "/0"),
        (json!([null]), "/0"),
        (json!([["1"]]), "/0/0"),
        (json!([[["", "1"]]]), "/0/0"),
        (json!([[{"description": "x"}]]), "/0/0"),
        (json!([[{"url": null}]]), "/0/0/url"),
        (json!([[{"url": " "}]]), "/0/0/url"),
        (json!([[{"url": -1}]]), "/0/0/url"),
        (json!([[{"url": 1.5}]]), "/0/0/url"),
        (json!([[{"url": ["1"]}]]), "/0/0/url"),
        (json!([[{"url": "1", "description": 5}]]), "/0/0/description"),
        (json!([[{"url": long}]]), "/0/0/url"),
        (json!([[{"url": "1"}, {"url": "1", "description": long + "y"}]]), "/0/1/description"),
    ] {
        let answer = server.post(PATH, body.clone()).await;
        let told = answer.fails(400, "validation_failed");
        let found = told["errors"][0]["path"].as_str().unwrap();
        assert!(
            found == place || (body.is_object() && place.is_empty() && found == "/files"),
            "{body:.200}: {told}"
        );
    }
    assert_eq!(server.get(PATH).await.header("x-total-count"), "0");
}

#[tokio::test(flavor = "multi_thread")]
async fn more_groups_or_documents_than_the_settings_allow_are_refused() {
    let server = Server::with("limits.groups_per_run = 2\nlimits.documents_per_group = 2");
    server.agent("inv", invoice_schema()).await;
    let document = json!({"url": "1"});
    let answer = server.post(PATH, json!([[document], [document], [document]])).await;
    assert!(answer.fails_at(400, "validation_failed", "")["message"].as_str().unwrap().contains("1 to 2"));
    server.post(PATH, json!([[document], [document, document, document]])).await.fails_at(
        400,
        "validation_failed",
        "/1",
    );
    server.post(PATH, json!([[document], [document, document]])).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_without_a_form_or_one_that_does_not_exist_is_told_apart() {
    let server = Server::start();
    server.post("/v1/agent", json!({"namespace": "bare"})).await.ok();
    let path = "/v1/agent/bare/workflow/delta";
    server.post(path, json!([[{"url": "1"}]])).await.fails(400, "agent_without_form");
    server.get(path).await.fails(400, "agent_without_form");
    let path = "/v1/agent/none/workflow/delta";
    server.post(path, json!([[{"url": "1"}]])).await.fails(404, "agent_not_found");
    server.get(path).await.fails(404, "agent_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_value_points_to_its_place_in_its_document() {
    let server = Server::start();
    server.agent("inv", invoice_schema()).await;
    let text = "Überschrift 😀\n\nInvoice No: ÄÖ-77\nTotal: 1,234.50 EUR\n";
    let second = "Due date: 2026-03-04\nTotal: 99.00 EUR\n";
    let files = server.files(&[("a.txt", text), ("b.txt", second)]).await;
    let (a, b) = (&files[0]["id"], &files[1]["id"]);
    let answer = server.delta("inv", "?evidence=true", &[&[a], &[a, b]]).await;
    let texts = [("a.txt", text), ("b.txt", second)];
    let results = answer["results"].as_array().unwrap();
    let found: Vec<usize> = results
        .iter()
        .zip(answer["evidence"].as_array().unwrap())
        .map(|(record, evidence)| {
            let filled = record.as_object().unwrap().values().filter(|value| !value.is_null()).count();
            assert_eq!(check_evidence(record, evidence, &texts), filled, "{record} {evidence}");
            filled
        })
        .collect();
    assert_eq!(found, [2, 3], "{answer}");
    assert_eq!(answer["evidence"].as_array().unwrap().len(), answer["conflicts"].as_array().unwrap().len());
    // The second group's papers disagree about the total.
    assert_eq!(answer["conflicts"][0], json!([]));
    let conflict = &answer["conflicts"][1][0];
    assert_eq!(conflict["path"], "/total");
    let values: Vec<&Value> =
        conflict["values"].as_array().unwrap().iter().map(|side| &side["value"]).collect();
    assert_eq!(values.len(), 2);
    assert_eq!(*values[0], results[1]["total"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn flags_are_true_or_false_and_nothing_else() {
    let server = Server::start();
    server.agent("inv", invoice_schema()).await;
    let file = server.files(&[("a.txt", &invoice("A-1", "5.00"))]).await.remove(0);
    let groups = json!([[{"url": file["id"]}]]);
    for flag in ["true", "TRUE", "1"] {
        let answer = server.post(&format!("{PATH}?evidence={flag}"), groups.clone()).await.ok();
        assert!(answer["evidence"].is_array());
    }
    for flag in ["false", "0"] {
        let answer = server.post(&format!("{PATH}?evidence={flag}"), groups.clone()).await.ok();
        assert!(answer.get("evidence").is_none());
    }
    for name in ["evidence", "partial"] {
        for flag in ["yes", "", "%00", "2"] {
            let answer = server.post(&format!("{PATH}?{name}={flag}"), groups.clone()).await;
            answer.fails_at(400, "validation_failed", &format!("?{name}"));
        }
    }
}
