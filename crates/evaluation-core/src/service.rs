//! The use cases of evaluation.

use std::collections::HashSet;
use std::sync::Arc;

use delta_core::review::{ReviewFilter, ReviewService, ReviewState};
use delta_core::{DocumentRef, RunId, RunService};
use document::{DocumentReader, ReadError, tables};
use forms_core::{FormSchema, FormsService};
use futures_util::TryStreamExt as _;
use shared_core::{Author, Clock, Page, PageRequest, Position, Rng, Scope, StoreError, Violation, new_id};

use crate::import::groups_of_rows;
use crate::import_lines::{at_lines, groups_of_lines, is_json_lines};
use crate::rules::{group_violations, set_violations};
use crate::{EvaluationError, EvaluationRepository, EvaluationSet, MAX_GROUPS, NewEvaluationSet, TrueGroup};

/// Most bytes of a file of JSON Lines. Bounds the memory. Chosen by hand; no measurement is recorded.
const MAX_LINES_BYTES: u64 = 16 << 20;

/// The ports of the service.
#[derive(Clone, Debug)]
pub struct EvaluationPorts {
    /// Stores sets.
    pub sets: Arc<dyn EvaluationRepository>,
    /// Batch extraction.
    pub runs: RunService,
    /// The queue of reviews.
    pub reviews: ReviewService,
    /// The forms of sets.
    pub forms: FormsService,
    /// Reads documents.
    pub documents: DocumentReader,
    /// Time of day.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub rng: Arc<dyn Rng>,
}

/// Sets and their evaluations.
#[derive(Clone, Debug)]
pub struct EvaluationService {
    pub(crate) ports: Arc<EvaluationPorts>,
}

impl EvaluationService {
    /// Builds the service on its ports.
    #[must_use]
    pub fn new(ports: EvaluationPorts) -> Self {
        Self { ports: Arc::new(ports) }
    }

    /// Validates and stores a set without groups.
    ///
    /// # Errors
    /// When a value breaks a rule, the form is unknown, or the store fails.
    pub async fn create(
        &self,
        scope: &Scope,
        author: &Author,
        new: NewEvaluationSet,
    ) -> Result<EvaluationSet, EvaluationError> {
        let NewEvaluationSet { name, form_id, weights } = new;
        let form = self.form(scope, &form_id, None).await?;
        let now = self.ports.clock.now();
        let id = new_id("set", now, self.ports.rng.as_ref());
        let set =
            EvaluationSet { id, name, form_id, weights, groups: 0, author: author.clone(), created: now };
        let found = set_violations(&set, &form);
        if !found.is_empty() {
            return Err(EvaluationError::Invalid(found));
        }
        self.ports.sets.insert(scope, &set).await?;
        Ok(set)
    }

    /// A set.
    ///
    /// # Errors
    /// [`EvaluationError::SetNotFound`], or when the store fails.
    pub async fn get(&self, scope: &Scope, id: &str) -> Result<EvaluationSet, EvaluationError> {
        self.ports.sets.find(scope, id).await?.ok_or(EvaluationError::SetNotFound)
    }

    /// Sets, newest first.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn list(
        &self,
        scope: &Scope,
        page: &PageRequest,
    ) -> Result<Page<EvaluationSet>, EvaluationError> {
        Ok(self.ports.sets.list(scope, page).await?)
    }

    /// Deletes a set with its groups. Its runs stay, without scores.
    ///
    /// # Errors
    /// [`EvaluationError::SetNotFound`], or when the store fails.
    pub async fn delete(&self, scope: &Scope, id: &str) -> Result<(), EvaluationError> {
        match self.ports.sets.delete(scope, id).await? {
            true => Ok(()),
            false => Err(EvaluationError::SetNotFound),
        }
    }

    /// Groups of a set from index `from`, at most `limit`, in order.
    ///
    /// # Errors
    /// [`EvaluationError::SetNotFound`], or when the store fails.
    pub async fn groups(
        &self,
        scope: &Scope,
        id: &str,
        from: u32,
        limit: u32,
    ) -> Result<(EvaluationSet, Vec<TrueGroup>), EvaluationError> {
        let set = self.get(scope, id).await?;
        let groups = self.ports.sets.groups(scope, id, from, limit).await?;
        Ok((set, groups))
    }

    /// Adds groups. Returns their number then.
    ///
    /// # Errors
    /// When the set is unknown or full, a group breaks a rule, or the store fails.
    pub async fn add(&self, scope: &Scope, id: &str, groups: &[TrueGroup]) -> Result<u32, EvaluationError> {
        let set = self.get(scope, id).await?;
        let form = self.form(scope, &set.form_id, None).await?;
        let found = group_violations(groups, &form, self.ports.runs.violations(&documents_of(groups)));
        if !found.is_empty() {
            return Err(EvaluationError::Invalid(found));
        }
        self.store(scope, id, groups).await
    }

    /// Adds the groups of a file: of JSON Lines, an object for each group, or of the first table, such as a sheet, with a
    /// row for each group below the names of the columns.
    ///
    /// # Errors
    /// When the file cannot be read, and as [`EvaluationService::add`].
    pub async fn add_file(&self, scope: &Scope, id: &str, file: &str) -> Result<u32, EvaluationError> {
        let set = self.get(scope, id).await?;
        let form = self.form(scope, &set.form_id, None).await?;
        let origin = self.ports.documents.find(scope, file).await.map_err(unreadable)?;
        if is_json_lines(&origin.name) {
            return self.add_lines(scope, id, file, &form).await;
        }
        let read = self.ports.documents.read_found(scope, origin).await.map_err(unreadable)?;
        let rows = tables(&read.document).into_iter().next().map(|table| table.rows).unwrap_or_default();
        let groups = groups_of_rows(&rows, &form).map_err(EvaluationError::Invalid)?;
        let of_runs = self.ports.runs.violations(&documents_of(&groups));
        if let Some(first) = of_runs.into_iter().next() {
            return Err(EvaluationError::Invalid(vec![Violation::new("/file", first.message)]));
        }
        self.store(scope, id, &groups).await
    }

    async fn add_lines(
        &self,
        scope: &Scope,
        id: &str,
        file: &str,
        form: &FormSchema,
    ) -> Result<u32, EvaluationError> {
        let content = self.ports.documents.content(scope, file, MAX_LINES_BYTES).await.map_err(unreadable)?;
        let invalid = |rule: String| EvaluationError::Invalid(vec![Violation::new("/file", rule)]);
        let too_large = || invalid(format!("a file of JSON Lines may have at most {MAX_LINES_BYTES} bytes"));
        let lines = groups_of_lines(&content.ok_or_else(too_large)?)?;
        let (lines, groups): (Vec<usize>, Vec<TrueGroup>) = lines.into_iter().unzip();
        if groups.is_empty() {
            return Err(invalid("the file has no groups".to_owned()));
        }
        let found = group_violations(&groups, form, self.ports.runs.violations(&documents_of(&groups)));
        match found.is_empty() {
            true => self.store(scope, id, &groups).await,
            false => Err(EvaluationError::Invalid(at_lines(found, &lines))),
        }
    }

    /// Adds the groups of a run all of whose queued values were decided, with their reviewed records.
    ///
    /// # Errors
    /// When the set or the run is unknown, the run has another form, none of its groups is reviewed, or as
    /// [`EvaluationService::add`].
    pub async fn add_reviewed(
        &self,
        scope: &Scope,
        id: &str,
        namespace: &str,
        sid: RunId,
    ) -> Result<u32, EvaluationError> {
        let set = self.get(scope, id).await?;
        let run = self.ports.runs.get(scope, namespace, sid).await?;
        let invalid = |rule: &str| EvaluationError::Invalid(vec![Violation::new("/sid", rule)]);
        if run.plan.classification.is_none() && run.plan.form_id != set.form_id {
            return Err(invalid("the run has another form than the set"));
        }
        let open = self.open_groups(scope, sid).await?;
        let (_, mut responses) = self.ports.runs.responses(scope, namespace, Some(sid), 0, 0).await?;
        let mut groups = Vec::new();
        while let Some(stored) = responses.try_next().await? {
            let form = run.plan.form_of(Some(&stored.response));
            let is_reviewed = !open.contains(&stored.index) && !stored.response.reviews.is_empty();
            if !is_reviewed || form.form_id != set.form_id {
                continue;
            }
            let status = self.ports.runs.groups(scope, &run, stored.index, 1).await?.pop();
            let documents = status.map(|status| status.documents).unwrap_or_default();
            let unclassified = |document| DocumentRef { class: None, ..document };
            let documents = documents.into_iter().map(unclassified).collect();
            groups.push(TrueGroup { documents, record: stored.response.record });
        }
        if groups.is_empty() {
            return Err(invalid("no group of the run has reviews that are all decided"));
        }
        self.store(scope, id, &groups).await
    }

    /// Groups of a run with values that nobody has decided.
    async fn open_groups(&self, scope: &Scope, sid: RunId) -> Result<HashSet<u32>, EvaluationError> {
        let filter = || ReviewFilter { sid: Some(sid), state: Some(ReviewState::Open), ..Default::default() };
        let mut page = PageRequest::first(100);
        let mut open = HashSet::new();
        loop {
            let found = self.ports.reviews.list(scope, None, filter(), &page).await;
            let found = found.map_err(|error| match error {
                delta_core::review::ReviewError::Delta(error) => EvaluationError::Delta(error),
                delta_core::review::ReviewError::Store(error) => EvaluationError::Store(error),
                other => EvaluationError::Invalid(vec![Violation::new("/sid", other.to_string())]),
            })?;
            open.extend(found.items.iter().map(|review| review.group.index));
            match found.next {
                Some(next) => page.position = Position::After(next),
                None => return Ok(open),
            }
        }
    }

    async fn store(&self, scope: &Scope, id: &str, groups: &[TrueGroup]) -> Result<u32, EvaluationError> {
        match self.ports.sets.add(scope, id, groups, MAX_GROUPS).await {
            Ok(count) => Ok(count),
            Err(StoreError::Stale) => Err(EvaluationError::Full),
            Err(StoreError::Missing(_)) => Err(EvaluationError::SetNotFound),
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) async fn form(
        &self,
        scope: &Scope,
        id: &str,
        version: Option<u32>,
    ) -> Result<FormSchema, EvaluationError> {
        let form = self.ports.forms.resolve(scope, id, version).await?;
        Ok(form.parse_schema().map_err(delta_core::DeltaError::FormInvalid)?)
    }
}

fn unreadable(error: ReadError) -> EvaluationError {
    match error {
        ReadError::Unusable { message, .. } | ReadError::Transient { message, .. } => {
            EvaluationError::Invalid(vec![Violation::new("/file", message)])
        }
        ReadError::Store(error) => EvaluationError::Store(error),
    }
}

fn documents_of(groups: &[TrueGroup]) -> Vec<Vec<DocumentRef>> {
    groups.iter().map(|group| group.documents.clone()).collect()
}
