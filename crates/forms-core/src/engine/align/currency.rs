//! The currency of a sum of money: what is printed beside its amount decides, else what the document prints without doubt.

use language::money::Currency;
use language::number::scan;
use language::printed_currency::{certain_currencies, mark_in_label, mark_of, meanings};
use serde_json::Value;

use super::evidence_at;
use super::headings::Headings;
use crate::engine::node::{Leaf, NestedFields, Node, TextSpan};
use crate::engine::segment::Source;
use crate::{Field, Support};

/// The confidence of a currency that is printed beside its amount, before it is assessed. Chosen by hand.
const BESIDE: f32 = 0.9;

/// Settles the currency of every sum of money. Evidence must be attached.
pub(in super::super) fn settle(fields: &[Field], nodes: &mut [Node], sources: &[Source<'_>]) {
    let mut documents =
        Documents { sources, headings: Headings::new(sources), certain: vec![None; sources.len()] };
    documents.fields(fields, nodes);
}

struct Documents<'a> {
    sources: &'a [Source<'a>],
    headings: Headings<'a>,
    /// The currencies that each document prints without doubt, once they are asked for.
    certain: Vec<Option<Vec<Currency>>>,
}

/// The place of a mark, and the currencies that it may mean there.
type Mark = (TextSpan, Vec<Currency>);

impl Documents<'_> {
    fn fields(&mut self, fields: &[Field], nodes: &mut [Node]) {
        for (field, node) in fields.iter().zip(nodes) {
            match (&mut *node, NestedFields::of(field)) {
                (Node::Group(parts), NestedFields::Parts(fields)) => match field.money_parts() {
                    Some(places) => {
                        if !self.money(fields, parts, places) {
                            *node = Node::Absent;
                        }
                    }
                    None => self.fields(fields, parts),
                },
                (Node::List { items, .. }, NestedFields::Items(item)) => {
                    for entry in items {
                        self.fields(std::slice::from_ref(item), std::slice::from_mut(entry));
                    }
                }
                _ => {}
            }
        }
    }

    /// Settles one sum. `false` where it has no amount, and so is none.
    fn money(&mut self, fields: &[Field], parts: &mut [Node], (amount, currency): (usize, usize)) -> bool {
        let (span, is_failed) = match parts.get(amount) {
            Some(Node::Leaf(leaf)) => (leaf.span, false),
            Some(Node::Failed(_)) => (None, true),
            _ => return false,
        };
        let (Some(field), Some(node)) = (fields.get(currency), parts.get_mut(currency)) else { return true };
        if is_failed {
            *node = Node::Absent;
            return true;
        }
        let stated = match &*node {
            Node::Leaf(leaf) => leaf.value.as_str().and_then(Currency::from_code),
            _ => None,
        };
        let document = span.map(|span| span.document);
        *node = match span.and_then(|span| self.mark_of(span)) {
            Some((place, found)) => {
                let is_option = |one: &&Currency| {
                    field.options.is_empty() || field.options.iter().any(|code| code == one.code())
                };
                let allowed: Vec<Currency> = found.iter().filter(is_option).copied().collect();
                match (allowed.as_slice(), found.as_slice()) {
                    ([], [other]) => {
                        let options = field.options.join(", ");
                        Node::Failed(format!("'currency' must be one of {options}, not {}", other.code()))
                    }
                    ([one], _) => self.decided(node, *one, place),
                    _ => self.undecided(node, stated, &found, document),
                }
            }
            None => match stated.filter(|one| !self.prints(*one, document)) {
                Some(one) => Node::Failed(format!(
                    "'currency' must be printed with the amount or in the document, and {} is not",
                    one.code()
                )),
                None => std::mem::replace(node, Node::Absent),
            },
        };
        true
    }

    /// The mark beside an amount, else that of its label. The document decides between several meanings where it prints
    /// one of them without doubt.
    fn mark_of(&mut self, span: TextSpan) -> Option<Mark> {
        let text = self.sources.get(span.document)?.text();
        let mut first = None;
        scan(text, span.start..span.end, |mention| first = first.take().or(Some(mention.range)));
        let read = |label: &str| label.get(mark_in_label(label)?).map(str::to_owned);
        let beside = first
            .and_then(|range| mark_of(text, range))
            .filter(|mark| text.get(mark.clone()).is_some_and(|mark| !meanings(mark).is_empty()));
        let mark = match beside {
            Some(mark) => mark,
            None => {
                let mark = self.headings.find(span, read)?;
                let start = text.get(..span.start)?.rfind(&mark)?;
                start..start + mark.len()
            }
        };
        let mut found = meanings(text.get(mark.clone())?);
        if found.len() > 1 {
            let certain: Vec<Currency> =
                found.iter().filter(|one| self.prints(**one, Some(span.document))).copied().collect();
            found = if certain.len() == 1 { certain } else { found };
        }
        Some((TextSpan { document: span.document, start: mark.start, end: mark.end }, found))
    }

    /// The currency that the mark decides. What else an answer states is not printed with the amount.
    fn decided(&self, node: &Node, one: Currency, span: TextSpan) -> Node {
        let mut leaf = match node {
            Node::Leaf(leaf) if leaf.value == one.code() => leaf.as_ref().clone(),
            _ => Leaf::new(Value::from(one.code())),
        };
        let Some(source) = self.sources.get(span.document) else { return Node::Absent };
        let is_code = source.text().get(span.start..span.end) == Some(one.code());
        let support = if is_code { Support::Exact } else { Support::Normalised };
        leaf.evidence = evidence_at(source, span, support, BESIDE);
        (leaf.span, leaf.mentions) = (Some(span), Some(1));
        Node::Leaf(Box::new(leaf))
    }

    /// A mark that means several currencies decides nothing, and an answer may not either.
    fn undecided(
        &mut self,
        node: &Node,
        stated: Option<Currency>,
        found: &[Currency],
        document: Option<usize>,
    ) -> Node {
        match stated {
            Some(one) if found.contains(&one) && self.prints(one, document) => node.clone(),
            Some(one) => Node::Failed(format!(
                "'currency' cannot be {}: the sign beside the amount may mean several, and neither document nor form \
                 decides which",
                one.code()
            )),
            None => Node::Absent,
        }
    }

    fn prints(&mut self, currency: Currency, document: Option<usize>) -> bool {
        let documents = document.map_or(0..self.sources.len(), |one| one..one + 1);
        documents.into_iter().any(|at| {
            let Some((source, slot)) = self.sources.get(at).zip(self.certain.get_mut(at)) else {
                return false;
            };
            slot.get_or_insert_with(|| certain_currencies(source.text())).contains(&currency)
        })
    }
}
