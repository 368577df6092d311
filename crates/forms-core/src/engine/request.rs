//! The input of an extraction.

use gen_core::{CallerContext, ModelId};

use super::answer_store::AnswerStore;
use crate::{FormSchema, GroupDocument};

/// The input of an extraction.
#[derive(Clone, Copy, Debug)]
pub struct ExtractRequest<'a> {
    /// The caller that is charged for model calls.
    pub payer: &'a CallerContext,
    /// The form.
    pub schema: &'a FormSchema,
    /// The agent's instructions beyond the form; may be empty.
    pub instructions: &'a str,
    /// The model.
    pub model: &'a ModelId,
    /// The documents of one group.
    pub documents: &'a [GroupDocument],
    /// The store for answers of paid calls.
    pub answers: &'a dyn AnswerStore,
}
