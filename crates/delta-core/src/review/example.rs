//! Reviewed responses as examples of their form.

use forms_core::{Form, FormExample, MAX_EXAMPLE_TEXT, stated_values};
use shared_core::{PageRequest, Scope, Violation};

use super::{ReviewError, ReviewFilter, ReviewService, ReviewState};
use crate::{DeltaError, ResponseCursor, Run, RunId, StoredResponse};

impl ReviewService {
    /// Adds the documents of a group with their reviewed record to the examples of a form, as a new draft. The example has
    /// what the record states, without computed values.
    ///
    /// # Errors
    /// When the form, the agent or the run is unknown; the run has another form; the group has no response, no reviews, or
    /// one that nobody has decided; its text is too long or not stored any more; the example does not fit the newest
    /// draft, or there are too many; or the store fails.
    pub async fn add_example(
        &self,
        scope: &Scope,
        form_id: &str,
        (namespace, sid): (&str, RunId),
        group: u32,
    ) -> Result<Form, ReviewError> {
        let ports = &self.runs.ports;
        ports.forms.get(scope, form_id).await?;
        let run = self.runs.get(scope, namespace, sid).await?;
        if run.plan.classification.is_none() && run.plan.form_id != form_id {
            return Err(invalid("/sid", "the run has another form".to_owned()));
        }
        let response = self.reviewed(scope, &run, group).await?.response;
        let form = run.plan.form_of(Some(&response));
        if form.form_id != form_id {
            return Err(invalid("/group", "the group has another form".to_owned()));
        }
        let text = self.text(scope, &response).await?;
        let text =
            text.ok_or_else(|| invalid("/group", "a text of the group is not stored any more".to_owned()))?;
        let length = text.chars().count();
        if length > MAX_EXAMPLE_TEXT {
            let rule = format!(
                "the documents of the group have {length} characters, and the text of an example may have at most \
                 {MAX_EXAMPLE_TEXT}"
            );
            return Err(invalid("/group", rule));
        }
        let version = ports.forms.version(scope, form_id, form.form_version).await?;
        let form = version.parse_schema().map_err(DeltaError::FormInvalid)?;
        let record = stated_values(&form.fields, &response.record);
        Ok(ports.forms.add_example(scope, form_id, &FormExample { text, record }).await?)
    }

    /// The response of a group; `None` when it has none.
    pub(super) async fn response_of(
        &self,
        scope: &Scope,
        run: &Run,
        group: u32,
    ) -> Result<Option<StoredResponse>, ReviewError> {
        let agent = &run.plan.agent_id;
        let after = group.checked_sub(1).map(|index| ResponseCursor { sid: run.sid, index });
        let responses = &self.runs.ports.responses;
        let found = responses.responses(scope, agent, Some(run.sid), after, (0, 1)).await?.pop();
        Ok(found.filter(|found| found.index == group))
    }

    /// The response of a group all of whose queued values were decided.
    async fn reviewed(&self, scope: &Scope, run: &Run, group: u32) -> Result<StoredResponse, ReviewError> {
        let found = self.response_of(scope, run, group).await?;
        let found = found.ok_or_else(|| invalid("/group", "the group has no response".to_owned()))?;
        if found.response.reviews.is_empty() {
            return Err(invalid("/group", "nobody has reviewed the group".to_owned()));
        }
        let open = ReviewFilter {
            sid: Some(run.sid),
            group: Some(group),
            state: Some(ReviewState::Open),
            ..ReviewFilter::default()
        };
        match self.reviews.list(scope, &open, &PageRequest::first(1)).await?.total {
            0 => Ok(found),
            open => Err(invalid("/group", format!("{open} values of the group are still to be decided"))),
        }
    }
}

fn invalid(path: &str, rule: String) -> ReviewError {
    ReviewError::Invalid(vec![Violation::new(path, rule)])
}
