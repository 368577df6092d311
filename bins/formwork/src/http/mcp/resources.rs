//! Resources: stored forms, files, knowledge bases, submissions and records of runs, by address.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use files_core::{FileId, FilesError};
use futures_util::TryStreamExt as _;
use serde_json::{Map, Value, json};
use shared_core::ErrorKind;

use super::catalogue;
use super::exchange::Exchange;
use crate::http::ApiError;
use crate::http::json_rpc::RpcError;

/// The begin of every address.
const SCHEME: &str = "formwork://";
/// Maximum size in bytes of a file whose content is sent. Larger ones are parsed by tools.
const MAX_CONTENT: u64 = 8 << 20;
/// The lists of `resources/list`, in this order: operation, name of its rows, of their ids, of their names, and the
/// folder of their addresses.
const LISTS: [(&str, &str, &str, &str, &str); 3] = [
    ("list_forms", "forms", "form_id", "title", "forms"),
    ("list_knowledge_bases", "knowledgebases", "knowledgeId", "name", "knowledgebases"),
    ("list_files", "files", "id", "name", "files"),
];
/// The templates: address, name, title, operation. The address names the parameters of the operation.
const TEMPLATES: [(&str, &str, &str, &str); 5] = [
    ("forms/{form_id}", "form", "A form with its fields", "get_form"),
    ("files/{file_id}", "file", "The content of an uploaded file", "get_file"),
    ("knowledgebases/{knowledgeId}", "knowledge_base", "A knowledge base", "get_knowledge_base"),
    (
        "agents/{namespace}/submissions/{submission_id}",
        "submission",
        "The record that a conversation submitted",
        "get_submission",
    ),
    ("agents/{namespace}/runs/{sid}/responses", "responses", "The records of a run", "list_delta_responses"),
];

/// The answer to `resources/templates/list`.
pub(super) fn templates() -> Value {
    let described = TEMPLATES.map(|(address, name, title, _)| {
        let mut template = json!({"uriTemplate": format!("{SCHEME}{address}"), "name": name, "title": title});
        if name != "file" {
            template["mimeType"] = json!("application/json");
        }
        template
    });
    json!({"resourceTemplates": described})
}

/// The answer to `resources/list`: a page of forms, knowledge bases or files.
///
/// # Errors
/// For an invalid cursor.
pub(super) async fn list(exchange: &Exchange, params: &Map<String, Value>) -> Result<Value, RpcError> {
    let cursor = params.get("cursor").and_then(Value::as_str).unwrap_or("0:");
    let invalid = || RpcError::invalid_params("'cursor' is not one of this list");
    let (place, cursor) = cursor.split_once(':').ok_or_else(invalid)?;
    let place: usize = place.parse().ok().ok_or_else(invalid)?;
    let (operation, rows, id, name, folder) = *LISTS.get(place).ok_or_else(invalid)?;
    let mut arguments = Map::new();
    if !cursor.is_empty() {
        arguments.insert("cursor".to_owned(), json!(cursor));
    }
    let page = match catalogue::call(exchange, operation, arguments).await {
        Ok(page) => page,
        // Such a key has no resources.
        Err(error) if error.is(ErrorKind::Forbidden) => return Ok(json!({"resources": []})),
        Err(error) => return Err(RpcError::failed(error)),
    };
    let resources: Vec<Value> = page[rows]
        .as_array()
        .into_iter()
        .flatten()
        .map(|row| {
            let id = plain(&row[id]);
            let mut resource =
                json!({"uri": format!("{SCHEME}{folder}/{id}"), "name": id, "title": row[name]});
            match row.get("bytes").filter(|_| folder == "files") {
                Some(bytes) => resource["size"] = bytes.clone(),
                None => resource["mimeType"] = json!("application/json"),
            }
            resource
        })
        .collect();
    let mut result = json!({"resources": resources});
    let next = page["meta"]["next_cursor"].as_str().filter(|next| !next.is_empty());
    if let Some(next) = next {
        result["nextCursor"] = json!(format!("{place}:{next}"));
    } else if place + 1 < LISTS.len() {
        result["nextCursor"] = json!(format!("{}:", place + 1));
    }
    Ok(result)
}

fn plain(id: &Value) -> String {
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}

/// The answer to `resources/read`.
///
/// # Errors
/// When the workspace has no such resource, or its content is too large.
pub(super) async fn read(exchange: &Exchange, params: &Map<String, Value>) -> Result<Value, RpcError> {
    let uri = params.get("uri").and_then(Value::as_str);
    let uri = uri.ok_or_else(|| RpcError::invalid_params("'uri' must be the address of a resource"))?;
    let unknown = || RpcError::unknown_resource(uri, exchange.terms.is_stateless);
    let address = uri.strip_prefix(SCHEME).ok_or_else(unknown)?;
    let named = |(shape, _, _, operation): &(&str, &str, &str, &'static str)| {
        Some((*operation, parameters(shape, address)?))
    };
    let (operation, arguments) = TEMPLATES.iter().find_map(named).ok_or_else(unknown)?;
    let failed = |error: ApiError| {
        if error.is(ErrorKind::NotFound) { unknown() } else { RpcError::failed(error) }
    };
    let stored = catalogue::call(exchange, operation, arguments).await.map_err(failed)?;
    let content = if operation == "get_file" {
        content(exchange, uri, &stored).await.map_err(failed)?
    } else {
        json!({"uri": uri, "mimeType": "application/json", "text": stored.to_string()})
    };
    Ok(json!({"contents": [content]}))
}

/// The parameters of an address of this shape.
fn parameters(shape: &str, address: &str) -> Option<Map<String, Value>> {
    let (mut shape, mut address) = (shape.split('/'), address.split('/'));
    let mut found = Map::new();
    loop {
        match (shape.next(), address.next()) {
            (None, None) => return Some(found),
            (Some(part), Some(segment)) => {
                match part.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
                    Some(name) if !segment.is_empty() => found.insert(name.to_owned(), json!(segment)),
                    None if part == segment => None,
                    _ => return None,
                }
            }
            _ => return None,
        };
    }
}

/// The content of a file that the caller may read.
async fn content(exchange: &Exchange, uri: &str, record: &Value) -> Result<Value, ApiError> {
    let files = &exchange.state.files;
    let id = FileId::parse(&plain(&record["id"])).ok_or(FilesError::NotFound)?;
    let file = files.get(&exchange.caller.0.scope, id).await?;
    if file.bytes > MAX_CONTENT {
        let message = format!(
            "the file has {} bytes, and at most {MAX_CONTENT} are sent; the tool parse_documents reads it",
            file.bytes
        );
        return Err(ApiError::new(ErrorKind::TooLarge, "result_too_large", message));
    }
    let read = files.content(&file, None).await?;
    let bytes = read.try_fold(Vec::new(), |mut all, piece| async move {
        all.extend_from_slice(&piece);
        Ok(all)
    });
    let bytes = bytes.await.map_err(FilesError::from)?;
    let mut content = json!({"uri": uri, "mimeType": file.content_type});
    match String::from_utf8(bytes) {
        Ok(text) => content["text"] = json!(text),
        Err(error) => content["blob"] = json!(BASE64_STANDARD.encode(error.as_bytes())),
    }
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_the_parameters_of_its_shape() {
        let shape = "agents/{namespace}/runs/{sid}/responses";
        let found = parameters(shape, "agents/a/runs/7/responses").unwrap();
        assert_eq!(json!(found), json!({"namespace": "a", "sid": "7"}));
        for other in
            ["agents/a/runs/7", "agents/a/runs/7/responses/", "agents//runs/7/responses", "", "forms/a"]
        {
            assert!(parameters(shape, other).is_none(), "{other}");
        }
    }
}
