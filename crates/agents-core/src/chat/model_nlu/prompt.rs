//! The prompt of NLU: the last question, the message, and the form with two extra fields.

use chrono::NaiveDate;
use forms_core::{Extraction, Field, FieldType, FormSchema, Support};
use serde_json::{Map, Value, json};

use crate::chat::ActType;

/// The text for the model, and the form with the fields for dialogue act and question.
#[derive(Debug)]
pub struct NluPrompt {
    /// The last turn of the dialogue.
    pub text: String,
    /// The form with the two extra fields.
    pub schema: FormSchema,
    /// Offset of the user's message in `text`, in Unicode characters.
    from: usize,
    act: String,
    question: String,
}

/// Names of dialogue acts for the model.
const ACTS: [(&str, ActType); 13] = [
    ("agrees", ActType::Yes),
    ("disagrees", ActType::No),
    ("does not know the answer", ActType::Unknown),
    ("says it does not apply", ActType::NotApplicable),
    ("wants to answer later", ActType::Later),
    ("wants to skip the question", ActType::Skip),
    ("wants the question repeated", ActType::Repeat),
    ("wants the question explained", ActType::Explain),
    ("wants to go back", ActType::Back),
    ("wants to see the values so far", ActType::Review),
    ("has nothing to add", ActType::Finish),
    ("wants to stop", ActType::Cancel),
    ("wants to start over", ActType::Restart),
];

impl NluPrompt {
    /// `None` when the form cannot take two more fields.
    #[must_use]
    pub fn new(schema: &Map<String, Value>, question: &str, message: &str, today: NaiveDate) -> Option<Self> {
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
        // Relative dates such as "tomorrow" need the current date.
        let mut lead = format!("Today is {}.\n\n", today.format("%A, %Y-%m-%d"));
        if !question.is_empty() {
            lead.push_str(&format!("Assistant: {question}\n\n"));
        }
        lead.push_str("User: ");
        let mut schema = FormSchema::parse(&schema).ok()?.without_computed();
        make_optional(&mut schema.fields);
        Some(Self {
            from: lead.chars().count(),
            text: format!("{lead}{message}"),
            schema,
            act,
            question: asks,
        })
    }

    /// Whether the evidence of a value is in the user's message.
    pub(super) fn is_supported(&self, found: &Extraction, path: &str, message: &str) -> bool {
        found.evidence.get(path).filter(|evidence| evidence.support != Support::Unsupported).is_some_and(
            |evidence| {
                let is_later = evidence.end.is_some_and(|end| end > self.from);
                // The first occurrence of a quote may be in the question, which lists the choices.
                is_later || evidence.quote.as_deref().is_some_and(|quote| message.contains(quote))
            },
        )
    }

    /// The model's dialogue act.
    pub(super) fn act(&self, found: &Extraction) -> Option<ActType> {
        let name = found.record.get(&self.act).and_then(Value::as_str)?;
        ACTS.iter().find(|(known, _)| *known == name).map(|(_, act)| *act)
    }

    /// The side question that the model quotes, if the message contains it.
    pub(super) fn question(&self, found: &Extraction, message: &str) -> Option<String> {
        let text = found.record.get(&self.question).and_then(Value::as_str).map(str::trim)?;
        (!text.is_empty() && message.contains(text)).then(|| text.to_owned())
    }
}

/// No field is required in a message, and rules are for the whole form. The remaining errors are those of invalid values.
fn make_optional(fields: &mut [Field]) {
    for field in fields {
        field.required = false;
        field.rules.clear();
        match &mut field.kind {
            FieldType::Object(parts) => make_optional(parts),
            FieldType::Array(item) => {
                item.required = false;
                if let FieldType::Object(parts) = &mut item.kind {
                    make_optional(parts);
                }
            }
            _ => {}
        }
    }
}
