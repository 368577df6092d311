//! A person answers in place of the agent.

use reqwest::Method;
use serde_json::{Value, json};

use crate::generate::kit::{playing, said};
use crate::kit::{Answer, Server};

const CHAT: &str = "/v1/agent/desk/chat";

fn schema() -> Value {
    json!({
        "name": {"type": "string", "order": 1, "description": "Your full name", "required": true},
        "email": {"type": "email", "order": 2, "description": "Your e-mail address"},
        "room": {"type": "string", "order": 3, "enum": ["single", "double"], "default": "single"}
    })
}

/// A server whose agent `desk` talks, with the path of a session that has begun.
async fn talking() -> (Server, String) {
    let server = Server::start();
    server.agent("desk", schema()).await;
    let first = server.post(CHAT, json!({"message": "I am Ada Lovelace"})).await.ok();
    let path = format!("/v1/agent/desk/sessions/{}", first["session_id"].as_str().unwrap());
    (server, path)
}

async fn say(server: &Server, path: &str, message: &str) -> Answer {
    let id = path.rsplit_once('/').unwrap().1;
    server.post(CHAT, json!({"message": message, "session_id": id})).await
}

/// A key of another member who may write.
fn colleague(server: &Server) -> String {
    let home = &server.home;
    home.told(&["users", "create", "--name", "Ben", "--email", "ben@example.com", "--role", "member"]);
    home.told(&["keys", "create", "--email", "ben@example.com", "--scope", "write"])
}

fn contents(session: &Value) -> Vec<&str> {
    session["messages"].as_array().unwrap().iter().map(|one| one["content"].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_writes_and_the_agent_waits_until_the_session_is_given_back() {
    let (server, path) = talking().await;
    let (takeover, messages) = (format!("{path}/takeover"), format!("{path}/messages"));
    server.post(&messages, json!({"content": "hello"})).await.fails(409, "session_not_taken_over");
    let before = server.get(&path).await.ok();
    assert_eq!((&before["taken_over_by"], &before["turns"]), (&Value::Null, &json!(2)));

    let held = server.post(&takeover, json!({})).await.ok();
    assert_eq!(held["taken_over_by"]["userName"], "Admin");
    assert_eq!(server.post(&takeover, json!({})).await.ok(), held, "again it has no effect");
    let answer = say(&server, &path, "my mail is ada@example.org").await.ok();
    assert_eq!((&answer["text"], &answer["taken_over_by"]["userName"]), (&json!(""), &json!("Admin")));
    assert_eq!(answer["form"]["values"]["email"], Value::Null, "nothing of it is filled in");
    let written = server.post(&messages, json!({"content": "One moment, **Ada**."})).await.ok();
    assert_eq!(
        (&written["number"], &written["author"], &written["role"], &written["finishReason"]),
        (&json!(4), &json!("Admin"), &json!("assistant"), &Value::Null)
    );
    let id = path.rsplit_once('/').unwrap().1;
    let at_once = json!({"message": "x", "session_id": id, "response_format": "json"});
    server.post(CHAT, at_once).await.fails(409, "session_taken_over");
    let with_file =
        json!({"message": "look", "session_id": id, "urls": ["https://example.com/"], "stream": true});
    let streamed = server.post(CHAT, with_file).await;
    assert!(
        streamed.text().contains("event: done") && streamed.text().contains("were not read"),
        "{streamed:?}"
    );

    let listed = server.get("/v1/agent/desk/sessions").await.ok();
    assert_eq!(listed["sessions"][0]["taken_over_by"]["userEmail"], held["taken_over_by"]["userEmail"]);
    let new = server.get(&format!("{path}?after=3")).await.ok();
    assert_eq!(contents(&new), ["One moment, **Ada**.", "look"]);
    assert_eq!(server.get(&format!("{path}?after=5")).await.ok()["messages"], json!([]));
    server.get(&format!("{path}?after=-1")).await.fails_at(400, "validation_failed", "?after");

    let back = server.delete(&takeover).await.ok();
    assert_eq!((&back["taken_over_by"], &back["turns"]), (&Value::Null, &json!(6)));
    assert_eq!(server.delete(&takeover).await.ok(), back, "again it has no effect");
    let stored = server.get(&path).await.ok();
    assert_eq!(stored["messages"][5]["content"], stored["form"]["next"]["question"]);
    assert_eq!(stored["messages"][5].get("author"), None);
    let answer = say(&server, &path, "ada@example.org").await.ok();
    assert_eq!(answer["form"]["values"]["email"], "ada@example.org");
    assert_eq!(answer.get("taken_over_by"), None);

    // A summary that waits for its confirmation is repeated.
    assert_eq!(answer["form"]["status"], "confirming");
    server.post(&takeover, json!({})).await.ok();
    server.delete(&takeover).await.ok();
    let stored = server.get(&path).await.ok();
    assert_eq!(
        stored["messages"][8]["content"],
        answer["text"]
            .as_str()
            .unwrap()
            .split_once("This is")
            .map(|(_, rest)| format!("This is{rest}"))
            .unwrap()
    );
    assert_eq!(say(&server, &path, "yes").await.ok()["form"]["status"], "submitted");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_person_at_a_time_writes() {
    let (server, path) = talking().await;
    let (takeover, messages) = (format!("{path}/takeover"), format!("{path}/messages"));
    let ben = colleague(&server);
    let ben_posts =
        async |path: &str, body: Value| server.request(Method::POST, path).key(&ben).json(&body).send().await;
    server.post(&takeover, json!({})).await.ok();
    let refused = ben_posts(&takeover, json!({})).await;
    refused.fails(409, "session_taken_over");
    assert!(refused.text().contains("Admin"), "{refused:?}");
    ben_posts(&messages, json!({"content": "me, too"})).await.fails(409, "session_taken_over");
    server.request(Method::DELETE, &takeover).key(&ben).send().await.ok();
    assert_eq!(ben_posts(&takeover, json!({})).await.ok()["taken_over_by"]["userName"], "Ben");
    ben_posts(&messages, json!({"content": "I am Ben."})).await.ok();
    server.post(&messages, json!({"content": "x"})).await.fails(409, "session_taken_over");
    ben_posts(&messages, json!({"content": " "})).await.fails_at(400, "validation_failed", "/content");
    let long = "x".repeat(32_001);
    ben_posts(&messages, json!({"content": long})).await.fails_at(400, "validation_failed", "/content");

    // A repeated request writes once.
    let send = || {
        let call = server.request(Method::POST, &messages).key(&ben).header("idempotency-key", "m-1");
        call.json(&json!({"content": "once"})).send()
    };
    assert_eq!(send().await.ok(), send().await.ok());
    // The idle session of another agent, and one that is none.
    server.agent("other", schema()).await;
    for path in [path.replace("desk", "other"), "/v1/agent/desk/sessions/none".to_owned()] {
        server.post(&format!("{path}/takeover"), json!({})).await.fails(404, "session_not_found");
        server.delete(&format!("{path}/takeover")).await.fails(404, "session_not_found");
        server
            .post(&format!("{path}/messages"), json!({"content": "x"}))
            .await
            .fails(404, "session_not_found");
    }
    let stored = server.get(&path).await.ok();
    assert_eq!(contents(&stored)[2..], ["Please tell me your e-mail address.", "I am Ben.", "once"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn people_at_the_same_time_are_one_who_holds_it_and_messages_that_are_all_stored() {
    let (server, path) = talking().await;
    let ben = colleague(&server);
    let takeover = format!("{path}/takeover");
    let keys = [server.key.as_str(), ben.as_str()].repeat(4);
    let calls = keys.iter().map(|key| server.request(Method::POST, &takeover).key(key).send());
    let answers = futures_util::future::join_all(calls).await;
    let won: Vec<bool> = answers.iter().map(|answer| answer.status == 200).collect();
    let holder = usize::from(won[1]);
    assert!((0..8).all(|n| won[n] == (n % 2 == holder)), "{won:?}");
    let messages = format!("{path}/messages");
    let body = json!({"content": "from the person"});
    let writes = (0..4).map(|_| server.request(Method::POST, &messages).key(keys[holder]).json(&body).send());
    let says = (0..4).map(|_| say(&server, &path, "from the user"));
    let (written, said) =
        (futures_util::future::join_all(writes).await, futures_util::future::join_all(says).await);
    assert!(written.iter().chain(&said).all(|answer| answer.status == 200));
    let stored = server.get(&path).await.ok();
    assert_eq!(stored["turns"], 10);
    let numbers: Vec<u64> =
        stored["messages"].as_array().unwrap().iter().map(|one| one["number"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=10).collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_goes_on_after_a_person_and_knows_what_was_said() {
    let (server, vendor) = playing([said("Hello Ada."), said("Yes.")]);
    server.post("/v1/agent", json!({"namespace": "desk", "modelId": "gpt-4.1@openai"})).await.ok();
    let first = server.post(CHAT, json!({"message": "I am Ada"})).await.ok();
    let path = format!("/v1/agent/desk/sessions/{}", first["session_id"].as_str().unwrap());
    let takeover = format!("{path}/takeover");
    server.post(&takeover, json!({})).await.ok();
    for stream in [false, true] {
        let id = first["session_id"].clone();
        let asked =
            server.post(CHAT, json!({"message": "Is it open?", "session_id": id, "stream": stream})).await;
        assert!(asked.text().contains("taken_over_by"), "{asked:?}");
    }
    server.post(&format!("{path}/messages"), json!({"content": "It is open."})).await.ok();
    assert_eq!(server.delete(&takeover).await.ok()["turns"], 5, "no question is open");
    assert_eq!(say(&server, &path, "Sure?").await.ok()["text"], "Yes.");
    let shown = vendor.requests()[1].json()["messages"].clone();
    let texts: Vec<&str> =
        shown.as_array().unwrap().iter().filter_map(|one| one["content"].as_str()).collect();
    assert_eq!(texts, ["I am Ada", "Hello Ada.", "Is it open?", "Is it open?", "It is open.", "Sure?"]);
    assert_eq!(vendor.requests().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_understood_and_where_values_come_from_is_told() {
    let (server, path) = talking().await;
    let file = server.files(&[("card.txt", "E-mail: ada@example.org\n")]).await[0]["id"].clone();
    let id = path.rsplit_once('/').unwrap().1;
    server.post(CHAT, json!({"message": "my card", "session_id": id, "urls": [file]})).await.ok();
    let stored = server.get(&path).await.ok();
    let said = json!([{"path": "/name", "value": "Ada Lovelace", "source": "said"}]);
    assert_eq!(stored["messages"][0]["changes"], said);
    let change = &stored["messages"][2]["changes"][0];
    assert_eq!((&change["path"], &change["value"]), (&json!("/email"), &json!("ada@example.org")));
    assert!(change["evidence"]["quote"].as_str().unwrap().contains("ada@example.org"), "{change}");
    assert_eq!(change["evidence"]["file"], json!(file.to_string()));
    assert_eq!(stored["sources"]["/email"]["evidence"], change["evidence"]);
    assert_eq!(stored["sources"]["/room"], json!({"source": "default"}));
    assert_eq!(stored["messages"][1].get("changes"), None);
    assert_eq!(stored["progress"], stored["form"]["progress"]);

    say(&server, &path, "no, my email is lovelace@example.org").await.ok();
    let stored = server.get(&path).await.ok();
    assert_eq!(stored["sources"]["/email"], json!({"source": "said"}));
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_are_listed_by_the_phase_of_their_form() {
    let (server, path) = talking().await;
    server.post(CHAT, json!({"message": "hello"})).await.ok();
    say(&server, &path, "cancel").await.ok();
    let listed = async |status: &str| {
        let list = server.get(&format!("/v1/agent/desk/sessions?status={status}")).await.ok();
        (list["sessions"].as_array().unwrap().len(), list["meta"]["total_items"].clone())
    };
    assert_eq!(listed("filling").await, (1, json!(1)));
    assert_eq!(listed("cancelling").await, (1, json!(1)));
    assert_eq!(listed("submitted").await, (0, json!(0)));
    server.get("/v1/agent/desk/sessions?status=lost").await.fails_at(400, "validation_failed", "?status");
}
