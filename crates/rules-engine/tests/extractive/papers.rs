//! Papers of many trades, countries and layouts as tables: a text, and the fields with what they must be.
//!
//! `papers/*.txt` hold papers of the form `#### title`, text, `==== fields`, and one field a line:
//! `name:type "description" = JSON`. The type is `string` when it is left out; `date` is a string of
//! that format, `{a,b}` an enum, `[]` a list of strings, and `[a, b:type]` a list of objects with one
//! array of values for each. `part.name` is a field of a nested object. A line that begins with `?` is
//! known to fall short: it is counted, not demanded.

use serde_json::{Map, Value, json};

use crate::ask;

const PAPERS: [(&str, &str); 6] = [
    ("receipts", include_str!("papers/receipts.txt")),
    ("trade", include_str!("papers/trade.txt")),
    ("people", include_str!("papers/people.txt")),
    ("contracts", include_str!("papers/contracts.txt")),
    ("office", include_str!("papers/office.txt")),
    ("unseen", include_str!("papers/unseen.txt")),
];

/// A paper with its form.
struct Paper {
    title: &'static str,
    text: &'static str,
    fields: Vec<Field>,
}

struct Field {
    path: &'static str,
    schema: Value,
    expected: Value,
    falls_short: bool,
}

fn papers(file: &'static str) -> Vec<Paper> {
    let sections = file.split("#### ").filter(|section| !section.trim().is_empty());
    sections
        .map(|section| {
            let (title, rest) = section.split_once('\n').unwrap();
            let (text, fields) = rest.split_once("==== fields\n").unwrap();
            let fields = fields.lines().filter(|line| !line.trim().is_empty()).map(field).collect();
            Paper { title, text, fields }
        })
        .collect()
}

fn field(line: &'static str) -> Field {
    let falls_short = line.starts_with('?');
    let (head, expected) = line.trim_start_matches(['?', ' ']).rsplit_once(" = ").unwrap();
    // A description stands behind the type, whose columns may have their own.
    let from = head.rfind(']').map_or(0, |at| at + 1);
    let (name, description) = match head[from..].split_once(" \"") {
        Some((rest, description)) => (&head[..from + rest.len()], description),
        None => (head, ""),
    };
    let expected: Value = serde_json::from_str(expected).unwrap();
    let (path, mut schema) = typed(name.trim());
    if !description.is_empty() {
        schema["description"] = Value::from(description.trim_end_matches('"'));
    }
    // Rows are given as arrays of values.
    let expected = match schema.pointer("/items/properties").and_then(Value::as_object) {
        Some(columns) if !expected.is_null() => rows(columns, &expected),
        _ => expected,
    };
    Field { path, schema, expected, falls_short }
}

fn rows(columns: &Map<String, Value>, rows: &Value) -> Value {
    let record = |row: &Value| -> Value {
        columns.keys().cloned().zip(row.as_array().unwrap().iter().cloned()).collect::<Map<_, _>>().into()
    };
    rows.as_array().unwrap().iter().map(record).collect()
}

fn typed(name: &'static str) -> (&'static str, Value) {
    if let Some((path, columns)) = name.split_once('[') {
        let columns = columns.trim_end_matches(']');
        if columns.is_empty() {
            return (path, json!({"type": ["array", "null"], "items": {"type": "string"}}));
        }
        let mut properties = Map::new();
        let parts: Vec<&'static str> = columns.split(", ").collect();
        for part in parts {
            let (head, description) = part.split_once(" \"").unwrap_or((part, ""));
            let (column, mut schema) = typed(head.trim());
            if !description.is_empty() {
                schema["description"] = Value::from(description.trim_end_matches('"'));
            }
            properties.insert(column.to_owned(), schema);
        }
        return (
            path,
            json!({"type": ["array", "null"], "items": {"type": "object", "properties": properties}}),
        );
    }
    if let Some((path, options)) = name.split_once('{') {
        let options: Vec<&str> = options.trim_end_matches('}').split(',').collect();
        return (path, json!({"type": ["string", "null"], "enum": options}));
    }
    match name.split_once(':') {
        Some((path, "date")) => (path, json!({"type": ["string", "null"], "format": "date"})),
        Some((path, kind)) => (path, json!({"type": [kind, "null"]})),
        None => (name, json!({"type": ["string", "null"]})),
    }
}

impl Paper {
    fn properties(&self) -> Value {
        let mut properties = Map::new();
        for field in &self.fields {
            if let Some((outer, inner)) = field.path.split_once('.') {
                let object =
                    properties.entry(outer).or_insert_with(|| json!({"type": "object", "properties": {}}));
                object["properties"][inner] = field.schema.clone();
            } else {
                properties.insert(field.path.to_owned(), field.schema.clone());
            }
        }
        properties.into()
    }

    /// What is answered for each field.
    fn answers(&self) -> Vec<Value> {
        let record: Value = serde_json::from_str(&ask(&[self.text], &self.properties()).text).unwrap();
        let answer = |field: &Field| {
            record.pointer(&format!("/{}", field.path.replace('.', "/"))).cloned().unwrap_or_default()
        };
        self.fields.iter().map(answer).collect()
    }
}

fn check(name: &str) {
    let (_, file) = PAPERS.into_iter().find(|(known, _)| *known == name).unwrap();
    let mut wrong = String::new();
    let (mut right, mut all) = (0, 0);
    for paper in papers(file) {
        for (field, answer) in paper.fields.iter().zip(paper.answers()) {
            all += 1;
            if answer == field.expected {
                right += 1;
            } else if !field.falls_short || std::env::var_os("PAPERS_ALL").is_some() {
                wrong +=
                    &format!("{}: {} is {answer} instead of {}\n", paper.title, field.path, field.expected);
            }
        }
    }
    assert!(wrong.is_empty(), "{right} of {all} fields are right\n{wrong}");
}

#[test]
fn receipts_of_several_countries_are_read() {
    check("receipts");
}

#[test]
fn orders_invoices_and_delivery_notes_are_read_with_their_line_items() {
    check("trade");
}

#[test]
fn papers_about_people_are_read() {
    check("people");
}

#[test]
fn contracts_policies_and_claims_are_read() {
    check("contracts");
}

#[test]
fn statements_tickets_bookings_and_forms_are_read() {
    check("office");
}

#[test]
fn papers_written_after_the_rules_are_read() {
    check("unseen");
}

/// Fields that few of the papers state, with their schema and the words without which none does.
const ELSEWHERE: [(&str, &str, &[&str]); 12] = [
    ("iban", "string", &["iban"]),
    ("purchase_order", "string", &["purchase", "order", "bestell", "pedido", "p.o."]),
    (
        "due_date",
        "date",
        &["due", "zahlbar", "bis zum", "échéance", "régler", "verval", "scadenza", "vencimiento", "deadline"],
    ),
    (
        "birth_date",
        "date",
        &["birth", "dob", "geb", "naissance", "né le", "nascita", "nacimiento", "nascimento"],
    ),
    (
        "vat_id",
        "string",
        &["vat", "ust", "tva", "btw", "iva", "nif", "cif", "tax", "gst", "contribuinte", "siret", "mwst"],
    ),
    ("website", "string", &["www", "http"]),
    ("tracking_number", "string", &["track", "zending"]),
    (
        "start_date",
        "date",
        &[
            "start",
            "begin",
            "commence",
            "period",
            "zeitraum",
            "période",
            " to ",
            "effective",
            "ingang",
            "início",
            " au ",
            "dates",
        ],
    ),
    ("passport_number", "string", &["passport"]),
    ("weight", "number", &["weight", "gewicht", "kg", "lb"]),
    ("discount", "number", &["discount", "korting", "rabatt"]),
    ("phone", "string", &["tel", "tél", "(512)", "phone", "+", "rsvp", "mobile", "agent"]),
];

#[test]
fn fields_that_a_paper_does_not_state_stay_null() {
    let properties: Map<String, Value> = ELSEWHERE
        .iter()
        .map(|(name, kind, _)| {
            let schema = match *kind {
                "date" => json!({"type": ["string", "null"], "format": "date"}),
                kind => json!({"type": [kind, "null"]}),
            };
            ((*name).to_owned(), schema)
        })
        .collect();
    let properties = Value::from(properties);
    let mut filled = Vec::new();
    let mut asked = 0;
    for paper in PAPERS.into_iter().flat_map(|(_, file)| papers(file)) {
        let record: Value = serde_json::from_str(&ask(&[paper.text], &properties).text).unwrap();
        let lower = paper.text.to_lowercase();
        for (name, _, signs) in
            ELSEWHERE.iter().filter(|(_, _, signs)| !signs.iter().any(|sign| lower.contains(sign)))
        {
            asked += 1;
            if !record[*name].is_null() {
                filled.push(format!("{}: {name} {} {signs:?}", paper.title, record[*name]));
            }
        }
    }
    assert!(asked > 400, "{asked}");
    assert!(filled.is_empty(), "{} of {asked} were filled\n{}", filled.len(), filled.join("\n"));
}
