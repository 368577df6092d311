//! Tools in the form of the Gemini API.

use gen_core::{Tool, ToolCall, ToolChoice, ToolSet};
use serde_json::{Value, json};

use super::wire::{
    FunctionCall, FunctionCallParam, FunctionCallingConfig, FunctionDeclaration, FunctionResponseParam,
    PartParam, ToolConfig, ToolParam,
};
use crate::call_ids;

/// Stands for the signature of a call that is not this model's. The API's documentation of thought signatures names it
/// for calls that come from elsewhere; without one, newer models answer with status 400.
const NO_SIGNATURE: &str = "skip_thought_signature_validator";

/// The tools of a request and which of them to call.
pub(super) fn tools(set: &ToolSet) -> (Option<[ToolParam<'_>; 1]>, Option<ToolConfig<'_>>) {
    if set.tools.is_empty() {
        return (None, None);
    }
    let (mode, allowed_function_names) = match &set.choice {
        ToolChoice::Auto => ("AUTO", None),
        ToolChoice::None => ("NONE", None),
        ToolChoice::Required => ("ANY", None),
        ToolChoice::Named(name) => ("ANY", Some([name.as_str()])),
    };
    let function_calling_config = FunctionCallingConfig { mode, allowed_function_names };
    let config = (set.choice != ToolChoice::Auto).then_some(ToolConfig { function_calling_config });
    let declaration = |tool| {
        let Tool { name, description, parameters, .. }: &Tool = tool;
        let description = description.as_deref();
        FunctionDeclaration { name, description, parameters_json_schema: parameters }
    };
    let function_declarations = set.tools.iter().map(declaration).collect();
    (Some([ToolParam { function_declarations }]), config)
}

/// A call of the conversation.
pub(super) fn call_part(call: &ToolCall, is_first: bool) -> PartParam<'_> {
    let signature = call_ids::signature(&call.id);
    PartParam {
        function_call: Some(FunctionCallParam { name: &call.name, args: call.arguments_object() }),
        thought_signature: signature.or(is_first.then_some(NO_SIGNATURE)),
        ..PartParam::default()
    }
}

/// The result of a call. The API takes objects alone.
pub(super) fn result_part<'a>(name: &'a str, text: &str) -> PartParam<'a> {
    let response = match serde_json::from_str(text) {
        Ok(value @ Value::Object(_)) => value,
        _ => json!({"result": text}),
    };
    let function_response = Some(FunctionResponseParam { name, response });
    PartParam { function_response, ..PartParam::default() }
}

/// The call in an answer. The API needs no ids, so that its client gets one with the signature in it.
pub(super) fn call(call: FunctionCall, signature: Option<String>) -> ToolCall {
    let id = match signature.filter(|signature| !signature.is_empty()) {
        Some(signature) => call_ids::signed_id(&signature),
        None => call_ids::new_id(),
    };
    let arguments = call.args.filter(|args| !args.is_null()).unwrap_or_else(|| json!({}));
    ToolCall { id, name: call.name, arguments: arguments.to_string() }
}
