//! From the text of one field to its draft.

use super::draft::{Draft, Kind};
use super::infer::infer;
use super::label;
use super::language::Language;
use super::lexicon::{CHOICES, FIELDS, OBJECTS, UNITS};
use super::list::{Item, is_collection, items};
use super::marks;
use super::range;
use super::spec::{Spec, apply_range, type_named};
use super::split::{Shelter, find_open};
use super::words::{any, from, longest_at, until, words};

/// Levels of parts that are read.
const MAX_NESTING: usize = 3;
/// Fields that are read in one list, before the form's own bound cuts them.
const MAX_DRAFTS: usize = 300;

/// The fields that a list in prose names.
pub(super) fn drafts(text: &str, language: Language, level: usize) -> Vec<Draft> {
    let items = items(text, language);
    items.iter().take(MAX_DRAFTS).filter_map(|item| draft(item, language, level)).collect()
}

/// The field that an item describes; `None` when it describes none.
pub(super) fn draft(item: &Item, language: Language, level: usize) -> Option<Draft> {
    let (text, asterisk) = marks::strip(&item.text);
    let (open, sheltered) = parentheses(text);
    let (left, right) = name_and_rest(&open);
    let mut draft = Draft { required: asterisk, ..Draft::default() };
    let mut reading = Reading { language, level, kind: None, unit: false, left, notes: Vec::new() };
    let yes_or_no = sheltered.iter().any(|content| Spec::read(content, language).kind == Some(Kind::Boolean));
    // "Translation required (yes/no)" asks; it does not oblige.
    let (bare, mark) = if yes_or_no { (left, None) } else { marks::strip(left) };
    draft.required = mark.or(draft.required);
    let label = label::read(bare, language, &mut draft);
    reading.kind = label.kind;
    reading.unit = label.unit;
    for content in &sheltered {
        reading.take(content, false, &mut draft);
    }
    if let Some(right) = right {
        let (right, mark) = marks::strip(right);
        draft.required = mark.or(draft.required);
        reading.take(right, true, &mut draft);
    }
    if let Some(options) = &item.options {
        let (options, mark) = marks::strip(options);
        draft.required = mark.or(draft.required);
        let spec = Spec::read(options, language);
        reading.kind = spec.kind.or(reading.kind);
        spec.apply(&mut draft);
        draft.options = spec.rest;
    }
    if let Some(parts) = &item.parts {
        reading.parts(parts, &mut draft);
    }
    draft.name = label.name;
    draft.description = reading.description(&label.shown);
    reading.decide(&mut draft, asks(&open));
    (draft.name.chars().any(char::is_alphanumeric)).then_some(draft)
}

struct Reading<'a> {
    language: Language,
    level: usize,
    /// The type that was stated.
    kind: Option<Kind>,
    unit: bool,
    left: &'a str,
    notes: Vec<String>,
}

impl Reading<'_> {
    /// Takes what parentheses or the right side of a colon say.
    fn take(&mut self, text: &str, described: bool, draft: &mut Draft) {
        let spec = Spec::read(text, self.language);
        self.kind = spec.kind.or(self.kind);
        self.unit |= spec.unit;
        spec.apply(draft);
        let name = words(self.left);
        let several = spec.rest.len() > 1;
        if spec.unit || spec.range.is_some() || spec.examples {
            self.notes.push(text.trim().to_owned());
        }
        if spec.examples {
            return;
        }
        if let Some(parts) = inner_object(text) {
            self.parts(parts, draft);
        } else if !spec.alternatives && several && self.holds_parts(&name, &spec.rest) {
            let listed = spec.many;
            self.parts(&if listed { spec.rest.join("; ") } else { text.to_owned() }, draft);
            draft.many |= listed;
        } else if spec.alternatives && spec.rest.len() == 1 && spec.many {
            // "list of links", "one or more weekdays": what the entries are.
            let inner = words(spec.rest.first().map_or("", String::as_str));
            let kind = infer(&inner, self.language).kind;
            self.kind = self.kind.or((kind != Kind::String).then_some(kind));
        } else if several
            && spec.rest.iter().all(|option| words(option).len() <= if described { 4 } else { 6 })
        {
            draft.options = spec.rest;
        } else if !spec.rest.is_empty() {
            let stated = described && words(text).len() <= 1;
            self.unit |= stated && UNITS.contains(&text.trim().to_lowercase().as_str());
            self.notes.push(text.trim().to_owned());
        }
    }

    /// Whether a list beside a name is one of parts and not of options.
    fn holds_parts(&self, name: &[super::words::Word], rest: &[String]) -> bool {
        if self.level >= MAX_NESTING
            || name.last().is_some_and(|word| CHOICES.contains(&word.plain.as_str()))
            || any(name, &["preferred"])
        {
            return false;
        }
        let known = rest
            .iter()
            .filter(|text| {
                let found = words(text);
                let last = found.last().is_some_and(|word| FIELDS.contains(&word.plain.as_str()));
                last || infer(&found, self.language).kind != Kind::String || text.contains(':')
            })
            .count();
        let thing = any(name, OBJECTS) || is_collection(name);
        known * 2 >= rest.len() || (thing && known > 0)
    }

    fn parts(&mut self, text: &str, draft: &mut Draft) {
        if self.level >= MAX_NESTING {
            self.notes.push(text.trim().to_owned());
            return;
        }
        draft.parts = drafts(text, self.language, self.level + 1);
        if !draft.parts.is_empty() {
            draft.kind = Kind::Object;
            self.kind = Some(Kind::Object);
            draft.many |= is_collection(&words(self.left));
        }
    }

    fn description(&self, shown: &str) -> String {
        let mut text = shown.to_owned();
        for note in
            self.notes.iter().filter(|note| note.chars().any(|c| c.is_alphanumeric() || c == '€' || c == '%'))
        {
            text.push_str(" (");
            text.push_str(note);
            text.push(')');
        }
        text
    }

    /// Settles the type from what was stated, and else from the name.
    fn decide(&self, draft: &mut Draft, asks: bool) {
        let name = words(&draft.name);
        let inferred = infer(&name, self.language);
        let bounded = draft.minimum.is_some() || draft.maximum.is_some();
        let lengths = draft.min_length.is_some() || draft.max_length.is_some();
        draft.many |= inferred.many && self.kind.is_none() && draft.options.is_empty();
        draft.many |= draft.min_items.is_some() || draft.max_items.is_some();
        draft.format = draft.format.or(inferred.format);
        draft.kind = match self.kind {
            Some(kind) => kind,
            None if !draft.options.is_empty() => option_kind(&draft.options),
            None if lengths => Kind::String,
            None if asks => Kind::Boolean,
            None if bounded || self.unit => number_kind(inferred.kind, draft, self.unit),
            None => inferred.kind,
        };
        if draft.kind != Kind::String {
            draft.format = None;
        }
    }
}

/// The parts in `object with name and email`.
fn inner_object(text: &str) -> Option<&str> {
    let found = words(text);
    let lead = [
        "object with",
        "an object with",
        "object containing",
        "group with",
        "group of",
        "object of",
        "nested object with",
        "list of objects with",
        "objects with",
        "nested with",
        "object",
    ];
    let count = longest_at(&found, 0, &lead);
    (count > 0 && found.len() > count).then(|| from(text, &found, count).trim_start_matches([':', '-', ' ']))
}

/// Options that are all whole numbers make an integer.
fn option_kind(options: &[String]) -> Kind {
    let whole = options.len() > 1 && options.iter().all(|option| option.trim().parse::<i64>().is_ok());
    if whole { Kind::Integer } else { Kind::String }
}

/// A range makes a number; a whole one where nothing speaks of fractions.
fn number_kind(inferred: Kind, draft: &Draft, unit: bool) -> Kind {
    let fractional = |bound: Option<f64>| bound.is_some_and(|bound| bound.fract() != 0.0);
    match inferred {
        Kind::Number | Kind::Integer => inferred,
        Kind::Date if !unit => Kind::Date,
        _ if unit || fractional(draft.minimum) || fractional(draft.maximum) => Kind::Number,
        _ => Kind::Integer,
    }
}

/// Whether a text ends as a question about yes or no.
fn asks(text: &str) -> bool {
    let found = words(text);
    let wh = [
        "what", "which", "who", "when", "where", "why", "how", "was", "wer", "wann", "wo", "warum", "wie",
        "que", "quien", "quand", "ou", "comment", "pourquoi", "cuando", "donde", "welche", "quel", "quelle",
        "cual",
    ];
    text.trim_end().ends_with('?') && longest_at(&found, 0, &wh) == 0
}

/// The text outside parentheses, and what stood in each.
fn parentheses(text: &str) -> (String, Vec<String>) {
    let (mut open, mut found) = (String::new(), Vec::new());
    let mut shelter = Shelter::default();
    let (mut inside, mut quoted) = (String::new(), false);
    let mut depth = 0_usize;
    for c in text.chars() {
        shelter.open_after(c);
        quoted ^= c == '"';
        match c {
            '(' | '[' | '{' if !quoted => {
                depth += 1;
                if depth == 1 {
                    continue;
                }
            }
            ')' | ']' | '}' if !quoted => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    found.push(std::mem::take(&mut inside));
                    open.push(' ');
                    continue;
                }
            }
            _ => {}
        }
        if depth > 0 { inside.push(c) } else { open.push(c) }
    }
    if !inside.trim().is_empty() {
        found.push(inside);
    }
    (open, found)
}

/// The name and what a colon, a dash or an equals sign sets apart from it.
fn name_and_rest(text: &str) -> (&str, Option<&str>) {
    let text = text.trim();
    if let Some(quoted) = text.strip_prefix('"')
        && let Some((name, rest)) = quoted.split_once('"')
    {
        let rest = rest.trim().trim_start_matches([':', '-', '=', ',']).trim();
        return (name, (!rest.is_empty()).then_some(rest));
    }
    let signs = [": ", " - ", " = ", " -> ", " as "];
    let place =
        find_open(text, |rest| rest.starts_with(':') || signs.iter().any(|sign| rest.starts_with(sign)));
    let joined = |place: usize| {
        let before = words(text.get(..place).unwrap_or_default());
        let word = before.last().map_or("", |word| word.plain.as_str());
        text[place..].starts_with(" as ") && ["such", "well", "same", "known", "used"].contains(&word)
    };
    match place.filter(|place| *place > 0 && !joined(*place)) {
        Some(place) => {
            let rest = text[place..].trim_start_matches([' ', ':', '-', '=', '>']);
            let found = words(rest);
            let rest = if longest_at(&found, 0, &["as"]) > 0 { from(rest, &found, 1) } else { rest };
            (text[..place].trim(), (!rest.is_empty()).then_some(rest))
        }
        None => typed_prefix(text),
    }
}

/// `phone number text field`: a type at the end of a name that has others words.
fn typed_prefix(text: &str) -> (&str, Option<&str>) {
    let found = words(text);
    let at_end = |count: usize| {
        let at = found.len().checked_sub(count).filter(|at| *at > 0)?;
        let last = from(text, &found, at);
        let named = type_named(last).filter(|_| {
            ["boolean", "integer", "yes/no", "string", "checkbox", "true/false", "text field"]
                .contains(&last.to_lowercase().as_str())
        });
        named.map(|_| (until(text, &found, at), Some(last)))
    };
    at_end(2).or_else(|| at_end(1)).unwrap_or((text, None))
}

/// Applies what a sentence says of a field that is already there.
pub(super) fn amend(draft: &mut Draft, text: &str, language: Language) {
    let (text, mark) = marks::strip(text);
    draft.required = mark.or_else(|| marks::whole(text)).or(draft.required);
    if marks::whole(text).is_some() {
        return;
    }
    let spec = Spec::read(text, language);
    spec.apply(draft);
    if spec.rest.len() > 1 && draft.parts.is_empty() {
        draft.options = spec.rest;
        draft.kind = option_kind(&draft.options);
    } else if let Some(range) = range::find(text) {
        apply_range(&range, draft);
    }
    let bounded = draft.minimum.is_some() || draft.maximum.is_some();
    if bounded && draft.kind == Kind::String && draft.options.is_empty() {
        draft.kind = number_kind(Kind::String, draft, false);
    }
}
