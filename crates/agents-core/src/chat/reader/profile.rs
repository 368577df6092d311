//! What a field means to somebody who only knows its name, description, type and choices.

use forms_core::{Field, FieldType, FormSchema};
use serde_json::{Value, json};

use super::lexicon::lexicon;
use super::text::{root, words_of};
use crate::chat::Heard;

/// Fields of a form that are understood.
const MAX_FIELDS: usize = 1_000;
/// Words of a description that are read.
const MAX_ABOUT: usize = 20;
/// Levels of objects that are gone into.
const MAX_DEPTH: usize = 7;

/// What kind of thing a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sense {
    /// One of some choices.
    Choice,
    /// Yes or no.
    Flag,
    /// How many of something.
    Count,
    /// A number of another kind.
    Number,
    /// How long.
    Duration,
    Money,
    Date,
    Time,
    Email,
    Phone,
    Url,
    /// A town, or another place.
    Place,
    /// Street and number.
    Address,
    /// The name of somebody.
    Person,
    /// The name of something.
    Title,
    /// A word of a known class: a genre, a cuisine.
    Class,
    /// A number or mark that somebody issued.
    Code,
    /// Words of the user's own.
    Text,
    List,
    Object,
}

/// Which of two a date, time or place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    None,
    Start,
    End,
}

/// A field with what is known of it.
#[derive(Debug)]
pub(super) struct Profile<'a> {
    pub(super) path: String,
    pub(super) field: &'a Field,
    pub(super) sense: Sense,
    /// Words of the name, folded.
    pub(super) name: Vec<String>,
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
    found
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
    let name = words_of(&field.name);
    let said: Vec<String> = field
        .description
        .as_deref()
        .map(|text| words_of(text.get(..text.floor_char_boundary(300)).unwrap_or_default()))
        .unwrap_or_default();
    let meaning = |words: &[String]| -> Vec<String> {
        words.iter().filter(|word| !glue.has(word)).take(MAX_ABOUT).map(|word| root(word)).collect()
    };
    let own = meaning(&name);
    let mut about = meaning(&said);
    about.extend(meaning(outer));
    let flag = flag(field);
    let sense = if flag.is_some() { Sense::Flag } else { sense(field, &name, &said) };
    let asked = heard.asked.map(|asked| asked.strip_suffix("/-").unwrap_or(asked));
    let role = role(sense, &name, &said);
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
        own,
        about,
        role,
        flag,
    }
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

fn sense(field: &Field, name: &[String], said: &[String]) -> Sense {
    match field.kind {
        FieldType::Email => return Sense::Email,
        FieldType::Url => return Sense::Url,
        FieldType::Date => return Sense::Date,
        FieldType::Array(_) => return Sense::List,
        FieldType::Object(_) => return Sense::Object,
        _ if !field.options.is_empty() => {
            let numeric = field.options.iter().all(|option| option.trim().parse::<f64>().is_ok());
            return if numeric { Sense::Count } else { Sense::Choice };
        }
        _ => {}
    }
    match field.format.as_deref() {
        Some("date") => return Sense::Date,
        Some("time") => return Sense::Time,
        Some("email") => return Sense::Email,
        Some("uri" | "url") => return Sense::Url,
        Some("phone" | "tel") => return Sense::Phone,
        _ => {}
    }
    let is_number = matches!(field.kind, FieldType::Number | FieldType::Integer);
    let by_words = named_sense(name, said);
    match by_words {
        Sense::Count | Sense::Number | Sense::Money | Sense::Duration => by_words,
        _ if matches!(field.kind, FieldType::Integer) => Sense::Count,
        _ if is_number => Sense::Number,
        other => other,
    }
}

/// The sense of a text field, by the words of its name, then of its description.
fn named_sense(name: &[String], said: &[String]) -> Sense {
    let has = |word: &str| name.iter().any(|own| own == word);
    let is_counted =
        (has("number") && has("of")) || name.first().is_some_and(|word| word == "num" || word == "anzahl");
    let begins =
        |a: &str, b: &str| said.first().is_some_and(|w| w == a) && said.get(1).is_some_and(|w| w == b);
    let of_people = has("size") && (has("party") || has("group")) || has("headcount");
    if is_counted || of_people || begins("number", "of") && !has("name") && !has("time") {
        return if name.iter().any(|word| of_word(word) == Some(Sense::Duration)) {
            Sense::Duration
        } else {
            Sense::Count
        };
    }
    // In French it counts, in Spanish it names.
    if has("nombre") && !has("de") {
        return Sense::Person;
    }
    let firm = [Sense::Email, Sense::Phone, Sense::Url];
    if let Some(sense) = name.iter().filter_map(|word| of_word(word)).find(|sense| firm.contains(sense)) {
        return sense;
    }
    if name.last().is_some_and(|word| word == "name") || has("name") {
        let people = |words: &[String]| words.iter().any(|word| of_word(word) == Some(Sense::Person));
        let self_words = lexicon().list("self");
        let is_self = name.iter().all(|word| self_words.has(word));
        return if is_self || people(name) { Sense::Person } else { Sense::Title };
    }
    if name
        .last()
        .is_some_and(|word| matches!(word.as_str(), "number" | "no" | "num" | "nr" | "nummer" | "numero"))
    {
        return Sense::Code;
    }
    // "city of event" is a city, "event city" too.
    let head = name.iter().position(|word| matches!(word.as_str(), "of" | "de" | "del" | "du" | "der"));
    let before = head.map_or(name, |head| name.get(..head).unwrap_or_default());
    let by_name = before
        .iter()
        .rev()
        .chain(name.iter().rev())
        .find_map(|word| of_word(word).or_else(|| of_compound(word)));
    let by_words = || said.iter().find_map(|word| of_word(word));
    match by_name {
        Some(Sense::Title | Sense::Text) | None => {
            let other = by_words();
            let person = other.filter(|sense| *sense == Sense::Person && begins("name", "of"));
            person.or(by_name).or(other).unwrap_or(Sense::Text)
        }
        Some(sense) => sense,
    }
}

/// The sense that a word tells.
fn of_word(word: &str) -> Option<Sense> {
    let list = lexicon().list("sense");
    let line = list.lines(word).next()?;
    let key = list.keys().get(line)?.first()?;
    Some(match key.as_str() {
        "email" => Sense::Email,
        "phone" => Sense::Phone,
        "url" => Sense::Url,
        "date" => Sense::Date,
        "time" => Sense::Time,
        "money" => Sense::Money,
        "count" => Sense::Count,
        "duration" => Sense::Duration,
        "number" => Sense::Number,
        "code" => Sense::Code,
        "address" => Sense::Address,
        "place" => Sense::Place,
        "class" => Sense::Class,
        "title" => Sense::Title,
        "person" => Sense::Person,
        "text" => Sense::Text,
        _ => return None,
    })
}

/// The sense of a compound by its last part, as German writes them: `geburtsdatum`.
fn of_compound(word: &str) -> Option<Sense> {
    let ends = word.char_indices().map(|(at, _)| at).filter(|at| *at >= 3 && word.len() - at >= 4);
    ends.filter_map(|at| word.get(at..)).find_map(of_word)
}

fn role(sense: Sense, name: &[String], said: &[String]) -> Role {
    let (start, end) = match sense {
        Sense::Place | Sense::Address | Sense::Title => ("origin", "destination"),
        Sense::Date | Sense::Time => ("start", "end"),
        _ => return Role::None,
    };
    let lexicon = lexicon();
    let tell = |words: &[String]| {
        let joined = words.join(" ");
        let text = super::text::Text::of(&joined);
        (0..text.len()).find_map(|at| {
            let (start, end) = (lexicon.list(start).at(&text, at), lexicon.list(end).at(&text, at));
            match () {
                () if start + end == 0 => None,
                () if start >= end => Some(Role::Start),
                () => Some(Role::End),
            }
        })
    };
    // A description uses small words in other meanings: only its verbs tell.
    let verbs: Vec<String> = said.iter().filter(|word| word.len() > 4).cloned().collect();
    tell(name).or_else(|| tell(&verbs)).unwrap_or(Role::None)
}
