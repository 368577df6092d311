//! How well the labels of a text fit fields, for those who judge values that another model read.

use super::label_position::{label_fit, sectioned_fit};
use super::labels::{Concepts, concepts, fit, words};
use super::lines::Text;
use super::vocabulary::is_concept;
use super::yes_no_answers::{self, PrintedAnswer};

/// Bytes of a text whose labels are read.
const MAX_BYTES: usize = 200_000;
/// Lines that are searched for the label that fits a field best.
const SEARCHED: usize = 200;
/// Words of a label.
const MAX_LABEL: usize = 6;
/// What a label above a value counts beside one to its left.
const ABOVE: f32 = 0.9;

/// What a field's name and description say.
#[derive(Clone, Debug)]
pub struct FieldWords(Concepts);

impl FieldWords {
    /// Reads a name, which may hold the name of the object around before it, and a description.
    #[must_use]
    pub fn new(name: &str, description: &str) -> Self {
        Self(concepts(name, description))
    }

    /// How well a text would be a label of the field, 0 to 1.
    #[must_use]
    pub fn fit(&self, label: &str) -> f32 {
        fit(&self.0, &words(label))
    }

    /// Whether a concept of the vocabulary, such as `due`, is among the words of the name.
    #[must_use]
    pub fn has(&self, concept: &str) -> bool {
        self.0.has(concept)
    }
}

/// Whether a text has words of labels alone, such as those for "order number".
#[must_use]
pub fn is_label(text: &str) -> bool {
    let words = words(text);
    !words.is_empty() && words.iter().all(|word| is_concept(word))
}

/// The labels of a text.
#[derive(Debug)]
pub struct LabelReader(Text);

impl LabelReader {
    /// Reads the lines of a text, 200,000 bytes of it at most.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(Text::read(text, MAX_BYTES))
    }

    /// How well the label of a place fits a field, 0 to 1; the place is given by Unicode characters of the
    /// text. 0 where the text was not read so far.
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

    /// Every yes and no that the text prints.
    #[must_use]
    pub fn answers(&self) -> Vec<PrintedAnswer> {
        yes_no_answers::answers(&self.0)
    }

    /// Whether the sentence that is most about a field says yes or denies it, and how much it is about the field, 0
    /// to 1.
    #[must_use]
    pub fn statement(&self, field: &FieldWords) -> Option<(bool, f32)> {
        yes_no_answers::statement(&self.0, &field.0)
    }

    /// The labels of the text that fit a field: how well each does, 0 to 1, and what stands behind it on its line,
    /// else on the next one.
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
