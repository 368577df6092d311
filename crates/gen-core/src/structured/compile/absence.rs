//! How a property is left empty in each dialect.

use serde_json::{Value, json};

use super::decode::{Absent, Undo};
use super::limits::{MAX_OPTIONAL, MAX_UNIONS};
use super::normal::Normal;
use super::{Compiler, Dialect, Unsupported};

/// A property as it is wanted.
pub(super) struct Property<'a> {
    pub(super) schema: &'a Normal,
    pub(super) required: bool,
}

/// A property as it is asked for.
pub(super) struct Asked {
    pub(super) schema: Value,
    pub(super) undo: Undo,
    pub(super) absent: Absent,
    /// Whether the answer must have it.
    pub(super) asked: bool,
}

impl Compiler {
    pub(super) fn property(
        &mut self,
        wanted: &Property<'_>,
        path: &str,
        depth: usize,
    ) -> Result<Asked, Unsupported> {
        match self.dialect {
            Dialect::Anthropic => self.sparing(wanted, path, depth),
            Dialect::OpenAi | Dialect::Mistral if !wanted.required && !wanted.schema.nullable => {
                self.with_null(wanted, path, depth, Absent::NullGoes)
            }
            Dialect::OpenAi | Dialect::Mistral => {
                let (schema, undo) = self.value(wanted.schema, path, depth)?;
                Ok(Asked { schema, undo, absent: Absent::AsItIs, asked: true })
            }
            Dialect::Gemini | Dialect::Lenient | Dialect::Native => {
                let (schema, undo) = self.value(wanted.schema, path, depth)?;
                Ok(Asked { schema, undo, absent: Absent::AsItIs, asked: wanted.required })
            }
        }
    }

    /// Anthropic takes few values of several types and few optional ones: a text is empty instead, and
    /// what else may be absent shares the room.
    fn sparing(&mut self, wanted: &Property<'_>, path: &str, depth: usize) -> Result<Asked, Unsupported> {
        let schema = wanted.schema;
        if wanted.required && !schema.nullable {
            let (schema, undo) = self.plain(schema, path, depth, "")?;
            return Ok(Asked { schema, undo, absent: Absent::AsItIs, asked: true });
        }
        if schema.is_text() {
            return self.text_or_empty(wanted, path, depth);
        }
        let (union, optional) = (self.counts.unions < MAX_UNIONS, self.counts.optional < MAX_OPTIONAL);
        match (schema.nullable, union, optional) {
            (true, true, _) | (true, false, false) => self.with_null(wanted, path, depth, Absent::AsItIs),
            (false, true, false) => self.with_null(wanted, path, depth, Absent::NullGoes),
            (true, false, true) | (false, _, _) => {
                self.counts.optional += 1;
                let (compiled, undo) = self.plain(schema, path, depth, "")?;
                let absent = match schema.nullable && wanted.required {
                    true => Absent::MissingIsNull,
                    false => Absent::AsItIs,
                };
                Ok(Asked { schema: compiled, undo, absent, asked: false })
            }
        }
    }

    fn with_null(
        &mut self,
        wanted: &Property<'_>,
        path: &str,
        depth: usize,
        absent: Absent,
    ) -> Result<Asked, Unsupported> {
        let mut nullable = wanted.schema.clone();
        nullable.nullable = true;
        let (schema, undo) = self.value(&nullable, path, depth)?;
        Ok(Asked { schema, undo, absent, asked: true })
    }

    /// A text that must be there, and is empty when there is none.
    fn text_or_empty(
        &mut self,
        wanted: &Property<'_>,
        path: &str,
        depth: usize,
    ) -> Result<Asked, Unsupported> {
        // A format would forbid the empty text.
        let mut text = wanted.schema.clone();
        (text.nullable, text.loose_format) = (false, true);
        let mut absent = if wanted.schema.nullable { Absent::EmptyIsNull } else { Absent::EmptyGoes };
        if let Some(options) = &mut text.options {
            match options.iter().any(|option| option == "") {
                true => absent = Absent::AsItIs,
                false => options.push(json!("")),
            }
        }
        let (schema, undo) = self.plain(&text, path, depth, "\"\" when there is none")?;
        Ok(Asked { schema, undo, absent, asked: true })
    }
}
