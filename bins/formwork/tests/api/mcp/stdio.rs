//! `formwork mcp`: messages on standard input and output.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use super::kit::{STATELESS, WITH_HANDSHAKE};
use crate::kit::{Home, Server, formwork};

/// A running `formwork mcp`.
struct Program {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Program {
    fn start(home: &Home, arguments: &[&str], key: Option<&str>) -> Self {
        let mut command = formwork(&home.path(""));
        command.arg("mcp").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        if let Some(key) = key {
            command.env("FORMWORK_KEY", key);
        }
        let mut process = command.spawn().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        Self { input: process.stdin.take(), process, output }
    }

    fn send(&mut self, text: &str) {
        writeln!(self.input.as_mut().unwrap(), "{text}").unwrap();
    }

    fn read(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.send(&json!({"jsonrpc": "2.0", "id": 3, "method": method, "params": params}).to_string());
        let answer = self.read();
        assert_eq!(answer["id"], 3, "{answer}");
        answer
    }

    /// Ends the input; the program ends well.
    fn end(mut self) {
        drop(self.input.take());
        assert!(self.process.wait().unwrap().success());
    }
}

fn handshake() -> Value {
    json!({"protocolVersion": WITH_HANDSHAKE, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}})
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_are_passed_to_a_running_server() {
    let server = Server::start();
    let form = server.form(crate::kit::invoice_schema()).await;
    let elsewhere = Home::new("");
    let mut program = Program::start(&elsewhere, &["--url", &server.url], Some(&server.key));
    assert_eq!(program.ask("initialize", handshake())["result"]["protocolVersion"], WITH_HANDSHAKE);
    program.send("{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}");
    program.send("");
    program.send("no message");
    assert_eq!(program.read()["error"]["code"], -32_700);
    let listed = program.ask("tools/call", json!({"name": "list_forms"}));
    assert_eq!(listed["result"]["structuredContent"]["forms"][0]["form_id"], json!(form));
    let call = json!({"name": "get_form", "arguments": {"form_id": form}, "_meta": {"progressToken": 1}});
    assert_eq!(program.ask("tools/call", call)["result"]["structuredContent"]["form_id"], json!(form));
    // The stateless revision, with a name that no header has as such.
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": STATELESS,
        "io.modelcontextprotocol/clientCapabilities": {}
    });
    let discovered = program.ask("server/discover", json!({"_meta": meta}));
    assert_eq!(discovered["result"]["supportedVersions"][0], STATELESS);
    let read = program.ask("resources/read", json!({"uri": "formwork://forms/ä", "_meta": meta}));
    assert_eq!(read["error"]["code"], -32_602);
    program.end();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_is_filled_by_questions_over_standard_streams() {
    let server = Server::start();
    server.agent("orders", json!({"vendor": {"type": "string", "required": true}})).await;
    let elsewhere = Home::new("");
    let mut program = Program::start(&elsewhere, &["--url", &server.url], Some(&server.key));
    let mut asking = handshake();
    asking["capabilities"] = json!({"elicitation": {}});
    program.ask("initialize", asking);
    let arguments = json!({"namespace": "orders", "message": "hello"});
    let params = json!({"name": "fill_form", "arguments": arguments});
    program.send(&json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params}).to_string());
    for answer in ["Harbour Works", "yes"] {
        let question = program.read();
        assert_eq!(question["method"], "elicitation/create", "{question}");
        let result = json!({"action": "accept", "content": {"answer": answer}});
        program.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": result}).to_string());
    }
    let last = program.read();
    assert_eq!(last["id"], 3, "{last}");
    assert_eq!(last["result"]["structuredContent"]["form"]["status"], "submitted", "{last}");
    program.end();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_refuses_or_does_not_answer_is_told_to_the_client() {
    let server = Server::start();
    let elsewhere = Home::new("");
    let mut program = Program::start(&elsewhere, &["--url", &server.url], Some("fw_wrong"));
    let refused = program.ask("initialize", handshake());
    assert!(refused["error"]["message"].as_str().unwrap().contains("401"), "{refused}");
    program.end();
    let mut program = Program::start(&elsewhere, &["--url", "http://127.0.0.1:1"], Some("fw_a"));
    let refused = program.ask("initialize", handshake());
    assert!(refused["error"]["message"].as_str().unwrap().contains("does not answer"), "{refused}");
    program.end();
    let output = elsewhere.run(&["mcp", "--url", &server.url]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("FORMWORK_KEY"), "{output:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_of_its_own_works_on_the_data_folder() {
    let home = Home::new("");
    let mut program = Program::start(&home, &[], None);
    program.ask("initialize", handshake());
    let note = json!({"name": "extract_record", "arguments": {
        "schema": {"total": {"type": "number"}}, "documents": [{"text": "Total: 4"}]
    }});
    assert_eq!(program.ask("tools/call", note)["result"]["structuredContent"]["record"]["total"], 4.0);
    program.end();
    // Again, with the first key that it has stored.
    let mut program = Program::start(&home, &[], None);
    assert!(program.ask("initialize", handshake())["result"].is_object());
    // Meanwhile the folder is in use.
    let output = home.run(&["mcp"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("--url"), "{output:?}");
    program.end();
    let help = home.told(&["mcp", "--help"]);
    assert!(help.contains("mcpServers") && help.contains("--key-file"), "{help}");
}
