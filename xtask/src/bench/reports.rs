//! Long reports and wide forms before a vendor that knows the truth: what is lost, and what is sent. Nothing is timed,
//! so the server is built as for the tests.

use anyhow::Context as _;
use serde_json::{Value, json};
use testkit::vendor::report::Report;
use testkit::vendor::{Behaviour, Vendor};

use crate::server::Server;

/// The reports: fields, pages, rows.
const REPORTS: [Report; 6] = [
    Report { fields: 40, pages: 1, rows: 0 },
    Report { fields: 400, pages: 1, rows: 0 },
    Report { fields: 400, pages: 20, rows: 0 },
    Report { fields: 400, pages: 300, rows: 0 },
    Report { fields: 10, pages: 100, rows: 2_000 },
    Report { fields: 400, pages: 300, rows: 2_000 },
];
/// How each vendor gets the schema: enforced, and enforced and told.
const MODELS: [&str; 2] = ["gpt-6-luna@openai", "own/bench@formwork"];

/// Prints the table.
pub(super) fn run() -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    println!(
        "\n| model | fields | pages | rows | values right | wrong | missing | invented | calls | tokens sent for each token \
         of the document |\n|---|---|---|---|---|---|---|---|---|---|"
    );
    for model in MODELS {
        for report in REPORTS {
            println!("{}", runtime.block_on(measure(model, &report))?);
        }
    }
    Ok(())
}

async fn measure(model: &str, report: &Report) -> anyhow::Result<String> {
    let vendor = Vendor::start(Behaviour::default())?;
    let base = format!("{}/v1", vendor.url());
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("formwork.toml");
    std::fs::write(
        &file,
        format!(
            "[models.openai]\nkey = \"none\"\nbase_url = \"{base}\"\n[[models.own]]\nname = \"own\"\n\
             base_url = \"{base}\"\n[[models.own.models]]\nname = \"bench\"\nkind = \"text-to-text\"\n\
             context_tokens = 200000\noutput_tokens = 32000\n"
        ),
    )?;
    let server = Server::start_checked(|command| command.arg("--config").arg(&file))?;
    let client = server.client()?;
    let post = async |path: &str, body: Value| {
        let answer = client.post(format!("{}{path}", server.url)).json(&body).send().await?;
        anyhow::Ok(answer.error_for_status()?.json::<Value>().await?)
    };
    let form = post("/v1/form", json!({"title": "Report", "schema": report.schema()})).await?;
    post("/v1/agent", json!({"namespace": "bench", "form_id": form["form_id"], "modelId": model})).await?;
    let text = report.text();
    let bytes = text.len();
    let part = reqwest::multipart::Part::text(text).file_name("report.md");
    let upload = reqwest::multipart::Form::new().part("files", part);
    let files = client.post(format!("{}/v1/files", server.url)).multipart(upload).send().await?;
    let files: Value = files.error_for_status()?.json().await?;
    let answer = post("/v1/agent/bench/workflow/delta", json!([[{"url": files[0]["id"]}]])).await?;
    let record = answer["results"].get(0).context("the group has no record")?;
    let counts = Counts::of(&report.record(), record);
    let Report { fields, pages, rows } = report;
    let sent = vendor.ledger().total();
    // The vendor charges a token for four bytes.
    let share = (sent.input_tokens * 4) as f64 / bytes as f64;
    Ok(format!(
        "| {model} | {fields} | {pages} | {rows} | {} | {} | {} | {} | {} | {share:.2} |",
        counts.right, counts.wrong, counts.missing, counts.invented, sent.calls
    ))
}

/// Scalars of a record beside those of the truth; rows are compared in their order.
#[derive(Debug, Default)]
struct Counts {
    right: u64,
    wrong: u64,
    missing: u64,
    invented: u64,
}

impl Counts {
    fn of(truth: &Value, record: &Value) -> Self {
        let mut counts = Self::default();
        counts.add(truth, record);
        counts
    }

    fn add(&mut self, truth: &Value, given: &Value) {
        match (truth, given) {
            (Value::Object(members), _) => {
                members.iter().for_each(|(name, own)| self.add(own, &given[name.as_str()]))
            }
            (Value::Array(rows), given) => {
                rows.iter().enumerate().for_each(|(at, row)| self.add(row, &given[at]));
                let more = given.as_array().map_or(0, |given| given.len().saturating_sub(rows.len()));
                self.invented += more as u64;
            }
            (Value::Null, Value::Null) => {}
            (Value::Null, _) => self.invented += 1,
            (_, Value::Null) => self.missing += 1,
            (own, given) if own == given || own.as_f64().is_some_and(|own| given.as_f64() == Some(own)) => {
                self.right += 1
            }
            _ => self.wrong += 1,
        }
    }
}
