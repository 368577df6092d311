//! Warnings beside an answer: parameters that the model does not support, and unusual ends.

use super::GenerateRequest;
use super::check::ValidatedRequest;
use crate::{Finish, ModelKind};

/// One sentence for each parameter that the first model of the choice does not support.
pub(super) fn unused_parameters(checked: &ValidatedRequest, request: &GenerateRequest) -> Vec<String> {
    let model = checked.choice.first();
    let is_text = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.trim().is_empty());
    let has_pictures = !checked.conversation.pictures.is_empty();
    let sampling = [
        ("temperature", request.temperature.is_some()),
        ("topP", request.top_p.is_some()),
        ("seed", request.seed.is_some()),
        ("effort", request.effort.is_some()),
        ("stop", !request.stop.is_empty()),
    ];
    let mut parts: Vec<(&str, bool)> = match checked.kind {
        ModelKind::TextToImage | ModelKind::TextToSpeech => vec![
            ("system", is_text(&request.system)),
            ("messages", !request.messages.is_empty()),
            ("maxTokens", request.max_tokens.is_some()),
            ("responseFormat", request.response_format.is_some()),
            ("knowledge", !checked.bases.is_empty()),
            ("urls", !request.urls.is_empty()),
            ("documents", !request.documents.is_empty()),
            ("images", has_pictures),
        ],
        ModelKind::TextToText if model.is_extractive() => {
            let is_filled = checked.schema.is_some();
            vec![
                ("system", is_text(&request.system)),
                ("images", has_pictures),
                ("maxTokens", is_filled && request.max_tokens.is_some()),
            ]
        }
        ModelKind::TextToText | ModelKind::TextToEmbedding | ModelKind::TextToScore => Vec::new(),
    };
    // The models above take no part in the sampling either.
    if !parts.is_empty() {
        parts.extend(sampling);
    }
    let names = parts.into_iter().filter(|(_, given)| *given).map(|(name, _)| name);
    names.map(|name| format!("'{name}' was ignored: {model} does not support it")).collect()
}

/// The meaning of an unusual end; `is_empty`: whether the answer is empty; `has_tools`: whether tools were offered.
pub(super) fn notice(finish: Finish, is_empty: bool, has_tools: bool) -> Option<String> {
    let told = match finish {
        Finish::Refused if is_empty => "the model or its provider withheld the answer",
        Finish::Refused => {
            "the model refused, or its provider filtered the answer: the text may be incomplete"
        }
        Finish::ToolCalls if has_tools => return None,
        Finish::ToolCalls => "the model asked for a tool, although none was offered",
        Finish::Other => "the provider ended the answer for an unknown reason",
        Finish::Stop | Finish::Length if is_empty => "the model answered with an empty text",
        Finish::Stop | Finish::Length => return None,
    };
    Some(told.to_owned())
}
