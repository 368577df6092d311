//! Tables of settings from one source, before they are typed.

use toml::{Table, Value};

/// Merges `over` into `base`, table by table.
pub(super) fn merge(base: &mut Table, over: Table) {
    for (key, value) in over {
        match (base.get_mut(&key), value) {
            (Some(Value::Table(base)), Value::Table(over)) => merge(base, over),
            (_, value) => {
                base.insert(key, value);
            }
        }
    }
}

/// The value at a dotted key.
pub(super) fn find<'a>(table: &'a Table, key: &str) -> Option<&'a Value> {
    let (first, rest) = key.split_once('.').unwrap_or((key, ""));
    match table.get(first)? {
        Value::Table(inner) if !rest.is_empty() => find(inner, rest),
        value => rest.is_empty().then_some(value),
    }
}
