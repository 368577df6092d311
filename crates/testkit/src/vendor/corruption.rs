//! The content of answers under a fault.

use serde_json::{Map, Value, json};

use super::Fault;

/// The text of an answer with this record under a fault. `sent` is the whole text of the request.
pub(super) fn corrupt_content(fault: Option<Fault>, record: &Value, sent: &str) -> String {
    let whole = record.to_string();
    let part = |length: usize| whole.get(..length).unwrap_or(&whole).to_owned();
    match fault {
        Some(Fault::Prose) => "I have read the note and everything in it is in order.".to_owned(),
        Some(Fault::NearlyJson) => whole.replacen(":", " is ", 1),
        Some(Fault::CutAtLimit | Fault::CutSilently | Fault::ContentFilter) => part(whole.len() * 3 / 5),
        Some(Fault::CutFirstValue | Fault::CutFirstValueAtLimit) => part(inside_first_value(&whole, record)),
        Some(Fault::Echo) => sent.to_owned(),
        Some(Fault::RepeatedRows) => map_members(record, repeat_rows).to_string(),
        Some(Fault::WrongKinds) => map_members(record, wrong_kind).to_string(),
        Some(Fault::EmptyObject) => "{}".to_owned(),
        Some(Fault::Refusal) => "I cannot help with that.".to_owned(),
        Some(Fault::EmptyContent) => String::new(),
        _ => whole,
    }
}

/// The middle of the first non-null member.
fn inside_first_value(whole: &str, record: &Value) -> usize {
    let members = record.as_object().into_iter().flatten();
    let first = members.into_iter().find(|(_, value)| !value.is_null());
    let Some((name, value)) = first else { return whole.len() / 2 };
    let start = whole.find(&format!("\"{name}\":")).map_or(0, |at| at + name.len() + 3);
    start + value.to_string().len() / 2
}

fn map_members(record: &Value, changed: fn(&Value) -> Value) -> Value {
    let Value::Object(members) = record else { return record.clone() };
    Value::Object(members.iter().map(|(name, value)| (name.clone(), changed(value))).collect::<Map<_, _>>())
}

/// Each row of a list twice: the whole list, then again.
fn repeat_rows(value: &Value) -> Value {
    match value {
        Value::Array(rows) => rows.iter().chain(rows).cloned().collect(),
        other => other.clone(),
    }
}

/// A value of a type that no form accepts in its place.
fn wrong_kind(value: &Value) -> Value {
    match value {
        Value::Null => json!({}),
        Value::Array(_) => json!("several"),
        Value::Number(_) => json!("plenty"),
        other => json!({"value": [other]}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_in_the_first_value_leaves_a_part_of_it_whatever_its_kind() {
        let cut = |record: Value| corrupt_content(Some(Fault::CutFirstValue), &record, "");
        assert_eq!(cut(json!({"number": "PO-1234", "total": 5})), r#"{"number":"PO-"#);
        assert_eq!(cut(json!({"order": null, "total": 2150.75})), r#"{"order":null,"total":215"#);
        assert_eq!(cut(json!({"rows": [{"a": 1}]})), r#"{"rows":[{"a"#);
    }

    #[test]
    fn copies_and_other_kinds_keep_the_names_of_the_members() {
        let record = json!({"name": "Ada", "rows": [{"a": 1}], "total": 5, "day": null});
        let text = |fault| {
            serde_json::from_str::<Value>(&corrupt_content(Some(fault), &record, "all that was sent"))
        };
        assert_eq!(text(Fault::RepeatedRows).unwrap()["rows"], json!([{"a": 1}, {"a": 1}]));
        let other = text(Fault::WrongKinds).unwrap();
        assert_eq!(
            other,
            json!({"name": {"value": ["Ada"]}, "rows": "several", "total": "plenty", "day": {}})
        );
        assert_eq!(corrupt_content(Some(Fault::Echo), &record, "all that was sent"), "all that was sent");
    }
}
