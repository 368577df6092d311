//! The conversation of a request: what stands before the last question of the user, and what followed it.

use gen_core::{BaseQuery, GenerateRequest, HistoryMessage};

use shared_core::Violation;

use super::super::ApiError;
use super::super::inline_documents::read_inline;
use super::super::request::Caller;
use super::content::AttachedFile;
use crate::app::AppState;
use crate::document_reading::source_document;

/// The messages of a request, in the form of this server's own generation.
#[derive(Debug, Default)]
pub(in crate::http) struct Conversation {
    pub(in crate::http) system: Vec<String>,
    /// Messages of the user, the model and tools, each with its index in the body.
    pub(in crate::http) spoken: Vec<(usize, HistoryMessage)>,
    /// Files of all messages, each with the index of its message in the body.
    pub(in crate::http) files: Vec<(usize, AttachedFile)>,
}

/// What the parameters of a generation are called in a request for a response.
const RESPONSE_NAMES: [(&str, &str); 4] = [
    ("maxTokens", "max_output_tokens"),
    ("responseFormat", "text.format"),
    ("prompt", "input"),
    ("toolCallId", "call_id"),
];

/// Where the messages of a conversation stand in the body.
#[derive(Debug, Default)]
pub(in crate::http) struct MessagePlaces {
    /// The property of the body that has them.
    root: &'static str,
    /// Index of each message of the user, the model and tools.
    indices: Vec<usize>,
    /// Which of them is the prompt.
    question: usize,
    /// Index of the message of each file.
    files: Vec<usize>,
    /// The path of what names knowledge bases.
    knowledge: &'static str,
}

impl MessagePlaces {
    /// Names the parts of the body instead of those of the generation.
    pub(in crate::http) fn relocate(&self, violation: &mut Violation) {
        violation.path = self.path_of(&violation.path);
        if self.root == "input" {
            for (own, name) in RESPONSE_NAMES {
                violation.message = violation.message.replace(&format!("'{own}'"), &format!("'{name}'"));
            }
        }
    }

    fn path_of(&self, path: &str) -> String {
        let mut rest = path.trim_start_matches('/').splitn(3, '/');
        let (head, number, field) = (rest.next().unwrap_or_default(), rest.next(), rest.next());
        let number = number.and_then(|number| number.parse::<usize>().ok());
        if head == "urls" {
            let at = number.and_then(|number| self.files.get(number)).copied().unwrap_or_default();
            return format!("/{}/{at}/content", self.root);
        }
        let position = match (head, number) {
            ("prompt" | "images", _) => self.question,
            ("messages", Some(number)) => number,
            ("toolMessages", Some(number)) => self.question + 1 + number,
            ("knowledge" | "knowledgeId", _) => return self.knowledge.to_owned(),
            ("maxTokens", _) if self.root == "input" => return "/max_output_tokens".to_owned(),
            ("responseFormat", _) if self.root == "input" => {
                return path.replacen("/responseFormat", "/text/format", 1);
            }
            ("messages" | "toolMessages", None) => return format!("/{}", self.root),
            _ => return path.to_owned(),
        };
        let at = self.indices.get(position).copied().unwrap_or_default();
        let field = field.and_then(|field| field.split('/').next()).filter(|field| *field != "images");
        format!("/{}/{at}/{}", self.root, field.unwrap_or("content"))
    }
}

impl Conversation {
    /// The generation that goes on with the conversation: `settings` with its messages, and the places of these in the
    /// property `root` of the body. An agent or knowledge base as the model gives the model, instructions and knowledge
    /// bases.
    pub(in crate::http) async fn into_request(
        self,
        root: &'static str,
        state: &AppState,
        caller: &Caller,
        settings: GenerateRequest,
    ) -> Result<(GenerateRequest, MessagePlaces), ApiError> {
        self.check_results(root)?;
        let reads = self.reads_documents();
        let Self { mut system, spoken, files } = self;
        let ends_well = spoken.last().is_some_and(|(_, last)| last.role != "assistant");
        let question = spoken.iter().rposition(|(_, message)| message.role == "user");
        let Some(question) = question.filter(|_| ends_well) else {
            let rule = format!(
                "the last of '{root}' must be the user's, or the result of a tool after a message of the user"
            );
            return Err(ApiError::invalid(format!("/{root}"), rule));
        };
        let target = target(state, caller, settings.model_id).await?;
        if !target.instructions.is_empty() {
            system.insert(0, target.instructions);
        }
        let named = if settings.knowledge.is_empty() { "/model" } else { "/tools" };
        let mut knowledge = settings.knowledge;
        for id in target.knowledge {
            if knowledge.iter().all(|base| base.id != id) {
                knowledge.push(BaseQuery::from(id));
            }
        }
        caller.check_bases(knowledge.iter().map(|base| base.id.as_str()))?;
        for base in &mut knowledge {
            base.filter = caller.narrowed(base.filter.take(), named)?;
        }
        if caller.0.key_bases.is_some() && reads {
            return Err(ApiError::restricted_key(
                "the API key may search knowledge bases only, and read no documents",
            ));
        }
        let (mut of_files, mut urls) = (Vec::new(), Vec::new());
        let (mut of_inline, mut inline) = (Vec::new(), Vec::new());
        for (at, file) in files {
            match file {
                AttachedFile::Reference(reference) => {
                    of_files.push(at);
                    urls.push(reference);
                }
                AttachedFile::Inline(name, content) => {
                    of_inline.push(at);
                    inline.push((name, content));
                }
            }
        }
        let place =
            |number: usize| format!("/{root}/{}/content", of_inline.get(number).copied().unwrap_or_default());
        let documents = match inline.is_empty() {
            true => Vec::new(),
            false => read_inline(state, &caller.0.scope, inline, place).await?,
        };
        let documents = documents.into_iter().map(|(_, read)| source_document(read)).collect();
        let indices = spoken.iter().map(|(at, _)| *at).collect();
        let mut messages = spoken.into_iter().map(|(_, message)| message);
        let before = messages.by_ref().take(question).collect();
        let prompt = messages.next().unwrap_or_default();
        let request = GenerateRequest {
            model_id: target.model,
            prompt: prompt.content,
            pictures: prompt.pictures,
            system: Some(system.join("\n\n")).filter(|text| !text.is_empty()),
            messages: before,
            tool_messages: messages.collect(),
            knowledge,
            urls,
            documents,
            ..settings
        };
        Ok((request, MessagePlaces { root, indices, question, files: of_files, knowledge: named }))
    }

    /// Whether it names documents or pictures that are not in it.
    fn reads_documents(&self) -> bool {
        let mut pictures = self.spoken.iter().flat_map(|(_, message)| &message.pictures);
        !self.files.is_empty() || pictures.any(|picture| !picture.starts_with("data:"))
    }

    /// That each result of a tool names a call before it.
    fn check_results(&self, root: &str) -> Result<(), ApiError> {
        let field = if root == "input" { "call_id" } else { "tool_call_id" };
        let results = self.spoken.iter().enumerate().filter(|(_, (_, message))| message.role == "tool");
        for (number, (at, message)) in results {
            let before = self.spoken.get(..number).unwrap_or_default();
            let mut calls = before.iter().flat_map(|(_, message)| &message.tool_calls);
            if !calls.any(|call| message.tool_call_id.as_ref() == Some(&call.id)) {
                let rule = format!("'{field}' must be the id of a call before it");
                return Err(ApiError::invalid(format!("/{root}/{at}/{field}"), rule));
            }
        }
        Ok(())
    }
}

/// What the model of a request stands for.
struct Target {
    model: String,
    knowledge: Vec<String>,
    instructions: String,
}

async fn target(state: &AppState, caller: &Caller, model: String) -> Result<Target, ApiError> {
    let scope = &caller.0.scope;
    if let Some(namespace) = model.strip_prefix("agent:") {
        if caller.0.key_bases.is_some() {
            return Err(ApiError::restricted_key(
                "the API key may search knowledge bases only, and use no agent",
            ));
        }
        let agent = state.agents.get(scope, namespace).await?;
        let knowledge = state.agents.bases_of(scope, &agent).await?;
        let model = state.agents.model_of(&agent)?.to_string();
        return Ok(Target { model, knowledge, instructions: agent.instructions });
    }
    if let Some(base) = model.strip_prefix("kb:") {
        let model = state.agents.default_model().to_string();
        return Ok(Target { model, knowledge: vec![base.to_owned()], instructions: String::new() });
    }
    Ok(Target { model, knowledge: Vec::new(), instructions: String::new() })
}
