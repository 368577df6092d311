//! The events of a run.

use bytes::Bytes;
use json_patch::diff;
use serde_json::{Value, json};

/// A run, and what its client has seen of it.
#[derive(Debug)]
pub(super) struct RunEvents {
    thread: String,
    run: String,
    /// The state that the client has.
    state: Value,
    /// Whether a message is open.
    is_writing: bool,
}

impl RunEvents {
    pub(super) fn new(thread: String, run: String, state: Value) -> Self {
        Self { thread, run, state, is_writing: false }
    }

    pub(super) fn started(&self) -> Bytes {
        event(&json!({"type": "RUN_STARTED", "threadId": self.thread, "runId": self.run}))
    }

    /// Adds a text to the message, which the first text begins.
    pub(super) fn text(&mut self, text: &str) -> Bytes {
        let id = self.message_id();
        let start = json!({"type": "TEXT_MESSAGE_START", "messageId": id, "role": "assistant"});
        let content = event(&json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": id, "delta": text}));
        match std::mem::replace(&mut self.is_writing, true) {
            true => content,
            false => [event(&start), content].concat().into(),
        }
    }

    /// Ends the message, and tells the state of the form, the whole answer, and the end of the run.
    pub(super) fn finished(&mut self, answer: &Value) -> Bytes {
        let end = json!({"type": "RUN_FINISHED", "threadId": self.thread, "runId": self.run});
        let whole = json!({"type": "CUSTOM", "name": "answer", "value": answer});
        let state = self.form(&answer["form"]);
        [self.message_end(), state, event(&whole), event(&end)].concat().into()
    }

    /// The stored conversation: its messages, the state of the form, and the end of the run.
    pub(super) fn restored(&mut self, messages: &Value, form: &Value) -> Bytes {
        let end = json!({"type": "RUN_FINISHED", "threadId": self.thread, "runId": self.run});
        let messages = json!({"type": "MESSAGES_SNAPSHOT", "messages": messages});
        [event(&messages), self.form(form), event(&end)].concat().into()
    }

    /// The run failed. `error`: a body of this interface.
    pub(super) fn failed(&mut self, error: &Value) -> Bytes {
        let failure = json!({"type": "RUN_ERROR", "message": error["message"], "code": error["code"]});
        [self.message_end(), event(&failure)].concat().into()
    }

    fn message_id(&self) -> String {
        format!("message-{}", self.run)
    }

    fn message_end(&mut self) -> Bytes {
        match std::mem::take(&mut self.is_writing) {
            true => event(&json!({"type": "TEXT_MESSAGE_END", "messageId": self.message_id()})),
            false => Bytes::new(),
        }
    }

    /// What changes in the client's state; all of it where the client has none. Other parts of the state stay.
    fn form(&mut self, form: &Value) -> Bytes {
        if form.is_null() {
            return Bytes::new();
        }
        if !self.state.is_object() {
            return event(&json!({"type": "STATE_SNAPSHOT", "snapshot": {"form": form}}));
        }
        let mut state = self.state.clone();
        state["form"] = form.clone();
        let changes = diff(&self.state, &state);
        self.state = state;
        match changes.is_empty() {
            true => Bytes::new(),
            false => event(&json!({"type": "STATE_DELTA", "delta": changes})),
        }
    }
}

fn event(event: &Value) -> Bytes {
    format!("data: {event}\n\n").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn types(events: &Bytes) -> Vec<Value> {
        let text = std::str::from_utf8(events).unwrap();
        text.split_terminator("\n\n").map(|line| serde_json::from_str(&line[6..]).unwrap()).collect()
    }

    #[test]
    fn a_state_is_told_by_what_changes_in_it_and_only_its_form() {
        let form = json!({"values": {"crates": 12, "port": null}, "missing": ["port"]});
        let known = json!({"page": {"tab": 2}, "form": {"values": {"crates": 11, "port": null}, "missing": ["port"]}});
        let mut run = RunEvents::new("t".into(), "r".into(), known);
        let told = types(&run.form(&form));
        assert_eq!(told[0]["delta"], json!([{"op": "replace", "path": "/form/values/crates", "value": 12}]));
        assert!(run.form(&form).is_empty());
        for (state, kind) in [(json!(null), "STATE_SNAPSHOT"), (json!({}), "STATE_DELTA")] {
            assert_eq!(types(&RunEvents::new("t".into(), "r".into(), state).form(&form))[0]["type"], kind);
        }
    }

    #[test]
    fn a_message_is_opened_once_and_closed_before_the_end() {
        let mut run = RunEvents::new("t".into(), "r".into(), Value::Null);
        let all =
            [run.started(), run.text("a"), run.text("b"), run.finished(&json!({"text": "ab"}))].concat();
        let names: Vec<Value> =
            types(&all.into()).into_iter().map(|mut event| event["type"].take()).collect();
        assert_eq!(
            names,
            [
                "RUN_STARTED",
                "TEXT_MESSAGE_START",
                "TEXT_MESSAGE_CONTENT",
                "TEXT_MESSAGE_CONTENT",
                "TEXT_MESSAGE_END",
                "CUSTOM",
                "RUN_FINISHED"
            ]
        );
        let failed = run.failed(&json!({"message": "no", "code": "busy"}));
        assert_eq!(types(&failed), [json!({"type": "RUN_ERROR", "message": "no", "code": "busy"})]);
    }
}
