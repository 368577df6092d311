//! Generates a form's schema from a description in natural language.
//!
//! Pipeline: clean, language, outline of lines or sentences, lists, fields, schema. It is plain code over
//! word lists. A phrase that names a kind of form and no fields gets the fields of its template.
//! [`propose_schema`] makes one of sample documents. [`SchemaGenerator`] uses a text model instead when one is available. Knows no HTTP.

mod attribute;
mod choices;
mod clean;
mod condition;
mod draft;
mod error;
mod field_name;
mod field_remarks;
mod field_text;
mod form_templates;
mod infer;
mod item;
mod label;
mod list;
mod list_cues;
mod outline;
mod prose;
mod question;
mod range;
mod required_marks;
mod sample_prompt;
mod samples;
mod schema_prompt;
mod service;
mod shared_words;
mod snake_case;
mod spec;
mod split;
mod templates;
mod title;
mod words;

use language::form_words::FormWords;
use serde_json::{Map, Value};

use draft::FieldDraft;
pub use draft::MAX_GENERATED_FIELDS;
pub use error::GeneratorError;
use prose::ProseReader;
pub use samples::{ProposedField, ProposedSchema, propose_schema};
pub use service::{GeneratedSchema, SchemaGenerator};
pub use templates::{FormTemplate, template, template_ids, template_languages};
use words::Lexicon;

/// Most characters of a description. The worst text of this length takes 75 ms
/// (docs/benchmarks/extraction.md).
pub const MAX_CONTENT: usize = 20_000;

/// The schema of the form that `content` describes: ordered, typed, described fields, at most
/// [`MAX_GENERATED_FIELDS`], that pass [`validate_schema`](forms_core::validate_schema).
///
/// # Errors
/// [`GeneratorError::Invalid`] when `content` has no words or more than [`MAX_CONTENT`] characters.
pub fn generate_schema(content: &str) -> Result<Map<String, Value>, GeneratorError> {
    read_description(content).map(|(schema, _)| schema)
}

/// Where the fields of a generated schema are from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldSource {
    /// The description names them, or a model chose them.
    Description,
    /// The description names a kind of form, and the fields are those of its template.
    Template,
    /// The description names neither fields nor a kind of form that is known.
    Nothing,
}

/// The schema as [`generate_schema`] makes it, and where its fields are from.
fn read_description(content: &str) -> Result<(Map<String, Value>, FieldSource), GeneratorError> {
    check(content)?;
    // A description that is already a JSON schema is used as such.
    let json = serde_json::from_str::<Map<String, Value>>(content).ok();
    if let Some(schema) = json.and_then(|_| schema_prompt::parse_schema(content, content)) {
        return Ok((schema, FieldSource::Description));
    }
    let text = clean::clean(content);
    let (fields, lexicon, source) = fields(&text, FormWords::detect(&text));
    Ok((draft::schema(&fields, lexicon), source))
}

fn check(content: &str) -> Result<(), GeneratorError> {
    if content.chars().nth(MAX_CONTENT).is_some() {
        return Err(GeneratorError::invalid(format!("'content' may have at most {MAX_CONTENT} characters")));
    }
    if !content.chars().any(char::is_alphabetic) {
        return Err(GeneratorError::invalid("'content' must describe the form in words"));
    }
    Ok(())
}

/// The fields that the text names, else those of the template for its kind of form.
fn fields(text: &str, lexicon: Lexicon) -> (Vec<FieldDraft>, Lexicon, FieldSource) {
    let mut named = outline::read_outline(text, lexicon);
    // "Make a form" names no field.
    if let [only] = named.as_slice()
        && only.parts.is_empty()
        && title::is_title(&only.name, lexicon, false)
    {
        named.clear();
    }
    let kind = form_templates::template_fields(text, lexicon);
    let lists = text.contains([',', ';', ':', '\n', '(']) || named.len() > 1;
    match (named.is_empty(), kind) {
        (false, None) => (named, lexicon, FieldSource::Description),
        (false, Some(_)) if lists => (named, lexicon, FieldSource::Description),
        (_, Some((list, lexicon))) => (fields_of_list(&list, lexicon), lexicon, FieldSource::Template),
        (true, None) => {
            let plain = form_templates::plain_form(lexicon);
            (fields_of_list(&plain, lexicon), lexicon, FieldSource::Nothing)
        }
    }
}

fn fields_of_list(list: &str, lexicon: Lexicon) -> Vec<FieldDraft> {
    let mut reader = ProseReader::new(lexicon);
    reader.list(list);
    reader.fields
}
