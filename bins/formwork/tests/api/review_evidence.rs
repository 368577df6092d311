//! Quotes of corrections, the order of the queue, and reviewed groups as examples of their form, over HTTP.

use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::{Home, Server, invoice, invoice_schema};

const DECISIONS: &str = "/v1/reviews/decisions";

/// A server whose agent `inv` queues every value, a run over these texts, and the form.
async fn reviewed(home: &Home, texts: &[String]) -> (Server, Value, String) {
    let server = home.start();
    let form = server.agent("inv", invoice_schema()).await;
    server.put("/v1/agent/inv", json!({"review": {"threshold": 1.0}})).await.ok();
    let named: Vec<(String, &str)> =
        texts.iter().enumerate().map(|(n, text)| (format!("{n}.txt"), text.as_str())).collect();
    let named: Vec<(&str, &str)> = named.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    let files = server.files(&named).await;
    let groups: Vec<Vec<&Value>> = files.iter().map(|file| vec![&file["id"]]).collect();
    let groups: Vec<&[&Value]> = groups.iter().map(Vec::as_slice).collect();
    let sid = server.delta("inv", "", &groups).await["sid"].clone();
    (server, sid, form)
}

async fn queue(server: &Server, query: &str) -> Vec<Value> {
    let list = server.get(&format!("/v1/reviews?limit=100{query}")).await.ok();
    list["reviews"].as_array().unwrap().clone()
}

/// Decides everything that is queued of a group: accepts, and corrects the total to `total`.
async fn decide_group(server: &Server, group: u32, total: Value) {
    let open = queue(server, "&state=open").await;
    let own = open.iter().filter(|review| review["group"] == group);
    let decide = |review: &Value| match review["path"].as_str() {
        Some("/total") => json!({"review_id": review["id"], "action": "correct", "value": total}),
        _ => json!({"review_id": review["id"], "action": "accept"}),
    };
    let decisions: Vec<Value> = own.map(decide).collect();
    server.post(DECISIONS, json!({"decisions": decisions})).await.ok();
}

async fn quote_and_order(home: Home) {
    let texts = [format!("{}Amount due:\u{a0} 1.334,50 € net\n", invoice("A-1", "1,234.50"))];
    let (server, sid, _) = reviewed(&home, &texts).await;
    let total = queue(&server, "&field=/total").await.swap_remove(0);
    let correct = |evidence: Value| {
        let id = &total["id"];
        json!({"decisions": [{"review_id": id, "action": "correct", "value": "1334.5", "evidence": evidence}]})
    };
    for (evidence, place) in [
        (json!({"quote": "1.334,51 €"}), "/quote"),
        (json!({"quote": "  "}), "/quote"),
        (json!({"quote": "x".repeat(2_001)}), "/quote"),
        (json!({"quote": "1.334,50 €", "page": 9}), "/quote"),
        (json!({"quote": "1.334,50 €", "page": 0}), "/quote"),
        (json!({"quote": "1.334,50 €", "document": "other.txt"}), "/document"),
        (json!({"quote": 5}), "/quote"),
        (json!({}), ""),
    ] {
        let place = format!("/decisions/0/evidence{place}");
        server.post(DECISIONS, correct(evidence)).await.fails_at(400, "validation_failed", &place);
    }
    let accept = json!({"review_id": total["id"], "action": "accept", "evidence": {"quote": "Total"}});
    server.post(DECISIONS, json!({"decisions": [accept]})).await.fails_at(
        400,
        "validation_failed",
        "/decisions/0/evidence",
    );
    assert_eq!(queue(&server, "&field=/total").await[0], total, "nothing was decided");
    // Case and spaces do not matter, and the place is that of the text.
    let quote = json!({"quote": "amount due: 1.334,50 €", "document": "0.txt"});
    let decided = server.post(DECISIONS, correct(quote)).await.ok();
    let evidence = decided["reviews"][0]["history"][0]["evidence"].clone();
    let text = server.get("/v1/agent/inv/workflow/delta?context=true").await.ok()[0]["context"].clone();
    let (start, end) = (evidence["start"].as_u64().unwrap(), evidence["end"].as_u64().unwrap());
    let printed: String =
        text.as_str().unwrap().chars().skip(start as usize).take((end - start) as usize).collect();
    assert_eq!(evidence["quote"], printed);
    assert!(printed.starts_with("Amount due:") && printed.ends_with("1.334,50 €"), "{printed}");
    assert_eq!((&evidence["support"], &evidence["document"]), (&json!("normalised"), &json!("0.txt")));
    // It stays, and is the evidence of the stored value.
    let server = {
        drop(server);
        home.start()
    };
    let stored = server.get("/v1/agent/inv/workflow/delta?evidence=true&reviews=true").await.ok();
    assert_eq!((&stored[0]["total"], &stored[0]["evidence"]["/total"]), (&json!(1334.5), &evidence));
    assert_eq!(stored[0]["reviews"]["/total"]["history"][0]["evidence"], evidence);
    // The least certain value comes first, and pages follow each other.
    let confidence = |review: &Value| review["confidence"].as_f64().unwrap_or(0.0);
    let all = queue(&server, &format!("&sid={sid}&order=confidence")).await;
    assert!(all.len() > 1 && all.iter().is_sorted_by(|a, b| confidence(a) <= confidence(b)), "{all:?}");
    let first = server.get("/v1/reviews?order=confidence&limit=1").await.ok();
    let cursor = first["meta"]["next_cursor"].as_str().unwrap();
    let rest = queue(&server, &format!("&order=confidence&cursor={cursor}")).await;
    assert_eq!((&first["reviews"][0], rest.as_slice()), (&all[0], &all[1..]));
    let other = server.get(&format!("/v1/reviews?cursor={cursor}")).await;
    other.fails_at(400, "validation_failed", "?cursor");
    server.get("/v1/reviews?order=age").await.fails_at(400, "validation_failed", "?order");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_quote_of_a_correction_is_found_in_the_document_or_refused() {
    quote_and_order(Home::new("")).await;
    if let Some(home) = Home::on_postgres() {
        quote_and_order(home).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reviewed_group_becomes_an_example_in_a_draft_when_it_is_asked_for() {
    let long = format!("{}{}", invoice("A-2", "7.00"), "Consignment of rope and tar. ".repeat(1_000));
    let texts = [invoice("A-1", "5.00"), long];
    let (server, sid, form) = reviewed(&Home::new(""), &texts).await;
    let path = format!("/v1/form/{form}");
    let before = server.get(&path).await.ok();
    let add = async |body: Value| server.post(&format!("{path}/examples"), body).await;
    let group = |index: u32| json!({"namespace": "inv", "sid": sid, "group": index});
    add(group(0)).await.fails_at(400, "validation_failed", "/group");
    decide_group(&server, 0, json!(6)).await;
    decide_group(&server, 1, json!(8)).await;
    assert_eq!(server.get(&path).await.ok(), before, "a decision alone teaches nothing");
    let told = add(group(1)).await.fails_at(400, "validation_failed", "/group");
    assert!(told["message"].as_str().unwrap().contains("at most 20000"), "{told}");
    for (body, place) in [
        (group(2), "/group"),
        (json!({"namespace": "inv", "sid": sid, "group": -1}), "/group"),
        (json!({"namespace": "inv", "sid": sid}), ""),
    ] {
        add(body).await.fails_at(400, "validation_failed", place);
    }
    add(json!({"namespace": "none", "sid": sid, "group": 0})).await.fails(404, "agent_not_found");
    add(json!({"namespace": "inv", "sid": 999, "group": 0})).await.fails(404, "run_not_found");
    let other = server.form(invoice_schema()).await;
    let elsewhere = server.post(&format!("/v1/form/{other}/examples"), group(0)).await;
    elsewhere.fails_at(400, "validation_failed", "/sid");
    server.post("/v1/form/none/examples", group(0)).await.fails(404, "form_not_found");
    assert_eq!(server.get(&path).await.ok(), before);

    let call = || server.request(Method::POST, &format!("{path}/examples")).header("idempotency-key", "once");
    let added = call().json(&group(0)).send().await.ok();
    assert_eq!((&added["version"], &added["draft_version"]), (&json!(1), &json!(2)));
    assert!(added.get("examples").is_none(), "the version in force has none: {added}");
    assert_eq!(call().json(&group(0)).send().await.ok(), added);
    call().json(&group(1)).send().await.fails(409, "idempotency_key_reused");
    let draft = server.get(&format!("{path}/versions/2")).await.ok();
    let example = &draft["examples"][0];
    assert_eq!(example["record"], json!({"invoice_number": "A-1", "total": 6}));
    assert!(example["text"].as_str().unwrap().contains("Invoice No: A-1"), "{example}");
    assert_eq!(add(group(0)).await.ok()["draft_version"], 2, "the draft has it");
    let published = server.post(&format!("{path}/versions/2/publish"), json!({})).await.ok();
    assert_eq!(published["examples"][0]["record"]["total"], 6);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_line_lists_and_decides_reviews() {
    let (server, ..) = reviewed(&Home::new(""), &[invoice("A-1", "5.00")]).await;
    let told = |arguments: &[&str]| {
        let of_server = ["--url", server.url.as_str(), "--key", server.key.as_str()];
        server.home.told(&[&["reviews"], arguments, &of_server].concat())
    };
    let listed = told(&["list", "--agent", "inv"]);
    let line = listed.lines().find(|line| line.contains("/total")).unwrap();
    let id = line.split("  ").next().unwrap();
    let quote = ["--quote", "total: 5.00 eur", "--note", "read again"];
    let decided = told(&[&["decide", id, "correct", "5,00"][..], &quote].concat());
    assert!(decided.contains("corrected"), "{decided}");
    let review = server.get(&format!("/v1/reviews/{id}")).await.ok();
    assert_eq!(review["history"][0]["evidence"]["quote"], "Total: 5.00 EUR");
    assert!(!told(&["list"]).contains("/total"), "what is decided is not listed");
}
