//! How well the labels of a text fit fields, for the validation of values that another model extracted.

use language::label::is_concept;

use super::concepts::{Concepts, concepts, fit, words};
use super::lines::TextLines;
use super::position::{label_fit, sectioned_fit};
use super::printed_answers::{self, PrintedAnswer};

/// Maximum bytes of a text that are read. Bounds the time.
const MAX_BYTES: usize = 200_000;
/// Maximum lines that are searched for labels. Each is compared with each field, so it bounds the time for
/// long columns.
const SEARCHED: usize = 200;
/// Maximum words of a label. Chosen by hand; no measurement is recorded.
const MAX_LABEL: usize = 6;
/// Weight of a label above a value, relative to one to its left. Between those of `field_value` for amounts
/// and for others. Chosen by hand; no measurement is recorded.
const ABOVE: f32 = 0.9;

/// The concepts of a field's name and description.
#[derive(Clone, Debug)]
pub struct FieldWords(Concepts);

impl FieldWords {
    /// Parses a name, which may begin with the name of the enclosing object, and a description.
    #[must_use]
    pub fn new(name: &str, description: &str) -> Self {
        Self(concepts(name, description))
    }

    /// Adds labels that the form names for the field.
    #[must_use]
    pub fn with_aliases(self, aliases: &[String]) -> Self {
        Self(self.0.with_aliases(aliases.iter().map(String::as_str)))
    }

    /// How well a text fits the field as its label, 0 to 1.
    #[must_use]
    pub fn fit(&self, label: &str) -> f32 {
        fit(&self.0, &words(label))
    }

    /// Whether a concept of the vocabulary, such as `due`, is in the name.
    #[must_use]
    pub fn has(&self, concept: &str) -> bool {
        self.0.has(concept)
    }
}

/// Whether all words of a text are those of labels, as in "order number".
#[must_use]
pub fn is_label(text: &str) -> bool {
    let words = words(text);
    !words.is_empty() && words.iter().all(|word| is_concept(word))
}

/// The labels of a text.
#[derive(Debug)]
pub struct LabelReader(TextLines);

impl LabelReader {
    /// Parses the lines of a text, at most 200,000 bytes of it.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(TextLines::read(text, MAX_BYTES))
    }

    /// How well the label of a position fits a field, 0 to 1. The position is in Unicode characters of the
    /// text; beyond the part that was read the result is 0.
    #[must_use]
    pub fn fit_at(&self, field: &FieldWords, start: usize, end: usize) -> f32 {
        let after = self.0.lines.partition_point(|line| line.start <= start);
        let Some(line) = after.checked_sub(1) else { return 0.0 };
        let Some(own) = self.0.lines.get(line) else { return 0.0 };
        let is_last = after == self.0.lines.len();
        if is_last && start > own.start + own.text.chars().count() {
            return 0.0;
        }
        let byte = |character: usize| {
            let within = character.saturating_sub(own.start);
            own.text.char_indices().nth(within).map_or(own.text.len(), |(at, _)| at)
        };
        label_fit(&self.0, &field.0, line, byte(start), byte(end), ABOVE)
    }

    /// Every yes and no printed in the text.
    #[must_use]
    pub fn answers(&self) -> Vec<PrintedAnswer> {
        printed_answers::answers(&self.0)
    }

    /// Whether the sentence that fits a field best is affirmative, and how well it fits, 0 to 1. `None`
    /// without such a sentence.
    #[must_use]
    pub fn statement(&self, field: &FieldWords) -> Option<(bool, f32)> {
        printed_answers::statement(&self.0, &field.0)
    }

    /// The labels that fit a field: how well, 0 to 1, and the value after each on its line, else on the next
    /// one.
    #[must_use]
    pub fn labels(&self, field: &FieldWords) -> Vec<(f32, &str)> {
        let mut labels = Vec::new();
        for (index, line) in self.0.lines.iter().take(SEARCHED).enumerate() {
            for segment in &line.segments {
                let content = line.slice(segment.start, segment.end);
                let label = content.split([':', '：', '.']).next().unwrap_or_default();
                if label.split_whitespace().nth(MAX_LABEL).is_some() {
                    continue;
                }
                let fit = sectioned_fit(&self.0, &field.0, index, &self.0.words(label));
                if fit > 0.0 {
                    labels.push((fit, self.value_after(index, segment.start + label.len())));
                }
            }
        }
        labels
    }

    fn value_after(&self, line: usize, byte: usize) -> &str {
        let rest = |index: usize, from: usize| {
            let line = self.0.lines.get(index)?;
            let text = line.slice(from, line.text.len()).trim_matches(|c: char| !c.is_alphanumeric());
            let first = text.split(['|', ';', '\t']).next().unwrap_or_default();
            let cell = first.split("  ").next().unwrap_or_default().trim();
            (!cell.is_empty()).then_some(cell)
        };
        rest(line, byte).or_else(|| rest(line + 1, 0)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_label_beside_a_value_fits_its_field_and_not_another() {
        let text = "Rechnungsdatum: 03.04.2024\nFällig am: 17.04.2024\n";
        let reader = LabelReader::new(text);
        let (issued, due) = (FieldWords::new("invoice_date", ""), FieldWords::new("due_date", ""));
        let at = |value: &str| text[..text.find(value).unwrap()].chars().count();
        let (first, second) = (at("03.04.2024"), at("17.04.2024"));
        assert!(reader.fit_at(&issued, first, first + 10) > 0.6);
        assert_eq!(reader.fit_at(&due, first, first + 10), 0.0);
        let fit = reader.fit_at(&due, second, second + 10);
        assert!(fit > 0.4, "{fit}");
        let labels = reader.labels(&due);
        assert!(labels.iter().any(|(fit, behind)| *fit > 0.4 && *behind == "17.04.2024"), "{labels:?}");
        assert_eq!(reader.fit_at(&due, 9_999, 10_000), 0.0);
    }
}
