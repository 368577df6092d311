//! Wide forms and long lists over long documents, by a vendor that knows the truth: nothing is lost or invented, and
//! the documents are not sent many times over.

use serde_json::{Value, json};
use testkit::vendor::report::Report;
use testkit::vendor::{Behaviour, Vendor};

use crate::kit::Server;

const PATH: &str = "/v1/agent/reports/workflow/delta?evidence=true";

/// The answer about a report, its length in bytes, and the tokens that the vendor charged for reading.
async fn extract(report: &Report) -> (Value, u64, u64) {
    let vendor = Vendor::start(Behaviour::default()).unwrap();
    let server = Server::with(&format!(
        "[models]\ndefault = \"gpt-6-luna@openai\"\n[models.openai]\nkey = \"none\"\nbase_url = \"{}/v1\"\n",
        vendor.url()
    ));
    server.agent("reports", report.schema()).await;
    let text = report.text();
    let files = server.files(&[("report.md", text.as_str())]).await;
    let answer = server.post(PATH, json!([[{"url": files[0]["id"]}]])).await.ok();
    assert_eq!(vendor.ledger().unknown_requests, 0);
    (answer, text.len() as u64, vendor.ledger().total().input_tokens)
}

/// The entries of a list; another value alone.
fn list(value: &Value) -> Vec<&Value> {
    value.as_array().map_or_else(|| vec![value], |rows| rows.iter().collect())
}

fn assert_whole(report: &Report, answer: &Value) {
    let mut record = answer["results"][0].clone();
    record.as_object_mut().unwrap().retain(|name, _| report.schema().get(name).is_some());
    let truth = report.record();
    for (name, value) in truth.as_object().unwrap() {
        let (rows, given) = (list(value), list(&record[name]));
        assert_eq!(given.len(), rows.len(), "{name}");
        for (row, given) in rows.iter().zip(given) {
            assert_eq!(given, *row, "{name}");
        }
    }
    assert_eq!(answer["errors"][0], json!([]));
    let evidence = answer["evidence"][0].as_object().unwrap();
    let is_exact = |support: &Value| support == "exact" || support == "normalised";
    assert!(evidence.values().all(|evidence| is_exact(&evidence["support"])));
}

#[tokio::test(flavor = "multi_thread")]
async fn four_hundred_fields_of_a_long_report_cost_little_more_than_the_report() {
    let report = Report { fields: 400, pages: 300, rows: 0 };
    let (answer, bytes, tokens) = extract(&report).await;
    assert_whole(&report, &answer);
    assert!(tokens * 4 * 10 <= bytes * 13, "{tokens} tokens for {bytes} bytes");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_table_among_many_fields_is_read_whole() {
    let report = Report { fields: 120, pages: 40, rows: 600 };
    let (answer, bytes, tokens) = extract(&report).await;
    assert_whole(&report, &answer);
    // The lists in short readings, the other fields in long ones.
    assert!(tokens * 4 * 10 <= bytes * 30, "{tokens} tokens for {bytes} bytes");
}
