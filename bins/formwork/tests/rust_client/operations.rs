//! Files, conversations, models, knowledge bases, lists and errors.

use formwork_client::{Error, Method, Prompt, Request};
use futures_util::TryStreamExt as _;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, json};

use crate::kit::{INVOICE, Server, all, object};

const MODEL: &str = "extractive@formwork";

fn fields() -> Map<String, serde_json::Value> {
    object(json!({"vendor": {"type": "string"}, "total": {"type": "number"}}))
}

#[tokio::test]
async fn files_are_stored_listed_read_and_deleted() {
    let server = Server::start();
    let client = server.client();
    let files = client.files();
    let many: Vec<_> = (0..120_u8).map(|number| (format!("n{number}.bin"), vec![number])).collect();
    let stored = files.upload(many).await.unwrap();
    let large = vec![7_u8; 1_000_000];
    let path = server.folder.path().join("large.bin");
    std::fs::write(&path, &large).unwrap();
    let stored_large = files.upload([&path]).await.unwrap().remove(0);
    assert_eq!((stored_large.name.as_str(), stored_large.bytes), ("large.bin", 1_000_000));
    let copy = server.folder.path().join("copy.bin");
    assert_eq!(files.download_to(stored_large.id, &copy).await.unwrap(), 1_000_000);
    assert_eq!(std::fs::read(copy).unwrap(), large);
    let pieces: Vec<_> = files.download(stored[5].id).await.unwrap().try_collect().await.unwrap();
    assert_eq!(pieces.concat(), [5]);
    assert_eq!(all(files.list()).await.len(), 121);
    files.delete(stored[7].id).await.unwrap();
    assert!(matches!(files.get(stored[7].id).await, Err(Error::NotFound(_))));
}

#[tokio::test]
async fn a_conversation_keeps_its_session_whole_and_streamed() {
    let server = Server::start();
    let client = server.client();
    let form = client.forms().create("Invoice", &fields()).await.unwrap();
    let settings = object(json!({"form_id": form.form_id}));
    client.agents().create("talk", settings).await.unwrap();
    let mut conversation = client.chat("talk");
    assert_eq!(conversation.session_id(), None);
    let events: Vec<_> =
        conversation.stream("The total is 180.48").await.unwrap().try_collect().await.unwrap();
    let text: String = events.iter().map(|event| event.text()).collect();
    assert_eq!(events.last().unwrap().data["text"], text.as_str());
    let answer = conversation.send("The vendor is Harbour Works").await.unwrap();
    assert_eq!(answer.form.unwrap()["values"], json!({"vendor": "Harbour Works", "total": 180.48}));
    assert_eq!(conversation.session_id(), Some(answer.session_id.as_str()));
    let sessions = || client.list::<serde_json::Value>(Request::get("/v1/agent/talk/sessions"));
    assert_eq!(all(sessions()).await.len(), 1);
    let prompt = Prompt::new("Read this").file(("a.txt", INVOICE)).option("response_format", "json");
    let record = client.chat("talk").send(prompt).await.unwrap().record.unwrap();
    assert_eq!(record["total"], 12.5);
    client.request(Method::DELETE, "/v1/agent/talk/sessions", None).await.unwrap();
    assert!(all(sessions()).await.is_empty());
    let error = client.forms().delete(&form.form_id).await.unwrap_err();
    assert_eq!(error.code(), Some("form_in_use"));
}

#[tokio::test]
async fn answers_of_a_model_come_whole_in_pieces_and_as_values() {
    #[derive(Deserialize, JsonSchema)]
    struct Amount {
        total: Option<f64>,
    }
    let server = Server::start();
    let client = server.client();
    let prompt = Prompt::new("What is the total?").file(server.file("invoice.txt", INVOICE));
    let answer = client.generate(MODEL, prompt.clone()).await.unwrap();
    assert!(answer.text.contains("12.50"), "{}", answer.text);
    assert_eq!(answer.context[0]["title"], "invoice.txt");
    let events: Vec<_> = client.generate_stream(MODEL, prompt).await.unwrap().try_collect().await.unwrap();
    assert_eq!(events.iter().map(|event| event.text()).collect::<String>(), answer.text);
    let prompt = Prompt::new("What is the total?").file(("a.txt", INVOICE));
    let amount: Amount = client.generate_value(MODEL, prompt).await.unwrap();
    assert_eq!(amount.total, Some(12.5));
}

#[tokio::test]
async fn a_knowledge_base_is_filled_and_searched() {
    let server = Server::start();
    let client = server.client();
    let knowledge = client.knowledge();
    let base = knowledge.create("leases", Map::new()).await.unwrap();
    let meta = object(json!({"year": 2026}));
    knowledge.add_text(&base.id, "lease", "The notice period is three months.", meta).await.unwrap();
    let added = knowledge.add(&base.id, [("dogs.txt", "Dogs are allowed in the yard.\n")]).await.unwrap();
    let settled = knowledge.settled(&added[0].id).await.unwrap();
    assert_eq!((settled.name.as_str(), settled.status.as_str()), ("dogs.txt", "ready"));
    let options = object(json!({"limit": 1, "wait_for": true, "wait_seconds": 10}));
    let found = knowledge.search(&base.id, "dogs in the yard", options.clone()).await.unwrap();
    assert!(found[0].text.contains("allowed"), "{found:?}");
    let found = knowledge.search(&base.id, "notice period", options).await.unwrap();
    assert_eq!((found.len(), found[0].title.as_str()), (1, "lease"));
    assert_eq!(found[0].rest["meta"]["year"], 2026);
    assert_eq!(all(knowledge.list()).await[0].id, base.id);
    knowledge.delete(&base.id).await.unwrap();
    assert!(matches!(knowledge.get(&base.id).await, Err(Error::NotFound(_))));
}

#[tokio::test]
async fn errors_are_typed_and_name_what_is_wrong() {
    let server = Server::start();
    let client = server.client();
    let wrong = object(json!({"total": {"type": "sum"}, "vendor": {}}));
    let error = client.forms().create("x", &wrong).await.unwrap_err();
    let api = error.api().unwrap();
    assert_eq!((api.status, api.code.as_str()), (400, "validation_failed"));
    assert_eq!(api.violations.len(), 2);
    assert!(api.violations[0].path.starts_with("/schema/total"), "{error}");
    assert!(error.to_string().contains(api.request_id.as_ref().unwrap()));
    let error = client.forms().get("a/b?c").await.unwrap_err();
    assert!(matches!(&error, Error::NotFound(api) if api.code == "form_not_found"), "{error}");
    let stranger = formwork_client::Client::new(&server.url, "fw_wrong").unwrap();
    let error = stranger.forms().list().try_next().await.unwrap_err();
    assert!(matches!(&error, Error::Unauthorized(api) if api.code == "invalid_key"), "{error}");
    assert!(!format!("{error:?}").contains("fw_wrong"));
    let templates = client.templates().list("de").await.unwrap();
    assert!(templates.iter().any(|template| template.title == "Rechnung"));
}

#[tokio::test]
async fn a_repeated_request_has_one_effect() {
    let server = Server::start();
    let client = server.client();
    let body = json!({"title": "Sent twice", "schema": fields()});
    let request = Request::post("/v1/form").json(&body).header("Idempotency-Key", "sent-twice-1");
    let first = client.read(request.clone()).await.unwrap();
    assert_eq!(client.read(request).await.unwrap(), first);
    assert_eq!(all(client.forms().titled("Sent twice")).await.len(), 1);
}

#[tokio::test]
async fn values_are_reviewed_and_runs_have_options() {
    let server = Server::start();
    let client = server.client();
    let form = client.forms().create("Invoice", &fields()).await.unwrap();
    let settings = object(json!({"form_id": form.form_id, "review": {"threshold": 1}}));
    client.agents().create("reviewed", settings).await.unwrap();
    let extractor = client.extractor::<serde_json::Value>().agent("reviewed").option("labels", "march,first");
    let sid = extractor.extract([("a.txt", INVOICE)]).await.unwrap().sid;
    let run =
        client.request(Method::GET, &format!("/v1/agent/reviewed/workflow/delta/runs/{sid}"), None).await;
    assert_eq!(run.unwrap()["labels"], json!(["march", "first"]));
    let found = all(client.reviews().list(&[("namespace", "reviewed"), ("sid", &sid.to_string())])).await;
    let total = found.iter().find(|review| review.path == "/total").unwrap();
    let decision = |quote: &str| json!({"review_id": total.id, "action": "correct", "value": 12.5, "evidence": {"quote": quote}});
    let decided = client.reviews().decide(&[decision("12.50")]).await.unwrap();
    assert_eq!((decided[0].state.as_str(), &decided[0].value), ("corrected", &json!(12.5)));
    assert_eq!(
        client.reviews().get(&total.id).await.unwrap().rest["history"][0]["evidence"]["quote"],
        "12.50"
    );
    let refused = client.reviews().decide(&[decision("stands nowhere")]).await;
    assert!(matches!(refused, Err(Error::Api(_))));
    assert_eq!(client.reviews().queue("reviewed", sid).await.unwrap(), 0);
    assert_eq!(client.forms().publish(&form.form_id, 1).await.unwrap().form_id, form.form_id);
}
