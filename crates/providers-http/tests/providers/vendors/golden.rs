//! Our requests beside those that the vendors' own clients make of the same questions. The bodies in
//! `tests/providers/golden` were recorded from these clients, whose versions stand in them.

use gen_core::{
    ChatModel as _, ChatRequest, EmbedModel as _, EmbedPurpose, EmbedRequest, ImageModel as _, ImageRequest,
    Message, ModelList as _, Part, ResponseSchema, Role, SpeechModel as _, SpeechRequest,
    StreamingChatModel as _,
};
use serde_json::{Map, Value, json};
use testkit::upstream::{ReceivedRequest, Reply, Upstream};

use super::kit::{KEY, anthropic, google, small, user};

const ANTHROPIC: &str = include_str!("../golden/anthropic.json");
const GOOGLE: &str = include_str!("../golden/google.json");

/// Answers every request with an error, which is enough to see the request.
fn upstream() -> Upstream {
    Upstream::start_replies([Reply::json(400, &json!({}))]).unwrap()
}

fn conversation(model: &str) -> ChatRequest {
    let answer = Message { role: Role::Assistant, parts: vec![Part::Text("Reykjavik.".into())] };
    ChatRequest {
        model: model.into(),
        system: Some("Answer in one word.".into()),
        messages: vec![user("What is the capital of Iceland?"), answer, user("And of Norway?")],
        max_tokens: Some(512),
        ..ChatRequest::default()
    }
}

fn schema(model: &str) -> ChatRequest {
    let schema = json!({
        "type": "object",
        "properties": {
            "supplier": {"type": "string", "description": "Who sent it."},
            "total": {"type": ["number", "null"]}
        },
        "required": ["supplier", "total"],
        "additionalProperties": false
    });
    ChatRequest {
        model: model.into(),
        messages: vec![user("Paper: Harbour Rope Works, total 12.50")],
        response_schema: Some(ResponseSchema { name: "paper".into(), schema }),
        ..ChatRequest::default()
    }
}

fn count(model: &str) -> ChatRequest {
    ChatRequest { model: model.into(), messages: vec![user("Count to three.")], ..ChatRequest::default() }
}

/// The request that the vendor's client makes.
fn theirs(file: &str, name: &str) -> Value {
    let file: Value = serde_json::from_str(file).unwrap();
    let request = &file["requests"][name];
    assert!(request.is_object(), "{name}");
    request.clone()
}

/// Holds the last request of `upstream` against theirs: method, path, headers and body, where the key is
/// ours. Their key is `test-key`.
fn hold(upstream: &Upstream, their: &Value) {
    let ours: ReceivedRequest = upstream.requests().pop().unwrap();
    assert_eq!(ours.method, their["method"]);
    assert_eq!(pairs(&ours.path), pairs(their["path"].as_str().unwrap()));
    for (name, value) in their["headers"].as_object().unwrap() {
        // A request without a body has no content type.
        if name != "content-type" || !ours.body.is_empty() {
            let value = value.as_str().unwrap().replace("test-key", KEY);
            assert_eq!(ours.header(name), Some(value.as_str()), "{name}");
        }
    }
    assert_eq!(ours.json(), their["body"]);
}

/// The path, and the parameters of its query in any order; `+` is a space.
fn pairs(path: &str) -> (String, Vec<String>) {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let mut parameters: Vec<String> = query.split('&').map(|pair| pair.replace('+', "%20")).collect();
    parameters.sort();
    (path.to_owned(), parameters)
}

/// Names with capitals inside instead of underscores: Google reads both, and its client sends both.
fn camel(value: &Value) -> Value {
    let name = |name: &str| {
        let mut words = name.split('_');
        let first = words.next().unwrap_or_default().to_owned();
        words.fold(first, |all, word| all + &word[..1].to_uppercase() + &word[1..])
    };
    match value {
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(key, value)| (name(key), camel(value))).collect::<Map<_, _>>())
        }
        Value::Array(items) => items.iter().map(camel).collect(),
        other => other.clone(),
    }
}

#[tokio::test]
async fn anthropic_is_asked_as_its_own_client_asks() {
    let upstream = upstream();
    let client = anthropic(&upstream.url(), small());
    client.chat(conversation("claude-test")).await.unwrap_err();
    hold(&upstream, &theirs(ANTHROPIC, "conversation"));
    client.chat(ChatRequest { max_tokens: Some(512), ..schema("claude-test") }).await.unwrap_err();
    let mut their = theirs(ANTHROPIC, "schema");
    // Their caller wrote the number as it is; ours is told in the vendor's dialect, which allows it.
    let ours = upstream.requests().pop().unwrap().json();
    let format = &ours["output_config"]["format"]["schema"];
    assert_eq!(format["required"], json!(["supplier", "total"]));
    assert_eq!(format["additionalProperties"], false);
    their["body"]["output_config"]["format"]["schema"] = format.clone();
    hold(&upstream, &their);
    let request = ChatRequest { max_tokens: Some(512), ..count("claude-test") };
    assert!(client.stream(request).await.is_err());
    hold(&upstream, &theirs(ANTHROPIC, "stream"));
}

#[tokio::test]
async fn a_document_is_cached_as_anthropics_own_client_asks_for_it() {
    let upstream = upstream();
    let text = "Harbour Rope Works, total 12.50".into();
    let document = Part::Document { name: "paper".into(), description: None, text };
    let parts = vec![document, Part::Text("What is the total?".into())];
    let request = ChatRequest {
        model: "claude-test".into(),
        system: Some("Read the paper.".into()),
        messages: vec![Message { role: Role::User, parts }],
        max_tokens: Some(512),
        ..ChatRequest::default()
    };
    anthropic(&upstream.url(), small()).chat(request).await.unwrap_err();
    let mut their = theirs(ANTHROPIC, "cached_document");
    // The words of the prompt are our own.
    let ours = upstream.requests().pop().unwrap().json();
    let text = &ours["messages"][0]["content"][0]["text"];
    assert!(text.as_str().unwrap().contains("Harbour Rope Works, total 12.50"));
    their["body"]["messages"][0]["content"][0]["text"] = text.clone();
    hold(&upstream, &their);
}

#[tokio::test]
async fn google_is_asked_as_its_own_client_asks() {
    let upstream = upstream();
    let client = google(&upstream.url(), small());
    let request = ChatRequest { temperature: Some(0.5), ..conversation("gemini-test") };
    client.chat(request).await.unwrap_err();
    hold(&upstream, &theirs(GOOGLE, "conversation"));
    client.chat(schema("gemini-test")).await.unwrap_err();
    let mut their = theirs(GOOGLE, "schema");
    let ours = upstream.requests().pop().unwrap().json();
    let schema = &ours["generationConfig"]["responseJsonSchema"];
    assert_eq!(schema["properties"]["total"]["type"], json!(["number", "null"]));
    their["body"]["generationConfig"]["responseJsonSchema"] = schema.clone();
    hold(&upstream, &their);
    assert!(client.stream(count("gemini-test")).await.is_err());
    hold(&upstream, &theirs(GOOGLE, "stream"));
    let sampling = ChatRequest {
        top_p: Some(0.5),
        seed: Some(7),
        stop: vec!["END".into()],
        ..conversation("gemini-test")
    };
    client.chat(sampling).await.unwrap_err();
    let sent = upstream.requests().pop().unwrap().json();
    assert_eq!(
        sent["generationConfig"],
        json!({"topP": 0.5, "seed": 7, "stopSequences": ["END"], "maxOutputTokens": 512})
    );
}

#[tokio::test]
async fn google_draws_speaks_and_embeds_as_its_own_client_asks() {
    let upstream = upstream();
    let client = google(&upstream.url(), small());
    let image = ImageRequest { model: "gemini-test".into(), prompt: "A blue boat.".into() };
    client.image(image).await.unwrap_err();
    hold(&upstream, &theirs(GOOGLE, "image"));
    let speech = SpeechRequest {
        model: "gemini-test".into(),
        text: "Mind the step.".into(),
        voice: Some("Kore".into()),
    };
    client.speech(speech).await.unwrap_err();
    let mut their = theirs(GOOGLE, "speech");
    their["body"] = camel(&their["body"]);
    hold(&upstream, &their);
    let embed = EmbedRequest {
        model: "gemini-embedding-001".into(),
        texts: vec!["a red kite".into(), "a grey heron".into()],
        dimensions: Some(256),
        purpose: EmbedPurpose::Query,
    };
    client.embed(embed).await.unwrap_err();
    hold(&upstream, &theirs(GOOGLE, "embed"));
}

#[tokio::test]
async fn lists_go_on_as_the_vendors_own_clients_go_on() {
    let first =
        json!({"data": [{"id": "claude-one", "type": "model"}], "has_more": true, "last_id": "claude-one"});
    let upstream = Upstream::start_replies([Reply::json(200, &first), Reply::json(400, &json!({}))]).unwrap();
    anthropic(&upstream.url(), small()).list().await.unwrap_err();
    hold(&upstream, &theirs(ANTHROPIC, "models"));
    let first = json!({"models": [{"name": "models/one"}], "nextPageToken": "next one"});
    let upstream = Upstream::start_replies([Reply::json(200, &first), Reply::json(400, &json!({}))]).unwrap();
    google(&upstream.url(), small()).list().await.unwrap_err();
    hold(&upstream, &theirs(GOOGLE, "models"));
}
