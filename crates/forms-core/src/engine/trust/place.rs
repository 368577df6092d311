//! Whether a value stands where its field would: what the labels of its place say of this field, of the
//! other fields, and of other places; where it begins and ends; and whether another field has taken it.

use std::collections::HashMap;

use gen_core::builtin::{FieldWords, LabelReader};
use serde_json::Value;

use super::super::coerce::leaf::boolean;
use super::super::node::{Fields, Leaf, Spot};
use super::super::segment::Source;
use super::agreement::{Opinion, key};
use super::features::Features;
use crate::{Field, FieldType};

/// Fields whose labels are compared.
const MAX_FIELDS: usize = 80;
/// Values of a field whose labels are read; further cells of a column have the label of the last.
const MAX_READ: usize = 40;
/// From here on a text would be a label of its own field.
const IS_LABEL: f32 = 0.75;

/// A field by its address, with its words and the best label of the documents.
#[derive(Debug)]
struct Known {
    address: *const Field,
    words: FieldWords,
    best: f32,
    /// What stands behind that label, where it says yes or no.
    flag: Option<bool>,
    /// How many labels of its values were read, and what the last said.
    read: usize,
    last: Labelled,
}

/// What the label of a place says.
#[derive(Clone, Copy, Debug, Default)]
struct Labelled {
    /// How well it fits the field.
    own: f32,
    /// How well it fits the best of the others.
    other: f32,
}

/// Reads the places of values.
#[derive(Debug)]
pub(super) struct PlaceContext<'a> {
    sources: &'a [Source<'a>],
    readers: Vec<LabelReader>,
    fields: Vec<Known>,
    readable: f32,
}

impl<'a> PlaceContext<'a> {
    pub(super) fn new(fields: &[Field], sources: &'a [Source<'a>]) -> Self {
        let readers: Vec<LabelReader> =
            sources.iter().map(|source| LabelReader::new(source.text())).collect();
        let mut known = Vec::new();
        collect(fields, "", &readers, &mut known);
        let found = known.iter().map(|field: &Known| field.best).sum::<f32>();
        let readable = found / known.len().max(1) as f32;
        Self { sources, readers, fields: known, readable }
    }

    /// Adds what the place of a value says of it.
    pub(super) fn read(&mut self, field: &Field, leaf: &Leaf, features: &mut Features) {
        features.readable = self.readable;
        let Some(at) = self.fields.iter().position(|known| std::ptr::eq(known.address, field)) else {
            return;
        };
        let Some(own) = self.fields.get(at) else { return };
        if leaf.value.as_str().is_some_and(|text| own.words.fit(text) >= IS_LABEL) {
            features.alone = false;
        }
        if let (Value::Bool(value), Some(said)) = (&leaf.value, own.flag) {
            features.opinion =
                if *value == said { Opinion::Agrees(own.best) } else { Opinion::Disagrees(own.best) };
        }
        let (Some(spot), Some(evidence)) = (leaf.spot, &leaf.evidence) else { return };
        features.whole = self.sources.get(spot.document).map_or(0.0, |source| whole(source.text(), spot));
        let (Some(reader), Some(start), Some(end)) =
            (self.readers.get(spot.document), evidence.start, evidence.end)
        else {
            return;
        };
        let mut said = own.last;
        let is_read = !features.listed || own.read < MAX_READ;
        if is_read {
            let others = self.fields.iter().enumerate().filter(|(other, _)| *other != at);
            let other = others.map(|(_, other)| reader.fit_at(&other.words, start, end)).fold(0.0, f32::max);
            said = Labelled { own: reader.fit_at(&own.words, start, end), other };
        }
        features.label = said.own;
        features.own_label = said.own - said.other;
        features.best_place = (said.own - own.best).min(0.0);
        if let Some(own) = self.fields.get_mut(at) {
            own.read += 1;
            own.last = said;
        }
    }
}

fn collect(fields: &[Field], parent: &str, readers: &[LabelReader], out: &mut Vec<Known>) {
    for field in fields {
        match Fields::of(field) {
            Fields::Parts(parts) => collect(parts, &field.name, readers, out),
            Fields::Items(item) => match Fields::of(item) {
                // The columns of a table have names of their own.
                Fields::Parts(parts) => collect(parts, "", readers, out),
                _ => push(item, "", &field.name, readers, out),
            },
            Fields::None => push(field, parent, &field.name, readers, out),
        }
    }
}

fn push(field: &Field, parent: &str, name: &str, readers: &[LabelReader], out: &mut Vec<Known>) {
    if out.len() < MAX_FIELDS {
        let words =
            FieldWords::new(&format!("{parent} {name}"), field.description.as_deref().unwrap_or_default());
        let all = readers.iter().map(|reader| reader.best(&words));
        let (best, behind) = all.fold((0.0, ""), |best, one| if one.0 > best.0 { one } else { best });
        let flag = match field.kind {
            FieldType::Boolean => boolean(&Value::Null, behind),
            _ => None,
        };
        out.push(Known { address: field, words, best, flag, read: 0, last: Labelled::default() });
    }
}

/// How many ends of a place are ends of a cell, a line or a clause: 0, 0.5 or 1.
fn whole(text: &str, spot: Spot) -> f32 {
    let before = text.get(..spot.start).unwrap_or_default();
    let after = text.get(spot.end..).unwrap_or_default();
    let is_gap = |first: Option<char>, second: Option<char>| match first {
        None => true,
        Some(' ') => second.is_none_or(|c| c.is_whitespace() || is_end(c)),
        Some(c) => c.is_whitespace() || is_end(c),
    };
    let (mut back, mut on) = (before.chars().rev(), after.chars());
    let (left, right) = (is_gap(back.next(), back.next()), is_gap(on.next(), on.next()));
    0.5 * (f32::from(u8::from(left)) + f32::from(u8::from(right)))
}

fn is_end(c: char) -> bool {
    !c.is_alphanumeric() && !matches!(c, '-' | '&' | '/' | '+' | '\'' | '’' | '_' | '%')
}

/// Which places and values the fields of a record have taken, and on which lines rows stand.
#[derive(Debug, Default)]
pub(super) struct Taken {
    spots: HashMap<Spot, usize>,
    values: HashMap<String, usize>,
    /// By the pointer of a row, its lines, by document and first byte, with how many of its cells they have.
    rows: HashMap<String, HashMap<(usize, usize), usize>>,
}

impl Taken {
    pub(super) fn add(&mut self, path: &str, listed: bool, leaf: &Leaf, sources: &[Source<'_>]) {
        if matches!(leaf.value, Value::Bool(_)) {
            return;
        }
        if let Some(spot) = leaf.spot {
            *self.spots.entry(spot).or_default() += 1;
        }
        if !listed {
            *self.values.entry(key(&leaf.value)).or_default() += 1;
        } else if let (Some(line), Some((row, _))) = (line(leaf, sources), path.rsplit_once('/')) {
            *self.rows.entry(row.to_owned()).or_default().entry(line).or_default() += 1;
        }
    }

    /// Whether more fields have the value than there are places of it, or two cells have one place.
    pub(super) fn is_shared(&self, listed: bool, leaf: &Leaf) -> bool {
        let uses = self.values.get(&key(&leaf.value)).copied().unwrap_or_default();
        match (leaf.mentions, leaf.spot) {
            (Some(mentions), _) if mentions > 0 && !listed => uses > mentions as usize,
            (_, Some(spot)) => self.spots.get(&spot).is_some_and(|uses| *uses > 1),
            _ => false,
        }
    }

    /// Which share of the other cells of its row stand on the line of a cell; 0.5 where nothing tells.
    pub(super) fn in_row(&self, path: &str, leaf: &Leaf, sources: &[Source<'_>]) -> f32 {
        let Some((row, _)) = path.rsplit_once('/') else { return 0.5 };
        let (Some(lines), Some(line)) = (self.rows.get(row), line(leaf, sources)) else { return 0.5 };
        let others = lines.values().sum::<usize>().saturating_sub(1);
        let beside = lines.get(&line).copied().unwrap_or_default().saturating_sub(1);
        if others == 0 { 0.5 } else { beside as f32 / others as f32 }
    }
}

/// The document and the first byte of the line that a value begins on.
fn line(leaf: &Leaf, sources: &[Source<'_>]) -> Option<(usize, usize)> {
    let spot = leaf.spot?;
    let before = sources.get(spot.document)?.text().get(..spot.start)?;
    Some((spot.document, before.rfind('\n').map_or(0, |at| at + 1)))
}
