//! The guided conversation.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::upstream::Reply;

use crate::generate::kit::{playing, said};
use crate::kit::{Answer, Server};

const PATH: &str = "/v1/agent/desk/chat";

fn schema() -> Value {
    json!({
        "name": {"type": "string", "order": 1, "description": "Your full name", "required": true},
        "email": {"type": "email", "order": 2, "description": "Your e-mail address"},
        "room": {"type": "string", "order": 3, "description": "Kind of room", "enum": ["", "single", "double"]}
    })
}

async fn say(server: &Server, session: &Value, message: &str) -> Answer {
    server.post(PATH, json!({"message": message, "session_id": session})).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_is_filled_confirmed_and_kept() {
    let server = Server::start();
    server.agent("desk", schema()).await;
    let first = server.post(PATH, json!({"message": "hello"})).await.ok();
    let session = first["session_id"].clone();
    assert!(first["text"].as_str().unwrap().ends_with("Please tell me your full name."), "{first}");
    assert_eq!(
        first["form"],
        json!({
            "status": "filling", "values": {"name": null, "email": null, "room": null},
            "next": {
                "field": "name", "path": "/name", "choices": [], "definition": schema()["name"],
                "question": "Please tell me your full name."
            },
            "missing": ["name", "email", "room"], "errors": [], "complete": false,
            "progress": {"filled": 0, "total": 3}, "submission_id": null
        })
    );
    assert_eq!((&first["context"], &first["warnings"]), (&json!([]), &json!([])));
    let second = say(&server, &session, "Ada Lovelace").await.ok();
    assert_eq!(second["session_id"], session);
    assert_eq!(second["form"]["values"]["name"], "Ada Lovelace");
    assert_eq!(second["form"]["missing"], json!(["email", "room"]));
    let bad = say(&server, &session, "ada at home").await.ok();
    assert_eq!(bad["form"]["errors"][0]["path"], "/email");
    assert_eq!(bad["form"]["values"]["email"], Value::Null);
    let good = say(&server, &session, "ada@example.org").await.ok();
    assert_eq!(good["form"]["next"]["choices"], json!(["single", "double"]));
    let summary = say(&server, &session, "a double please").await.ok();
    assert_eq!(summary["form"]["status"], "confirming");
    assert_eq!((&summary["form"]["complete"], &summary["form"]["next"]), (&json!(true), &Value::Null));
    assert!(summary["text"].as_str().unwrap().contains("- Email: ada@example.org"), "{summary}");
    let sent = say(&server, &session, "yes").await.ok();
    assert_eq!(sent["form"]["status"], "submitted");
    let kept = server.get("/v1/agent/desk/submissions").await.ok();
    let record = json!({"name": "Ada Lovelace", "email": "ada@example.org", "room": "double"});
    assert_eq!(kept["submissions"][0]["record"], record);
    assert_eq!(kept["submissions"][0]["id"], sent["form"]["submission_id"]);
    let stored = server.get(&format!("/v1/agent/desk/sessions/{}", session.as_str().unwrap())).await.ok();
    assert_eq!(stored["messages"].as_array().unwrap().len(), 12);
    assert_eq!(stored["messages"][3]["content"], second["text"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_goes_on_after_a_restart() {
    let mut server = Server::start();
    server.agent("desk", schema()).await;
    let first = server.post(PATH, json!({"message": "I am Ada Lovelace"})).await.ok();
    let session = first["session_id"].clone();
    let server = server.kill().start();
    let next = say(&server, &session, "ada@example.org").await.ok();
    assert_eq!(
        next["form"]["values"],
        json!({"name": "Ada Lovelace", "email": "ada@example.org", "room": null})
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_at_the_same_time_are_answered_one_after_the_other() {
    let server = Server::start();
    let fields: serde_json::Map<String, Value> =
        (0..12).map(|n| (format!("part_{n}"), json!({"type": "string", "order": n}))).collect();
    server.agent("desk", Value::Object(fields)).await;
    let session = server.post(PATH, json!({"message": "hello"})).await.ok()["session_id"].clone();
    let words = ["oak", "elm", "ash", "fir", "yew", "pine", "birch", "beech"];
    let answers = futures_util::future::join_all(words.map(|word| say(&server, &session, word))).await;
    let mut turns = 0;
    for answer in answers {
        turns += usize::from(answer.ok()["form"]["status"] == "filling");
    }
    assert_eq!(turns, words.len());
    let stored = server.get(&format!("/v1/agent/desk/sessions/{}", session.as_str().unwrap())).await.ok();
    let values: Vec<&str> =
        stored["form"]["values"].as_object().unwrap().values().filter_map(Value::as_str).collect();
    for word in words {
        assert_eq!(values.iter().filter(|value| **value == word).count(), 1, "{stored}");
    }
    assert_eq!(stored["messages"].as_array().unwrap().len(), 2 * (words.len() + 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_fill_the_form_and_only_the_rest_is_asked() {
    let server = Server::start();
    server.agent("desk", schema()).await;
    let text = "Name: Ada Lovelace\nE-mail: ada@example.org\n";
    let file = server.files(&[("guest.txt", text)]).await[0]["id"].clone();
    let answer = server.post(PATH, json!({"message": "my card", "urls": [file]})).await.ok();
    assert_eq!(answer["form"]["values"]["email"], "ada@example.org", "{answer}");
    assert!(answer["text"].as_str().unwrap().contains("From the documents"), "{answer}");
    assert!(!answer["form"]["missing"].as_array().unwrap().contains(&json!("email")), "{answer}");
    let all = format!("{text}Kind of room: double\n");
    let file = server.files(&[("all.txt", &all)]).await[0]["id"].clone();
    let answer = server.post(PATH, json!({"message": "my card", "urls": [file]})).await.ok();
    assert_eq!(answer["form"]["status"], "confirming", "{answer}");
    // The summary tells it, and nothing tells it before.
    assert_eq!(answer["text"].as_str().unwrap().matches("ada@example.org").count(), 1, "{answer}");
    let unknown = server.post(PATH, json!({"message": "my card", "urls": ["4711"]})).await;
    unknown.fails_at(400, "file_not_found", "/urls/0");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_that_changes_in_between_is_fitted() {
    let server = Server::start();
    let form = server.agent("desk", schema()).await;
    let session = server.post(PATH, json!({"message": "I am Ada Lovelace"})).await.ok()["session_id"].clone();
    let mut changed = schema();
    changed["name"]["maxLength"] = json!(5);
    changed["floor"] = json!({"type": "integer", "order": 4});
    let form = format!("/v1/form/{form}");
    server.put(&form, json!({"title": "t", "schema": changed})).await.ok();
    let next = say(&server, &session, "ada@example.org").await.ok();
    assert_eq!(
        next["form"]["values"],
        json!({"name": null, "email": "ada@example.org", "room": null, "floor": null})
    );
    assert_eq!(next["form"]["next"]["field"], "name");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_reads_and_what_it_makes_up_does_not_get_in() {
    let told = json!({
        "name": "Ada Lovelace", "email": "someone@made.up", "room": "castle", "message_act": null,
        "message_question": null
    });
    let refused = Reply::json(400, &json!({"error": {"message": "no"}}));
    let (server, vendor) = playing([said(&told.to_string()), refused]);
    let form = server.post("/v1/form", json!({"title": "t", "schema": schema()})).await.ok();
    let agent = json!({"namespace": "desk", "form_id": form["form_id"], "modelId": "gpt-4.1@openai"});
    server.post("/v1/agent", agent).await.ok();
    let answer = server.post(PATH, json!({"message": "they call me Ada Lovelace"})).await.ok();
    assert_eq!(answer["form"]["values"], json!({"name": "Ada Lovelace", "email": null, "room": null}));
    assert!(answer["usage"]["inputTokens"].as_u64().unwrap() > 0);
    assert!(vendor.requests()[0].json().to_string().contains("they call me Ada Lovelace"));
    // The vendor refuses: the conversation goes on without it.
    let on = say(&server, &answer["session_id"], "ada@example.org").await.ok();
    assert_eq!(on["form"]["values"]["email"], "ada@example.org");
    assert!(on["warnings"][0].as_str().unwrap().contains("could not interpret the message"), "{on}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_model_takes_from_other_words_is_confirmed() {
    let told = [
        json!({"name": "Ada", "email": "ada@example.org"}),
        json!({"room": "double"}),
        json!({"message_act": "agrees"}),
        json!({"message_act": "agrees"}),
    ];
    let whole = |told: Value| {
        let names = ["name", "email", "room", "message_act", "message_question"];
        let told: serde_json::Map<String, Value> =
            names.map(|name| (name.to_owned(), told[name].clone())).into_iter().collect();
        said(&Value::Object(told).to_string())
    };
    let (server, _vendor) = playing(told.map(whole));
    let form = server.post("/v1/form", json!({"title": "t", "schema": schema()})).await.ok();
    let agent = json!({"namespace": "desk", "form_id": form["form_id"], "modelId": "gpt-4.1@openai"});
    server.post("/v1/agent", agent).await.ok();
    let first = server.post(PATH, json!({"message": "Ada, ada@example.org"})).await.ok();
    assert_eq!(first["form"]["next"]["field"], "room", "{first}");
    let session = &first["session_id"];
    let asks = say(&server, session, "the largest that you have").await.ok();
    assert!(asks["text"].as_str().unwrap().ends_with("Did you mean double for room?"), "{asks}");
    assert_eq!(asks["form"]["next"]["question"], "Did you mean double for room?");
    assert_eq!(asks["form"]["values"]["room"], "double");
    let details = server.get(&format!("/v1/agent/desk/sessions/{}", session.as_str().unwrap())).await.ok();
    assert_eq!(details["form"], asks["form"]);
    let sums = say(&server, session, "right").await.ok();
    assert_eq!(sums["form"]["status"], "confirming", "{sums}");
    let details = server.get(&format!("/v1/agent/desk/sessions/{}", session.as_str().unwrap())).await.ok();
    assert_eq!(details["form"], sums["form"]);
    // A model alone sends nothing.
    let waits = say(&server, session, "hm wait").await.ok();
    assert_eq!(waits["form"]["status"], "confirming", "{waits}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_to_a_no_that_a_model_meant_keeps_the_no() {
    let told = [(None, None), (Some(false), None), (Some(true), Some("agrees"))].map(|(injured, act)| {
        said(&json!({"injured": injured, "message_act": act, "message_question": null}).to_string())
    });
    let (server, _vendor) = playing(told);
    let schema = json!({"injured": {"type": "boolean", "description": "Whether anybody was injured"}});
    let form = server.post("/v1/form", json!({"title": "t", "schema": schema})).await.ok();
    let agent = json!({"namespace": "desk", "form_id": form["form_id"], "modelId": "gpt-4.1@openai"});
    server.post("/v1/agent", agent).await.ok();
    let first = server.post(PATH, json!({"message": "hello"})).await.ok();
    let asked = say(&server, &first["session_id"], "everybody walked away fine").await.ok();
    assert_eq!(asked["form"]["next"]["question"], "Did you mean no for injured?", "{asked}");
    let kept = say(&server, &asked["session_id"], "yes").await.ok();
    assert_eq!(kept["form"]["values"], json!({"injured": false}), "{kept}");
    assert_eq!(kept["form"]["status"], "confirming");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_is_sent_twice_is_answered_once() {
    let server = Server::start();
    server.agent("desk", schema()).await;
    let send = async |message: &str| {
        let call = server.request(Method::POST, PATH).header("idempotency-key", "message-1");
        call.json(&json!({"message": message})).send().await
    };
    let first = send("I am Ada Lovelace").await.ok();
    assert_eq!(send("I am Ada Lovelace").await.ok(), first);
    send("I am Grace Hopper").await.fails(409, "idempotency_key_reused");
    let sessions = server.get("/v1/agent/desk/sessions").await.ok();
    assert_eq!(sessions["sessions"].as_array().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_with_a_message_is_told_and_nothing_is_stored() {
    let server = Server::start();
    server.agent("desk", schema()).await;
    let refused = async |body: Value| server.post(PATH, body).await;
    refused(json!({})).await.fails(400, "validation_failed");
    refused(json!({"message": "  "})).await.fails_at(400, "validation_failed", "/message");
    refused(json!({"message": "x".repeat(32_001)})).await.fails_at(400, "validation_failed", "/message");
    refused(json!({"message": "x", "urls": [" "]})).await.fails(400, "validation_failed");
    refused(json!({"message": "x", "response_format": "xml"})).await.fails(400, "validation_failed");
    refused(json!({"message": "x", "session_id": "session_0"})).await.fails(404, "session_not_found");
    server.post("/v1/agent/nobody/chat", json!({"message": "x"})).await.fails(404, "agent_not_found");
    assert_eq!(server.get("/v1/agent/desk/sessions").await.ok()["sessions"], json!([]));
}

/// Greets, and gives a name, an address and a kind of room; the texts of the replies.
async fn conversation(labels: [&str; 3], rooms: [&str; 2], greeting: &str) -> Vec<String> {
    let server = Server::start();
    let schema = json!({
        "name": {"type": "string", "order": 1, "description": labels[0], "required": true},
        "email": {"type": "email", "order": 2, "description": labels[1]},
        "room": {"type": "string", "order": 3, "description": labels[2], "enum": ["", rooms[0], rooms[1]]}
    });
    server.agent("desk", schema).await;
    let first = server.post(PATH, json!({"message": greeting})).await.ok();
    let session = first["session_id"].clone();
    let mut replies = vec![first["text"].as_str().unwrap().to_owned()];
    for message in ["Anna Nowak", "anna@example.org", rooms[1]] {
        let said = say(&server, &session, message).await.ok();
        replies.push(said["text"].as_str().unwrap().to_owned());
    }
    replies
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_in_polish_is_answered_in_polish() {
    let labels = ["Imię i nazwisko gościa", "Adres e-mail", "Rodzaj pokoju"];
    let replies = conversation(labels, ["jednoosobowy", "dwuosobowy"], "Dzień dobry").await;
    assert!(replies[0].starts_with("Dzień dobry! Pomogę wypełnić "), "{}", replies[0]);
    assert!(replies[0].ends_with("Proszę podać: Imię i nazwisko gościa."), "{}", replies[0]);
    assert!(replies[2].contains("Do wyboru: jednoosobowy, dwuosobowy."), "{}", replies[2]);
    assert!(replies[3].contains("Oto co zapisano:\n- Name: Anna Nowak"), "{}", replies[3]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_in_swedish_is_answered_in_swedish() {
    let labels = ["Gästens för- och efternamn", "Gästens e-postadress", "Vilket slags rum det är"];
    let replies = conversation(labels, ["enkelrum", "dubbelrum"], "Hej").await;
    assert!(replies[0].starts_with("Hej! Jag hjälper dig att fylla i "), "{}", replies[0]);
    assert!(replies[0].ends_with("Ange: Gästens för- och efternamn."), "{}", replies[0]);
    assert!(replies[2].contains("Alternativ: enkelrum, dubbelrum."), "{}", replies[2]);
    assert!(replies[3].contains("Det här har jag noterat:\n- Name: Anna Nowak"), "{}", replies[3]);
}

#[tokio::test(flavor = "multi_thread")]
async fn values_that_break_a_rule_are_asked_about_and_a_sum_is_one_answer() {
    let server = Server::start();
    let check = json!({"check": "net.amount <= limit", "message": "the limit is exceeded"});
    let schema = json!({
        "limit": {"type": "number", "order": 1}, "net": {"type": "money", "order": 2, "rules": [check]}
    });
    server.agent("desk", schema).await;
    let session = server.post(PATH, json!({"message": "hello"})).await.ok()["session_id"].clone();
    say(&server, &session, "100").await.ok();
    let broken = say(&server, &session, "119.50 EUR").await.ok();
    assert_eq!(broken["form"]["values"]["net"], json!({"amount": 119.5, "currency": "EUR"}));
    assert_eq!(
        (&broken["form"]["status"], &broken["form"]["next"]["path"]),
        (&json!("filling"), &json!("/limit"))
    );
    let error = json!({"path": "/limit", "message": "the limit is exceeded (119.5 and 100)"});
    assert_eq!(broken["form"]["errors"], json!([error]));
    assert_eq!(broken["warnings"], json!(["the limit is exceeded (119.5 and 100)"]));
    let text = broken["text"].as_str().unwrap();
    assert!(
        text.contains("The limit is exceeded (119.5 and 100).") && text.contains("Limit is 100 now."),
        "{text}"
    );
    let right = say(&server, &session, "200").await.ok();
    assert_eq!((&right["form"]["status"], &right["form"]["errors"]), (&json!("confirming"), &json!([])));
    assert_eq!(right["warnings"], json!([]));
}
