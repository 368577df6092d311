//! The use cases of reviews.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use agents_core::ReviewPolicy;
use forms_core::FormSchema;
use futures_util::TryStreamExt as _;
use shared_core::{Author, Page, PageRequest, Revision, Scope, StoreError, Violation, new_id};

use super::{Review, ReviewDecision, ReviewError, ReviewFilter, ReviewRepository, of_outcome};
use crate::{DeltaError, FinishedGroup, GroupId, Run, RunId, RunService};

/// Most decisions of one request. Bounds a transaction. Chosen by hand; no measurement is recorded.
pub const MAX_DECISIONS: usize = 100;
/// Attempts of decisions that meet concurrent ones about the same review. Chosen by hand; no measurement is recorded.
const ATTEMPTS: usize = 8;

/// The queue of values that people review.
#[derive(Clone, Debug)]
pub struct ReviewService {
    pub(super) reviews: Arc<dyn ReviewRepository>,
    pub(super) runs: RunService,
}

impl ReviewService {
    /// Builds the service on the runs whose values it queues.
    #[must_use]
    pub fn new(runs: RunService) -> Self {
        Self { reviews: Arc::clone(&runs.ports.reviews), runs }
    }

    /// Queues values of the finished groups of a run by `policy`, else by that of the agent, else by the default.
    /// Values that have a review already are left out. Returns the number of new reviews.
    ///
    /// # Errors
    /// When the agent or the run is unknown, the policy breaks a rule, or the store fails. Groups before the failure
    /// stay queued.
    pub async fn queue(
        &self,
        scope: &Scope,
        namespace: &str,
        sid: RunId,
        policy: Option<ReviewPolicy>,
    ) -> Result<u64, ReviewError> {
        let broken = policy.as_ref().map(|policy| policy.violations("/review")).unwrap_or_default();
        if !broken.is_empty() {
            return Err(ReviewError::Invalid(broken));
        }
        let agent = self.runs.ports.agents.get(scope, namespace).await?;
        let run = self.runs.get(scope, namespace, sid).await?;
        let policy = policy.or(agent.review).unwrap_or_default();
        let mut queued = 0;
        let mut groups = self.runs.finished(scope, &run);
        while let Some(group) = groups.try_next().await? {
            queued += self.queue_group(scope, &run, &policy, &group).await?;
        }
        Ok(queued)
    }

    async fn queue_group(
        &self,
        scope: &Scope,
        run: &Run,
        policy: &ReviewPolicy,
        group: &FinishedGroup,
    ) -> Result<u64, ReviewError> {
        let now = self.runs.ports.clock.now();
        let id = || new_id("review", now, self.runs.ports.rng.as_ref());
        let outcome = match (&group.response, group.failures.first()) {
            (Some(response), _) => Ok(response),
            (None, Some(failure)) => Err(&failure.error),
            (None, None) => return Ok(0),
        };
        let found = of_outcome(policy, outcome, id);
        if found.is_empty() {
            return Ok(0);
        }
        let place = GroupId { sid: run.sid, index: group.index };
        let stored = self.reviews.insert(scope, &run.plan.agent_id, place, &found, now).await?;
        Ok(stored.into())
    }

    /// A review.
    ///
    /// # Errors
    /// [`ReviewError::NotFound`], or when the store fails.
    pub async fn get(&self, scope: &Scope, id: &str) -> Result<Review, ReviewError> {
        let found = self.reviews.find(scope, &[id.to_owned()]).await?.pop();
        found.ok_or_else(|| ReviewError::NotFound(id.to_owned()))
    }

    /// Reviews in the order of the filter; `namespace` restricts them to an agent.
    ///
    /// # Errors
    /// When the agent is unknown, or the store fails.
    pub async fn list(
        &self,
        scope: &Scope,
        namespace: Option<&str>,
        mut filter: ReviewFilter,
        page: &PageRequest,
    ) -> Result<Page<Review>, ReviewError> {
        if let Some(namespace) = namespace {
            filter.agent_id = Some(self.runs.ports.agents.get(scope, namespace).await?.id);
        }
        Ok(self.reviews.list(scope, &filter, page).await?)
    }

    /// Applies decisions, all or none. Returns the changed reviews in the order of the decisions.
    ///
    /// # Errors
    /// When a review is unknown or was changed, a decision breaks a rule, the form of a run is unknown, or the store
    /// fails.
    pub async fn decide(
        &self,
        scope: &Scope,
        author: &Author,
        decisions: &[ReviewDecision],
    ) -> Result<Vec<Review>, ReviewError> {
        check(decisions)?;
        let mut forms = HashMap::new();
        let mut attempt = 1;
        loop {
            let changed = self.apply(scope, author, decisions, &mut forms).await?;
            match self.reviews.update(scope, &changed).await {
                Ok(()) => return Ok(changed.into_iter().map(|(review, _)| review).collect()),
                Err(StoreError::Stale) if attempt < ATTEMPTS => attempt += 1,
                Err(error) => return Err(error.into()),
            }
        }
    }

    async fn apply(
        &self,
        scope: &Scope,
        author: &Author,
        decisions: &[ReviewDecision],
        forms: &mut HashMap<GroupId, FormSchema>,
    ) -> Result<Vec<(Review, Revision)>, ReviewError> {
        let ids: Vec<String> = decisions.iter().map(|decision| decision.review_id.clone()).collect();
        let found = self.reviews.find(scope, &ids).await?;
        let mut known: HashMap<String, Review> =
            found.into_iter().map(|review| (review.about.id.clone(), review)).collect();
        let now = self.runs.ports.clock.now();
        let mut changed = Vec::with_capacity(decisions.len());
        for (place, decision) in decisions.iter().enumerate() {
            let review = known.remove(&decision.review_id);
            let mut review = review.ok_or_else(|| ReviewError::NotFound(decision.review_id.clone()))?;
            if decision.revision.is_some_and(|revision| revision != review.revision.0) {
                return Err(ReviewError::Changed(decision.review_id.clone()));
            }
            let group = review.group;
            if decision.action.needs_form() && !forms.contains_key(&group) {
                forms.insert(group, self.form(scope, &review).await?);
            }
            let expected = review.revision;
            let broken = |broken: Violation| {
                let path = format!("/decisions/{place}{}", broken.path);
                ReviewError::Invalid(vec![Violation::new(path, broken.message)])
            };
            let form = forms.get(&group);
            decision.apply(&mut review, form, author, now).map_err(broken)?;
            if let Some(form) = form {
                self.add_evidence(scope, &mut review, form, decision).await?.map_err(broken)?;
            }
            changed.push((review, expected));
        }
        Ok(changed)
    }

    /// The form of the review's group.
    async fn form(&self, scope: &Scope, review: &Review) -> Result<FormSchema, ReviewError> {
        let run = self.runs.get(scope, &review.namespace, review.group.sid).await?;
        let response = match run.plan.classification {
            Some(_) => self.response_of(scope, &run, review.group.index).await?,
            None => None,
        };
        let form = run.plan.form_of(response.as_ref().map(|found| &found.response));
        let form = self.runs.ports.forms.version(scope, &form.form_id, form.form_version).await?;
        Ok(form.parse_schema().map_err(DeltaError::FormInvalid)?)
    }
}

fn check(decisions: &[ReviewDecision]) -> Result<(), ReviewError> {
    let invalid = |path: String, rule: String| Err(ReviewError::Invalid(vec![Violation::new(path, rule)]));
    if decisions.is_empty() || decisions.len() > MAX_DECISIONS {
        return invalid("/decisions".into(), format!("'decisions' must have 1 to {MAX_DECISIONS} entries"));
    }
    let mut seen = HashSet::new();
    for (place, decision) in decisions.iter().enumerate() {
        if !seen.insert(decision.review_id.as_str()) {
            let rule = format!("there are two decisions about '{}'", decision.review_id);
            return invalid(format!("/decisions/{place}/review_id"), rule);
        }
    }
    Ok(())
}
