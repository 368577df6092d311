//! A batch against a vendor of fixed latency, compared with the same work in Instructor.

use std::time::Duration;

use anyhow::{Context as _, ensure};
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use testkit::vendor::{Behaviour, Vendor, delivery_note};

use super::gauge::{ResourceUsage, watch};
use super::instructor::Instructor;
use crate::server::Server;

const GROUPS: usize = 2_000;
/// Number of concurrent calls.
const CONCURRENCY: usize = 64;
/// Latency from a request to its answer.
const LATENCY: Duration = Duration::from_millis(500);
/// Number of files of one upload.
const TOGETHER: usize = 100;

/// Prints the table.
pub(super) async fn compare() -> anyhow::Result<()> {
    let vendor = slow_vendor()?;
    let (results, used) = ours(&vendor).await?;
    let ours = row("Formwork", &vendor, &results, &used)?;
    let vendor = slow_vendor()?;
    let (results, used) = theirs(&vendor).await?;
    let theirs = row("Instructor 1.17.0, asyncio", &vendor, &results, &used)?;
    println!(
        "\n{GROUPS} groups, each with a document of its own; a vendor that answers after {LATENCY:?}; {CONCURRENCY} calls \
         at the same time; ideal {:.1} s\n",
        ideal()
    );
    println!(
        "| | seconds | times the ideal | calls | CPU ms a group | of its parsers | memory MB, before | a quarter | half \
         | three quarters | end | most |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|\n{ours}\n{theirs}");
    Ok(())
}

fn slow_vendor() -> anyhow::Result<Vendor> {
    Vendor::start(Behaviour { latency: LATENCY, ..Behaviour::default() })
}

/// Seconds of a batch whose only cost is the vendor's latency.
fn ideal() -> f64 {
    GROUPS.div_ceil(CONCURRENCY) as f64 * LATENCY.as_secs_f64()
}

/// A row of the table. Fails unless every record is correct.
fn row(name: &str, vendor: &Vendor, results: &[Value], used: &ResourceUsage) -> anyhow::Result<String> {
    let is_right = |record: &&Value| {
        delivery_note::group_of(record).is_some_and(|group| delivery_note::is_right(group, record))
    };
    let right = results.iter().filter(is_right).count();
    ensure!(right == GROUPS, "{name}: {} of {GROUPS} groups are not right", GROUPS - right);
    let a_group = |seconds: f64| seconds * 1e3 / GROUPS as f64;
    Ok(format!(
        "| {name} | {:.2} | {:.3} | {} | {:.2} | {:.2} | {} |",
        used.seconds,
        used.seconds / ideal(),
        vendor.calls(),
        a_group(used.cpu_seconds),
        a_group(used.children_seconds),
        used.memory_columns()
    ))
}

/// The batch in one request. The documents are uploaded before it, and parsed within it.
async fn ours(vendor: &Vendor) -> anyhow::Result<(Vec<Value>, ResourceUsage)> {
    let server = Server::start_with(|command| {
        let concurrency = CONCURRENCY.to_string();
        for limit in ["LIMITS__RUN", "LIMITS__WORKSPACE", "LIMITS__TOTAL", "MODELS_"] {
            command.env(format!("FORMWORK_{limit}_CONCURRENCY"), &concurrency);
        }
        command.env("OPENAI_API_KEY", "none").env("FORMWORK_OPENAI_BASE_URL", format!("{}/v1", vendor.url()))
    })?;
    let client = server.client()?;
    let url = |path: &str| format!("{}{path}", server.url);
    let form = json!({"title": "Delivery note", "schema": delivery_note::schema()});
    let form: Value =
        client.post(url("/v1/form")).json(&form).send().await?.error_for_status()?.json().await?;
    let agent = json!({"namespace": "bench", "form_id": form["form_id"], "modelId": "bench@openai"});
    client.post(url("/v1/agent")).json(&agent).send().await?.error_for_status()?;
    let groups = upload(&client, &url("/v1/files")).await?;
    let run = async {
        let answer = client.post(url("/v1/agent/bench/workflow/delta")).json(&groups).send().await?;
        anyhow::Ok(answer.error_for_status()?.json::<Value>().await?)
    };
    let (answer, used) = watch(server.pid(), run).await?;
    Ok((answer["results"].as_array().context("results")?.clone(), used))
}

/// Uploads a document for each group. Returns the body of the batch.
async fn upload(client: &reqwest::Client, url: &str) -> anyhow::Result<Vec<Value>> {
    let mut groups = Vec::new();
    for first in (0..GROUPS).step_by(TOGETHER) {
        let papers = first..GROUPS.min(first + TOGETHER);
        let form = papers.fold(Form::new(), |form, group| {
            form.part("files", Part::text(delivery_note::text(group)).file_name(format!("{group}.txt")))
        });
        let files: Value = client.post(url).multipart(form).send().await?.error_for_status()?.json().await?;
        groups.extend(files.as_array().context("files")?.iter().map(|file| json!([{"url": file["id"]}])));
    }
    Ok(groups)
}

/// The same documents, schema and vendor. Imports and installation are not measured.
async fn theirs(vendor: &Vendor) -> anyhow::Result<(Vec<Value>, ResourceUsage)> {
    let texts: Vec<String> = (0..GROUPS).map(delivery_note::text).collect();
    let mut peer = Instructor::prepare(&vendor.url(), CONCURRENCY, &texts)?;
    let process = peer.pid();
    peer.start()?;
    // Dropped only after its last figures were read.
    let work = tokio::task::spawn_blocking(move || peer.finish().map(|told| (told, peer)));
    let ((told, _peer), mut used) = watch(process, async { work.await? }).await?;
    used.seconds = told["seconds"].as_f64().context("the peer's seconds")?;
    Ok((told["results"].as_array().context("results")?.clone(), used))
}
