//! Lists and what is done to them.

use serde_json::json;

use crate::Talk;
use crate::forms::{order, shop};
use agents_core::chat::{ActType, SlotOperation, SlotUpdate};

fn said(path: &str, change: SlotOperation, value: serde_json::Value) -> Vec<SlotUpdate> {
    vec![SlotUpdate { path: path.into(), change, value, is_meant: true }]
}

#[test]
fn items_are_listed_added_removed_and_replaced() {
    let empty = Talk::of(&order()).asked("/groceries");
    assert_eq!(
        empty.hears("apples, pears and plums").statements,
        said("/groceries", SlotOperation::Set, json!(["apples", "pears", "plums"]))
    );
    let talk = Talk::of(&order()).asked("/groceries/-").with(json!({"groceries": ["apples", "pears"]}));
    for (message, path, change, value) in [
        ("add milk", "/groceries", SlotOperation::Add, json!(["milk"])),
        ("also eggs and bread", "/groceries", SlotOperation::Add, json!(["eggs", "bread"])),
        ("milk", "/groceries", SlotOperation::Add, json!(["milk"])),
        ("remove the second", "/groceries/1", SlotOperation::Remove, json!(null)),
        ("no pears", "/groceries/1", SlotOperation::Remove, json!(null)),
        ("replace apples with plums", "/groceries/0", SlotOperation::Set, json!("plums")),
        ("füge Milch hinzu", "/groceries", SlotOperation::Add, json!(["Milch"])),
        ("entferne die pears", "/groceries/1", SlotOperation::Remove, json!(null)),
    ] {
        assert_eq!(talk.hears(message).statements, said(path, change, value), "{message}");
    }
    for message in ["that's all", "no", "no more"] {
        assert_eq!(talk.acts(message), [ActType::Finish], "{message}");
    }
}

#[test]
fn rows_are_read_by_their_parts() {
    let empty = Talk::of(&shop()).asked("/items");
    let rows =
        json!([{"item": "shirts", "quantity": 2, "price": 15}, {"item": "hat", "quantity": 1, "price": 20}]);
    assert_eq!(
        empty.hears("2 shirts at 15 each and one hat for $20").statements,
        said("/items", SlotOperation::Set, rows.clone())
    );
    let talk = Talk::of(&shop()).asked("/items/-").with(json!({"items": rows}));
    assert_eq!(
        talk.hears("change the price of the first to 5").statements,
        said("/items/0/price", SlotOperation::Set, json!(5))
    );
    assert_eq!(talk.hears("remove the hat").statements, said("/items/1", SlotOperation::Remove, json!(null)));
}

#[test]
fn a_part_of_a_row_is_asked_for_by_itself() {
    let talk = Talk::of(&shop()).asked("/items/0/price").with(json!({"items": [{"item": "shirts"}]}));
    assert_eq!(talk.states("15 dollars"), json!({"/items/0/price": 15}));
}
