//! What messages do beside stating values.

use serde_json::json;

use super::Talk;
use super::forms::hotel;
use crate::chat::{Act, Phase};

#[test]
fn acts_are_understood() {
    let talk = Talk::of(&hotel()).asked("/phone").with(json!({"city": "Leeds"}));
    for (message, act) in [
        ("I don't know", Act::Unknown),
        ("no idea", Act::Unknown),
        ("I don't have one", Act::NotApplicable),
        ("n/a", Act::NotApplicable),
        ("I'll tell you later", Act::Later),
        ("skip this one please", Act::Skip),
        ("I'd rather not say", Act::Skip),
        ("sorry?", Act::Repeat),
        ("can you say that again", Act::Repeat),
        ("what do you mean?", Act::Explain),
        ("which options are there?", Act::Explain),
        ("why do you need that?", Act::Explain),
        ("go back", Act::Back),
        ("what have you got so far?", Act::Review),
        ("that's all", Act::Finish),
        ("cancel", Act::Cancel),
        ("start over please", Act::Restart),
        ("thanks a lot!", Act::Courtesy),
        ("ich weiß nicht", Act::Unknown),
        ("später", Act::Later),
        ("überspringen bitte", Act::Skip),
        ("je ne sais pas", Act::Unknown),
        ("c'est tout", Act::Finish),
        ("no lo sé", Act::Unknown),
        ("eso es todo", Act::Finish),
        ("abbrechen", Act::Cancel),
    ] {
        let reading = talk.hears(message);
        assert!(reading.acts.iter().any(|said| said.act == act), "{message}: {reading:?}");
        assert!(reading.statements.is_empty(), "{message}: {reading:?}");
    }
}

#[test]
fn an_act_names_its_field() {
    let talk = Talk::of(&hotel()).asked("/city").with(json!({"check_in": "2024-03-11", "phone": "1"}));
    for (message, act, path) in [
        ("I don't know my phone number", Act::Unknown, "/phone"),
        ("I don't have an email", Act::NotApplicable, "/email"),
        ("I want to change the phone", Act::Change, "/phone"),
        ("no idea", Act::Unknown, "/city"),
    ] {
        let reading = talk.hears(message);
        let found = reading.acts.iter().any(|said| said.act == act && said.path.as_deref() == Some(path));
        assert!(found, "{message}: {reading:?}");
    }
}

#[test]
fn a_confirmation_is_yes_or_no_or_a_change() {
    let talk = Talk::of(&hotel()).with(json!({"city": "Leeds", "adults": 2})).phase(Phase::Confirming);
    assert_eq!(talk.acts("yes, that's right"), [Act::Yes]);
    assert_eq!(talk.acts("no"), [Act::No]);
    assert_eq!(talk.states("no, change the city to York"), json!({"/city": "York"}));
    let cancelling = Talk::of(&hotel()).asked("/city").phase(Phase::Cancelling);
    assert_eq!(cancelling.acts("yes"), [Act::Yes]);
    assert_eq!(cancelling.acts("no, go on"), [Act::No]);
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
