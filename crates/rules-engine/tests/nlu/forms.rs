//! Forms of other kinds than those that the rules were tried on.

use serde_json::{Value, json};

pub(super) fn hotel() -> Value {
    json!({
        "guest_name": {"type": "string", "order": 1},
        "email": {"type": "email", "order": 2},
        "phone": {"type": "string", "order": 3},
        "city": {"type": "string", "order": 4},
        "check_in": {"type": "date", "order": 5, "description": "Day of arrival"},
        "check_out": {"type": "date", "order": 6, "description": "Day of departure"},
        "adults": {"type": "integer", "order": 7},
        "number_of_children": {"type": "integer", "order": 8},
        "room_type": {"type": "string", "order": 9, "enum": ["single", "double", "suite"]},
        "breakfast_included": {"type": "boolean", "order": 10},
        "special_requests": {"type": "string", "order": 11}
    })
}

pub(super) fn doctor() -> Value {
    json!({
        "first_name": {"type": "string"},
        "last_name": {"type": "string"},
        "date_of_birth": {"type": "date"},
        "preferred_date": {"type": "date"},
        "preferred_time": {"type": "string", "format": "time"},
        "reason_for_visit": {"type": "string"},
        "insurance_number": {"type": "string"},
        "is_new_patient": {"type": "boolean"}
    })
}

pub(super) fn claim() -> Value {
    json!({
        "policy_number": {"type": "string"},
        "incident_date": {"type": "date"},
        "location": {"type": "string", "description": "Where it happened"},
        "kind_of_damage": {"type": "string", "enum": ["Fire", "Water damage", "Theft", "Storm", "Other"]},
        "description": {"type": "string"},
        "estimated_loss": {"type": "number", "minimum": 0},
        "police_informed": {"type": "boolean"},
        "website": {"type": "url"}
    })
}

pub(super) fn trip() -> Value {
    json!({
        "origin": {"type": "string"},
        "destination": {"type": "string"},
        "departure_date": {"type": "string"},
        "return_date": {"type": "string"},
        "passengers": {"type": "string", "enum": ["1", "2", "3", "4", "5", "6"]},
        "class": {"type": "string", "enum": ["Economy", "Business", "First Class"]},
        "refundable": {"type": "string", "enum": ["", "True", "False"]},
        "start_time": {"type": "string"},
        "end_time": {"type": "string"}
    })
}

pub(super) fn order() -> Value {
    json!({
        "customer": {"type": "string"},
        "delivery_address": {"type": "string"},
        "groceries": {"type": "array", "items": {"type": "string"}},
        "payment": {"type": "string", "enum": ["card", "cash", "invoice"]}
    })
}

pub(super) fn shop() -> Value {
    json!({"items": {"type": "array", "items": {"type": "object", "properties": {
        "item": {"type": "string"}, "quantity": {"type": "integer"}, "price": {"type": "number"}}}}})
}
