//! What kind of value a field wants.

use super::labels::Concepts;
use super::schema::Output;

/// The kinds of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Date,
    Money,
    Number,
    Percent,
    Email,
    Phone,
    Url,
    Iban,
    Boolean,
    Enum,
    Organisation,
    Address,
    Identifier,
    Text,
}

/// The kind of a field by its type, format, name, and at last its description.
pub(crate) fn kind_of(output: Output, format: &str, field: &Concepts) -> Kind {
    match (output, format) {
        (Output::Boolean, _) => return Kind::Boolean,
        (Output::IsoDate, _) => return Kind::Date,
        (_, "email") => return Kind::Email,
        (_, "uri" | "url") => return Kind::Url,
        _ => {}
    }
    if matches!(output, Output::Number | Output::Integer) {
        return if field.hints_at("percent") {
            Kind::Percent
        } else if MONEY.iter().any(|word| field.has(word)) && output == Output::Number {
            Kind::Money
        } else {
            Kind::Number
        };
    }
    by_words(|word| field.has(word))
        .or_else(|| by_words(|word| field.hints.iter().take(4).any(|hint| hint == word)))
        .unwrap_or(Kind::Text)
}

const MONEY: &[&str] = &[
    "total", "amount", "price", "tax", "subtotal", "discount", "rent", "deposit", "salary", "cash", "change",
];

fn by_words(has: impl Fn(&str) -> bool) -> Option<Kind> {
    Some(if has("email") {
        Kind::Email
    } else if has("phone") || has("fax") {
        Kind::Phone
    } else if has("url") {
        Kind::Url
    } else if has("iban") {
        Kind::Iban
    } else if has("date") || has("birth") || has("due") && !has("amount") && !has("total") {
        Kind::Date
    } else if has("number") || has("order") || has("registration") || has("account") {
        Kind::Identifier
    } else if has("address") {
        Kind::Address
    } else if has("percent") {
        Kind::Percent
    } else if MONEY.iter().any(|word| has(word)) {
        Kind::Money
    } else if has("company") || has("vendor") || has("employer") {
        Kind::Organisation
    } else {
        return None;
    })
}
