//! What Google and Mistral answer about batches: whole, odd and hostile.

use gen_core::{
    BatchModel, BatchRequest, BatchResult, BatchState, ChatRequest, Fault, Finish, FoundBatch, SoughtBatch,
};
use providers_http::{Auth, MistralBatches, OpenAiCompatible};
use secrecy::SecretString;
use serde_json::{Value, json};
use shared_core::Timestamp;
use testkit::upstream::{Reply, Upstream};

use super::kit::{KEY, endpoint, google, question, small};

fn mistral(url: &str) -> MistralBatches {
    let endpoint = endpoint(&format!("{url}/v1"), small());
    let endpoint = endpoint.with_key(SecretString::from(KEY), Auth::Bearer).unwrap();
    MistralBatches::new(OpenAiCompatible::mistral(endpoint))
}

fn both(url: &str) -> [Box<dyn BatchModel>; 2] {
    [Box::new(google(url, small())), Box::new(mistral(url))]
}

fn answering(replies: impl IntoIterator<Item = Value>) -> Upstream {
    Upstream::start_replies(replies.into_iter().map(|body| Reply::json(200, &body))).unwrap()
}

fn sought() -> SoughtBatch {
    SoughtBatch {
        reference: "fw_1".into(),
        requests: 2,
        submitted: Timestamp::from_micros(1_800_000_000_000_000).unwrap(),
    }
}

fn requests(model: &dyn BatchModel) -> Vec<BatchRequest> {
    let body = model.body(&question()).unwrap();
    (0..2).map(|n| BatchRequest { id: format!("fw_1-{n}"), body: body.clone() }).collect()
}

#[tokio::test]
async fn a_batch_of_google_has_its_requests_and_their_keys() {
    let upstream = answering([json!({"name": "batches/b-1"})]);
    let model = google(&upstream.url(), small());
    assert_eq!(model.submit("fw_1", &requests(&model)).await.unwrap(), "b-1");
    let sent = upstream.requests().remove(0);
    assert_eq!(sent.path, "/v1/models/m:batchGenerateContent");
    let batch = &sent.json()["batch"];
    assert_eq!(batch["displayName"], "fw_1");
    let all = batch["inputConfig"]["requests"]["requests"].as_array().unwrap();
    let keys: Vec<&Value> = all.iter().map(|one| &one["metadata"]["key"]).collect();
    assert_eq!(keys, [&json!("fw_1-0"), &json!("fw_1-1")]);
    assert_eq!(all[0]["request"]["model"], "models/m");
    assert_eq!(all[0]["request"]["contents"][0]["parts"][0]["text"], "What is the total?");
    assert!(!batch.to_string().contains(KEY));
}

#[tokio::test]
async fn a_job_of_mistral_has_a_file_of_lines_its_model_and_our_reference() {
    let upstream = answering([json!({"id": "file-1"}), json!({"id": "job-1", "status": "QUEUED"})]);
    let model = mistral(&upstream.url());
    assert_eq!(model.submit("fw_1", &requests(&model)).await.unwrap(), "job-1");
    let sent = upstream.requests();
    assert_eq!((sent[0].path.as_str(), sent[1].path.as_str()), ("/v1/files", "/v1/batch/jobs"));
    let form = String::from_utf8(sent[0].body.clone()).unwrap();
    let line = form.lines().find(|line| line.contains("fw_1-1")).unwrap();
    let line: Value = serde_json::from_str(line).unwrap();
    assert_eq!((&line["custom_id"], &line["body"]["model"]), (&json!("fw_1-1"), &json!("m")));
    assert_eq!(line.as_object().unwrap().len(), 2, "{line}");
    assert_eq!(
        sent[1].json(),
        json!({
            "input_files": ["file-1"], "endpoint": "/v1/chat/completions", "model": "m",
            "metadata": {"formwork_batch": "fw_1"}, "timeout_hours": 24
        })
    );
}

#[tokio::test]
async fn the_states_of_batches_are_told() {
    let google =
        |state: &str| json!({"name": "batches/b", "metadata": {"state": format!("BATCH_STATE_{state}")}});
    let mistral = |status: &str| json!({"id": "b", "status": status, "output_file": null});
    let running = ["PENDING", "RUNNING", "UNSPECIFIED", "NEW"].map(google).into_iter();
    let ended = ["SUCCEEDED", "CANCELLED", "EXPIRED"].map(google).into_iter();
    let cases = running.map(|body| (0, BatchState::Running, body));
    let cases = cases.chain(ended.map(|body| (0, BatchState::Ended, body)));
    let running = ["QUEUED", "RUNNING", "CANCELLATION_REQUESTED", ""].map(mistral).into_iter();
    let cases = cases.chain(running.map(|body| (1, BatchState::Running, body)));
    let ended = ["SUCCESS", "TIMEOUT_EXCEEDED", "CANCELLED"].map(mistral).into_iter();
    let cases = cases.chain(ended.map(|body| (1, BatchState::Ended, body)));
    let mut failed = google("FAILED");
    failed["error"] = json!({"code": 3, "message": format!("no such model {KEY}")});
    let paid = json!({"id": "b", "status": "FAILED", "output_file": "f"});
    let refused = json!({"id": "b", "status": "FAILED", "errors": [{"message": "too many"}, {}]});
    let odd = [
        (0, BatchState::Refused("no such model [hidden]".into()), failed),
        (1, BatchState::Ended, paid),
        (1, BatchState::Refused("too many".into()), refused),
    ];
    for (vendor, state, body) in cases.chain(odd) {
        let upstream = answering([body.clone()]);
        let found = both(&upstream.url())[vendor].state("b").await.unwrap();
        match (&found, &state) {
            // How a secret is hidden is told elsewhere.
            (BatchState::Refused(why), BatchState::Refused(_)) if vendor == 0 => {
                assert!(why.starts_with("no such model") && !why.contains(KEY), "{why}");
            }
            _ => assert_eq!(found, state, "{body}"),
        }
    }
}

#[tokio::test]
async fn a_lost_submission_is_found_on_a_later_page_or_is_absent() {
    let of = |name: &str, reference: &str| json!({"name": name, "metadata": {"displayName": reference, "state": "X"}});
    let first = json!({"operations": [of("batches/a", "fw_0")], "nextPageToken": "2"});
    let upstream = answering([first.clone(), json!({"operations": [of("batches/b", "fw_1")]})]);
    let found = google(&upstream.url(), small()).find(&sought()).await.unwrap();
    assert_eq!(found, FoundBatch::Present("b".into()));
    assert!(upstream.requests()[1].path.contains("pageToken=2"));
    let upstream = answering([first.clone(), json!({})]);
    assert_eq!(google(&upstream.url(), small()).find(&sought()).await.unwrap(), FoundBatch::Absent);
    // A list without an end.
    let upstream = answering([first]);
    assert_eq!(google(&upstream.url(), small()).find(&sought()).await.unwrap(), FoundBatch::Unclear);
    assert_eq!(upstream.requests().len(), 100);

    let job = |id: usize, reference: &str, created: i64| json!({"id": format!("job-{id}"), "created_at": created, "metadata": {"formwork_batch": reference}});
    let page = |created: i64| Value::from((0..100).map(|n| job(n, "fw_0", created)).collect::<Vec<_>>());
    let new = 1_800_000_100;
    let last = json!({"data": [job(7, "fw_1", new), {"id": "x", "metadata": null}]});
    let upstream = answering([json!({"data": page(new)}), last]);
    assert_eq!(mistral(&upstream.url()).find(&sought()).await.unwrap(), FoundBatch::Present("job-7".into()));
    assert!(upstream.requests()[1].path.contains("page=1&page_size=100&order_by=-created"));
    let upstream = answering([json!({"data": page(1_700_000_000)})]);
    assert_eq!(mistral(&upstream.url()).find(&sought()).await.unwrap(), FoundBatch::Absent);
    assert_eq!(upstream.requests().len(), 1, "those before are older");
    let upstream = answering([json!({"data": page(new)})]);
    assert_eq!(mistral(&upstream.url()).find(&sought()).await.unwrap(), FoundBatch::Unclear);
}

#[tokio::test]
async fn results_are_inline_or_in_a_file_and_failed_rows_have_no_body() {
    let answer = json!({"candidates": [{"content": {"parts": [{"text": "5"}]}, "finishReason": "STOP"}]});
    let rows = json!([
        {"metadata": {"key": "fw_1-1"}, "response": answer}, {"metadata": {"key": "fw_1-0"}, "error": {"code": 13}},
        {"response": answer}
    ]);
    let inline = json!({"inlinedResponses": {"inlinedResponses": rows}});
    let own = json!({"name": "batches/b", "response": {"@type": "t"}, "metadata": {"output": inline}});
    let wanted = |found: &[BatchResult]| {
        let told: Vec<(&str, bool)> = found.iter().map(|one| (one.id.as_str(), one.body.is_some())).collect();
        assert_eq!(told[..2], [("fw_1-1", true), ("fw_1-0", false)]);
    };
    let upstream = answering([own]);
    let model = google(&upstream.url(), small());
    let found = model.results("b").await.unwrap();
    wanted(&found);
    assert_eq!(found[2].id, "", "an answer without a key is nobody's");
    let read = model.answer(&ChatRequest::default(), found[0].body.as_deref().unwrap()).unwrap();
    assert_eq!((read.text.as_str(), read.finish), ("5", Finish::Stop));
    let file = json!({"name": "batches/b", "response": {"responsesFile": "files/f-1"}});
    let lines = format!(
        "{}\n{}\n",
        json!({"key": "fw_1-1", "response": answer}),
        json!({"key": "fw_1-0", "error": {}})
    );
    let replies = [Reply::json(200, &file), Reply::whole(200, "application/octet-stream", lines)];
    let upstream = Upstream::start_replies(replies).unwrap();
    wanted(&google(&upstream.url(), small()).results("b").await.unwrap());
    assert_eq!(upstream.requests()[1].path, "/v1/files/f-1:download?alt=media");

    let line =
        |id: &str, status: u16| json!({"custom_id": id, "response": {"status_code": status, "body": answer}});
    let lines = format!("{}\n{}\n", line("fw_1-1", 200), line("fw_1-0", 500));
    let job = json!({"id": "b", "status": "SUCCESS", "output_file": "o-1", "error_file": "e-1"});
    let replies = [Reply::json(200, &job), Reply::whole(200, "application/octet-stream", lines)];
    let upstream = Upstream::start_replies(replies).unwrap();
    wanted(&mistral(&upstream.url()).results("b").await.unwrap());
    assert_eq!(upstream.requests()[1].path, "/v1/files/o-1/content");
    // One that was cancelled or expired has none.
    for body in [
        json!({"name": "batches/b", "id": "b"}),
        json!({"name": "batches/b", "id": "b", "output_file": null}),
    ] {
        let upstream = answering([body]);
        for model in both(&upstream.url()) {
            assert_eq!(model.results("b").await.unwrap(), []);
        }
    }
}

#[tokio::test]
async fn hostile_answers_are_failures_that_may_be_asked_for_again() {
    let odd =
        ["batches/../x", "operations/b", "batches/", "batches/a b", ""].map(|name| json!({"name": name}));
    for body in odd {
        let upstream = answering([body.clone()]);
        let model = google(&upstream.url(), small());
        let error = model.submit("fw_1", &requests(&model)).await.unwrap_err();
        assert_eq!(error.fault, Fault::Protocol, "{body}");
    }
    let path = json!({"name": "batches/b", "response": {"responsesFile": "files/../../v2/keys"}});
    let upstream = answering([path]);
    assert_eq!(google(&upstream.url(), small()).results("b").await.unwrap_err().fault, Fault::Protocol);
    assert_eq!(upstream.requests().len(), 1, "no path of the answer is called");
    let huge = Value::from("x".repeat(300 << 10));
    for body in
        [json!({"metadata": 7, "id": 1}), json!("x"), json!({"name": "batches/b", "id": "b", "pad": huge})]
    {
        let upstream = answering([body]);
        for model in both(&upstream.url()) {
            assert!(model.state("b").await.is_err() && model.results("b").await.is_err());
        }
    }
    let refused =
        Upstream::start_replies([Reply::json(429, &json!({"error": {"message": "slow", "code": 429}}))]);
    let refused = refused.unwrap();
    for model in both(&refused.url()) {
        let error = model.submit("fw_1", &requests(model.as_ref())).await.unwrap_err();
        assert_eq!(error.fault, Fault::RateLimited);
    }
}

#[tokio::test]
async fn a_cancellation_names_the_batch() {
    let upstream = answering([json!({"id": "b", "status": "CANCELLATION_REQUESTED"})]);
    for model in both(&upstream.url()) {
        model.cancel("b").await.unwrap();
    }
    let paths: Vec<String> = upstream.requests().into_iter().map(|request| request.path).collect();
    assert_eq!(paths, ["/v1/batches/b:cancel", "/v1/batch/jobs/b/cancel"]);
}
