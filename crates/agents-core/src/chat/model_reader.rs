//! A text model as reader: the extraction engine asks it for the form's values in the message, and in the same call
//! for what the message does beside that. What it says is believed as far as the message shows it.

use forms_core::{Extraction, Field, FieldType, FormSchema, Support};
use serde_json::{Map, Value, json};

use super::machine::place::{self, child};
use super::{Act, Change, Heard, Reading, Said, Statement};

/// What the model is shown, and the form with the two fields that ask what the message does.
#[derive(Debug)]
pub(super) struct Asked {
    /// The conversation as a text.
    pub(super) text: String,
    /// The form and the two fields.
    pub(super) schema: FormSchema,
    /// The first Unicode character of `text` that is the user's.
    from: usize,
    act: String,
    question: String,
}

const ACTS: [(&str, Act); 13] = [
    ("agrees", Act::Yes),
    ("disagrees", Act::No),
    ("does not know the answer", Act::Unknown),
    ("says it does not apply", Act::NotApplicable),
    ("wants to answer later", Act::Later),
    ("wants to skip the question", Act::Skip),
    ("wants the question repeated", Act::Repeat),
    ("wants the question explained", Act::Explain),
    ("wants to go back", Act::Back),
    ("wants to see the values so far", Act::Review),
    ("has nothing to add", Act::Finish),
    ("wants to stop", Act::Cancel),
    ("wants to start over", Act::Restart),
];

impl Asked {
    /// `None` where the form cannot take two more fields.
    pub(super) fn new(schema: &Map<String, Value>, question: &str, message: &str) -> Option<Self> {
        let free = |name: &str| {
            let mut name = name.to_owned();
            while schema.contains_key(&name) {
                name.insert(0, '_');
            }
            name
        };
        let (act, asks) = (free("message_act"), free("message_question"));
        let acts: Vec<&str> = ACTS.iter().map(|(name, _)| *name).collect();
        let mut schema = schema.clone();
        schema.insert(
            act.clone(),
            json!({"type": "string", "enum": acts, "description":
                "What the user's message does apart from giving values; null when it only gives values"}),
        );
        schema.insert(
            asks.clone(),
            json!({"type": "string", "description":
                "A question of the user that is not about how to fill in the form, word for word; else null"}),
        );
        let lead = if question.is_empty() { String::new() } else { format!("Assistant: {question}\n\n") };
        let lead = format!("{lead}User: ");
        Some(Self {
            from: lead.chars().count(),
            text: format!("{lead}{message}"),
            schema: FormSchema::parse(&schema).ok()?,
            act,
            question: asks,
        })
    }
}

/// The model's reading joined with that of the rules: its values go before theirs, and what it says that the message
/// does counts where the rules found nothing.
pub(super) fn join(heard: &Heard<'_>, asked: &Asked, rules: Reading, found: &Extraction) -> Reading {
    let (mut statements, mut acts, mut question) = (Vec::new(), rules.acts, rules.question);
    for field in &heard.form.fields {
        let Some(value) = found.record.get(&field.name) else { continue };
        collect(heard, asked, found, field, value, &child("", &field.name), &mut statements);
    }
    // Of what the rules found, the changes of lists stay, and values that the model did not see.
    let is_known = |path: &str| statements.iter().any(|known: &Statement| known.path == path);
    let kept: Vec<Statement> = rules
        .statements
        .into_iter()
        .filter(|rule| rule.change != Change::Set || rule.is_meant && !is_known(&rule.path))
        .collect();
    let changes_lists = kept.iter().any(|kept| kept.change != Change::Set);
    if changes_lists {
        statements.retain(|stated| !kept.iter().any(|kept| is_within(&stated.path, &kept.path)));
    }
    statements.extend(kept);
    if acts.is_empty() {
        let act = found.record.get(&asked.act).and_then(Value::as_str);
        let act = act.and_then(|name| ACTS.iter().find(|(known, _)| *known == name));
        acts.extend(act.map(|(_, act)| Said { act: *act, path: None }));
    }
    if question.is_none() && statements.is_empty() {
        let asks = found.record.get(&asked.question).and_then(Value::as_str).map(str::trim);
        question = asks.filter(|text| heard.message.contains(*text) && !text.is_empty()).map(str::to_owned);
    }
    Reading { statements, acts, question }
}

fn is_within(path: &str, list: &str) -> bool {
    path == list || path.strip_prefix(list).is_some_and(|rest| rest.starts_with('/'))
}

fn collect(
    heard: &Heard<'_>,
    asked: &Asked,
    found: &Extraction,
    field: &Field,
    value: &Value,
    path: &str,
    statements: &mut Vec<Statement>,
) {
    match (&field.kind, value) {
        (_, Value::Null) => {}
        (FieldType::Object(parts), Value::Object(object)) => {
            for part in parts {
                let Some(value) = object.get(&part.name) else { continue };
                collect(heard, asked, found, part, value, &child(path, &part.name), statements);
            }
        }
        (FieldType::Array(_), Value::Array(items)) => {
            let is_said =
                found.evidence.iter().any(|(at, _)| is_within(at, path) && is_shown(asked, found, at));
            if items.is_empty() || !is_said {
                return;
            }
            let known = place::get(heard.values, path).and_then(Value::as_array);
            let new: Vec<Value> = items
                .iter()
                .filter(|item| known.is_none_or(|known| !known.contains(item)))
                .cloned()
                .collect();
            let change = if known.is_some_and(|known| !known.is_empty()) { Change::Add } else { Change::Set };
            if !new.is_empty() {
                statements.push(Statement {
                    path: path.to_owned(),
                    change,
                    value: new.into(),
                    is_meant: true,
                });
            }
        }
        _ => {
            let is_asked = heard.asked == Some(path);
            // A choice may be meant by other words than its own, where it was asked for.
            let is_choice = !field.options.is_empty() || matches!(field.kind, FieldType::Boolean);
            if is_shown(asked, found, path) || is_choice && is_asked {
                let value = value.clone();
                statements.push(Statement {
                    path: path.to_owned(),
                    change: Change::Set,
                    value,
                    is_meant: true,
                });
            }
        }
    }
}

/// Whether a value stands in what the user said.
fn is_shown(asked: &Asked, found: &Extraction, path: &str) -> bool {
    found.evidence.get(path).is_some_and(|evidence| {
        evidence.support != Support::Unsupported && evidence.end.is_some_and(|end| end > asked.from)
    })
}
