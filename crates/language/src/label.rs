//! Words of business documents: labels as concepts, words beside sums, words of names. All languages together, since
//! a label is short and a document may mix them. Words are folded as [`fold_word`] does.

use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::fold::fold_word;
use crate::keyed_words::keyed_words;
use crate::language::Language;
use crate::phrase::PhraseTable;
use crate::vocabulary::Everywhere;

/// Bytes of words that are looked at as compounds.
const COMPOUND: std::ops::RangeInclusive<usize> = 8..=40;
/// Bytes of a compound's first part at the least.
const MIN_FIRST: usize = 4;
/// Bytes of its last part at the least, but for `nr`.
const MIN_LAST: usize = 3;
/// Letters that link the parts of German and Dutch compounds.
const LINKS: [&str; 6] = ["", "s", "n", "en", "es", "er"];

/// The two concepts of a compound.
pub type ConceptPair = (&'static str, &'static str);

struct Labels {
    phrases: PhraseTable<&'static str>,
    concepts: FxHashSet<&'static str>,
    compounds: FxHashMap<String, ConceptPair>,
}

static LABELS: LazyLock<Labels> = LazyLock::new(|| {
    let mut labels = Labels {
        phrases: PhraseTable::default(),
        concepts: FxHashSet::default(),
        compounds: FxHashMap::default(),
    };
    for locale in Language::all().filter_map(Language::locale) {
        for entry in locale.labels.entries() {
            labels.concepts.insert(entry.key);
            labels.phrases.extend(entry.words, entry.key);
        }
        for entry in locale.label_compounds.entries() {
            let Some(pair) = entry.key.split_once(' ') else { continue };
            for word in entry.words.iter() {
                labels.compounds.insert(fold_word(word), pair);
            }
        }
    }
    labels
});

/// The concept of a folded word: `invoice` of `rechnung`.
#[must_use]
pub fn concept(folded: &str) -> Option<&'static str> {
    LABELS.phrases.of_word(folded).last()
}

/// The concept of two folded words together: `customer` of `sold to`.
#[must_use]
pub fn concept_of_pair(first: &str, second: &str) -> Option<&'static str> {
    LABELS.phrases.of_pair(first, second)
}

/// Whether a word is the name of a concept.
#[must_use]
pub fn is_concept(word: &str) -> bool {
    LABELS.concepts.contains(word)
}

/// The two concepts of a folded compound: one that is listed, or two known words written as one, as Germanic
/// languages do.
#[must_use]
pub fn compound(folded: &str) -> Option<ConceptPair> {
    if let Some(pair) = LABELS.compounds.get(folded) {
        return Some(*pair);
    }
    let has_digits = folded.bytes().any(|byte| byte.is_ascii_digit());
    if !COMPOUND.contains(&folded.len()) || concept(folded).is_some() || has_digits {
        return None;
    }
    (MIN_LAST..folded.len() - 1).rev().filter(|at| folded.is_char_boundary(*at)).find_map(|at| {
        let (head, tail) = folded.split_at(at);
        let last = concept(tail).filter(|_| tail.len() >= MIN_LAST || tail == "nr")?;
        let first = LINKS.iter().find_map(|link| {
            let head = head.strip_suffix(link).filter(|head| head.len() >= MIN_FIRST)?;
            concept(head)
        })?;
        (first != last).then_some((first, last))
    })
}

/// Whether a folded word carries no meaning in a label.
#[must_use]
pub fn is_filler(folded: &str) -> bool {
    static WORDS: LazyLock<Everywhere> = LazyLock::new(|| Everywhere::of(|locale| locale.label_fillers));
    WORDS.has(folded)
}

keyed_words! {
    /// What a word beside a sum says of it. Phrases are folded without their spaces.
    SumWord in sum_words by fold_word:
    /// It is a total.
    Total = "total",
    /// It is a sum before taxes or charges.
    Subtotal = "subtotal",
    /// It is the last of several totals.
    Grand = "grand",
    /// It is to be paid.
    Payable = "payable",
    /// It is a sum.
    Amount = "amount",
    /// It has the tax in it.
    Gross = "gross",
    /// It was paid.
    Paid = "paid",
    /// It is the change that is returned.
    Change = "change",
    /// It is a rounding.
    Rounding = "rounding",
    /// It is a tax.
    Tax = "tax",
    /// Something is in it.
    Inclusive = "inclusive",
    /// Something is not in it.
    Exclusive = "exclusive",
    /// It is a count, or another sum.
    Other = "other",
    /// It is at the head of a table that takes the total apart again.
    Breakdown = "breakdown",
    /// A line with it among its first words sums up.
    LineSum = "line_sum",
    /// The same of a tax.
    LineTax = "line_tax",
    /// A line that begins with it sums up.
    FirstSum = "first_sum",
    /// The same of a tax.
    FirstTax = "first_tax",
    /// The same of what is no sum, such as a balance or the foot of a page.
    FirstOther = "first_other",
    /// It is carried over from one page to the next, or what it belongs to is continued there.
    Carried = "carried",
    /// It may accompany those in a line that names nothing else.
    LineFiller = "line_filler",
}

keyed_words! {
    /// What a word of a name, or of what is no name, is.
    NameWord in name_words by fold_word:
    /// A word that names of businesses have.
    Venue = "venue",
    /// A title of documents, which is no name.
    DocumentTitle = "document_title",
    /// A name of documents that may stand behind their issuer's.
    IssuerSuffix = "issuer_suffix",
    /// A word of sentences, which names have not.
    Courtesy = "courtesy",
    /// A word of streets and buildings.
    Street = "street",
    /// The end of a name of a street that is one word.
    StreetEnd = "street_end",
    /// A word of titles and tables, which addresses have not.
    NoAddress = "no_address",
    /// A label of a house or lot.
    House = "house",
    /// A label of a telephone number or another contact.
    Contact = "contact",
    /// The beginning of the heading of a clause with a number.
    Clause = "clause",
    /// A label of a number in a register of companies.
    Register = "register",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_labels_are_concepts_in_every_language() {
        for (word, expected) in [
            ("Rechnung", "invoice"),
            ("échéance", "due"),
            ("ilość", "quantity"),
            ("klant", "customer"),
            ("förfallodatum", "due"),
            ("Straße", "address"),
        ] {
            assert_eq!(concept(&fold_word(word)), Some(expected), "{word}");
        }
        assert_eq!(concept("xylophone"), None);
        assert_eq!(concept_of_pair("sold", "to"), Some("customer"));
        assert!(is_concept("invoice") && !is_concept("rechnung"));
        assert!(is_filler("der") && !is_filler("betrag"));
    }

    #[test]
    fn compounds_have_the_concepts_of_their_parts() {
        for (word, expected) in [
            ("rechnungsnummer", ("invoice", "number")),
            ("rechnungsnr", ("invoice", "number")),
            ("factuurdatum", ("invoice", "date")),
            ("birthdate", ("birth", "date")),
        ] {
            assert_eq!(compound(word), Some(expected), "{word}");
        }
        assert_eq!(compound("rechnung"), None);
        assert_eq!(compound("datenschutz"), None);
    }

    #[test]
    fn no_word_of_a_label_has_two_concepts() {
        let mut known: FxHashMap<String, &str> = FxHashMap::default();
        let mut twice = Vec::new();
        for locale in Language::all().filter_map(Language::locale) {
            for entry in locale.labels.entries() {
                for word in entry.words.iter() {
                    let concept = *known.entry(fold_word(word)).or_insert(entry.key);
                    if concept != entry.key {
                        twice.push(format!("{word} ({}): {concept}, {}", locale.code, entry.key));
                    }
                }
            }
        }
        assert!(twice.is_empty(), "{}", twice.join("\n"));
    }

    #[test]
    fn words_of_sums_and_names_are_known_by_kind() {
        assert!(SumWord::Total.has("razem") && SumWord::Tax.has("btw") && !SumWord::Tax.has("total"));
        assert!(
            NameWord::Venue.has("apotheke") && NameWord::Street.has("rue") && NameWord::Courtesy.has("merci")
        );
        for kind in SumWord::ALL {
            assert!(
                Language::ENGLISH.locale().is_some_and(|locale| locale.sum_words.text(kind.key()).is_some())
            );
        }
        for kind in NameWord::ALL {
            assert!(
                Language::ENGLISH.locale().is_some_and(|locale| locale.name_words.text(kind.key()).is_some())
            );
        }
    }
}
