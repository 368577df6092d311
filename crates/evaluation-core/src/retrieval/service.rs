//! The use cases: sets of questions, and their evaluation.

use std::sync::Arc;

use gen_core::CallerContext;
use kb_core::{BaseId, KnowledgeService};
use shared_core::{Author, Clock, Page, PageRequest, Rng, Scope, StoreError, Timer, Violation, new_id};

use super::rules::{MAX_SETTINGS, violations};
use super::run::Searcher;
use super::{
    NewQuestionSet, Question, QuestionSet, QuestionSetRepository, RetrievalEvaluation, RetrievalSettings,
};
use crate::EvaluationError;

/// The ports of the service.
#[derive(Clone, Debug)]
pub struct RetrievalEvaluationPorts {
    /// Stores sets.
    pub sets: Arc<dyn QuestionSetRepository>,
    /// The knowledge bases that are searched.
    pub knowledge: KnowledgeService,
    /// Time of day.
    pub clock: Arc<dyn Clock>,
    /// Time limits.
    pub timer: Arc<dyn Timer>,
    /// Randomness.
    pub rng: Arc<dyn Rng>,
}

/// Sets of questions and their evaluation.
#[derive(Clone, Debug)]
pub struct RetrievalEvaluationService {
    ports: Arc<RetrievalEvaluationPorts>,
}

impl RetrievalEvaluationService {
    /// Builds the service on its ports.
    #[must_use]
    pub fn new(ports: RetrievalEvaluationPorts) -> Self {
        Self { ports: Arc::new(ports) }
    }

    /// Validates and stores a set of a knowledge base.
    ///
    /// # Errors
    /// When the base does not exist, a value breaks a rule, or the store fails.
    pub async fn create(
        &self,
        scope: &Scope,
        author: &Author,
        base: &str,
        new: &NewQuestionSet,
    ) -> Result<QuestionSet, EvaluationError> {
        self.check(scope, base).await?;
        let now = self.ports.clock.now();
        let id = new_id("set", now, self.ports.rng.as_ref());
        let set = QuestionSet {
            id,
            base: base.to_owned(),
            name: new.name.clone(),
            questions: checked(new)?,
            author: author.clone(),
            created: now,
            updated: now,
        };
        match self.ports.sets.insert(scope, &set, &new.questions).await {
            // The base was deleted meanwhile.
            Err(StoreError::Missing(_)) => Err(EvaluationError::SetNotFound),
            Err(error) => Err(error.into()),
            Ok(()) => Ok(set),
        }
    }

    /// A set with its questions.
    ///
    /// # Errors
    /// When the base or the set does not exist, or the store fails.
    pub async fn get(
        &self,
        scope: &Scope,
        base: &str,
        id: &str,
    ) -> Result<(QuestionSet, Vec<Question>), EvaluationError> {
        self.check(scope, base).await?;
        self.ports.sets.find(scope, base, id).await?.ok_or(EvaluationError::SetNotFound)
    }

    /// The sets of a base, newest first.
    ///
    /// # Errors
    /// When the base does not exist, or the store fails.
    pub async fn list(
        &self,
        scope: &Scope,
        base: &str,
        page: &PageRequest,
    ) -> Result<Page<QuestionSet>, EvaluationError> {
        self.check(scope, base).await?;
        Ok(self.ports.sets.list(scope, base, page).await?)
    }

    /// Replaces the name and the questions of a set.
    ///
    /// # Errors
    /// As [`RetrievalEvaluationService::create`], or when the set does not exist.
    pub async fn replace(
        &self,
        scope: &Scope,
        base: &str,
        id: &str,
        new: &NewQuestionSet,
    ) -> Result<QuestionSet, EvaluationError> {
        let (known, _) = self.get(scope, base, id).await?;
        let (name, questions) = (new.name.clone(), checked(new)?);
        let set = QuestionSet { name, questions, updated: self.ports.clock.now(), ..known };
        match self.ports.sets.replace(scope, &set, &new.questions).await? {
            true => Ok(set),
            false => Err(EvaluationError::SetNotFound),
        }
    }

    /// Deletes a set.
    ///
    /// # Errors
    /// When the base or the set does not exist, or the store fails.
    pub async fn delete(&self, scope: &Scope, base: &str, id: &str) -> Result<(), EvaluationError> {
        self.check(scope, base).await?;
        match self.ports.sets.delete(scope, base, id).await? {
            true => Ok(()),
            false => Err(EvaluationError::SetNotFound),
        }
    }

    /// Searches the questions of a set with one or two settings, and judges what is found. Queries' vectors and
    /// reranking are charged to `payer`. After a minute, the questions that were asked so far are judged.
    ///
    /// # Errors
    /// When the base or the set does not exist, the settings break a rule of searches, the index is not up to date
    /// within seconds, or the store fails. A question whose model fails has its failure as outcome.
    pub async fn evaluate(
        &self,
        payer: &CallerContext,
        base: &str,
        id: &str,
        settings: &[RetrievalSettings],
    ) -> Result<RetrievalEvaluation, EvaluationError> {
        if settings.is_empty() || settings.len() > MAX_SETTINGS {
            let rule = format!("'settings' must have 1 to {MAX_SETTINGS} entries");
            return Err(EvaluationError::Invalid(vec![Violation::new("/settings", rule)]));
        }
        let (_, questions) = self.get(&payer.scope, base, id).await?;
        let base = BaseId(base.to_owned());
        let searcher = Searcher { knowledge: &self.ports.knowledge, scope: &payer.scope, payer, base: &base };
        searcher.run(&questions, settings, self.ports.timer.as_ref()).await
    }

    async fn check(&self, scope: &Scope, base: &str) -> Result<(), EvaluationError> {
        self.ports.knowledge.get(scope, &BaseId(base.to_owned())).await?;
        Ok(())
    }
}

/// The number of questions, if all values follow the rules.
fn checked(new: &NewQuestionSet) -> Result<u32, EvaluationError> {
    let found = violations(new);
    if !found.is_empty() {
        return Err(EvaluationError::Invalid(found));
    }
    Ok(u32::try_from(new.questions.len()).unwrap_or(u32::MAX))
}
