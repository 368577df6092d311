//! Infers the type of a field from its name.
//!
//! Counts of words that decide here were set on the phrases of `tests/schema`; none was measured alone.

use super::draft::DraftKind;
use super::words::{Lexicon, Word};

/// What words say of the type of a field: one value or `many`, with its format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct InferredType {
    pub(super) kind: DraftKind,
    pub(super) many: bool,
    pub(super) format: Option<&'static str>,
}

/// Infers the type from the words of a name.
pub(super) fn infer(name: &[Word], lexicon: Lexicon) -> InferredType {
    let name = NameWords::new(name, lexicon);
    let of = |kind: DraftKind| InferredType { kind, ..InferredType::default() };
    let (Some(first), Some(last)) = (name.first(), name.last()) else { return InferredType::default() };
    if name.is_question() {
        return of(DraftKind::Boolean);
    }
    if name.len() == 3 && lexicon.has("or", name.word(1)) {
        return InferredType::default();
    }
    if name.has("email") && !name.has("email_topic") {
        let many = lexicon.has("type_plural", last);
        return InferredType { kind: DraftKind::Email, many, format: None };
    }
    if name.has("url") || (name.len() > 1 && lexicon.has("site", first) && lexicon.has("web", last)) {
        let many = lexicon.has("type_plural", name.head);
        return InferredType { kind: DraftKind::Url, many, format: None };
    }
    if let Some(found) = name.date() {
        return found;
    }
    if name.len() == 2 && lexicon.has("integer", first) && lexicon.has_ending("past_ending", last, 0) {
        return of(DraftKind::Integer);
    }
    if name.is_flag() {
        return of(DraftKind::Boolean);
    }
    let rate = name.words.iter().skip(1).any(|word| lexicon.has("per", word));
    if rate && (lexicon.has_ending("plural_ending", name.head, 0) || lexicon.has("number", name.head)) {
        return of(DraftKind::Number);
    }
    if name.is_count() {
        return of(DraftKind::Integer);
    }
    if name.is_measure() {
        return of(DraftKind::Number);
    }
    InferredType { many: lexicon.has("list_noun", name.head), ..InferredType::default() }
}

/// The words of a name without possessive endings.
struct NameWords<'a> {
    words: Vec<&'a str>,
    /// The head noun.
    head: &'a str,
    lexicon: Lexicon,
}

impl<'a> NameWords<'a> {
    fn new(name: &'a [Word], lexicon: Lexicon) -> Self {
        let words: Vec<&str> = name
            .iter()
            .map(|word| strip_possessive(&word.plain, lexicon))
            .filter(|word| !word.is_empty())
            .collect();
        let head = head_noun(&words, lexicon);
        Self { words, head, lexicon }
    }

    fn len(&self) -> usize {
        self.words.len()
    }

    fn word(&self, at: usize) -> &'a str {
        self.words.get(at).copied().unwrap_or_default()
    }

    fn first(&self) -> Option<&'a str> {
        self.words.first().copied()
    }

    fn last(&self) -> Option<&'a str> {
        self.words.last().copied()
    }

    /// Whether a list has any of the words.
    fn has(&self, key: &str) -> bool {
        self.words.iter().any(|word| self.lexicon.has(key, word))
    }

    /// Whether the first word is in a list.
    fn starts(&self, key: &str) -> bool {
        self.lexicon.has(key, self.word(0))
    }

    /// Whether the last word is in a list.
    fn ends(&self, key: &str) -> bool {
        self.last().is_some_and(|word| self.lexicon.has(key, word))
    }

    /// Number of words of the longest phrase of a list that starts at `at`; 0 for none.
    fn phrase_at(&self, at: usize, key: &str) -> usize {
        let rest = self.words.get(at..).unwrap_or_default();
        let phrases = self.lexicon.list(key).iter().map(|phrase| phrase.split(' '));
        let fitting = phrases.filter(|phrase| {
            phrase.clone().count() <= rest.len() && phrase.clone().zip(rest).all(|(one, other)| one == *other)
        });
        fitting.map(Iterator::count).max().unwrap_or(0)
    }

    /// Whether the last word is in the past tense.
    fn ends_in_past(&self, key: &str) -> bool {
        let past =
            |word: &str| self.lexicon.has_ending("past_ending", word, 0) || self.lexicon.has(key, word);
        self.last().is_some_and(past)
    }

    /// Whether it is a yes-no question, or asks for a permission.
    fn is_question(&self) -> bool {
        let allowing = self.starts("permission") && self.lexicon.has("permission_joint", self.word(1));
        allowing || (self.len() > 1 && (self.starts("question_verb") || self.starts("agree")))
    }

    /// Whether a participle or the like makes it a question.
    fn is_flag(&self) -> bool {
        let stated = self.len() == 1 && self.starts("participle");
        let past = self.len() > 1
            && self.ends("participle")
            && !self.starts("sum_noun")
            && !self.ends("counted")
            && !self.starts("date_head");
        stated || past || self.has("consent")
    }

    /// Whether it counts something.
    fn is_count(&self) -> bool {
        let of = self.phrase_at(0, "count_of");
        let identifies = self.lexicon.has("identifier_of", self.word(of));
        (of > 0 && !identifies)
            || self.starts("count_noun")
            || (1..self.len()).any(|at| self.phrase_at(at, "count_within") > 0)
            || (self.starts("count_head") && self.ends("counted"))
            || (self.ends("size") && self.len() > 1 && self.lexicon.has("group", self.word(self.len() - 2)))
            || (self.len() == 2
                && self.starts("bound")
                && self.lexicon.has_ending("plural_ending", self.word(1), 0))
            || self.lexicon.has("integer", self.head)
            || (self.starts("year") && self.len() <= 3)
            || self.lexicon.has_ending("count_ending", self.head, 0)
    }

    /// Whether it measures something.
    fn is_measure(&self) -> bool {
        let number = |word: &str| self.lexicon.has("number", word);
        number(self.head)
            || (self.len() == 2
                && self.starts("number")
                && (self.ends_in_past("past_number") || self.ends("participle")))
            || (self.lexicon.has("area", self.head) && self.has("surveyed"))
            || (self.ends("size") && self.has("sized"))
            || (self.starts("acidity") && (self.len() == 1 || self.ends("reading")))
            || self.phrase_at(0, "how_much") > 0
            || (self.starts("total") && self.len() > 1 && self.ends("number"))
            || (self.head.len() > 5 && self.lexicon.has_ending("number_ending", self.head, 0))
    }

    /// Dates, times and date-times.
    fn date(&self) -> Option<InferredType> {
        if self.has("clock") && self.has("date") {
            return Some(InferredType { format: Some("date-time"), ..InferredType::default() });
        }
        let noun_last = !self.lexicon.is_noun_first();
        let several = self.len() > 1;
        let dated = self.lexicon.has("date", self.head)
            || (self.starts("date_head") && self.len() == 2 && self.ends_in_past("past_date"))
            || (several
                && self.ends("boundary")
                && (noun_last || (self.len() == 2 && self.starts("planned"))))
            || self.lexicon.has_ending("boundary_ending", self.word(self.len() - 1), 3)
            || (self.starts("since") && self.lexicon.has("when", self.word(1)))
            || (several && self.starts("next") && self.ends("visit"))
            || (self.ends("day") && self.starts("event") && self.len() <= 3)
            || self.starts("when")
            || (several && self.ends("date_tail") && !self.has("no_date"))
            || (several && self.ends("due") && !self.has("number"))
            || (several && self.ends("until"))
            || (self.ends("date") && self.len() <= 4 && noun_last && !self.ends("due"))
            || (self.starts("due") && self.len() <= 2 && !self.ends("sum_noun"))
            || self.lexicon.has_ending("date_ending", self.head, 0)
            || (!noun_last && self.starts("date_head"));
        dated.then(|| InferredType { kind: DraftKind::Date, ..InferredType::default() })
    }
}

/// The head noun of a name.
fn head_noun<'a>(words: &[&'a str], lexicon: Lexicon) -> &'a str {
    let first = words.first().copied().unwrap_or_default();
    if lexicon.is_noun_first() {
        return first;
    }
    let end = words
        .iter()
        .skip(1)
        .position(|word| lexicon.has("preposition", word))
        .map_or(words.len(), |at| at + 1);
    words.get(end.saturating_sub(1)).copied().unwrap_or(first)
}

/// The word without its possessive ending.
pub(super) fn strip_possessive(word: &str, lexicon: Lexicon) -> &str {
    lexicon.list("possessive").iter().find_map(|ending| word.strip_suffix(ending.as_str())).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use language::Language;
    use language::form_words::FormWords;

    use super::*;
    use crate::schema::words::words;

    #[test]
    fn the_head_of_a_name_decides_its_type() {
        let of = |code| FormWords::of(Language::from_code(code).unwrap());
        for (name, kind) in [
            ("date of birth", DraftKind::Date),
            ("birth certificate number", DraftKind::String),
            ("number of guests", DraftKind::Integer),
            ("price per night", DraftKind::Number),
            ("price list", DraftKind::String),
            ("collected on", DraftKind::Date),
            ("amount paid", DraftKind::Number),
            ("deposit paid", DraftKind::Boolean),
            ("consent to marketing emails", DraftKind::Boolean),
            ("email address", DraftKind::Email),
            ("company website", DraftKind::Url),
            ("hours per week", DraftKind::Number),
            ("type of leave", DraftKind::String),
        ] {
            assert_eq!(infer(&words(name), of("en")).kind, kind, "{name}");
        }
        assert_eq!(infer(&words("Kaufdatum"), of("de")).kind, DraftKind::Date);
        assert_eq!(infer(&words("numéro de téléphone"), of("fr")).kind, DraftKind::String);
        assert_eq!(infer(&words("número de personas"), of("es")).kind, DraftKind::Integer);
    }
}
