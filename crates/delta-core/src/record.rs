//! A stored response as one object: the form's fields, and the service's reserved keys beside them.

use serde_json::{Map, Value};

/// The keys that the service adds to a record.
pub const RESERVED_KEYS: [&str; 8] =
    ["context", "meta", "evidence", "reviews", "gid", "sid", "form_id", "form_version"];

/// The record with the keys of `own` after its fields. A reserved key that is also a field's name gets
/// leading underscores until it is unique.
#[must_use]
pub fn with_reserved_keys(
    record: &Map<String, Value>,
    own: Vec<(&'static str, Value)>,
) -> Map<String, Value> {
    let mut object = record.clone();
    for (key, value) in own {
        let mut key = key.to_owned();
        while record.contains_key(&key) {
            key.insert(0, '_');
        }
        object.insert(key, value);
    }
    object
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_field_keeps_its_name_and_the_own_key_gives_way() {
        let record = json!({"gid": "theirs", "_gid": 1, "total": 2});
        let object =
            with_reserved_keys(record.as_object().unwrap(), vec![("gid", json!("ours")), ("sid", json!(7))]);
        assert_eq!(json!(object), json!({"gid": "theirs", "_gid": 1, "total": 2, "__gid": "ours", "sid": 7}));
    }
}
