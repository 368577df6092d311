//! Which models of a run refused pictures, so that they are not asked with pictures for every group.

use std::collections::HashMap;
use std::sync::Arc;

use gen_core::ModelId;
use parking_lot::Mutex;

/// Refusals without an answer to the same question without pictures, after which a model that never took a picture is
/// taken to refuse them. A single one may be about the picture.
const UNCONFIRMED: u8 = 2;

/// The refusals of the models of a run: that of the run and its second reader. Clones share them.
#[derive(Clone, Debug, Default)]
pub(super) struct PictureRefusals(Arc<Mutex<HashMap<ModelId, ModelRefusals>>>);

#[derive(Debug, Default)]
struct ModelRefusals {
    /// Whether the model answered a question with pictures.
    has_taken: bool,
    /// Whether it answered a question without the pictures that it had refused.
    is_confirmed: bool,
    count: u8,
}

impl PictureRefusals {
    /// Whether the model refuses pictures, as is known by now.
    pub(super) fn has(&self, model: &ModelId) -> bool {
        let known = self.0.lock();
        known.get(model).is_some_and(|own| !own.has_taken && (own.is_confirmed || own.count >= UNCONFIRMED))
    }

    /// Records that the model answered a question with pictures.
    pub(super) fn record_taken(&self, model: &ModelId) {
        self.0.lock().entry(model.clone()).or_default().has_taken = true;
    }

    /// Records a refusal; `is_confirmed`: the model answered the question without its pictures.
    pub(super) fn record_refused(&self, model: &ModelId, is_confirmed: bool) {
        let mut known = self.0.lock();
        let own = known.entry(model.clone()).or_default();
        own.is_confirmed |= is_confirmed;
        own.count = own.count.saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> ModelId {
        "gpt-4o@openai".parse().unwrap()
    }

    #[test]
    fn a_refusal_counts_once_it_is_confirmed_or_comes_again() {
        let refusals = PictureRefusals::default();
        assert!(!refusals.has(&model()));
        refusals.record_refused(&model(), false);
        assert!(!refusals.has(&model()));
        refusals.clone().record_refused(&model(), false);
        assert!(refusals.has(&model()));
        assert!(!refusals.has(&"gpt-4o@mistral".parse().unwrap()));
        let refusals = PictureRefusals::default();
        refusals.record_refused(&model(), true);
        assert!(refusals.has(&model()));
    }

    #[test]
    fn a_model_that_took_a_picture_refuses_single_ones() {
        let refusals = PictureRefusals::default();
        refusals.record_taken(&model());
        (0..9).for_each(|_| refusals.record_refused(&model(), true));
        assert!(!refusals.has(&model()));
    }
}
