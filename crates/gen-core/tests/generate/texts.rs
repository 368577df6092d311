//! Answers in words.

use gen_core::scripted::{ScriptedModel, text_answer};
use gen_core::{ChatEvent, Fault, Finish, GenerateRequest, HistoryMessage, Part, ProviderError, Usage};
use serde_json::json;
use shared_core::DomainError as _;

use crate::kit::{LEASE, asking, generate, service, streamed, with_files};

const GPT: &str = "gpt-5@openai";
const OWN: &str = "extractive@formwork";

#[test]
fn the_built_in_model_answers_from_files_with_citations_of_the_context() {
    let (service, _, _) = service(ScriptedModel::default());
    let answer = generate(&service, with_files(OWN, "How high is the rent?", &["2", "1"])).unwrap();
    assert_eq!(answer.text, "The rent is £900 a month. [1]", "what says nothing on it is not sent");
    assert_eq!(answer.context.iter().map(|item| (item.n, item.id.as_str())).collect::<Vec<_>>(), [(1, "1")]);
    assert_eq!((answer.context[0].page, answer.context[0].text.as_str()), (Some(1), LEASE.trim()));
    assert_eq!((answer.audio.as_str(), answer.knowledge_id.as_str()), ("", ""));
    assert_eq!(answer.model.to_string(), OWN);
    assert!(answer.usage.input_tokens > 0 && answer.usage.output_tokens > 0);
    let json = serde_json::to_value(&answer.context[0]).unwrap();
    let names: Vec<&String> = json.as_object().unwrap().keys().collect();
    assert_eq!(names, ["n", "knowledgeId", "id", "title", "page", "score", "text"]);
    assert_eq!(json["knowledgeId"], json!(null));
}

#[test]
fn a_model_gets_numbered_documents_the_conversation_and_the_rule_of_citing() {
    let (service, script, _) = service(ScriptedModel::new([Ok(text_answer("At 8:30 [1], not [7]."))]));
    let request = GenerateRequest {
        system: Some("Be brief.".into()),
        messages: vec![HistoryMessage::text("user", "Hello"), HistoryMessage::text("assistant", "Hi")],
        knowledge_id: Some("kb1".into()),
        knowledge: vec!["kb2".into(), "kb1".into()],
        temperature: Some(0.5),
        max_tokens: Some(50),
        ..asking(GPT, "When does the office open?")
    };
    let answer = generate(&service, request).unwrap();
    assert_eq!(answer.text, "At 8:30 [1], not.");
    assert_eq!(answer.knowledge_id, "kb1");
    let bases: Vec<Option<&str>> = answer.context.iter().map(|item| item.knowledge_id.as_deref()).collect();
    assert_eq!(bases, [Some("kb1"), Some("kb2")]);
    let asked = &script.asked()[0];
    let system = asked.system.as_deref().unwrap();
    assert!(system.starts_with("Be brief.") && system.contains("[1]"), "{system}");
    assert_eq!((asked.messages.len(), asked.max_tokens, asked.temperature), (3, Some(50), Some(0.5)));
    let names: Vec<&str> = asked.messages[2]
        .parts
        .iter()
        .filter_map(|part| match part {
            Part::Document { name, .. } => Some(name.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(names, ["[1] Handbook, p. 4", "[2] Handbook, p. 4"]);
    assert!(
        matches!(asked.messages[2].parts.last(), Some(Part::Text(text)) if text == "When does the office open?")
    );
}

#[test]
fn a_base_that_holds_nothing_on_the_question_is_said_to_and_nothing_is_made_up() {
    let (service, script, _) =
        service(ScriptedModel::new([Ok(text_answer("Nothing is known of that [1]."))]));
    let bare = |model| GenerateRequest {
        knowledge_id: Some("bare".into()),
        ..asking(model, "When does the office open?")
    };
    let answer = generate(&service, bare(GPT)).unwrap();
    assert_eq!((answer.text.as_str(), answer.context.len()), ("Nothing is known of that.", 0));
    let asked = &script.asked()[0];
    assert!(asked.system.as_deref().unwrap().contains("hold nothing on it"));
    assert!(matches!(asked.messages[0].parts.as_slice(), [Part::Text(_)]), "no document is made up");
    let own = generate(&service, bare(OWN)).unwrap();
    assert_eq!(own.text, "The given documents do not answer this question.");
    assert_eq!(streamed(&service, bare(OWN)).1.text, own.text);
}

#[test]
fn a_refusal_is_not_warned_of_for_citing_nothing_and_an_answer_is() {
    let (service, ..) = service(ScriptedModel::new([Ok(text_answer("The rent is £900."))]));
    let about = |model| with_files(model, "How high is the rent of the boathouse in Dunmore?", &["1"]);
    let refused = generate(&service, about(OWN)).unwrap();
    assert_eq!(refused.text, "The given documents do not answer this question.");
    assert!(!refused.context.is_empty() && refused.citations.is_empty());
    assert!(refused.warnings.is_empty(), "{:?}", refused.warnings);
    assert!(streamed(&service, about(OWN)).1.warnings.is_empty());
    let uncited = generate(&service, about(GPT)).unwrap();
    assert_eq!(uncited.warnings, ["the answer cites none of its sources"]);
}

#[test]
fn what_the_search_of_a_base_lacked_is_a_warning() {
    let (service, ..) = service(ScriptedModel::default());
    let about = |base: &str| GenerateRequest {
        knowledge_id: Some(base.into()),
        ..asking(OWN, "When does the office open?")
    };
    assert!(generate(&service, about("kb")).unwrap().warnings.is_empty());
    let answer = generate(&service, about("halved")).unwrap();
    assert_eq!(answer.warnings, ["halved was searched by words alone"]);
    assert_eq!(streamed(&service, about("halved")).1.warnings, answer.warnings);
}

#[test]
fn a_question_that_leans_on_the_one_before_is_looked_for_together_with_it() {
    let (service, _, shelf) = service(ScriptedModel::default());
    let said = |role: &str, content: &str| HistoryMessage::text(role, content);
    for prompt in ["And on Sundays?", "Which colour do the tiles of the roof of the boathouse have?"] {
        let request = GenerateRequest {
            messages: vec![said("user", "When does the office open?"), said("assistant", "At 8:30 [1].")],
            knowledge_id: Some("kb".into()),
            ..asking(OWN, prompt)
        };
        generate(&service, request).unwrap();
    }
    let alone = "Which colour do the tiles of the roof of the boathouse have?";
    let expected = ["When does the office open?\nAnd on Sundays?", alone];
    assert_eq!(*shelf.asked.lock(), expected);
}

#[test]
fn without_context_nothing_is_said_of_citing_and_nothing_taken_out() {
    let (service, script, _) = service(ScriptedModel::new([Ok(text_answer("See [9]."))]));
    let answer = generate(&service, asking(GPT, "Hello")).unwrap();
    assert_eq!((answer.text.as_str(), answer.context.len()), ("See [9].", 0));
    assert_eq!(script.asked()[0].system, None);
}

#[test]
fn a_long_document_is_cut_to_what_matters_and_says_so() {
    let (service, _, _) = service(ScriptedModel::default());
    let answer = generate(&service, with_files(OWN, "What is the gate code?", &["long"])).unwrap();
    assert!(answer.text.contains("The gate code is 4711."), "{}", answer.text);
    assert!(answer.warnings.iter().any(|warning| warning.contains("exceeds the token limit")));
    assert!(answer.context.iter().map(|item| item.text.len()).sum::<usize>() < 140_000);
}

#[test]
fn a_fallback_answers_when_the_first_model_fails() {
    let (service, _, _) = service(ScriptedModel::new([Err(ProviderError::new(Fault::Failed, "no"))]));
    let request = GenerateRequest {
        fallback_models: vec![OWN.into()],
        ..with_files(GPT, "How high is the rent?", &["1"])
    };
    let answer = generate(&service, request).unwrap();
    assert_eq!(
        (answer.model.to_string().as_str(), answer.text.as_str()),
        (OWN, "The rent is £900 a month. [1]")
    );
    assert!(!answer.warnings.is_empty());
}

#[test]
fn json_is_asked_for_until_it_fits_and_keeps_its_brackets() {
    let (service, script, _) = service(ScriptedModel::new([
        Ok(text_answer("{\"pages\": \"nine\"}")),
        Ok(text_answer("{\"pages\": [9]}")),
    ]));
    let pages = json!({"type": "array", "items": {"type": "integer"}});
    let schema = json!({"type": "object", "properties": {"pages": pages}, "required": ["pages"]});
    let format = json!({"type": "json_schema", "schema": schema});
    let request =
        GenerateRequest { response_format: Some(format), ..with_files(GPT, "Which pages?", &["1"]) };
    let answer = generate(&service, request).unwrap();
    assert_eq!(answer.text, "{\"pages\":[9]}");
    assert_eq!((answer.usage.total(), answer.model.to_string().as_str()), (22, GPT));
    assert!(script.asked().iter().all(|asked| asked.response_schema.is_some()));
}

#[test]
fn json_that_never_fits_is_an_error_that_says_why() {
    let (service, _, _) = service(ScriptedModel::new((0..3).map(|_| Ok(text_answer("no")))));
    let request =
        GenerateRequest { response_format: Some(json!({"type": "json_object"})), ..asking(GPT, "Hi") };
    assert_eq!(generate(&service, request).unwrap_err().code(), "schema_violation");
}

#[test]
fn a_stream_gives_checked_text_and_then_the_same_record_as_a_whole_answer() {
    let usage = Usage { input_tokens: 10, output_tokens: 1, ..Usage::default() };
    let pieces = ["The rent", " is £900 [", "1] and", " not [", "8", "].", " Done [2"];
    let events = pieces.iter().map(|piece| Ok(ChatEvent::Text((*piece).to_owned())));
    let end = ChatEvent::End { finish: Finish::Length, usage, warnings: vec!["cut".into()] };
    let script = ScriptedModel::new([Ok(gen_core::ChatAnswer {
        finish: Finish::Length,
        warnings: vec!["cut".into()],
        ..text_answer(pieces.concat())
    })])
    .then_streams(events.chain([Ok(end)]));
    let (service, _, _) = service(script);
    let request = with_files(GPT, "How high is the rent?", &["1"]);
    let whole = generate(&service, request.clone()).unwrap();
    let (texts, record) = streamed(&service, request);
    assert_eq!(texts.concat(), "The rent is £900 [1] and not. Done [2");
    assert_eq!(record, whole);
    assert_eq!(record.text, texts.concat());
}

#[test]
fn the_built_in_model_streams_the_same_as_it_answers() {
    let (service, _, _) = service(ScriptedModel::default());
    let request = with_files(OWN, "Summarise", &["1", "2"]);
    let whole = generate(&service, request.clone()).unwrap();
    let (texts, record) = streamed(&service, request);
    assert!(texts.len() > 1);
    assert_eq!(record, whole);
}
