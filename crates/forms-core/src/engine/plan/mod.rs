//! The extraction plan: which documents and fields go into which call.
//!
//! A *reading* is the excerpt of the documents in one prompt. A *pass* over the documents queries each of its
//! readings for every *part* of the form that it is for, with one call per part.

mod form_division;
mod heading_context;
pub(super) mod parts;
mod reading_budget;
mod splitting;

use gen_core::{Model, estimate_tokens};

use super::pictures::ChosenPages;
use super::segment::{Segment, Source};
use crate::{Field, FieldType, FormSchema};
pub(super) use parts::{TOKENS_OF_VALUE, schema_of};
use reading_budget::ReadingBudget;
pub(super) use reading_budget::has_rows;

/// Readings of one group at most. Twenty megabytes of text, the most that a document has, need fewer parts of
/// ten thousand tokens.
const MAX_READINGS: usize = 600;

/// The plan of a group's model calls.
#[derive(Debug)]
pub(super) struct Plan {
    /// The passes over the documents; none when there is no text.
    pub(super) passes: Vec<Pass>,
    /// The form for a single reading: with several readings, none needs to contain all entries of a list.
    pub(super) form: FormSchema,
    /// Whether the model can use corrections.
    pub(super) can_reask: bool,
}

/// A pass over all documents for some fields of the form.
#[derive(Debug)]
pub(super) struct Pass {
    /// The segments of each reading, in document order.
    pub(super) readings: Vec<Vec<Segment>>,
    /// The parts of the form that each reading is queried for, in the form's order.
    pub(super) parts: Vec<FormSchema>,
}

impl Pass {
    /// The reading and the part of each call, in order.
    pub(super) fn calls(&self) -> impl Iterator<Item = (&[Segment], &FormSchema)> {
        self.readings.iter().flat_map(|shown| self.parts.iter().map(move |part| (shown.as_slice(), part)))
    }
}

/// The documents do not fit into [`MAX_READINGS`] readings of the largest size.
#[derive(Debug)]
pub(super) struct DocumentsTooLong;

impl Plan {
    /// The built-in model is free and has no context window, so it reads each document whole and separately.
    /// It is deterministic, so corrections are useless. Other models get several documents in one prompt if
    /// they fit, because they can compare them, except attachments. Long documents are split, and wide forms are queried in
    /// parts.
    ///
    /// `pictures` are shown beside their text. `smaller` divides the budget, after a model reported a smaller context window than is known.
    pub(super) fn new(
        model: &Model,
        schema: &FormSchema,
        instructions: &str,
        sources: &[Source<'_>],
        pictures: &ChosenPages,
        smaller: usize,
    ) -> Result<Self, DocumentsTooLong> {
        let whole = |(index, source)| Segment::whole(index, source);
        let all: Vec<Segment> = sources.iter().enumerate().map(whole).collect();
        if model.id.is_extractive() {
            let readings = all.into_iter().map(|segment| vec![segment]).collect();
            let passes = vec![Pass { readings, parts: vec![schema.clone()] }];
            return Ok(Self { passes, form: schema.clone(), can_reask: false });
        }
        let tokens = sources.iter().map(reading_budget::document_tokens).sum();
        // An attachment states the same again: in a prompt of its own, so that both answers can be compared.
        let is_attached = |segment: &Segment| {
            sources.get(segment.document).is_some_and(|source| source.document.host.is_some())
        };
        let (attached, own): (Vec<Segment>, Vec<Segment>) = all.into_iter().partition(is_attached);
        let mut passes = Vec::new();
        for (parts, room) in form_division::divide_form(model, schema, instructions, tokens) {
            let room = room.divided_by(smaller).with_pictures(pictures.wanted());
            let mut readings = readings(own.clone(), sources, &room)?;
            readings.extend(self::readings(attached.clone(), sources, &room)?);
            passes.push(Pass { readings: pictures.divide(readings, sources, room.pictures), parts });
        }
        let is_one = passes.iter().all(|pass| pass.readings.len() <= 1);
        let free = |form: FormSchema| if is_one { form } else { without_counts(form) };
        passes.retain(|pass| !pass.readings.is_empty());
        for pass in &mut passes {
            pass.parts = std::mem::take(&mut pass.parts).into_iter().map(free).collect();
        }
        Ok(Self { passes, form: free(schema.clone()), can_reask: true })
    }

    /// The number of calls, if none needs a follow-up.
    pub(super) fn calls(&self) -> usize {
        self.passes.iter().map(|pass| pass.readings.len() * pass.parts.len()).sum()
    }

    /// The only reading; `None` where there are several.
    pub(super) fn only_reading(&self) -> Option<&[Segment]> {
        let [pass] = self.passes.as_slice() else { return None };
        let [shown] = pass.readings.as_slice() else { return None };
        Some(shown)
    }
}

/// Groups segments into readings, in order.
fn readings(
    all: Vec<Segment>,
    sources: &[Source<'_>],
    room: &ReadingBudget,
) -> Result<Vec<Vec<Segment>>, DocumentsTooLong> {
    let sized = all.into_iter().filter_map(|segment| {
        let source = sources.get(segment.document)?;
        Some((segment, source, reading_budget::document_tokens(source)))
    });
    let all: Vec<_> = sized.collect();
    let total: usize = all.iter().map(|(_, _, tokens)| tokens).sum();
    if total <= room.uncut_limit {
        let segments: Vec<Segment> = all.into_iter().map(|(segment, ..)| segment).collect();
        return Ok(if segments.is_empty() { Vec::new() } else { vec![segments] });
    }
    // Half: a document may begin a part of its own, and parts may be 60 % full.
    let size = room.part.max(total.div_ceil(MAX_READINGS / 2));
    if size > room.part_limit {
        return Err(DocumentsTooLong);
    }
    let at_once = room.uncut_limit.max(size);
    let mut readings: Vec<Vec<Segment>> = Vec::new();
    let mut left = 0;
    for (segment, source, tokens) in all {
        let segments = if tokens <= at_once {
            vec![segment]
        } else {
            splitting::split_document(segment.document, source, size)
        };
        for segment in segments {
            let own = segment.pieces.iter().map(|piece| estimate_tokens(source.slice(piece))).sum::<usize>()
                + reading_budget::FRAME;
            match readings.last_mut() {
                Some(last) if own <= left => {
                    last.push(segment);
                    left -= own;
                }
                _ => {
                    readings.push(vec![segment]);
                    left = size.saturating_sub(own);
                }
            }
        }
    }
    Ok(readings)
}

/// The form without minimum and maximum counts of its lists, except of those nested in entries.
fn without_counts(form: FormSchema) -> FormSchema {
    fn free(fields: &mut [Field]) {
        for field in fields {
            match &mut field.kind {
                FieldType::Array(_) => (field.min_items, field.max_items) = (None, None),
                FieldType::Object(parts) => free(parts),
                _ => {}
            }
        }
    }
    let mut form = form;
    free(&mut form.fields);
    form
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GroupDocument;
    use document::Document;
    use gen_core::ModelKind;
    use serde_json::{Value, json};
    use std::sync::Arc;

    fn form(schema: Value) -> FormSchema {
        FormSchema::parse(schema.as_object().unwrap()).unwrap()
    }

    fn model(id: &str, context_tokens: Option<u32>) -> Model {
        let id = id.parse().unwrap();
        let kind = ModelKind::TextToText;
        Model { id, name: String::new(), kind, context_tokens, output_tokens: None, price: None }
    }

    fn group(texts: &[String]) -> Vec<GroupDocument> {
        let document = |text: &String| GroupDocument {
            name: "a".into(),
            description: None,
            document: Arc::new(Document { text: text.clone(), ..Document::default() }),
            host: None,
        };
        texts.iter().map(document).collect()
    }

    fn readings_of(id: &str, window: Option<u32>, schema: Value, texts: &[String]) -> Vec<Vec<Segment>> {
        let group = group(texts);
        let sources: Vec<Source<'_>> = group.iter().map(Source::new).collect();
        Plan::new(&model(id, window), &form(schema), "", &sources, &ChosenPages::default(), 1)
            .unwrap()
            .passes
            .into_iter()
            .flat_map(|pass| pass.readings)
            .collect()
    }

    fn lines(count: usize) -> String {
        (0..count).map(|n| format!("Row {n} has some words and the number {n}.\n")).collect()
    }

    fn plain() -> Value {
        json!({"a": {"type": "string"}})
    }

    fn rows() -> Value {
        json!({"a": {"type": "array", "items": {"type": "object", "properties": {"b": {"type": "string"}}}}})
    }

    #[test]
    fn the_built_in_model_reads_one_document_whole_and_others_what_has_room_together() {
        let small = [lines(20), lines(20)];
        assert_eq!(readings_of("extractive@formwork", None, plain(), &small).len(), 2);
        assert_eq!(readings_of("m@openai", None, plain(), &small).len(), 1);
        assert!(readings_of("m@openai", None, plain(), &[]).is_empty());
        let long = [lines(20_000)];
        assert_eq!(readings_of("extractive@formwork", None, rows(), &long).len(), 1);
        assert!(readings_of("m@openai", Some(200_000), plain(), &long).len() > 5);
    }

    #[test]
    fn forms_with_rows_and_small_windows_get_smaller_readings() {
        let text = [lines(2_000)];
        let count = |window, schema| readings_of("m@openai", Some(window), schema, &text).len();
        assert!(count(200_000, rows()) > count(200_000, plain()));
        assert!(count(8_000, plain()) > count(200_000, plain()));
    }

    #[test]
    fn every_character_is_read_and_parts_fit_and_overlap_a_little() {
        let text = lines(3_000);
        let readings = readings_of("m@openai", Some(200_000), rows(), std::slice::from_ref(&text));
        let parts: Vec<_> = readings.iter().flatten().map(|segment| segment.pieces[0].clone()).collect();
        assert_eq!((parts[0].start, parts[parts.len() - 1].end), (0, text.len()));
        for pair in parts.windows(2) {
            let shared = pair[0].end - pair[1].start;
            assert!(shared > 0 && shared < 600, "{shared}");
            assert!(text[..pair[1].start].ends_with('\n') && text[..pair[0].end].ends_with('\n'));
        }
        assert!(parts.iter().all(|part| estimate_tokens(&text[part.clone()]) <= 4_600));
        let numbers: Vec<_> = readings.iter().flatten().map(|segment| segment.part.unwrap()).collect();
        assert_eq!(numbers[1], (2, parts.len()));
    }

    #[test]
    fn small_documents_share_a_reading_with_what_is_left_of_a_long_one() {
        let texts = [lines(1_500), lines(10), lines(10)];
        let readings = readings_of("m@openai", Some(200_000), rows(), &texts);
        assert!(readings.len() > 2);
        let last: Vec<usize> = readings.iter().rev().flatten().map(|segment| segment.document).collect();
        assert!(last.contains(&1) && last.contains(&2));
        assert!(readings.len() < readings.iter().flatten().count());
    }

    #[test]
    fn odd_documents_are_cut_within_bounds() {
        for text in
            ["x".repeat(2_000_000), "\n".repeat(100_000), "é. ".repeat(300_000), "a|b\n".repeat(60_000)]
        {
            let readings = readings_of("m@openai", None, rows(), std::slice::from_ref(&text));
            assert!(readings.len() <= MAX_READINGS);
            let covered: usize = readings.iter().flatten().map(|segment| segment.pieces[0].len()).sum();
            assert!(text.trim().is_empty() || covered >= text.trim().len());
        }
        let group = group(&[lines(1_000_000)]);
        let sources: Vec<Source<'_>> = group.iter().map(Source::new).collect();
        assert!(
            Plan::new(
                &model("m@openai", Some(2_000)),
                &form(rows()),
                "",
                &sources,
                &ChosenPages::default(),
                1
            )
            .is_err()
        );
    }

    #[test]
    fn a_later_part_is_shown_its_headings_and_the_head_of_its_table() {
        let mut text = String::from("# Stock\n\n## Shelf 3\n\n| Item | Qty |\n| --- | --- |\n");
        (0..2_000).for_each(|n| text.push_str(&format!("| Thing number {n} | {n} |\n")));
        let document = documents_core::parse(text.as_bytes(), "a.md", &documents_core::Limits::default());
        let document = document.unwrap();
        let group =
            [GroupDocument { name: "a".into(), description: None, document: Arc::new(document), host: None }];
        let sources: Vec<Source<'_>> = group.iter().map(Source::new).collect();
        let plan = Plan::new(
            &model("m@openai", Some(200_000)),
            &form(rows()),
            "",
            &sources,
            &ChosenPages::default(),
            1,
        )
        .unwrap();
        assert!(plan.passes[0].readings.len() > 2);
        for segment in plan.passes[0].readings.iter().flatten().skip(1) {
            assert_eq!(segment.context, "# Stock\n## Shelf 3\n| Item | Qty |\n| --- | --- |");
            assert!(sources[0].slice(&segment.pieces[0]).starts_with("| Thing"));
        }
    }

    #[test]
    fn the_head_of_a_printed_table_is_shown_again_too() {
        let mut text = String::from("Delivery of May\nItem Quantity Price\n");
        (0..2_000).for_each(|n| {
            if n % 40 == 39 {
                text.push_str("continued overleaf\n\n");
            }
            text.push_str(&format!("Thing {n} 2.50\n"));
        });
        let readings = readings_of("m@openai", Some(200_000), rows(), &[text]);
        assert!(readings.len() > 2);
        assert!(readings.iter().flatten().skip(1).all(|segment| segment.context == "Item Quantity Price"));
    }

    #[test]
    fn the_last_row_of_a_table_is_not_shown_as_the_head_of_what_follows() {
        let mut text = String::new();
        for page in 0..60 {
            text.push_str(&format!(
                "Statement 7, page {page} of 60\n\n{}\n\n",
                "Some words of prose. ".repeat(80)
            ));
            text.push_str("| Item | Qty |\n| --- | --- |\n");
            (0..9).for_each(|n| text.push_str(&format!("| Thing {page} {n} | {n} |\n")));
            text.push('\n');
        }
        let document = documents_core::parse(text.as_bytes(), "a.md", &documents_core::Limits::default());
        let (name, document) = ("a".into(), Arc::new(document.unwrap()));
        let group = [GroupDocument { name, description: None, document, host: None }];
        let sources: Vec<Source<'_>> = group.iter().map(Source::new).collect();
        let model = model("m@openai", Some(200_000));
        let plan = Plan::new(&model, &form(rows()), "", &sources, &ChosenPages::default(), 1).unwrap();
        let contexts: Vec<_> =
            plan.passes[0].readings.iter().flatten().map(|own| own.context.as_str()).collect();
        assert!(contexts.len() > 4);
        assert!(contexts.iter().all(|context| !context.contains("Thing")), "{contexts:?}");
    }
}
