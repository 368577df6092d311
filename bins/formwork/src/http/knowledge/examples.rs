//! Sample values of knowledge bases in the OpenAPI document.

use serde_json::{Value, json};

use crate::http::examples::{CREATED, list_meta};

const BASE: &str = "kb_019c9e46b1d87c20a4f3e5d7c9b1a3f5";
const OTHER_BASE: &str = "kb_019c9e46b1d87c20a4f3e5d7c9b1a3f6";
const ITEM: &str = "item_019c9e46d2f97b31b5a4c6e8d0f2b4a6";

/// A new knowledge base.
pub(super) fn new_base() -> Value {
    json!({
        "name": "Harbour rules", "description": "What pilots and masters ask.",
        "chunking": {"tokens": 300}
    })
}

pub(super) fn base() -> Value {
    json!({
        "knowledgeId": BASE, "name": "Harbour rules", "description": "What pilots and masters ask.",
        "files": 3, "chunks": 41, "bytes": 96_310, "created_timestamp": CREATED, "updated_timestamp": CREATED,
        "userName": "Ada Marsh", "embeddingModel": null, "servingModel": null, "chunking": {"tokens": 300},
        "vectorRecall": null, "rerankModel": null, "rerankDepth": 50,
        "status": {"queued": 0, "processing": 0, "ready": 3, "failed": 0}, "languages": ["en"],
        "index_position": 118
    })
}

/// Changes of a knowledge base.
pub(super) fn base_changes() -> Value {
    json!({"name": "Harbour rules 2026", "embeddingModel": null})
}

/// A list of bases.
pub(super) fn bases() -> Value {
    json!({"knowledgebases": [base()], "meta": list_meta(50)})
}

/// Data to add.
pub(super) fn data() -> Value {
    json!({
        "file_ids": [12, {"id": 13, "meta": {"area": "south"}}],
        "meta": {"year": 2026},
        "texts": [{
            "title": "Berths", "content": "# Berth 4\n\nThe draught at berth 4 is 9.2 m.",
            "meta": {"area": "north"}, "externalId": "cms/berths"
        }],
        "chunks": [
            {"title": "Tariff", "content": "Pilotage costs 320 EUR a ship.", "page": 1},
            {"title": "Tariff", "content": "Tugs cost 410 EUR an hour.", "page": 2}
        ]
    })
}

/// An item.
pub(super) fn piece() -> Value {
    json!({
        "id": ITEM, "knowledgeId": BASE, "file_id": null, "name": "Berths", "status": "ready", "error": null,
        "bytes": 44, "folder": "home", "meta": {"year": 2026, "area": "north"}, "created_timestamp": CREATED,
        "updated_timestamp": CREATED, "source": "text", "url": null, "progress": {"done": 1, "total": 1},
        "language": "en", "embeddingModel": null, "index_position": 118, "externalId": "cms/berths",
        "expires": null, "chunks": 1
    })
}

/// The answer to added data.
pub(super) fn added() -> Value {
    json!({"files": [piece()]})
}

/// A list of items.
pub(super) fn items() -> Value {
    json!({"files": [piece()], "meta": list_meta(50)})
}

/// An item with its text.
pub(super) fn item_with_content() -> Value {
    let mut item = piece();
    item["content"] = json!("# Berth 4\n\nThe draught at berth 4 is 9.2 m.");
    item
}

pub(super) fn item_changes() -> Value {
    json!({"meta": {"year": 2026, "area": "south"}})
}

/// What to delete.
pub(super) fn deletion() -> Value {
    json!({"ids": [ITEM]})
}

/// Events of the work on a base.
pub(super) const EVENTS: &str = "event: progress\n\
    data: {\"knowledgeId\":\"kb_019c9e46b1d87c20a4f3e5d7c9b1a3f5\",\"status\":{\"queued\":2,\"processing\":1,…},…}\n\n\
    event: file\n\
    data: {\"id\":\"item_019c9e46d2f97b31b5a4c6e8d0f2b4a6\",\"name\":\"Berths\",\"status\":\"processing\",\"error\":null,\
    \"progress\":{\"done\":64,\"total\":180},\"index_position\":117}\n\n\
    event: end\n\
    data: {\"knowledgeId\":\"kb_019c9e46b1d87c20a4f3e5d7c9b1a3f5\",\"status\":{\"queued\":0,\"processing\":0,…},…}\n\n";

pub(super) fn search() -> Value {
    json!({"query": "draught at berth 4", "limit": 5, "filter": {"year": {"gte": 2025}}, "wait_for": 118})
}

/// A search in two knowledge bases.
pub(super) fn bases_search() -> Value {
    json!({
        "query": "draught at berth 4", "knowledge": [{"id": BASE}, {"id": OTHER_BASE, "limit": 3}], "groupBy": "file",
        "facets": ["area", "$language"]
    })
}

/// The results.
pub(super) fn found() -> Value {
    json!({
        "results": [{
            "id": format!("{ITEM}:0"), "file": ITEM, "title": "Berths", "page": null, "score": 0.74,
            "text": "# Berth 4\n\nThe draught at berth 4 is 9.2 m.", "meta": {"year": 2026, "area": "north"},
            "heading": "", "start": 0, "end": 43, "lexicalScore": 0.74, "semanticScore": null, "knowledgeId": BASE
        }]
    })
}
