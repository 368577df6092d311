//! The concepts of names and labels, and how well a label fits a field.

use std::borrow::Cow;

use language::fold::fold_word;
use language::label::{SumWord, compound, concept, concept_of_pair, is_concept, is_filler};

use super::vocabulary::{DATED_DOCUMENTS, DOCUMENT_TYPES, KINDS, NOUNS, QUALIFIERS, SYNONYMS};

/// Maximum words of a label. Bounds the time.
const MAX_WORDS: usize = 64;
// Chosen by hand; no measurement is recorded.
/// Maximum bytes of a description that may be a label.
const MAX_DESCRIPTION_LABEL: usize = 32;
/// Words of a description that say what the field is; later ones explain it.
const PHRASE_WORDS: usize = 6;

// Parts of the fit of a label, which is 0 to 1. Set on the open halves of `cargo xtask bench extraction` and
// the documents of the tests; none was measured alone.
/// Weights of a word for the type of the document and for the kind of a value; other words have 1.
const DOCUMENT_WEIGHT: f32 = 0.4;
const KIND_WEIGHT: f32 = 0.5;
/// The share of a word's weight that a synonym has.
const SYNONYM: f32 = 0.7;
/// Taken off for each qualifier, and for each other word, that the field lacks.
const STRANGE: f32 = 0.35;
const OTHER: f32 = 0.08;
/// Factor of the fit of a label about another thing: it falls below `field_value::MIN_FIT` unless two thirds
/// fit.
const APART: f32 = 0.5;
/// Factor of the fit of a description, which is less certain than the name.
const TOLD: f32 = 0.9;

/// A concept, or a folded word without one.
pub type Word = Cow<'static, str>;

/// The concepts of a field's name and description.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Concepts {
    /// Concepts of the name in order, without duplicates.
    pub words: Vec<Word>,
    /// Concepts of the description, which help to determine the kind.
    pub hints: Vec<Word>,
    /// The start of the description, if the name alone says nothing.
    phrase: Vec<Word>,
    /// The description, if it is short enough to be a label. A label of the same words fits.
    description_label: Vec<Word>,
    /// Concepts that a label must have.
    required: Vec<Word>,
    /// Labels that the form names beside the field's own.
    aliases: Vec<Vec<Word>>,
}

impl Concepts {
    /// Whether a concept is in the name.
    #[must_use]
    pub fn has(&self, concept: &str) -> bool {
        self.words.iter().any(|word| word == concept)
    }

    /// Whether a concept is in the name or the description.
    #[must_use]
    pub fn hints_at(&self, concept: &str) -> bool {
        self.has(concept) || self.hints.iter().any(|word| word == concept)
    }

    /// Whether it asks for something of the document itself: beside `kind`, its name has only words for types
    /// of documents.
    #[must_use]
    pub fn is_general(&self, kind: &[&str]) -> bool {
        let general = |word: &Word| kind.contains(&word.as_ref()) || DOCUMENT_TYPES.contains(&word.as_ref());
        !self.is_qualified() && self.words.iter().all(general)
    }

    /// Whether its name says nothing and its description names a company.
    #[must_use]
    pub fn is_described_as_company(&self) -> bool {
        let company = |word: &Word| word == "company" || word == "vendor";
        !self.is_qualified()
            && !self.words.iter().any(|word| is_concept(word))
            && self.hints.iter().take(2).any(company)
    }

    /// Concepts that a label must have.
    pub fn qualifiers(&self) -> impl Iterator<Item = &str> {
        self.required.iter().map(AsRef::as_ref)
    }

    /// Whether a label must have particular concepts.
    #[must_use]
    pub fn is_qualified(&self) -> bool {
        !self.required.is_empty()
    }
}

/// The concepts of a field's name and description.
#[must_use]
pub fn concepts(name: &str, description: &str) -> Concepts {
    let words_of_name = words(&split_name(name));
    let hints = words(description);
    let phrase = phrase_of(&words_of_name, &hints, description);
    // Documents seldom say whose date of birth it is.
    let birth = words_of_name.iter().any(|word| word == "birth");
    // A date of purchase is not one of an order.
    let ordered = words_of_name.iter().any(|word| word == "order");
    let demanded = |word: &&Word| {
        QUALIFIERS.contains(&word.as_ref())
            && (!birth || *word == "birth")
            && (ordered || *word != "purchase")
    };
    let demands = words_of_name.iter().filter(demanded).cloned().collect();
    let generic = |word: &Word| KINDS.contains(&word.as_ref()) || NOUNS.contains(&word.as_ref());
    // Three words are a label; more are an explanation. Chosen by hand; no measurement is recorded.
    let short = description.len() <= MAX_DESCRIPTION_LABEL && hints.len() <= 3 && !hints.iter().all(generic);
    let told = if short { hints.clone() } else { Vec::new() };
    Concepts {
        words: words_of_name,
        hints,
        phrase,
        description_label: told,
        required: demands,
        aliases: Vec::new(),
    }
}

/// The words of a description that may be the label itself: if the name says nothing, or if the description
/// is short and has unknown words, as one in the document's language has.
fn phrase_of(name: &[Word], hints: &[Word], description: &str) -> Vec<Word> {
    let known = name.iter().any(|word| is_concept(word));
    // As above, with fillers. Chosen by hand; no measurement is recorded.
    let short = description.split_whitespace().count() <= 4;
    let own = hints.iter().any(|word| !is_concept(word)) || hints.len() == 2 && description.len() < 32;
    if known && !(short && own) { Vec::new() } else { hints.iter().take(PHRASE_WORDS).cloned().collect() }
}

impl Concepts {
    /// Adds labels that the form names for the field.
    #[must_use]
    pub fn with_aliases<'a>(mut self, aliases: impl IntoIterator<Item = &'a str>) -> Self {
        self.aliases.extend(aliases.into_iter().map(words).filter(|words| !words.is_empty()));
        self
    }

    /// Requires the roles in the first clause of the description too.
    pub fn require_roles(&mut self, description: &str, roles: &[&str]) {
        let clause = description.split([',', '.', ';', '(']).next().unwrap_or_default();
        if self.is_qualified() {
            return;
        }
        let named =
            words(clause).into_iter().take(PHRASE_WORDS).filter(|word| roles.contains(&word.as_ref()));
        self.required.extend(named);
    }
}

/// `invoiceDate` and `invoice_date` as separate words.
fn split_name(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 8);
    let mut lower = false;
    for c in name.chars() {
        if c.is_uppercase() && lower {
            text.push(' ');
        }
        lower = c.is_lowercase() || c.is_ascii_digit();
        text.push(if c == '_' || c == '-' || c == '.' { ' ' } else { c });
    }
    text
}

/// The concepts of a text without fillers and duplicates.
#[must_use]
pub fn words(text: &str) -> Vec<Word> {
    let mut found: Vec<Word> = Vec::new();
    let mut push = |word: Word| {
        if !found.contains(&word) {
            found.push(word);
        }
    };
    let mut folded = text
        .split(|c: char| !c.is_alphanumeric())
        .map(fold_word)
        .filter(|word| !word.is_empty())
        .take(MAX_WORDS)
        .peekable();
    while let Some(word) = folded.next() {
        let next = folded.peek().map_or("", String::as_str);
        if word == "p" && next == "o" {
            folded.next();
            push("purchase".into());
            push("order".into());
        } else if let Some(concept) = phrase(&word, next) {
            folded.next();
            push(concept.into());
        } else if let Some((first, second)) = compound(&word) {
            push(first.into());
            push(second.into());
        } else if let Some(concept) = concept(&word) {
            push(concept.into());
        } else if !is_filler(&word) {
            push(word.into());
        }
    }
    found
}

/// The concept of two words together. A sum without the tax is a subtotal.
fn phrase(first: &str, second: &str) -> Option<&'static str> {
    concept_of_pair(first, second).or_else(|| {
        concept(second).filter(|concept| *concept == "tax")?;
        let exclusive = SumWord::Exclusive.has(first).then_some("subtotal");
        exclusive.or_else(|| SumWord::Inclusive.has(first).then_some("gross"))
    })
}

/// How well a label fits a field, 0 to 1. It is 0 if the label lacks a qualifier of the field; a qualifier
/// that the field does not have lowers it.
#[must_use]
pub fn fit(field: &Concepts, label: &[Word]) -> f32 {
    let aliases = field.aliases.iter().map(|alias| fit_alias(alias, label));
    aliases.fold(fit_own(field, label), f32::max)
}

/// As [`fit`], of a label that the form names itself: it needs no qualifier of the field.
fn fit_alias(alias: &[Word], label: &[Word]) -> f32 {
    let is_same = alias.len() == label.len() && alias.iter().all(|word| has(label, word));
    if is_same { 1.0 } else { fit_words(alias, label) }
}

fn fit_own(field: &Concepts, label: &[Word]) -> f32 {
    // The description may be the label itself.
    let told = !field.description_label.is_empty()
        && label.len() == field.description_label.len()
        && field.description_label.iter().all(|word| label.contains(word));
    if told {
        return TOLD;
    }
    // The date of shipping is not that of delivery.
    let strict = field.has("date");
    let lacks = |qualifier: &str| !has(label, qualifier) && (strict || !has_related(label, qualifier));
    if label.is_empty() || field.qualifiers().any(lacks) {
        return 0.0;
    }
    let named = fit_words(&field.words, label);
    if field.phrase.is_empty() { named } else { named.max(TOLD * fit_words(&field.phrase, label)) }
}

/// Whether a label has a concept or a synonym of it.
#[must_use]
pub fn stands_for(label: &[Word], concept: &str) -> bool {
    has(label, concept) || has_related(label, concept)
}

fn has(words: &[Word], concept: &str) -> bool {
    words.iter().any(|word| is_same_word(word, concept))
}

/// Whether a label has a synonym of a concept.
fn has_related(label: &[Word], concept: &str) -> bool {
    let groups = SYNONYMS.iter().filter(|group| group.contains(&concept));
    groups.flat_map(|group| group.iter()).any(|other| has(label, other))
}

/// The weight of a word of a field's name: low for the type of the document, and half for the kind of value,
/// which the value itself shows.
fn weight(word: &str, dated: bool) -> f32 {
    if DOCUMENT_TYPES.contains(&word) || dated && DATED_DOCUMENTS.contains(&word) {
        DOCUMENT_WEIGHT
    } else if KINDS.contains(&word) {
        KIND_WEIGHT
    } else {
        1.0
    }
}

fn fit_words(field: &[Word], label: &[Word]) -> f32 {
    let (mut matched, mut wanted) = (0.0, 0.0);
    let dated = field.iter().any(|word| word == "date");
    // Whether the label lacks a word of the field, and whether it matches more than a generic noun.
    let (mut missing, mut lacking, mut special, mut kind) = (false, false, false, true);
    for word in field {
        let weight = weight(word, dated);
        wanted += weight;
        if has(label, word) {
            matched += weight;
            special |= !NOUNS.contains(&word.as_ref());
            kind &= KINDS.contains(&word.as_ref()) || DOCUMENT_TYPES.contains(&word.as_ref());
        } else if has_related(label, word) {
            matched += SYNONYM * weight;
            special = true;
            kind &= KINDS.contains(&word.as_ref());
        } else {
            missing |= weight == 1.0;
            lacking |= weight == 1.0 && word != "person";
        }
    }
    if matched == 0.0 {
        return 0.0;
    }
    let (strange, others) = count_other_words(field, label);
    let fit = (matched / wanted - STRANGE * strange as f32 - OTHER * others as f32).clamp(0.0, 1.0);
    let more = field.iter().any(|word| !NOUNS.contains(&word.as_ref()));
    // If the field and the label each have words that the other lacks, they are about different things. "No."
    // and "Date" alone may belong to anything.
    let apart = missing && strange + others > 0 || more && !special || lacking && kind;
    if apart { APART * fit } else { fit }
}

/// The number of qualifiers, and of other words, of a label beyond the field's words.
fn count_other_words(field: &[Word], label: &[Word]) -> (usize, usize) {
    let (mut strange, mut others) = (0, 0);
    for word in label.iter().filter(|word| !has(field, word)) {
        // What is due is paid.
        let implied = (word == "payment" || word == "end") && has(field, "due") || has_related(field, word);
        if QUALIFIERS.contains(&word.as_ref()) && !implied {
            strange += 1;
        } else if !DOCUMENT_TYPES.contains(&word.as_ref()) && word.bytes().any(|byte| !byte.is_ascii_digit())
        {
            others += 1;
        }
    }
    (strange, others)
}

/// Whether two words are equal up to typing errors.
fn is_same_word(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let shorter = a.len().min(b.len());
    let slips = match shorter {
        // One slip in six letters, two in ten: in shorter words a slip makes another word. Chosen by hand; no
        // measurement is recorded.
        0..6 => return false,
        6..10 => 1,
        _ => 2,
    };
    a.len().abs_diff(b.len()) <= slips
        && a.as_bytes().first() == b.as_bytes().first()
        && strsim::osa_distance(a, b) <= slips
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(field: &str, label: &str) -> f32 {
        fit(&concepts(field, ""), &words(label))
    }

    #[test]
    fn a_label_fits_by_meaning_in_several_languages() {
        for (field, label) in [
            ("invoice_number", "Invoice No."),
            ("invoiceNumber", "Rechnungsnummer"),
            ("due_date", "Due Date"),
            ("customer_name", "Customer"),
            ("total", "Gesamtbetrag"),
            ("birth_date", "Date of birth"),
        ] {
            assert!(score(field, label) > 0.4, "{field} {label} {}", score(field, label));
        }
    }

    #[test]
    fn a_label_that_the_form_names_fits() {
        let field = concepts("order_number", "").with_aliases(["Belegkennung", "Our ref."]);
        for (label, expected) in [("Belegkennung", 1.0), ("Our Ref", 1.0), ("Kennung", 0.0)] {
            assert_eq!(fit(&field, &words(label)), expected, "{label}");
        }
        assert!(fit(&field, &words("Order number")) > 0.9);
    }

    #[test]
    fn a_label_without_the_fields_qualifier_or_with_another_does_not_fit() {
        for (field, label) in
            [("due_date", "Date"), ("birth_date", "Invoice date"), ("purchase_order", "Order type")]
        {
            assert_eq!(score(field, label), 0.0, "{field} {label}");
        }
        assert!(score("total", "Total tax") < score("total", "Total"));
        assert!(score("date", "Due date") < score("date", "Date"));
    }
}
