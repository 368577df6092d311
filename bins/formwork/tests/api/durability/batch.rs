//! A batch over made-up papers, before a vendor that knows them.

use std::collections::HashMap;

use serde_json::{Value, json};
use testkit::vendor::{Vendor, paper};

use crate::kit::Server;

/// Where batches are run and kept.
pub(super) const PATH: &str = "/v1/agent/notes/workflow/delta";
/// Files of one upload.
const TOGETHER: usize = 100;

/// Settings of a server whose agents ask this vendor, with these settings of models.
pub(super) fn settings(vendor: &Vendor, limits: &str, models: &str) -> String {
    format!(
        "[limits]\n{limits}\n[models]\ndefault = \"bench@openai\"\n{models}\n\
         [models.openai]\nkey = \"none\"\nbase_url = \"{}/v1\"\n",
        vendor.url()
    )
}

/// Makes the agent, uploads a paper for each group, and gives the body of the run.
pub(super) async fn prepare(server: &Server, groups: usize) -> Value {
    server.agent("notes", paper::schema()).await;
    let papers: Vec<String> = (0..groups).map(paper::text).collect();
    let mut ids = Vec::new();
    for papers in papers.chunks(TOGETHER) {
        let named: Vec<(&str, &str)> = papers.iter().map(|text| ("note.txt", text.as_str())).collect();
        ids.extend(server.files(&named).await.into_iter().map(|file| file["id"].clone()));
    }
    ids.into_iter().map(|id| json!([{"url": id}])).collect()
}

/// Everything that is kept, by its group; each group is there once at the most.
pub(super) async fn kept(server: &Server) -> HashMap<usize, Value> {
    let all = server.get(&format!("{PATH}?evidence=true")).await.ok();
    let mut kept = HashMap::new();
    for response in all.as_array().unwrap() {
        let group = paper::group_of(response).unwrap();
        assert!(kept.insert(group, response.clone()).is_none(), "group {group} is kept twice");
    }
    kept
}
