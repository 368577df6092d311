//! The confidence of each value of a record. One probability combines the support by the documents, the vote
//! of second readers, the label context, checks between the values, and the form's rules. Unsupported values
//! are kept or dropped, as configured. It must not know how the values were extracted.

mod agreement;
mod arithmetic;
mod bounds;
mod confidence;
mod features;
mod label_context;
mod place_usage;
mod second_reader;
mod text_cleanup;
mod trees;
mod walk;

use std::collections::HashMap;

use gen_core::{GenService, ModelId, Spend};
use serde::{Deserialize, Serialize};

use super::node::{Leaf, Node};
use super::pictures::GroupPictures;
use super::request::ExtractRequest;
use super::segment::Source;
use super::text::PrintConventions;
use crate::{Conflict, Field, FormSchema, Support};
use agreement::Vote;
use arithmetic::ArithmeticChecks;
pub(super) use confidence::preliminary;
pub use features::{FEATURE_NAMES, FIRST_EVIDENCE};
use features::{Features, is_literal};
use label_context::LabelContext;
use place_usage::PlaceUsage;
pub use second_reader::{SecondReader, SecondReading};
use walk::VisitedLeaf;

/// The policy for a value that the documents do not support, unless it is one that is not printed (a boolean,
/// an option of an `enum`) or a second reader agrees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UnsupportedPolicy {
    /// Keep it, with its low confidence.
    #[default]
    Keep,
    /// Ask the model again for the value that was not found, in the same correction prompt as for invalid
    /// values. If it is still not found and likely wrong, it becomes `null` and is listed in the errors.
    Ask,
    /// If it is likely wrong, it becomes `null` and is listed in the errors.
    Null,
}

/// The confidence below which an unsupported value is likely wrong. On the training and the held-out
/// documents, at least three of four such values are wrong.
const LIKELY_WRONG: f32 = 0.35;

/// How values are assessed.
#[derive(Clone, Debug, PartialEq)]
pub struct TrustOptions {
    /// The policy for values that the documents do not support.
    pub unsupported: UnsupportedPolicy,
    /// The second reader of the documents.
    pub second_reader: SecondReader,
    /// When the second reader is called.
    pub second_reading: SecondReading,
    /// The share of accepted values that may be wrong, 0 to 1.
    pub acceptable_error: f64,
}

impl Default for TrustOptions {
    fn default() -> Self {
        Self {
            unsupported: UnsupportedPolicy::default(),
            second_reader: SecondReader::default(),
            second_reading: SecondReading::default(),
            // The rate at which three of four values should be accepted (docs/benchmarks/confidence.md).
            acceptable_error: 0.01,
        }
    }
}

impl TrustOptions {
    /// The lowest confidence at which values of `model` are accepted. With a second reader beside the built-in model,
    /// the higher one of both bounds.
    pub(super) fn lowest_accepted(&self, model: &ModelId) -> f32 {
        let others = confidence::bound(false, self.acceptable_error);
        match model.is_extractive() {
            true => confidence::bound(true, self.acceptable_error).max(others),
            false => others,
        }
    }

    /// The options as text; empty for the defaults.
    pub(super) fn text(&self) -> String {
        let mut texts = Vec::new();
        match self.unsupported {
            UnsupportedPolicy::Keep => {}
            UnsupportedPolicy::Ask => texts.push("unsupported=ask".to_owned()),
            UnsupportedPolicy::Null => texts.push("unsupported=null".to_owned()),
        }
        match (&self.second_reader, self.second_reading) {
            (SecondReader::BuiltIn, _) => {}
            (SecondReader::Off, _) => texts.push("second_reader=off".to_owned()),
            (SecondReader::Model(model), SecondReading::Always) => {
                texts.push(format!("second_reader={model}"))
            }
            (SecondReader::Model(model), SecondReading::Doubt) => {
                texts.push(format!("second_reader={model} in doubt"));
            }
        }
        if self.acceptable_error.to_bits() != Self::default().acceptable_error.to_bits() {
            texts.push(format!("acceptable_error={}", self.acceptable_error));
        }
        texts.join(", ")
    }
}

/// Receives the features of each value with its JSON pointer, in the order of [`FEATURE_NAMES`].
pub type FeatureObserver<'o> = dyn FnMut(&str, &[f32]) + Send + 'o;

/// Assesses every value: sets its confidence, and drops it if the policy demands it. Returns the spend of a
/// second reader.
#[expect(clippy::too_many_arguments, reason = "what an engine has at hand, once")]
pub(super) async fn assess(
    generation: &GenService,
    options: &TrustOptions,
    request: &ExtractRequest<'_>,
    sources: &[Source<'_>],
    printing: &PrintConventions<'_>,
    pictures: &GroupPictures<'_>,
    nodes: &mut [Node],
    conflicts: &mut [Conflict],
    observer: &mut FeatureObserver<'_>,
) -> Spend {
    let fields = &request.schema.fields;
    text_cleanup::clean_texts(fields, nodes);
    let context = second_reader::ReadingContext { generation, request, sources, printing, pictures };
    let mut readings: Vec<Vec<Node>> = Vec::new();
    let mut spent = Spend::default();
    if !request.model.is_extractive() && options.second_reader != SecondReader::Off {
        readings.extend(context.built_in(nodes).await);
    }
    if let SecondReader::Model(model) = &options.second_reader
        && model != request.model
    {
        let doubts = match options.second_reading {
            SecondReading::Always => true,
            SecondReading::Doubt => {
                let features = features_of(fields, nodes, &readings, request, sources, printing, conflicts);
                let accepts = |features| accepts(options, features, confidence::probability(features));
                features.iter().any(|(features, _)| !accepts(features))
            }
        };
        if doubts {
            let (read, used) = context.model(model, nodes).await;
            readings.extend(read);
            spent = used;
        }
    }
    let features = features_of(fields, nodes, &readings, request, sources, printing, conflicts);
    apply_confidence(options, fields, nodes, &features, conflicts, observer);
    spent
}

/// The features of every value in visiting order, and the votes on the values of other documents.
fn features_of(
    fields: &[Field],
    nodes: &mut [Node],
    readings: &[Vec<Node>],
    request: &ExtractRequest<'_>,
    sources: &[Source<'_>],
    printing: &PrintConventions<'_>,
    conflicts: &[Conflict],
) -> Vec<(Features, Vec<Vote>)> {
    let contested: HashMap<&str, &Conflict> =
        conflicts.iter().map(|conflict| (conflict.path.as_str(), conflict)).collect();
    let is_own = request.model.is_extractive();
    let mut place = LabelContext::new(fields, sources);
    let sums = ArithmeticChecks::of(fields, nodes, sources, printing);
    let mut taken = PlaceUsage::default();
    let mut all: Vec<(Features, Vec<Vote>)> = Vec::new();
    walk::visit_leaves(fields, nodes, None, &mut |seen: VisitedLeaf<'_>, node: &mut Node| {
        let Node::Leaf(leaf) = node else { return };
        taken.add(seen.path, seen.listed, leaf, sources);
        let mut features = Features::from_leaf(seen.field, leaf);
        features.listed = seen.listed;
        features.reader = !readings.is_empty();
        // Once another reader takes part, the built-in model's values are assessed like those of other
        // models.
        let scored = is_own && readings.is_empty();
        features.score = leaf.hint.filter(|_| scored).map(|hint| hint.confidence);
        features.sums = sums.at(seen.path);
        place.read(seen.field, leaf, &mut features);
        let conflict = contested.get(seen.path);
        features.contested = conflict.is_some();
        let sides = conflict.map_or(0, |conflict| conflict.values.len());
        all.push((features, vec![Vote::Abstains; sides]));
    });
    for reading in readings {
        let mut slots = all.iter_mut();
        walk::visit_leaves(fields, nodes, Some(reading), &mut |seen: VisitedLeaf<'_>, node: &mut Node| {
            let (Node::Leaf(leaf), Some((features, sides))) = (node, slots.next()) else { return };
            features.vote = features.vote.combined_with(agreement::vote_on(&leaf.value, seen.cross_check));
            let values = contested.get(seen.path).into_iter().flat_map(|conflict| &conflict.values);
            for (opinion, side) in sides.iter_mut().zip(values) {
                *opinion = opinion.combined_with(agreement::vote_on(&side.value, seen.cross_check));
            }
        });
    }
    let mut slots = all.iter_mut();
    walk::visit_leaves(fields, nodes, None, &mut |seen: VisitedLeaf<'_>, node: &mut Node| {
        let (Node::Leaf(leaf), Some((features, _))) = (node, slots.next()) else { return };
        features.alone &= !taken.is_shared(seen.listed, leaf);
        if seen.listed {
            features.row = taken.row_share(seen.path, leaf, sources);
        }
    });
    with_peers(&mut all);
    all
}

/// Adds the quality of the record's other values: a model that gets many wrong probably gets this one wrong
/// too.
fn with_peers(all: &mut [(Features, Vec<Vote>)]) {
    /// The prior for the mean: weight, in values, and quality. Chosen by hand; no measurement is recorded.
    const KNOWN: (f32, f32) = (2.0, 0.8);
    let own: Vec<Option<f32>> = all.iter().map(|(features, _)| features.quality()).collect();
    let (sum, count) = own.iter().flatten().fold((0.0, 0.0), |(sum, count), own| (sum + own, count + 1.0));
    for ((features, _), own) in all.iter_mut().zip(&own) {
        let (own, one) = own.map_or((0.0, 0.0), |own| (own, 1.0));
        features.peers = (sum - own + KNOWN.0 * KNOWN.1) / (count - one + KNOWN.0);
    }
}

fn accepts(options: &TrustOptions, features: &Features, confidence: f32) -> bool {
    confidence::is_accepted(features, confidence, options.acceptable_error)
}

/// Sets the confidence of every value, and drops it if the policy demands it.
fn apply_confidence(
    options: &TrustOptions,
    fields: &[Field],
    nodes: &mut [Node],
    features: &[(Features, Vec<Vote>)],
    conflicts: &mut [Conflict],
    observer: &mut FeatureObserver<'_>,
) {
    let places: HashMap<String, usize> =
        conflicts.iter().enumerate().map(|(at, conflict)| (conflict.path.clone(), at)).collect();
    let mut slots = features.iter();
    walk::visit_leaves(fields, nodes, None, &mut |seen: VisitedLeaf<'_>, node: &mut Node| {
        let (Node::Leaf(leaf), Some((features, opinions))) = (&mut *node, slots.next()) else { return };
        observer(seen.path, &features.values());
        let confidence = confidence::probability(features);
        if let Some(evidence) = &mut leaf.evidence {
            evidence.confidence = confidence;
            evidence.accepted = Some(accepts(options, features, confidence));
        }
        let conflict = places.get(seen.path).and_then(|at| conflicts.get_mut(*at));
        let sides = conflict.into_iter().flat_map(|conflict| conflict.values.iter_mut());
        for (side, opinion) in sides.zip(opinions) {
            let mut other = Features::new(seen.field, &side.value, side.evidence.support);
            (other.vote, other.contested, other.reader) = (*opinion, true, features.reader);
            side.evidence.confidence = match side.value == leaf.value {
                true => confidence,
                false => confidence::probability(&other),
            };
            side.evidence.accepted = Some(accepts(options, &other, side.evidence.confidence));
        }
        let doubtful = is_doubtful(seen.field, leaf, features.vote) && confidence < LIKELY_WRONG;
        if options.unsupported != UnsupportedPolicy::Keep && doubtful {
            *node = Node::Failed(not_found(seen.field));
        }
    });
}

/// Turns values of a model's first answer that `nodes`' own evidence does not support into failures, so that
/// they are corrected.
pub(super) fn fail_unsupported(fields: &[Field], nodes: &mut [Node]) {
    text_cleanup::clean_texts(fields, nodes);
    walk::visit_leaves(fields, nodes, None, &mut |seen: VisitedLeaf<'_>, node: &mut Node| {
        if let Node::Leaf(leaf) = node
            && is_doubtful(seen.field, leaf, Vote::Abstains)
        {
            *node = Node::Failed(not_found(seen.field));
        }
    });
}

/// Turns values that only the examples of the form state into failures, whatever the policy: a model copied them.
pub(super) fn fail_examples(form: &FormSchema, nodes: &mut [Node]) {
    walk::visit_leaves(&form.fields, nodes, None, &mut |seen: VisitedLeaf<'_>, node: &mut Node| {
        if let Node::Leaf(leaf) = node
            && is_doubtful(seen.field, leaf, Vote::Abstains)
            && form.is_example(seen.field, seen.path, &leaf.value)
        {
            *node =
                Node::Failed(format!("the value given for '{}' is an example of the form", seen.field.name));
        }
    });
}

/// Whether a value that the documents should print has no support.
fn is_doubtful(field: &Field, leaf: &Leaf, opinion: Vote) -> bool {
    let shown = leaf.evidence.as_ref().is_none_or(|evidence| evidence.support != Support::Unsupported);
    !shown && is_literal(field) && !matches!(opinion, Vote::Agrees(_))
}

fn not_found(field: &Field) -> String {
    format!("the value given for '{}' is not found in the documents", field.name)
}
