//! Right answers spoilt at random: a seeded generator of the faults that models make.

use serde_json::{Map, Value};

/// A linear congruential generator (Knuth's MMIX constants); its high bits are used.
#[derive(Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % bound.max(1)
    }

    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}

/// An answer that states `truth`, with faults in values, shapes and syntax.
pub(crate) fn spoilt(truth: &Value, form: &Value, random: &mut Random) -> String {
    let mut record = Map::new();
    for (name, value) in truth.as_object().into_iter().flatten() {
        let definition = form.get(name).cloned().unwrap_or_default();
        record.insert(key(name, random), member(value, &definition, random));
    }
    if random.once_in(6) {
        record.insert("confidence".to_owned(), Value::from(0.9));
    }
    let record = Value::Object(record);
    let record = match random.below(12) {
        0 => Value::Array(vec![record]),
        1 => serde_json::json!({ "record": record }),
        2 => serde_json::json!({ "status": "ok", "result": record }),
        _ => record,
    };
    let text = match random.once_in(2) {
        true => serde_json::to_string_pretty(&record),
        false => serde_json::to_string(&record),
    };
    around(&text.unwrap_or_default(), random)
}

/// A plain answer that states `truth`, with faults in one of its members.
pub(crate) fn touched(truth: &Value, form: &Value, random: &mut Random) -> String {
    let mut record = truth.as_object().cloned().unwrap_or_default();
    let at = random.below(record.len());
    if let Some((name, value)) = record.iter_mut().nth(at) {
        let definition = form.get(name).cloned().unwrap_or_default();
        *value = member(value, &definition, random);
    }
    Value::Object(record).to_string()
}

/// A text of words of several scripts and signs, without spaces around it.
pub(crate) fn words(random: &mut Random) -> String {
    let alphabet: Vec<char> = "abcXYZ 019.,-/'\"’“–()%&€$éßø日本ไ\u{301}שי".chars().collect();
    let text: String = (0..3 + random.below(20)).map(|_| alphabet[random.below(alphabet.len())]).collect();
    format!("w{}", text.trim())
}

fn key(name: &str, random: &mut Random) -> String {
    match random.below(16) {
        0 => name.to_uppercase(),
        1 => name.replace('_', " "),
        2 => format!(" {name}"),
        _ => name.to_owned(),
    }
}

fn member(value: &Value, definition: &Value, random: &mut Random) -> Value {
    match value {
        Value::Array(items) => list(items, &definition["items"], random),
        Value::Object(members) => {
            let parts = &definition["properties"];
            let spoil = |(name, value): (&String, &Value)| {
                (name.clone(), member(value, &parts[name.as_str()], random))
            };
            let object = Value::Object(members.iter().map(spoil).collect());
            if random.once_in(10) { Value::from(object.to_string()) } else { object }
        }
        _ => leaf(value, definition, random),
    }
}

fn list(items: &[Value], definition: &Value, random: &mut Random) -> Value {
    let mut out = Vec::new();
    for item in items {
        out.push(member(item, definition, random));
        if random.once_in(10) {
            out.push(Value::Null);
        }
    }
    match random.below(10) {
        0 => Value::from(Value::Array(out).to_string()),
        1 if out.len() == 1 => out.remove(0),
        2 if !out.is_empty() => serde_json::json!({ "items": out }),
        _ => Value::Array(out),
    }
}

fn leaf(value: &Value, definition: &Value, random: &mut Random) -> Value {
    let kind = definition["type"].as_str().unwrap_or_default();
    let said = match (value, random.below(8)) {
        (Value::Null, 0) if kind != "string" => Value::from("N/A"),
        (Value::Null, 1) => Value::from(""),
        (Value::Null, 2) => Value::from("not stated"),
        (Value::Number(number), 0) => Value::from(number.to_string()),
        (Value::Number(number), 1) => Value::from(format!("{number} EUR")),
        (Value::Number(number), 2) => Value::from(format!(" {number} ")),
        (Value::Bool(flag), 0) => Value::from(if *flag { "yes" } else { "no" }),
        (Value::Bool(flag), 1) => Value::from(if *flag { "JA" } else { "Nein" }),
        (Value::Bool(flag), 2) => Value::from(u8::from(*flag)),
        (Value::String(text), 0) => Value::from(format!(" {text}\n")),
        (Value::String(text), 1) if kind == "date" => Value::from(format!("{text}T00:00:00Z")),
        (Value::String(text), 1) if definition.get("enum").is_some() => Value::from(text.to_uppercase()),
        (Value::String(text), 2) => Value::from(format!("\u{200b}{text}")),
        (value, _) => value.clone(),
    };
    match random.below(14) {
        0 => serde_json::json!({ "value": said, "confidence": 0.8 }),
        1 if !value.is_null() => serde_json::json!([said]),
        _ => said,
    }
}

/// What stands around the answer, and slips in its syntax that change no value.
fn around(text: &str, random: &mut Random) -> String {
    let text = match random.below(8) {
        0 => text.replacen('}', ",}", 1),
        1 => text.replace("null", "None"),
        2 => text.replace(": null", ": NaN"),
        _ => text.to_owned(),
    };
    match random.below(8) {
        0 => format!("```json\n{text}\n```"),
        1 => format!("Here is the record:\n\n{text}\n\nAnything else?"),
        2 => format!("<think>Let me see.</think>{text}"),
        3 => format!("\u{feff}{text}\n"),
        _ => text,
    }
}
