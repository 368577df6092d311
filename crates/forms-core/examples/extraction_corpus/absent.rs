//! Fields that documents do not state: how often they are filled all the same.

use serde_json::{Map, Value, json};

/// A field, its type and format, and the words without which a document cannot state it.
pub(crate) struct Absent {
    pub(crate) name: &'static str,
    kind: &'static str,
    format: &'static str,
    signs: &'static [&'static str],
}

const fn absent(
    name: &'static str,
    kind: &'static str,
    format: &'static str,
    signs: &'static [&'static str],
) -> Absent {
    Absent { name, kind, format, signs }
}

/// What is asked for beside the true fields.
pub(crate) const ABSENT: [Absent; 13] = [
    absent("iban", "string", "", &["iban"]),
    absent(
        "purchase_order",
        "string",
        "",
        &["p.o", "purchase", "order", "bestell", "commande", "ordine", "po no"],
    ),
    absent(
        "due_date",
        "string",
        "date",
        &[
            "due",
            "pay by",
            "deadline",
            "fällig",
            "zahlbar",
            "chéance",
            "verval",
            "scadenza",
            "vencimiento",
            "termin",
        ],
    ),
    absent("birth_date", "string", "date", &["birth", "born", "dob", "geburt", "geb."]),
    absent(
        "vat_id",
        "string",
        "",
        &["gst", "vat", "tax", "ust", "tva", "btw", "nip", "iva", "siret", "siren", "sst"],
    ),
    absent("website", "string", "", &["www", "http", ".com", ".nl", ".de", ".fr"]),
    absent("email", "string", "", &["@"]),
    absent("tracking_number", "string", "", &["track", "awb", "consignment", "parcel"]),
    absent(
        "start_date",
        "string",
        "date",
        &["start", "begin", "from", "du ", "check in", "check-in", "period"],
    ),
    absent("passport_number", "string", "", &["passport"]),
    absent("weight", "number", "", &["kg", "weight", "wt", "gram"]),
    absent(
        "discount",
        "number",
        "",
        &["disc", "saving", "rabat", "remise", "korting", "less", "promo", "off"],
    ),
    absent(
        "phone",
        "string",
        "",
        &["tel", "phone", "call", "hp", "mobile", "fax", "line", "ph", "+", "contact"],
    ),
];

impl Absent {
    /// Whether a document surely does not state it.
    pub(crate) fn lacks(&self, lower: &str) -> bool {
        !self.signs.iter().any(|sign| lower.contains(sign))
    }
}

/// The properties that ask for the fields of which `known` is not one.
pub(crate) fn properties(known: &[&str]) -> Map<String, Value> {
    let mut properties = Map::new();
    for field in ABSENT.iter().filter(|field| !known.contains(&field.name)) {
        let mut property = json!({ "type": [field.kind, "null"] });
        if !field.format.is_empty() {
            property["format"] = Value::from(field.format);
        }
        properties.insert(field.name.to_owned(), property);
    }
    properties
}
