//! Extraction from documents without an agent, and what else of the settings this protocol needs.

use std::sync::Arc;

use anyhow::Context as _;
use forms_core::{
    ExtractRequest, Extraction, ExtractionEngine, FormSchema, GroupDocument, NoopAnswerStore, PagePictures,
};
use gen_core::{CallerContext, ModelId};

use crate::http::ApiError;
use crate::settings::Settings;

/// What only the Model Context Protocol needs.
#[derive(Clone, Debug)]
pub struct McpParts {
    engine: ExtractionEngine,
    default_model: ModelId,
    /// The origins whose pages may call the server, separated by commas; `*` for all.
    pub(super) origins: Arc<str>,
    /// Whether pages of the web are fetched.
    pub(super) can_fetch: bool,
}

impl McpParts {
    /// Takes its part of the settings.
    ///
    /// # Errors
    /// When the default model is not valid.
    pub fn new(settings: &Settings, engine: ExtractionEngine, can_fetch: bool) -> anyhow::Result<Self> {
        let default_model =
            settings.models.default.parse().context("the setting models.default is not valid")?;
        Ok(Self { engine, default_model, origins: settings.cors.origins.as_str().into(), can_fetch })
    }

    /// The model of a request: the one that it names, or that of the settings.
    ///
    /// # Errors
    /// When the name is not one of a model.
    pub(super) fn model(&self, name: Option<&str>) -> Result<ModelId, ApiError> {
        let Some(name) = name else { return Ok(self.default_model.clone()) };
        name.parse().map_err(|error: gen_core::ModelIdError| ApiError::invalid("/model", error.to_string()))
    }

    /// Whether a model may see pages.
    pub(super) fn sees(&self, model: &ModelId) -> bool {
        self.engine.may_show_pictures(model)
    }

    /// Extracts a record, with pictures of pages where the model sees.
    ///
    /// # Errors
    /// When there is no record at all.
    pub(super) async fn extract(
        &self,
        payer: &CallerContext,
        model: &ModelId,
        (schema, instructions): (&FormSchema, &str),
        documents: &[GroupDocument],
        pictures: &dyn PagePictures,
    ) -> Result<Extraction, ApiError> {
        let answers = &NoopAnswerStore;
        let request = ExtractRequest { payer, schema, instructions, model, documents, answers };
        Ok(self.engine.extract_with_pictures(request, pictures).await?)
    }
}
