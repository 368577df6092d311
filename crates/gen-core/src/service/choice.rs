//! The models that may answer a request.

use crate::{GenError, MAX_FALLBACKS, ModelId};

/// A model and its fallbacks, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelChoice {
    first: ModelId,
    fallbacks: Vec<ModelId>,
}

impl ModelChoice {
    /// A model with fallbacks in order. Duplicates are removed.
    ///
    /// # Errors
    /// [`GenError::TooManyFallbacks`] above [`MAX_FALLBACKS`].
    pub fn new(first: ModelId, fallbacks: Vec<ModelId>) -> Result<Self, GenError> {
        if fallbacks.len() > MAX_FALLBACKS {
            return Err(GenError::TooManyFallbacks);
        }
        let mut choice = Self::from(first);
        for id in fallbacks {
            if id != choice.first && !choice.fallbacks.contains(&id) {
                choice.fallbacks.push(id);
            }
        }
        Ok(choice)
    }

    /// The model that is called first.
    #[must_use]
    pub fn first(&self) -> &ModelId {
        &self.first
    }

    /// All models, in order.
    pub fn iter(&self) -> impl Iterator<Item = &ModelId> {
        std::iter::once(&self.first).chain(&self.fallbacks)
    }
}

impl From<ModelId> for ModelChoice {
    fn from(first: ModelId) -> Self {
        Self { first, fallbacks: Vec::new() }
    }
}
