//! Submissions as tables.

use forms_core::table::{Cell, ExtraColumns, ListLayout, Row, TableLayout};
use forms_core::{FormSchema, FormsError};
use shared_core::{PageRequest, Position, Scope};

use super::{SessionsService, Submission};
use crate::AgentsError;

/// Forms that columns are taken from.
const MAX_FORMS: u32 = 20;
/// Versions of all those forms that columns are taken from, the newest of each first.
const MAX_VERSIONS: usize = 100;
/// Columns before those of the form's fields.
const BEFORE: [&str; 3] = ["id", "session_id", "created_timestamp"];

impl SessionsService {
    /// The tables for an agent's submissions: columns of the agent's form first, then those that only its older
    /// versions or former forms had.
    ///
    /// # Errors
    /// [`AgentsError::NotFound`] when there is no such agent, or when the store fails.
    pub async fn layout(
        &self,
        scope: &Scope,
        namespace: &str,
        shape: ListLayout,
    ) -> Result<TableLayout, AgentsError> {
        let agent = self.agents.get(scope, namespace).await?;
        let submitted = self.repository.submitted_forms(scope, &agent.id, MAX_FORMS).await;
        let submitted = submitted.map_err(AgentsError::Store)?;
        let mut complete = submitted.len() < MAX_FORMS as usize;
        let former = submitted.into_iter().filter(|id| Some(id) != agent.form_id.as_ref());
        let ids: Vec<String> = agent.form_id.clone().into_iter().chain(former).collect();
        let mut schemas = Vec::new();
        for id in ids {
            complete &= self.versions(scope, &id, &mut schemas).await?;
        }
        let own = ExtraColumns { name: "submissions", before: &BEFORE, after: &[] };
        Ok(TableLayout::new(&schemas, complete, shape, own))
    }

    /// Adds the versions of a form, newest first. Answers whether those are all that it ever had.
    async fn versions(
        &self,
        scope: &Scope,
        id: &str,
        schemas: &mut Vec<FormSchema>,
    ) -> Result<bool, AgentsError> {
        let (mut page, mut all) = (PageRequest::first(100), true);
        loop {
            let versions = match self.forms.versions(scope, id, &page).await {
                Ok(versions) => versions,
                // A form that the agent does not have any more can be deleted.
                Err(error) => return ignore_missing_form(error),
            };
            for version in versions.items {
                if schemas.len() >= MAX_VERSIONS {
                    return Ok(false);
                }
                let schema = match self.forms.version(scope, id, version.version).await {
                    Ok(form) => FormSchema::parse(&form.schema).ok(),
                    Err(error) => return ignore_missing_form(error),
                };
                all &= schema.is_some();
                schemas.extend(schema);
            }
            match versions.next {
                Some(cursor) => page.position = Position::After(cursor),
                None => return Ok(all),
            }
        }
    }
}

/// What a form that is not there means for the columns: they are not all known.
fn ignore_missing_form(error: FormsError) -> Result<bool, AgentsError> {
    match error {
        FormsError::Store(error) => Err(AgentsError::Store(error)),
        _ => Ok(false),
    }
}

/// The rows of a submission: one of the first table, and those of its lists.
#[must_use]
pub fn submission_rows(layout: &TableLayout, submission: &Submission) -> Vec<Row> {
    let own = [submission.id.clone(), submission.session.clone(), submission.created.record_text()];
    layout.rows(&submission.record, own.map(Cell::Text).into(), Vec::new())
}
