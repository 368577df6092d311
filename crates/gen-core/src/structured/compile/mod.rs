//! Compiles a neutral JSON Schema to the dialect of a vendor, and decodes the answer.
//!
//! What a dialect does not support moves to the description in words; the local validator enforces the whole
//! schema. Sources of the rules and limits: OpenAI's guide to structured outputs, Anthropic's to
//! `output_config.format`, Google's to `responseJsonSchema`, the grammar converter of llama.cpp.

mod absence;
mod decode;
mod inline;
mod limits;
mod llama_grammar;
mod normal_schema;
mod object;
mod rule_text;
mod unsupported;

use serde_json::{Map, Value, json};

use super::Dialect;
use crate::ResponseSchema;
use decode::{DecodePlan, WRAPPED};
use limits::Counts;
use normal_schema::NormalSchema;
use unsupported::inexpressible;

pub use unsupported::UnsupportedSchema;

/// A schema in a dialect, with the decoding of its answers.
#[derive(Clone, Debug)]
pub struct CompiledSchema {
    schema: Value,
    undo: DecodePlan,
}

impl CompiledSchema {
    /// The schema to send.
    #[must_use]
    pub fn schema(&self) -> &Value {
        &self.schema
    }

    /// Decodes an answer to the compiled schema: removes encodings of absent properties or makes them `null`,
    /// unwraps a wrapped root, and restores the order of properties. A value of another shape is unchanged.
    #[must_use]
    pub fn decode(&self, answer: Value) -> Value {
        self.undo.apply(answer)
    }

    /// As [`Self::decode`], for the text of an answer. Text that is not a complete JSON value is unchanged.
    #[must_use]
    pub fn decode_text(&self, text: &str) -> String {
        if self.undo == DecodePlan::Keep {
            return text.to_owned();
        }
        match super::parse(text, super::RootKind::of(&self.schema)) {
            Some(parsed) if !parsed.cut => self.decode(parsed.value).to_string(),
            _ => text.to_owned(),
        }
    }
}

/// Compiles a schema to a dialect. Pure.
///
/// # Errors
/// [`UnsupportedSchema`] if the dialect cannot express it.
pub fn compile(wanted: &ResponseSchema, dialect: Dialect) -> Result<CompiledSchema, UnsupportedSchema> {
    compile_value(&wanted.schema, dialect)
}

pub(super) fn compile_value(schema: &Value, dialect: Dialect) -> Result<CompiledSchema, UnsupportedSchema> {
    match dialect {
        Dialect::Native => return Ok(CompiledSchema { schema: schema.clone(), undo: DecodePlan::Keep }),
        Dialect::Lenient => {
            return Ok(CompiledSchema {
                schema: llama_grammar::relax_schema(schema),
                undo: DecodePlan::Keep,
            });
        }
        Dialect::OpenAi | Dialect::Mistral | Dialect::Anthropic | Dialect::Gemini => {}
    }
    let schema = inline::inline_references(schema)?;
    let mut compiler = Compiler { dialect, counts: Counts::default() };
    let root = NormalSchema::read(&schema, "")?;
    let is_object = root.types == ["object"] && !root.nullable;
    let compiled = if is_object || !dialect.is_closed() {
        let (schema, undo) = compiler.value(&root, "", 1)?;
        CompiledSchema { schema, undo }
    } else {
        let (inner, undo) = compiler.value(&root, "", 2)?;
        let schema = json!({"type": "object", "properties": {WRAPPED: inner}, "required": [WRAPPED],
                            "additionalProperties": false});
        CompiledSchema { schema, undo: DecodePlan::Wrapped(Box::new(undo)) }
    };
    compiler.counts.check(dialect)?;
    Ok(compiled)
}

struct Compiler {
    dialect: Dialect,
    counts: Counts,
}

impl Compiler {
    /// Compiles a schema with `null` as a further type.
    fn value(
        &mut self,
        schema: &NormalSchema,
        path: &str,
        depth: usize,
    ) -> Result<(Value, DecodePlan), UnsupportedSchema> {
        let (mut out, undo) = self.plain(schema, path, depth, "")?;
        if schema.nullable {
            self.counts.unions += 1;
            make_nullable(&mut out);
        }
        Ok((out, undo))
    }

    /// Compiles a schema without its `null`; `note` is added to its description.
    fn plain(
        &mut self,
        schema: &NormalSchema,
        path: &str,
        depth: usize,
        note: &str,
    ) -> Result<(Value, DecodePlan), UnsupportedSchema> {
        let mut out = Map::new();
        let mut undo = DecodePlan::Keep;
        if !schema.branches.is_empty() {
            let mut branches = Vec::new();
            for (at, branch) in schema.branches.iter().enumerate() {
                branches.push(self.value(branch, &format!("{path}/anyOf/{at}"), depth)?);
            }
            self.counts.unions += 1;
            out.insert("anyOf".to_owned(), branches.iter().map(|(schema, _)| schema.clone()).collect());
            undo = DecodePlan::any(branches);
        } else {
            match schema.types.as_slice() {
                [] if self.dialect.is_closed() => return Err(inexpressible("a value of any type", path)),
                [] => {}
                [one] => drop(out.insert("type".to_owned(), json!(one))),
                several => {
                    self.counts.unions += 1;
                    out.insert("type".to_owned(), json!(several));
                }
            }
            if let Some(options) = &schema.options {
                self.counts.count_options(options, path)?;
                out.insert("enum".to_owned(), json!(options));
            }
            if schema.options.is_none() {
                undo = self.containers(schema, &mut out, path, depth)?;
            }
        }
        let dropped = self.narrow(schema, &mut out);
        let description = rule_text::description(schema.description(), &dropped, note);
        if !description.is_empty() {
            out.insert("description".to_owned(), json!(description));
        }
        Ok((Value::Object(out), undo))
    }

    /// Adds the constraints that the dialect supports, and returns the others.
    fn narrow<'a>(
        &self,
        schema: &'a NormalSchema,
        out: &mut Map<String, Value>,
    ) -> Vec<(&'a str, &'a Value)> {
        let mut dropped = Vec::new();
        for (keyword, value) in schema.narrowing() {
            if self.dialect.keeps(keyword, value) && !(schema.loose_format && keyword == "format") {
                out.insert(keyword.to_owned(), value.clone());
            } else {
                dropped.push((keyword, value));
            }
        }
        dropped
    }

    /// Compiles the members of objects and the items of lists.
    fn containers(
        &mut self,
        schema: &NormalSchema,
        out: &mut Map<String, Value>,
        path: &str,
        depth: usize,
    ) -> Result<DecodePlan, UnsupportedSchema> {
        let has = |kind: &str| schema.types.iter().any(|known| known == kind);
        let mut undo = DecodePlan::Keep;
        if has("array") {
            self.counts.depth = self.counts.depth.max(depth);
            undo = self.items(schema, out, path, depth)?;
        }
        if has("object") {
            self.counts.depth = self.counts.depth.max(depth);
            let members = self.object(schema, out, path, depth)?;
            undo = if members.is_empty() { undo } else { undo.with_members(members) };
        }
        Ok(undo)
    }

    fn items(
        &mut self,
        schema: &NormalSchema,
        out: &mut Map<String, Value>,
        path: &str,
        depth: usize,
    ) -> Result<DecodePlan, UnsupportedSchema> {
        if schema.keyword("prefixItems").is_some() {
            return Err(inexpressible("a list with 'prefixItems'", path));
        }
        let items = match schema.keyword("items") {
            Some(items) => NormalSchema::read(items, &format!("{path}/items"))?,
            None if self.dialect.is_closed() => {
                return Err(inexpressible("a list without 'items'", path));
            }
            None => return Ok(DecodePlan::Keep),
        };
        let (items, undo) = self.value(&items, &format!("{path}/items"), depth + 1)?;
        out.insert("items".to_owned(), items);
        Ok(undo.of_items())
    }
}

fn make_nullable(schema: &mut Value) {
    let Some(members) = schema.as_object_mut() else { return };
    match members.get_mut("type") {
        Some(Value::Array(types)) => types.push(json!("null")),
        Some(kind) => *kind = json!([kind.clone(), "null"]),
        None => {}
    }
    if let Some(Value::Array(options)) = members.get_mut("enum") {
        options.push(Value::Null);
    }
    if let Some(Value::Array(branches)) = members.get_mut("anyOf") {
        branches.push(json!({"type": "null"}));
    }
}
