//! Two hundred URLs of a site with 100 ms latency through the running server: `webparser` and `docparser`,
//! two concurrent calls of a hundred URLs. The ideal is the site's latency divided by the configured
//! concurrency.

use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use reqwest::Client;
use serde_json::{Value, json};
use testkit::upstream::{ReceivedRequest, Reply, Upstream};

use crate::server::{Profile, Server};

/// Number of URLs of a run.
const URLS: usize = 200;
/// Number of URLs of a call.
const OF_A_CALL: usize = 100;
/// Latency of the site.
const LATENCY: Duration = Duration::from_millis(100);
/// Maximum numbers of concurrent requests: the setting `fetch.concurrency`.
const CONCURRENCIES: [usize; 3] = [8, 16, 32];

/// Prints the table.
pub(super) fn run(profile: Profile) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    println!("{URLS} URLs in two calls at the same time, {} ms latency\n", LATENCY.as_millis());
    println!("| operation | fetch.concurrency | ideal, s | wall, s | ratio |\n|---|---|---|---|---|");
    for concurrency in CONCURRENCIES {
        runtime.block_on(measure(profile, concurrency))?;
    }
    Ok(())
}

async fn measure(profile: Profile, concurrency: usize) -> anyhow::Result<()> {
    let server = Server::launch(profile, |command| {
        command
            .env("FORMWORK_FETCH_ALLOW", "127.0.0.1")
            .env("FORMWORK_FETCH__CONCURRENCY", concurrency.to_string())
    })?;
    let client = server.client()?;
    for operation in ["webparser", "docparser"] {
        let site = Upstream::start_counting(answer)?;
        let path = format!("{}/v1/utilities/{operation}", server.url);
        // The first call starts the parser processes and reads the site's robots.txt.
        call(&client, &path, urls(&site, 0..32)).await?;
        let before = site.count();
        let began = Instant::now();
        let calls = (1..).map(|call| call * 1_000).take(URLS / OF_A_CALL);
        let calls = calls.map(|first| call(&client, &path, urls(&site, first..first + OF_A_CALL)));
        for failures in futures_util::future::join_all(calls).await {
            failures?;
        }
        let wall = began.elapsed().as_secs_f64();
        if site.count() - before != URLS as u64 {
            bail!("the site was asked {} times", site.count() - before);
        }
        let ideal = URLS.div_ceil(concurrency) as f64 * LATENCY.as_secs_f64();
        println!("| {operation} | {concurrency} | {ideal:.2} | {wall:.2} | {:.2} |", wall / ideal);
    }
    Ok(())
}

fn urls(site: &Upstream, numbers: std::ops::Range<usize>) -> Vec<String> {
    numbers.map(|number| format!("{}/pages/{number}.html", site.url())).collect()
}

/// A page with unique content.
fn answer(request: &ReceivedRequest) -> Reply {
    if !request.path.starts_with("/pages/") {
        return Reply::whole(404, "text/plain", "");
    }
    let title = format!("The log of {}", request.path);
    let line =
        "The ship left the harbour at noon with the tide, and the pilot went from board an hour later.";
    let paragraphs: String = (0..20).map(|n| format!("<p>Entry {n} of {title}. {line} {line}</p>")).collect();
    let page = format!(
        "<!doctype html><html><head><title>{title}</title></head><body><nav><a href=\"/\">Home</a></nav>\
         <main><h1>{title}</h1>{paragraphs}</main><footer>Imprint</footer></body></html>"
    );
    Reply::raw().wait(LATENCY).followed_by(Reply::whole(200, "text/html; charset=utf-8", page))
}

/// Requests the pages of a call; each must be read.
async fn call(client: &Client, path: &str, urls: Vec<String>) -> anyhow::Result<()> {
    let response = client.post(path).json(&json!({ "urls": urls })).send().await?;
    let items: Value = response.error_for_status()?.json().await?;
    let items = items.as_array().context("an array")?;
    match items.iter().find(|item| !item["error"].is_null() || item["body"] == "") {
        Some(item) => bail!("a page was not read: {item}"),
        None if items.len() == urls.len() => Ok(()),
        None => bail!("{} items", items.len()),
    }
}
