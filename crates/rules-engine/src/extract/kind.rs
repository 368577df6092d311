//! The kind of value that a field asks for.

use forms_core::labels::{Concepts, Word};
use language::date::DatePrecision;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum FieldKind {
    Date,
    /// A time of day.
    Time,
    /// The total to pay.
    Total,
    /// Any other amount of money.
    Money,
    Number,
    Percent,
    Email,
    Phone,
    Url,
    Iban,
    Bic,
    Currency,
    Boolean,
    Enum,
    Organisation,
    Address,
    Identifier,
    Text,
}

/// The output format of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Output {
    /// Text as it is printed.
    Verbatim,
    /// A date as `YYYY-MM-DD`.
    IsoDate,
    /// A date of less precision, such as `2026-07`.
    ReducedDate(DatePrecision),
    /// A date with a time as RFC 3339 writes it; with an offset where one is printed.
    DateTime,
    /// A number, perhaps with decimals.
    Number,
    /// A whole number.
    Integer,
    /// True or false.
    Boolean,
}

/// Words of the description that may determine the kind when the name does not. The first clause says what it
/// is. Chosen by hand; no measurement is recorded.
const HINTS: usize = 4;

/// The kind of a field by its type, format, name, and at last its description.
pub(crate) fn kind_of(output: Output, format: &str, field: &Concepts) -> FieldKind {
    let begins: Vec<Word> = field.hints.iter().take(HINTS).cloned().collect();
    match (output, format) {
        (Output::Boolean, _) => FieldKind::Boolean,
        (Output::IsoDate | Output::ReducedDate(_) | Output::DateTime, _) => FieldKind::Date,
        (_, "email") => FieldKind::Email,
        (_, "uri" | "url") => FieldKind::Url,
        (Output::Number | Output::Integer, _) if field.hints_at("percent") => FieldKind::Percent,
        (Output::Number, _) => {
            // A weight is not money, even if it is a total.
            let measure = field.words.iter().any(|word| MEASURES.contains(&word.as_ref()));
            let described = || sum(&begins).filter(|_| !measure);
            sum(&field.words).filter(|_| !measure).or_else(described).unwrap_or(FieldKind::Number)
        }
        (Output::Integer, _) => FieldKind::Number,
        _ => kind_of_words(&field.words)
            // A description determines an amount only if it names one.
            .or_else(|| kind_of_words(&begins).filter(|kind| *kind != FieldKind::Money || names_sum(&begins)))
            .unwrap_or(FieldKind::Text),
    }
}

/// Quantities in other units than money.
const MEASURES: &[&str] = &[
    "weight",
    "height",
    "distance",
    "area",
    "age",
    "quantity",
    "consumption",
    "mileage",
    "size",
    "grade",
    "reading",
    "time",
    "hours",
    "days",
];

/// Amounts that are not the total, even if they are called so.
const PARTS: &[&str] = &[
    "tax", "subtotal", "net", "discount", "price", "rent", "deposit", "salary", "cash", "change", "rounding",
    "shipping", "delivery", "quantity",
];

fn names_sum(words: &[Word]) -> bool {
    words.iter().any(|word| matches!(word.as_ref(), "amount" | "total" | "price" | "salary" | "rent" | "tax"))
}

fn sum(words: &[Word]) -> Option<FieldKind> {
    let has = |concept: &str| words.iter().any(|word| word == concept);
    if has("quantity") {
        None
    } else if PARTS.iter().any(|part| has(part)) {
        Some(FieldKind::Money)
    } else if has("total")
        || has("gross")
        || has("amount") && (words.len() == 1 || has("due") || has("payment") || has("invoice"))
    {
        Some(FieldKind::Total)
    } else {
        has("amount").then_some(FieldKind::Money)
    }
}

/// Fields of a birth that are not its date.
const PLACES: &[&str] = &["place", "city", "country", "name"];
/// Fields of an account that are not its number.
const PERSONS: &[&str] = &["holder", "name", "person", "bank", "balance", "manager", "type"];

/// Kinds of organisations that issue documents.
const ISSUERS: &[&str] = &[
    "company",
    "vendor",
    "employer",
    "restaurant",
    "hotel",
    "shop",
    "hospital",
    "clinic",
    "school",
    "pharmacy",
    "university",
    "publisher",
    "carrier",
    "airline",
    "bank",
    "insurer",
    "supermarket",
    "cafe",
];

fn kind_of_words(words: &[Word]) -> Option<FieldKind> {
    let has = |concept: &str| words.iter().any(|word| word == concept);
    Some(if has("email") {
        FieldKind::Email
    } else if has("phone") || has("fax") {
        FieldKind::Phone
    } else if has("url") {
        FieldKind::Url
    } else if has("iban") {
        FieldKind::Iban
    } else if has("bic") {
        FieldKind::Bic
    } else if has("currency") {
        FieldKind::Currency
    } else if has("term") || has("description") || has("notes") && !has("number") {
        FieldKind::Text
    } else if has("date")
        || has("birth") && !PLACES.iter().any(|place| has(place))
        || has("due") && !has("amount") && !has("total")
    {
        FieldKind::Date
    } else if has("time") && !has("employment") {
        FieldKind::Time
    } else if has("number")
        || has("plate")
        || has("tracking")
        || has("registration")
        // With more words it is about the account, as its holder. Chosen by hand; no measurement is recorded.
        || has("account") && words.len() <= 2 && !PERSONS.iter().any(|person| has(person))
        || has("purchase") && has("order")
    {
        FieldKind::Identifier
    } else if has("address") {
        FieldKind::Address
    } else if has("percent") {
        FieldKind::Percent
    } else if let Some(sum) = sum(words) {
        sum
    } else if words.iter().any(|word| ISSUERS.contains(&word.as_ref())) {
        FieldKind::Organisation
    } else {
        return None;
    })
}
