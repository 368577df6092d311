//! Existing resources for the run, so that operations on them have some to work on.

use anyhow::Context as _;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use crate::server::Server;

/// Number of uploaded files.
const FILES: usize = 50;

/// Identifiers of the created resources.
#[derive(Debug)]
pub(super) struct Samples {
    /// A form's id.
    pub(super) form: String,
    /// The namespace of an agent that fills the form.
    pub(super) agent: String,
    /// The id of a file, too large for a generated id to delete it.
    pub(super) file: String,
    /// The token of its capability URL.
    pub(super) token: String,
    /// The id of a note on the agent.
    pub(super) note: String,
}

impl Samples {
    /// Creates one resource of each kind.
    pub(super) fn make(server: &Server) -> anyhow::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(make(server))
    }
}

async fn make(server: &Server) -> anyhow::Result<Samples> {
    let client = server.client()?;
    let post = async |path: &str, body: Value| -> anyhow::Result<Value> {
        let answer = client.post(format!("{}{path}", server.url)).json(&body).send().await?;
        Ok(answer.error_for_status()?.json().await?)
    };
    let text = |value: &Value| value.as_str().map(str::to_owned).context("an id that is a text");
    let schema = json!({"vendor": {"type": "string"}, "total": {"type": "number"}});
    let form = text(&post("/v1/form", json!({"title": "Invoice", "schema": schema})).await?["form_id"])?;
    let agent = "invoices".to_owned();
    post("/v1/agent", json!({"namespace": agent, "form_id": form})).await?;
    let parts = (0..FILES).fold(Form::new(), |parts, _| {
        let part = Part::bytes(b"Vendor: Harbour Works\nTotal: 12.50\n".as_slice());
        parts.part("files", part.file_name("invoice.txt"))
    });
    let upload = client.post(format!("{}/v1/files", server.url)).multipart(parts);
    let files: Vec<Value> = upload.send().await?.error_for_status()?.json().await?;
    let file = files.last().context("a file")?;
    // A capability URL ends with the token and the name.
    let token = file["url"].as_str().and_then(|url| url.rsplit('/').nth(1)).context("a token")?.to_owned();
    let file = file["id"].to_string();
    let note = json!({"content": "Paid.", "role": "user", "resource": "agent", "resource_id": agent});
    let note = text(&post("/v1/notes", note).await?["noteId"])?;
    Ok(Samples { form, agent, file, token, note })
}
