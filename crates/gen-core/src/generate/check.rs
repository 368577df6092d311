//! Validation of a generate request.

use shared_core::{DomainError as _, Violation};

use super::GenerateError;
use super::conversation::Conversation;
use super::request::{
    GenerateLimits, GenerateRequest, MAX_ANSWER_TOKENS, MAX_PICTURES, MAX_REFERENCE, MAX_STOP, MAX_STOPS,
};
use super::tools::{check_models, check_tools};
use crate::structured::{ResponseFormat, Schema};
use crate::{
    BaseQuery, Effort, GenError, GenService, KnowledgeSource, MAX_FALLBACKS, ModelChoice, ModelId, ModelKind,
    ToolSet,
};

#[derive(Clone, Debug)]
pub(super) struct ValidatedRequest {
    pub(super) choice: ModelChoice,
    pub(super) kind: ModelKind,
    pub(super) conversation: Conversation,
    /// Knowledge bases without duplicates.
    pub(super) bases: Vec<BaseQuery>,
    pub(super) temperature: Option<f32>,
    pub(super) top_p: Option<f32>,
    pub(super) seed: Option<i64>,
    pub(super) effort: Option<Effort>,
    pub(super) stop: Vec<String>,
    pub(super) max_tokens: Option<u32>,
    pub(super) tools: ToolSet,
    pub(super) schema: Option<Schema>,
}

/// Validates everything that needs no call and no read. After it, only configuration and sources can fail.
pub(super) fn check(
    request: &GenerateRequest,
    models: &GenService,
    limits: &GenerateLimits,
    knowledge: &dyn KnowledgeSource,
) -> Result<ValidatedRequest, GenerateError> {
    let mut wrong = Vec::new();
    let mut unknown = None;
    let first = model(models, &request.model_id, "/modelId", &mut wrong, &mut unknown);
    if request.fallback_models.len() > MAX_FALLBACKS {
        wrong.push(Violation::new(
            "/fallbackModels",
            format!("'fallbackModels' has at most {MAX_FALLBACKS} models"),
        ));
    }
    let mut fallbacks = Vec::new();
    for (at, id) in request.fallback_models.iter().enumerate().take(MAX_FALLBACKS) {
        fallbacks.extend(model(models, id, &format!("/fallbackModels/{at}"), &mut wrong, &mut unknown));
    }
    let conversation = Conversation::read(request, limits, &mut wrong);
    texts(request, limits, &mut wrong);
    if conversation.pictures.len() > MAX_PICTURES {
        wrong.push(Violation::new("/images", format!("a request has at most {MAX_PICTURES} pictures")));
    }
    wrong.extend(check_tools(&request.tools, limits));
    let bases = sources(request, limits, knowledge, &mut wrong);
    // The range of OpenAI and Google. Anthropic's models take none.
    if request.temperature.is_some_and(|temperature| !(0.0..=2.0).contains(&temperature)) {
        wrong.push(Violation::new("/temperature", "'temperature' must be between 0 and 2"));
    }
    if request.top_p.is_some_and(|share| !(0.0..=1.0).contains(&share)) {
        wrong.push(Violation::new("/topP", "'topP' must be between 0 and 1"));
    }
    let is_mark = |text: &String| !text.is_empty() && text.chars().nth(MAX_STOP).is_none();
    if request.stop.len() > MAX_STOPS || !request.stop.iter().all(is_mark) {
        let rule = format!("'stop' must have at most {MAX_STOPS} texts of 1 to {MAX_STOP} characters");
        wrong.push(Violation::new("/stop", rule));
    }
    if request.max_tokens.is_some_and(|tokens| !(1..=MAX_ANSWER_TOKENS).contains(&tokens)) {
        wrong.push(Violation::new(
            "/maxTokens",
            format!("'maxTokens' must be between 1 and {MAX_ANSWER_TOKENS}"),
        ));
    }
    wrong.extend(request.context.violations());
    let format =
        request.response_format.as_ref().map(|format| ResponseFormat::parse(format, "/responseFormat"));
    let schema = match format {
        Some(Ok(ResponseFormat::Json(schema))) => Some(schema),
        Some(Err(violations)) => {
            wrong.extend(violations);
            None
        }
        Some(Ok(ResponseFormat::Text)) | None => None,
    };
    let kind = first.as_ref().map(|first| models.kind(first));
    for (at, fallback) in fallbacks.iter().enumerate() {
        if kind.is_some_and(|kind| models.kind(fallback) != kind) {
            let message = format!("'{fallback}' does not have the capability of '{}'", request.model_id);
            wrong.push(Violation::new(format!("/fallbackModels/{at}"), message));
        }
    }
    // An unknown model has its own error code if it is the only violation.
    let (Some(first), Some(kind), true) = (first, kind, wrong.is_empty()) else {
        return match unknown {
            Some(error) if wrong.len() <= 1 => {
                Err(GenerateError::Unusable { code: error.code(), violations: wrong })
            }
            _ => Err(GenerateError::Invalid(wrong)),
        };
    };
    let choice = ModelChoice::new(first, fallbacks)?;
    if let Some(violation) = check_models(&request.tools, &choice, kind) {
        return Err(GenerateError::Unusable { code: "model_cannot", violations: vec![violation] });
    }
    let max_tokens = request.max_tokens.and_then(|tokens| u32::try_from(tokens).ok());
    let temperature = request.temperature.map(|temperature| temperature as f32);
    let (top_p, seed) = (request.top_p.map(|share| share as f32), request.seed);
    let (stop, tools) = (request.stop.clone(), request.tools.clone());
    Ok(ValidatedRequest {
        choice,
        kind,
        conversation,
        bases,
        temperature,
        top_p,
        seed,
        effort: request.effort,
        stop,
        max_tokens,
        tools,
        schema,
    })
}

fn model(
    models: &GenService,
    id: &str,
    path: &str,
    wrong: &mut Vec<Violation>,
    unknown: &mut Option<GenError>,
) -> Option<ModelId> {
    let checked = id.parse::<ModelId>().map_err(GenError::from).and_then(|id| models.check(&id).map(|()| id));
    match checked {
        Ok(id) => Some(id),
        Err(error) => {
            wrong.push(Violation::new(path, error.to_string()));
            unknown.get_or_insert(error);
            None
        }
    }
}

fn texts(request: &GenerateRequest, limits: &GenerateLimits, wrong: &mut Vec<Violation>) {
    if request.prompt.trim().is_empty() && request.pictures.is_empty() {
        wrong.push(Violation::new("/prompt", "'prompt' must not be empty"));
    }
    let system = request.system.as_deref().unwrap_or_default();
    for (path, name, text) in [("/prompt", "prompt", request.prompt.as_str()), ("/system", "system", system)]
    {
        if text.chars().nth(limits.text_chars).is_some() {
            wrong
                .push(Violation::new(path, format!("'{name}' has at most {} characters", limits.text_chars)));
        }
    }
}

/// The knowledge bases without duplicates; validates all references.
fn sources(
    request: &GenerateRequest,
    limits: &GenerateLimits,
    knowledge: &dyn KnowledgeSource,
    wrong: &mut Vec<Violation>,
) -> Vec<BaseQuery> {
    for (name, count) in [("urls", request.urls.len()), ("knowledge", request.knowledge.len())] {
        if count > limits.sources {
            wrong.push(Violation::new(
                format!("/{name}"),
                format!("'{name}' has at most {} entries", limits.sources),
            ));
        }
    }
    for (at, _) in request.urls.iter().enumerate().take(limits.sources).filter(|(_, url)| !is_reference(url))
    {
        wrong.push(Violation::new(format!("/urls/{at}"), "an entry of 'urls' must be a file id or URL"));
    }
    let mut bases: Vec<BaseQuery> = Vec::new();
    for (at, base) in request.knowledge.iter().enumerate().take(limits.sources) {
        let path = format!("/knowledge/{at}");
        if !is_reference(&base.id) {
            wrong.push(unusable_base(format!("{path}/id")));
            continue;
        }
        wrong.extend(knowledge.check(base, &path));
        match bases.iter().find(|known| known.id == base.id) {
            None => bases.push(base.clone()),
            Some(known) if known == base => {}
            // Searching both ways would return what one of the filters excludes.
            Some(_) => {
                let rule = "a knowledge base must not be listed twice with different search options";
                wrong.push(Violation::new(path, rule));
            }
        }
    }
    // An empty `knowledgeId` is the same as none, as clients send it back the way they received it. If
    // `knowledge` lists the same base, its search options apply.
    if let Some(id) = request.knowledge_id.as_ref().filter(|id| !id.is_empty()) {
        if !is_reference(id) {
            wrong.push(unusable_base("/knowledgeId"));
        } else {
            let listed = bases.iter().position(|base| base.id == *id).map(|at| bases.remove(at));
            bases.insert(0, listed.unwrap_or_else(|| BaseQuery::from(id.as_str())));
        }
    }
    bases
}

/// Whether a text can be the id or URL of a document, or the id of a knowledge base.
fn is_reference(text: &str) -> bool {
    !text.trim().is_empty() && text.chars().nth(MAX_REFERENCE).is_none()
}

fn unusable_base(path: impl Into<String>) -> Violation {
    Violation::new(path, "the id of a knowledge base must not be empty")
}
