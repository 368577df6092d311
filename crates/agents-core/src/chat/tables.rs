//! Submissions as tables.

use forms_core::table::{Cell, ExtraColumns, ListLayout, Row, TableLayout};
use forms_core::{FormSchema, FormsError};
use shared_core::{PageRequest, Position, Scope};

use super::{SessionsService, Submission};
use crate::AgentsError;

/// Most forms that contribute columns. Bounds the time. Chosen by hand; no measurement is recorded.
const MAX_FORMS: u32 = 20;
/// Most form versions that contribute columns, over all forms; the newest of each form first. Bounds the
/// time. Chosen by hand; no measurement is recorded.
const MAX_VERSIONS: usize = 100;
/// Columns before those of the form fields.
const BEFORE: [&str; 3] = ["id", "session_id", "created_timestamp"];

impl SessionsService {
    /// The table layout for an agent's submissions: the columns of the agent's form first, then columns that
    /// only its other versions or former forms have.
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
        let current = match self.agents.form_of(scope, &agent).await {
            Ok(form) => form,
            Err(error) => {
                complete &= ignore_missing_form(error)?;
                None
            }
        };
        let mut schemas: Vec<FormSchema> =
            current.iter().filter_map(|form| FormSchema::parse(&form.schema).ok()).collect();
        for id in ids {
            complete &= self.versions(scope, &id, &mut schemas).await?;
        }
        let own = ExtraColumns { name: "submissions", before: &BEFORE, after: &[] };
        Ok(TableLayout::new(&schemas, complete, shape, own))
    }

    /// Appends the schemas of a form's versions, newest first. Returns whether they are all versions of the
    /// form.
    async fn versions(
        &self,
        scope: &Scope,
        id: &str,
        schemas: &mut Vec<FormSchema>,
    ) -> Result<bool, AgentsError> {
        // Bounds the memory.
        let (mut page, mut all) = (PageRequest::first(100), true);
        loop {
            let versions = match self.forms.versions(scope, id, &page).await {
                Ok(versions) => versions,
                // A form that no agent uses any more can be deleted.
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

/// A deleted form leaves the set of columns incomplete: `false`.
fn ignore_missing_form(error: FormsError) -> Result<bool, AgentsError> {
    match error {
        FormsError::Store(error) => Err(AgentsError::Store(error)),
        _ => Ok(false),
    }
}

/// The rows of a submission: one in the first table, and those of its lists.
#[must_use]
pub fn submission_rows(layout: &TableLayout, submission: &Submission) -> Vec<Row> {
    let own = [submission.id.clone(), submission.session.clone(), submission.created.record_text()];
    layout.rows(&submission.record, own.map(Cell::Text).into(), Vec::new())
}
