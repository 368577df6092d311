//! Which models may answer a request.

use crate::{GenError, MAX_FALLBACKS, ModelId};

/// A model, and those that stand in for it, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelChoice {
    first: ModelId,
    fallbacks: Vec<ModelId>,
}

impl ModelChoice {
    /// A model with others in order behind it; one that is named twice counts once.
    ///
    /// # Errors
    /// [`GenError::TooManyFallbacks`].
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

    /// The model that is asked first.
    #[must_use]
    pub fn first(&self) -> &ModelId {
        &self.first
    }

    /// All, in order.
    pub fn iter(&self) -> impl Iterator<Item = &ModelId> {
        std::iter::once(&self.first).chain(&self.fallbacks)
    }
}

impl From<ModelId> for ModelChoice {
    fn from(first: ModelId) -> Self {
        Self { first, fallbacks: Vec::new() }
    }
}
