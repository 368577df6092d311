//! Tools and results as the protocol writes them.

use gen_core::Tool;
use serde_json::{Value, json};

use super::failure::ToolFailure;

/// Most characters of a name and of a description. Bounds the memory.
const MAX_NAME: usize = 256;
const MAX_DESCRIPTION: usize = 8_000;

/// The tools of a page. What has no name is none.
pub(super) fn tools(page: &mut Value) -> Vec<Tool> {
    let Value::Array(listed) = page["tools"].take() else { return Vec::new() };
    let tool = |mut tool: Value| {
        let name = tool["name"].as_str().filter(|name| !name.is_empty() && name.len() <= MAX_NAME)?;
        let text = |key: &str| tool[key].as_str().map(|text| text.chars().take(MAX_DESCRIPTION).collect());
        let (name, description) = (name.to_owned(), text("description").or_else(|| text("title")));
        let parameters = tool["inputSchema"].take();
        let is_object = parameters.get("type").is_some_and(|kind| kind == "object");
        let parameters = if is_object { parameters } else { json!({"type": "object"}) };
        Some(Tool { name, description, parameters, strict: None })
    };
    listed.into_iter().filter_map(tool).collect()
}

/// The text of a result. Pictures and sounds are named, not given.
///
/// # Errors
/// When the tool asks for input of a user, or answers with a task.
pub(super) fn result_text(result: Value) -> Result<String, ToolFailure> {
    if result["resultType"].as_str().is_some_and(|kind| kind != "complete") {
        return Err(ToolFailure::Protocol("the tool asks for more than a result"));
    }
    let blocks = result["content"].as_array().map(Vec::as_slice).unwrap_or_default();
    let block = |block: &Value| match block["type"].as_str().unwrap_or_default() {
        "text" => block["text"].as_str().unwrap_or_default().to_owned(),
        "resource" => match block["resource"]["text"].as_str() {
            Some(text) => text.to_owned(),
            None => format!("[resource {}]", block["resource"]["uri"].as_str().unwrap_or_default()),
        },
        "resource_link" => format!("[resource {}]", block["uri"].as_str().unwrap_or_default()),
        other => format!("[{other}]"),
    };
    let mut text = blocks.iter().map(block).collect::<Vec<_>>().join("\n");
    if text.trim().is_empty() && !result["structuredContent"].is_null() {
        text = result["structuredContent"].to_string();
    }
    Ok(if result["isError"] == true { format!("Error: {text}") } else { text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_have_a_name_and_a_schema_of_an_object() {
        let schema = json!({"type": "object", "properties": {"q": {"type": "string"}}});
        let mut page = json!({"tools": [
            {"name": "a", "title": "A", "inputSchema": schema}, {"name": "b", "inputSchema": true},
            {"name": ""}, {"title": "c"}, 7
        ]});
        let found = tools(&mut page);
        assert_eq!(found.iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!((found[0].description.as_deref(), &found[0].parameters), (Some("A"), &schema));
        assert_eq!(found[1].parameters, json!({"type": "object"}));
        assert!(tools(&mut json!({"tools": 1})).is_empty());
    }

    #[test]
    fn a_result_is_its_texts_and_says_when_it_is_an_error() {
        let text = |result| result_text(result).unwrap();
        let blocks = json!([
            {"type": "text", "text": "one"}, {"type": "image", "data": "aaaa"},
            {"type": "resource", "resource": {"uri": "file:///a", "text": "two"}}
        ]);
        assert_eq!(text(json!({"content": blocks})), "one\n[image]\ntwo");
        assert_eq!(text(json!({"content": [], "structuredContent": {"a": 1}})), r#"{"a":1}"#);
        let failed = json!({"content": [{"type": "text", "text": "no"}], "isError": true});
        assert_eq!(text(failed), "Error: no");
        assert!(result_text(json!({"resultType": "input_required"})).is_err());
    }
}
