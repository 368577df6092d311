//! The extraction engine: a form and documents in, a checked record with its evidence out.
//!
//! Plan → prompt → model → parse or repair → coerce and check → correct what failed → evidence → merge →
//! record. Everything but the model is deterministic code. It must not know where documents come from or
//! where records go.

mod align;
mod answer_store;
mod attachments;
mod call_options;
mod coerce;
mod coverage;
mod equality;
mod error;
mod estimate;
mod example_values;
mod excerpt;
mod extraction_run;
mod field_answer;
mod field_question;
mod labelled_conflicts;
mod merge;
mod model_caller;
mod node;
mod picture_refusals;
mod pictures;
mod plan;
mod prompt;
mod record;
mod repeated_lines;
mod request;
mod restated_rows;
mod rows;
mod rule_correction;
mod segment;
mod text;
mod totals;
mod trust;
mod try_join_bounded;

use gen_core::structured::{self, RootKind};
use gen_core::{GenService, ModelId};
use serde_json::{Map, Value};

use crate::{Extraction, PagePictures, PictureOptions, PicturePolicy};
pub use answer_store::{AnswerStore, CallRoute, MemoryAnswerStore, NoopAnswerStore, SavedAnswer};
pub use call_options::CallOptions;
pub use error::ExtractError;
pub use estimate::ExtractionEstimate;
pub(crate) use example_values::find_values;
use extraction_run::ExtractionRun;
pub use field_answer::read_answer;
use model_caller::ModelCaller;
use picture_refusals::PictureRefusals;
use pictures::GroupPictures;
use plan::Plan;
use repeated_lines::CopyIndex;
pub use request::ExtractRequest;
use segment::Source;
use text::PrintConventions;
pub use trust::{
    FEATURE_NAMES, FIRST_EVIDENCE, FeatureObserver, SecondReader, SecondReading, TrustOptions,
    UnsupportedPolicy,
};

/// The version of the engine's results. It is raised with every change that can alter a record, so that
/// stored responses of older versions are not reused for the same work.
pub const ENGINE_VERSION: u32 = 10;

/// The largest divisor of the prompt budget, for a model whose context window turns out to be smaller than
/// configured, as is common on self-hosted servers. Three halvings, as 16,384 to 2,048 tokens. Chosen by
/// hand; no measurement is recorded.
const MAX_ROOM_DIVISOR: usize = 8;

/// The object in a model's answer: as sent, repaired, or truncated.
#[must_use]
pub fn parse_answer(text: &str) -> Option<Map<String, Value>> {
    match structured::parse(text, RootKind::Object)?.value {
        Value::Object(object) => Some(object),
        _ => None,
    }
}

/// Extracts records from documents.
#[derive(Clone, Debug)]
pub struct ExtractionEngine {
    generation: GenService,
    trust: TrustOptions,
    pictures: PictureOptions,
    calls: CallOptions,
    /// The refusals of the models of a run.
    refusals: Option<PictureRefusals>,
}

impl ExtractionEngine {
    /// An engine that calls models through `generation`.
    #[must_use]
    pub fn new(generation: GenService) -> Self {
        let (trust, pictures) = (TrustOptions::default(), PictureOptions::default());
        Self { generation, trust, pictures, calls: CallOptions::default(), refusals: None }
    }

    /// Sets the policy for values that the documents do not support.
    #[must_use]
    pub fn with_unsupported(self, unsupported: UnsupportedPolicy) -> Self {
        Self { trust: TrustOptions { unsupported, ..self.trust }, ..self }
    }

    /// Sets the options by which values are assessed.
    #[must_use]
    pub fn with_trust(self, trust: TrustOptions) -> Self {
        Self { trust, ..self }
    }

    /// Sets which pictures of pages models get.
    #[must_use]
    pub fn with_picture_options(self, pictures: PictureOptions) -> Self {
        Self { pictures, ..self }
    }

    /// Sets the options of model calls.
    #[must_use]
    pub fn with_call_options(self, calls: CallOptions) -> Self {
        Self { calls, ..self }
    }

    /// The engine of one run: a model that refuses pictures in a group is not asked with pictures in later ones. Clones
    /// share that.
    #[must_use]
    pub fn for_run(self) -> Self {
        Self { refusals: Some(PictureRefusals::default()), ..self }
    }

    /// Whether a model may get pictures of pages; if not, a document without text cannot be read.
    #[must_use]
    pub fn may_show_pictures(&self, model: &ModelId) -> bool {
        let is_refused = self.refusals.as_ref().is_some_and(|refusals| refusals.has(model));
        self.pictures.policy == PicturePolicy::Auto
            && self.generation.vision(model) != Some(false)
            && !is_refused
    }

    /// The lowest confidence at which a value of the model may be accepted.
    #[must_use]
    pub fn lowest_accepted(&self, model: &ModelId) -> f32 {
        self.trust.lowest_accepted(model)
    }

    /// The engine's settings as text, part of the fingerprint: other settings may give another record for the
    /// same work.
    #[must_use]
    pub fn settings_text(&self) -> String {
        let effort = self.calls.effort.map_or_else(String::new, |effort| format!("effort={}", effort.name()));
        let texts = [self.trust.text(), self.pictures.text(), effort];
        texts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(", ")
    }

    /// Fills the form from the documents. A value that breaks a rule is `null` and listed in the errors, as
    /// is a required field that the documents do not state. A field that does not apply in this record is
    /// `null` without an error. Without documents no model is called and every field is `null`.
    ///
    /// # Errors
    /// [`ExtractError`], when there is no record at all.
    pub async fn extract(&self, request: ExtractRequest<'_>) -> Result<Extraction, ExtractError> {
        self.extract_observed(request, &mut |_, _| {}).await
    }

    /// As [`extract`](Self::extract), with pictures of pages for models that see. A model that refuses them is called
    /// again without them. [`Extraction::pictures`] has the pages that it saw.
    ///
    /// # Errors
    /// As [`extract`](Self::extract).
    pub async fn extract_with_pictures(
        &self,
        request: ExtractRequest<'_>,
        pictures: &dyn PagePictures,
    ) -> Result<Extraction, ExtractError> {
        self.run(request, Some(pictures), &mut |_, _| {}).await
    }

    /// As [`extract`](Self::extract), and passes the features of each value to `observer`, as training data.
    ///
    /// # Errors
    /// As [`extract`](Self::extract).
    pub async fn extract_observed(
        &self,
        request: ExtractRequest<'_>,
        observer: &mut FeatureObserver<'_>,
    ) -> Result<Extraction, ExtractError> {
        self.run(request, None, observer).await
    }

    async fn run(
        &self,
        request: ExtractRequest<'_>,
        pictures: Option<&dyn PagePictures>,
        observer: &mut FeatureObserver<'_>,
    ) -> Result<Extraction, ExtractError> {
        let form = request.schema;
        let asked = form.without_computed();
        let request = ExtractRequest { schema: &asked, ..request };
        let guidance = prompt::guidance(request.instructions, form);
        let sources: Vec<Source<'_>> = request.documents.iter().map(Source::new).collect();
        let copies = CopyIndex::of(&sources);
        let model = self.generation.describe(request.model);
        let asking =
            ModelCaller::new(&self.generation, request.payer, request.model, request.answers, self.calls);
        let printing = PrintConventions::learn(sources.iter().map(Source::text));
        let vision = self.generation.vision(request.model);
        let pictures =
            GroupPictures::new(pictures, self.pictures, (request.model, vision), &asked.fields, &sources)
                .with_refusals(self.refusals.as_ref());
        let mut smaller = 1;
        let (mut nodes, mut conflicts) = loop {
            let chosen = pictures.chosen(&sources, smaller);
            let plan = Plan::new(&model, request.schema, &guidance, &sources, &chosen, smaller)
                .map_err(|plan::DocumentsTooLong| ExtractError::TooLong { spent: asking.spent() })?;
            asking.begin(plan.calls());
            let work = ExtractionRun {
                model: request.model,
                plan: &plan,
                sources: &sources,
                copies: &copies,
                asking: &asking,
                pictures: &pictures,
                printing: &printing,
                unsupported: self.trust.unsupported,
                system: prompt::system_prompt(&plan.form, &guidance),
            };
            let merged = match work.run_readings().await {
                Ok(answers) => {
                    let (nodes, conflicts) = merge::merge(&asked.fields, answers, &sources, &printing);
                    work.correct_rules(form, nodes).await.map(|nodes| (nodes, conflicts))
                }
                Err(failure) => Err(failure),
            };
            match merged {
                Ok(merged) => break merged,
                Err(failure) if failure.is_too_much() && smaller < MAX_ROOM_DIVISOR => smaller *= 2,
                // One picture is too much: the model's window is too small for any.
                Err(failure) if failure.is_too_much() && chosen.wanted() > 0 => {
                    pictures.refuse();
                    smaller = 1;
                }
                Err(failure) => return Err(ExtractError::new(failure, asking.spent())),
            }
        };
        pictures::settle_marks(&asked.fields, &mut nodes, &sources);
        align::currency::settle(&asked.fields, &mut nodes, &sources);
        trust::fail_examples(&asked, &mut nodes);
        labelled_conflicts::find_conflicts(
            &request.schema.fields,
            &nodes,
            &sources,
            &printing,
            &mut conflicts,
        );
        let second = trust::assess(
            &self.generation,
            &self.trust,
            &request,
            &sources,
            &printing,
            &pictures,
            &mut nodes,
            &mut conflicts,
            observer,
        )
        .await;
        let mut spent = asking.spent();
        spent += second;
        let mut assembled = record::assemble(form, &asked.fields, nodes, conflicts);
        record::apply_rules(form, &mut assembled);
        Ok(Extraction {
            record: assembled.record,
            evidence: assembled.evidence,
            conflicts: assembled.conflicts,
            errors: assembled.errors,
            usage: spent.usage,
            cost: spent.cost,
            pictures: pictures.report(&sources),
        })
    }
}
