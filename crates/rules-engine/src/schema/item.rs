//! Parses the text of one field into a draft.
//!
//! Counts of words that decide here were set on the phrases of `tests/schema`; none was measured alone.

use super::condition;
use super::draft::{DraftKind, FieldDraft};
use super::field_text::{inner_object, is_yes_no_question, split_name, split_parentheses};
use super::infer::infer;
use super::label;
use super::list::{ListItem, is_collection, list_items};
use super::range;
use super::required_marks;
use super::snake_case::fold;
use super::spec::{FieldSpec, apply_range};
use super::words::{Lexicon, has_any, words};

// They bound stack and time.
/// Most levels of nested fields parsed.
const MAX_NESTING: usize = 3;
/// Most fields parsed from one list. [`MAX_GENERATED_FIELDS`](super::MAX_GENERATED_FIELDS) applies later.
const MAX_DRAFTS: usize = 300;

/// The fields that a list in prose names.
pub(super) fn parse_fields(text: &str, lexicon: Lexicon, level: usize) -> Vec<FieldDraft> {
    let items = list_items(text, lexicon);
    items.iter().take(MAX_DRAFTS).filter_map(|item| parse_field(item, lexicon, level)).collect()
}

/// The field that an item describes, if any.
pub(super) fn parse_field(item: &ListItem, lexicon: Lexicon, level: usize) -> Option<FieldDraft> {
    let (text, asterisk) = required_marks::strip_mark(&item.text, lexicon);
    let (open, sheltered) = split_parentheses(text);
    let (left, right) = split_name(&open, lexicon);
    let mut draft = FieldDraft { required: asterisk, ..FieldDraft::default() };
    let mut reading = FieldParser { lexicon, level, kind: None, unit: false, left, notes: Vec::new() };
    let yes_or_no =
        sheltered.iter().any(|content| FieldSpec::read(content, lexicon).kind == Some(DraftKind::Boolean));
    // "Translation required (yes/no)" is a question, not an obligation.
    let (bare, mark) = if yes_or_no { (left, None) } else { required_marks::strip_mark(left, lexicon) };
    draft.required = mark.or(draft.required);
    let label = label::parse_label(bare, lexicon, &mut draft);
    reading.kind = label.kind;
    reading.unit = label.unit;
    for content in &sheltered {
        reading.apply_remark(content, false, &mut draft);
    }
    if let Some(right) = right {
        let (right, mark) = required_marks::strip_mark(right, lexicon);
        draft.required = mark.or(draft.required);
        reading.apply_remark(right, true, &mut draft);
    }
    if let Some(options) = &item.options {
        let (options, mark) = required_marks::strip_mark(options, lexicon);
        draft.required = mark.or(draft.required);
        let spec = FieldSpec::read(options, lexicon);
        reading.kind = spec.kind.or(reading.kind);
        spec.apply(&mut draft);
        draft.options = spec.rest;
    }
    if let Some(parts) = &item.parts {
        reading.parts(parts, &mut draft);
    }
    draft.name = label.name;
    draft.description = reading.description(&label.shown);
    reading.resolve_kind(&mut draft, is_yes_no_question(&open, lexicon));
    (draft.name.chars().any(char::is_alphanumeric)).then_some(draft)
}

struct FieldParser<'a> {
    lexicon: Lexicon,
    level: usize,
    /// The stated type.
    kind: Option<DraftKind>,
    unit: bool,
    left: &'a str,
    notes: Vec<String>,
}

impl FieldParser<'_> {
    /// Applies the content of parentheses or the text after a colon.
    fn apply_remark(&mut self, text: &str, described: bool, draft: &mut FieldDraft) {
        if let Some(stated) = condition::stated_condition(text, self.lexicon) {
            draft.condition = Some(stated);
            self.notes.push(text.trim().to_owned());
            return;
        }
        let spec = FieldSpec::read(text, self.lexicon);
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
        let heading = has_any(
            name.get(name.len().saturating_sub(1)..).unwrap_or_default(),
            self.lexicon.list("heading"),
        );
        if let Some(parts) = inner_object(text, self.lexicon) {
            self.parts(parts, draft);
        } else if several
            && (heading || !spec.alternatives)
            && (spec.lists_parts || self.is_part_list(&name, &spec.rest))
            && self.level < MAX_NESTING
        {
            let listed = spec.many;
            self.parts(&if listed { spec.rest.join("; ") } else { text.to_owned() }, draft);
            draft.many |= listed;
        } else if spec.alternatives && spec.rest.len() == 1 && spec.many {
            // "list of links", "one or more weekdays": the type of the items.
            let inner = words(spec.rest.first().map_or("", String::as_str));
            let kind = infer(&inner, self.lexicon).kind;
            self.kind = self.kind.or((kind != DraftKind::String).then_some(kind));
        } else if several
            && spec.rest.iter().all(|option| words(option).len() <= if described { 4 } else { 6 })
        {
            draft.options = spec.rest;
        } else if !spec.rest.is_empty() {
            let stated = described && words(text).len() <= 1;
            self.unit |= stated && self.lexicon.has("unit", &fold(text.trim()));
            self.notes.push(text.trim().to_owned());
        }
    }

    /// Whether a list after a name enumerates fields and not options.
    fn is_part_list(&self, name: &[super::words::Word], rest: &[String]) -> bool {
        if self.level >= MAX_NESTING
            || name.last().is_some_and(|word| self.lexicon.has("choice_noun", &word.plain))
            || has_any(name, self.lexicon.list("preferred"))
        {
            return false;
        }
        let known = rest
            .iter()
            .filter(|text| {
                let found = words(text);
                let last = found.last().is_some_and(|word| self.lexicon.has("field", &word.plain));
                last || infer(&found, self.lexicon).kind != DraftKind::String || text.contains(':')
            })
            .count();
        let thing = has_any(name, self.lexicon.list("object")) || is_collection(name, self.lexicon);
        known * 2 >= rest.len() || (thing && known > 0)
    }

    fn parts(&mut self, text: &str, draft: &mut FieldDraft) {
        if self.level >= MAX_NESTING {
            self.notes.push(text.trim().to_owned());
            return;
        }
        draft.parts = parse_fields(text, self.lexicon, self.level + 1);
        if !draft.parts.is_empty() {
            draft.kind = DraftKind::Object;
            self.kind = Some(DraftKind::Object);
            draft.many |= is_collection(&words(self.left), self.lexicon);
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

    /// Decides the type from what was stated, else from the name.
    fn resolve_kind(&self, draft: &mut FieldDraft, asks: bool) {
        let name = words(&draft.name);
        let inferred = infer(&name, self.lexicon);
        let bounded = draft.minimum.is_some() || draft.maximum.is_some();
        let lengths = draft.min_length.is_some() || draft.max_length.is_some();
        draft.many |= inferred.many && self.kind.is_none() && draft.options.is_empty();
        draft.many |= draft.min_items.is_some() || draft.max_items.is_some();
        draft.format = draft.format.or(inferred.format);
        draft.kind = match self.kind {
            Some(kind) => kind,
            None if !draft.options.is_empty() => option_kind(&draft.options),
            None if lengths => DraftKind::String,
            None if asks => DraftKind::Boolean,
            None if bounded || self.unit => number_kind(inferred.kind, draft, self.unit),
            None => inferred.kind,
        };
        if draft.kind != DraftKind::String {
            draft.format = None;
        }
    }
}

/// Integer when all options are integers, else string.
fn option_kind(options: &[String]) -> DraftKind {
    let whole = options.len() > 1 && options.iter().all(|option| option.trim().parse::<i64>().is_ok());
    if whole { DraftKind::Integer } else { DraftKind::String }
}

/// The type of a value with a range: an integer unless a unit or a bound implies fractions.
fn number_kind(inferred: DraftKind, draft: &FieldDraft, unit: bool) -> DraftKind {
    let fractional = |bound: Option<f64>| bound.is_some_and(|bound| bound.fract() != 0.0);
    match inferred {
        DraftKind::Number | DraftKind::Integer => inferred,
        DraftKind::Date if !unit => DraftKind::Date,
        _ if unit || fractional(draft.minimum) || fractional(draft.maximum) => DraftKind::Number,
        _ => DraftKind::Integer,
    }
}

/// Applies a sentence about an existing field.
pub(super) fn amend(draft: &mut FieldDraft, text: &str, lexicon: Lexicon) {
    let (text, mark) = required_marks::strip_mark(text, lexicon);
    draft.required = mark.or_else(|| required_marks::parse_mark(text, lexicon)).or(draft.required);
    if required_marks::parse_mark(text, lexicon).is_some() {
        return;
    }
    let spec = FieldSpec::read(text, lexicon);
    spec.apply(draft);
    if spec.rest.len() > 1 && draft.parts.is_empty() {
        draft.options = spec.rest;
        draft.kind = option_kind(&draft.options);
    } else if let Some(range) = range::find_range(text, lexicon) {
        apply_range(&range, draft);
    }
    let bounded = draft.minimum.is_some() || draft.maximum.is_some();
    if bounded && draft.kind == DraftKind::String && draft.options.is_empty() {
        draft.kind = number_kind(DraftKind::String, draft, false);
    }
}
