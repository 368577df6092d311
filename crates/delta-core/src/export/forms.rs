//! The forms of an agent's responses.

use forms_core::table::ListLayout;
use forms_core::{FormSchema, FormsError};
use shared_core::{PageRequest, Position, Scope};

use super::{ExportExtras, ExportLayout};
use crate::{DeltaError, RunId, RunPlan, RunService};

// They bound memory and time of an export. Chosen by hand; no measurement is recorded.
/// Runs read per page.
const PAGE: u32 = 100;
/// Pages of runs searched at most, the newest first.
const MAX_PAGES: usize = 100;
/// Versions of forms whose columns are used at most, the newest first.
const MAX_FORMS: usize = 100;

/// The forms that responses were made with.
struct FormsUsed {
    /// With their versions.
    forms: Vec<(String, u32)>,
    is_complete: bool,
    /// Whether documents were or are classified to several forms.
    several: bool,
}

impl RunService {
    /// The tables for the agent's responses, of one run or of all: columns of the agent's current form first,
    /// then those that only older versions or former forms have.
    ///
    /// # Errors
    /// When the agent is unknown or has no form, it has no such run, or the store fails.
    pub async fn layout(
        &self,
        scope: &Scope,
        namespace: &str,
        sid: Option<RunId>,
        shape: ListLayout,
        extras: ExportExtras,
    ) -> Result<ExportLayout, DeltaError> {
        let FormsUsed { forms: used, is_complete, several } = self.forms_used(scope, namespace, sid).await?;
        let extras = ExportExtras { form_id: extras.form_id || several, ..extras };
        let mut complete = is_complete && used.len() <= MAX_FORMS;
        let mut forms = Vec::new();
        for (id, version) in used.into_iter().take(MAX_FORMS) {
            let schema = match self.ports.forms.version(scope, &id, version).await {
                Ok(form) => FormSchema::parse(&form.schema).ok(),
                // A form that the agent no longer uses can be deleted.
                Err(FormsError::NotFound | FormsError::VersionNotFound) => None,
                Err(error) => return Err(error.into()),
            };
            complete &= schema.is_some();
            forms.extend(schema);
        }
        Ok(ExportLayout::new(&forms, complete, shape, extras))
    }

    /// The forms of the responses: the agent's first, then those of its runs, newest first.
    async fn forms_used(
        &self,
        scope: &Scope,
        namespace: &str,
        sid: Option<RunId>,
    ) -> Result<FormsUsed, DeltaError> {
        let agent = self.ports.agents.get(scope, namespace).await?;
        let own = agent.all_forms();
        if own.is_empty() {
            return Err(DeltaError::AgentWithoutForm);
        }
        if let Some(sid) = sid {
            let run = self.ports.runs.find(scope, &agent.id, sid).await?.ok_or(DeltaError::RunNotFound)?;
            let several = run.plan.classification.is_some();
            return Ok(FormsUsed { forms: forms_of(run.plan), is_complete: true, several });
        }
        let mut several = !agent.forms.is_empty();
        let mut used = Vec::new();
        for form in own {
            let version = self.ports.forms.resolve(scope, &form.form_id, form.form_version).await?.version;
            used.push((form.form_id, version));
        }
        let mut page = PageRequest::first(PAGE);
        for _ in 0..MAX_PAGES {
            let runs = self.ports.runs.list(scope, &agent.id, None, &page).await?;
            several |= runs.items.iter().any(|run| run.plan.classification.is_some());
            for form in runs.items.into_iter().flat_map(|run| forms_of(run.plan)) {
                if !used.contains(&form) {
                    used.push(form);
                }
            }
            match runs.next {
                Some(cursor) if used.len() <= MAX_FORMS => page.position = Position::After(cursor),
                next => return Ok(FormsUsed { forms: used, is_complete: next.is_none(), several }),
            }
        }
        Ok(FormsUsed { forms: used, is_complete: false, several })
    }
}

/// The forms of a run, with their versions.
fn forms_of(plan: RunPlan) -> Vec<(String, u32)> {
    match plan.classification {
        Some(found) => found.forms.into_iter().map(|form| (form.form_id, form.form_version)).collect(),
        None => vec![(plan.form_id, plan.form_version)],
    }
}
