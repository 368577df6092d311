//! `formwork chat`: a conversation on the terminal.

use std::io::BufRead as _;
use std::path::Path;

use anyhow::Context as _;
use clap::Args;
use serde_json::{Value, json};

use super::connection::Connection;
use super::{segment, tell};
use crate::cli::print;

/// Arguments of `formwork chat`.
#[derive(Debug, Args)]
pub(crate) struct ChatCommand {
    /// Namespace of the agent
    agent: String,
    /// Continue this session
    #[arg(long, value_name = "SESSION")]
    session: Option<String>,
    /// Print each answer as JSON, one a line
    #[arg(long)]
    json: bool,
}

impl ChatCommand {
    /// Sends each line of standard input as a message, until its end. `/file PATH` adds a document to the next message.
    ///
    /// # Errors
    /// When the server cannot be reached or standard input cannot be read. A message that is refused is reported,
    /// and the conversation goes on.
    pub(super) async fn run(self, connection: &Connection) -> anyhow::Result<()> {
        let path = format!("/v1/agent/{}/chat", segment(&self.agent));
        let mut session = self.session;
        let mut files: Vec<String> = Vec::new();
        tell("Write a message and press Enter; `/file PATH` adds a document; Ctrl-D ends.");
        // Nothing else runs on this thread while the user writes.
        for line in std::io::stdin().lock().lines() {
            let line = line.context("standard input cannot be read")?;
            let line = line.trim();
            if let Some(file) = line.strip_prefix("/file ") {
                match connection.store_document(Path::new(file.trim())).await {
                    Ok(id) => files.push(id.to_string()),
                    Err(error) => tell(&format!("{error:#}")),
                }
                continue;
            }
            if line.is_empty() {
                continue;
            }
            let mut body = json!({"message": line, "urls": files});
            if let Some(session) = &session {
                body["session_id"] = json!(session);
            }
            match connection.post(&path, &body).await {
                Ok(answer) => {
                    session = answer["session_id"].as_str().map(str::to_owned).or(session);
                    files.clear();
                    print(&if self.json { format!("{answer}\n") } else { shown(&answer) })?;
                }
                Err(error) => tell(&format!("{error:#}")),
            }
        }
        if let Some(session) = session {
            tell(&format!("`formwork chat {} --session {session}` continues", self.agent));
        }
        Ok(())
    }
}

/// The reply, and the record when it was submitted.
fn shown(answer: &Value) -> String {
    let mut text = format!("{}\n", answer["text"].as_str().unwrap_or_default());
    if answer["form"]["submission_id"].is_string() {
        text.push_str(&format!("{:#}\n", answer["form"]["values"]));
    }
    text
}
