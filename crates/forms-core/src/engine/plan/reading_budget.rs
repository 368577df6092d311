//! How much a reading may hold: what is left of the model's window, and not more than models read well.

use gen_core::{Model, estimate_tokens};

use super::super::prompt;
use super::super::segment::Source;
use crate::{Field, FieldType, FormSchema};

/// Tokens of a reading that are aimed at. Vendors' and published pipelines cut at 8,000 to 16,000: beyond
/// that, models leave things out that stand in the middle.
const AIM: usize = 10_000;
/// The same where the form has lists of objects: their answers grow with the text, and models stop after
/// some two hundred rows, or at a limit of 4,096 to 8,192 tokens, whichever comes first.
const AIM_ROWS: usize = 4_000;
/// What is longer than aimed at by no more than this many hundredths is still read at once: a second reading
/// would cost more than it gains.
const SLACK: usize = 150;
/// The window of a model of which none is known. Own servers seldom start with less.
const USUAL_WINDOW: usize = 16_384;
/// Of a hundred tokens of a window, how many are counted on: without the vendor's tokeniser the estimate
/// may be too low by half, most of all for digits.
const COUNTED_ON: usize = 66;
/// Tokens of an answer that room is kept for, unless the model writes fewer.
const ANSWER: usize = 4_096;
/// The least room for a text, whatever is left: the vendor says if it is too much.
const LEAST: usize = 500;
/// Tokens of a document's frame: name, description, part.
pub(super) const FRAME: usize = 40;

/// Tokens of documents that go into one reading.
#[derive(Debug)]
pub(super) struct ReadingBudget {
    /// The size of parts.
    pub(super) part: usize,
    /// Up to so much is read at once and not cut.
    pub(super) uncut_limit: usize,
    /// The most that a part may be made when there would be too many.
    pub(super) part_limit: usize,
}

impl ReadingBudget {
    pub(super) fn new(model: &Model, schema: &FormSchema, parts: &[FormSchema], instructions: &str) -> Self {
        let window = model.context_tokens.map_or(USUAL_WINDOW, |tokens| tokens as usize);
        let widest = parts.iter().map(|part| estimate_tokens(&part.to_json_schema().to_string())).max();
        // Servers that do not hold a model to a schema have it in the prompt, too.
        let form = estimate_tokens(&prompt::system_prompt(schema, instructions)) + 2 * widest.unwrap_or(0);
        let answer =
            model.output_tokens.map_or(ANSWER, |tokens| (tokens as usize).min(ANSWER)).min(window / 4);
        let part_limit = (window * COUNTED_ON / 100).saturating_sub(form + answer).max(LEAST);
        let part = if has_rows(&schema.fields) { AIM_ROWS } else { AIM }.min(part_limit);
        Self { part, uncut_limit: (part * SLACK / 100).min(part_limit), part_limit }
    }

    /// The room divided by a number.
    pub(super) fn divided_by(self, by: usize) -> Self {
        let of = |tokens: usize| (tokens / by.max(1)).max(LEAST);
        Self { part: of(self.part), uncut_limit: of(self.uncut_limit), part_limit: of(self.part_limit) }
    }
}

/// Tokens of a document with its frame.
pub(super) fn document_tokens(source: &Source<'_>) -> usize {
    estimate_tokens(source.text()) + FRAME
}

fn has_rows(fields: &[Field]) -> bool {
    fields.iter().any(|field| match &field.kind {
        FieldType::Array(item) => {
            matches!(item.kind, FieldType::Object(_)) || has_rows(std::slice::from_ref(item))
        }
        FieldType::Object(parts) => has_rows(parts),
        _ => false,
    })
}
