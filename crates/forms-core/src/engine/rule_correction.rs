//! One further question about the fields of rules that a record breaks. Its answer is taken only if it breaks fewer
//! rules with values that the documents print: a model that is told a rule can make up what fulfils it.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::align::attach_evidence;
use super::error::Failure;
use super::extraction_run::ExtractionRun;
use super::field_question::FieldQuestion;
use super::node::Node;
use super::plan::parts::{count_leaves, schema_of};
use super::record::{AssembledRecord, assemble};
use super::segment::Segment;
use super::{excerpt, pictures, prompt};
use crate::{Field, FormSchema, RecordFinding, Support, pointer_tokens, value_at};

// These bound a call that may change nothing. Chosen by hand; no measurement is recorded.
/// Fields of the question at most.
const MAX_FIELDS: usize = 40;
/// Characters of the values that the question repeats at most.
const MAX_TOLD: usize = 20_000;

impl ExtractionRun<'_> {
    /// The nodes of the form's fields, with the broken rules corrected where the model can do it. `form` has the
    /// computed fields too.
    pub(super) async fn correct_rules(
        &self,
        form: &FormSchema,
        nodes: Vec<Node>,
    ) -> Result<Vec<Node>, Failure> {
        if !form.has_rules() || !self.plan.can_reask {
            return Ok(nodes);
        }
        let fields = &self.plan.form.fields;
        let before = assemble(form, fields, nodes.clone(), Vec::new());
        let broken = form.broken_rules(&before.record);
        let Some((shown, asked)) = self.question_of(&broken, &before, fields) else {
            return Ok(nodes);
        };
        match self.ask_again(&shown, &asked, &broken, &before.record).await {
            Ok(answers) => {
                let mut corrected = nodes.clone();
                for (field, answer) in asked.iter().zip(answers) {
                    let place = fields.iter().position(|own| own.name == field.name);
                    if let (Some(slot), false) =
                        (place.and_then(|at| corrected.get_mut(at)), answer.failures() > 0)
                    {
                        *slot = answer;
                    }
                }
                let after = assemble(form, fields, corrected.clone(), Vec::new());
                let is_better = form.broken_rules(&after.record).len() < broken.len();
                Ok(if is_better && is_printed(&before, &after) { corrected } else { nodes })
            }
            Err(failure) if self.asking.is_worth_retrying(&failure) => Err(failure),
            Err(
                failure @ (Failure::Store(_) | Failure::Interrupted | Failure::Deferred | Failure::Stopped),
            ) => Err(failure),
            Err(_) => Ok(nodes),
        }
    }

    /// The fields of the broken rules, and what to show for them: all, or of documents that need several prompts the
    /// places where the values stand. `None` where nothing is broken or too much would be asked.
    fn question_of(
        &self,
        broken: &[RecordFinding],
        before: &AssembledRecord,
        fields: &[Field],
    ) -> Option<(Vec<Segment>, Vec<Field>)> {
        let record = &before.record;
        let names: BTreeSet<String> = broken.iter().flat_map(RecordFinding::top_level_fields).collect();
        let asked: Vec<Field> = fields.iter().filter(|field| names.contains(&field.name)).cloned().collect();
        let told: usize = asked
            .iter()
            .filter_map(|field| record.get(&field.name))
            .map(|value| value.to_string().len())
            .sum();
        let is_fit = !asked.is_empty() && count_leaves(&asked) <= MAX_FIELDS && told <= MAX_TOLD;
        if !is_fit {
            return None;
        }
        let is_asked =
            |pointer: &str| pointer_tokens(pointer).next().is_some_and(|name| names.contains(&name));
        let places =
            || before.evidence.iter().filter(|(pointer, _)| is_asked(pointer)).map(|(_, place)| place);
        let shown = match self.plan.only_reading() {
            Some(shown) => shown.to_vec(),
            None => excerpt::around(places(), self.sources)?,
        };
        Some((shown, asked))
    }

    async fn ask_again(
        &self,
        shown: &[Segment],
        asked: &[Field],
        broken: &[RecordFinding],
        record: &Map<String, Value>,
    ) -> Result<Vec<Node>, Failure> {
        let part = schema_of(asked.to_vec());
        let stated = asked.iter().filter_map(|field| record.get_key_value(&field.name));
        let answer =
            Value::Object(stated.map(|(name, value)| (name.clone(), value.clone())).collect()).to_string();
        let problems: Vec<(String, String)> =
            broken.iter().map(|rule| (rule.path.clone(), rule.message.clone())).collect();
        let mut first = prompt::fields_request(&self.system, self.sources, shown);
        let mut seen = self.pictures.load(shown, self.sources).await;
        if !seen.is_empty() {
            let key = pictures::places_key(&part.fields);
            first = pictures::add_pictures(&first, self.sources, shown, &seen, &key);
        }
        let request = prompt::correction_request(&first, &answer, &problems);
        let reading = self.reading(shown, &part, &request, &seen);
        // One call: the rules themselves are checked by the caller.
        let question = FieldQuestion { can_reask: false, ..reading.question };
        let mut filled = question.fill().await?;
        attach_evidence(&part.fields, &mut filled.nodes, self.sources, shown);
        self.pictures.add_sizes(&mut seen, &filled.places).await;
        pictures::attach_places(&part.fields, &mut filled.nodes, self.sources, &seen, &filled.places);
        Ok(filled.nodes)
    }
}

/// Whether all values that differ are printed, and no list is shorter.
fn is_printed(before: &AssembledRecord, after: &AssembledRecord) -> bool {
    let is_unsupported = |pointer: &String| {
        after.evidence.get(pointer).is_none_or(|evidence| evidence.support == Support::Unsupported)
    };
    let changed = after
        .evidence
        .keys()
        .filter(|pointer| value_at(&after.record, pointer) != value_at(&before.record, pointer));
    let is_kept = |pointer: &&String| value_at(&after.record, pointer).is_some_and(|value| !value.is_null());
    !changed.into_iter().any(is_unsupported) && before.evidence.keys().all(|pointer| is_kept(&pointer))
}
