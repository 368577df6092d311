//! Runs whose calls wait for batches of the provider: paid once and at half the price, whatever the vendor and the server
//! do.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::batch_vendor::{BatchFaults, BatchVendor};

use crate::generate::kit::settings;
use crate::kit::{Home, Server, formwork, invoice, invoice_schema, settle};
use crate::metrics::{free_address, metrics, value};

/// A model of each vendor with batches.
const MODELS: [&str; 4] = ["m@openai", "m@anthropic", "m@google", "m@mistral"];
const PATH: &str = "/v1/agent/inv/workflow/delta";

fn record() -> String {
    json!({"invoice_number": "A-1", "total": 5, "due_date": null}).to_string()
}

fn vendor(faults: BatchFaults) -> BatchVendor {
    BatchVendor::start(&record(), faults).unwrap()
}

/// Settings for a vendor whose models cost a dollar for a million tokens in, two out.
fn quick(vendor: &BatchVendor) -> String {
    let batches = "[batches]\ngather_seconds = 0\npoll_seconds = 1\nresubmit_seconds = 3\n";
    let prices = MODELS.map(|model| format!("[models.prices.\"{model}\"]\ninput = 1.0\noutput = 2.0\n"));
    settings(&vendor.url(), "") + batches + &prices.concat()
}

/// A dollar for a million of its 1,000 tokens in, two of its 100 out, and half of that.
const HALF_PRICE: f64 = (1_000.0 + 2.0 * 100.0) / 1e6 / 2.0;

/// Creates the agent and so many files with different contents; the groups of these.
async fn prepare(server: &Server, model: &str, count: usize) -> Value {
    let form = server.form(invoice_schema()).await;
    server.post("/v1/agent", json!({"namespace": "inv", "form_id": form, "modelId": model})).await.ok();
    let texts: Vec<(String, String)> =
        (0..count).map(|n| (format!("{n}.txt"), invoice("A-1", &format!("5.00{}", " ".repeat(n))))).collect();
    let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let files = server.files(&texts).await;
    Value::from(files.iter().map(|file| json!([{"url": file["id"]}])).collect::<Vec<_>>())
}

async fn run(server: &Server, sid: u32) -> Value {
    server.get(&format!("{PATH}/runs/{sid}")).await.ok()
}

/// Waits for the end of the first run.
async fn over(server: &Server) -> Value {
    settle("the end of the run", async || run(server, 1).await["state"] != "running").await;
    run(server, 1).await
}

/// The ids of all requests that the vendor accepted.
fn submitted(vendor: &BatchVendor) -> Vec<String> {
    vendor.batches().into_iter().flat_map(|batch| batch.ids).collect()
}

fn assert_close(found: &Value, wanted: f64) {
    let found = found.as_f64().unwrap();
    assert!((found - wanted).abs() < 1e-9, "{found} is not {wanted}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_in_batches_has_its_records_at_half_the_price() {
    for model in MODELS {
        let vendor = vendor(BatchFaults { polls: 2, ..BatchFaults::default() });
        let server = Server::with(&quick(&vendor));
        let groups = prepare(&server, model, 5).await;
        let done = server.post(&format!("{PATH}?mode=batch"), groups).await.ok();
        assert_eq!(
            (&done["meta"]["state"], &done["meta"]["successful"]),
            (&json!("succeeded"), &json!(5)),
            "{done}"
        );
        assert!(done["results"].as_array().unwrap().iter().all(|one| one["total"] == 5), "{done}");
        let mut ids = submitted(&vendor);
        ids.sort();
        ids.dedup();
        assert_eq!((ids.len(), vendor.direct_calls()), (5, 0));
        let name = if model == "m@google" { "models/m" } else { "m" };
        assert!(vendor.batches().iter().flat_map(|batch| &batch.bodies).all(|body| body["model"] == name));
        let shown = run(&server, 1).await;
        assert_eq!(
            (&shown["mode"], &shown["usage"]["inputTokens"]),
            (&json!("batch"), &json!(5_000)),
            "{shown}"
        );
        assert_close(&shown["usage"]["cost"], 5.0 * HALF_PRICE);
        let used = server.get("/v1/usage").await.ok();
        assert_eq!(used["total"]["requests"], 5, "{used}");
        assert_close(&used["total"]["cost"], 5.0 * HALF_PRICE);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_submission_whose_answer_is_lost_is_found_and_not_paid_twice() {
    for model in MODELS {
        let vendor = vendor(BatchFaults { lost: 1, polls: 3, ..BatchFaults::default() });
        let server = Server::with(&quick(&vendor));
        let groups = prepare(&server, model, 3).await;
        server.post(&format!("{PATH}?mode=batch&async=true"), groups).await.accepted();
        let shown = over(&server).await;
        assert_eq!(shown["state"], "succeeded", "{shown}");
        assert_eq!((submitted(&vendor).len(), vendor.direct_calls()), (3, 0), "{model}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_killed_during_a_submission_finds_its_batch() {
    for model in MODELS {
        let vendor = vendor(BatchFaults { hangs: true, polls: 2, ..BatchFaults::default() });
        let mut server = Server::with(&quick(&vendor));
        let groups = prepare(&server, model, 3).await;
        server.post(&format!("{PATH}?mode=batch&async=true"), groups).await.accepted();
        settle("the submission", async || !submitted(&vendor).is_empty()).await;
        let home = server.kill();
        vendor.set_faults(BatchFaults { polls: 2, ..BatchFaults::default() });
        let server = home.start();
        let shown = over(&server).await;
        assert_eq!(shown["state"], "succeeded", "{shown}");
        assert_eq!((submitted(&vendor).len(), vendor.direct_calls()), (3, 0), "{model}");
        assert_close(&shown["usage"]["cost"], 3.0 * HALF_PRICE);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_that_a_batch_does_not_answer_are_made_directly() {
    for model in MODELS {
        let vendor = vendor(BatchFaults { failed_lines: vec![0], ..BatchFaults::default() });
        let server = Server::with(&quick(&vendor));
        let groups = prepare(&server, model, 3).await;
        let done = server.post(&format!("{PATH}?mode=batch"), groups.clone()).await.ok();
        assert_eq!(done["meta"]["successful"], 3, "{done}");
        let batches = vendor.batches().len();
        assert_eq!(vendor.direct_calls(), batches, "the first line of each batch failed");
        let cost = (3 + batches) as f64 * HALF_PRICE;
        assert_close(&run(&server, 1).await["usage"]["cost"], cost);
        vendor.set_faults(BatchFaults { expires: true, ..BatchFaults::default() });
        let done = server.post(&format!("{PATH}?mode=batch&fresh=true"), groups).await.ok();
        assert_eq!((&done["meta"]["successful"], vendor.direct_calls()), (&json!(3), batches + 3), "{done}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn groups_of_a_batch_that_the_vendor_refuses_fail_and_can_be_retried() {
    for model in MODELS {
        let vendor = vendor(BatchFaults { refuses: true, ..BatchFaults::default() });
        let server = Server::with(&quick(&vendor));
        let groups = prepare(&server, model, 2).await;
        let done = server.post(&format!("{PATH}?mode=batch"), groups).await.ok();
        assert_eq!((&done["meta"]["state"], vendor.direct_calls()), (&json!("failed"), 0), "{done}");
        let error = &done["failed"][0]["error"];
        assert_eq!(error["class"], "model", "{done}");
        assert!(error["message"].as_str().unwrap().contains("the batch is not wanted"), "{done}");
        vendor.set_faults(BatchFaults::default());
        server.request(Method::POST, &format!("{PATH}/runs/1/retry")).send().await.accepted();
        let shown = over(&server).await;
        assert_eq!((&shown["state"], vendor.direct_calls()), (&json!("succeeded"), 0), "{shown}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelling_a_run_cancels_its_batch() {
    for model in MODELS {
        let vendor = vendor(BatchFaults { polls: 1_000, ..BatchFaults::default() });
        let server = Server::with(&quick(&vendor));
        let groups = prepare(&server, model, 2).await;
        server.post(&format!("{PATH}?mode=batch&async=true"), groups).await.accepted();
        settle("the submission", async || submitted(&vendor).len() == 2).await;
        server.delete(&format!("{PATH}/runs/1")).await.ok();
        settle("the cancellation", async || vendor.batches().iter().all(|batch| batch.is_cancelled)).await;
        let shown = run(&server, 1).await;
        assert_eq!((&shown["state"], vendor.direct_calls()), (&json!("cancelled"), 0), "{shown}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_budget_holds_back_groups_while_others_wait_for_their_batch() {
    let vendor = vendor(BatchFaults { polls: 2, ..BatchFaults::default() });
    let settings = quick(&vendor) + "[limits]\nrun_concurrency = 1\n";
    let server = Server::with(&settings);
    let groups = prepare(&server, "m@openai", 12).await;
    let done = server.post(&format!("{PATH}?mode=batch&budget=0.0015"), groups).await.ok();
    assert_eq!(done["meta"]["state"], "stopped", "{done}");
    let paid = done["results"].as_array().unwrap().len();
    assert!((1..12).contains(&paid), "{done}");
    assert_eq!((submitted(&vendor).len(), vendor.direct_calls()), (paid, 0), "what is paid is used");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_estimate_has_the_price_of_batches() {
    let vendor = vendor(BatchFaults::default());
    let server = Server::with(&quick(&vendor));
    let groups = prepare(&server, "m@google", 2).await;
    let estimate =
        async |options: &str| server.post(&format!("{PATH}/estimate?{options}"), groups.clone()).await.ok();
    let (direct, batch) = (estimate("mode=direct").await, estimate("mode=batch").await);
    assert_eq!((&direct["calls"], &direct["input_tokens"]), (&batch["calls"], &batch["input_tokens"]));
    let cost = direct["cost"].as_f64().unwrap();
    assert!(cost > 0.0, "{direct}");
    assert_close(&batch["cost"], cost / 2.0);
    assert_eq!(estimate("mode=batch&modelId=unpriced@mistral").await["cost"], Value::Null);
    let refused =
        server.post(&format!("{PATH}/estimate?mode=batch&modelId=lab/m@formwork"), groups.clone()).await;
    refused.fails_at(400, "validation_failed", "?mode");
    assert!(vendor.batches().is_empty() && vendor.direct_calls() == 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_metrics_tell_the_open_batches_of_each_provider() {
    let address = free_address();
    let vendor = vendor(BatchFaults { polls: 1_000, ..BatchFaults::default() });
    let server = Server::with(&(quick(&vendor) + &format!("[metrics]\nlisten = \"{address}\"\n")));
    let groups = prepare(&server, "m@mistral", 2).await;
    let text = metrics(&address).await;
    let series = |provider: &str, state: &str| {
        format!("formwork_provider_batches{{provider=\"{provider}\",state=\"{state}\"}}")
    };
    assert_eq!(value(&text, &series("mistral", "submitted")), 0.0);
    server.post(&format!("{PATH}?mode=batch&async=true"), groups).await.accepted();
    settle("the submission", async || submitted(&vendor).len() == 2).await;
    let open = vendor.batches().len() as f64;
    let told = async || value(&metrics(&address).await, &series("mistral", "submitted"));
    settle("the batch in the metrics", async || told().await == open).await;
    let text = metrics(&address).await;
    assert_eq!(value(&text, &series("openai", "submitted")), 0.0);
    let age = |text: &str, provider: &str| {
        value(text, &format!("formwork_provider_batch_age_seconds{{provider=\"{provider}\"}}"))
    };
    assert!(age(&text, "mistral") > 0.0 && age(&text, "google") == 0.0, "{text}");
    server.delete(&format!("{PATH}/runs/1")).await.ok();
    vendor.set_faults(BatchFaults::default());
    settle("the end of the batch", async || {
        let text = metrics(&address).await;
        ["sealed", "submitting", "submitted", "cancelling"]
            .into_iter()
            .all(|state| value(&text, &series("mistral", state)) == 0.0)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_without_batches_is_refused_with_those_that_have_them() {
    let vendor = vendor(BatchFaults::default());
    let server = Server::with(&quick(&vendor));
    let groups = prepare(&server, "m@openai", 1).await;
    for model in ["lab/m@formwork", "extractive@formwork"] {
        let path = format!("{PATH}?mode=batch&modelId={model}");
        let refused = server.post(&path, groups.clone()).await;
        let told = format!("{refused:?}");
        let all = ["OpenAI", "Anthropic", "Google", "Mistral"];
        assert!(all.iter().all(|provider| told.contains(provider)), "{told}");
        refused.fails_at(400, "validation_failed", "?mode");
    }
    server.post(&format!("{PATH}?mode=fast"), groups).await.fails_at(400, "validation_failed", "?mode");
    assert_eq!(server.get(&format!("{PATH}/runs")).await.ok()["runs"], json!([]));
    assert!(vendor.batches().is_empty());
}

/// Starts a server that dies after so many commits, from when the file of their number exists.
fn start(home: &Home) -> Server {
    let mut command = formwork(&home.path(""));
    command.env("CRASH_AFTER_COMMITS", home.path("commits"));
    home.start_with(command)
}

#[tokio::test(flavor = "multi_thread")]
async fn wherever_a_server_dies_each_request_is_submitted_once() {
    for model in MODELS {
        let vendor = vendor(BatchFaults { polls: 1, ..BatchFaults::default() });
        let home = Home::new(&quick(&vendor));
        let mut server = start(&home);
        let groups = prepare(&server, model, 1).await;
        let commits = home.path("commits");
        let (mut deaths, mut sid) = (0, 0);
        // Later each time; the run has fewer commits. Each vendor has every second or fourth one, since few of the
        // steps differ.
        let first = MODELS.iter().position(|one| *one == model).unwrap();
        let (step, least) = if first < 2 { (2, 5) } else { (4, 2) };
        for n in (1..60).skip(first).step_by(step) {
            sid += 1;
            let before = submitted(&vendor).len();
            let path = format!("{PATH}?mode=batch&async=true&fresh=true");
            server.post(&path, groups.clone()).await.accepted();
            std::fs::write(&commits, n.to_string()).unwrap();
            let is_over = async |server: &Server| {
                let shown = server.request(Method::GET, &format!("{PATH}/runs/{sid}")).try_send().await;
                shown.is_ok_and(|shown| shown.ok()["state"] != "running")
            };
            let mut died = false;
            for _ in 0..6_000 {
                if is_over(&server).await {
                    break;
                }
                if server.process.try_wait().unwrap().is_some() {
                    std::fs::remove_file(&commits).unwrap();
                    server = start(&home);
                    died = true;
                }
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
            std::fs::remove_file(&commits).ok();
            if server.process.try_wait().unwrap().is_some() {
                server = start(&home);
                died = true;
            }
            let shown = run(&server, sid).await;
            assert_eq!(shown["state"], "succeeded", "after {n} commits: {shown}");
            assert_close(&shown["usage"]["cost"], HALF_PRICE);
            assert_eq!(
                (submitted(&vendor).len(), vendor.direct_calls()),
                (before + 1, 0),
                "after {n} commits"
            );
            deaths += usize::from(died);
            if !died {
                break;
            }
        }
        assert!(deaths >= least, "it died only {deaths} times");
    }
}

/// Two servers on one PostgreSQL submit each request once, also when one dies.
#[tokio::test(flavor = "multi_thread")]
async fn two_servers_on_one_database_submit_each_request_once() {
    let vendor = vendor(BatchFaults { polls: 2, ..BatchFaults::default() });
    let settings = quick(&vendor) + "[limits]\nlease_seconds = 3\n";
    let Some(home) = Home::on_postgres_with(&settings) else { return };
    let mut first = home.start();
    let groups = prepare(&first, "m@openai", 6).await;
    let beside = home.beside();
    let second = beside.start();
    first.post(&format!("{PATH}?mode=batch&async=true"), groups).await.accepted();
    settle("the submission", async || !submitted(&vendor).is_empty()).await;
    first.kill();
    let shown = over(&second).await;
    assert_eq!(
        (&shown["state"], submitted(&vendor).len(), vendor.direct_calls()),
        (&json!("succeeded"), 6, 0)
    );
}
