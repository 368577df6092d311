//! Reading back what batch extraction kept.

use serde_json::{Value, json};

use crate::delta::check_evidence;
use crate::kit::{Server, invoice, invoice_schema};

const PATH: &str = "/v1/agent/inv/workflow/delta";

/// A server with two runs of three and two groups; the ids of the runs.
async fn two_runs() -> (Server, Value, Value) {
    let server = Server::start();
    server.agent("inv", invoice_schema()).await;
    let texts: Vec<(String, String)> =
        (1..=5).map(|n| (format!("{n}.txt"), invoice(&format!("N-{n}"), &format!("{n}.00")))).collect();
    let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let files = server.files(&texts).await;
    let id = |n: usize| &files[n]["id"];
    let first = server.delta("inv", "", &[&[id(0)], &[id(1)], &[id(2)]]).await;
    let second = server.delta("inv", "", &[&[id(3)], &[id(4)]]).await;
    (server, first["sid"].clone(), second["sid"].clone())
}

fn numbers(kept: &Value) -> Vec<String> {
    kept.as_array().unwrap().iter().map(|r| r["invoice_number"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn all_are_given_newest_run_first_and_one_run_by_its_sid() {
    let (server, first, second) = two_runs().await;
    let answer = server.get(PATH).await;
    assert_eq!(answer.header("x-total-count"), "5");
    assert_eq!(answer.header("link"), "");
    let all = answer.ok();
    assert_eq!(numbers(&all), ["N-4", "N-5", "N-1", "N-2", "N-3"]);
    let keys: Vec<&String> = all[0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["invoice_number", "due_date", "total", "gid", "sid", "form_version"]);
    let mut gids: Vec<&str> = all.as_array().unwrap().iter().map(|r| r["gid"].as_str().unwrap()).collect();
    gids.sort_unstable();
    gids.dedup();
    assert_eq!(gids.len(), 5);
    let one = server.get(&format!("{PATH}?sid={first}")).await;
    assert_eq!(
        (one.header("x-total-count"), numbers(&one.ok())),
        ("3", vec!["N-1".into(), "N-2".into(), "N-3".into()])
    );
    assert!(one.ok().as_array().unwrap().iter().all(|r| r["sid"] == first));
    assert_eq!(numbers(&server.get(&format!("{PATH}?sid={second}")).await.ok()), ["N-4", "N-5"]);
    for sid in ["0", "-1", "999999", "9007199254740993"] {
        server.get(&format!("{PATH}?sid={sid}")).await.fails(404, "run_not_found");
    }
    for sid in ["x", "1.5", "", "99999999999999999999"] {
        server.get(&format!("{PATH}?sid={sid}")).await.fails_at(400, "validation_failed", "?sid");
    }
    // A run of another agent is not this one's.
    server.agent("other", invoice_schema()).await;
    let foreign = format!("/v1/agent/other/workflow/delta?sid={first}");
    server.get(&foreign).await.fails(404, "run_not_found");
    assert_eq!(server.get("/v1/agent/other/workflow/delta").await.ok(), json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_cut_by_limit_and_linked_to_their_neighbours() {
    let (server, first, _) = two_runs().await;
    let page = async |query: &str| {
        let answer = server.get(&format!("{PATH}?{query}")).await;
        assert_eq!(answer.header("x-total-count"), if query.contains("sid") { "3" } else { "5" });
        (numbers(&answer.ok()), answer.header("link").to_owned())
    };
    let link = |query: &str, relation: &str| format!("<{PATH}?{query}>; rel=\"{relation}\"");
    assert_eq!(page("limit=2").await, (vec!["N-4".into(), "N-5".into()], link("limit=2&page=2", "next")));
    let (found, links) = page("limit=2&page=2").await;
    assert_eq!(found, ["N-1", "N-2"]);
    assert_eq!(links, format!("{}, {}", link("limit=2&page=1", "prev"), link("limit=2&page=3", "next")));
    assert_eq!(page("limit=2&page=3").await, (vec!["N-3".into()], link("limit=2&page=2", "prev")));
    assert_eq!(page("limit=2&page=9").await.0, Vec::<String>::new());
    assert_eq!(page("limit=5").await.1, "");
    assert_eq!(page("limit=100&page=1").await.0.len(), 5);
    let query = format!("meta=true&sid={first}&limit=1&page=2");
    let (found, links) = page(&query).await;
    assert_eq!(found, ["N-2"]);
    assert!(links.contains(&format!("meta=true&sid={first}&limit=1&page=3")), "{links}");
    server.get(&format!("{PATH}?page=2")).await.fails_at(400, "validation_failed", "?limit");
    server.get(&format!("{PATH}?format=xml")).await.fails_at(400, "validation_failed", "?format");
}

#[tokio::test(flavor = "multi_thread")]
async fn context_meta_and_evidence_are_added_when_they_are_asked_for() {
    let (server, first, _) = two_runs().await;
    let kept = server.get(&format!("{PATH}?context=true&meta=true&evidence=true&sid={first}")).await.ok();
    for (index, response) in kept.as_array().unwrap().iter().enumerate() {
        let context = response["context"].as_str().unwrap();
        assert!(context.contains(&format!("Total: {}.00 EUR", index + 1)), "{context}");
        let meta = response["meta"].as_object().unwrap();
        let name = format!("{}.txt", index + 1);
        assert_eq!(meta["files"], json!([name]));
        for duration in ["generation_duration", "scraping_duration", "total_duration"] {
            assert!(meta[duration].as_f64().unwrap() >= 0.0);
        }
        assert_eq!((meta.len(), &meta["reused_from"], &meta["warnings"]), (7, &Value::Null, &json!([])));
        assert_eq!(meta["group"], index);
        assert_eq!(check_evidence(response, &response["evidence"], &[(&name, context)]), 2);
    }
    let plain = server.get(&format!("{PATH}?context=false&meta=0")).await.ok();
    assert!(plain.as_array().unwrap().iter().all(|r| r.as_object().unwrap().len() == 6));
    for name in ["context", "meta", "evidence"] {
        server.get(&format!("{PATH}?{name}=yes")).await.fails_at(
            400,
            "validation_failed",
            &format!("?{name}"),
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn responses_begin_with_a_group_when_it_is_asked_for() {
    let (server, first, _) = two_runs().await;
    let all = server.get(&format!("{PATH}?meta=true&sid={first}")).await.ok();
    let rows = all.as_array().unwrap().len();
    for from in 0..=rows {
        let rest = server.get(&format!("{PATH}?meta=true&sid={first}&from={from}&limit=100")).await.ok();
        assert_eq!(rest.as_array().unwrap()[..], all.as_array().unwrap()[from..], "{from}");
    }
    server.get(&format!("{PATH}?from=1")).await.fails_at(400, "validation_failed", "?sid");
    for wrong in ["-1", "4294967296", "x"] {
        let answer = server.get(&format!("{PATH}?sid={first}&from={wrong}")).await;
        answer.fails_at(400, "validation_failed", "?from");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_context_of_a_group_is_its_documents_in_their_order() {
    let server = Server::start();
    server.agent("inv", invoice_schema()).await;
    let (first, second) = ("Über alles\nInvoice No: A-1\n", "Due date: 2026-03-04\nTotal: 9.00 EUR\n");
    let files = server.files(&[("b.txt", first), ("a.txt", second)]).await;
    server.delta("inv", "", &[&[&files[0]["id"], &files[1]["id"]]]).await;
    let kept = server.get(&format!("{PATH}?context=true&meta=true&evidence=true")).await.ok();
    assert_eq!(kept[0]["meta"]["files"], json!(["b.txt", "a.txt"]));
    let context = kept[0]["context"].as_str().unwrap();
    assert_eq!(context, format!("{}\n\n{}", first.trim_end(), second.trim_end()));
    // Offsets count from the beginning of the document that the evidence names.
    let parts = [("b.txt", context), ("a.txt", &context[first.len() + 1..])];
    assert_eq!(check_evidence(&kept[0], &kept[0]["evidence"], &parts), 3, "{kept}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_field_keeps_its_name_where_the_service_has_a_key_of_that_name() {
    let server = Server::start();
    let field = json!({"type": "string"});
    let schema = json!({"gid": field, "sid": field, "context": field, "meta": field, "evidence": field, "_gid": field});
    server.agent("inv", schema).await;
    let file =
        server.files(&[("a.txt", "Gid: G1\nSid: S1\nContext: C1\nMeta: M1\nEvidence: E1\n")]).await.remove(0);
    let answer = server.delta("inv", "?evidence=true", &[&[&file["id"]]]).await;
    let record = answer["results"][0].clone();
    let fields: Vec<&String> = record.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["gid", "sid", "context", "meta", "evidence", "_gid"]);
    let kept = server.get(&format!("{PATH}?context=true&meta=true&evidence=true")).await.ok();
    let response = kept[0].as_object().unwrap();
    for (name, value) in record.as_object().unwrap() {
        assert_eq!(&response[name], value, "{name}");
    }
    assert_eq!(response["_sid"], answer["sid"]);
    assert!(response["_context"].as_str().unwrap().contains("Gid: G1"));
    assert!(response["_meta"]["files"].is_array() && response["_evidence"].is_object());
    // The form has a field of that name too.
    assert!(response["__gid"].is_string());
    let plain = server.get(PATH).await.ok();
    assert_eq!(plain[0].as_object().unwrap().len(), 9, "six fields and three keys: {plain}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_kept_stays_as_it_was_when_form_and_agent_change_and_goes_with_the_agent() {
    let (server, ..) = two_runs().await;
    let before = server.get(PATH).await.ok();
    let form_id = server.get("/v1/agent/inv").await.ok()["form_id"].as_str().unwrap().to_owned();
    server.put(&format!("/v1/form/{form_id}"), json!({"schema": {"other": {"type": "string"}}})).await.ok();
    assert_eq!(server.get(PATH).await.ok(), before);
    server.put("/v1/agent/inv", json!({"namespace": "moved"})).await.ok();
    assert_eq!(server.get("/v1/agent/moved/workflow/delta").await.ok(), before);
    server.get(PATH).await.fails(404, "agent_not_found");
    server.delete("/v1/agent/moved").await.ok();
    server.post("/v1/agent", json!({"namespace": "inv", "form_id": form_id})).await.ok();
    assert_eq!(server.get(PATH).await.ok(), json!([]), "a new agent has no memory of its predecessor's");
}
