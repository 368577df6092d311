//! Profiles of fields: what name, description, type and options say about a field.

use forms_core::{Field, FieldType, FormSchema};
use language::boolean::parse_boolean;
use language::stem::light_stem;
use serde_json::{Value, json};

pub(crate) use crate::nlu::context::slot_type::{RangeRole, SlotType};
use crate::nlu::context::slot_type::{infer_slot_type, role};
use crate::nlu::tokens::message::any_lexicon;
use crate::nlu::tokens::message::words_of;
use agents_core::chat::UserTurn;

/// Most fields with a profile.
const MAX_FIELDS: usize = 1_000;
/// Most words of a name or description used.
const MAX_ABOUT: usize = 20;
/// Most levels of nested objects.
const MAX_DEPTH: usize = 7;

/// A field with its analysed name and description.
#[derive(Debug)]
pub(crate) struct FieldProfile<'a> {
    pub(crate) path: String,
    pub(crate) field: &'a Field,
    pub(crate) slot_type: SlotType,
    /// Folded words of the name, without its trailing number.
    pub(crate) name: Vec<String>,
    /// Trailing number of the name: 2 in `phone2`.
    pub(crate) number: Option<u32>,
    /// Stems of the names of its parent objects.
    pub(crate) parent_stems: Vec<String>,
    /// Stems of the meaningful words of the name.
    pub(crate) name_stems: Vec<String>,
    /// Stems of the meaningful words of the description and of the parent objects.
    pub(crate) description_stems: Vec<String>,
    pub(crate) role: RangeRole,
    /// The values that mean yes and no; `None` for fields that are not boolean.
    pub(crate) boolean_values: Option<(Value, Value)>,
    /// Whether it has no value yet.
    pub(crate) is_open: bool,
    /// Whether its value was asked for.
    pub(crate) is_asked: bool,
    /// Number of values filled after this one; `None` when it is not among the last 20.
    pub(crate) recency: Option<usize>,
    /// Whether another field has the same name without "new".
    pub(crate) is_new: bool,
}

impl FieldProfile<'_> {
    /// Whether a stem of the name equals or resembles `root`.
    pub(crate) fn has_name_stem(&self, root: &str) -> bool {
        self.name_stems.iter().any(|own| any_lexicon().are_alike(own, root))
    }

    /// Whether name or description contain one of the words.
    pub(crate) fn mentions_any(&self, words: &[String]) -> bool {
        words.iter().any(|word| self.has_stem(&light_stem(word)))
    }

    /// Whether `root` is a stem of the name or description.
    pub(crate) fn has_stem(&self, root: &str) -> bool {
        self.name_stems.iter().chain(&self.description_stems).any(|own| own == root)
    }

    /// Whether the value is free text.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.field.kind, FieldType::String) && self.field.options.is_empty()
    }

    /// Whether the value is an ISO calendar date.
    pub(crate) fn is_iso_date(&self) -> bool {
        matches!(self.field.kind, FieldType::Date) || self.field.format.as_deref() == Some("date")
    }
}

/// Profiles of a form's fields in asking order. Fields of objects and of the asked row are included.
pub(crate) fn profiles<'a>(turn: &UserTurn<'a>) -> Vec<FieldProfile<'a>> {
    let mut found = Vec::new();
    collect(turn, &turn.form.fields, "", &[], 0, &mut found);
    if let Some((row, parts, words)) = turn.asked.and_then(|asked| asked_row(turn.form, asked)) {
        collect(turn, parts, &row, &words, 1, &mut found);
    }
    assign_stay_roles(&mut found);
    found
}

/// Arrival before departure is a stay: the later field is its end. Departure before arrival is a journey.
fn assign_stay_roles(profiles: &mut [FieldProfile<'_>]) {
    let is = |profile: &FieldProfile<'_>, word: &str| {
        profile.slot_type == SlotType::Date && profile.name.iter().any(|own| own == word)
    };
    let arrival = profiles.iter().position(|profile| is(profile, "arrival"));
    let departure = profiles.iter().position(|profile| is(profile, "departure"));
    let (Some(arrival), Some(departure)) = (arrival, departure) else { return };
    let (first, last) = (arrival.min(departure), arrival.max(departure));
    for (index, role) in [(first, RangeRole::Start), (last, RangeRole::End)] {
        if let Some(profile) = profiles.get_mut(index) {
            profile.role = role;
        }
    }
}

/// The list row that is being asked for, as in `/items/0/price`: its path, its fields, and the words of the
/// list's name.
fn asked_row<'a>(form: &'a FormSchema, asked: &str) -> Option<(String, &'a [Field], Vec<String>)> {
    let mut fields = form.fields.as_slice();
    let mut path = String::new();
    let mut row = None;
    let mut parts = asked.split('/').skip(1);
    while let Some(part) = parts.next() {
        let field = fields.iter().find(|field| escaped(&field.name) == part)?;
        path = format!("{path}/{part}");
        let inner = match &field.kind {
            FieldType::Array(item) => {
                path = format!("{path}/{}", parts.next().filter(|index| *index != "-")?);
                &item.kind
            }
            other => other,
        };
        let FieldType::Object(inner_fields) = inner else { break };
        fields = inner_fields;
        if matches!(field.kind, FieldType::Array(_)) {
            row = Some((path.clone(), fields, words_of(&field.name)));
        }
    }
    row
}

fn collect<'a>(
    turn: &UserTurn<'a>,
    fields: &'a [Field],
    above: &str,
    words: &[String],
    depth: usize,
    found: &mut Vec<FieldProfile<'a>>,
) {
    for field in fields {
        if found.len() >= MAX_FIELDS || depth > MAX_DEPTH {
            return;
        }
        let path = format!("{above}/{}", escaped(&field.name));
        if let FieldType::Object(parts) = &field.kind {
            let mut outer = words.to_vec();
            outer.extend(words_of(&field.name));
            collect(turn, parts, &path, &outer, depth + 1, found);
        } else {
            found.push(profile(turn, field, path, words));
        }
    }
}

/// A name escaped as a token of a JSON pointer.
pub(crate) fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

fn profile<'a>(turn: &UserTurn<'a>, field: &'a Field, path: String, outer: &[String]) -> FieldProfile<'a> {
    let glue = any_lexicon().list("glue");
    let (name, number) = split_number(words_of(&field.name));
    let said: Vec<String> = field
        .description
        .as_deref()
        .map(|text| words_of(text.get(..text.floor_char_boundary(300)).unwrap_or_default()))
        .unwrap_or_default();
    let meaning = |words: &[String]| -> Vec<String> {
        words
            .iter()
            .filter(|word| !glue.has_word(word))
            .take(MAX_ABOUT)
            .map(|word| light_stem(word))
            .collect()
    };
    let mut own = meaning(&name);
    let mut about = meaning(&said);
    about.extend(meaning(outer));
    let flag = boolean_values(field);
    let sense = if flag.is_some() { SlotType::Flag } else { infer_slot_type(field, &name, &said) };
    if own.is_empty()
        && matches!(sense, SlotType::Money | SlotType::Number | SlotType::Count | SlotType::Code)
    {
        // For a name such as "total", "value" or "number", these generic words are the only ones.
        own.extend(name.iter().filter(|word| word.len() > 3).map(|word| light_stem(word)));
    }
    let asked = turn.asked.map(|asked| asked.strip_suffix("/-").unwrap_or(asked));
    let role = Some(role(sense, &name, &said))
        .filter(|role| *role != RangeRole::None)
        .unwrap_or_else(|| relocation_role(sense, outer));
    let current = turn.values.get(&field.name);
    let value = if path.matches('/').count() == 1 { current } else { pointer(turn, &path) };
    FieldProfile {
        is_open: value.is_none_or(Value::is_null),
        is_asked: asked == Some(path.as_str()),
        recency: turn.recent.iter().take(20).position(|recent| *recent == path),
        path,
        field,
        slot_type: sense,
        is_new: has_old_counterpart(turn.form, &name),
        name,
        number,
        parent_stems: outer.iter().map(|word| light_stem(word)).collect(),
        name_stems: own,
        description_stems: about,
        role,
        boolean_values: flag,
    }
}

/// For a move, the old address is the start and the new one the end.
fn relocation_role(sense: SlotType, outer: &[String]) -> RangeRole {
    let is = |list: &str| outer.iter().any(|word| any_lexicon().list(list).has_word(word));
    match sense {
        SlotType::Place | SlotType::Address if is("old") => RangeRole::Start,
        SlotType::Place | SlotType::Address if is("new") => RangeRole::End,
        _ => RangeRole::None,
    }
}

/// Splits the number off a name, as in `phone2`, `line_2` and `parent1_name`.
pub(crate) fn split_number(name: Vec<String>) -> (Vec<String>, Option<u32>) {
    let base = |word: &str| word.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let found = name.iter().rposition(|word| base(word) < word.len());
    let Some((at, word)) = found.and_then(|at| Some((at, name.get(at)?))) else { return (name, None) };
    let (text, digits) = word.split_at(base(word));
    let Some(number) = digits.parse().ok().filter(|_| !text.is_empty() || name.len() > 1) else {
        return (name, None);
    };
    let mut bare = name.clone();
    match bare.get_mut(at) {
        Some(word) if !text.is_empty() => *word = text.to_owned(),
        _ => drop(bare.remove(at)),
    }
    (bare, Some(number))
}

/// Whether a field named `new_x` stands beside `x`.
fn has_old_counterpart(form: &FormSchema, name: &[String]) -> bool {
    let is_new = |word: &str| any_lexicon().list("new").has_word(word);
    let Some((_, rest)) =
        name.split_first().filter(|(first, rest)| is_new(first.as_str()) && !rest.is_empty())
    else {
        return false;
    };
    form.fields.iter().any(|field| words_of(&field.name) == rest)
}

/// The current value at a path.
pub(crate) fn pointer<'a>(turn: &UserTurn<'a>, path: &str) -> Option<&'a Value> {
    let mut parts = path.split('/').skip(1).map(|part| part.replace("~1", "/").replace("~0", "~"));
    let mut value = turn.values.get(&parts.next()?)?;
    for part in parts {
        value = match value {
            Value::Object(map) => map.get(&part)?,
            Value::Array(items) => items.get(part.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some(value)
}

/// The values that mean yes and no, for a boolean or a two-option field of yes and no.
fn boolean_values(field: &Field) -> Option<(Value, Value)> {
    if matches!(field.kind, FieldType::Boolean) {
        return Some((json!(true), json!(false)));
    }
    let option = |value: bool| {
        let says = |option: &&String| {
            option.contains(char::is_alphabetic) && parse_boolean(option.trim()) == Some(value)
        };
        field.options.iter().find(says).map(|option| json!(option))
    };
    let (yes, no) = (option(true)?, option(false)?);
    (field.options.len() == 2).then_some((yes, no))
}
