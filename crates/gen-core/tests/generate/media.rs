//! Pictures and speech.

use gen_core::GenerateRequest;
use gen_core::scripted::ScriptedModel;
use shared_core::{DomainError as _, ErrorKind};

use crate::kit::{asking, generate, service, streamed};

const PAINTER: &str = "gpt-image-1@openai";
const SPEAKER: &str = "gpt-4o-mini-tts@openai";

#[test]
fn a_picture_is_stored_and_shown_by_a_link() {
    let (service, _, shelf) = service(ScriptedModel::default());
    let answer = generate(&service, asking(PAINTER, "A [red] cat")).unwrap();
    assert_eq!(answer.text, "![A \\[red\\] cat](https://example.org/f/image-1.png)");
    let kept = shelf.kept.lock();
    assert_eq!((kept.len(), kept[0].1.content_type.as_str()), (1, "image/png"));
    assert_eq!((answer.audio.as_str(), answer.usage.total()), ("", 5));
}

#[test]
fn speech_is_stored_and_its_url_given() {
    let (service, _, _) = service(ScriptedModel::default());
    let request = GenerateRequest { urls: vec!["1".into()], ..asking(SPEAKER, "Good evening") };
    let answer = generate(&service, request).unwrap();
    assert_eq!((answer.text.as_str(), answer.audio.as_str()), ("", "https://example.org/f/speech.wav"));
    let told = [
        format!("'urls' was ignored: {SPEAKER} does not support it"),
        "the provider reported no token usage: the usage is an estimate".to_owned(),
    ];
    assert_eq!(answer.warnings, told);
}

#[test]
fn a_streamed_picture_comes_with_the_same_record() {
    let (service, _, _) = service(ScriptedModel::default());
    let (texts, record) = streamed(&service, asking(PAINTER, "A cat"));
    assert_eq!(texts, [record.text]);
}

#[test]
fn the_built_in_model_names_those_that_draw_and_speak() {
    let (service, _, _) = service(ScriptedModel::default());
    for (prompt, kind) in [("Draw a picture of a cat", "image"), ("Read this aloud", "tts")] {
        let error = generate(&service, asking("extractive@formwork", prompt)).unwrap_err();
        assert_eq!((error.kind(), error.code()), (ErrorKind::Invalid, "model_cannot"));
        assert!(error.to_string().contains(kind), "{error}");
    }
}

#[test]
fn a_model_of_vectors_is_refused_for_words() {
    let (service, _, _) = service(ScriptedModel::default());
    let error = generate(&service, asking("text-embedding-3-small@openai", "Hello")).unwrap_err();
    assert_eq!((error.kind(), error.code()), (ErrorKind::Invalid, "model_cannot"));
}
