//! Maps the words of business documents in several languages to concepts. It knows words, not documents.

mod words;

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use words::{COMPOUNDS, WORDS};

/// Concepts that distinguish values of one kind: a field with one of them needs a label with it.
pub(super) const QUALIFIERS: &[&str] = &[
    "due",
    "birth",
    "start",
    "end",
    "delivery",
    "shipping",
    "order",
    "purchase",
    "payment",
    "hire",
    "print",
    "customer",
    "employer",
    "landlord",
    "tenant",
    "patient",
    "applicant",
    "doctor",
    "emergency",
    "bank",
    "tax",
    "subtotal",
    "net",
    "discount",
    "change",
    "cash",
    "rounding",
    "deposit",
    "rent",
    "salary",
    "fax",
    "account",
    "first",
    "last",
    "registration",
    "price",
    "quantity",
    "insurance",
];

/// Qualifiers of dates that a description can require too.
pub const DATE_QUALIFIERS: &[&str] = &["due", "birth", "start", "end", "delivery", "shipping", "hire"];

/// Qualifiers of the party of an organisation or address, which a description can require too.
pub const PARTY_QUALIFIERS: &[&str] =
    &["customer", "employer", "landlord", "tenant", "patient", "applicant", "delivery", "shipping", "bank"];

/// Concepts for the type of the document; a label may lack them.
pub(super) const DOCUMENT_TYPES: &[&str] =
    &["invoice", "receipt", "issue", "document", "vendor", "company", "number", "name", "amount"];

/// Concepts for the document of a date; its label may lack them.
pub(super) const DATED_DOCUMENTS: &[&str] = &[
    "letter",
    "event",
    "report",
    "meeting",
    "statement",
    "quote",
    "booking",
    "contract",
    "notes",
    "visit",
    "sale",
    "purchase",
    "flight",
    "departure",
    "claim",
    "policy",
];

/// Concepts that match each other, with a lower weight.
pub(super) const SYNONYMS: &[&[&str]] = &[
    &["invoice", "receipt", "document"],
    &["net", "subtotal"],
    &["amount", "total"],
    &["place", "city"],
    &["place", "address"],
    &["rate", "price"],
    &["rate", "percent"],
    &["registration", "plate"],
    &["customer", "guest"],
    &["customer", "shipping"],
    &["delivery", "shipping"],
    &["title", "position"],
];

/// Nouns that need another word to mean something.
pub(super) const NOUNS: &[&str] = &["number", "name", "amount"];

/// Nouns for the kind of a value, and not whose it is.
pub(super) const KINDS: &[&str] =
    &["date", "email", "phone", "address", "number", "name", "amount", "url", "time", "percent", "currency"];

static CONCEPTS: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let pairs = WORDS.iter().flat_map(|(concept, words)| words.split(' ').map(|word| (word, *concept)));
    pairs.collect()
});

type Pair = (&'static str, &'static str);

static PAIRS: LazyLock<HashMap<&'static str, Pair>> = LazyLock::new(|| {
    let pairs = COMPOUNDS
        .iter()
        .flat_map(|(first, second, words)| words.split(' ').map(|word| (word, (*first, *second))));
    pairs.collect()
});

/// The concept of a folded word.
#[must_use]
pub fn concept(word: &str) -> Option<&'static str> {
    CONCEPTS.get(word).copied()
}

/// Whether a word of [`super::words`] is a concept.
#[must_use]
pub fn is_concept(word: &str) -> bool {
    static NAMES: LazyLock<HashSet<&'static str>> =
        LazyLock::new(|| WORDS.iter().map(|(concept, _)| *concept).collect());
    NAMES.contains(word)
}

/// Lengths in bytes of words that may be compounds.
const COMPOUND: std::ops::RangeInclusive<usize> = 8..=40;
/// Letters that link the parts of German and Dutch compounds.
const LINKS: &[&str] = &["", "s", "n", "en", "es", "er"];

/// The two concepts of a folded compound: a listed one, or two known words written as one, as in Germanic
/// languages.
pub(super) fn compound(word: &str) -> Option<Pair> {
    if let Some(pair) = PAIRS.get(word) {
        return Some(*pair);
    }
    if !COMPOUND.contains(&word.len())
        || concept(word).is_some()
        || word.bytes().any(|byte| byte.is_ascii_digit())
    {
        return None;
    }
    (3..word.len() - 1).rev().filter(|at| word.is_char_boundary(*at)).find_map(|at| {
        let (head, tail) = word.split_at(at);
        let last = concept(tail).filter(|_| tail.len() >= 3 || tail == "nr")?;
        let first = LINKS.iter().find_map(|link| {
            let head = head.strip_suffix(link).filter(|head| head.len() >= 4)?;
            concept(head)
        })?;
        (first != last).then_some((first, last))
    })
}

/// The concept of two words together.
pub(super) fn phrase(first: &str, second: &str) -> Option<&'static str> {
    Some(match (first, second) {
        ("e", "mail") => "email",
        ("sub", "total") => "subtotal",
        ("bill" | "sold" | "billed" | "billing" | "invoice" | "invoiced", "to") => "customer",
        ("ship" | "deliver" | "shipped" | "delivered", "to") => "shipping",
        ("sold" | "issued", "by") | ("ship" | "shipped", "from") | ("vendu", "par") => "vendor",
        ("web", "site") => "url",
        ("zip" | "post" | "postal", "code") | ("code", "postal") | ("codigo", "postal") => "postcode",
        ("zu", "zahlen") | ("te", "betalen") | ("a", "payer" | "pagar" | "regler") => "due",
        ("pay", "by" | "before") | ("payable", "by") | ("regler", "avant") | ("date" | "fecha", "limite") => {
            "due"
        }
        (
            "excl" | "exclusief" | "excluding" | "exclusive" | "ohne" | "hors" | "before" | "exkl" | "sin",
            tax,
        ) if concept(tax) == Some("tax") || tax == "taxes" => "subtotal",
        (
            "incl" | "inclusive" | "including" | "inkl" | "inklusive" | "inclusief" | "incluido" | "inc",
            tax,
        ) if concept(tax) == Some("tax") => "gross",
        ("base", "imponible") => "net",
        ("valid" | "gultig", "until" | "thru" | "to" | "bis") => "end",
        ("valid" | "gultig", "from" | "ab") => "start",
        ("ne" | "nee" | "nato" | "nata", "le" | "il" | "a") | ("born", "on") => "birth",
        ("check", "in") => "arrival",
        ("check", "out") => "departure",
        ("assigned", "to") => "assignee",
        _ => return None,
    })
}

/// Whether a word has no meaning in a label.
#[must_use]
pub fn is_filler(word: &str) -> bool {
    static SET: LazyLock<HashSet<&'static str>> = LazyLock::new(|| FILLERS.iter().copied().collect());
    SET.contains(word)
}

const FILLERS: &[&str] = &[
    "the", "of", "for", "a", "an", "in", "on", "to", "and", "is", "are", "your", "our", "this", "der", "die",
    "das", "des", "de", "la", "le", "du", "el", "rm", "usd", "eur", "myr", "gbp", "as", "at", "by", "full",
    "complete", "main", "home", "primary", "l", "d", "del", "den", "dem", "und", "et", "y", "van", "het",
    "il", "s", "di", "with", "has", "have", "did", "does", "can", "will", "whether", "kg", "kwh", "m2",
    "ihre", "ihr", "unsere", "unser", "vom", "von", "dell", "della", "da", "do", "dos", "das", "les", "aux",
    "au", "per", "op", "ved", "was", "who", "which", "it", "be",
];
