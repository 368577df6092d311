//! How many fields a call asks for. Few fields a call are answered best, but every further call for the same text
//! sends the text again.

use gen_core::structured::Dialect;
use gen_core::{Model, estimate_tokens};

use super::parts::{TOKENS_OF_VALUE, count_leaves, parts, schema_of};
use super::reading_budget::{ReadingBudget, has_rows};
use crate::{Field, FormSchema};

/// Scalars of a call where the documents are short; with more, models begin to omit some. Chosen by hand; no
/// measurement is recorded.
const FEW_LEAVES: usize = 40;
/// Scalars of a call at most. Chosen by hand; no measurement is recorded.
const MAX_LEAVES: usize = 500;
/// Output tokens of a model whose limit is unknown. As `gen_core`'s `USUAL_OUTPUT`.
const USUAL_OUTPUT: usize = 4_096;

/// The parts of a pass, with the budget of its readings.
pub(super) type FormPass = (Vec<FormSchema>, ReadingBudget);

/// Divides the form for documents of so many tokens: into parts, and, where documents are split and that sends less,
/// into a pass over them for its lists and one for its other fields. Lists need short readings, since their answers grow with the
/// text, and a wide form needs long ones, since it is sent with each.
pub(super) fn divide_form(
    model: &Model,
    schema: &FormSchema,
    instructions: &str,
    tokens: usize,
) -> Vec<FormPass> {
    let of_fields = |fields: &[Field]| {
        let form = schema_of(fields.to_vec());
        let parts = affordable_parts(&form, model, tokens);
        let room = ReadingBudget::new(model, schema, &parts, instructions);
        (parts, room)
    };
    let whole = of_fields(&schema.fields);
    let (lists, others): (Vec<Field>, Vec<Field>) =
        schema.fields.iter().cloned().partition(|field| has_rows(std::slice::from_ref(field)));
    let is_short = tokens <= whole.1.uncut_limit;
    if lists.is_empty() || is_short || count_leaves(&others) <= FEW_LEAVES {
        return vec![whole];
    }
    let apart = vec![of_fields(&others), of_fields(&lists)];
    let is_less =
        apart.iter().map(|pass| input_tokens(pass, tokens)).sum::<usize>() < input_tokens(&whole, tokens);
    if is_less { apart } else { vec![whole] }
}

/// The input tokens of a pass over documents of so many tokens.
fn input_tokens((parts, room): &FormPass, tokens: usize) -> usize {
    let readings = if tokens <= room.uncut_limit { 1 } else { tokens.div_ceil(room.part.max(1)) };
    parts.len().saturating_mul(tokens.saturating_add(readings.saturating_mul(room.overhead)))
}

/// The form in as many parts as repeat the documents for at most as many tokens as the form itself has. A dialect
/// whose limits demand more parts gets the schema in the prompt instead: code validates every answer.
fn affordable_parts(form: &FormSchema, model: &Model, tokens: usize) -> Vec<FormSchema> {
    let dialect = Dialect::of(&model.id);
    let form_tokens = estimate_tokens(&form.to_json_schema().to_string());
    let most = 1 + form_tokens / tokens.max(1);
    let output = model.output_tokens.map_or(USUAL_OUTPUT, |tokens| tokens as usize);
    let answerable = (output / TOKENS_OF_VALUE).clamp(FEW_LEAVES, MAX_LEAVES);
    let leaves = count_leaves(&form.fields).div_ceil(most).clamp(FEW_LEAVES, answerable);
    let enforced = parts(form, leaves, Some(dialect));
    if enforced.len() <= most {
        return enforced;
    }
    let told = parts(form, leaves, None);
    if told.len() < enforced.len() { told } else { enforced }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gen_core::ModelKind;
    use serde_json::{Map, Value, json};

    fn form(fields: usize, has_list: bool) -> FormSchema {
        let field = |n| (format!("f{n}"), json!({"type": "number", "description": "A value of the report"}));
        let mut fields: Map<String, Value> = (0..fields).map(field).collect();
        if has_list {
            let row =
                json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "number"}}});
            fields.insert("rows".to_owned(), json!({"type": "array", "items": row}));
        }
        FormSchema::parse(&fields).unwrap()
    }

    fn model(id: &str) -> Model {
        let (kind, window) = (ModelKind::TextToText, Some(200_000));
        let id = id.parse().unwrap();
        Model {
            id,
            name: String::new(),
            kind,
            context_tokens: window,
            output_tokens: Some(32_000),
            price: None,
        }
    }

    /// The number of parts of each pass.
    fn parts_of(id: &str, form: &FormSchema, tokens: usize) -> Vec<usize> {
        divide_form(&model(id), form, "", tokens).iter().map(|(parts, _)| parts.len()).collect()
    }

    #[test]
    fn a_wide_form_is_asked_for_in_fewer_parts_the_longer_the_documents_are() {
        let wide = form(400, false);
        assert_eq!(parts_of("m@openai", &wide, 300), [10]);
        let between = parts_of("m@openai", &wide, 4_000)[0];
        assert!((2..10).contains(&between), "{between}");
        assert_eq!(parts_of("m@openai", &wide, 150_000), [1]);
        assert_eq!(parts_of("m@openai", &form(40, false), 150_000), [1]);
    }

    #[test]
    fn a_dialect_with_narrow_limits_gets_the_schema_in_the_prompt_where_documents_are_long() {
        let wide = form(400, false);
        assert!(parts_of("m@anthropic", &wide, 300)[0] >= 10);
        assert_eq!(parts_of("m@anthropic", &wide, 150_000), [1]);
    }

    #[test]
    fn a_model_of_short_answers_is_asked_for_no_more_than_it_can_answer() {
        let short = Model { output_tokens: Some(1_200), ..model("m@openai") };
        let passes = divide_form(&short, &form(400, false), "", 150_000);
        assert!(passes[0].0.iter().all(|part| count_leaves(&part.fields) <= 100));
        assert_eq!(passes[0].0.len(), 4);
    }

    #[test]
    fn lists_of_a_wide_form_have_a_pass_of_their_own_where_that_sends_less() {
        let mixed = form(400, true);
        assert_eq!(parts_of("m@openai", &mixed, 150_000), [1, 1]);
        assert_eq!(parts_of("m@openai", &mixed, 300).len(), 1);
        assert_eq!(parts_of("m@openai", &form(10, true), 150_000), [1]);
        let passes = divide_form(&model("m@openai"), &mixed, "", 150_000);
        assert!(passes[0].1.part > 4 * passes[1].1.part, "lists need short readings");
        let names = |pass: &FormPass| pass.0.iter().map(|part| part.fields.len()).sum::<usize>();
        assert_eq!((names(&passes[0]), names(&passes[1])), (400, 1));
    }
}
