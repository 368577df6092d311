//! Sample values of administration in the OpenAPI document.

use serde_json::{Value, json};

use crate::http::examples::{CREATED, list_meta};

const MEMBER: &str = "user_019c9e41a7b27d3e8f10b2c4d6e8fa01";
const WORKSPACE: &str = "ws_019c9e41a7b27d3e8f10b2c4d6e8fa00";

fn member_ref() -> Value {
    json!({"id": MEMBER, "userName": "Ada Marsh", "userEmail": "ada@harbour.example"})
}

pub(super) fn new_key() -> Value {
    json!({
        "name": "chat of the web shop", "scope": "write", "bases": ["kb_019c9e41a7b27d3e8f10b2c4d6e8fa0b"],
        "expires": "2028-01-01T00:00:00Z", "limits": {"requests_per_minute": 600, "cost_per_day": 12.5}
    })
}

pub(super) fn key() -> Value {
    json!({
        "id": "key_019c9e41a7b27d3e8f10b2c4d6e8fa02", "prefix": "fw_7hQ2m9Xk", "name": "chat of the web shop",
        "kind": "issued", "scope": "write", "member": member_ref(),
        "bases": ["kb_019c9e41a7b27d3e8f10b2c4d6e8fa0b"],
        "filter": null, "agent": null, "origins": null, "page": null, "public_key": null,
        "limits": {"requests_per_minute": 600, "cost_per_day": 12.5}, "successor": null, "state": "valid",
        "expires": "2028-01-01T00:00:00Z", "last_used": null, "created_timestamp": CREATED
    })
}

pub(super) fn issued_key() -> Value {
    let mut issued = key();
    issued["secret"] = json!("fw_7hQ2m9XkbdZ0rT5vY8aC1eF4gH7jK2mN5pQ8sU1wX4z");
    issued
}

pub(super) fn keys() -> Value {
    json!({"keys": [key()], "meta": list_meta(50)})
}

pub(super) fn key_changes() -> Value {
    json!({"name": "chat of the web shop", "bases": null, "expires": null})
}

pub(super) fn rotation() -> Value {
    json!({"grace_seconds": 86_400})
}

pub(super) fn new_member() -> Value {
    json!({"name": "Ben Quay", "email": "ben@harbour.example", "role": "member"})
}

pub(super) fn member_changes() -> Value {
    json!({"role": "viewer"})
}

pub(super) fn member() -> Value {
    json!({
        "id": MEMBER, "userName": "Ada Marsh", "userEmail": "ada@harbour.example", "role": "owner",
        "created_timestamp": CREATED
    })
}

pub(super) fn members() -> Value {
    json!({"members": [member()], "meta": list_meta(50)})
}

pub(super) fn credentials() -> Value {
    json!({"email": "ada@harbour.example", "password": "three boats at low tide"})
}

pub(super) fn sign_in() -> Value {
    json!({
        "token": "fw_2mN5pQ8sU1wX4z7hQ2m9XkbdZ0rT5vY8aC1eF4gH7jK", "expires": "2026-03-14T21:26:53Z",
        "member": member(), "workspace": {"id": WORKSPACE, "name": "Harbour Works"}
    })
}

pub(super) fn password_change() -> Value {
    json!({"current_password": "three boats at low tide", "password": "four boats at high tide"})
}

pub(super) fn new_password() -> Value {
    json!({"password": "three boats at low tide"})
}

pub(super) fn new_workspace() -> Value {
    json!({"name": "North Pier", "owner": {"name": "Cleo Mole", "email": "cleo@pier.example"}})
}

pub(super) fn workspace_name() -> Value {
    json!({"name": "Harbour Works"})
}

pub(super) fn workspace() -> Value {
    json!({"id": WORKSPACE, "name": "Harbour Works", "operator": true, "created_timestamp": CREATED})
}

pub(super) fn created_workspace() -> Value {
    json!({
        "workspace": {
            "id": "ws_019c9e41a7b27d3e8f10b2c4d6e8fa10", "name": "North Pier", "operator": false,
            "created_timestamp": CREATED
        },
        "owner": {
            "id": "user_019c9e41a7b27d3e8f10b2c4d6e8fa11", "userName": "Cleo Mole",
            "userEmail": "cleo@pier.example", "role": "owner", "created_timestamp": CREATED
        },
        "secret": "fw_9XkbdZ0rT5vY8aC1eF4gH7jK2mN5pQ8sU1wX4z7hQ2m"
    })
}

pub(super) fn workspaces() -> Value {
    json!({"workspaces": [workspace()], "meta": list_meta(50)})
}

pub(super) fn new_quotas() -> Value {
    json!({"files": 10_000, "bytes": 5_000_000_000_u64, "chunks": null})
}

pub(super) fn audit() -> Value {
    json!({
        "events": [{
            "id": "audit_019c9e41a7b27d3e8f10b2c4d6e8fa20", "time": "2026-03-14T09:26:53Z", "member": member_ref(),
            "key": "fw_7hQ2m9Xk", "operation": "create_note", "target": "/v1/notes",
            "created": {"kind": "note", "ids": ["7"]}, "request_id": "3828918d019a6840", "address": "192.0.2.7",
            "failure": null
        }],
        "meta": list_meta(50)
    })
}
