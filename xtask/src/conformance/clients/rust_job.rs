//! The main job with the client of openapi-to-rust.

#[allow(warnings, reason = "the generator's code, most of which the job does not call")]
mod generated;

use std::env::var;
use std::error::Error;

use generated::client::HttpClient;
use generated::types::{
    CreateAgent, CreateForm, DeltaBody, DeltaDocument, DeltaDocumentUrl, DeltaGroups, FileUpload, MultipartFile,
};
use serde_json::json;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let client = HttpClient::new().with_base_url(var("FORMWORK_URL")?).with_api_key(var("FORMWORK_KEY")?);
    let once = None::<&str>;
    let schema = serde_json::from_value(json!({
        "vendor": {"type": "string", "description": "Company that issued the invoice", "required": true},
        "total": {"type": "number", "minimum": 0.0},
        "currency": {"type": "string", "enum": ["EUR", "GBP"]},
        "issued": {"type": "date"},
        "paid": {"type": "boolean"},
        "lines": {"type": "array", "items": {"type": "object", "properties": {"article": {"type": "string"}}}}
    }))?;
    let form = client.create_form(once, CreateForm { title: "Invoice".to_owned(), schema, examples: None }).await?;
    let document = MultipartFile::new(var("FORMWORK_DOCUMENT")?)
        .with_file_name("invoice.txt")
        .with_content_type("text/plain");
    let files = client.upload_files(once, FileUpload::new(vec![document])).await?;
    let mut agent = CreateAgent::new("openapi-to-rust".to_owned());
    agent.form_id = Some(Some(form.form_id.clone()));
    let agent = client.create_agent(once, agent).await?;
    let url = DeltaDocumentUrl::UnsignedInteger(files[0].id.try_into()?);
    let files = vec![vec![DeltaDocument { description: None, url, pages: None }]];
    let groups = DeltaBody::DeltaGroups(DeltaGroups { files });
    let run = client
        .run_delta(
            agent.namespace,
            None,
            None,
            None,
            None,
            once,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            once,
            once,
            once,
            groups,
        )
        .await?;
    let results = serde_json::to_value(run.results)?;
    let record = &results[0];
    let expected = [("vendor", json!("Harbour Works")), ("total", json!(12.5)), ("issued", json!("2026-03-14"))];
    assert!(expected.iter().all(|(name, value)| record[name] == *value), "{results}");
    let listed = client.list_forms(None, None, once, once).await?;
    assert!(listed.forms.iter().any(|item| item.form_id == form.form_id), "the form is not listed");
    Ok(())
}
