//! How each dialect encodes an absent property.

use serde_json::{Value, json};

use super::decode::{AbsenceEncoding, DecodePlan};
use super::limits::{MAX_OPTIONAL, MAX_UNIONS};
use super::normal_schema::NormalSchema;
use super::unsupported::UnsupportedSchema;
use super::{Compiler, Dialect};

/// A property of the caller's schema.
pub(super) struct Property<'a> {
    pub(super) schema: &'a NormalSchema,
    pub(super) required: bool,
}

/// A property of the compiled schema.
pub(super) struct CompiledProperty {
    pub(super) schema: Value,
    pub(super) undo: DecodePlan,
    pub(super) absent: AbsenceEncoding,
    /// Whether the compiled schema requires it.
    pub(super) is_required: bool,
}

impl Compiler {
    pub(super) fn property(
        &mut self,
        wanted: &Property<'_>,
        path: &str,
        depth: usize,
    ) -> Result<CompiledProperty, UnsupportedSchema> {
        match self.dialect {
            Dialect::Anthropic => self.sparing_property(wanted, path, depth),
            Dialect::OpenAi | Dialect::Mistral if !wanted.required && !wanted.schema.nullable => {
                self.with_null(wanted, path, depth, AbsenceEncoding::NullRemoved)
            }
            Dialect::OpenAi | Dialect::Mistral => {
                let (schema, undo) = self.value(wanted.schema, path, depth)?;
                Ok(CompiledProperty { schema, undo, absent: AbsenceEncoding::Unchanged, is_required: true })
            }
            Dialect::Gemini | Dialect::Lenient | Dialect::Native => {
                let (schema, undo) = self.value(wanted.schema, path, depth)?;
                Ok(CompiledProperty {
                    schema,
                    undo,
                    absent: AbsenceEncoding::Unchanged,
                    is_required: wanted.required,
                })
            }
        }
    }

    /// Anthropic limits unions and optional properties. A string is empty instead of absent; other properties
    /// share the limits.
    fn sparing_property(
        &mut self,
        wanted: &Property<'_>,
        path: &str,
        depth: usize,
    ) -> Result<CompiledProperty, UnsupportedSchema> {
        let schema = wanted.schema;
        if wanted.required && !schema.nullable {
            let (schema, undo) = self.plain(schema, path, depth, "")?;
            return Ok(CompiledProperty {
                schema,
                undo,
                absent: AbsenceEncoding::Unchanged,
                is_required: true,
            });
        }
        if schema.is_text() {
            return self.text_or_empty(wanted, path, depth);
        }
        let (union, optional) = (self.counts.unions < MAX_UNIONS, self.counts.optional < MAX_OPTIONAL);
        match (schema.nullable, union, optional) {
            (true, true, _) | (true, false, false) => {
                self.with_null(wanted, path, depth, AbsenceEncoding::Unchanged)
            }
            (false, true, false) => self.with_null(wanted, path, depth, AbsenceEncoding::NullRemoved),
            (true, false, true) | (false, _, _) => {
                self.counts.optional += 1;
                let (compiled, undo) = self.plain(schema, path, depth, "")?;
                let absent = match schema.nullable && wanted.required {
                    true => AbsenceEncoding::MissingToNull,
                    false => AbsenceEncoding::Unchanged,
                };
                Ok(CompiledProperty { schema: compiled, undo, absent, is_required: false })
            }
        }
    }

    fn with_null(
        &mut self,
        wanted: &Property<'_>,
        path: &str,
        depth: usize,
        absent: AbsenceEncoding,
    ) -> Result<CompiledProperty, UnsupportedSchema> {
        let mut nullable = wanted.schema.clone();
        nullable.nullable = true;
        let (schema, undo) = self.value(&nullable, path, depth)?;
        Ok(CompiledProperty { schema, undo, absent, is_required: true })
    }

    /// A required string that is empty when it is absent.
    fn text_or_empty(
        &mut self,
        wanted: &Property<'_>,
        path: &str,
        depth: usize,
    ) -> Result<CompiledProperty, UnsupportedSchema> {
        // A format would forbid the empty string.
        let mut text = wanted.schema.clone();
        (text.nullable, text.loose_format) = (false, true);
        let mut absent =
            if wanted.schema.nullable { AbsenceEncoding::EmptyToNull } else { AbsenceEncoding::EmptyRemoved };
        if let Some(options) = &mut text.options {
            match options.iter().any(|option| option == "") {
                true => absent = AbsenceEncoding::Unchanged,
                false => options.push(json!("")),
            }
        }
        let (schema, undo) = self.plain(&text, path, depth, "\"\" when there is none")?;
        Ok(CompiledProperty { schema, undo, absent, is_required: true })
    }
}
