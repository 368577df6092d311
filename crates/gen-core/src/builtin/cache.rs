//! Caches what several fields need of the same text: the concepts of labels and the typed values of lines.
//! Long texts are not cached, so that memory stays a small multiple of the input.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::kind::FieldKind;
use super::labels::{Word, words};
use super::lines::Text;
use super::schema::Output;
use super::values::{TypedValue, find};

// They bound the memory of hostile documents; what is beyond is computed again.
/// Maximum lines of a text with cached values.
const MAX_LINES: usize = 2_000;
/// Maximum cached labels, and maximum bytes of one.
const MAX_LABELS: usize = 4_096;
const MAX_LABEL: usize = 120;

/// Values by kind and output, for each line that was requested.
type ValueCache = HashMap<(FieldKind, Output), Vec<Option<Rc<[TypedValue]>>>>;

#[derive(Clone, Debug, Default)]
pub(crate) struct Cache {
    words: RefCell<HashMap<String, Rc<[Word]>>>,
    values: RefCell<ValueCache>,
}

impl Text {
    /// The concepts of a label, as [`words`].
    pub(crate) fn words(&self, label: &str) -> Rc<[Word]> {
        if let Some(known) = self.cache.words.borrow().get(label) {
            return Rc::clone(known);
        }
        let found: Rc<[Word]> = words(label).into();
        let mut kept = self.cache.words.borrow_mut();
        if label.len() <= MAX_LABEL && kept.len() < MAX_LABELS {
            kept.insert(label.to_owned(), Rc::clone(&found));
        }
        found
    }

    /// The values of a kind in a line, as [`find`].
    pub(crate) fn values(&self, kind: FieldKind, line: usize, output: Output) -> Rc<[TypedValue]> {
        let Some(own) = self.lines.get(line) else { return Rc::default() };
        if self.lines.len() > MAX_LINES {
            return find(kind, self, own, output).into();
        }
        let key = (kind, output);
        let known = self.cache.values.borrow().get(&key).and_then(|lines| lines.get(line).cloned().flatten());
        known.unwrap_or_else(|| {
            let found: Rc<[TypedValue]> = find(kind, self, own, output).into();
            let mut kept = self.cache.values.borrow_mut();
            let lines = kept.entry(key).or_insert_with(|| vec![None; self.lines.len()]);
            if let Some(slot) = lines.get_mut(line) {
                *slot = Some(Rc::clone(&found));
            }
            found
        })
    }
}
