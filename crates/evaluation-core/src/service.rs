//! The use cases of evaluation.

use std::collections::HashSet;
use std::sync::Arc;

use delta_core::review::{ReviewFilter, ReviewService, ReviewState};
use delta_core::{FinishedGroup, Run, RunId, RunOptions, RunService};
use document::{DocumentReader, ReadError, tables};
use forms_core::{FormSchema, FormsService};
use futures_util::TryStreamExt as _;
use gen_core::CallerContext;
use shared_core::{Author, Clock, Page, PageRequest, Position, Rng, Scope, StoreError, Violation, new_id};

use crate::import::groups_of_rows;
use crate::rules::{group_violations, set_violations};
use crate::score::{Cell, Change, Comparison, Scores, compare};
use crate::{
    EvaluationError, EvaluationReport, EvaluationRepository, EvaluationSet, MAX_GROUPS, NewEvaluationSet,
    TrueGroup,
};

/// Groups read from the store together. Bounds the memory. Chosen by hand; no measurement is recorded.
const PAGE: u32 = 64;
/// Groups that one page of values reads at most. Bounds its time. Chosen by hand; no measurement is recorded.
const MAX_GROUPS_READ: u32 = 1_000;

/// The ports of the service.
#[derive(Clone, Debug)]
pub struct EvaluationPorts {
    /// Stores sets.
    pub sets: Arc<dyn EvaluationRepository>,
    /// Batch extraction.
    pub runs: RunService,
    /// The queue of reviews.
    pub reviews: ReviewService,
    /// Forms.
    pub forms: FormsService,
    /// Reads documents.
    pub documents: DocumentReader,
    /// Time of day.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub rng: Arc<dyn Rng>,
}

/// What a set is evaluated with, beside the agent's own values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EvaluationOptions {
    /// `model@provider`; the agent's when `None`.
    pub model_id: Option<String>,
    /// The version of the form; the newest when `None`.
    pub form_version: Option<u32>,
}

/// Sets and their evaluations.
#[derive(Clone, Debug)]
pub struct EvaluationService {
    ports: Arc<EvaluationPorts>,
}

/// A run over a set, with the form that it used.
struct ScoredRun {
    run: Run,
    form: FormSchema,
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
        let found = group_violations(groups, &form);
        if !found.is_empty() {
            return Err(EvaluationError::Invalid(found));
        }
        self.store(scope, id, groups).await
    }

    /// Adds the groups of the first table of a file, such as a sheet: a row for each group below the names of the columns.
    ///
    /// # Errors
    /// When the file cannot be read, and as [`EvaluationService::add`].
    pub async fn add_file(&self, scope: &Scope, id: &str, file: &str) -> Result<u32, EvaluationError> {
        let set = self.get(scope, id).await?;
        let form = self.form(scope, &set.form_id, None).await?;
        let read = self.ports.documents.read(scope, file).await.map_err(|error| match error {
            ReadError::Unusable { message, .. } | ReadError::Transient { message, .. } => {
                EvaluationError::Invalid(vec![Violation::new("/file", message)])
            }
            ReadError::Store(error) => EvaluationError::Store(error),
        })?;
        let rows = tables(&read.document).into_iter().next().map(|table| table.rows).unwrap_or_default();
        let groups = groups_of_rows(&rows, &form).map_err(EvaluationError::Invalid)?;
        self.store(scope, id, &groups).await
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
        if run.plan.form_id != set.form_id {
            return Err(invalid("the run has another form than the set"));
        }
        let open = self.open_groups(scope, sid).await?;
        let (_, mut responses) = self.ports.runs.responses(scope, namespace, Some(sid), 0).await?;
        let mut groups = Vec::new();
        while let Some(stored) = responses.try_next().await? {
            if open.contains(&stored.index) || stored.response.reviews.is_empty() {
                continue;
            }
            let status = self.ports.runs.groups(scope, &run, stored.index, 1).await?.pop();
            let documents = status.map(|status| status.documents).unwrap_or_default();
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

    /// Starts a run of an agent over the groups of a set. Identical work is done again, since stored responses may have
    /// been reviewed.
    ///
    /// # Errors
    /// When the set is unknown or empty, the agent is unknown or has another form, its model cannot be called, or the
    /// store fails.
    pub async fn start(
        &self,
        payer: &CallerContext,
        id: &str,
        namespace: &str,
        options: EvaluationOptions,
    ) -> Result<Run, EvaluationError> {
        let scope = &payer.scope;
        let set = self.get(scope, id).await?;
        if set.groups == 0 {
            return Err(EvaluationError::Empty);
        }
        let mut groups = Vec::with_capacity(set.groups as usize);
        while groups.len() < set.groups as usize {
            let from = u32::try_from(groups.len()).unwrap_or(u32::MAX);
            let page = self.ports.sets.groups(scope, id, from, PAGE.min(set.groups - from)).await?;
            if page.is_empty() {
                break;
            }
            groups.extend(page.into_iter().map(|group| group.documents));
        }
        let EvaluationOptions { model_id, form_version } = options;
        let form_id = Some(set.form_id);
        let options = RunOptions {
            fresh: true,
            model_id,
            form_version,
            form_id,
            evaluation_set: Some(set.id),
            ..RunOptions::default()
        };
        Ok(self.ports.runs.start(payer, namespace, groups, options).await?)
    }

    /// The runs over a set, newest first.
    ///
    /// # Errors
    /// [`EvaluationError::SetNotFound`], or when the store fails.
    pub async fn runs(
        &self,
        scope: &Scope,
        id: &str,
        page: &PageRequest,
    ) -> Result<Page<Run>, EvaluationError> {
        self.get(scope, id).await?;
        Ok(self.ports.sets.runs(scope, id, page).await?)
    }

    /// The scores of a run over a set by its outcomes so far; `base` compares it with an earlier run, by the groups that
    /// both have an outcome of.
    ///
    /// # Errors
    /// When the set or a run is unknown, or the store fails.
    pub async fn report(
        &self,
        scope: &Scope,
        id: &str,
        sid: RunId,
        base: Option<RunId>,
    ) -> Result<EvaluationReport, EvaluationError> {
        let set = self.get(scope, id).await?;
        let scored = self.scored(scope, id, sid).await?;
        let base = self.base(scope, id, base).await?;
        let mut scores = Scores::default();
        let mut comparison = Comparison::default();
        let mut from = 0;
        while from < scored.run.total {
            for (index, truth) in (from..).zip(self.ports.sets.groups(scope, id, from, PAGE).await?) {
                let Some((cells, has_record)) = self.cells(scope, &scored, index, &truth).await? else {
                    continue;
                };
                scores.add_weighted_group(&cells, has_record, &set.weights);
                if let Some(base) = &base
                    && let Some((before, _)) = self.cells(scope, base, index, &truth).await?
                {
                    comparison.add_group(index, before, cells, &set.weights);
                }
            }
            from += PAGE;
        }
        let report = scores.report(&set.weights);
        Ok(EvaluationReport { run: scored.run, report, comparison: base.map(|_| comparison) })
    }

    /// Values of a run from the group `from` on, at least those of one group and about `limit`: with `base` those that
    /// changed, else those that are not right. Returned with the group to go on with; `None` at the end.
    ///
    /// # Errors
    /// As [`EvaluationService::report`].
    pub async fn values(
        &self,
        scope: &Scope,
        id: &str,
        (sid, base): (RunId, Option<RunId>),
        from: u32,
        limit: usize,
    ) -> Result<(Vec<Change>, Option<u32>), EvaluationError> {
        let set = self.get(scope, id).await?;
        let scored = self.scored(scope, id, sid).await?;
        let base = self.base(scope, id, base).await?;
        let mut found = Vec::new();
        for index in from..scored.run.total {
            if found.len() >= limit || index - from >= MAX_GROUPS_READ {
                return Ok((found, Some(index)));
            }
            let Some(truth) = self.ports.sets.groups(scope, id, index, 1).await?.pop() else { break };
            let Some((cells, _)) = self.cells(scope, &scored, index, &truth).await? else { continue };
            match &base {
                Some(base) => {
                    if let Some((before, _)) = self.cells(scope, base, index, &truth).await? {
                        found.extend(Comparison::default().add_group(index, before, cells, &set.weights));
                    }
                }
                None => {
                    let wrong = cells.into_iter().filter(|cell| !cell.outcome.is_right());
                    found.extend(wrong.map(|cell| Change { group: index, before: None, after: Some(cell) }));
                }
            }
        }
        Ok((found, None))
    }

    /// The values of a group beside the true ones, and whether it has a record; `None` while it has no outcome.
    async fn cells(
        &self,
        scope: &Scope,
        scored: &ScoredRun,
        index: u32,
        truth: &TrueGroup,
    ) -> Result<Option<(Vec<Cell>, bool)>, EvaluationError> {
        let found = self.ports.runs.finished_from(scope, &scored.run, index, 1).await?.pop();
        let found = found.filter(|group| group.index == index);
        Ok(found.map(|FinishedGroup { response, .. }| {
            let record = response.map(|response| response.record);
            (compare(&scored.form, &truth.record, record.as_ref()), record.is_some())
        }))
    }

    async fn base(
        &self,
        scope: &Scope,
        id: &str,
        base: Option<RunId>,
    ) -> Result<Option<ScoredRun>, EvaluationError> {
        match base {
            Some(sid) => self.scored(scope, id, sid).await.map(Some),
            None => Ok(None),
        }
    }

    async fn scored(&self, scope: &Scope, id: &str, sid: RunId) -> Result<ScoredRun, EvaluationError> {
        let run = self.ports.runs.of_evaluation_set(scope, id, sid).await?;
        let run = run.ok_or(EvaluationError::NotFound)?;
        let form = self.form(scope, &run.plan.form_id, Some(run.plan.form_version)).await?;
        Ok(ScoredRun { run, form })
    }

    async fn form(
        &self,
        scope: &Scope,
        id: &str,
        version: Option<u32>,
    ) -> Result<FormSchema, EvaluationError> {
        let schema = match version {
            Some(version) => self.ports.forms.version(scope, id, version).await?.schema,
            None => self.ports.forms.get(scope, id).await?.schema,
        };
        Ok(FormSchema::parse(&schema).map_err(delta_core::DeltaError::FormInvalid)?)
    }
}
