//! Fields for marks: the pages that may have them, digital signatures, and what counts as seen.

use std::collections::HashSet;

use document::{FieldKind, FormField, Format, Page};
use language::fold::words;
use serde_json::Value;

use super::super::align::label_words;
use super::super::node::{Leaf, Node};
use super::super::segment::Source;
use super::page_text::page_text;
use super::places::visit;
use crate::{Evidence, Field, FieldType, Mark, Support};

/// Fields for marks whose labels are searched for. Bounds the time.
const MAX_MARKS: usize = 64;

/// The labels of a form's fields for marks, as folded words.
#[derive(Debug, Default)]
pub(super) struct MarkLabels {
    labels: Vec<Vec<String>>,
    /// Whether a signature or stamp is asked for. They stand on last pages, often without a label.
    is_signed: bool,
}

impl MarkLabels {
    pub(super) fn of(fields: &[Field]) -> Self {
        let mut found = Self::default();
        found.add(fields);
        found
    }

    fn add(&mut self, fields: &[Field]) {
        for field in fields {
            match &field.kind {
                FieldType::Object(parts) => self.add(parts),
                FieldType::Array(item) => self.add(std::slice::from_ref(item)),
                _ => {}
            }
            let Some(mark) = field.mark().filter(|_| self.labels.len() < MAX_MARKS) else { continue };
            self.is_signed |= mark != Mark::Check;
            self.labels.extend(labels_of(field));
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.labels.is_empty() && !self.is_signed
    }

    /// The pages of a PDF that may have a mark: those with all words of a label, else, for signatures and stamps, the
    /// last one.
    pub(super) fn pages_of(&self, source: &Source<'_>) -> HashSet<u32> {
        let document = &source.document.document;
        if self.is_empty() || document.format != Format::Pdf {
            return HashSet::new();
        }
        let has_label = |page: &&Page| {
            let text: HashSet<String> = words(page_text(source, page)).map(|(_, word)| word).collect();
            self.labels.iter().any(|label| label.iter().all(|word| text.contains(word)))
        };
        let found: HashSet<u32> = document.pages.iter().filter(has_label).map(|page| page.number).collect();
        match document.pages.last() {
            Some(last) if found.is_empty() && self.is_signed => HashSet::from([last.number]),
            _ => found,
        }
    }
}

/// The name and the aliases of a field as folded words, those without words left out.
fn labels_of(field: &Field) -> impl Iterator<Item = Vec<String>> {
    let names = std::iter::once(&field.name).chain(&field.aliases);
    names.map(|name| label_words(name)).filter(|label| !label.is_empty())
}

/// Settles the fields for marks: a digital signature of a document decides, and a mark that was neither seen in a picture
/// nor is stated in the text is not stated at all, because a model may guess it. Evidence must be attached.
pub(in super::super) fn settle_marks(fields: &[Field], nodes: &mut [Node], sources: &[Source<'_>]) {
    for (field, node) in fields.iter().zip(&mut *nodes) {
        if field.mark() == Some(Mark::Signature)
            && let Some(leaf) = signature(field, sources)
        {
            *node = Node::Leaf(Box::new(leaf));
        }
    }
    visit(fields, nodes, &mut String::new(), &mut |field, _, node| {
        let Node::Leaf(leaf) = &*node else { return };
        let is_seen = leaf.evidence.as_ref().is_some_and(|evidence| evidence.support != Support::Unsupported);
        if field.mark().is_some() && !is_seen {
            *node = Node::Absent;
        }
    });
}

/// The only field for a digital signature whose label has all words of the field's name or of an alias.
fn signature(field: &Field, sources: &[Source<'_>]) -> Option<Leaf> {
    let labels: Vec<Vec<String>> = labels_of(field).collect();
    let is_named = |form_field: &&FormField| {
        let label = form_field.label.as_deref().unwrap_or(&form_field.name);
        let words = label_words(label);
        form_field.kind == FieldKind::Signature
            && labels.iter().any(|label| label.iter().all(|word| words.contains(word)))
    };
    let mut found = sources.iter().enumerate().flat_map(|(index, source)| {
        source.document.document.fields.iter().filter(is_named).map(move |own| (index, source, own))
    });
    let (index, source, own) = found.next()?;
    if found.next().is_some() {
        return None;
    }
    let mut leaf = Leaf::new(Value::Bool(own.value.is_some()));
    leaf.evidence = Some(Evidence {
        document: Some(source.document.name.clone()),
        index: u32::try_from(index).ok(),
        page: own.page,
        rect: own.rect,
        ..Evidence::without_place(Support::Normalised, 1.0)
    });
    Some(leaf)
}
