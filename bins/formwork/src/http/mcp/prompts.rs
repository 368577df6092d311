//! Prompts that people choose in their client.

use serde_json::{Map, Value, json};

use crate::http::json_rpc::RpcError;

/// A prompt. `{name}` in its text stands for an argument.
struct Prompt {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    /// Name and meaning of each argument; all are required.
    arguments: &'static [(&'static str, &'static str)],
    text: &'static str,
}

/// Maximum length in bytes of an argument.
const MAX_ARGUMENT: usize = 100_000;

/// Every prompt.
const PROMPTS: [Prompt; 3] = [
    Prompt {
        name: "extract_with_form",
        title: "Extract with a form",
        description: "Fills a form from a document and shows the evidence.",
        arguments: &[
            ("form_id", "Identifier of the form."),
            ("document", "Id of an uploaded file, or a URL."),
        ],
        text: "Call the tool extract_record with form_id \"{form_id}\" and urls [\"{document}\"]. Show the record as a \
            table with the columns field, value, page and quote, by the evidence. Name the fields that are null, every \
            entry of errors and conflicts, and the values whose confidence is below 0.8. Add no value of your own.",
    },
    Prompt {
        name: "answer_with_citations",
        title: "Answer from a knowledge base",
        description: "Answers a question from a knowledge base only, with a citation for each statement.",
        arguments: &[("knowledgeId", "Identifier of the knowledge base."), ("question", "The question.")],
        text: "Answer this question from the knowledge base \"{knowledgeId}\" only: {question}\n\nCall the tool \
            search_knowledge_base; search again with other words where the passages do not answer the question. After \
            each statement, cite its passages as [title, page]. Where the passages do not answer it, say so.",
    },
    Prompt {
        name: "fill_form_with_user",
        title: "Fill a form in a conversation",
        description: "Asks the user for the fields of an agent's form, one after the other.",
        arguments: &[("namespace", "Namespace of the agent.")],
        text: "Call the tool fill_form with namespace \"{namespace}\" and the message \"hello\". Put each question of the \
            answer to me, and send what I say as the next message with the same session_id, until the form's status is \
            submitted. Do not answer for me.",
    },
];

/// The answer to `prompts/list`.
pub(super) fn list() -> Value {
    let described = PROMPTS.iter().map(|prompt| {
        let argument =
            |(name, meaning): &(&str, &str)| json!({"name": name, "description": meaning, "required": true});
        json!({
            "name": prompt.name,
            "title": prompt.title,
            "description": prompt.description,
            "arguments": prompt.arguments.iter().map(argument).collect::<Vec<_>>()
        })
    });
    json!({"prompts": described.collect::<Vec<_>>()})
}

/// The answer to `prompts/get`.
///
/// # Errors
/// For an unknown prompt and a missing argument.
pub(super) fn get(params: &Map<String, Value>) -> Result<Value, RpcError> {
    let name = params.get("name").and_then(Value::as_str).unwrap_or_default();
    let prompt = PROMPTS.iter().find(|prompt| prompt.name == name);
    let prompt = prompt.ok_or_else(|| RpcError::invalid_params("Unknown prompt"))?;
    let mut text = String::new();
    let mut rest = prompt.text;
    // In one pass, so that an argument that looks like another's place is not replaced.
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        text.push_str(before);
        text.push_str(argument(params, name)?);
        rest = after;
    }
    text.push_str(rest);
    let message = json!({"role": "user", "content": {"type": "text", "text": text}});
    Ok(json!({"description": prompt.description, "messages": [message]}))
}

fn argument<'a>(params: &'a Map<String, Value>, name: &str) -> Result<&'a str, RpcError> {
    let value = params.get("arguments").and_then(|arguments| arguments.get(name)?.as_str());
    let value = value.filter(|value| !value.trim().is_empty() && value.len() <= MAX_ARGUMENT);
    value.ok_or_else(|| RpcError::invalid_params(format!("the argument '{name}' is needed, a text")))
}

/// Whether there is a prompt of this name.
pub(super) fn is_known(name: &str) -> bool {
    PROMPTS.iter().any(|prompt| prompt.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_prompt_takes_its_arguments_as_they_are() {
        for prompt in &PROMPTS {
            let told =
                |(name, _): &(&str, &str)| ((*name).to_owned(), json!(format!("<{name}> {{question}}")));
            let arguments: Map<String, Value> = prompt.arguments.iter().map(told).collect();
            let params = json!({"name": prompt.name, "arguments": arguments});
            let result = get(params.as_object().unwrap()).unwrap();
            let text = result["messages"][0]["content"]["text"].as_str().unwrap();
            for (name, _) in prompt.arguments {
                assert!(text.contains(&format!("<{name}> {{question}}")), "{text}");
            }
            let missing = json!({"name": prompt.name, "arguments": {}});
            assert!(get(missing.as_object().unwrap()).is_err());
        }
    }
}
