//! The use case: a text model is asked when one is configured, else the built-in rules make the schema.

use gen_core::structured::{self, SingleModel};
use gen_core::{CallerContext, Finish, GenService, ModelId, Usage};
use serde_json::{Map, Value};

use super::schema_prompt;
use super::{GeneratorError, check, generate_schema};

/// A schema that passes the validator, and what it cost.
#[derive(Clone, Debug, PartialEq)]
pub struct GeneratedSchema {
    /// Field name to field definition, in the order of asking.
    pub schema: Map<String, Value>,
    /// Tokens spent; none for the built-in rules.
    pub usage: Usage,
}

/// Makes schemas from descriptions.
#[derive(Clone, Debug)]
pub struct SchemaGenerator {
    generation: GenService,
    model: ModelId,
}

impl SchemaGenerator {
    /// A generator that asks `model` through `generation`. It goes by its own rules when that is the
    /// built-in model, which answers no such questions, or one that cannot be called as things are.
    #[must_use]
    pub fn new(generation: GenService, model: ModelId) -> Self {
        Self { generation, model }
    }

    /// The schema of the form that `content` describes. A text model is asked once, and once more when
    /// its answer is cut off; what it gets wrong is mended, and when nothing of its answer can be used,
    /// the built-in rules are. `payer` pays for the model.
    ///
    /// # Errors
    /// [`GeneratorError::Invalid`] as [`generate_schema`], before any model is asked;
    /// [`GeneratorError::Model`] when the model fails.
    pub async fn generate(
        &self,
        payer: &CallerContext,
        content: &str,
    ) -> Result<GeneratedSchema, GeneratorError> {
        check(content)?;
        if self.model.is_extractive() || self.generation.check_ready(&self.model).is_err() {
            return Ok(GeneratedSchema { schema: generate_schema(content)?, usage: Usage::default() });
        }
        let asker = SingleModel { generation: &self.generation, payer, model: &self.model };
        let answer =
            structured::ask_whole(&asker, schema_prompt::request(content), schema_prompt::answer_schema())
                .await;
        let answer = answer.map_err(GeneratorError::Model)?;
        let told = (answer.finish != Finish::Refused)
            .then(|| schema_prompt::parse_schema(&answer.text, content))
            .flatten();
        let schema = match told {
            Some(schema) => schema,
            None => generate_schema(content)?,
        };
        Ok(GeneratedSchema { schema, usage: answer.usage })
    }
}
