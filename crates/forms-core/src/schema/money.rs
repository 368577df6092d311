//! Money: an amount and its currency, which are two fields of an object for everything but the schema.

use std::sync::LazyLock;

use language::money::Currency;
use serde_json::{Map, Value, json};

use super::MAX_CURRENCIES;
use super::violations::Violations;

/// The part with the number.
pub(crate) const AMOUNT: &str = "amount";
/// The part with the code, and its type, which no schema can state.
pub(crate) const CURRENCY: &str = "currency";

const GUIDANCE: &str = "Code of ISO 4217 of the currency that is printed with the amount, such as EUR. Null where none is \
    printed, and where a sign such as $ may mean several.";

/// The definitions of the parts without what a form says of them.
pub(crate) fn parts() -> &'static Map<String, Value> {
    static PARTS: LazyLock<Map<String, Value>> = LazyLock::new(|| parts_of("", &Map::new()));
    &PARTS
}

/// The definitions of the parts of a field of money. A conversation asks for the amount in the words of the field.
pub(super) fn parts_of(name: &str, definition: &Map<String, Value>) -> Map<String, Value> {
    let words = || Value::from(name.replace('_', " "));
    let description = definition.get("description").cloned().unwrap_or_else(words);
    let mut amount = json!({"type": "number", "description": description});
    for key in ["minimum", "maximum", "required"] {
        if let Some(value) = definition.get(key) {
            amount[key] = value.clone();
        }
    }
    // An example is no value of a document, and neither is its amount.
    let examples = definition.get("examples").and_then(Value::as_array).into_iter().flatten();
    let amounts: Vec<&Value> = examples.filter_map(|example| example.get(AMOUNT)).collect();
    if !amounts.is_empty() {
        amount["examples"] = json!(amounts);
    }
    let mut currency = json!({"type": CURRENCY, "instructions": GUIDANCE});
    if let Some(codes) = definition.get("currencies") {
        currency["enum"] = codes.clone();
    }
    Map::from_iter([(AMOUNT.to_owned(), amount), (CURRENCY.to_owned(), currency)])
}

/// Validates the list of the currencies that a field may have.
pub(super) fn check_currencies(check: &mut Violations, definition: &Map<String, Value>, path: &str) {
    let Some(stated) = definition.get("currencies") else { return };
    let path = format!("{path}/currencies");
    let Some(codes) = stated.as_array().filter(|codes| (1..=MAX_CURRENCIES).contains(&codes.len())) else {
        check
            .report(&path, format!("'currencies' must be a list of 1 to {MAX_CURRENCIES} codes of ISO 4217"));
        return;
    };
    for (index, code) in codes.iter().enumerate() {
        if code.as_str().and_then(Currency::from_code).is_none() {
            check.report(
                &format!("{path}/{index}"),
                "an entry of 'currencies' must be a code of ISO 4217, such as EUR",
            );
        } else if codes.iter().take(index).any(|other| other == code) {
            check.report(&format!("{path}/{index}"), "an entry of 'currencies' must not stand twice");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FieldType, FormSchema, validate_schema};

    #[test]
    fn money_is_an_amount_with_its_currency() {
        let form = json!({"total": {"type": "money", "currencies": ["EUR", "USD"], "minimum": 0, "required": true,
            "rules": ["total.amount > 0", "total.currency == \"EUR\""]}});
        let schema = FormSchema::parse(form.as_object().unwrap()).unwrap();
        let total = &schema.fields[0];
        assert_eq!(total.money_parts(), Some((0, 1)));
        let amount = schema.field_at("/total/amount").unwrap();
        assert_eq!((amount.minimum, amount.required, total.minimum), (Some(0.0), true, None));
        let currency = schema.field_at("/total/currency").unwrap();
        assert!(matches!(currency.kind, FieldType::Currency) && currency.options == ["EUR", "USD"]);
        let plain = json!({"total": {"type": "object", "properties": {"amount": {"type": "number"}}}});
        assert_eq!(FormSchema::parse(plain.as_object().unwrap()).unwrap().fields[0].money_parts(), None);
    }

    #[test]
    fn wrong_currencies_and_keys_are_refused_at_their_place() {
        let schema = json!({
            "a": {"type": "money", "currencies": ["EUR", "Euro", "EUR"]}, "b": {"type": "money", "currencies": []},
            "c": {"type": "money", "enum": ["EUR"]}, "d": {"type": "currency"},
            "e": {"type": "string", "when": {"a": "EUR"}}, "f": {"type": "money", "rules": ["f > 0", "f.sum > 0"]}
        });
        let paths: Vec<String> =
            validate_schema(&schema).into_iter().map(|violation| violation.path).collect();
        assert_eq!(
            paths,
            [
                "/a/currencies/1",
                "/a/currencies/2",
                "/b/currencies",
                "/c/enum",
                "/d/type",
                "/e/when/a",
                "/f/rules/0",
                "/f/rules/1"
            ]
        );
    }
}
