//! The extraction engine: a form and documents in, a checked record with its evidence out.
//!
//! Plan → prompt → model → parse or repair → coerce and check → correct what failed → evidence → merge →
//! record. Everything but the model is deterministic code. It must not know where documents come from or
//! where records go.

mod align;
mod answer_store;
mod attachments;
mod coerce;
mod coverage;
mod equality;
mod error;
mod example_values;
mod field_answer;
mod field_question;
mod labelled_conflicts;
mod merge;
mod model_caller;
mod node;
mod pictures;
mod plan;
mod prompt;
mod record;
mod repeated_lines;
mod request;
mod rows;
mod rule_correction;
mod segment;
mod text;
mod totals;
mod trust;
mod try_join_bounded;

use std::collections::HashMap;
use std::iter;

use gen_core::structured::{self, RootKind};
use gen_core::{ChatRequest, GenService, ModelId};
use serde_json::{Map, Value};

use crate::{Extraction, FormSchema, PagePictures, PictureOptions, PicturePolicy};
pub use answer_store::{AnswerStore, MemoryAnswerStore, NoopAnswerStore, SavedAnswer};
use coerce::RequiredFields;
use coverage::DocumentReading;
pub use error::ExtractError;
use error::Failure;
pub(crate) use example_values::find_values;
pub use field_answer::read_answer;
use field_question::FieldQuestion;
use model_caller::ModelCaller;
use node::Node;
use pictures::{GroupPictures, ShownPicture};
use plan::Plan;
use repeated_lines::CopyIndex;
pub use request::ExtractRequest;
use segment::{Segment, Source};
use text::PrintConventions;
use text::line_shape::RowShapes;
pub use trust::{
    FEATURE_NAMES, FIRST_EVIDENCE, FeatureObserver, SecondReader, SecondReading, TrustOptions,
    UnsupportedPolicy,
};

/// The version of the engine's results. It is raised with every change that can alter a record, so that
/// stored responses of older versions are not reused for the same work.
pub const ENGINE_VERSION: u32 = 8;

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
}

impl ExtractionEngine {
    /// An engine that calls models through `generation`.
    #[must_use]
    pub fn new(generation: GenService) -> Self {
        Self { generation, trust: TrustOptions::default(), pictures: PictureOptions::default() }
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

    /// Whether a model may get pictures of pages; if not, a document without text cannot be read.
    #[must_use]
    pub fn may_show_pictures(&self, model: &ModelId) -> bool {
        self.pictures.policy == PicturePolicy::Auto && self.generation.vision(model) != Some(false)
    }

    /// The engine's settings as text, part of the fingerprint: other settings may give another record for the
    /// same work.
    #[must_use]
    pub fn settings_text(&self) -> String {
        let texts = [self.trust.text(), self.pictures.text()];
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
        let asking = ModelCaller::new(&self.generation, request.payer, request.model, request.answers);
        let printing = PrintConventions::learn(sources.iter().map(Source::text));
        let vision = self.generation.vision(request.model);
        let pictures = GroupPictures::new(pictures, self.pictures, vision, &sources);
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
        trust::fail_examples(form, &mut nodes);
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
            pictures: pictures.report(),
        })
    }
}

/// The model calls of a plan.
#[derive(Debug)]
struct ExtractionRun<'a> {
    model: &'a ModelId,
    plan: &'a Plan,
    sources: &'a [Source<'a>],
    copies: &'a CopyIndex,
    asking: &'a ModelCaller<'a>,
    pictures: &'a GroupPictures<'a>,
    printing: &'a PrintConventions<'a>,
    unsupported: UnsupportedPolicy,
    /// The system prompt, the same for every call of every group with this form.
    system: String,
}

impl<'a> ExtractionRun<'a> {
    /// The nodes of the form from each prompt, in order.
    async fn run_readings(&self) -> Result<Vec<Vec<Node>>, Failure> {
        let fields = &self.plan.form.fields;
        if self.plan.readings.is_empty() {
            return Ok(vec![vec![Node::Absent; fields.len()]]);
        }
        // Collected, since a closure over references that lives across an await is not `Send`.
        let mut calls = Vec::with_capacity(self.plan.calls());
        for shown in &self.plan.readings {
            calls.extend(self.plan.parts.iter().map(|part| self.read_part(shown, part)));
        }
        let mut answers = try_join_bounded::try_join_bounded(calls, || self.asking.stop()).await?;
        if self.plan.can_reask && self.plan.readings.len() > 1 {
            self.search_empty_readings(&mut answers).await?;
        }
        let mut answers = answers.into_iter().map(|answer| answer.nodes);
        let mut join = |_| {
            let parts = self.plan.parts.iter().map(|part| part.fields.as_slice());
            plan::parts::join(fields, parts.zip(answers.by_ref()).collect())
        };
        Ok(self.plan.readings.iter().map(&mut join).collect())
    }

    /// Searches again where one prompt gave no rows and others for the same part of the form did.
    async fn search_empty_readings(&self, answers: &mut [PartAnswer]) -> Result<(), Failure> {
        let count = self.plan.parts.len();
        let mut known: Vec<HashMap<usize, RowShapes>> = vec![HashMap::new(); count];
        for (number, answer) in answers.iter().enumerate() {
            for (field, shapes) in &answer.shapes {
                if let Some(known) = known.get_mut(number % count) {
                    known.entry(*field).or_default().extend(shapes);
                }
            }
        }
        let mut calls = Vec::new();
        for ((number, answer), shown) in answers
            .iter_mut()
            .enumerate()
            .zip(self.plan.readings.iter().flat_map(|shown| iter::repeat_n(shown, count)))
        {
            let (Some(part), Some(known)) = (self.plan.parts.get(number % count), known.get(number % count))
            else {
                continue;
            };
            calls.push(self.search_empty_lists(shown, part, answer, known));
        }
        try_join_bounded::try_join_bounded(calls, || self.asking.stop()).await.map(drop)
    }

    async fn search_empty_lists(
        &self,
        shown: &[Segment],
        part: &FormSchema,
        answer: &mut PartAnswer,
        known: &HashMap<usize, RowShapes>,
    ) -> Result<(), Failure> {
        let request = ChatRequest::default();
        self.reading(shown, part, &request, &[]).search_empty_lists(&mut answer.nodes, known).await
    }

    fn reading(
        &'a self,
        shown: &'a [Segment],
        part: &'a FormSchema,
        request: &'a ChatRequest,
        pictures: &'a [ShownPicture],
    ) -> DocumentReading<'a> {
        let question = FieldQuestion {
            asking: self.asking,
            model: self.model,
            request,
            part,
            printing: self.printing,
            recheck: (self.unsupported == UnsupportedPolicy::Ask).then_some((self.sources, shown)),
            shown: shown.len(),
            can_reask: self.plan.can_reask,
            required: if self.plan.can_reask { RequiredFields::All } else { RequiredFields::None },
            pictures,
        };
        DocumentReading { sources: self.sources, copies: self.copies, shown, system: &self.system, question }
    }

    /// The nodes of a part of the form from the shown segments and the pictures of their pages.
    async fn read_part(&self, shown: &[Segment], part: &FormSchema) -> Result<PartAnswer, Failure> {
        let request = prompt::fields_request(&self.system, self.sources, shown);
        let pictures = self.pictures.load(shown, self.sources).await;
        if !pictures.is_empty() {
            let key = pictures::places_key(&part.fields);
            let with_pictures = pictures::add_pictures(&request, self.sources, shown, &pictures, &key);
            match self.ask_part(shown, part, &with_pictures, &pictures).await {
                Err(failure) if failure.is_refused_request() => self.pictures.refuse(),
                Err(failure) => return Err(failure),
                Ok(answer) => {
                    self.pictures.record_seen(&pictures);
                    return Ok(answer);
                }
            }
        }
        if pictures::shows_nothing(shown, self.sources) {
            return Ok(PartAnswer { nodes: vec![Node::Absent; part.fields.len()], shapes: HashMap::new() });
        }
        self.ask_part(shown, part, &request, &[]).await
    }

    async fn ask_part(
        &self,
        shown: &[Segment],
        part: &FormSchema,
        request: &ChatRequest,
        pictures: &[ShownPicture],
    ) -> Result<PartAnswer, Failure> {
        let reading = self.reading(shown, part, request, pictures);
        let mut filled = reading.question.fill().await?;
        align::attach_evidence(&part.fields, &mut filled.nodes, self.sources, shown);
        let mut pictures = pictures.to_vec();
        self.pictures.add_sizes(&mut pictures, &filled.places).await;
        pictures::attach_places(&part.fields, &mut filled.nodes, self.sources, &pictures, &filled.places);
        self.copies.move_to_origin(&mut filled.nodes);
        let shapes = match self.plan.can_reask {
            true => reading.complete_lists(&mut filled).await?,
            false => HashMap::new(),
        };
        Ok(PartAnswer { nodes: filled.nodes, shapes })
    }
}

/// The result of one planned call and its follow-up calls.
#[derive(Debug)]
struct PartAnswer {
    /// The nodes, parallel to the fields of its part.
    nodes: Vec<Node>,
    /// The row shapes of its lists, by field.
    shapes: HashMap<usize, RowShapes>,
}
