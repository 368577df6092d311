//! What messages do beside stating values.

use serde_json::json;

use crate::Talk;
use crate::forms::hotel;
use agents_core::chat::{ActType, Phase};

#[test]
fn acts_are_understood() {
    let talk = Talk::of(&hotel()).asked("/phone").with(json!({"city": "Leeds"}));
    for (message, act) in [
        ("I don't know", ActType::Unknown),
        ("no idea", ActType::Unknown),
        ("I don't have one", ActType::NotApplicable),
        ("n/a", ActType::NotApplicable),
        ("I'll tell you later", ActType::Later),
        ("skip this one please", ActType::Skip),
        ("I'd rather not say", ActType::Skip),
        ("sorry?", ActType::Repeat),
        ("can you say that again", ActType::Repeat),
        ("what do you mean?", ActType::Explain),
        ("which options are there?", ActType::Explain),
        ("why do you need that?", ActType::Explain),
        ("go back", ActType::Back),
        ("what have you got so far?", ActType::Review),
        ("that's all", ActType::Finish),
        ("cancel", ActType::Cancel),
        ("start over please", ActType::Restart),
        ("thanks a lot!", ActType::Courtesy),
        ("ich weiß nicht", ActType::Unknown),
        ("später", ActType::Later),
        ("überspringen bitte", ActType::Skip),
        ("je ne sais pas", ActType::Unknown),
        ("c'est tout", ActType::Finish),
        ("no lo sé", ActType::Unknown),
        ("eso es todo", ActType::Finish),
        ("abbrechen", ActType::Cancel),
    ] {
        let reading = talk.hears(message);
        assert!(reading.acts.iter().any(|said| said.act_type == act), "{message}: {reading:?}");
        assert!(reading.statements.is_empty(), "{message}: {reading:?}");
    }
}

#[test]
fn an_act_names_its_field() {
    let talk = Talk::of(&hotel()).asked("/city").with(json!({"check_in": "2024-03-11", "phone": "1"}));
    for (message, act, path) in [
        ("I don't know my phone number", ActType::Unknown, "/phone"),
        ("I don't have an email", ActType::NotApplicable, "/email"),
        ("I want to change the phone", ActType::Change, "/phone"),
        ("no idea", ActType::Unknown, "/city"),
    ] {
        let reading = talk.hears(message);
        let found =
            reading.acts.iter().any(|said| said.act_type == act && said.path.as_deref() == Some(path));
        assert!(found, "{message}: {reading:?}");
    }
}

#[test]
fn a_confirmation_is_yes_or_no_or_a_change() {
    let talk = Talk::of(&hotel()).with(json!({"city": "Leeds", "adults": 2})).phase(Phase::Confirming);
    assert_eq!(talk.acts("yes, that's right"), [ActType::Yes]);
    assert_eq!(talk.acts("no"), [ActType::No]);
    assert_eq!(talk.states("no, change the city to York"), json!({"/city": "York"}));
    let cancelling = Talk::of(&hotel()).asked("/city").phase(Phase::Cancelling);
    assert_eq!(cancelling.acts("yes"), [ActType::Yes]);
    assert_eq!(cancelling.acts("no, go on"), [ActType::No]);
}

#[test]
fn side_questions_are_handed_on() {
    let talk = Talk::of(&hotel()).asked("/city").with(json!({"phone": "1"}));
    for message in ["Do you deliver to Leeds?", "what's the rating there?", "how long does it take"] {
        let reading = talk.hears(message);
        assert_eq!(reading.question.as_deref(), Some(message), "{reading:?}");
        assert!(reading.statements.is_empty(), "{reading:?}");
    }
    let reading = talk.hears("Leeds. What does it cost?");
    assert_eq!(reading.question.as_deref(), Some("What does it cost?"));
    assert_eq!(reading.statements.len(), 1);
}
