//! What a field means to somebody who only knows its name, description, type and choices.

use forms_core::{Field, FieldType, FormSchema};
use serde_json::{Value, json};

use super::lexicon::lexicon;
pub(super) use super::sense::{Role, Sense};
use super::sense::{role, sense};
use super::text::{root, words_of};
use crate::chat::Heard;

/// Fields of a form that are understood.
const MAX_FIELDS: usize = 1_000;
/// Words of a description that are read.
const MAX_ABOUT: usize = 20;
/// Levels of objects that are gone into.
const MAX_DEPTH: usize = 7;

/// A field with what is known of it.
#[derive(Debug)]
pub(super) struct Profile<'a> {
    pub(super) path: String,
    pub(super) field: &'a Field,
    pub(super) sense: Sense,
    /// Words of the name, folded; without the number that it ends with.
    pub(super) name: Vec<String>,
    /// The number that the name ends with: 2 of `phone2`.
    pub(super) number: Option<u32>,
    /// Roots of the words of the objects that it is in.
    pub(super) outer: Vec<String>,
    /// Roots of the words of the name that say something.
    pub(super) own: Vec<String>,
    /// Roots of the words of the description that say something.
    pub(super) about: Vec<String>,
    pub(super) role: Role,
    /// The values for yes and no.
    pub(super) flag: Option<(Value, Value)>,
    /// Whether it has no value yet.
    pub(super) is_open: bool,
    /// Whether its value was asked for.
    pub(super) is_asked: bool,
    /// How many values were given after this one; `None` when it was not given lately.
    pub(super) recency: Option<usize>,
    /// Whether another field has the same name without "new".
    pub(super) is_new: bool,
}

impl Profile<'_> {
    /// Whether one of its own words is like `root`.
    pub(super) fn is_own(&self, root: &str) -> bool {
        self.own.iter().any(|own| lexicon().alike(own, root))
    }

    /// Whether its name or description speaks of one of the words.
    pub(super) fn speaks_of(&self, words: &[String]) -> bool {
        words.iter().any(|word| self.has_word(&root(word)))
    }

    /// Whether a root is of its name or description.
    pub(super) fn has_word(&self, root: &str) -> bool {
        self.own.iter().chain(&self.about).any(|own| own == root)
    }

    /// Whether it is text, so that the user's words are its value.
    pub(super) fn is_text(&self) -> bool {
        matches!(self.field.kind, FieldType::String) && self.field.options.is_empty()
    }

    /// Whether it holds a calendar date in ISO form.
    pub(super) fn is_iso_date(&self) -> bool {
        matches!(self.field.kind, FieldType::Date) || self.field.format.as_deref() == Some("date")
    }
}

/// The fields of a form in asking order; those inside objects stand alone.
pub(super) fn profiles<'a>(heard: &Heard<'a>) -> Vec<Profile<'a>> {
    let mut found = Vec::new();
    collect(heard, &heard.form.fields, "", &[], 0, &mut found);
    if let Some((row, parts, words)) = heard.asked.and_then(|asked| asked_row(heard.form, asked)) {
        collect(heard, parts, &row, &words, 1, &mut found);
    }
    stays(&mut found);
    found
}

/// Who arrives and then departs stays: the departure is the end. Who departs and then arrives travels.
fn stays(profiles: &mut [Profile<'_>]) {
    let is = |profile: &Profile<'_>, word: &str| {
        profile.sense == Sense::Date && profile.name.iter().any(|own| own == word)
    };
    let arrival = profiles.iter().position(|profile| is(profile, "arrival"));
    let departure = profiles.iter().position(|profile| is(profile, "departure"));
    let (Some(arrival), Some(departure)) = (arrival, departure) else { return };
    let (first, last) = (arrival.min(departure), arrival.max(departure));
    for (index, role) in [(first, Role::Start), (last, Role::End)] {
        if let Some(profile) = profiles.get_mut(index) {
            profile.role = role;
        }
    }
}

/// The row of a list that is being asked for, as in `/items/0/price`: its path, its fields, the words of the list.
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
    heard: &Heard<'a>,
    fields: &'a [Field],
    above: &str,
    words: &[String],
    depth: usize,
    found: &mut Vec<Profile<'a>>,
) {
    for field in fields {
        if found.len() >= MAX_FIELDS || depth > MAX_DEPTH {
            return;
        }
        let path = format!("{above}/{}", escaped(&field.name));
        if let FieldType::Object(parts) = &field.kind {
            let mut outer = words.to_vec();
            outer.extend(words_of(&field.name));
            collect(heard, parts, &path, &outer, depth + 1, found);
        } else {
            found.push(profile(heard, field, path, words));
        }
    }
}

/// A name as a part of a JSON pointer.
pub(super) fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

fn profile<'a>(heard: &Heard<'a>, field: &'a Field, path: String, outer: &[String]) -> Profile<'a> {
    let glue = lexicon().list("glue");
    let (name, number) = numbered(words_of(&field.name));
    let said: Vec<String> = field
        .description
        .as_deref()
        .map(|text| words_of(text.get(..text.floor_char_boundary(300)).unwrap_or_default()))
        .unwrap_or_default();
    let meaning = |words: &[String]| -> Vec<String> {
        words.iter().filter(|word| !glue.has(word)).take(MAX_ABOUT).map(|word| root(word)).collect()
    };
    let mut own = meaning(&name);
    let mut about = meaning(&said);
    about.extend(meaning(outer));
    let flag = flag(field);
    let sense = if flag.is_some() { Sense::Flag } else { sense(field, &name, &said) };
    if own.is_empty() && matches!(sense, Sense::Money | Sense::Number | Sense::Count | Sense::Code) {
        // What is called "total", "value" or "number" has no other word of its own.
        own.extend(name.iter().filter(|word| word.len() > 3).map(|word| root(word)));
    }
    let asked = heard.asked.map(|asked| asked.strip_suffix("/-").unwrap_or(asked));
    let role = Some(role(sense, &name, &said))
        .filter(|role| *role != Role::None)
        .unwrap_or_else(|| moved(sense, outer));
    let current = heard.values.get(&field.name);
    let value = if path.matches('/').count() == 1 { current } else { pointer(heard, &path) };
    Profile {
        is_open: value.is_none_or(Value::is_null),
        is_asked: asked == Some(path.as_str()),
        recency: heard.recent.iter().take(20).position(|recent| *recent == path),
        path,
        field,
        sense,
        is_new: has_old(heard.form, &name),
        name,
        number,
        outer: outer.iter().map(|word| root(word)).collect(),
        own,
        about,
        role,
        flag,
    }
}

/// Who moves leaves the old address for the new one.
fn moved(sense: Sense, outer: &[String]) -> Role {
    let is = |list: &[&str]| outer.iter().any(|word| list.contains(&word.as_str()));
    match sense {
        Sense::Place | Sense::Address
            if is(&["old", "current", "previous", "alt", "alte", "ancienne", "antigua"]) =>
        {
            Role::Start
        }
        Sense::Place | Sense::Address if is(&["new", "neu", "neue", "nouvelle", "nueva"]) => Role::End,
        _ => Role::None,
    }
}

/// The words of a name without the number that one of them ends with, as in `phone2`, `line_2` and `parent1_name`, and
/// that number.
pub(super) fn numbered(name: Vec<String>) -> (Vec<String>, Option<u32>) {
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
fn has_old(form: &FormSchema, name: &[String]) -> bool {
    let is_new = |word: &str| {
        matches!(word, "new" | "neu" | "neue" | "neuer" | "nouveau" | "nouvelle" | "nuevo" | "nueva")
    };
    let Some((_, rest)) =
        name.split_first().filter(|(first, rest)| is_new(first.as_str()) && !rest.is_empty())
    else {
        return false;
    };
    form.fields.iter().any(|field| words_of(&field.name) == rest)
}

/// The value at a path of the record so far.
pub(super) fn pointer<'a>(heard: &Heard<'a>, path: &str) -> Option<&'a Value> {
    let mut parts = path.split('/').skip(1).map(|part| part.replace("~1", "/").replace("~0", "~"));
    let mut value = heard.values.get(&parts.next()?)?;
    for part in parts {
        value = match value {
            Value::Object(map) => map.get(&part)?,
            Value::Array(items) => items.get(part.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some(value)
}

/// The values for yes and no of a field that knows nothing else.
fn flag(field: &Field) -> Option<(Value, Value)> {
    if matches!(field.kind, FieldType::Boolean) {
        return Some((json!(true), json!(false)));
    }
    let option = |words: &[&str]| {
        let fits = |option: &&String| words.contains(&option.trim().to_lowercase().as_str());
        field.options.iter().find(fits).map(|option| json!(option))
    };
    let yes = option(&["true", "yes", "ja", "oui", "sí", "si", "y"])?;
    let no = option(&["false", "no", "nein", "non", "n"])?;
    (field.options.len() == 2).then_some((yes, no))
}
