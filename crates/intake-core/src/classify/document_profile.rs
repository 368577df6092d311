//! What a document prints that tells its kind: titles, labels, and the heads of tables.

use document::{BlockKind, Document, TextSlices};
use forms_core::labels::{Word, labelled_values, words};
use language::form_kinds::kinds_named;

use super::quote::Quote;
use super::settled_payment::shows_change;
use crate::page::{folded_words, is_title};

// Bounds of the time; a document tells its kind at its beginning.
/// Characters that are looked at.
const MAX_CHARS: usize = 40_000;
/// Labels and heads of tables.
const MAX_LABELS: usize = 200;
/// Lines at the top that may be a title: below a letterhead and two addresses. Chosen by hand.
const TITLE_LINES: usize = 25;

/// A document as forms are compared with it.
#[derive(Debug, Default)]
pub(super) struct DocumentProfile {
    /// Its first lines that may be titles.
    pub(super) titles: Vec<TitleLine>,
    pub(super) labels: Vec<LabelLine>,
    /// The kinds that its text names anywhere in its beginning.
    pub(super) mentions: Vec<&'static str>,
    /// Whether it shows a payment that was made.
    pub(super) is_paid: bool,
}

#[derive(Debug)]
pub(super) struct TitleLine {
    pub(super) kinds: Vec<&'static str>,
    pub(super) words: Vec<String>,
    pub(super) quote: Quote,
}

#[derive(Debug)]
pub(super) struct LabelLine {
    pub(super) words: Vec<Word>,
    /// The value beside it; `None` for the head of a column.
    pub(super) value: Option<String>,
    pub(super) quote: Quote,
}

impl DocumentProfile {
    pub(super) fn of(document: &Document) -> Self {
        let slices = TextSlices::new(&document.text);
        let text = slices.get(0, MAX_CHARS);
        let mut profile = Self::default();
        let lines = text.split_inclusive('\n').scan(0, |at, line| {
            let start = *at;
            *at += line.chars().count();
            Some((start, line))
        });
        let mut seen = 0;
        for (start, line) in lines {
            if seen < TITLE_LINES && line.chars().any(char::is_alphanumeric) {
                seen += 1;
                if is_title(line) {
                    let quote = Quote::of(document, line, start);
                    let kinds = kinds_named(line);
                    profile.titles.push(TitleLine { kinds, words: folded_words(line).collect(), quote });
                }
            }
        }
        let title = document.metadata.title.as_deref().unwrap_or_default();
        profile.mentions = kinds_named(title);
        profile.is_paid = shows_change(text);
        profile.labels = labels(document, text);
        profile.push_heads(document, &slices);
        profile
    }

    /// Adds the heads of columns.
    fn push_heads(&mut self, document: &Document, slices: &TextSlices<'_>) {
        for block in &document.blocks {
            let BlockKind::Table { cells } = &block.kind else { continue };
            for cell in cells.iter().filter(|cell| cell.row == 0 && cell.end <= MAX_CHARS) {
                if self.labels.len() >= MAX_LABELS {
                    return;
                }
                let text = slices.get(cell.start, cell.end);
                let quote = Quote::of(document, text, cell.start);
                self.labels.push(LabelLine { words: words(text), value: None, quote });
            }
        }
    }
}

fn labels(document: &Document, text: &str) -> Vec<LabelLine> {
    let (mut at, mut chars) = (0, 0);
    let mut found = Vec::new();
    for one in labelled_values(text).into_iter().take(MAX_LABELS) {
        // In the order of the text, so that characters are counted once.
        chars += text.get(at..one.name.start).map_or(0, |skipped| skipped.chars().count());
        at = one.name.start;
        let (name, line) = (text.get(one.name.clone()), text.get(one.name.start..one.value.end));
        let (Some(name), Some(line)) = (name, line) else { continue };
        found.push(LabelLine {
            words: words(name),
            value: text.get(one.value).map(str::to_owned),
            quote: Quote::of(document, line, chars),
        });
    }
    found
}
