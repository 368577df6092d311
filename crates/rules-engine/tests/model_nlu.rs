//! Which parts of a model's interpretation are accepted beside that of the rules.

#![allow(clippy::unwrap_used, clippy::string_slice, clippy::indexing_slicing, reason = "helpers of tests")]

use agents_core::chat::model_nlu::{NluPrompt, merge_interpretations};
use agents_core::chat::{ActType, Interpretation, Phase, UserTurn};
use chrono::NaiveDate;
use forms_core::{Evidence, Extraction, FormSchema, Support};
use language::Language;
use rules_engine::nlu;
use serde_json::{Map, Value, json};

const QUESTION: &str = "Please tell me the room. Choices: single, double, suite.";

fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap()
}

fn schema() -> Map<String, Value> {
    object(json!({
        "name": {"type": "string"},
        "guests": {"type": "integer", "minimum": 1},
        "day": {"type": "date"},
        "injured": {"type": "boolean"},
        "room": {"type": "string", "enum": ["single", "double", "suite"]},
    }))
}

struct Scene {
    phase: Phase,
    asked: Option<&'static str>,
    values: Value,
    is_other: bool,
    is_confirmation: bool,
}

impl Scene {
    fn asks(asked: &'static str) -> Self {
        Self {
            phase: Phase::Filling,
            asked: Some(asked),
            values: json!({}),
            is_other: false,
            is_confirmation: false,
        }
    }

    /// The interpretation of a message when the model answers `said`. The evidence of a value is its first
    /// occurrence in the prompt.
    fn hears(&self, message: &str, said: Value) -> Interpretation {
        let schema = schema();
        let form = FormSchema::parse(&schema).unwrap();
        let (values, today) = (object(self.values.clone()), NaiveDate::from_ymd_opt(2026, 11, 22).unwrap());
        let heard = UserTurn {
            message,
            language: Language::UNKNOWN,
            form: &form,
            phase: self.phase,
            asked: self.asked,
            is_confirmation: self.is_confirmation,
            values: &values,
            recent: &[],
            today,
        };
        let asked = NluPrompt::new(&schema, QUESTION, message, today).unwrap();
        let evidence = |value: &Value| {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let at = asked.text.find(&text).map(|at| asked.text[..at].chars().count());
            Evidence {
                document: Some("conversation".into()),
                quote: at.map(|_| text.clone()),
                start: at,
                end: at.map(|at| at + text.chars().count()),
                ..Evidence::without_place(
                    if at.is_some() { Support::Exact } else { Support::Unsupported },
                    0.5,
                )
            }
        };
        let record = object(said);
        let evidence = record.iter().map(|(name, value)| (format!("/{name}"), evidence(value))).collect();
        let found = Extraction { record, evidence, ..Extraction::default() };
        merge_interpretations(&heard, &asked, nlu::interpret(&heard), &found, self.is_other)
    }
}

fn values(reading: &Interpretation) -> Value {
    reading.statements.iter().map(|said| (said.path.clone(), said.value.clone())).collect()
}

fn acts(reading: &Interpretation) -> Vec<ActType> {
    reading.acts.iter().map(|said| said.act_type).collect()
}

#[test]
fn what_the_message_shows_is_taken_and_what_is_made_up_is_not() {
    let read = Scene::asks("/room").hears("they call me Ada", json!({"name": "Ada", "guests": 7}));
    assert_eq!(values(&read), json!({"/name": "Ada"}));
    let read = Scene::asks("/name").hears("hm, guess", json!({"name": "Grace Hopper"}));
    assert!(!read.statements.iter().any(|said| said.value == "Grace Hopper"), "{read:?}");
}

#[test]
fn a_choice_that_the_question_offers_counts_when_the_message_has_it() {
    let read = Scene::asks("/guests").hears("in a suite preferably", json!({"room": "suite"}));
    assert_eq!((values(&read), read.implied), (json!({"/room": "suite"}), vec![]));
}

#[test]
fn what_answers_the_question_in_other_words_is_to_be_confirmed() {
    let scene = Scene::asks("/room");
    let read = scene.hears("the largest that there is", json!({"room": "suite", "guests": 4}));
    assert_eq!((values(&read), read.implied), (json!({"/room": "suite"}), vec!["/room".to_owned()]));
    // An existing value is not replaced by an implied one.
    let filled = Scene { values: json!({"room": "single"}), ..scene };
    let read = filled.hears("the largest that there is", json!({"room": "suite"}));
    assert_eq!(values(&read), json!({}));
}

#[test]
fn days_that_are_told_from_today_are_those_of_the_rules() {
    let read = Scene::asks("/guests").hears("we are 3, tomorrow", json!({"guests": 3, "day": "2024-01-05"}));
    assert_eq!(values(&read), json!({"/guests": 3, "/day": "2026-11-23"}));
}

#[test]
fn a_model_alone_neither_sends_nor_loses_a_form() {
    let act = |act: &str| json!({"message_act": act});
    let confirming = |is_other| Scene {
        phase: Phase::Confirming,
        asked: None,
        values: json!({"name": "Ada"}),
        is_other,
        is_confirmation: false,
    };
    for said in ["agrees", "has nothing to add", "wants to stop", "wants to start over"] {
        assert_eq!(acts(&confirming(false).hears("hm wait", act(said))), [], "{said}");
    }
    assert_eq!(acts(&confirming(true).hears("tak", act("agrees"))), [ActType::Yes]);
    let long = "to teraz jeszcze raz wszystko od samego początku";
    assert_eq!(acts(&confirming(true).hears(long, act("agrees"))), []);
    assert_eq!(acts(&Scene::asks("/name").hears("hm wait", act("wants to go back"))), [ActType::Back]);
}

#[test]
fn an_answer_to_a_confirmation_is_no_value_whatever_the_model_makes_of_it() {
    let confirms = |asked, values| Scene { values, is_confirmation: true, ..Scene::asks(asked) };
    let injured = confirms("/injured", json!({"injured": false}));
    let read = injured.hears("yes", json!({"injured": true}));
    assert_eq!((values(&read), acts(&read)), (json!({}), vec![ActType::Yes]));
    let read = injured.hears("tak", json!({"injured": true, "message_act": "agrees"}));
    assert_eq!((values(&read), acts(&read)), (json!({}), vec![ActType::Yes]));
    let guests = confirms("/guests", json!({"guests": 4}));
    assert_eq!(acts(&guests.hears("no", json!({"guests": 4}))), [ActType::No]);
    assert_eq!(values(&guests.hears("no, 5", json!({"guests": 5}))), json!({"/guests": 5}));
}
