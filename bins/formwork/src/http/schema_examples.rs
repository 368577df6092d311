//! Examples of conversions and templates in the description.

use serde_json::{Value, json};

use super::examples;

/// A JSON Schema to make a form of.
pub(super) fn json_schema_to_convert() -> Value {
    json!({"schema": {
        "type": "object",
        "properties": {
            "vendor": {"type": "string", "description": "Company that issued the invoice"},
            "total": {"type": "number", "exclusiveMinimum": 0},
            "currency": {"anyOf": [{"enum": ["EUR", "GBP"]}, {"type": "null"}]}
        },
        "required": ["vendor", "total"]
    }})
}

/// The form of that JSON Schema.
pub(super) fn converted_schema() -> Value {
    json!({
        "schema": {
            "vendor": {"type": "string", "description": "Company that issued the invoice", "required": true},
            "total": {"type": "number", "minimum": 0, "required": true},
            "currency": {"type": "string", "enum": ["EUR", "GBP"]}
        },
        "warnings": [{
            "path": "/schema/properties/total/exclusiveMinimum", "message": "'minimum' includes the bound itself"
        }]
    })
}

/// The JSON Schema of the form.
pub(super) fn json_schema() -> Value {
    forms_core::json_schema::to_json_schema(examples::schema().as_object().unwrap_or(&serde_json::Map::new()))
}

/// The gallery.
pub(super) fn templates() -> Value {
    json!({
        "templates": [{"template_id": "receipt", "title": "Receipt", "fields": [
            "merchant", "date", "items", "tax_amount", "total_amount", "currency", "payment_method"
        ]}],
        "languages": ["en", "de"]
    })
}

/// A form of the gallery.
pub(super) fn template() -> Value {
    json!({
        "template_id": "receipt",
        "title": "Receipt",
        "language": "en",
        "schema": {
            "merchant": {"type": "string", "order": 1, "description": "Merchant"},
            "total_amount": {"type": "number", "order": 2, "description": "Total amount", "required": true}
        },
        "sample": "Receipt\n\nMerchant: Corner Bakery\nTotal amount: 7.00\n",
        "record": {"merchant": "Corner Bakery", "total_amount": 7.0}
    })
}
