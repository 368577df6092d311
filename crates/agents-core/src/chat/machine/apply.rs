//! Applies slot updates to the values of a form. A value that breaks a rule of its field is never stored.

use forms_core::FormSchema;
use serde_json::Value;

use super::apply_outcome::ApplyOutcome;
use super::pointer;
use super::status::clear_status;
use super::system_act::SystemAct;
use super::update::apply_update;
use crate::chat::{FormState, SlotOperation, SlotUpdate};

/// Most bytes of all values of a form: every message loads and stores them whole.
const MAX_BYTES: usize = 1 << 20;

/// Applies slot updates without reporting their effects.
pub fn apply_slot_updates(form: &FormSchema, state: &mut FormState, statements: &[SlotUpdate]) {
    drop(apply(form, state, statements));
}

/// Applies slot updates in the order of the message. An update of a field that only applies through another
/// update of the same message comes after that one.
pub(super) fn apply(form: &FormSchema, state: &mut FormState, statements: &[SlotUpdate]) -> ApplyOutcome {
    let mut applied = ApplyOutcome::default();
    let mut room = MAX_BYTES.saturating_sub(state.values.values().map(estimate_size).sum());
    let is_too_much = |statement: &&SlotUpdate| {
        let weight =
            if statement.change == SlotOperation::Remove { 0 } else { estimate_size(&statement.value) };
        let fits = room.checked_sub(weight);
        room = fits.unwrap_or(room);
        fits.is_none()
    };
    let (refused, mut waiting): (Vec<_>, Vec<&SlotUpdate>) = statements.iter().partition(is_too_much);
    if !refused.is_empty() {
        applied.parts.push(SystemAct::TooLarge);
    }
    // Each round applies what the previous one made applicable. Every round applies at least one update, so
    // the loop ends.
    while !waiting.is_empty() {
        let (now, later): (Vec<_>, Vec<_>) =
            waiting.iter().partition(|statement| pointer::applies(form, &state.values, &statement.path));
        if now.is_empty() {
            break;
        }
        for statement in now {
            apply_update(form, state, statement, &mut applied);
        }
        waiting = later;
    }
    let dropped = drop_inapplicable(form, state);
    if !dropped.is_empty() {
        applied.noted.retain(|path| !dropped.contains(path));
        applied.parts.push(SystemAct::NoLongerApplicable(dropped));
    }
    applied
}

/// Estimated size in bytes of a stored value.
fn estimate_size(value: &Value) -> usize {
    // Brackets, quotes, a comma, and the digits of most numbers.
    const FRAME: usize = 8;
    match value {
        Value::String(text) => text.len() + FRAME,
        Value::Array(items) => items.iter().map(estimate_size).sum::<usize>() + FRAME,
        Value::Object(parts) => {
            parts.iter().map(|(name, part)| name.len() + estimate_size(part)).sum::<usize>() + FRAME
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => FRAME,
    }
}

/// Removes values that no longer apply. Returns their paths.
pub(super) fn drop_inapplicable(form: &FormSchema, state: &mut FormState) -> Vec<String> {
    let found = form.clear_inapplicable(&mut state.values.clone());
    let has_value = |path: &&str| pointer::get(&state.values, path).is_some();
    let dropped: Vec<String> = found.pointers().filter(has_value).map(str::to_owned).collect();
    for path in &dropped {
        pointer::take(&mut state.values, path);
        clear_status(state, path);
    }
    // The status of a field that no longer applies is removed too.
    let gone: Vec<String> =
        state.marks.keys().filter(|path| !pointer::applies(form, &state.values, path)).cloned().collect();
    for path in gone {
        state.marks.remove(&path);
        state.trail.retain(|settled| *settled != path);
    }
    dropped
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_form_holds_so_much_and_what_is_taken_out_makes_room() {
        let schema = json!({"things": {"type": "array", "items": {"type": "string"}}});
        let form = FormSchema::parse(schema.as_object().unwrap()).unwrap();
        let mut state = FormState::default();
        let said = |change, value| SlotUpdate { path: "/things".into(), change, value, is_meant: true };
        let thing = |number: usize| json!(format!("{number} {}", "x".repeat(30_000)));
        let mut kept = 0;
        while apply(&form, &mut state, &[said(SlotOperation::Add, json!([thing(kept)]))]).parts.is_empty() {
            kept += 1;
        }
        assert_eq!(kept, MAX_BYTES / 30_000);
        let refused = apply(&form, &mut state, &[said(SlotOperation::Add, json!([thing(kept)]))]);
        assert_eq!((refused.parts, refused.changed), (vec![SystemAct::TooLarge], false));
        apply(&form, &mut state, &[said(SlotOperation::Remove, json!([thing(0)]))]);
        let added = apply(&form, &mut state, &[said(SlotOperation::Add, json!([thing(kept)]))]);
        assert!(added.changed, "{:?}", added.parts);
        assert!(estimate_size(&Value::Object(state.values)) <= MAX_BYTES + 100);
    }
}
