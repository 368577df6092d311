//! Agents with several forms: documents are divided and classified, and each part fills the form of its class.

use serde_json::{Value, json};
use testkit::upstream::Upstream;

use crate::delta::check_evidence;
use crate::generate::kit::{playing, said, settings};
use crate::kit::{Parts, Server, invoice_schema, pages_pdf};

const PATH: &str = "/v1/agent/mail/workflow/delta";

/// An invoice of two pages, an empty sheet, a resume, and a page that is neither.
const MAIL: [&[&str]; 5] = [
    &[
        "Harbour Ltd",
        "Invoice",
        "Page 1 of 2",
        "Invoice number: A-1",
        "Date: 2 May 2024",
        "Due date: 1 June 2024",
    ],
    &["Page 2 of 2", "Total: 12.50 EUR", "Thank you for your order."],
    &[],
    &[
        "Curriculum vitae",
        "Page 1 of 1",
        "Name: Ada Marsh",
        "Email: ada@example.com",
        "Phone: 555 0100",
        "Skills: sailing",
    ],
    &[
        "Menu of the week",
        "Page 1 of 1",
        "Monday: fish and chips",
        "Tuesday: soup of the day",
        "Friday: open end",
    ],
];

async fn template(server: &Server, id: &str) -> String {
    let template = server.get(&format!("/v1/templates/{id}")).await.ok();
    let form = json!({"title": template["title"], "schema": template["schema"]});
    server.post("/v1/form", form).await.ok()["form_id"].as_str().unwrap().to_owned()
}

/// The ids of the forms invoice and resume, which the agent `mail` has, and the id of the file.
async fn mail(server: &Server, model: Option<&str>) -> (String, String, Value) {
    let invoice = json!({"title": "Invoice", "schema": invoice_schema()});
    let invoice = server.post("/v1/form", invoice).await.ok()["form_id"].as_str().unwrap().to_owned();
    let resume = template(server, "resume").await;
    let forms = json!([{"form_id": invoice}, {"form_id": resume, "form_version": 1}]);
    let agent =
        server.post("/v1/agent", json!({"namespace": "mail", "forms": forms, "modelId": model})).await.ok();
    assert_eq!(
        agent["forms"],
        json!([{"form_id": invoice, "form_version": null}, {"form_id": resume, "form_version": 1}])
    );
    let file = server.upload(Parts::new().file("mail.pdf", &pages_pdf(&MAIL))).await.ok();
    (invoice, resume, file[0]["id"].clone())
}

fn each<'a>(answer: &'a Value, list: &str, key: &str) -> Vec<&'a Value> {
    answer[list].as_array().unwrap().iter().map(|one| &one[key]).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_part_fills_the_form_of_its_class_and_what_fits_none_is_told() {
    let server = Server::start();
    let (invoice, resume, file) = mail(&server, None).await;
    let answer = server.post(&format!("{PATH}?evidence=true"), json!([[{"url": file}]])).await.ok();
    assert_eq!(answer["meta"]["total"], 2, "{answer}");
    let results = &answer["results"];
    assert_eq!(
        (&results[0]["invoice_number"], &results[0]["total"]),
        (&json!("A-1"), &json!(12.5)),
        "{answer}"
    );
    assert_eq!(results[1]["email"], "ada@example.com", "{answer}");
    assert_eq!(results[1].get("invoice_number"), None);
    assert_eq!(each(&answer, "sources", "form_id"), [&json!(invoice), &json!(resume)], "{answer}");
    let pages: Vec<&Value> = (0..2).map(|place| &answer["sources"][place]["documents"][0]["pages"]).collect();
    assert_eq!(pages, ["1-2", "4"], "{answer}");
    let sid = answer["sid"].clone();
    let stored = server.get(&format!("{PATH}?context=true&sid={sid}")).await.ok();
    let text: Vec<char> = stored[0]["context"].as_str().unwrap().chars().collect();
    for (place, source) in answer["sources"].as_array().unwrap().iter().enumerate() {
        assert!(source["probability"].as_f64().unwrap() >= 0.5 && source["form_version"] == 1, "{source}");
        let quotes = source["evidence"].as_array().unwrap();
        assert!(!quotes.is_empty());
        for quote in quotes {
            let at = |key: &str| usize::try_from(quote[key].as_u64().unwrap()).unwrap();
            let printed: String = text[at("start")..at("end")].iter().collect();
            assert_eq!(quote["quote"], printed, "of the whole file: {source}");
        }
        let whole: String = text.iter().collect();
        let found = check_evidence(&results[place], &answer["evidence"][place], &[("mail.pdf", &whole)]);
        assert!(found > 0, "{answer}");
    }
    // What is left out, in the answer and in the run.
    let told: Vec<Value> = answer["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| json!([one["code"], one["pages"], one["request"]]))
        .collect();
    let place = json!({"group": 0, "index": 0});
    assert_eq!(
        told,
        [json!(["no_form_fits", "5", place]), json!(["pages_without_content", "3", place])],
        "{answer}"
    );
    assert!(answer["warnings"][0]["probability"].as_f64().unwrap() > 0.3, "{answer}");
    let run = server.get(&format!("{PATH}/runs/{sid}")).await.ok();
    assert_eq!(run["left_out_documents"], answer["warnings"]);
    assert_eq!(
        (&run["left_out"], each(&run, "forms", "form_id")),
        (&json!(2), vec![&json!(invoice), &json!(resume)])
    );
    let documents: Vec<&Value> =
        (0..2).map(|group| &run["groups"][group]["documents"][0]["form_id"]).collect();
    assert_eq!(documents, [&invoice, &resume]);
    // Lists and exports name the form.
    assert_eq!(each(&json!({"all": stored}), "all", "form_id"), [&json!(invoice), &json!(resume)]);
    let csv = server.get(&format!("{PATH}?format=csv")).await;
    let lines: Vec<String> = csv.text().lines().map(str::to_owned).collect();
    assert!(lines[0].contains("invoice_number") && lines[0].contains("email"), "{lines:?}");
    assert!(lines[0].ends_with(",form_id,form_version"), "{lines:?}");
    assert!(
        lines[1].ends_with(&format!(",{invoice},1")) && lines[2].ends_with(&format!(",{resume},1")),
        "{lines:?}"
    );
    assert_eq!(server.get(&format!("{PATH}?format=xlsx&evidence=true")).await.status, 200);
    // The same work is not done again.
    let again = server.post(PATH, json!([[{"url": file}]])).await.ok();
    assert_eq!(again["results"], answer["results"]);
    let reused = server.get(&format!("{PATH}?meta=true&sid={}", again["sid"])).await.ok();
    assert!(reused.as_array().unwrap().iter().all(|one| one["meta"]["reused_from"].is_string()), "{reused}");
    assert_eq!(each(&json!({"all": reused}), "all", "form_id"), [&json!(invoice), &json!(resume)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_threshold_whole_documents_and_an_estimate() {
    let server = Server::start();
    let (invoice, _, file) = mail(&server, None).await;
    let text = server
        .files(&[("a.txt", "Invoice\nInvoice No: C-3\nDue date: 2024-06-01\nTotal: 4 EUR\n")])
        .await
        .remove(0);
    let post = async |path: &str, groups: Value| server.post(&format!("{PATH}{path}"), groups).await;
    let groups = || json!([[{"url": file}], [{"url": "999"}]]);
    let found = post("?threshold=1", groups()).await.ok();
    let codes =
        ["form_uncertain", "form_uncertain", "no_form_fits", "pages_without_content"].map(|code| json!(code));
    assert_eq!(each(&found, "warnings", "code"), codes.iter().collect::<Vec<_>>(), "{found}");
    assert_eq!(found["warnings"][0]["form_id"], invoice);
    // A document that cannot be read is a group that fails.
    assert_eq!(
        (&found["meta"]["failed"], &found["failed"][0]["error"]["code"]),
        (&json!(1), &json!("file_not_found"))
    );
    // Without any group, nothing is stored, and each document is told.
    let runs = async || server.get(&format!("{PATH}/runs")).await.ok()["meta"]["total_items"].clone();
    let before = runs().await;
    let refused = post("?threshold=1", json!([[{"url": "999", "pages": "1"}, {"url": file}]])).await;
    assert_eq!(refused.ok()["meta"]["failed"], 1);
    let refused = post("?threshold=1", json!({"files": [[{"url": text["id"]}, {"url": file}]]})).await;
    let refused = refused.fails(400, "validation_failed");
    assert_eq!(
        (&refused["errors"][0]["path"], &refused["errors"][1]["path"]),
        (&json!("/files/0/0"), &json!("/files/0/1"))
    );
    assert_eq!(runs().await, before.as_u64().unwrap() + 1);
    // Whole documents and pages are classified, too.
    let whole =
        post("?target=document", json!([[{"url": text["id"]}, {"url": file, "pages": "1-2"}]])).await.ok();
    assert_eq!(each(&whole, "sources", "form_id"), [&json!(invoice), &json!(invoice)], "{whole}");
    let estimate = post("/estimate", groups()).await.ok();
    let counts = ["groups", "unreadable_groups", "left_out", "calls"].map(|key| estimate[key].as_u64());
    assert_eq!(counts[..3], [Some(3), Some(1), Some(2)], "{estimate}");
    for (options, place) in [
        ("?target=row", "?target"),
        ("?target=group&classify=true", "?target"),
        ("?threshold=1.5", "?threshold"),
        ("?threshold=0.5&classify=false", "?threshold"),
        ("?form_version=1", "?form_version"),
    ] {
        post(options, groups()).await.fails_at(400, "validation_failed", place);
    }
    let refused = post("?classify=false", groups()).await;
    let refused = refused.fails_at(400, "validation_failed", "?classify");
    assert!(refused["message"].as_str().unwrap().contains("several forms"), "{refused}");
    // An agent with one form can be asked to leave out what does not fit it.
    let one = json!({"namespace": "one", "form_id": invoice});
    server.post("/v1/agent", one).await.ok();
    let path = "/v1/agent/one/workflow/delta?classify=true";
    let found = server.post(path, json!([[{"url": file}]])).await.ok();
    assert_eq!(found["meta"]["total"], 1, "{found}");
    let plain = server.post("/v1/agent/one/workflow/delta", json!([[{"url": text["id"]}]])).await.ok();
    assert_eq!((plain.get("sources"), &plain["warnings"]), (None, &json!([])));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_is_asked_for_the_form_and_then_for_the_record() {
    let record = json!({"invoice_number": "X-9", "total": 1, "due_date": null}).to_string();
    let none = said(r#"{"form": "none", "quotes": []}"#);
    let (server, vendor) = playing([none, said(&record)]);
    let (invoice, _, _) = mail(&server, Some("m@openai")).await;
    let text = "Invoice\nInvoice number: X-9\nDue date: 2024-06-01\nTotal: 1.00 EUR\n";
    let file = server.files(&[("a.txt", text)]).await.remove(0);
    let estimate = server.post(&format!("{PATH}/estimate"), json!([[{"url": file["id"]}]])).await.ok();
    assert_eq!((&estimate["calls"], vendor.requests().len()), (&json!(2), 0), "{estimate}");
    let answer = server.post(PATH, json!([[{"url": file["id"]}]])).await.ok();
    assert_eq!(answer["results"][0]["invoice_number"], "X-9", "{answer}");
    assert_eq!((&answer["sources"][0]["form_id"], vendor.requests().len()), (&json!(invoice), 2));
    assert!(vendor.requests()[0].json().to_string().contains(&invoice), "the forms are named");
}

/// What the questions about forms cost is part of the usage of the run, and ends with its budget.
#[tokio::test(flavor = "multi_thread")]
async fn questions_about_forms_are_paid_by_the_run_and_within_its_budget() {
    let record = json!({"invoice_number": "X-9", "total": 1, "due_date": null}).to_string();
    let none = || said(r#"{"form": "none", "quotes": []}"#);
    let vendor = Upstream::start_replies([none(), said(&record), none()]).unwrap();
    let price = "[models.prices.\"m@openai\"]\ninput = 100.0\noutput = 100.0\n";
    let server = Server::with(&(settings(&vendor.url(), "") + price));
    mail(&server, Some("m@openai")).await;
    let text = |n: usize| {
        let text = format!("Invoice\nInvoice number: X-{n}\nDue date: 2024-06-01\nTotal: 1.00 EUR\n");
        (format!("{n}.txt"), text)
    };
    let texts: Vec<(String, String)> = (0..8).map(text).collect();
    let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let files = server.files(&texts).await;
    let answer = server.post(PATH, json!([[{"url": files[0]["id"]}]])).await.ok();
    let run = server.get(&format!("{PATH}/runs/{}", answer["sid"])).await.ok();
    let used = server.get("/v1/usage").await.ok();
    assert_eq!((&run["usage"]["inputTokens"], vendor.requests().len()), (&json!(22), 2), "{run}");
    assert_eq!(run["usage"]["cost"], used["total"]["cost"], "{run}");
    // The first questions, asked at the same time, use up the budget: other documents are classified by rules, and no group
    // starts.
    let groups: Vec<Value> = files.iter().map(|file| json!([{"url": file["id"]}])).collect();
    let path = format!("{PATH}?budget=0.0001&fresh=true");
    server.post(&path, Value::from(groups.clone())).await.ok();
    let run = server.get(&format!("{PATH}/runs/2")).await.ok();
    assert_eq!((&run["state"], &run["total"]), (&json!("stopped"), &json!(8)), "{run}");
    let cost = run["usage"]["cost"].as_f64().unwrap();
    assert!(cost > 0.0001 && vendor.requests().len() <= 2 + 4, "{run}");
    // Before anything is paid, a budget that cannot be kept is refused.
    let before = vendor.requests().len();
    let path = format!("{PATH}?budget=1&modelId=unpriced@openai");
    server.post(&path, Value::from(groups)).await.fails_at(400, "validation_failed", "?budget");
    assert_eq!(vendor.requests().len(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn forms_that_are_unknown_named_twice_or_in_use_are_refused() {
    let server = Server::start();
    let (invoice, resume, _) = mail(&server, None).await;
    let other = server.form(invoice_schema()).await;
    let many: Vec<Value> = (0..50).map(|n| json!({"form_id": n.to_string()})).collect();
    for (forms, code, place) in [
        (json!([{"form_id": other}, {"form_id": "none"}]), "unknown_form", "/forms/1/form_id"),
        (json!([{"form_id": other, "form_version": 7}]), "validation_failed", "/forms/0/form_version"),
        (json!([{"form_id": other}, {"form_id": other}]), "validation_failed", "/forms/1/form_id"),
        (json!(many), "validation_failed", "/forms"),
        (json!([other]), "validation_failed", "/forms/0"),
    ] {
        server.put("/v1/agent/mail", json!({"forms": forms})).await.fails_at(400, code, place);
    }
    let twice = json!({"form_id": invoice});
    server.put("/v1/agent/mail", twice).await.fails_at(400, "validation_failed", "/forms/0/form_id");
    let used = server.delete(&format!("/v1/form/{resume}")).await.fails(409, "form_in_use");
    assert!(used["message"].as_str().unwrap().contains("'mail'"), "{used}");
    let renamed = server.put("/v1/agent/mail", json!({"name": "N"})).await.ok();
    assert_eq!(renamed["forms"].as_array().unwrap().len(), 2, "what is absent stays");
    let listed = server.get("/v1/agent").await.ok();
    assert_eq!(
        (&listed["agents"][0]["forms"], listed["agents"].as_array().unwrap().len()),
        (&renamed["forms"], 1)
    );
    let changed = server.put("/v1/agent/mail", json!({"form_id": invoice, "forms": []})).await.ok();
    assert_eq!(changed.get("forms"), None);
    server.delete(&format!("/v1/form/{resume}")).await.ok();
    let foreign = server.stranger();
    let body = json!({"namespace": "theirs", "forms": [{"form_id": invoice}]});
    let call = server.request(reqwest::Method::POST, "/v1/agent").key(&foreign).json(&body);
    call.send().await.fails_at(400, "unknown_form", "/forms/0/form_id");
}

#[tokio::test(flavor = "multi_thread")]
async fn reviews_evaluations_and_examples_go_by_the_form_of_the_group() {
    let server = Server::start();
    let (invoice, resume, file) = mail(&server, None).await;
    let policy = json!({"review": {"fields": {"/email": 1, "/invoice_number": 1, "/total": 1}}});
    server.put("/v1/agent/mail", policy).await.ok();
    let run = server.post(PATH, json!([[{"url": file}]])).await.ok();
    let open = server.get("/v1/reviews?namespace=mail").await.ok();
    let of = |path: &str| {
        let all = open["reviews"].as_array().unwrap();
        all.iter().find(|one| one["path"] == path).unwrap_or_else(|| panic!("{path}: {open}"))["id"].clone()
    };
    let decide = |id: Value, value: Value| json!({"decisions": [{"review_id": id, "action": "correct", "value": value}]});
    // The field is one of the resume's form.
    let path = "/v1/reviews/decisions";
    server.post(path, decide(of("/email"), json!("no address"))).await.fails(400, "validation_failed");
    server.post(path, decide(of("/email"), json!("bo@example.com"))).await.ok();
    for review in open["reviews"].as_array().unwrap().iter().filter(|one| one["path"] != "/email") {
        let accept = json!({"decisions": [{"review_id": review["id"], "action": "accept"}]});
        server.post(path, accept).await.ok();
    }
    let example = json!({"namespace": "mail", "sid": run["sid"], "group": 1});
    let refused = server.post(&format!("/v1/form/{invoice}/examples"), example.clone()).await;
    refused.fails_at(400, "validation_failed", "/group");
    server.post(&format!("/v1/form/{resume}/examples"), example).await.ok();
    let set = json!({"name": "Resumes", "form_id": resume});
    let set = server.post("/v1/evaluation_sets", set).await.ok()["id"].as_str().unwrap().to_owned();
    let groups = format!("/v1/evaluation_sets/{set}/groups");
    let added = server.post(&groups, json!({"namespace": "mail", "sid": run["sid"]})).await.ok();
    assert_eq!(added["groups"], 1, "only the resume");
    let truth = server.get(&groups).await.ok();
    assert_eq!(truth["groups"][0]["record"]["email"], "bo@example.com");
    // An evaluation of one of the forms.
    let one = crate::evaluations::evaluated(&server, &set, json!({"namespace": "mail"})).await;
    assert_eq!(server.get(&one).await.ok()["form_id"], resume);
}
