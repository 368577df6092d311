//! `formwork reviews`: the queue of values that people review.

use anyhow::{Context as _, bail};
use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Value, json};

use super::connection::Connection;
use super::{segment, text};
use crate::cli::print;

/// What is done with reviews.
#[derive(Debug, Subcommand)]
pub(crate) enum ReviewsCommand {
    /// List open reviews, the least certain values first
    List {
        /// Namespace of an agent
        #[arg(long)]
        agent: Option<String>,
        /// The newest first
        #[arg(long)]
        newest: bool,
    },
    /// Decide about one value
    Decide(DecideCommand),
}

/// A decision.
#[derive(Debug, Args)]
pub(crate) struct DecideCommand {
    /// Id of the review
    review: String,
    /// What to do
    action: Action,
    /// The right value, for `correct`: as a document prints it; a list or an object as JSON
    value: Option<String>,
    /// Text of the document that states the value
    #[arg(long)]
    quote: Option<String>,
    /// A note for the history
    #[arg(long)]
    note: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Action {
    Accept,
    Correct,
    NotStated,
    Reopen,
}

impl Action {
    fn name(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Correct => "correct",
            Self::NotStated => "not_stated",
            Self::Reopen => "reopen",
        }
    }
}

impl ReviewsCommand {
    /// # Errors
    /// When the server refuses a request, or a correction has no value.
    pub(super) async fn run(self, connection: &Connection) -> anyhow::Result<()> {
        match self {
            Self::List { agent, newest } => {
                let agent = agent.map(|agent| format!("&namespace={}", segment(&agent))).unwrap_or_default();
                let order = if newest { "newest" } else { "confidence" };
                let path = format!("/v1/reviews?state=open&limit=100&order={order}{agent}");
                let reviews = connection.rows(&path, "reviews").await?;
                print(&reviews.iter().map(line).collect::<String>())
            }
            Self::Decide(command) => {
                let decisions = json!({"decisions": [command.decision()?]});
                let decided = connection.post("/v1/reviews/decisions", &decisions).await?;
                print(&line(&decided["reviews"][0]))
            }
        }
    }
}

impl DecideCommand {
    fn decision(self) -> anyhow::Result<Value> {
        let Self { review, action, value, quote, note } = self;
        let mut decision = json!({"review_id": review, "action": action.name(), "note": note});
        if action == Action::Correct {
            decision["value"] = corrected(&value.context("the action correct needs a value")?)?;
        } else if value.is_some() {
            bail!("only the action correct takes a value");
        }
        if let Some(quote) = quote {
            decision["evidence"] = json!({"quote": quote});
        }
        Ok(decision)
    }
}

fn corrected(value: &str) -> anyhow::Result<Value> {
    match value.starts_with(['[', '{']) {
        true => serde_json::from_str(value).context("the value is not JSON"),
        false => Ok(Value::String(value.to_owned())),
    }
}

/// A review as a line of text.
fn line(review: &Value) -> String {
    let [id, state, agent, path] = ["id", "state", "namespace", "path"].map(|key| text(review, key));
    let confidence = review["confidence"].as_f64().map_or("–".to_owned(), |share| format!("{share:.2}"));
    let place = format!("{agent} {}/{}", review["sid"], review["group"]);
    format!("{id}  {state}  {confidence:>4}  {place}  {path}  {}\n", review["value"])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decision(action: Action, value: Option<&str>) -> anyhow::Result<Value> {
        let value = value.map(str::to_owned);
        DecideCommand { review: "r".into(), action, value, quote: None, note: None }.decision()
    }

    #[test]
    fn a_correction_has_a_value_and_nothing_else_has_one() {
        assert_eq!(decision(Action::Correct, Some("1.334,50 €")).unwrap()["value"], "1.334,50 €");
        assert_eq!(decision(Action::Correct, Some("[{\"a\": 1}]")).unwrap()["value"], json!([{"a": 1}]));
        assert_eq!(decision(Action::NotStated, None).unwrap()["action"], "not_stated");
        let none = [(Action::Correct, None), (Action::Correct, Some("[1")), (Action::Accept, Some("1"))];
        assert!(none.into_iter().all(|(action, value)| decision(action, value).is_err()));
    }
}
