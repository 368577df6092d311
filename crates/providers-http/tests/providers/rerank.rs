//! Rerankers against a scripted upstream. The answers are those that the vendors and servers document.

use std::time::Duration;

use gen_core::{Fault, ProviderError, RerankModel as _, RerankRequest, RerankScores};
use providers_http::{Auth, Endpoint, Limits, RerankForm, Reranker};
use secrecy::SecretString;
use serde_json::{Value, json};
use testkit::upstream::{ReceivedRequest, Reply, Upstream};

use crate::common::{KEY, hasty, small, transport};

fn reranker(url: &str, form: RerankForm, limits: Limits) -> Reranker {
    let endpoint = Endpoint::new(&transport(), url).unwrap();
    let endpoint = endpoint.with_key(SecretString::from(KEY), Auth::Bearer).unwrap();
    Reranker::new(endpoint.with_limits(limits), form)
}

fn texts(count: usize) -> RerankRequest {
    let texts = (0..count).map(|at| format!("text {at}")).collect();
    RerankRequest { model: "rerank-1".into(), query: "which text?".into(), texts }
}

async fn scored(reply: Reply, form: RerankForm, limits: Limits) -> Result<RerankScores, ProviderError> {
    let upstream = Upstream::start_replies([reply]).unwrap();
    let client = reranker(&upstream.url(), form, limits);
    tokio::time::timeout(Duration::from_secs(50), client.rerank(texts(3))).await.expect("every call ends")
}

#[tokio::test]
async fn each_interface_is_called_at_its_path_and_read_in_its_words() {
    let jina = json!({
        "model": "jina-reranker-v2-base-multilingual",
        "usage": {"total_tokens": 815, "prompt_tokens": 815},
        "results": [
            {"index": 2, "document": {"text": "text 2"}, "relevance_score": 0.8783},
            {"index": 0, "relevance_score": 0.7624},
            {"index": 1, "relevance_score": 0.0008}
        ]
    });
    let vllm = json!({
        "id": "rerank-fae51b2b", "model": "BAAI/bge-reranker-base", "usage": {"total_tokens": 815},
        "results": [
            {"index": 2, "document": {"text": "text 2"}, "relevance_score": 0.8783},
            {"index": 0, "document": {"text": "text 0"}, "relevance_score": 0.7624},
            {"index": 1, "document": {"text": "text 1"}, "relevance_score": 0.0008}
        ]
    });
    let cohere = json!({
        "id": "07734bd2-2473-4f07-94e1-0d9f0e6843cf",
        "results": [
            {"index": 2, "relevance_score": 0.8783}, {"index": 0, "relevance_score": 0.7624},
            {"index": 1, "relevance_score": 0.0008}
        ],
        "meta": {"api_version": {"version": "2"}, "billed_units": {"search_units": 1}}
    });
    let voyage = json!({
        "object": "list", "model": "rerank-2.5", "usage": {"total_tokens": 815},
        "data": [
            {"relevance_score": 0.8783, "index": 2}, {"relevance_score": 0.7624, "index": 0},
            {"relevance_score": 0.0008, "index": 1}
        ]
    });
    let tei = json!([
        {"index": 2, "score": 0.8783}, {"index": 0, "score": 0.7624}, {"index": 1, "score": 0.0008}
    ]);
    for (form, answer, tokens) in [
        (RerankForm::Jina, jina, 815),
        (RerankForm::Jina, vllm, 815),
        (RerankForm::Cohere, cohere, 0),
        (RerankForm::Voyage, voyage, 815),
        (RerankForm::Tei, tei, 0),
    ] {
        let upstream = Upstream::start_replies([Reply::json(200, &answer)]).unwrap();
        let url = format!("{}/{}", upstream.url(), form.version());
        let told = reranker(&url, form, small()).rerank(texts(3)).await.unwrap();
        assert_eq!(told.scores, [0.7624, 0.0008, 0.8783], "{form:?}");
        assert_eq!((told.usage.input_tokens, told.usage.output_tokens), (tokens, 0), "{form:?}");
        let sent = upstream.requests().pop().unwrap();
        let path = if form.version().is_empty() { String::new() } else { format!("/{}", form.version()) };
        assert_eq!((sent.method.as_str(), sent.path.as_str()), ("POST", format!("{path}/rerank").as_str()));
        assert_eq!(sent.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
        assert_eq!(sent.json()["query"], "which text?");
        assert!(sent.json().get("top_n").is_none() && sent.json().get("top_k").is_none());
    }
}

/// Scores each text by its number in the request.
fn by_position(request: &ReceivedRequest) -> Reply {
    let body = request.json();
    let given = body.get("texts").or(body.get("documents")).and_then(Value::as_array).unwrap();
    let number = |text: &Value| text.as_str().unwrap().rsplit(' ').next().unwrap().parse::<u32>().unwrap();
    let entries = given.iter().enumerate();
    let entries: Vec<Value> = match body.get("texts") {
        Some(_) => entries.map(|(at, text)| json!({"index": at, "score": number(text)})).collect(),
        None => entries.map(|(at, text)| json!({"index": at, "relevance_score": number(text)})).collect(),
    };
    match body.get("texts") {
        Some(_) => Reply::json(200, &json!(entries)),
        None => Reply::json(200, &json!({"results": entries, "usage": {"total_tokens": 10}})),
    }
}

#[tokio::test]
async fn more_texts_than_a_server_takes_are_scored_in_portions() {
    for (form, sizes, tokens) in [
        (RerankForm::Tei, vec![32, 32, 6], 0),
        (RerankForm::Jina, vec![70], 10),
        (RerankForm::Cohere, vec![70], 10),
    ] {
        let upstream = Upstream::start(by_position).unwrap();
        let told = reranker(&upstream.url(), form, small()).rerank(texts(70)).await.unwrap();
        assert_eq!(told.scores, (0_u8..70).map(f32::from).collect::<Vec<_>>(), "{form:?}");
        assert_eq!(told.usage.input_tokens, tokens);
        let count = |sent: &ReceivedRequest| {
            let body = sent.json();
            body.get("texts").or(body.get("documents")).and_then(Value::as_array).unwrap().len()
        };
        assert_eq!(upstream.requests().iter().map(count).collect::<Vec<_>>(), sizes, "{form:?}");
    }
}

#[tokio::test]
async fn no_texts_need_no_call() {
    let upstream = Upstream::start_replies([Reply::json(200, &json!([]))]).unwrap();
    assert!(
        reranker(&upstream.url(), RerankForm::Tei, small()).rerank(texts(0)).await.unwrap().scores.is_empty()
    );
    assert_eq!(upstream.count(), 0);
}

#[tokio::test]
async fn an_answer_without_exactly_one_score_for_each_text_is_no_order() {
    let entry = |index: Value, score: Value| json!({"index": index, "relevance_score": score});
    let good = || vec![entry(json!(0), json!(0.1)), entry(json!(1), json!(0.2))];
    for last in [
        None,
        Some(entry(json!(1), json!(0.3))),
        Some(entry(json!(3), json!(0.3))),
        Some(entry(json!(-1), json!(0.3))),
        Some(entry(json!("2"), json!(0.3))),
        Some(entry(json!(2), json!("0.3"))),
        Some(entry(json!(2), json!(1e300))),
        Some(json!({"relevance_score": 0.3})),
    ] {
        let results: Vec<Value> = good().into_iter().chain(last).collect();
        let reply = Reply::json(200, &json!({ "results": results }));
        let error = scored(reply, RerankForm::Jina, small()).await.unwrap_err();
        assert_eq!(error.fault, Fault::Protocol, "{results:?}");
    }
    let nan = r#"{"results": [{"index": 0, "relevance_score": NaN}]}"#;
    let error =
        scored(Reply::whole(200, "application/json", nan), RerankForm::Jina, small()).await.unwrap_err();
    assert_eq!(error.fault, Fault::Protocol);
    for form in [RerankForm::Tei, RerankForm::Voyage] {
        let error = scored(Reply::json(200, &json!({"scores": [1, 2, 3]})), form, small()).await.unwrap_err();
        assert_eq!(error.fault, Fault::Protocol, "{form:?}");
    }
}

#[tokio::test]
async fn huge_slow_and_refusing_servers_fail_within_the_limits() {
    let huge = format!("{{\"results\": [{}]}}", "{},".repeat(1 << 20));
    let error =
        scored(Reply::whole(200, "application/json", huge), RerankForm::Jina, small()).await.unwrap_err();
    assert_eq!(error.fault, Fault::Protocol);
    let slow =
        Reply::chunked(200, &[("content-type", "application/json")]).wait(Duration::from_secs(40)).end();
    assert_eq!(scored(slow, RerankForm::Cohere, hasty()).await.unwrap_err().fault, Fault::Timeout);
    let busy = Reply::json(429, &json!({"message": "trial key"}));
    assert_eq!(scored(busy, RerankForm::Cohere, small()).await.unwrap_err().fault, Fault::RateLimited);
    let long = Reply::json(
        413,
        &json!({"error": "batch size 50 > maximum allowed batch size 32", "error_type": "Validation"}),
    );
    assert_eq!(scored(long, RerankForm::Tei, small()).await.unwrap_err().fault, Fault::InvalidRequest);
    let leaky = Reply::json(401, &json!({"detail": format!("the key {KEY} is unknown")}));
    let error = scored(leaky, RerankForm::Voyage, small()).await.unwrap_err();
    assert_eq!(error.fault, Fault::Auth);
    assert!(!format!("{error:?}").contains(KEY));
}

#[tokio::test]
async fn tokens_of_the_portions_before_a_failure_are_reported() {
    let answers = |request: &ReceivedRequest| match request.json()["documents"].as_array().unwrap().len() {
        256 => by_position(request),
        _ => Reply::json(500, &json!({})),
    };
    let upstream = Upstream::start(answers).unwrap();
    let error = reranker(&upstream.url(), RerankForm::Jina, small()).rerank(texts(300)).await.unwrap_err();
    assert_eq!((error.fault, error.usage.input_tokens), (Fault::Failed, 10));
}
