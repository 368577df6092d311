//! Classifies documents to the forms of a caller: by rules, and by a text model where there is one.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use document::Document;
use gen_core::{CallerContext, Cost, GenError, GenService, ModelId, Spend};
use parking_lot::Mutex;
use shared_core::{Offload, offload};

use super::{FormProfile, Ranking, ask_model, combine, rank};

/// Calls of a model for one request at most: a file may have thousands of parts. Later parts are classified by rules.
/// Chosen by hand.
pub const MAX_MODEL_CALLS: usize = 200;

/// A text model that is asked, and who pays for it.
#[derive(Debug)]
pub struct AskedModel {
    /// Calls models.
    pub generation: GenService,
    /// Who pays.
    pub payer: CallerContext,
    /// It is asked once for each document.
    pub model: ModelId,
    /// Once its calls cost as much, it is not asked any more. Calls in flight end.
    pub budget: Option<Cost>,
}

/// Classifies documents to forms.
#[derive(Debug)]
pub struct FormClassifier {
    forms: Arc<[FormProfile]>,
    asked: Option<AskedModel>,
    workers: Arc<dyn Offload>,
    calls: AtomicUsize,
    spent: Mutex<Spend>,
}

impl FormClassifier {
    /// A classifier by rules, and by a model where one is given, which is asked for the first 200 documents, within its
    /// budget.
    #[must_use]
    pub fn new(forms: Vec<FormProfile>, asked: Option<AskedModel>, workers: Arc<dyn Offload>) -> Self {
        Self { forms: forms.into(), asked, workers, calls: AtomicUsize::new(0), spent: Mutex::default() }
    }

    /// What documents are compared with.
    #[must_use]
    pub fn forms(&self) -> &[FormProfile] {
        &self.forms
    }

    /// What the calls of the model have cost.
    #[must_use]
    pub fn spent(&self) -> Spend {
        *self.spent.lock()
    }

    /// Whether another call is within the budget. Without a cost there was a call without a known price.
    fn has_budget(&self, asked: &AskedModel) -> bool {
        asked.budget.is_none_or(|budget| self.spent().cost.is_some_and(|cost| cost < budget))
    }

    /// Ranks the forms for a document. `None` when the workers gave it up.
    ///
    /// # Errors
    /// As the call of the model.
    pub async fn classify(&self, document: &Arc<Document>) -> Result<Option<Ranking>, GenError> {
        let (shared, forms) = (Arc::clone(document), Arc::clone(&self.forms));
        let Some(ranking) = offload(self.workers.as_ref(), move || rank(&shared, &forms)).await else {
            return Ok(None);
        };
        let Some(asked) = &self.asked else { return Ok(Some(ranking)) };
        if !self.has_budget(asked) || self.calls.fetch_add(1, Ordering::Relaxed) >= MAX_MODEL_CALLS {
            return Ok(Some(ranking));
        }
        let (choice, spent) =
            ask_model(&asked.generation, &asked.payer, &asked.model, document, &self.forms).await?;
        *self.spent.lock() += spent;
        Ok(Some(match choice {
            Some(choice) => combine(ranking, &choice),
            None => ranking,
        }))
    }
}
