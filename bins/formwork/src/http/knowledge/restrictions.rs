//! The schemas of what narrows a search.

use std::borrow::Cow;

use kb_core::rules::MAX_FIELD;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

/// Names of fields, and the words that combine filters.
const NAMED: &str = r"^([^$]|\$\$|\$(and|or|not|file|title|created|updated|language|source)$)";
/// Names of fields that may be counted: keys of the meta, and what the server knows of a file.
pub(super) const COUNTABLE: &str = r"^([^$]|\$\$|\$(file|title|language|source)$)";

/// A filter. Nested filters are only described as objects.
pub(in crate::http) struct MetaFilter;

impl JsonSchema for MetaFilter {
    fn schema_name() -> Cow<'static, str> {
        "MetaFilter".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        // Each operator also has the dollar prefix of other interfaces. Under `properties` the two would have
        // one name in generated code.
        let filters = json!({"type": "array", "minItems": 1, "items": {"type": "object"}});
        let operators = json!({"pattern": r"^\$?(eq|ne|n?in|[gl]te?)$"});
        let time = json!({"type": "string", "format": "date-time"});
        let times = json!({"anyOf": [time, {
            "type": "object",
            "minProperties": 1,
            "propertyNames": operators,
            "patternProperties": {r"^\$?n?in$": {"type": "array", "items": time}},
            "additionalProperties": time
        }]});
        json_schema!({
            "type": "object",
            "propertyNames": {"minLength": 1, "maxLength": MAX_FIELD, "pattern": NAMED},
            "patternProperties": {
                r"^\$?(and|or)$": filters, r"^\$?not$": {"type": "object"}, r"^\$(created|updated)$": times
            },
            "additionalProperties": {
                "not": {"type": "array"},
                "minProperties": 1,
                "propertyNames": operators,
                "patternProperties": {
                    r"^\$?n?in$": {"type": "array"},
                    r"^\$?[gl]te?$": {"type": ["number", "string"]}
                }
            }
        })
    }
}

/// The modes, and null for none.
pub(in crate::http) fn modes() -> Value {
    json!(["lexical", "semantic", "hybrid", null])
}
