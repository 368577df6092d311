//! The model calls of a plan, and the nodes that their answers give.

use std::collections::HashMap;

use gen_core::{ChatRequest, ModelId};

use super::coerce::RequiredFields;
use super::coverage::DocumentReading;
use super::error::Failure;
use super::field_question::FieldQuestion;
use super::model_caller::ModelCaller;
use super::node::Node;
use super::pictures::{self, GroupPictures, ShownPicture};
use super::plan::{self, Pass, Plan};
use super::repeated_lines::CopyIndex;
use super::segment::{Segment, Source};
use super::text::PrintConventions;
use super::text::line_shape::RowShapes;
use super::trust::UnsupportedPolicy;
use super::{align, prompt, try_join_bounded};
use crate::FormSchema;

/// The model calls of a plan.
#[derive(Debug)]
pub(super) struct ExtractionRun<'a> {
    pub(super) model: &'a ModelId,
    pub(super) plan: &'a Plan,
    pub(super) sources: &'a [Source<'a>],
    pub(super) copies: &'a CopyIndex,
    pub(super) asking: &'a ModelCaller<'a>,
    pub(super) pictures: &'a GroupPictures<'a>,
    pub(super) printing: &'a PrintConventions<'a>,
    pub(super) unsupported: UnsupportedPolicy,
    /// The system prompt, the same for every call of every group with this form.
    pub(super) system: String,
}

impl<'a> ExtractionRun<'a> {
    /// The nodes of the form from each prompt, in order.
    pub(super) async fn run_readings(&self) -> Result<Vec<Vec<Node>>, Failure> {
        let fields = &self.plan.form.fields;
        if self.plan.passes.is_empty() {
            return Ok(vec![vec![Node::Absent; fields.len()]]);
        }
        // Collected, since a closure over references that lives across an await is not `Send`.
        let mut calls = Vec::with_capacity(self.plan.calls());
        for pass in &self.plan.passes {
            calls.extend(pass.calls().map(|(shown, part)| self.read_part(shown, part)));
        }
        let mut answers = try_join_bounded::try_join_bounded(calls, || self.asking.stop()).await?.into_iter();
        let mut records = Vec::new();
        for pass in &self.plan.passes {
            let count = pass.readings.len() * pass.parts.len();
            let mut answers: Vec<PartAnswer> = answers.by_ref().take(count).collect();
            if self.plan.can_reask && pass.readings.len() > 1 {
                self.search_empty_readings(pass, &mut answers).await?;
            }
            let mut answers = answers.into_iter().map(|answer| answer.nodes);
            records.extend(pass.readings.iter().map(|_| {
                let parts = pass.parts.iter().map(|part| part.fields.as_slice());
                plan::parts::join(fields, parts.zip(answers.by_ref()).collect())
            }));
        }
        Ok(records)
    }

    /// Searches again where one prompt gave no rows and others for the same part of the form did.
    async fn search_empty_readings(&self, pass: &Pass, answers: &mut [PartAnswer]) -> Result<(), Failure> {
        let count = pass.parts.len();
        let mut known: Vec<HashMap<usize, RowShapes>> = vec![HashMap::new(); count];
        for (number, answer) in answers.iter().enumerate() {
            for (field, shapes) in &answer.shapes {
                if let Some(known) = known.get_mut(number % count) {
                    known.entry(*field).or_default().extend(shapes);
                }
            }
        }
        let mut calls = Vec::new();
        for ((number, answer), (shown, part)) in answers.iter_mut().enumerate().zip(pass.calls()) {
            let Some(known) = known.get(number % count) else { continue };
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

    pub(super) fn reading(
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
        DocumentReading {
            sources: self.sources,
            copies: self.copies,
            shown,
            system: &self.system,
            pictures: self.pictures,
            question,
        }
    }

    /// The nodes of a part of the form from the shown segments and the pictures of their pages.
    async fn read_part(&self, shown: &[Segment], part: &FormSchema) -> Result<PartAnswer, Failure> {
        let request = prompt::fields_request(&self.system, self.sources, shown);
        let pictures = self.pictures.load(shown, self.sources).await;
        let mut is_refused = false;
        if !pictures.is_empty() {
            let key = pictures::places_key(&part.fields);
            let with_pictures = pictures::add_pictures(&request, self.sources, shown, &pictures, &key);
            match self.ask_part(shown, part, &with_pictures, &pictures).await {
                Err(failure) if failure.is_refused_request() => {
                    self.pictures.refuse();
                    is_refused = true;
                }
                Err(failure) => return Err(failure),
                Ok(answer) => {
                    self.pictures.record_seen(&pictures);
                    return Ok(answer);
                }
            }
        }
        if pictures::shows_nothing(shown, self.sources) {
            if is_refused {
                self.pictures.record_refused(self.model, false);
            }
            return Ok(PartAnswer { nodes: vec![Node::Absent; part.fields.len()], shapes: HashMap::new() });
        }
        let answer = self.ask_part(shown, part, &request, &[]).await?;
        if is_refused {
            self.pictures.record_refused(self.model, true);
        }
        Ok(answer)
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
