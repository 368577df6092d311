//! A batch over made-up papers, before a vendor that knows them.

use std::collections::BTreeMap;
use std::collections::HashMap;

use serde_json::{Value, json};
use testkit::vendor::{Vendor, delivery_note};

use crate::kit::{Server, settle};

/// Where batches are run and kept.
pub(crate) const PATH: &str = "/v1/agent/notes/workflow/delta";
/// Files of one upload.
const TOGETHER: usize = 100;

/// Settings of a server whose agents ask this vendor, with these settings of models.
pub(crate) fn settings(vendor: &Vendor, limits: &str, models: &str) -> String {
    format!(
        "[limits]\n{limits}\n[models]\ndefault = \"bench@openai\"\n{models}\n\
         [models.openai]\nkey = \"none\"\nbase_url = \"{}/v1\"\n",
        vendor.url()
    )
}

/// Makes the agent, uploads a paper for each group, and gives the body of the run.
pub(crate) async fn prepare(server: &Server, groups: usize) -> Value {
    server.agent("notes", delivery_note::schema()).await;
    let papers: Vec<String> = (0..groups).map(delivery_note::text).collect();
    let mut ids = Vec::new();
    for papers in papers.chunks(TOGETHER) {
        let named: Vec<(&str, &str)> = papers.iter().map(|text| ("note.txt", text.as_str())).collect();
        ids.extend(server.files(&named).await.into_iter().map(|file| file["id"].clone()));
    }
    ids.into_iter().map(|id| json!([{"url": id}])).collect()
}

/// Everything that is kept, in the order of the groups.
pub(crate) async fn responses(server: &Server) -> Vec<Value> {
    server.get(&format!("{PATH}?evidence=true")).await.ok().as_array().unwrap().clone()
}

/// Everything that is kept, by its group; each group is there once at the most.
pub(crate) async fn kept(server: &Server) -> HashMap<usize, Value> {
    let mut kept = HashMap::new();
    for response in &responses(server).await {
        let group = delivery_note::group_of(response).unwrap();
        assert!(kept.insert(group, response.clone()).is_none(), "group {group} is kept twice");
    }
    kept
}

/// Starts a run that nobody waits for, and gives its number.
pub(crate) async fn begin(server: &Server, run: Value) -> u64 {
    let answer = server.post(&format!("{PATH}?async=true"), run).await;
    assert_eq!(answer.status, 202, "{answer:?}");
    answer.value()["sid"].as_u64().unwrap()
}

/// A run as it stands. Its counts and its state agree, whenever it is looked at.
pub(crate) async fn run(server: &Server, sid: u64) -> Value {
    let run = server.get(&format!("{PATH}/runs/{sid}?limit=1")).await.ok();
    let count = |name: &str| run[name].as_u64().unwrap();
    let state = match (count("successful"), count("failed")) {
        (successful, failed) if successful + failed < count("total") => "running",
        (_, 0) => "succeeded",
        (0, _) => "failed",
        _ => "partly_failed",
    };
    assert_eq!(run["state"], state, "{run}");
    run
}

/// Waits for the end of a run, which is looked at on the way.
pub(crate) async fn ended(server: &Server, sid: u64) -> Value {
    settle("the end of the run", async || run(server, sid).await["state"] != "running").await;
    run(server, sid).await
}

/// The class and the code of each failed group of a run.
pub(crate) async fn failed(server: &Server, sid: u64, groups: usize) -> BTreeMap<usize, (String, String)> {
    let mut failed = BTreeMap::new();
    for page in 1..=groups.div_ceil(100) {
        let run = server.get(&format!("{PATH}/runs/{sid}?limit=100&page={page}")).await.ok();
        for group in run["groups"].as_array().unwrap().iter().filter(|group| group["state"] == "failed") {
            let text = |name: &str| group["error"][name].as_str().unwrap().to_owned();
            assert!(!text("message").is_empty() && group["attempts"].as_u64() > Some(0), "{group}");
            let index = usize::try_from(group["group"].as_u64().unwrap()).unwrap();
            failed.insert(index, (text("class"), text("code")));
        }
    }
    failed
}
