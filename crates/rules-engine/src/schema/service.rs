//! The use case: a text model generates the schema if one is configured, else the built-in rules.

use std::sync::Arc;

use document::Document;
use gen_core::structured::{self, SingleModel};
use gen_core::{CallerContext, ChatRequest, Finish, GenService, ModelId, Usage};
use serde_json::{Map, Value};

use super::{FieldSource, GeneratorError, ProposedSchema, check, propose_schema, read_description};
use super::{sample_prompt, schema_prompt};

/// A valid schema and the tokens spent on it.
#[derive(Clone, Debug, PartialEq)]
pub struct GeneratedSchema {
    /// Field name to definition, in asking order.
    pub schema: Map<String, Value>,
    /// Tokens spent; zero for the built-in rules.
    pub usage: Usage,
    /// Where the fields are from.
    pub source: FieldSource,
}

impl GeneratedSchema {
    /// By the built-in rules.
    fn by_rules(content: &str, usage: Usage) -> Result<Self, GeneratorError> {
        let (schema, source) = read_description(content)?;
        Ok(Self { schema, usage, source })
    }

    /// What the user should know of the fields: one sentence, `None` where the description names them.
    #[must_use]
    pub fn warning(&self) -> Option<&'static str> {
        match self.source {
            FieldSource::Description => None,
            FieldSource::Template => Some(
                "the description names no fields; they are those of a template for the kind of form that it names",
            ),
            FieldSource::Nothing => Some(
                "the description names no field and no kind of form that is known; name the fields, such as: name, \
                 email, date of birth",
            ),
        }
    }
}

/// Generates schemas from descriptions.
#[derive(Clone, Debug)]
pub struct SchemaGenerator {
    generation: GenService,
    model: ModelId,
}

impl SchemaGenerator {
    /// A generator that calls `model` through `generation`. It uses the built-in rules for the built-in
    /// model, which does not generate text, and for a model that is not ready.
    #[must_use]
    pub fn new(generation: GenService, model: ModelId) -> Self {
        Self { generation, model }
    }

    /// The schema of the form that `content` describes. The text model is called once, and once more when its
    /// answer is truncated. Its mistakes are corrected; the built-in rules replace an unusable answer. The
    /// calls are billed to `payer`.
    ///
    /// # Errors
    /// [`GeneratorError::Invalid`] as for [`generate_schema`](super::generate_schema), before any model call;
    /// [`GeneratorError::Model`] when the model fails.
    pub async fn generate(
        &self,
        payer: &CallerContext,
        content: &str,
    ) -> Result<GeneratedSchema, GeneratorError> {
        check(content)?;
        if self.model.is_extractive() || self.generation.check_ready(&self.model).is_err() {
            return GeneratedSchema::by_rules(content, Usage::default());
        }
        let (schema, usage) = self.ask(payer, schema_prompt::request(content), content).await?;
        match schema {
            Some(schema) => Ok(GeneratedSchema { schema, usage, source: FieldSource::Description }),
            None => GeneratedSchema::by_rules(content, usage),
        }
    }

    /// The schema that sample documents suggest: by a text model where one is ready, else by [`propose_schema`], which
    /// also replaces an unusable answer.
    ///
    /// # Errors
    /// [`GeneratorError::Model`] when the model fails.
    pub async fn propose(
        &self,
        payer: &CallerContext,
        documents: &[Arc<Document>],
    ) -> Result<ProposedSchema, GeneratorError> {
        let documents: Vec<&Document> = documents.iter().map(AsRef::as_ref).collect();
        let found = propose_schema(&documents);
        if self.model.is_extractive() || self.generation.check_ready(&self.model).is_err() {
            return Ok(found);
        }
        let labels: Vec<&str> = found.fields.iter().map(|field| field.label.as_str()).collect();
        let request = sample_prompt::request(&documents);
        Ok(match self.ask(payer, request, &labels.join("\n")).await? {
            (Some(schema), _) => ProposedSchema::of_model(schema, &found, &documents),
            (None, _) => found,
        })
    }

    /// The schema of an answer, in the language of `content`; `None` where it is unusable. With the tokens spent.
    async fn ask(
        &self,
        payer: &CallerContext,
        request: ChatRequest,
        content: &str,
    ) -> Result<(Option<Map<String, Value>>, Usage), GeneratorError> {
        let asker = SingleModel { generation: &self.generation, payer, model: &self.model };
        let answer = structured::ask_whole(&asker, request, schema_prompt::answer_schema()).await;
        let answer = answer.map_err(GeneratorError::Model)?;
        let is_usable = answer.finish != Finish::Refused;
        Ok((is_usable.then(|| schema_prompt::parse_schema(&answer.text, content)).flatten(), answer.usage))
    }
}
