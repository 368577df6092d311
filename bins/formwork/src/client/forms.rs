//! `formwork forms`: forms as files.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Subcommand;
use forms_core::json_schema::{from_json_schema, is_json_schema};
use rules_engine::schema::template;
use serde_json::{Map, Value, json};

use super::connection::Connection;
use super::{form_diff, segment, tell, text};
use crate::cli::print;

/// What is done with forms.
#[derive(Debug, Subcommand)]
pub(crate) enum FormsCommand {
    /// List the newest forms
    List,
    /// Create a form from a JSON file and print its id
    Import {
        /// {"title": …, "schema": {…}}, the schema alone, or a JSON Schema
        file: PathBuf,
        /// Title (default: that of the file, or its name)
        #[arg(long)]
        title: Option<String>,
    },
    /// Print a form as JSON, as `import` and `extract` read it
    Export {
        /// Id of the form
        form: String,
        /// Print the JSON Schema of its records instead
        #[arg(long)]
        json_schema: bool,
    },
    /// List the newest versions of a form; the one in force has an asterisk
    Versions {
        /// Id of the form
        form: String,
    },
    /// Store the schema of a file as a draft of a form and print the number of its version
    Draft {
        /// Id of the form
        form: String,
        /// As `import` reads it; its title is ignored
        file: PathBuf,
    },
    /// List the fields in which two versions of a form differ
    Diff {
        /// Id of the form
        form: String,
        /// Number of the version before
        before: u32,
        /// Number of the version after
        after: u32,
    },
    /// Put a version of a form in force: a draft, or an older version
    Publish {
        /// Id of the form
        form: String,
        /// Number of the version
        version: u32,
        /// Only if this evaluation of the version is not worse than the base, with 95 % certainty
        #[arg(long, value_name = "SID")]
        evaluation: Option<i64>,
        /// The evaluation to compare with (default: the newest one of the version in force)
        #[arg(long, value_name = "SID", requires = "evaluation")]
        base: Option<i64>,
        /// Only if no smaller share of the values is right
        #[arg(long, value_name = "SHARE", requires = "evaluation")]
        minimum: Option<f64>,
        /// A field that the version may drop, such as /lines/note; may be given several times
        #[arg(long, value_name = "FIELD")]
        may_drop: Vec<String>,
    },
}

impl FormsCommand {
    /// # Errors
    /// When a file cannot be read, or the server refuses a request.
    pub(super) async fn run(self, connection: &Connection) -> anyhow::Result<()> {
        match self {
            Self::Versions { form } => print(&versions(connection, &form).await?),
            Self::Draft { form, file } => print(&draft(connection, &form, &file).await?),
            Self::Diff { form, before, after } => print(&diff(connection, &form, before, after).await?),
            Self::Publish { form, version, evaluation, base, minimum, may_drop } => {
                let path = format!("/v1/form/{}/versions/{version}/publish", segment(&form));
                let mut gate = json!({"evaluation": evaluation, "base": base, "minimum": minimum});
                if !may_drop.is_empty() {
                    gate["may_drop"] = json!(may_drop);
                }
                connection.post(&path, &gate).await?;
                print(&format!("Version {version} is in force.\n"))
            }
            Self::List => {
                let forms = connection.rows("/v1/form?limit=100", "forms").await?;
                let line = |form| {
                    let [id, created, title] =
                        ["form_id", "created_timestamp", "title"].map(|key| text(form, key));
                    format!("{id}  {created}  {title}\n")
                };
                print(&forms.iter().map(line).collect::<String>())
            }
            Self::Import { file, title } => print(&format!("{}\n", import(connection, &file, title).await?)),
            Self::Export { form, json_schema: true } => {
                let schema = connection.get(&format!("/v1/form/{}/json_schema", segment(&form))).await?;
                print(&format!("{}\n", serde_json::to_string_pretty(&schema)?))
            }
            Self::Export { form, json_schema: false } => {
                let form = connection.get(&format!("/v1/form/{}", segment(&form))).await?;
                let form = json!({"title": form["title"], "schema": form["schema"]});
                print(&format!("{}\n", serde_json::to_string_pretty(&form)?))
            }
        }
    }
}

/// The newest versions of a form as lines of text.
async fn versions(connection: &Connection, form: &str) -> anyhow::Result<String> {
    let list = connection.get(&format!("/v1/form/{}/versions?limit=100", segment(form))).await?;
    let line = |version: &Value| {
        let mark = if version["version"] == list["published_version"] { "*" } else { " " };
        let [created, state] = ["created_timestamp", "state"].map(|key| text(version, key));
        format!("{mark} {:>4}  {created}  {state}\n", version["version"].to_string())
    };
    Ok(list["versions"].as_array().into_iter().flatten().map(line).collect())
}

/// Stores a draft; the number of its version as a line of text.
async fn draft(connection: &Connection, form: &str, file: &Path) -> anyhow::Result<String> {
    let read = read(file, None)?;
    let change = json!({"schema": read["schema"], "draft": true});
    let form = connection.put(&format!("/v1/form/{}", segment(form)), &change).await?;
    match form["draft_version"].as_u64() {
        Some(version) => Ok(format!("{version}\n")),
        // It is what the version in force has.
        None => anyhow::bail!("{} has the schema of the version in force; there is no draft", file.display()),
    }
}

/// How two versions of a form differ as lines of text.
async fn diff(connection: &Connection, form: &str, before: u32, after: u32) -> anyhow::Result<String> {
    let version =
        async |number: u32| connection.get(&format!("/v1/form/{}/versions/{number}", segment(form))).await;
    let (before, after) = (version(before).await?, version(after).await?);
    let mut lines = form_diff::diff(&before["schema"], &after["schema"]);
    if before["examples"] != after["examples"] {
        let count = |version: &Value| version["examples"].as_array().map_or(0, Vec::len);
        lines.push(format!("~ examples: {} → {}", count(&before), count(&after)));
    }
    Ok(lines.iter().map(|line| format!("{line}\n")).collect())
}

/// A form of a file: with its envelope, the schema alone, or a JSON Schema; or a template of that id. Without a
/// title it has the name of the file.
///
/// # Errors
/// When the file cannot be read or is not JSON.
pub(super) fn read(file: &Path, title: Option<String>) -> anyhow::Result<Value> {
    // No folder and no suffix: the id of a template, unless a file has that name.
    let ready = file.to_str().filter(|_| !file.exists()).and_then(|id| template(id, "en"));
    if let Some(ready) = ready {
        return Ok(json!({"title": title.unwrap_or(ready.title), "schema": ready.schema}));
    }
    let text = std::fs::read(file).with_context(|| format!("{} cannot be read", file.display()))?;
    let form: Value =
        serde_json::from_slice(&text).with_context(|| format!("{} is not JSON", file.display()))?;
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let title = title.or_else(|| form["title"].as_str().map(str::to_owned)).unwrap_or(name);
    let schema = if form["schema"].is_object() { &form["schema"] } else { &form };
    if schema.as_object().is_some_and(is_json_schema) {
        return Ok(json!({"title": title, "schema": converted(schema, file)?}));
    }
    Ok(json!({"title": title, "schema": schema}))
}

/// The form of a JSON Schema. What it cannot have is told.
fn converted(schema: &Value, file: &Path) -> anyhow::Result<Map<String, Value>> {
    let import = from_json_schema(schema).map_err(|violations| {
        let told: Vec<String> =
            violations.iter().map(|found| format!("{}: {}", found.path, found.message)).collect();
        anyhow::anyhow!(
            "{} is a JSON Schema of which no form can be made: {}",
            file.display(),
            told.join("; ")
        )
    })?;
    for warning in &import.warnings {
        tell(&format!("{}: {}", warning.path, warning.message));
    }
    Ok(import.schema)
}

/// Creates the form of a file and returns its id.
///
/// # Errors
/// When the file cannot be read, or the server refuses the form.
pub(super) async fn import(
    connection: &Connection,
    file: &Path,
    title: Option<String>,
) -> anyhow::Result<String> {
    create(connection, &read(file, title)?).await
}

/// Creates a form and returns its id.
///
/// # Errors
/// When the server refuses it.
pub(super) async fn create(connection: &Connection, form: &Value) -> anyhow::Result<String> {
    let form = connection.post("/v1/form", form).await?;
    Ok(form["form_id"].as_str().context("the server names no form")?.to_owned())
}
