//! The forms of an agent's responses.

use forms_core::table::ListLayout;
use forms_core::{FormSchema, FormsError};
use shared_core::{PageRequest, Position, Scope};

use super::{ExportExtras, ExportLayout};
use crate::{DeltaError, RunId, RunService};

// They bound memory and time of an export. Chosen by hand; no measurement is recorded.
/// Runs read per page.
const PAGE: u32 = 100;
/// Pages of runs searched at most, the newest first.
const MAX_PAGES: usize = 100;
/// Versions of forms whose columns are used at most, the newest first.
const MAX_FORMS: usize = 100;

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
        let (used, all) = self.forms_used(scope, namespace, sid).await?;
        let mut complete = all && used.len() <= MAX_FORMS;
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

    /// Forms with their versions: the agent's first, then those of its runs, newest first. And whether the
    /// list is complete.
    async fn forms_used(
        &self,
        scope: &Scope,
        namespace: &str,
        sid: Option<RunId>,
    ) -> Result<(Vec<(String, u32)>, bool), DeltaError> {
        let agent = self.ports.agents.get(scope, namespace).await?;
        let form_id = agent.form_id.ok_or(DeltaError::AgentWithoutForm)?;
        if let Some(sid) = sid {
            let run = self.ports.runs.find(scope, &agent.id, sid).await?.ok_or(DeltaError::RunNotFound)?;
            return Ok((vec![(run.plan.form_id, run.plan.form_version)], true));
        }
        let version = self.ports.forms.resolve(scope, &form_id, agent.form_version).await?.version;
        let mut used = vec![(form_id, version)];
        let mut page = PageRequest::first(PAGE);
        for _ in 0..MAX_PAGES {
            let runs = self.ports.runs.list(scope, &agent.id, None, &page).await?;
            for plan in runs.items.into_iter().map(|run| run.plan) {
                let form = (plan.form_id, plan.form_version);
                if !used.contains(&form) {
                    used.push(form);
                }
            }
            match runs.next {
                Some(cursor) if used.len() <= MAX_FORMS => page.position = Position::After(cursor),
                next => return Ok((used, next.is_none())),
            }
        }
        Ok((used, false))
    }
}
