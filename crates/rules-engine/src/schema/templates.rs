//! The gallery of forms: those of common documents, each with a sample document and its record. Fields and samples
//! are the `[forms]` and `[samples]` of the locales.

use forms_core::{FormSchema, read_answer};
use language::Language;
use language::form_words::FormWords;
use serde_json::{Map, Value};

use super::form_templates::{self, capitalised, title_of_kind};
use super::{draft, fields_of_list};

/// Between the parts of a row, and the entries of a list.
const PART: &str = " | ";
/// Between rows.
const ROW: &str = " || ";

/// A form of the gallery.
#[derive(Clone, Debug, PartialEq)]
pub struct FormTemplate {
    /// Name of its kind, the same in every language, such as `invoice`.
    pub id: &'static str,
    /// Title in the language.
    pub title: String,
    /// The language of its fields and its sample (ISO 639-1).
    pub language: &'static str,
    /// A valid schema.
    pub schema: Map<String, Value>,
    /// Text of a document of the kind.
    pub sample: String,
    /// What the sample says, by the fields of the schema.
    pub record: Map<String, Value>,
}

/// The languages that have templates (ISO 639-1), English first.
pub fn template_languages() -> impl Iterator<Item = &'static str> {
    let has_samples = |language: &Language| {
        language.locale().is_some_and(|locale| locale.samples.entries().next().is_some())
    };
    Language::all().filter(has_samples).filter_map(Language::code)
}

/// The kinds of templates of a language, sorted; none for a language without templates.
#[must_use]
pub fn template_ids(code: &str) -> Vec<&'static str> {
    Language::from_code(code).map(kinds).unwrap_or_default()
}

fn kinds(language: Language) -> Vec<&'static str> {
    let samples = language.locale().map(|locale| locale.samples).unwrap_or_default();
    let mut ids: Vec<&str> = samples.entries().map(|entry| entry.key).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// The template of a kind; `None` where the language has none.
#[must_use]
pub fn template(id: &str, code: &str) -> Option<FormTemplate> {
    let language = Language::from_code(code)?;
    let id = kinds(language).into_iter().find(|known| *known == id)?;
    let lexicon = FormWords::of(language);
    let title = title_of_kind(language, id)?;
    let schema = draft::schema(&fields_of_list(&form_templates::fields(language, id)?, lexicon), lexicon);
    let texts: Vec<&str> = language.locale()?.samples.texts(id).collect();
    let fields = FormSchema::parse(&schema).ok()?;
    let mut record = Map::new();
    let mut blocks = Vec::new();
    for ((name, definition), text) in schema.iter().zip(texts) {
        let field = fields.fields.iter().find(|field| field.name == *name)?;
        let value = read_answer(field, &stated(definition, text)).ok().flatten();
        record.insert(name.clone(), value.unwrap_or_default());
        blocks.push(block(definition, text));
    }
    // A table ends, and the next begins, with an empty line.
    let sample = format!("{title}\n\n{}\n", blocks.join("\n")).replace("\n\n\n", "\n\n");
    Some(FormTemplate { id, title, language: language.code()?, schema, sample, record })
}

/// The value of a sample's text, not yet of the field's type.
fn stated(definition: &Value, text: &str) -> Value {
    let parts = |definition: &Value, row: &str| -> Value {
        let names = definition["properties"].as_object().into_iter().flat_map(Map::keys).cloned();
        Value::Object(names.zip(row.split(PART).map(Value::from)).collect())
    };
    match (definition["type"].as_str(), definition["items"]["type"].as_str()) {
        (Some("array"), Some("object")) => {
            text.split(ROW).map(|row| parts(&definition["items"], row)).collect()
        }
        (Some("array"), _) => text.split(PART).map(Value::from).collect(),
        (Some("object"), _) => parts(definition, text),
        _ => Value::from(text),
    }
}

/// A field as the sample prints it: its label and value, or a table for a list of objects.
fn block(definition: &Value, text: &str) -> String {
    let label = label(definition);
    match (definition["type"].as_str(), definition["items"]["type"].as_str()) {
        (Some("array"), Some("object")) => {
            let heads = labels(&definition["items"]);
            let line = |cells: &[&str]| format!("| {} |\n", cells.join(" | "));
            let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
            let rule = vec!["---"; heads.len()];
            let rows = text.split(ROW).map(|row| line(&row.split(PART).collect::<Vec<_>>()));
            format!("\n{label}\n\n{}{}{}", line(&heads), line(&rule), rows.collect::<String>())
        }
        (Some("array"), _) => format!("{label}: {}", text.replace(PART, ", ")),
        (Some("object"), _) => {
            let lines = labels(definition).into_iter().zip(text.split(PART));
            let lines: Vec<String> = lines.map(|(part, value)| format!("{part}: {value}")).collect();
            format!("\n{label}\n{}\n", lines.join("\n"))
        }
        _ => format!("{label}: {text}"),
    }
}

/// What a document calls the field.
fn label(definition: &Value) -> String {
    capitalised(definition["description"].as_str().unwrap_or_default())
}

/// The labels of the parts of an object.
fn labels(definition: &Value) -> Vec<String> {
    definition["properties"].as_object().into_iter().flat_map(Map::values).map(label).collect()
}
