//! Drafts of fields and their definitions. The schema of any draft is valid: names, options and rules are
//! corrected or dropped here.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::condition;
use super::snake_case::{MAX_NAME_CHARACTERS, snake_case};
use super::words::Lexicon;

/// Most fields of a generated form, including nested ones. Bounds the form, and the answer of a model
/// (`schema_prompt::MAX_TOKENS`). Chosen by hand.
pub const MAX_GENERATED_FIELDS: usize = 100;
/// Most levels of fields below the form; a list of objects takes two. Fewer than forms may have
/// (`MAX_DEPTH`). Chosen by hand; no measurement is recorded.
const MAX_LEVELS: usize = 4;
// These bound the form. Chosen by hand; no measurement is recorded.
/// Most options of a field.
const MAX_OPTIONS: usize = 60;
/// Most characters of an option.
const MAX_OPTION: usize = 120;
/// Most characters of a description.
const MAX_DESCRIPTION: usize = 300;

/// The type of a field, or of the items of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum DraftKind {
    #[default]
    String,
    Number,
    Integer,
    Boolean,
    Email,
    Date,
    Url,
    Money,
    Object,
}

impl DraftKind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Number => "number",
            Self::Integer => "integer",
            Self::Boolean => "boolean",
            Self::Email => "email",
            Self::Date => "date",
            Self::Url => "url",
            Self::Money => "money",
            Self::Object => "object",
        }
    }

    pub(super) fn is_number(self) -> bool {
        matches!(self, Self::Number | Self::Integer)
    }
}

/// Name and display text of a field.
#[derive(Clone, Debug, Default)]
pub(super) struct Label {
    pub(super) name: String,
    pub(super) shown: String,
    /// The type that the words state.
    pub(super) kind: Option<DraftKind>,
    /// Whether a unit was stated.
    pub(super) unit: bool,
}

/// A draft of a field.
#[derive(Clone, Debug, Default)]
pub(super) struct FieldDraft {
    pub(super) name: String,
    pub(super) kind: DraftKind,
    /// Whether the field is a list of that type.
    pub(super) many: bool,
    pub(super) description: String,
    pub(super) options: Vec<String>,
    pub(super) required: Option<bool>,
    pub(super) format: Option<&'static str>,
    pub(super) minimum: Option<f64>,
    pub(super) maximum: Option<f64>,
    pub(super) min_length: Option<u64>,
    pub(super) max_length: Option<u64>,
    pub(super) min_items: Option<u64>,
    pub(super) max_items: Option<u64>,
    /// The stated condition under which the field applies, as text.
    pub(super) condition: Option<String>,
    /// Fields of an object, or of each item.
    pub(super) parts: Vec<FieldDraft>,
}

/// The schema of the drafts, in their order.
pub(super) fn schema(drafts: &[FieldDraft], lexicon: Lexicon) -> Map<String, Value> {
    let mut room = MAX_GENERATED_FIELDS;
    fields(drafts, lexicon, 1, &mut room)
}

fn fields(drafts: &[FieldDraft], lexicon: Lexicon, level: usize, room: &mut usize) -> Map<String, Value> {
    let mut fields = Map::new();
    for draft in drafts {
        if *room == 0 {
            break;
        }
        *room -= 1;
        let name = unique(&snake_case(&draft.name, lexicon), &fields);
        let order = fields.len() + 1;
        let mut definition = draft.definition(order, lexicon, level, room);
        if let Some(when) =
            draft.condition.as_ref().and_then(|stated| condition::to_when(stated, &fields, lexicon))
        {
            definition["when"] = when;
        }
        fields.insert(name, definition);
    }
    fields
}

/// A name that is not taken yet: `name`, else `name_2` and so on.
fn unique(name: &str, taken: &Map<String, Value>) -> String {
    let name = if name.is_empty() { "field" } else { name };
    if !taken.contains_key(name) {
        return name.to_owned();
    }
    let stem: String = name.chars().take(MAX_NAME_CHARACTERS).collect();
    (2..=taken.len() + 2)
        .map(|n| format!("{stem}_{n}"))
        .find(|candidate| !taken.contains_key(candidate))
        .unwrap_or(stem)
}

impl FieldDraft {
    /// The definition. Parts beyond the limit are dropped; an object without parts becomes text.
    fn definition(&self, order: usize, lexicon: Lexicon, level: usize, room: &mut usize) -> Value {
        let deepest = level + usize::from(self.many) + 1 > MAX_LEVELS;
        if self.many && *room > 0 {
            *room -= 1;
        }
        let parts = if self.kind == DraftKind::Object && !deepest && *room > 0 {
            fields(&self.parts, lexicon, level + 1 + usize::from(self.many), room)
        } else {
            Map::new()
        };
        let mut item = Map::new();
        let (kind, options) = self.leaf(parts.is_empty());
        item.insert("type".into(), json!(kind.name()));
        if !parts.is_empty() {
            item.insert("properties".into(), Value::Object(parts));
        }
        if !options.is_empty() {
            item.insert("enum".into(), json!(options));
        }
        self.rules(kind, &mut item);
        let mut field =
            if self.many { Map::from_iter([("type".into(), json!("array"))]) } else { item.clone() };
        field.insert("order".into(), json!(order));
        field.insert("description".into(), json!(self.display_text()));
        if let Some(required) = self.required {
            field.insert("required".into(), json!(required));
        }
        if self.many {
            field.insert("items".into(), Value::Object(item));
            put_range(&mut field, ("minItems", "maxItems"), self.min_items, self.max_items);
        }
        Value::Object(field)
    }

    /// The type and options that are compatible.
    fn leaf(&self, without_parts: bool) -> (DraftKind, Vec<String>) {
        let kind =
            if self.kind == DraftKind::Object && without_parts { DraftKind::String } else { self.kind };
        let mut seen = HashSet::new();
        let options: Vec<String> = self
            .options
            .iter()
            .map(|option| option.trim().chars().take(MAX_OPTION).collect::<String>())
            .filter(|option| !option.is_empty() && seen.insert(option.clone()))
            .take(MAX_OPTIONS)
            .collect();
        match kind {
            _ if options.is_empty() => (kind, options),
            DraftKind::Boolean | DraftKind::Money | DraftKind::Object => (kind, Vec::new()),
            DraftKind::String => (kind, options),
            DraftKind::Integer if options.iter().all(|option| option.parse::<i64>().is_ok()) => {
                (kind, options)
            }
            DraftKind::Number if options.iter().all(|option| plain_number(option)) => (kind, options),
            // The options determine the type.
            _ => (DraftKind::String, options),
        }
    }

    fn rules(&self, kind: DraftKind, item: &mut Map<String, Value>) {
        if kind.is_number() {
            let number = |value: Option<f64>| value.filter(|value| value.is_finite()).map(whole_if_whole);
            let (low, high) = match (self.minimum, self.maximum) {
                (Some(low), Some(high)) if low > high => (Some(high), Some(low)),
                range => range,
            };
            item.extend(number(low).map(|value| ("minimum".to_owned(), value)));
            item.extend(number(high).map(|value| ("maximum".to_owned(), value)));
        }
        if kind == DraftKind::String {
            put_range(item, ("minLength", "maxLength"), self.min_length, self.max_length);
            item.extend(self.format.map(|format| ("format".to_owned(), json!(format))));
        }
    }

    fn display_text(&self) -> String {
        let text = if self.description.trim().is_empty() { &self.name } else { &self.description };
        let spaced = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut letters = spaced.chars();
        let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
        first.chars().chain(letters).take(MAX_DESCRIPTION).collect()
    }
}

fn put_range(item: &mut Map<String, Value>, keys: (&str, &str), low: Option<u64>, high: Option<u64>) {
    let (low, high) = match (low, high) {
        (Some(low), Some(high)) if low > high => (Some(high), Some(low)),
        range => range,
    };
    item.extend(low.map(|value| (keys.0.to_owned(), json!(value))));
    item.extend(high.map(|value| (keys.1.to_owned(), json!(value))));
}

/// An integral number as a JSON integer, so that `5` is not written as `5.0`.
fn whole_if_whole(value: f64) -> Value {
    let whole = value.trunc();
    #[allow(clippy::cast_possible_truncation, reason = "the bound makes it exact")]
    // Integers up to 2⁵³ (9.007e15) are exact in an `f64`.
    if (value - whole).abs() < f64::EPSILON && whole.abs() < 9e15 {
        json!(whole as i64)
    } else {
        json!(value)
    }
}

fn plain_number(text: &str) -> bool {
    text.parse::<f64>().is_ok_and(f64::is_finite)
}
