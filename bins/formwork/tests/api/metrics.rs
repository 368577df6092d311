//! Metrics: on a listener of their own, in a format that Prometheus reads, with what was done.

use std::net::TcpListener;
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use testkit::tesseract::ScriptedTesseract;
use testkit::upstream::{Reply, Upstream};
use testkit::vendor::{Behaviour, Fault, ForcedFault, Vendor};

use crate::durability::batch::{PATH, begin, prepare, settings};
use crate::kit::{Home, Parts, formwork, invoice, invoice_schema, settle};
use crate::ocr::picture;
use crate::{generate, ocr};

/// An address that nothing listens on.
pub(crate) fn free_address() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

pub(crate) async fn metrics(address: &str) -> String {
    let client = providers_http::client_builder().unwrap().build().unwrap();
    let answer = client.get(format!("http://{address}/metrics")).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    assert!(answer.headers()["content-type"].to_str().unwrap().starts_with("application/openmetrics-text"));
    answer.text().await.unwrap()
}

/// The value of a series, named as in the text.
pub(crate) fn value(text: &str, series: &str) -> f64 {
    let line = text.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("{series} is not in\n{text}")).parse().unwrap()
}

/// Each metric that the dashboard asks for is one that the server has.
fn assert_dashboard_shows(text: &str) {
    let dashboard = include_str!("../../../../docs/grafana-dashboard.json");
    let dashboard: serde_json::Value = serde_json::from_str(dashboard).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let wanted = panels.iter().flat_map(|panel| panel["targets"].as_array().unwrap()).flat_map(|target| {
        let words = target["expr"].as_str().unwrap().split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        words.filter(|word| word.starts_with("formwork_") || word.starts_with("process_"))
    });
    for name in wanted {
        let is_there = text
            .lines()
            .any(|line| line.starts_with(&format!("{name}{{")) || line.starts_with(&format!("{name} ")));
        assert!(is_there, "{name} of the dashboard is not in\n{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_calls_jobs_and_the_state_are_told() {
    told(|settings| Some(Home::new(settings))).await;
}

pub(crate) async fn told_on_postgres() {
    told(Home::on_postgres_with).await;
}

async fn told(home: impl FnOnce(&str) -> Option<Home>) {
    let address = free_address();
    let failure = Some(ForcedFault::of_group(Fault::Hang, 2));
    let vendor =
        Vendor::start(Behaviour { latency: Duration::from_millis(20), failure, ..Behaviour::default() });
    let vendor = vendor.unwrap();
    let settings = settings(&vendor, "", "call_seconds = 1\nretries = 0");
    let Some(home) = home(&format!("{settings}\n[metrics]\nlisten = \"{address}\"")) else { return };
    let server = home.start();
    let groups = prepare(&server, 10).await;
    let sid = begin(&server, groups).await;
    settle("a failed call", async || metrics(&address).await.contains("formwork_model_call_failures_total"))
        .await;
    let text = metrics(&address).await;
    assert!(text.contains("formwork_jobs{queue=\"delta\",state=\"delayed\"}"), "{text}");
    server.delete(&format!("{PATH}/runs/{sid}")).await.ok();
    let run = server.get(&format!("{PATH}/runs/{sid}")).await.ok();
    server.get("/v1/unknown-path").await;
    server.get("/v1/notes/77").await;
    let text = metrics(&address).await;
    let calls = value(&text, "formwork_model_call_duration_seconds_count{model=\"bench@openai\"}");
    assert!(calls >= 9.0, "{text}");
    let sum = value(&text, "formwork_model_call_duration_seconds_sum{model=\"bench@openai\"}");
    assert!(sum >= 0.02 * 9.0, "{text}");
    assert!(value(&text, "formwork_model_call_accounting_seconds_count{step=\"settle\"}") >= 9.0, "{text}");
    let input = value(&text, "formwork_model_tokens_total{model=\"bench@openai\",kind=\"input\"}");
    assert!(input >= run["usage"]["inputTokens"].as_f64().unwrap() && input > 0.0, "{text}");
    let failed = "formwork_model_call_failures_total{model=\"bench@openai\",code=\"provider_timeout\"}";
    assert!(value(&text, failed) >= 1.0, "{text}");
    assert!(
        text.contains("formwork_http_request_duration_seconds_count{operation=\"")
            && text.contains("status=\"404\"}")
    );
    for part in ["database", "blobs", "searchIndex", "disk"] {
        assert_eq!(value(&text, &format!("formwork_part_up{{part=\"{part}\"}}")), 1.0);
    }
    for positive in [
        "process_resident_memory_bytes",
        "process_cpu_seconds_total",
        "process_start_time_seconds",
        "process_open_fds",
    ] {
        assert!(value(&text, positive) > 0.0, "{text}");
    }
    assert!(value(&text, "formwork_disk_free_bytes{folder=\"data\"}") > 0.0);
    assert_eq!(value(&text, "formwork_database_queue{access=\"write\"}"), 0.0);
    assert_eq!(value(&text, "formwork_search_index_lag_changes"), 0.0);
    assert!(text.ends_with("# EOF\n"), "{text}");
    assert_dashboard_shows(&text);
    // Neither on the other address nor with a name of a workspace.
    assert_eq!(server.get("/metrics").await.status, 404);
    assert!(!text.contains("ws_") && !text.contains(&server.key[..11]), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_in_ocr_and_calls_of_a_provider_are_told_with_those_that_wait() {
    let address = free_address();
    let vendor = Upstream::start(|_| Reply::raw().hold()).unwrap();
    let settings = generate::kit::settings(&vendor.url(), "concurrency = 1");
    let home = Home::new(&format!("{settings}\n[metrics]\nlisten = \"{address}\""));
    let program = ScriptedTesseract::hanging().unwrap();
    let mut command = formwork(&home.path(""));
    command.env("FORMWORK_OCR__PROGRAM", program.path()).env("FORMWORK_OCR__PROCESSES", "1");
    let server = home.start_with(command);
    server.agent("inv", invoice_schema()).await;
    let files = Parts::new().file("a.png", &picture(300)).file("b.png", &picture(301));
    let records = server.upload(files).await.ok();
    let group = |place: usize| json!([{"url": records[place]["id"]}]);
    let run = json!([group(0), group(1)]);
    server.post("/v1/agent/inv/workflow/delta?async=true", run).await.accepted();
    let body = json!({"modelId": "m@openai", "prompt": "How many?"});
    let calls: Vec<_> = (0..2)
        .map(|_| tokio::spawn(server.request(Method::POST, "/v2/generate").json(&body).try_send()))
        .collect();
    settle("two pages and two calls", async || {
        let text = metrics(&address).await;
        [
            "formwork_ocr_pages{state=\"running\"}",
            "formwork_ocr_pages{state=\"waiting\"}",
            "formwork_provider_calls{provider=\"openai\",state=\"running\"}",
            "formwork_provider_calls{provider=\"openai\",state=\"waiting\"}",
        ]
        .iter()
        .all(|series| value(&text, series) == 1.0)
    })
    .await;
    let text = metrics(&address).await;
    assert_eq!(value(&text, "formwork_provider_call_limit{provider=\"openai\"}"), 1.0);
    assert_eq!(value(&text, "formwork_provider_calls{provider=\"lab@formwork\",state=\"running\"}"), 0.0);
    assert_eq!(value(&text, "formwork_browser_pages{state=\"running\"}"), 0.0);
    assert_eq!(value(&text, "formwork_parser_calls_waiting"), 0.0);
    calls.iter().for_each(tokio::task::JoinHandle::abort);
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_are_told_by_format_and_failures_by_their_code() {
    let address = free_address();
    let home = Home::new(&format!("[metrics]\nlisten = \"{address}\""));
    let program = ocr::scripted("Invoice No: A-1");
    let mut command = formwork(&home.path(""));
    command.env("FORMWORK_OCR__PROGRAM", program.path());
    let server = home.start_with(command);
    server.agent("inv", invoice_schema()).await;
    let scan = server.upload(Parts::new().file("a.png", &picture(300))).await.ok()[0]["id"].clone();
    let texts =
        [("a.txt", &*invoice("A-1", "5.00")), ("a.md", "# Total\n\n5.00"), ("a.pdf", "%PDF-1.4 broken")];
    let mut ids: Vec<Value> = server.files(&texts).await.iter().map(|file| file["id"].clone()).collect();
    ids.push(scan);
    let groups: Vec<[&Value; 1]> = ids.iter().map(|id| [id]).collect();
    let groups: Vec<&[&Value]> = groups.iter().map(|group| &group[..]).collect();
    server.delta("inv", "", &groups).await;
    let text = metrics(&address).await;
    for series in [
        "formwork_documents_read_total{format=\"text\"}",
        "formwork_documents_read_total{format=\"markdown\"}",
        "formwork_documents_read_total{format=\"image\"}",
        "formwork_parser_call_failures_total{task=\"parse\",code=\"document_damaged\"}",
        "formwork_parser_call_duration_seconds_count{task=\"page\"}",
        "formwork_ocr_page_duration_seconds_count{outcome=\"read\"}",
    ] {
        assert_eq!(value(&text, series), 1.0, "{series}");
    }
    assert_eq!(value(&text, "formwork_ocr_page_duration_seconds_count{outcome=\"failed\"}"), 0.0);
    assert!(value(&text, "formwork_parser_processes_started_total") >= 1.0, "{text}");
    assert!(value(&text, "formwork_parser_processes{state=\"idle\"}") >= 1.0, "{text}");
    assert_eq!(value(&text, "formwork_parser_processes{state=\"busy\"}"), 0.0, "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_address_and_one_that_is_taken_are_told() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    for (listen, message) in [
        ("9464".to_owned(), "'metrics.listen' must be an address with a port"),
        (address.to_string(), "(metrics.listen)"),
    ] {
        let home = Home::new(&format!("[metrics]\nlisten = \"{listen}\""));
        let output = home.run(&["serve"]);
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && told.contains(message), "{told}");
    }
}
