//! Forms with conditions and answers made at random: nothing panics, and what is promised holds.
#![allow(clippy::unwrap_used, reason = "a test asserts")]

use forms_core::json_schema::{from_json_schema, to_json_schema};
use forms_core::{Field, FieldType, FormSchema, read_answer, validate_schema};
use serde_json::{Map, Value, json};

/// Numbers that are the same in every run (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).unwrap()
    }

    fn of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }
}

/// Answers that are tried, each on all fields of a form.
const ANSWERS: usize = 10_000;
const NAMES: [&str; 6] = ["a", "b", "c", "d", "it", "~/ä"];
const KINDS: [&str; 10] =
    ["string", "number", "integer", "boolean", "email", "date", "url", "array", "object", "boolean"];
/// Texts that answers are made of.
const HOSTILE: [&str; 34] = [
    "",
    " ",
    "\0",
    "yes",
    "n/a",
    "cat",
    "CAT",
    "12",
    "1.234,50 €",
    "1e999",
    "-0",
    "99999999999999999999999999999999",
    "0x10",
    "March 5th 2024",
    "31.02.2024",
    "99999999999年1月1日",
    "2024-02-29T99:99:99Z",
    "a@b.co",
    "mailto:<<>>",
    "https://[::",
    "[](",
    "{\"a\": {\"a\": [[[",
    "[1, 2, \"x\"]",
    "\"[\\\"[1]\\\"]\"",
    "{'a': None,}",
    "\u{202e}abc\u{202c}",
    "e\u{301}\u{301}",
    "👩\u{200d}👩\u{200d}👧",
    "ﬁ ﷺ ㍿ İıẞ",
    "１２，３４５．６７",
    ";;;,,,•••|||",
    "令和4294967295年1月1日",
    "%s%n{}{{",
    "\u{feff}\u{ad}\u{200b}",
];

fn text(random: &mut Random) -> String {
    let parts = random.below(4);
    let text: String = (0..=parts).map(|_| random.of(&HOSTILE)).collect();
    if random.below(500) == 0 { text.repeat(300) } else { text }
}

fn value(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth == 0 { 6 } else { 9 }) {
        0 => Value::Null,
        1 => json!(random.below(2) == 0),
        2 => json!(random.below(30)),
        3 => [json!(u64::MAX), json!(i64::MIN), json!(1e300), json!(-0.5)][random.below(4)].clone(),
        4 | 5 => json!(text(random)),
        6 | 7 => (0..random.below(4)).map(|_| value(random, depth - 1)).collect(),
        _ => {
            let member = |random: &mut Random| {
                let name = if random.below(4) == 0 { text(random) } else { random.of(&NAMES).to_owned() };
                (name, value(random, depth - 1))
            };
            Value::Object((0..random.below(5)).map(|_| member(random)).collect())
        }
    }
}

/// The definition of a field, mostly a valid one.
fn definition(random: &mut Random, depth: usize) -> Value {
    let kind = random.of(if depth == 0 { &KINDS[..7] } else { &KINDS });
    let mut definition = json!({"type": kind, "order": random.below(4), "required": random.below(2) == 0});
    match kind {
        "array" => definition["items"] = self::definition(random, depth - 1),
        "object" => definition["properties"] = Value::Object(fields(random, depth - 1)),
        "string" if random.below(2) == 0 => definition["enum"] = json!(["", "cat", "12"]),
        "number" | "integer" if random.below(2) == 0 => definition["enum"] = json!(["1", "12"]),
        "number" | "integer" => definition["minimum"] = json!(10),
        _ => {}
    }
    definition
}

/// A value that a field of this definition may have, mostly.
fn wanted(random: &mut Random, definition: Option<&Value>) -> Value {
    let kind = definition.and_then(|definition| definition["type"].as_str());
    match kind {
        _ if random.below(20) == 0 => value(random, 2),
        Some("boolean") => json!(random.below(2) == 0),
        Some("number" | "integer") => [json!(1), json!([12.0]), json!([1, 12])][random.below(3)].clone(),
        Some("string") => [json!("cat"), json!(["cat", "12"])][random.below(2)].clone(),
        Some("date") => json!("2024-02-29"),
        _ => json!("a@b.co"),
    }
}

/// Fields, some of them with conditions, which may name anything and mostly name a sibling.
fn fields(random: &mut Random, depth: usize) -> Map<String, Value> {
    let mut fields = Map::new();
    for _ in 0..=random.below(5) {
        fields.insert(random.of(&NAMES).to_owned(), definition(random, depth));
    }
    let names: Vec<String> = fields.keys().cloned().collect();
    for name in &names {
        if random.below(3) > 0 {
            continue;
        }
        let mut when = Map::new();
        for _ in 0..=random.below(2) {
            let any = random.below(20) == 0;
            let other = if any { random.of(&NAMES) } else { &names[random.below(names.len())] };
            if any
                || (other != name && !["array", "object"].contains(&fields[other]["type"].as_str().unwrap()))
            {
                when.insert(other.to_owned(), wanted(random, fields.get(other)));
            }
        }
        match random.below(20) {
            0 => fields[name]["when"] = value(random, 1),
            _ if when.is_empty() => {}
            _ => fields[name]["when"] = Value::Object(when),
        }
    }
    fields
}

/// A record as the form has it, with values that may be anything where they are single.
fn record(random: &mut Random, fields: &[Field]) -> Map<String, Value> {
    fn filled(random: &mut Random, field: &Field) -> Value {
        match &field.kind {
            _ if random.below(8) == 0 => Value::Null,
            FieldType::Object(parts) => Value::Object(record(random, parts)),
            FieldType::Array(item) => (0..random.below(4)).map(|_| filled(random, item)).collect(),
            FieldType::Boolean => json!(random.below(2) == 0),
            FieldType::Number | FieldType::Integer => json!([1, 12][random.below(2)]),
            _ => json!(random.of(&["cat", "12", "x"])),
        }
    }
    fields.iter().map(|field| (field.name.clone(), filled(random, field))).collect()
}

/// Asserts that what does not apply is null, as each field says by itself.
fn assert_settled(fields: &[Field], object: &Map<String, Value>, top: &Map<String, Value>) {
    for field in fields {
        if !field.applies(object, top) {
            assert_eq!(object[&field.name], Value::Null, "'{}' of {object:?}", field.name);
        }
        assert_below(field, &object[&field.name], top);
    }
}

fn assert_below(field: &Field, value: &Value, top: &Map<String, Value>) {
    match (&field.kind, value) {
        (FieldType::Object(parts), Value::Object(object)) => assert_settled(parts, object, top),
        (FieldType::Array(item), Value::Array(items)) => {
            items.iter().for_each(|value| assert_below(item, value, top));
        }
        _ => {}
    }
}

#[test]
fn forms_with_any_conditions_are_refused_or_give_records_in_which_these_hold() {
    let mut random = Random(9);
    let (mut valid, mut cleared) = (0, 0);
    for _ in 0..20_000 {
        let form = fields(&mut random, 3);
        let Ok(schema) = FormSchema::parse(&form) else {
            assert_ne!(validate_schema(&Value::Object(form)), []);
            continue;
        };
        valid += 1;
        let before = record(&mut random, &schema.fields);
        let mut after = before.clone();
        let found = schema.clear_inapplicable(&mut after);
        assert!(!found.is_empty() || before == after);
        assert_settled(&schema.fields, &after, &after);
        assert_eq!(schema.clear_inapplicable(&mut after.clone()), found, "a second time changes nothing");
        cleared += usize::from(before != after);
    }
    assert!(valid > 2_000 && cleared > 500, "{valid} valid forms, {cleared} records changed");
}

#[test]
fn every_form_is_the_same_after_the_way_to_json_schema_and_back() {
    let mut random = Random(11);
    let mut valid = 0;
    for _ in 0..5_000 {
        let form = fields(&mut random, 3);
        if FormSchema::parse(&form).is_err() {
            continue;
        }
        valid += 1;
        let document = to_json_schema(&form);
        let again = from_json_schema(&document).unwrap();
        assert_eq!((&again.schema, again.warnings), (&form, Vec::new()), "{document:#}");
    }
    assert!(valid > 500, "{valid} valid forms");
}

/// A JSON Schema of any keywords, mostly with values that they may have.
fn json_schema(random: &mut Random, depth: usize) -> Value {
    let mut schema = Map::new();
    for _ in 0..=random.below(4) {
        let keyword = random.of(&[
            "type",
            "enum",
            "const",
            "properties",
            "items",
            "anyOf",
            "oneOf",
            "allOf",
            "$ref",
            "required",
            "pattern",
            "additionalProperties",
            "prefixItems",
            "default",
            "minimum",
            "exclusiveMaximum",
            "format",
            "x-formwork",
        ]);
        let deeper = depth.saturating_sub(1);
        let several =
            |random: &mut Random| (0..random.below(4)).map(|_| json_schema(random, deeper)).collect();
        let stated = match keyword {
            _ if random.below(15) == 0 => value(random, 2),
            "type" => {
                json!(random.of(&["string", "number", "integer", "boolean", "array", "object", "null"]))
            }
            "enum" => (0..random.below(3)).map(|_| value(random, 0)).collect(),
            "properties" | "x-formwork" if depth > 0 => NAMES
                .iter()
                .take(random.below(4))
                .map(|name| ((*name).to_owned(), json_schema(random, deeper)))
                .collect(),
            "items" | "additionalProperties" if depth > 0 => json_schema(random, deeper),
            "anyOf" | "oneOf" | "allOf" | "prefixItems" if depth > 0 => several(random),
            "$ref" => json!(random.of(&["#", "#/$defs/a", "#/$defs/it", "#/properties/a", "elsewhere"])),
            "required" => json!(NAMES[..random.below(4)]),
            "pattern" => json!(random.of(&["^a", "(?=b)", "["])),
            "format" => json!(random.of(&["date", "email", "uri", "date-time"])),
            _ => value(random, 1),
        };
        schema.insert(keyword.to_owned(), stated);
    }
    Value::Object(schema)
}

#[test]
fn any_json_schema_becomes_a_valid_form_or_is_refused() {
    let mut random = Random(13);
    let (mut made, mut refused) = (0, 0);
    for _ in 0..20_000 {
        let mut document = json_schema(&mut random, 4);
        document["type"] = json!("object");
        document["$defs"] = json!({"a": json_schema(&mut random, 3), "it": json_schema(&mut random, 3)});
        match from_json_schema(&document) {
            Ok(import) => {
                made += 1;
                assert_eq!(validate_schema(&Value::Object(import.schema)), [], "{document:#}");
            }
            Err(violations) => {
                refused += 1;
                assert!(!violations.is_empty());
            }
        }
    }
    assert!(made > 1_000 && refused > 1_000, "{made} made, {refused} refused");
}

#[test]
fn any_value_is_an_answer_or_is_refused_in_one_sentence() {
    let mut random = Random(7);
    let mut forms: Vec<FormSchema> = Vec::new();
    while forms.len() < 200 {
        forms.extend(FormSchema::parse(&fields(&mut random, 3)).ok());
    }
    let (mut taken, mut refused) = (0, 0);
    for number in 0..ANSWERS {
        let said = value(&mut random, 4);
        for field in &forms[number % forms.len()].fields {
            match read_answer(field, &said) {
                Ok(Some(value)) => {
                    assert!(!value.is_null());
                    taken += 1;
                    let again = read_answer(field, &value);
                    let is_single = !matches!(field.kind, FieldType::Array(_) | FieldType::Object(_));
                    assert!(!is_single || again == Ok(Some(value.clone())), "{said} → {value} → {again:?}");
                }
                Ok(None) => {}
                Err(sentence) => {
                    refused += 1;
                    assert!(!sentence.is_empty() && sentence.chars().count() < 600, "{sentence}");
                    assert!(!sentence.contains('\n'), "{sentence}");
                }
            }
        }
    }
    assert!(taken > ANSWERS / 10 && refused > ANSWERS / 10, "{taken} taken, {refused} refused");
}

#[test]
fn answers_of_great_length_and_depth_are_read_in_their_time() {
    let form = json!({
        "s": {"type": "string", "pattern": "^(a+)+$"}, "n": {"type": "number"}, "d": {"type": "date"},
        "e": {"type": "string", "enum": ["a"]}, "l": {"type": "array", "items": {"type": "array", "items": {"type": "date"}}},
        "o": {"type": "object", "properties": {"l": {"type": "array", "items": {"type": "string"}}}}
    });
    let schema = FormSchema::parse(form.as_object().unwrap()).unwrap();
    let deep = (0..120).fold(json!(1), |inner, _| json!([inner]));
    let nested = (0..12).fold("[1]".to_owned(), |inner, _| json!([inner]).to_string());
    let wide: Map<String, Value> = (0..10_000).map(|n| (format!("k{n}"), json!({"value": n}))).collect();
    for said in [
        json!("a".repeat(1 << 20)),
        json!("[{\"".repeat(100_000)),
        json!("1,".repeat(200_000)),
        json!("1 January ".repeat(50_000)),
        json!(nested),
        Value::Object(wide),
        json!(vec![json!({"l": "a; b"}); 10_000]),
        deep,
    ] {
        for field in &schema.fields {
            let read = read_answer(field, &said);
            assert!(read.is_err() || read.is_ok_and(|value| value != Some(Value::Null)));
        }
    }
}
