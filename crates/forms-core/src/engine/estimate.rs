//! What an extraction is going to take, before it is paid for.

use gen_core::request_tokens;

use super::pictures::GroupPictures;
use super::plan::parts::count_leaves;
use super::plan::{self, Pass, Plan, TOKENS_OF_VALUE, has_rows};
use super::request::ExtractRequest;
use super::segment::Source;
use super::{ExtractError, ExtractionEngine, prompt};
use crate::FormSchema;

/// The share of the documents' tokens that a list of objects repeats. Chosen by hand; no measurement is recorded.
const LISTED_SHARE: u64 = 2;

/// The planned model calls of a group and their tokens. Further calls, for failed values and missing rows, are not
/// foreseen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExtractionEstimate {
    /// Planned calls.
    pub calls: u64,
    /// Input tokens: those of texts at four characters a token, and those of pictures.
    pub input_tokens: u64,
    /// Pictures of pages in the planned calls.
    pub pictures: u64,
    /// Their part of the input tokens, by the documentation of the model's vendor.
    pub picture_tokens: u64,
    /// Output tokens, by the number of fields and the length of documents with lists.
    pub output_tokens: u64,
}

impl ExtractionEngine {
    /// Estimates an extraction without a call.
    ///
    /// # Errors
    /// [`ExtractError::TooLong`], when the documents need too many calls.
    pub fn estimate(&self, request: &ExtractRequest<'_>) -> Result<ExtractionEstimate, ExtractError> {
        let sources: Vec<Source<'_>> = request.documents.iter().map(Source::new).collect();
        let form = request.schema.without_computed();
        let guidance = prompt::guidance(request.instructions, request.schema);
        let model = self.generation.describe(request.model);
        let vision = self.generation.vision(request.model);
        let pictures = GroupPictures::planned(self.pictures, (request.model, vision), &form.fields, &sources)
            .with_refusals(self.refusals.as_ref());
        let chosen = pictures.chosen(&sources, 1);
        let plan = Plan::new(&model, &form, &guidance, &sources, &chosen, 1)
            .map_err(|plan::DocumentsTooLong| ExtractError::TooLong { spent: gen_core::Spend::default() })?;
        let system = prompt::system_prompt(&plan.form, &guidance);
        let mut estimate = ExtractionEstimate::default();
        for (shown, part) in plan.passes.iter().flat_map(Pass::calls) {
            let documents = request_tokens(&prompt::fields_request(&system, &sources, shown));
            let pages = || shown.iter().flat_map(|own| own.pictures.iter().map(|page| (own.document, *page)));
            let seen: u64 =
                pages().map(|(document, page)| pictures.tokens_of(document, page, &sources)).sum();
            estimate.calls += 1;
            estimate.pictures += pages().count() as u64;
            estimate.picture_tokens += seen;
            estimate.input_tokens += documents + schema_tokens(part) + seen;
            let listed = if has_rows(&part.fields) { documents / LISTED_SHARE } else { 0 };
            estimate.output_tokens += (TOKENS_OF_VALUE * count_leaves(&part.fields)) as u64 + listed;
        }
        Ok(estimate)
    }
}

fn schema_tokens(part: &FormSchema) -> u64 {
    gen_core::estimate_tokens(&part.to_json_schema().to_string()) as u64
}
