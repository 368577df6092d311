//! `formwork agents`: the agents that hold conversations and read documents.

use std::path::PathBuf;

use clap::Subcommand;
use serde_json::json;

use super::connection::Connection;
use super::{forms, text};
use crate::cli::print;

/// What is done with agents.
#[derive(Debug, Subcommand)]
pub(crate) enum AgentsCommand {
    /// List the newest agents
    List,
    /// Create an agent, with a form or without
    Create {
        /// Its namespace, by which it is called
        namespace: String,
        /// Its form: the id of a form, or a JSON file as `forms import` reads it
        #[arg(long, value_name = "FORM")]
        form: Option<String>,
        /// Model, such as NAME@VENDOR (default: that of the server)
        #[arg(long, value_name = "MODEL")]
        model: Option<String>,
        /// Instructions for the model
        #[arg(long, value_name = "TEXT")]
        instructions: Option<String>,
    },
}

impl AgentsCommand {
    /// # Errors
    /// When a file cannot be read, or the server refuses a request.
    pub(super) async fn run(self, connection: &Connection) -> anyhow::Result<()> {
        match self {
            Self::List => {
                let agents = connection.rows("/v1/agent?limit=100", "agents").await?;
                let line = |agent| {
                    format!(
                        "{}  {}  {}\n",
                        text(agent, "namespace"),
                        text(agent, "form_id"),
                        text(agent, "name")
                    )
                };
                print(&agents.iter().map(line).collect::<String>())
            }
            Self::Create { namespace, form, model, instructions } => {
                let form = match form {
                    Some(form) => Some(form_id(connection, form).await?),
                    None => None,
                };
                create(connection, &namespace, form, model, instructions).await?;
                print(&format!("{namespace}\n"))
            }
        }
    }
}

/// Creates an agent.
///
/// # Errors
/// When the server refuses it.
pub(super) async fn create(
    connection: &Connection,
    namespace: &str,
    form: Option<String>,
    model: Option<String>,
    instructions: Option<String>,
) -> anyhow::Result<()> {
    let mut body = json!({"namespace": namespace});
    for (key, value) in [("form_id", form), ("modelId", model), ("instructions", instructions)] {
        if let Some(value) = value {
            body[key] = json!(value);
        }
    }
    connection.post("/v1/agent", &body).await.map(drop)
}

/// The id of a form that is named by its id or by a file.
async fn form_id(connection: &Connection, form: String) -> anyhow::Result<String> {
    let file = PathBuf::from(&form);
    if !file.exists() {
        return Ok(form);
    }
    forms::import(connection, &file, None).await
}
