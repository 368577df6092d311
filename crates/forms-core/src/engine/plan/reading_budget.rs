//! The token budget of a reading: what the model's context window leaves, but no more than models read
//! reliably.

use gen_core::{Model, PICTURE_TOKENS, estimate_tokens};

use super::super::prompt;
use super::super::segment::Source;
use super::parts::{TOKENS_OF_VALUE, count_leaves};
use crate::{Field, FieldType, FormSchema};

/// Target size of a reading in tokens. Vendors' and published pipelines split at 8,000 to 16,000: beyond
/// that, models miss values in the middle.
const AIM: usize = 10_000;
/// Target size for forms with lists of objects: their answers grow with the text, and models stop after some
/// two hundred rows, or at an output limit of 4,096 to 8,192 tokens, whichever comes first. At 4,000, a table
/// of 1,500 rows takes 6 calls of a model that reads all (decision 12).
const AIM_ROWS: usize = 4_000;
/// Tokens of documents for each token that is sent with every reading, as the schema is: on long documents it adds a
/// quarter at most. Larger readings are read less well, so only forms of more than 2,500 tokens have them.
const DOCUMENT_SHARE: usize = 4;
/// Percentage of the target up to which a text is not split: a second reading would cost more than it gains.
/// Chosen by hand; no measurement is recorded.
const SLACK: usize = 150;
/// The assumed context window of an unknown model. Self-hosted servers seldom start with less.
const USUAL_WINDOW: usize = 16_384;
/// Percentage of the context window that is used: without the vendor's tokeniser the estimate may be too low
/// by half, especially for digits.
const COUNTED_ON: usize = 66;
/// Tokens reserved for the answer, unless the model's output limit is lower. As `gen_core`'s `USUAL_OUTPUT`.
/// Chosen by hand; no measurement is recorded.
const ANSWER: usize = 4_096;
/// The minimum budget for text, whatever is left: the vendor reports if it is too much. Chosen by hand; no
/// measurement is recorded.
const LEAST: usize = 500;
/// Tokens around a document: name, description, part number. Chosen by hand; no measurement is recorded.
pub(super) const FRAME: usize = 40;

/// The token budget for documents in one reading.
#[derive(Debug)]
pub(super) struct ReadingBudget {
    /// The target size of a part.
    pub(super) part: usize,
    /// The largest text that is not split.
    pub(super) uncut_limit: usize,
    /// The largest part, used when there would be too many.
    pub(super) part_limit: usize,
    /// Pictures of one reading at most.
    pub(super) pictures: usize,
    /// Tokens that are sent with each reading.
    pub(super) overhead: usize,
}

impl ReadingBudget {
    pub(super) fn new(model: &Model, schema: &FormSchema, parts: &[FormSchema], instructions: &str) -> Self {
        let window = model.context_tokens.map_or(USUAL_WINDOW, |tokens| tokens as usize);
        let widest = parts.iter().map(|part| estimate_tokens(&part.to_json_schema().to_string())).max();
        // Servers without constrained output need the schema in the prompt too.
        let form = estimate_tokens(&prompt::system_prompt(schema, instructions)) + 2 * widest.unwrap_or(0);
        let leaves = parts.iter().map(|part| count_leaves(&part.fields)).max().unwrap_or(0);
        let answer = ANSWER.max(leaves * TOKENS_OF_VALUE);
        let answer =
            // At most a quarter of a small window. Chosen by hand; no measurement is recorded.
            model.output_tokens.map_or(answer, |tokens| (tokens as usize).min(answer)).min(window / 4);
        let part_limit = (window * COUNTED_ON / 100).saturating_sub(form + answer).max(LEAST);
        let has_lists = parts.iter().any(|part| has_rows(&part.fields));
        let aim = if has_lists { AIM_ROWS } else { AIM.max(DOCUMENT_SHARE * form) };
        let part = aim.min(part_limit);
        let uncut_limit = (part * SLACK / 100).min(part_limit);
        Self { part, uncut_limit, part_limit, pictures: 0, overhead: form }
    }

    /// The budget that leaves room for so many pictures, or for as many as fill half of it.
    pub(super) fn with_pictures(self, wanted: usize) -> Self {
        if wanted == 0 {
            return self;
        }
        let tokens = usize::try_from(PICTURE_TOKENS).unwrap_or(usize::MAX);
        let pictures = wanted.min(self.part_limit / 2 / tokens).max(1);
        let part_limit = self.part_limit.saturating_sub(pictures.saturating_mul(tokens)).max(LEAST);
        let (part, uncut_limit) = (self.part.min(part_limit), self.uncut_limit.min(part_limit));
        Self { part, uncut_limit, part_limit, pictures, ..self }
    }

    /// The budget divided by a number.
    pub(super) fn divided_by(self, by: usize) -> Self {
        let of = |tokens: usize| (tokens / by.max(1)).max(LEAST);
        Self {
            part: of(self.part),
            uncut_limit: of(self.uncut_limit),
            part_limit: of(self.part_limit),
            ..self
        }
    }
}

/// Tokens of a document with its frame.
pub(super) fn document_tokens(source: &Source<'_>) -> usize {
    estimate_tokens(source.text()) + FRAME
}

/// Whether there are lists of objects.
pub(in super::super) fn has_rows(fields: &[Field]) -> bool {
    fields.iter().any(|field| match &field.kind {
        FieldType::Array(item) => {
            matches!(item.kind, FieldType::Object(_)) || has_rows(std::slice::from_ref(item))
        }
        FieldType::Object(parts) => has_rows(parts),
        _ => false,
    })
}
