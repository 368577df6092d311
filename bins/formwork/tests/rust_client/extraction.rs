//! Types become forms, and documents values with evidence.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use formwork_client::{Document, Error, RunState};
use futures_util::StreamExt as _;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::kit::{INVOICE, Server, all, object};

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Line {
    article: String,
}

fn pound() -> String {
    "GBP".to_owned()
}

/// An invoice of a supplier.
#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Invoice {
    /// Company that issued the document
    vendor: String,
    total: f64,
    #[serde(default = "pound")]
    currency: String,
    due_date: Option<NaiveDate>,
    lines: Vec<Line>,
}

#[tokio::test]
async fn a_type_gets_a_value_with_evidence_and_finds_its_agent_again() {
    let server = Server::start();
    let client = server.client();
    let first = client.extract::<Invoice>([server.file("invoice.txt", INVOICE)]).await.unwrap();
    let expected = Invoice {
        vendor: "Harbour Works".to_owned(),
        total: 12.5,
        currency: "EUR".to_owned(),
        due_date: NaiveDate::from_ymd_opt(2026, 3, 14),
        lines: Vec::new(),
    };
    assert_eq!(first.value, expected);
    assert_eq!(first.record["lines"], Value::Null);
    let found = &first.evidence["/total"];
    assert_eq!((found.document.as_deref(), found.quote.as_deref()), (Some("invoice.txt"), Some("12.50")));
    let at = |offset: Option<u64>| usize::try_from(offset.unwrap()).unwrap();
    assert_eq!(&INVOICE[at(found.start)..at(found.end)], "12.50");
    assert!((0.0..=1.0).contains(&found.confidence));
    assert_eq!(first.conflicts.as_deref().map(<[_]>::len), Some(0));
    let agents = all(client.agents().list()).await;
    assert_eq!(agents.len(), 1);
    let form = client.forms().get(agents[0].form_id.as_ref().unwrap()).await.unwrap();
    assert_eq!(form.title, "Invoice");
    assert_eq!(form.schema["vendor"]["description"], "Company that issued the document");
    assert_eq!(form.schema["due_date"]["type"], "date");
    let second = client.extract::<Invoice>([("copy.txt", INVOICE)]).await.unwrap();
    assert_eq!((second.value, &second.agent), (expected, &first.agent));
    assert!(second.sid > first.sid);
    let net = client.extractor::<Invoice>().instructions("Amounts are net.");
    net.extract([("copy.txt", INVOICE)]).await.unwrap();
    assert_eq!(all(client.agents().list()).await.len(), 2);
    assert_eq!(all(client.agents().runs(&second.agent)).await.len(), 2);
}

#[tokio::test]
async fn conflicts_and_broken_rules_are_told() {
    #[derive(Debug, Deserialize, JsonSchema)]
    struct Bill {
        total: f64,
        #[schemars(required)]
        iban: Option<String>,
    }
    let server = Server::start();
    let documents = [("a.txt", "Total: 12.50\n"), ("b.txt", "Total: 13.75\n")];
    let bill = server.client().extract::<Bill>(documents).await.unwrap();
    let conflicts = bill.conflicts.unwrap();
    assert_eq!(conflicts[0].path, "/total");
    let values: Vec<&Value> = conflicts[0].values.iter().map(|one| &one.value).collect();
    assert_eq!(values, [&json!(12.5), &json!(13.75)]);
    assert_eq!(conflicts[0].values[1].evidence.document.as_deref(), Some("b.txt"));
    assert_eq!((bill.value.total, bill.value.iban), (12.5, None));
    assert_eq!(bill.errors.unwrap()[0].path, "/iban");
}

#[tokio::test]
async fn a_run_tells_its_progress_and_has_outcomes_in_order_page_by_page() {
    let server = Server::start();
    let client = server.client();
    let text = |number: usize| format!("Vendor: Harbour Works {number} Ltd\nTotal: {}.50\n", number + 1);
    let mut groups: Vec<Vec<Document>> =
        (0..130).map(|number| vec![(format!("{number}.txt"), text(number)).into()]).collect();
    groups.insert(40, vec![Document::stored(999_999)]);
    groups.push(vec![("late.txt", "Vendor: North Pier\n").into()]);
    let run = client.start_run::<Invoice>(groups).await.unwrap();
    let mut progress = Vec::new();
    let over = run.wait(|run| progress.push(run.progress)).await.unwrap();
    assert_eq!((over.state, over.total, over.failed), (RunState::PartlyFailed, 132, 1));
    assert_eq!(progress.last(), Some(&1.0));
    assert!(progress.is_sorted(), "{progress:?}");
    let outcomes = all(client.run::<Invoice>(run.agent(), run.sid()).results()).await;
    assert_eq!(
        outcomes.iter().map(|outcome| outcome.group).collect::<Vec<_>>(),
        (0..132).collect::<Vec<_>>()
    );
    for (index, outcome) in outcomes.iter().enumerate() {
        match (index, &outcome.result) {
            (40, Err(Error::Extraction(error))) => {
                assert_eq!((error.class.as_str(), error.code.as_str()), ("fetch", "file_not_found"));
                assert_eq!(outcome.documents, ["999999"]);
            }
            (131, Err(Error::Record { path, extraction, .. })) => {
                assert_eq!(path, "/total");
                assert_eq!(extraction.record["vendor"], "North Pier");
            }
            (_, Ok(found)) => {
                let number = if index < 40 { index } else { index - 1 };
                assert_eq!(found.value.vendor, format!("Harbour Works {number} Ltd"));
                assert!(found.evidence["/vendor"].quote.is_some());
                assert!(found.conflicts.is_none());
            }
            other => panic!("{other:?}"),
        }
    }
    let names: Vec<String> = run.events(None).await.unwrap().map(|event| event.unwrap().name).collect().await;
    assert_eq!(names.iter().filter(|name| *name == "group").count(), 132);
    assert_eq!(names.last().unwrap(), "end");
    assert_eq!(run.cancel().await.unwrap_err().code(), Some("run_over"));
}

#[tokio::test]
async fn documents_without_a_record_and_records_that_do_not_fit_are_errors() {
    let server = Server::start();
    let client = server.client();
    let error = client.extract::<Invoice>([999_999]).await.unwrap_err();
    assert!(matches!(&error, Error::Extraction(error) if error.class == "fetch"), "{error}");
    assert_eq!(error.code(), Some("file_not_found"));
    let error = client.extract::<Invoice>([("a.txt", "Vendor: Harbour Works\n")]).await.unwrap_err();
    let Error::Record { path, extraction, .. } = error else { panic!("{error}") };
    assert_eq!((path.as_str(), &extraction.record["vendor"]), ("/total", &json!("Harbour Works")));
    let missing = server.folder.path().join("missing.txt");
    let error = client.extract::<Invoice>([&missing]).await.unwrap_err();
    assert!(matches!(&error, Error::File { path, .. } if *path == missing), "{error}");
    let none: [Document; 0] = [];
    assert!(matches!(client.extract::<Invoice>(none).await, Err(Error::Invalid(_))));
}

#[tokio::test]
async fn schemas_forms_and_agents_give_records_whatever_the_names_of_their_fields() {
    let server = Server::start();
    let client = server.client();
    let names = ["meta", "sid", "evidence", "_meta", "note"];
    let fields: Value = names.iter().map(|name| (*name, json!({"type": "string"}))).collect();
    let schema = json!({"title": "Names", "type": "object", "properties": fields});
    let text = "Meta: Lighthouse\nSid: 77x\nEvidence: Photograph\n";
    let documents = || [("a.txt", text)];
    let found = client.extractor::<Value>().schema(schema).extract(documents()).await.unwrap();
    assert_eq!((&found.value["meta"], &found.value["note"]), (&json!("Lighthouse"), &Value::Null));
    let run = client.extractor::<Value>().agent(&found.agent).start([documents()]).await.unwrap();
    let stored = all(run.results()).await.remove(0).result.unwrap();
    assert_eq!(stored.record, found.record);
    assert_eq!(stored.evidence["/meta"].quote.as_deref(), Some("Lighthouse"));
    let form_id = client.agents().get(&found.agent).await.unwrap().form_id.unwrap();
    let by_form = client.extractor::<Value>().form(form_id).extract(documents()).await.unwrap();
    assert_ne!(by_form.agent, found.agent);
    assert_eq!(by_form.record, found.record);
    let both = client.extractor::<Value>().agent(&found.agent).model("extractive@formwork");
    assert!(matches!(both.extract(documents()).await, Err(Error::Invalid(_))));
}

#[tokio::test]
async fn types_of_many_kinds_have_forms() {
    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    enum Currency {
        /// Of the euro area
        Eur,
        Gbp,
    }
    #[derive(Debug, Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "the shape matters, not the values")]
    struct Order {
        number: u32,
        paid: Option<bool>,
        currency: Currency,
        lines: Vec<Line>,
        buyer: Option<Line>,
        #[serde(default)]
        rates: BTreeMap<String, f64>,
    }
    let server = Server::start();
    let client = server.client();
    let form = client.forms().of_type::<Order>().await.unwrap();
    let kinds: Vec<_> = form.schema.iter().map(|(name, field)| format!("{name} {}", field["type"])).collect();
    let expected = ["number \"integer\"", "paid \"boolean\"", "currency \"string\""];
    assert_eq!(kinds[..3], expected);
    let options = form.schema["currency"]["enum"].as_array().unwrap();
    assert!(options.len() == 2 && options.contains(&json!("eur")), "{options:?}");
    assert_eq!(form.schema["number"]["required"], true);
    assert_eq!(form.schema["lines"]["items"]["properties"]["article"]["type"], "string");
    assert_eq!(form.schema["buyer"]["type"], "object");
    let order = client.extract::<Order>([("a.txt", "Number: 17\nCurrency: EUR\nPaid: yes\n")]).await.unwrap();
    assert_eq!((order.value.number, order.value.currency), (17, Currency::Eur));
    assert!(order.value.lines.is_empty() && order.value.buyer.is_none() && order.value.rates.is_empty());
    let template = client.templates().get("invoice", "en").await.unwrap();
    let form = client.forms().create(&template.title, &template.schema).await.unwrap();
    let record =
        client.extractor::<Value>().form(form.form_id).extract([("a.txt", template.sample)]).await.unwrap();
    assert_eq!(record.record.len(), template.schema.len());
    assert!(object(record.value).values().any(|value| !value.is_null()));
}
