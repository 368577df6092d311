//! `formwork eval`: evaluates an agent over a set, for continuous integration.

use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use serde_json::{Value, json};

use super::connection::Connection;
use super::watch::watch;
use super::{segment, tell, text};
use crate::cli::print;

/// Shown below the options.
pub(super) const EXAMPLES: &str = "\
Examples:
  formwork eval set_0190… --agent invoices
      Runs the agent over the set and prints the accuracy of each field
  formwork eval set_0190… --agent invoices --base previous --fail-under 0.95
      Fails when it is worse than the evaluation before, or less than 95 % of the values are right";

/// Which set, and what passes.
#[derive(Debug, Args)]
pub(crate) struct EvalCommand {
    /// Id of the evaluation set
    set: String,
    /// Namespace of the agent
    #[arg(long)]
    agent: String,
    /// Evaluate this model instead of the agent's
    #[arg(long, value_name = "MODEL@PROVIDER")]
    model: Option<String>,
    /// Evaluate this version of the form, a draft too, instead of the agent's
    #[arg(long, value_name = "NUMBER")]
    form_version: Option<u32>,
    /// Compare with this evaluation, by its number, or with the `previous` one; fail when the new one is worse with 95 %
    /// certainty
    #[arg(long, value_name = "SID|previous")]
    base: Option<String>,
    /// Fail when a smaller share of the values is right
    #[arg(long, value_name = "SHARE")]
    fail_under: Option<f64>,
    /// Print the scores as JSON
    #[arg(long)]
    json: bool,
}

impl EvalCommand {
    /// The exit code is 1 when the evaluation does not pass.
    ///
    /// # Errors
    /// When the server refuses a request, or the run was cancelled or stopped.
    pub(super) async fn run(self, connection: &Connection) -> anyhow::Result<ExitCode> {
        let path = format!("/v1/evaluation_sets/{}/evaluations", segment(&self.set));
        let base = self.base(connection, &path).await?;
        let body = json!({"namespace": self.agent, "modelId": self.model, "form_version": self.form_version});
        let begun = connection.post(&path, &body).await?;
        let sid = begun["sid"].as_i64().context("the server did not say which run it started")?;
        let run = watch(connection, &self.agent, sid).await?;
        let state = text(&run, "state");
        if !["succeeded", "partly_failed", "failed"].contains(&state) {
            bail!("the run {sid} is {state}, so it has no whole scores");
        }
        let query = base.map(|base| format!("?base={base}")).unwrap_or_default();
        let scores = connection.get(&format!("{path}/{sid}{query}")).await?;
        match self.json {
            true => print(&format!("{scores}\n"))?,
            false => print(&table(&scores))?,
        }
        Ok(if self.passes(&scores) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    /// The number of the evaluation to compare with.
    async fn base(&self, connection: &Connection, path: &str) -> anyhow::Result<Option<i64>> {
        match self.base.as_deref() {
            None => Ok(None),
            Some("previous") => {
                let known = connection.rows(path, "evaluations").await?;
                let over = known.iter().find(|one| text(one, "state") != "running");
                if over.is_none() {
                    tell("there is no previous evaluation to compare with");
                }
                Ok(over.and_then(|one| one["sid"].as_i64()))
            }
            Some(sid) => {
                let sid =
                    sid.parse().ok().context("'--base' must be the number of an evaluation, or previous")?;
                Ok(Some(sid))
            }
        }
    }

    fn passes(&self, scores: &Value) -> bool {
        let mut passes = true;
        if scores["comparison"]["is_worse"] == true {
            tell("failed: it is worse than the evaluation that it is compared with");
            passes = false;
        }
        if let Some(least) = self.fail_under
            && scores["accuracy"]["value"].as_f64().is_none_or(|share| share < least)
        {
            tell(&format!("failed: less than {} of the values are right", percent(least)));
            passes = false;
        }
        passes
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// A share with its interval.
fn share(value: &Value) -> String {
    let part = |name: &str| value[name].as_f64();
    match (part("value"), part("low"), part("high")) {
        (Some(value), Some(low), Some(high)) => {
            format!("{:>7}  ({} to {})", percent(value), percent(low), percent(high))
        }
        _ => "      –".to_owned(),
    }
}

/// The scores as lines of text.
fn table(scores: &Value) -> String {
    let fields: Vec<&Value> = scores["fields"].as_array().into_iter().flatten().collect();
    let widest =
        fields.iter().map(|field| text(field, "field").chars().count()).max().unwrap_or_default().max(8);
    let mut lines = String::new();
    for field in fields {
        let counts: Vec<String> = ["wrong", "missing", "invented"]
            .iter()
            .filter(|name| field[**name].as_u64().is_some_and(|count| count > 0))
            .map(|name| format!("{} {name}", field[*name]))
            .collect();
        let line =
            format!("{:widest$}  {}  {}", text(field, "field"), share(&field["accuracy"]), counts.join(", "));
        lines += line.trim_end();
        lines.push('\n');
    }
    lines += &format!("{:widest$}  {}\n", "all", share(&scores["accuracy"]));
    let cost = scores["cost"].as_f64().map_or_else(|| "unknown".to_owned(), |cost| format!("${cost:.4}"));
    lines += &format!(
        "evaluation {}: {} of {} groups whole, {} failed, cost {cost}\n",
        scores["sid"], scores["whole"], scores["groups"], scores["failed"]
    );
    let comparison = &scores["comparison"];
    if comparison.is_object() {
        lines += &format!(
            "against the base: {} values better, {} worse, {} otherwise wrong\n",
            comparison["better"], comparison["worse"], comparison["other"]
        );
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_a_table_with_what_is_wrong() {
        let share = json!({"value": 0.5, "low": 0.25, "high": 0.75});
        let scores = json!({
            "sid": 9, "accuracy": share, "groups": 4, "whole": 1, "failed": 1, "cost": 0.25,
            "fields": [
                {"field": "/total", "accuracy": share, "wrong": 1, "missing": 0, "invented": 2},
                {"field": "/day", "accuracy": null, "wrong": 0, "missing": 0, "invented": 0}
            ],
            "comparison": {"better": 1, "worse": 0, "other": 2}
        });
        assert_eq!(
            table(&scores),
            "/total     50.0 %  (25.0 % to 75.0 %)  1 wrong, 2 invented\n\
             /day            –\n\
             all        50.0 %  (25.0 % to 75.0 %)\n\
             evaluation 9: 1 of 4 groups whole, 1 failed, cost $0.2500\n\
             against the base: 1 values better, 0 worse, 2 otherwise wrong\n"
        );
    }
}
