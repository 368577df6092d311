//! Messages and what is understood of them, with forms of many kinds.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests")]

mod acts;
mod forms;
mod lists;
mod names;
mod services;
mod talk;
mod values;

use chrono::NaiveDate;
use forms_core::FormSchema;
use language::Language;
use serde_json::{Map, Value, json};

use agents_core::chat::{ActType, Interpretation, Phase, UserTurn};
use rules_engine::nlu::interpret;

/// A conversation at one point.
pub(crate) struct Talk {
    form: FormSchema,
    language: Language,
    asked: Option<String>,
    values: Map<String, Value>,
    recent: Vec<String>,
    phase: Phase,
}

impl Talk {
    pub(crate) fn of(form: &Value) -> Self {
        let form = FormSchema::parse(form.as_object().unwrap()).unwrap();
        Self {
            form,
            language: Language::UNKNOWN,
            asked: None,
            values: Map::new(),
            recent: Vec::new(),
            phase: Phase::Filling,
        }
    }

    /// The language of the messages before.
    pub(crate) fn spoken(mut self, code: &str) -> Self {
        self.language = Language::from_code(code).unwrap();
        self
    }

    pub(crate) fn asked(mut self, path: &str) -> Self {
        self.asked = Some(path.to_owned());
        self
    }

    /// Values given before, the first the latest.
    pub(crate) fn with(mut self, values: Value) -> Self {
        self.recent = values.as_object().unwrap().keys().map(|name| format!("/{name}")).collect();
        self.values = values.as_object().unwrap().clone();
        self
    }

    pub(crate) fn phase(mut self, phase: Phase) -> Self {
        self.phase = phase;
        self
    }

    pub(crate) fn hears(&self, message: &str) -> Interpretation {
        interpret(&UserTurn {
            message,
            language: self.language,
            form: &self.form,
            phase: self.phase,
            asked: self.asked.as_deref(),
            is_confirmation: false,
            values: &self.values,
            recent: &self.recent,
            // A Wednesday.
            today: NaiveDate::from_ymd_opt(2024, 3, 6).unwrap(),
        })
    }

    /// The values that a message states, by their paths.
    pub(crate) fn states(&self, message: &str) -> Value {
        let reading = self.hears(message);
        let stated = reading.statements.into_iter().map(|said| (said.path, said.value));
        Value::Object(stated.collect::<Map<_, _>>())
    }

    pub(crate) fn acts(&self, message: &str) -> Vec<ActType> {
        self.hears(message).acts.into_iter().map(|said| said.act_type).collect()
    }
}

/// Holds what messages state against what they should; tells of all that differ.
pub(crate) fn all_state(cases: &[(&Talk, &str, Value)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(talk, message, wanted)| {
            let mut found = talk.states(message);
            let mut wanted = wanted.clone();
            for side in [&mut found, &mut wanted] {
                if let Some(map) = side.as_object_mut() {
                    map.sort_keys();
                }
            }
            (found != wanted).then(|| format!("{message:?}: {found}, and not {wanted}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn a_message_without_words_says_nothing() {
    for message in ["", "   ", "…", "🙂", "\u{0}"] {
        assert_eq!(
            Talk::of(&json!({"a": {"type": "string"}})).asked("/a").hears(message),
            Interpretation::default(),
            "{message:?}"
        );
    }
}

#[test]
fn hostile_messages_and_forms_are_read_in_bounded_time() {
    let fields: Map<String, Value> = (0..1_000)
        .map(|n| {
            (
                format!("field_{n}_name"),
                json!({"type": "string", "description": "the name of the city and date"}),
            )
        })
        .collect();
    let talk = Talk::of(&Value::Object(fields));
    let begun = std::time::Instant::now();
    for message in
        ["a, ".repeat(40_000), "1".repeat(100_000), "In Leeds and York, ".repeat(6_000), "@.".repeat(50_000)]
    {
        talk.hears(&message);
    }
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}

#[test]
fn no_mixture_of_words_breaks_the_reader() {
    let words = [
        "no",
        "not",
        "the",
        "2",
        "two",
        "of",
        "March",
        "th",
        "5",
        "pm",
        "at",
        "from",
        "to",
        "Leeds",
        ",",
        ".",
        "?",
        "my",
        "is",
        "change",
        "remove",
        "add",
        "with",
        "second",
        "“",
        "”",
        "and",
        "next",
        "Friday",
        "half",
        "past",
        "$",
        "€",
        "@",
        "name",
        "in",
        "half past",
        "'s",
        "O'Neil",
        "é",
        "🙂",
        "a.b@c.de",
        "+49",
        "the the",
        "replace",
        "one",
        "last",
        "for",
        "called",
        "don't",
        "week",
        "-",
        "3/4",
        "12.",
        "City",
    ];
    let talks = [
        Talk::of(&forms::hotel()).asked("/city").with(json!({"city": "Leeds", "adults": 2})),
        Talk::of(&forms::shop()).asked("/items/-").with(json!({"items": [{"item": "a", "quantity": 1}]})),
        Talk::of(&forms::shop()).asked("/items/0/price").with(json!({"items": [{"item": "a"}]})),
        Talk::of(&forms::order()).asked("/groceries").with(json!({"groceries": ["apples"]})),
        Talk::of(&forms::claim()).asked("/nowhere/at/all"),
        Talk::of(&forms::trip()).asked("/class").phase(Phase::Confirming),
    ];
    let mut seed: u64 = 7;
    for round in 0..3_000_usize {
        let mut message = String::new();
        for _ in 0..round % 9 + 1 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let pick = usize::try_from(seed >> 33).unwrap() % words.len();
            message.push_str(words[pick]);
            message.push(' ');
        }
        let reading = talks[round % talks.len()].hears(&message);
        assert!(reading.statements.len() <= 20, "{message}");
    }
}
