//! `cargo xtask demo`: the main use case over HTTP, with documents written for the project.

use anyhow::Context as _;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use crate::server::Server;

const SAMPLES: [(&str, &[u8]); 3] = [
    ("harbour-invoice.txt", include_bytes!("../samples/harbour-invoice.txt")),
    ("werkstatt-rechnung.html", include_bytes!("../samples/werkstatt-rechnung.html")),
    ("orchard-order.md", include_bytes!("../samples/orchard-order.md")),
];

/// Runs it and prints the answers.
pub(crate) fn run() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(run_demo())
}

async fn run_demo() -> anyhow::Result<()> {
    let server = Server::start()?;
    println!("\nserver: {}\n", server.url);
    let client = server.client()?;
    let post = async |path: &str, body: &Value| -> anyhow::Result<Value> {
        println!("POST {path}\n{body:#}");
        let answer = client.post(format!("{}{path}", server.url)).json(body).send().await?;
        let answer: Value = answer.error_for_status()?.json().await?;
        println!("→ {answer:#}\n");
        Ok(answer)
    };
    let form = json!({
        "title": "Invoice",
        "schema": {
            "vendor": {"type": "string", "order": 1, "description": "Company that issued the document"},
            "invoice_number": {"type": "string", "order": 2},
            "date": {"type": "date", "order": 3},
            "due_date": {"type": "date", "order": 4},
            "total": {"type": "number", "order": 5, "description": "Amount to pay"},
            "iban": {"type": "string", "order": 6}
        }
    });
    let form = post("/v1/form", &form).await?;
    let agent = json!({"namespace": "invoices", "form_id": form["form_id"]});
    post("/v1/agent", &agent).await?;
    let mut upload = Form::new();
    for (name, content) in SAMPLES {
        upload = upload.part("files", Part::bytes(content).file_name(name));
    }
    println!("POST /v1/files ({} files)", SAMPLES.len());
    let files = client.post(format!("{}/v1/files", server.url)).multipart(upload).send().await?;
    let files: Value = files.error_for_status()?.json().await?;
    println!("→ {files:#}\n");
    let groups: Vec<Value> = files
        .as_array()
        .context("files")?
        .iter()
        .map(|file| json!([{"description": file["name"], "url": file["url"]}]))
        .collect();
    post("/v1/agent/invoices/workflow/delta?evidence=true", &json!(groups)).await?;
    println!("GET /v1/agent/invoices/workflow/delta?meta=true");
    let kept =
        client.get(format!("{}/v1/agent/invoices/workflow/delta?meta=true", server.url)).send().await?;
    println!("→ {:#}\n", kept.error_for_status()?.json::<Value>().await?);
    let base = post("/knowledgebase", &json!({"name": "Papers"})).await?;
    let id = base["knowledgeId"].as_str().context("knowledgeId")?;
    let ids: Vec<&Value> = files.as_array().context("files")?.iter().map(|file| &file["id"]).collect();
    post(&format!("/knowledgebase/{id}/files"), &json!({"file_ids": ids})).await?;
    println!("GET /knowledgebase/{id}/events");
    let events = client.get(format!("{}/knowledgebase/{id}/events", server.url)).send().await?;
    println!("{}", events.error_for_status()?.text().await?);
    post(&format!("/knowledgebase/{id}/search"), &json!({"query": "rope", "limit": 2})).await?;
    let question = "When is the invoice of Harbour Light Chandlers due?";
    let question = json!({"modelId": "extractive@formwork", "prompt": question, "knowledgeId": id});
    post("/v2/generate", &question).await?;
    Ok(())
}
