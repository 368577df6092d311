//! The use cases of evaluations: runs over a set, and their scores.

use std::collections::BTreeMap;

use delta_core::{FinishedGroup, Run, RunId, RunOptions};
use forms_core::FormSchema;
use gen_core::CallerContext;
use shared_core::{Page, PageRequest, Scope};

use crate::score::{Cell, Change, Comparison, FormChanges, Scores, compare};
use crate::{EvaluationError, EvaluationReport, EvaluationService, TrueGroup};

/// Groups read from the store together. Bounds the memory. Chosen by hand; no measurement is recorded.
const PAGE: u32 = 64;
/// Groups that one page of values reads at most. Bounds its time. Chosen by hand; no measurement is recorded.
const MAX_GROUPS_READ: u32 = 1_000;

/// What a set is evaluated with, beside the agent's own values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EvaluationOptions {
    /// `model@provider`; the agent's when `None`.
    pub model_id: Option<String>,
    /// The version of the form, a draft too; the agent's when `None`.
    pub form_version: Option<u32>,
}

/// A run over a set, with the form that it used.
struct ScoredRun {
    run: Run,
    form: FormSchema,
}

impl EvaluationService {
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
        self.report_without(scope, id, sid, base, &[]).await
    }

    /// As [`EvaluationService::report`], without comparing fields that may be dropped.
    pub(crate) async fn report_without(
        &self,
        scope: &Scope,
        id: &str,
        sid: RunId,
        base: Option<RunId>,
        may_drop: &[String],
    ) -> Result<EvaluationReport, EvaluationError> {
        let set = self.get(scope, id).await?;
        let scored = self.scored(scope, id, sid).await?;
        let base = self.base(scope, id, base).await?;
        let mut scores = Scores::default();
        let form = form_changes(&scored, base.as_ref(), may_drop, &set.weights);
        let mut comparison = Comparison { form, ..Comparison::default() };
        let mut from = 0;
        while from < scored.run.total {
            for (index, truth) in (from..).zip(self.ports.sets.groups(scope, id, from, PAGE).await?) {
                let Some((cells, has_record)) = self.cells(scope, &scored, index, &truth).await? else {
                    continue;
                };
                scores.add_weighted_group(&cells, has_record, &set.weights);
                if let Some(base) = &base
                    && let Some((before, after)) =
                        self.pair(scope, (&scored, base), &comparison.form, index, &truth).await?
                {
                    comparison.add_group(index, before, after, &set.weights);
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
        let form = form_changes(&scored, base.as_ref(), &[], &set.weights);
        let mut found = Vec::new();
        for index in from..scored.run.total {
            if found.len() >= limit || index - from >= MAX_GROUPS_READ {
                return Ok((found, Some(index)));
            }
            let Some(truth) = self.ports.sets.groups(scope, id, index, 1).await?.pop() else { break };
            let Some((cells, _)) = self.cells(scope, &scored, index, &truth).await? else { continue };
            match &base {
                Some(base) => {
                    if let Some((before, after)) =
                        self.pair(scope, (&scored, base), &form, index, &truth).await?
                    {
                        found.extend(Comparison::default().add_group(index, before, after, &set.weights));
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

    /// The values of a group in an earlier and a later run, lined up; `None` while one of them has no outcome.
    async fn pair(
        &self,
        scope: &Scope,
        (later, earlier): (&ScoredRun, &ScoredRun),
        form: &FormChanges,
        index: u32,
        truth: &TrueGroup,
    ) -> Result<Option<(Vec<Cell>, Vec<Cell>)>, EvaluationError> {
        let renamed = TrueGroup { record: form.renamed_truth(&truth.record), ..truth.clone() };
        let after = self.cells(scope, later, index, &renamed).await?;
        let before = self.cells(scope, earlier, index, truth).await?;
        let pair = before.zip(after).map(|((mut before, _), (mut after, _))| {
            form.align(&mut before, &mut after);
            (before, after)
        });
        Ok(pair)
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
}

/// How the form of a run differs from that of the base.
fn form_changes(
    later: &ScoredRun,
    base: Option<&ScoredRun>,
    may_drop: &[String],
    weights: &BTreeMap<String, f64>,
) -> FormChanges {
    let mut changes = base.map(|base| FormChanges::between(&base.form, &later.form)).unwrap_or_default();
    changes.allow(may_drop, weights);
    changes
}
