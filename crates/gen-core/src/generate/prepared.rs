//! A validated request with its context, and the answer records made from it.

use std::collections::HashMap;
use std::sync::Arc;

use language::detect::detect;
use shared_core::{Offload, Scope, offload};

use super::check::ValidatedRequest;
use super::citation_filter::{CitationFilter, CitationScope};
use super::grounding::{AnswerGrounding, grounds};
use super::notices::notice;
use super::tools::invented_calls;
use super::{GenerateAnswer, GenerateRequest, SourceCitation, prompt};
use crate::{
    ChatRequest, ContextItem, Finish, GenService, KnowledgeSource, Media, ModelOutput, PageLayout, ToolCall,
};

/// Maximum items of knowledge bases whose page layout is loaded for one answer. Bounds the memory. Chosen by
/// hand; no measurement is recorded.
const MAX_LAYOUTS: usize = 8;

/// A validated request with its context.
pub(super) struct PreparedRequest {
    pub(super) models: GenService,
    pub(super) checked: ValidatedRequest,
    pub(super) request: GenerateRequest,
    pub(super) context: Vec<ContextItem>,
    /// Pictures with the index of their messages.
    pub(super) pictures: Vec<(usize, Media)>,
    pub(super) warnings: Vec<String>,
    /// Whether the request has documents or knowledge bases.
    pub(super) has_sources: bool,
    /// For the layout of cited items, after the answer.
    pub(super) scope: Scope,
    pub(super) knowledge: Arc<dyn KnowledgeSource>,
    pub(super) workers: Arc<dyn Offload>,
}

impl PreparedRequest {
    /// The answer record for a text or speech.
    pub(super) fn answer<T>(
        self,
        text: String,
        audio: String,
        finish: Finish,
        generated: ModelOutput<T>,
    ) -> GenerateAnswer {
        let ModelOutput { model, usage, cost, mut warnings, .. } = generated;
        // The first model sees; a fallback may not.
        if model.is_extractive() && !self.pictures.is_empty() {
            warnings.push(format!("'images' was ignored: {model} does not support it"));
        }
        let is_empty = text.trim().is_empty() && audio.is_empty();
        let notice = notice(finish, is_empty, self.checked.tools.is_offered());
        GenerateAnswer {
            text,
            audio,
            tool_calls: Vec::new(),
            context: self.context,
            statements: Vec::new(),
            citations: Vec::new(),
            probability: None,
            model,
            prompt: self.request.prompt,
            knowledge_id: self.request.knowledge_id.unwrap_or_default(),
            finish,
            usage,
            cost,
            warnings: self.warnings.into_iter().chain(warnings).chain(notice).collect(),
        }
    }

    /// What an answer may cite; `None` without documents and knowledge bases.
    pub(super) fn citation_scope(&self) -> Option<CitationScope> {
        if !self.has_sources {
            return None;
        }
        let numbers = self.context.len();
        let mut known =
            CitationScope { numbers, language: detect(&self.request.prompt), ..CitationScope::default() };
        known.read(&self.request.prompt);
        self.context.iter().for_each(|item| known.read(&item.text));
        Some(known)
    }

    /// The answer record for a text that has passed `citations`, with its grounding, and for calls of tools.
    pub(super) async fn grounded_answer<T>(
        mut self,
        text: String,
        tool_calls: Vec<ToolCall>,
        citations: &mut CitationFilter,
        finish: Finish,
        generated: ModelOutput<T>,
    ) -> GenerateAnswer {
        let invented = citations.take_invented();
        let known = citations.take_scope().filter(|known| known.numbers > 0);
        let asked = generated.model.is_extractive().then(|| self.chat());
        // The built-in model cites everything that it quotes. Without a citation its text says that there is
        // no answer.
        let must_cite =
            known.is_some() && asked.is_none() && !matches!(finish, Finish::Refused | Finish::ToolCalls);
        let (AnswerGrounding { statements, mut citations }, probability) = match known {
            Some(known) => self.check_grounding(known, text.clone(), asked).await,
            None => (AnswerGrounding::default(), None),
        };
        self.place(&mut citations).await;
        if !invented.is_empty() {
            let invented = invented.join(", ");
            self.warnings.push(format!(
                "citations of sources that do not exist were removed from the answer: {invented}"
            ));
        }
        if must_cite && citations.is_empty() {
            self.warnings.push("the answer cites none of its sources".to_owned());
        }
        self.warnings.extend(invented_calls(&self.checked.tools, &tool_calls));
        GenerateAnswer {
            tool_calls,
            statements,
            citations,
            probability,
            ..self.answer(text, String::new(), finish, generated)
        }
    }

    /// The grounding of a text, and the probability that the built-in model's answer to `asked` is correct.
    async fn check_grounding(
        &mut self,
        known: CitationScope,
        text: String,
        asked: Option<ChatRequest>,
    ) -> (AnswerGrounding, Option<f64>) {
        let (context, models) = (self.context.clone(), self.models.clone());
        let check = move || {
            let grounds = grounds(&text, &CitationFilter::marks(known, &text), &context);
            (grounds, asked.and_then(|asked| models.built_in_probability(&asked)))
        };
        let checked = offload(self.workers.as_ref(), check).await;
        // The answer has been paid for: a failed check does not fail the request.
        checked.unwrap_or_else(|| {
            self.warnings.push("whether the sources support the answer could not be checked".to_owned());
            Default::default()
        })
    }

    /// Refines the positions of citations by the page layout, and sets the page of each passage to that of
    /// its first citation.
    async fn place(&mut self, citations: &mut [SourceCitation]) {
        let mut layouts: HashMap<String, Option<Arc<dyn PageLayout>>> = HashMap::new();
        for citation in citations.iter_mut() {
            let Some(item) = citation.n.checked_sub(1).and_then(|at| self.context.get(at)) else { continue };
            if item.knowledge_id.is_none() || item.page.is_none() {
                item.layout.as_deref().into_iter().for_each(|layout| citation.locate_by(layout));
                continue;
            }
            if !layouts.contains_key(&item.id) && layouts.len() < MAX_LAYOUTS {
                let layout = self.knowledge.layout(&self.scope, &item.id).await;
                layouts.insert(item.id.clone(), layout);
            }
            if let Some(Some(layout)) = layouts.get(&item.id) {
                citation.locate_by(layout.as_ref());
            }
        }
        for citation in citations.iter().rev().filter(|citation| citation.place.page.is_some()) {
            let item = citation.n.checked_sub(1).and_then(|at| self.context.get_mut(at));
            item.into_iter().for_each(|item| item.page = citation.place.page);
        }
    }
}

impl PreparedRequest {
    pub(super) fn chat(&self) -> ChatRequest {
        let GenerateRequest { system, prompt, .. } = &self.request;
        let (context, pictures) = (&self.context, &self.pictures);
        prompt::chat(&self.checked, system.as_deref(), prompt, context, pictures, self.has_sources)
    }
}
