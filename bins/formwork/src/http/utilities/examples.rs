//! Sample values of the OpenAPI document: the catches and the form of a small harbour.

use serde_json::{Value, json};

use crate::http::examples::FILE_URL;

/// Documents by reference.
pub(super) fn urls() -> Value {
    json!({"urls": ["12", FILE_URL]})
}

/// Sample documents of one kind.
pub(super) fn samples() -> Value {
    json!({"urls": ["12", "13", FILE_URL]})
}

/// The schema that they suggest.
pub(super) fn proposal() -> Value {
    let field = |path: &str, label: &str, documents: u32, examples: &[&str]| json!({"path": path, "label": label, "documents": documents, "examples": examples});
    json!({
        "schema": {
            "vessel": {"type": "string", "order": 1, "description": "Vessel"},
            "landed_on": {"type": "date", "order": 2, "description": "Landed on"}
        },
        "fields": [
            field("/vessel", "Vessel", 2, &["Morning Star", "Sea Pink"]),
            field("/landed_on", "Landed on", 2, &["14.03.2026"])
        ],
        "warnings": [{"path": "/urls/2", "message": "there is no such file"}]
    })
}

fn catches() -> Value {
    let cell = |row: u32, column: u32, text: &str| {
        json!({
            "row": row, "column": column, "rowSpan": 1, "columnSpan": 1, "text": text, "header": row == 0
        })
    };
    json!([{
        "page": 1, "title": "Table 1: Catches in March", "rows": [["Fish", "Kilos"], ["Cod", "412"]],
        "cells": [cell(0, 0, "Fish"), cell(0, 1, "Kilos"), cell(1, 0, "Cod"), cell(1, 1, "412")],
        "box": {"x0": 72.0, "y0": 188.4, "x1": 310.6, "y1": 226.8}
    }])
}

fn failed() -> Value {
    json!({"code": "file_not_found", "message": "there is no such file"})
}

/// Tables of documents.
pub(super) fn tables() -> Value {
    json!([{"url": "12", "tables": catches()}, {"url": FILE_URL, "tables": [], "error": failed()}])
}

/// Documents as Markdown.
pub(super) fn parsed() -> Value {
    json!([
        {
            "url": "12", "title": "Catches", "body": "# Catches\n\n| Fish | Kilos |\n| --- | --- |\n| Cod | 412 |",
            "pageCount": 1, "pages": [{"number": 1, "width": 595.3, "height": 841.9, "needsOcr": false, "recognised": false}],
            "language": "en",
            "metadata": {
                "name": "catches.pdf", "bytes": 18_204,
                "sha256": "9b1c0d5f8a7e42960d1b6c5f4e3a29187706f5e4d3c2b1a09f8e7d6c5b4a3928", "format": "pdf",
                "author": "Ada Marsh", "created": "2026-03-14T09:26:53Z", "modified": null, "truncated": false
            },
            "tables": catches()
        },
        {
            "url": FILE_URL, "title": "", "body": "", "pageCount": null, "pages": [], "language": null,
            "metadata": null, "error": failed()
        }
    ])
}

/// Documents with options for their thumbnails.
pub(super) fn wanted_thumbnails() -> Value {
    json!({"urls": ["12", FILE_URL], "width": 480, "page": 1, "format": "webp"})
}

/// Thumbnails of documents.
pub(super) fn thumbnails() -> Value {
    json!([
        {"url": "12", "thumbnail": "http://127.0.0.1:8080/thumbnails/kQ3vT8mXz1LwYc7rBn5hJd2gFs9pEa4U"},
        {"url": FILE_URL, "thumbnail": "", "error": failed()}
    ])
}

/// A picture, with a text for its bytes.
pub(super) fn picture() -> Value {
    json!("(the bytes of a picture)")
}

/// Keys and values of documents.
pub(super) fn pairs() -> Value {
    json!([
        {
            "url": "12",
            "pairs": [
                {
                    "key": "Name of vessel", "value": "Morning Star", "page": 1, "kind": "field",
                    "box": {"x0": 180.0, "y0": 96.2, "x1": 420.0, "y1": 112.2}
                },
                {
                    "key": "Port", "value": "Hull", "page": 1, "kind": "label",
                    "box": {"x0": 180.0, "y0": 131.4, "x1": 201.3, "y1": 142.6}
                }
            ]
        },
        {"url": FILE_URL, "pairs": [], "error": failed()}
    ])
}

/// Search terms with options.
pub(super) fn searched() -> Value {
    json!({
        "search_terms": ["cod quota", "eel"], "limit": 5, "language": "en-GB", "freshness": "week",
        "safeSearch": "moderate", "fullText": true
    })
}

fn unanswered() -> Value {
    json!({"code": "provider_timeout", "message": "searxng: the provider did not answer in time"})
}

/// Web search results.
pub(super) fn web_results() -> Value {
    json!([
        {
            "term": "cod quota",
            "prompt_context": "[1] Quotas of the bay\nURL: https://ministry.example/quota\nDate: \
                2026-03-12T08:00:00.000Z\nA boat may land 400 kilos of cod in March.",
            "sources": [{
                "title": "Quotas of the bay", "description": "What a boat may land, by month.",
                "url": "https://ministry.example/quota", "isFamilyFriendly": true, "language": "en",
                "full_text": "A boat may land 400 kilos of cod in March."
            }]
        },
        {"term": "eel", "prompt_context": "", "sources": [], "error": unanswered()}
    ])
}

/// News search results.
pub(super) fn news() -> Value {
    json!([
        {
            "search_term": "cod quota",
            "prompt_context": "[1] Cod is back in the bay\nURL: https://herald.example/cod\nDate: \
                2026-03-13T21:00:00.000Z\nPublisher: The Herald\nBoats came home with full holds.",
            "sources": [{
                "title": "Cod is back in the bay", "description": "Boats came home with full holds.",
                "url": "https://herald.example/cod", "datePublished": "2026-03-13T21:00:00.000Z",
                "provider": "The Herald", "full_text": ""
            }]
        },
        {"search_term": "eel", "prompt_context": "", "sources": [], "error": unanswered()}
    ])
}

/// URLs of web pages.
pub(super) fn page_urls() -> Value {
    json!({"urls": ["https://harbour.example/news/march", "http://192.168.0.1/"]})
}

/// Parsed web pages.
pub(super) fn pages() -> Value {
    json!([
        {
            "url": "https://harbour.example/news/march", "title": "Cod is back", "domain": "harbour.example",
            "body": "# Cod is back\n\nThe boats brought in 412 kilos.",
            "relatedurls": [{
                "url": "https://harbour.example/news/february", "title": "A quiet February",
                "description": "Storms kept the boats in port.", "type": "web"
            }],
            "description": "What the boats brought in during March.", "site": "The Harbour", "language": "en",
            "published": "2026-03-31T08:00:00Z", "author": "Ada Marsh",
            "image": "https://harbour.example/pictures/cod.jpg", "needsScript": false, "truncated": false
        },
        {
            "url": "http://192.168.0.1/", "title": "", "domain": "", "body": "", "relatedurls": [],
            "description": null, "site": null, "language": null, "published": null, "author": null, "image": null,
            "needsScript": false, "truncated": false,
            "error": {"code": "fetch_denied", "message": "the URL is not allowed: its host is not on the public internet"}
        }
    ])
}

/// Documents and forms.
pub(super) fn documents_to_classify() -> Value {
    json!({"documents": [{"url": "12", "pages": "1-2"}, {"url": FILE_URL}], "forms": ["form_01jq9x", "form_01jq9z"]})
}

fn classification() -> Value {
    json!({
        "form_id": "form_01jq9x", "probability": 0.97,
        "candidates": [
            {
                "form_id": "form_01jq9x", "title": "Invoice", "probability": 0.97,
                "evidence": [
                    {"quote": "# Invoice", "page": 1, "start": 14, "end": 23},
                    {"quote": "Invoice No.: A-17", "page": 1, "start": 25, "end": 42}
                ]
            },
            {"form_id": "form_01jq9z", "title": "Delivery note", "probability": 0.01, "evidence": []}
        ],
        "none": 0.02
    })
}

/// Documents with their forms.
pub(super) fn classified() -> Value {
    json!([
        {"url": "12", "pages": "1-2", "classification": classification()},
        {"url": FILE_URL, "classification": null, "error": failed()}
    ])
}

/// Files to divide.
pub(super) fn documents_to_split() -> Value {
    json!({"documents": [{"url": "12"}, {"url": FILE_URL}], "forms": ["form_01jq9x", "form_01jq9z"]})
}

/// Files with their parts.
pub(super) fn split() -> Value {
    json!([
        {
            "url": "12",
            "parts": [
                {"url": "12", "pages": "1-2", "probability": 1.0, "classification": classification()},
                {"url": "12", "pages": "4", "probability": 0.98, "classification": classification()}
            ],
            "blank": "3",
            "boundaries": [{"page": 2, "probability": 0.02}, {"page": 4, "probability": 0.98}]
        },
        {"url": FILE_URL, "parts": [], "blank": null, "boundaries": [], "error": failed()}
    ])
}
