//! Sample values of evaluation in the OpenAPI document.

use serde_json::{Value, json};

use crate::http::examples::{CREATED, list_meta};

pub(super) fn new_set() -> Value {
    json!({
        "name": "What masters ask",
        "questions": [
            {"query": "What do tugs cost?", "expected": [{"title": "Tariff", "page": 2}], "answer": "410 EUR"},
            {"query": "Who painted the lighthouse?", "answerable": false}
        ]
    })
}

pub(super) fn set() -> Value {
    let mut set = listed();
    let place = json!({"file": null, "title": "Tariff", "page": 2, "text": null});
    set["questions"] = json!([
        {"query": "What do tugs cost?", "expected": [place], "answer": "410 EUR", "answerable": true},
        {"query": "Who painted the lighthouse?", "expected": [], "answer": null, "answerable": false}
    ]);
    set
}

fn listed() -> Value {
    json!({
        "id": "set_019c9e46b1d87c20a4f3e5d7c9b1a3f5", "knowledgeId": "kb_019c9e46b1d87c20a4f3e5d7c9b1a3f5",
        "name": "What masters ask", "questionCount": 2, "created_timestamp": CREATED, "updated_timestamp": CREATED,
        "userName": "Ada Marsh"
    })
}

pub(super) fn sets() -> Value {
    json!({"sets": [listed()], "meta": list_meta(50)})
}

pub(super) fn settings() -> Value {
    json!({"settings": [{"minScore": 0.3}, {"minScore": 0.3, "mode": "lexical", "limit": 20}]})
}

pub(super) fn evaluation() -> Value {
    let share = json!({"value": 1.0, "low": 0.2065, "high": 1.0});
    let scores = json!({
        "questions": 2, "answerable": 1, "failed": 0, "empty": 0, "recallAt1": share, "recallAt5": share,
        "recallAt10": share, "mrr": 1.0, "ndcgAt10": 1.0, "refusalRate": share
    });
    let found = json!({
        "ranks": [1], "results": 2, "bestScore": 0.74, "answerFound": true, "refused": null, "error": null
    });
    let refused = json!({
        "ranks": [], "results": 0, "bestScore": null, "answerFound": null, "refused": true, "error": null
    });
    let run = json!({"scores": scores, "questions": [found, refused]});
    json!({
        "complete": true, "runs": [run, run],
        "comparison": {
            "better": 0, "worse": 0, "same": 2, "chance": 1.0, "isWorse": false, "recallAt1": 0.0, "recallAt5": 0.0,
            "recallAt10": 0.0, "mrr": 0.0, "ndcgAt10": 0.0, "refusalRate": 0.0
        }
    })
}
