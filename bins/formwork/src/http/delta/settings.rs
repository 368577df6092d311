//! Settings of a run, from the query.

use delta_core::{CallMode, MAX_LABELS, MAX_TIMEOUT, RunSettings};
use gen_core::{Cost, Effort};
use jobs_core::Priority;
use serde::Deserialize;
use serde_json::json;

use crate::http::ApiError;
use crate::http::operation::OperationBuilder;

/// The least budget in US dollars, the unit of costs.
const MIN_BUDGET: f64 = 1e-9;
/// The largest: an integer of nano-dollars holds far more.
const MAX_BUDGET: f64 = 1e9;

/// The parameters of the query.
#[derive(Default, Deserialize)]
pub(super) struct SettingsQuery {
    effort: Option<String>,
    timeout: Option<u32>,
    budget: Option<f64>,
    priority: Option<String>,
    mode: Option<String>,
    labels: Option<String>,
}

/// Describes the parameters.
pub(super) fn describe(operation: OperationBuilder<'_>) -> OperationBuilder<'_> {
    operation
        .query("effort", json!({"type": "string", "enum": Effort::ALL.map(Effort::name)}), "How much the model may reason.")
        .query(
            "timeout",
            json!({"type": "integer", "minimum": 1, "maximum": MAX_TIMEOUT}),
            "Limit of one model call in seconds; measured from the prompt without it.",
        )
        .query(
            "budget",
            json!({"type": "number", "minimum": MIN_BUDGET, "maximum": MAX_BUDGET}),
            "US dollars. No group starts once the run has cost as much.",
        )
        .query(
            "priority",
            json!({"type": "string", "enum": Priority::ALL.map(Priority::name), "default": Priority::default().name()}),
            "Which of the workspace's runs are processed first.",
        )
        .query(
            "mode",
            json!({"type": "string", "enum": CallMode::ALL.map(CallMode::name), "default": CallMode::default().name()}),
            "batch: the first calls of each group wait for a batch of the provider, at half the price.",
        )
        .query(
            "labels",
            json!({"type": "string", "pattern": format!("^[a-z0-9_.:-]{{1,64}}(,[a-z0-9_.:-]{{1,64}}){{0,{}}}$", MAX_LABELS - 1)}),
            "Names by which the run is found again, with commas between them.",
        )
}

impl SettingsQuery {
    pub(super) fn settings(self) -> Result<RunSettings, ApiError> {
        let effort = match self.effort.as_deref() {
            None => None,
            Some(name) => Some(Effort::of_name(name).ok_or_else(|| {
                ApiError::invalid("?effort", "'effort' must be low, medium or high".to_owned())
            })?),
        };
        let priority = match self.priority.as_deref() {
            None => Priority::default(),
            Some(name) => Priority::of_name(name).ok_or_else(|| {
                ApiError::invalid("?priority", "'priority' must be low, normal or high".to_owned())
            })?,
        };
        let mode = match self.mode.as_deref() {
            None => CallMode::default(),
            Some(name) => CallMode::of_name(name)
                .ok_or_else(|| ApiError::invalid("?mode", "'mode' must be direct or batch".to_owned()))?,
        };
        let budget = match self.budget {
            None => None,
            Some(dollars) if (MIN_BUDGET..=MAX_BUDGET).contains(&dollars) => {
                Some(Cost((dollars * 1e9) as u64))
            }
            Some(_) => {
                let rule = format!("'budget' must be more than 0 and at most {MAX_BUDGET} US dollars");
                return Err(ApiError::invalid("?budget", rule));
            }
        };
        let labels = self.labels.iter().flat_map(|labels| labels.split(',')).map(str::to_owned).collect();
        Ok(RunSettings { effort, timeout: self.timeout, budget, priority, mode, labels })
    }
}
