//! A document with what several fields need of it: its conventions, and the dates and typed values of its lines.
//! The values of long texts are not cached, so that memory stays a small multiple of the input.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::ops::Deref;
use std::rc::Rc;

use forms_core::labels::{Line, TextLines};
use language::fold::fold_phrase;
use language::money::Currency;
use language::number::{decimal_separator, parse, pick_by_separator};
use language::printed_currency::certain_currencies;

use super::dates::{DateSpan, dates, day_first};
use super::kind::{FieldKind, Output};
use super::values::{TypedValue, find};

/// Maximum lines of a text with cached values.
const MAX_LINES: usize = 2_000;

/// Values by kind and output, for each line that was requested.
type ValueCache = HashMap<(FieldKind, Output), Vec<Option<Rc<[TypedValue]>>>>;

/// The text of a document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Text {
    printed: TextLines,
    bytes: usize,
    /// Whether the day is before the month in dates such as 03/04/2018; `None` when unknown.
    day_first: Option<bool>,
    /// The decimal separator; `None` when unknown.
    pub(crate) decimal: Option<char>,
    /// The dates of each line, computed on first use.
    dates: Vec<OnceCell<Vec<DateSpan>>>,
    values: RefCell<ValueCache>,
    /// The lines as [`fold_phrase`] writes them, computed on first use.
    phrases: OnceCell<Vec<String>>,
    /// The only currency that is printed without doubt, computed on first use.
    currency: OnceCell<Option<Currency>>,
}

impl Deref for Text {
    type Target = TextLines;

    fn deref(&self) -> &TextLines {
        &self.printed
    }
}

impl Text {
    /// Parses at most `room` bytes of a text.
    pub(crate) fn read(text: &str, room: usize) -> Self {
        let printed = TextLines::read(text, room);
        Self {
            bytes: text.len().min(room),
            day_first: day_first(&printed.lines),
            decimal: decimal_separator(std::iter::once(text)),
            dates: vec![OnceCell::new(); printed.lines.len()],
            values: RefCell::default(),
            phrases: OnceCell::new(),
            currency: OnceCell::new(),
            printed,
        }
    }

    /// The only number of a printed text.
    pub(crate) fn number(&self, printed: &str) -> Option<f64> {
        parse(printed, |readings| pick_by_separator(readings, self.decimal))
    }

    /// The lines as [`fold_phrase`] writes them.
    pub(crate) fn phrases(&self) -> &[String] {
        self.phrases.get_or_init(|| self.lines.iter().map(|line| fold_phrase(&line.text)).collect())
    }

    /// The only currency that is printed without doubt; `None` where there are none or several.
    pub(crate) fn only_currency(&self) -> Option<Currency> {
        *self.currency.get_or_init(|| {
            let mut found: Vec<Currency> = Vec::new();
            for one in self.lines.iter().flat_map(|line| certain_currencies(&line.text)) {
                if !found.contains(&one) {
                    found.push(one);
                }
            }
            found.first().copied().filter(|_| found.len() == 1)
        })
    }

    /// Estimated tokens: four bytes each.
    pub(crate) fn tokens(&self) -> usize {
        self.bytes / 4
    }

    /// The dates of a line of this text, in order.
    pub(crate) fn dates(&self, line: &Line) -> &[DateSpan] {
        let at = self.lines.binary_search_by_key(&line.start, |line| line.start);
        let known = at.ok().and_then(|at| self.dates.get(at));
        known.map_or(&[], |known| known.get_or_init(|| dates(&line.text, self.day_first)))
    }

    /// The values of a kind in a line of this text, computed anew.
    pub(crate) fn find_values(&self, kind: FieldKind, line: &Line, output: Output) -> Vec<TypedValue> {
        find(kind, line, output, self.decimal, || self.dates(line))
    }

    /// The values of a kind in a line, as [`find`].
    pub(crate) fn values(&self, kind: FieldKind, line: usize, output: Output) -> Rc<[TypedValue]> {
        let Some(own) = self.lines.get(line) else { return Rc::default() };
        if self.lines.len() > MAX_LINES {
            return self.find_values(kind, own, output).into();
        }
        let key = (kind, output);
        let known = self.values.borrow().get(&key).and_then(|lines| lines.get(line).cloned().flatten());
        known.unwrap_or_else(|| {
            let found: Rc<[TypedValue]> = self.find_values(kind, own, output).into();
            let mut kept = self.values.borrow_mut();
            let lines = kept.entry(key).or_insert_with(|| vec![None; self.lines.len()]);
            if let Some(slot) = lines.get_mut(line) {
                *slot = Some(Rc::clone(&found));
            }
            found
        })
    }
}
