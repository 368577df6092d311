//! `cargo xtask conformance openai`: clients of OpenAI's interface against `/openai/v1`, and of Anthropic's against
//! `/anthropic/v1`, before a scripted model server.

use std::path::Path;
use std::process::Command;

use anyhow::ensure;
use serde_json::{Value, json};
use testkit::upstream::{ReceivedRequest, Reply, Upstream};

use crate::node;
use crate::python::Environment;
use crate::server::Server;
use crate::shell::{is_installed, run};

/// The clients in Python, pinned, so that findings are reproducible.
const REQUIREMENTS: &str = include_str!("requirements.txt");
/// The clients in JavaScript.
const PACKAGES: [&str; 5] = [
    "openai@7.57.0",
    "ai@7.0.173",
    "@ai-sdk/openai@4.0.118",
    "@ai-sdk/openai-compatible@3.0.92",
    "zod@4.6.7",
];

/// Runs every client that can be installed.
pub(super) fn run_all() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let models = Upstream::start(answer)?;
    let settings = folder.path().join("formwork.toml");
    std::fs::write(
        &settings,
        format!("[[models.own]]\nname = \"lab\"\nbase_url = \"{}/v1\"\n", models.url()),
    )?;
    let server = Server::start_checked(|command| command.arg("--config").arg(&settings))?;
    if is_installed("python3") {
        let environment = Environment::with_requirements(folder.path(), REQUIREMENTS)?;
        let job = folder.path().join("job.py");
        std::fs::write(&job, include_str!("python_job.py"))?;
        run(with_server(environment.program("python").arg(&job), &server))?;
    } else {
        println!("python3 is not installed: its clients are SKIPPED");
    }
    if is_installed("node") && is_installed("npm") {
        run_node(folder.path(), &server)?;
    } else {
        println!("node and npm are not installed: their clients are SKIPPED");
    }
    ensure!(models.count() > 0, "no client reached the model server");
    Ok(())
}

fn run_node(folder: &Path, server: &Server) -> anyhow::Result<()> {
    node::install(folder, &PACKAGES)?;
    std::fs::write(folder.join("job.mjs"), include_str!("node_job.mjs"))?;
    run(with_server(Command::new("node").arg("job.mjs").current_dir(folder), server))
}

fn with_server<'a>(command: &'a mut Command, server: &Server) -> &'a mut Command {
    command.env("FORMWORK_URL", &server.url).env("FORMWORK_KEY", &server.key)
}

/// Answers as an OpenAI-compatible model server does.
fn answer(request: &ReceivedRequest) -> Reply {
    let path = request.path.as_str();
    if path.ends_with("/models") {
        let model = |id: &str| json!({"id": id, "object": "model"});
        return Reply::json(
            200,
            &json!({"object": "list", "data": [model("chat"), model("text-embedding")]}),
        );
    }
    let body = request.json();
    if path.ends_with("/embeddings") {
        // 1.0 and 0.0 as 32-bit numbers.
        let texts = body["input"].as_array().map_or(1, Vec::len);
        let data: Vec<Value> =
            (0..texts).map(|index| json!({"index": index, "embedding": "AACAPwAAAAA="})).collect();
        return Reply::json(
            200,
            &json!({"object": "list", "data": data, "usage": {"prompt_tokens": 3, "total_tokens": 3}}),
        );
    }
    let last = body["messages"].as_array().and_then(|messages| messages.last()).cloned().unwrap_or_default();
    let text = match () {
        () if body["response_format"]["type"] == "json_schema" => "{\"total\": 12}",
        () if last["content"][0]["type"] == "image_url" => "A picture.",
        () => "Twelve crates.",
    };
    let call =
        body["tools"][0]["function"]["name"].as_str().filter(|_| last["role"] != "tool").map(tool_call);
    let usage = json!({"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18});
    if body["stream"] == true {
        let chunk = |delta: Value, finish: Value, usage: Value| {
            json!({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}], "usage": usage})
                .to_string()
        };
        if let Some(call) = call {
            let delta = json!({"role": "assistant", "tool_calls": [call]});
            let begun = Reply::event_stream().event(&chunk(delta, Value::Null, Value::Null));
            return begun.event(&chunk(json!({}), json!("tool_calls"), usage)).event("[DONE]").end();
        }
        let begun = text.split_inclusive(' ').fold(Reply::event_stream(), |reply, word| {
            reply.event(&chunk(json!({"content": word}), Value::Null, Value::Null))
        });
        return begun.event(&chunk(json!({}), json!("stop"), usage)).event("[DONE]").end();
    }
    let (message, finish) = match call {
        Some(call) => (json!({"role": "assistant", "content": null, "tool_calls": [call]}), "tool_calls"),
        None => (json!({"role": "assistant", "content": text}), "stop"),
    };
    let choice = json!({"index": 0, "message": message, "finish_reason": finish});
    Reply::json(200, &json!({"id": "c1", "object": "chat.completion", "choices": [choice], "usage": usage}))
}

/// A call of a tool, with the arguments that the jobs expect.
fn tool_call(name: &str) -> Value {
    let arguments = if name == "count" { "{\"what\":\"crates\"}" } else { "{\"total\": 12}" };
    json!({"index": 0, "id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments}})
}
