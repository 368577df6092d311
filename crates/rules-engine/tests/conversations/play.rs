//! Plays a conversation and compares.

use agents_core::chat::machine::{self, SystemAct, TurnContext};
use agents_core::chat::wording::{self, ReplyContext};
use agents_core::chat::{FieldStatus, FormState, Phase, UserTurn, spoken_language};
use chrono::NaiveDate;
use forms_core::{Evidence, Extraction, FormSchema, Support};
use language::Language;
use rules_engine::nlu;
use serde_json::{Map, Value, json};

use crate::folder;
use crate::script::{Conversation, Step};

/// A Sunday.
const TODAY: (i32, u32, u32) = (2026, 11, 22);

struct Table {
    form: FormSchema,
    state: FormState,
    parts: Vec<SystemAct>,
    prefilled: Vec<String>,
    is_first: bool,
    language: Language,
}

pub(crate) fn play(conversation: &Conversation) -> Result<(), String> {
    let path = folder("forms").join(format!("{}.json", conversation.form));
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let schema: Map<String, Value> = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let form = FormSchema::parse(&schema).map_err(|violations| format!("{violations:?}"))?;
    let state = machine::begin(&form, "form", 1);
    let mut table = Table {
        form,
        state,
        parts: Vec::new(),
        prefilled: Vec::new(),
        is_first: true,
        language: Language::UNKNOWN,
    };
    for step in &conversation.steps {
        one(&mut table, step).map_err(|problem| format!("line {}: {problem}", step.line))?;
    }
    Ok(())
}

fn one(table: &mut Table, step: &Step) -> Result<(), String> {
    match step.key.as_str() {
        "document" | "weak" => {
            let found = found(&step.text, step.key == "weak")?;
            table.prefilled.extend(machine::prefill(&table.form, &mut table.state, &found));
            Ok(())
        }
        "language" => {
            table.language = Language::from_code(&step.text).ok_or("no such language")?;
            Ok(())
        }
        "given" => {
            give(&mut table.state, &step.text)?;
            hear(table, "hello");
            Ok(())
        }
        "implied" => {
            give(&mut table.state, &step.text)?;
            let path = table.state.trail.last().cloned().ok_or("no value")?;
            table.state.marks.insert(path.clone(), FieldStatus::Implied);
            table.state.asked = Some(path);
            table.is_first = false;
            Ok(())
        }
        "user" => {
            hear(table, &step.text.replace("\\n", "\n"));
            Ok(())
        }
        "reply" => same(&step.text, &table.parts.iter().map(SystemAct::label).collect::<Vec<_>>().join(", ")),
        "values" => {
            let mut values = Value::Object(table.state.values.clone());
            drop_nulls(&mut values);
            same_json(&step.text, &values)
        }
        "marks" => {
            let told = |mark: &&str| *mark != "said";
            let marks: Map<String, Value> = table
                .state
                .marks
                .iter()
                .filter(|(path, mark)| told(&mark.name()) && !path.ends_with("/-"))
                .map(|(path, mark)| (path.clone(), json!(mark.name())))
                .collect();
            same_json(&step.text, &Value::Object(marks))
        }
        "phase" => same(&step.text, phase(table.state.phase)),
        "says" => {
            let (language, form, state) = (table.language.or(Language::ENGLISH), &table.form, &table.state);
            let spoken = ReplyContext { language, title: "", form, state };
            let text = wording::word(spoken, &table.parts, "");
            if text.contains(&step.text) { Ok(()) } else { Err(format!("it says: {text}")) }
        }
        other => Err(format!("unknown key {other}")),
    }
}

/// Values that the user gave before the script begins.
fn give(state: &mut FormState, text: &str) -> Result<(), String> {
    let given: Map<String, Value> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    for (name, value) in given {
        let path = format!("/{name}");
        if value.is_array() {
            state.marks.insert(format!("{path}/-"), FieldStatus::Said);
        }
        state.marks.insert(path.clone(), FieldStatus::Said);
        state.values.insert(name, value);
        state.trail.push(path);
    }
    Ok(())
}

fn hear(table: &mut Table, message: &str) {
    let recent: Vec<String> = table.state.trail.iter().rev().cloned().collect();
    let (year, month, day) = TODAY;
    let heard = UserTurn {
        message,
        language: table.language,
        form: &table.form,
        phase: table.state.phase,
        asked: table.state.asked.as_deref(),
        is_confirmation: table.state.is_confirmation(),
        values: &table.state.values,
        recent: &recent,
        today: NaiveDate::from_ymd_opt(year, month, day).unwrap(),
    };
    let reading = nlu::interpret(&heard);
    table.language = spoken_language(table.language, &table.form, message);
    let occasion = TurnContext {
        message,
        is_first: table.is_first,
        prefilled: std::mem::take(&mut table.prefilled),
        whole: None,
    };
    table.parts = machine::step(&table.form, &mut table.state, &reading, occasion);
    table.parts.retain(|part| *part != SystemAct::Greeting);
    table.is_first = false;
}

/// What a document is said to state.
fn found(text: &str, weak: bool) -> Result<Extraction, String> {
    let record: Map<String, Value> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let evidence = |confidence| Evidence {
        document: Some("document".into()),
        ..Evidence::without_place(Support::Exact, confidence)
    };
    let confidence = if weak { 0.2 } else { 0.9 };
    let mut paths = Vec::new();
    leaves(&Value::Object(record.clone()), "", &mut paths);
    let evidence = paths.into_iter().map(|path| (path, evidence(confidence))).collect();
    Ok(Extraction { record, evidence, ..Extraction::default() })
}

fn leaves(value: &Value, path: &str, paths: &mut Vec<String>) {
    match value {
        Value::Object(parts) => {
            for (name, part) in parts {
                leaves(part, &format!("{path}/{name}"), paths);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                leaves(item, &format!("{path}/{index}"), paths);
            }
            paths.push(path.to_owned());
        }
        _ => paths.push(path.to_owned()),
    }
}

fn drop_nulls(value: &mut Value) {
    match value {
        Value::Object(parts) => {
            parts.retain(|_, part| !part.is_null());
            parts.values_mut().for_each(drop_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_nulls),
        _ => {}
    }
}

const fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Filling => "filling",
        Phase::Confirming => "confirming",
        Phase::Cancelling => "cancelling",
        Phase::Submitted => "submitted",
        Phase::Cancelled => "cancelled",
    }
}

fn same(expected: &str, actual: &str) -> Result<(), String> {
    if expected == actual { Ok(()) } else { Err(format!("expected '{expected}', got '{actual}'")) }
}

fn same_json(expected: &str, actual: &Value) -> Result<(), String> {
    let wanted: Value = serde_json::from_str(expected).map_err(|error| format!("{expected}: {error}"))?;
    if wanted == *actual { Ok(()) } else { Err(format!("expected {wanted}, got {actual}")) }
}
