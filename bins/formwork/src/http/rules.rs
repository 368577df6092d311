//! The rules of requests as JSON Schema. The bounds are those that the services check.
//!
//! Configurable bounds are not included, because the OpenAPI document is the same for every server.

use accounts_core::idempotency::RequestKey;
use agents_core::rules::{MAX_NAMESPACE, NAMESPACE_PATTERN};
use document::{MAX_PAGE_RANGES, PAGE_RANGES_PATTERN};
use gen_core::Provider;
use notes_core::{ResourceKind, Role};
use serde_json::{Value, json};
use shared_core::MAX_ID;

use super::lists::MAX_LIMIT;

/// A text with a character other than white space (the Unicode property `White_Space`, from which `\\s`
/// differs in some engines). It matches from the start of the text, because some code generators match only
/// there.
pub(super) const NOT_BLANK: &str =
    r"^[\s\S]*[^\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]";

/// Any text.
pub(super) fn text() -> Value {
    json!({"type": "string"})
}

/// True or false.
pub(super) fn flag() -> Value {
    json!({"type": "boolean"})
}

/// A sequential identifier.
pub(super) fn id() -> Value {
    json!({"type": "integer", "format": "int64", "minimum": 1, "maximum": MAX_ID})
}

/// A pattern for the integers from 1 to `most` in decimal digits without leading zeros.
pub(super) fn decimals_up_to(most: i64) -> String {
    let digits = most.to_string();
    let shorter = digits.len().saturating_sub(2);
    let mut forms = vec![digits.clone()];
    if digits.len() > 1 {
        forms.push(format!("[1-9][0-9]{{0,{shorter}}}"));
    }
    // Same length and smaller: an equal prefix, a smaller digit, then any digits.
    for (at, digit) in digits.char_indices() {
        let (first, before) = (if at == 0 { '1' } else { '0' }, &digits[..at]);
        if let Some(less) = char::from_u32(u32::from(digit) - 1).filter(|less| *less >= first) {
            forms.push(format!("{before}[{first}-{less}][0-9]{{{}}}", digits.len() - at - 1));
        }
    }
    format!("^({})$", forms.join("|"))
}

/// A number that counts from 1, such as a page or a version.
pub(super) fn ordinal() -> Value {
    json!({"type": "integer", "format": "int64", "minimum": 1, "maximum": u32::MAX})
}

/// The index of a group in its run.
pub(super) fn group_index() -> Value {
    json!({"type": "integer", "format": "int64", "minimum": 0, "maximum": u32::MAX})
}

/// Number of rows of a page.
pub(super) fn limit() -> Value {
    json!({"type": "integer", "minimum": 1, "maximum": MAX_LIMIT})
}

/// The number of a message, or 0.
pub(super) fn message_number() -> Value {
    json!({"type": "integer", "format": "int64", "minimum": 0, "maximum": u32::MAX})
}

/// A cursor of a list. The server checks that the list issued it.
pub(super) fn cursor() -> Value {
    json!({"type": "string", "minLength": 1})
}

/// Number of an event; 0 is before the first.
pub(super) fn event() -> Value {
    json!({"type": "integer", "minimum": 0})
}

/// A date, YYYY-MM-DD.
pub(super) fn day() -> Value {
    json!({"type": "string", "format": "date"})
}

/// A provider of models.
pub(super) fn provider() -> Value {
    json!({"type": "string", "enum": Provider::ALL.map(Provider::id)})
}

/// Pages of a document, such as `1-3,7`.
pub(super) fn pages() -> Value {
    json!({
        "description": "Pages of the document that are meant, such as 1-3,7; all of them without it.",
        "type": ["string", "null"], "pattern": PAGE_RANGES_PATTERN, "maxLength": MAX_PAGE_RANGES
    })
}

/// An agent's namespace.
pub(super) fn namespace() -> Value {
    json!({"type": "string", "pattern": NAMESPACE_PATTERN, "maxLength": MAX_NAMESPACE})
}

/// An idempotency key.
pub(super) fn request_key() -> Value {
    json!({"type": "string", "pattern": RequestKey::PATTERN, "maxLength": RequestKey::MAX_LENGTH})
}

/// The roles of notes.
pub(super) fn roles() -> [&'static str; 3] {
    Role::ALL.map(Role::name)
}

/// What notes may be attached to.
pub(super) fn resources() -> [&'static str; 3] {
    ResourceKind::ALL.map(ResourceKind::name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(schema: &Value, text: &str) -> bool {
        jsonschema::draft202012::new(schema).unwrap().is_valid(&json!(text))
    }

    #[test]
    fn a_blank_text_is_one_that_trimming_leaves_nothing_of() {
        let rule = jsonschema::draft202012::new(&json!({"pattern": NOT_BLANK})).unwrap();
        for c in '\0'..=char::MAX {
            assert_eq!(rule.is_valid(&json!(c.to_string())), !c.is_whitespace(), "{c:?}");
        }
        assert!(rule.is_valid(&json!(" a ")) && !rule.is_valid(&json!("")));
    }

    #[test]
    fn numbers_are_described_to_the_last_one() {
        for most in [1, 9, 10, 19, 203, 999, 1_000, 4_096] {
            let rule = jsonschema::draft202012::new(&json!({"pattern": decimals_up_to(most)})).unwrap();
            for number in 0..=most * 11 {
                let inside = (1..=most).contains(&number);
                assert_eq!(rule.is_valid(&json!(number.to_string())), inside, "{number} up to {most}");
            }
            assert!(!rule.is_valid(&json!("01")) && !rule.is_valid(&json!("")));
        }
    }

    #[test]
    fn pages_are_named_by_what_their_schema_describes_unless_a_range_is_backwards() {
        for text in ["1", "1-3,7", " 1 - 3 , 7 ", "", "0", "01", "1-", "x", "1,,2", "1\n", "9999999999", "-1"]
        {
            let read = text.parse::<document::PageRanges>();
            assert_eq!(fits(&pages(), text), read.is_ok(), "{text:?}");
        }
        assert!(fits(&pages(), "5-2") && "5-2".parse::<document::PageRanges>().is_err());
    }

    #[test]
    fn a_request_is_named_by_what_its_schema_describes() {
        let long = "x".repeat(RequestKey::MAX_LENGTH + 1);
        for text in ["", " ", "a b", "é", "\u{7f}", "a\n", "!", "~", "a-1", &long, &long[1..]] {
            assert_eq!(fits(&request_key(), text), RequestKey::parse(text).is_ok(), "{text:?}");
        }
    }
}
