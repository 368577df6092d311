//! What is answered.

use reqwest::Method;
use serde_json::{Value, json};

use super::{BOTH, by_searxng, search, searxng, term};
use crate::kit::Server;

#[tokio::test(flavor = "multi_thread")]
async fn web_results_and_news_have_the_shapes_of_the_interface() {
    let upstream = searxng();
    let server = Server::with(&by_searxng(&upstream));
    assert_eq!(
        search(&server, "websearch", json!(["cod"])).await.ok(),
        json!([{
            "term": "cod",
            "prompt_context": "[1] About cod\nURL: https://www.harbour.example/3\nDate: 2026-01-02T02:04:05.000Z\n\
                What the boats bring in.",
            "sources": [{
                "title": "About cod", "description": "What the boats bring in.",
                "url": "https://www.harbour.example/3", "isFamilyFriendly": true, "language": "", "full_text": ""
            }]
        }])
    );
    assert_eq!(
        search(&server, "news", json!(["cod"])).await.ok(),
        json!([{
            "search_term": "cod",
            "prompt_context": "[1] About cod\nURL: https://www.harbour.example/3\nDate: 2026-01-02T02:04:05.000Z\n\
                Publisher: harbour.example\nWhat the boats bring in.",
            "sources": [{
                "title": "About cod", "description": "What the boats bring in.",
                "url": "https://www.harbour.example/3", "datePublished": "2026-01-02T02:04:05.000Z",
                "provider": "harbour.example", "full_text": ""
            }]
        }])
    );
    let sent: Vec<String> = upstream.requests().into_iter().map(|request| request.path).collect();
    assert!(sent[0].contains("categories=general") && sent[1].contains("categories=news"), "{sent:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn terms_are_answered_in_the_order_given_each_with_its_own_error() {
    let upstream = searxng();
    let server = Server::with(&by_searxng(&upstream));
    for operation in BOTH {
        let terms = json!(["eel", "down", "nothing", "cod", "eel"]);
        let items = search(&server, operation, terms.clone()).await.ok();
        let told: Vec<&Value> = items.as_array().unwrap().iter().map(|item| term(operation, item)).collect();
        assert_eq!(json!(told), terms);
        let errors: Vec<Option<&str>> =
            items.as_array().unwrap().iter().map(|item| item["error"]["code"].as_str()).collect();
        assert_eq!(errors, [None, Some("provider_failed"), None, None, None], "{items}");
        assert_eq!(items[1]["error"]["message"], "searxng: none of its engines answered: first (timeout)");
        assert_eq!((&items[2]["sources"], &items[2]["prompt_context"]), (&json!([]), &json!("")));
        assert_eq!(items[0], items[4]);
    }
    // What was asked for twice was asked once of each kind.
    assert_eq!(upstream.count(), 8);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_get_forms_answer_as_the_post_forms_with_and_without_a_version() {
    let upstream = searxng();
    let server = Server::with(&by_searxng(&upstream));
    let read = server.home.told(&["keys", "create", "--scope", "read"]);
    for operation in BOTH {
        let body = json!({"search_terms": ["cod & eel", "ling"], "limit": 3, "freshness": "month"});
        let path = format!("/v1/utilities/{operation}");
        let call = server.request(Method::POST, &path).key(&read).json(&body);
        let posted = call.send().await.ok();
        let query = "search_terms=cod+%26%20eel&limit=3&search_terms=ling&freshness=month&unknown=1";
        for path in [format!("/utilities/{operation}?{query}"), format!("/v1/utilities/{operation}?{query}")]
        {
            let answer = server.request(Method::GET, &path).key(&read).send().await;
            assert_eq!(answer.header("x-total-count"), "2");
            assert_eq!(answer.ok(), posted, "{path}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn filters_of_the_body_go_before_those_of_the_query() {
    let upstream = searxng();
    let server = Server::with(&by_searxng(&upstream));
    let body = json!({"search_terms": ["cod"], "language": "de-AT", "safeSearch": "strict", "limit": null});
    let path = "/v1/utilities/websearch?language=fr&freshness=week&safeSearch=off&limit=7&fullText=false";
    server.post(path, body).await.ok();
    let sent = upstream.requests().remove(0).path;
    for part in ["language=de-AT", "time_range=week", "safesearch=2"] {
        assert!(sent.contains(part), "{sent}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_provider_a_search_is_503_and_names_the_settings_after_the_request_was_checked() {
    let server = Server::with("[search]\nnews_order = \"\"");
    for operation in BOTH {
        let refused = search(&server, operation, json!(["cod"])).await;
        let body = refused.fails(503, "search_not_configured");
        assert!(body["message"].as_str().unwrap().contains("FORMWORK_SEARXNG_URL"), "{body}");
        for version in ["", "/v1"] {
            let refused = server.get(&format!("{version}/utilities/{operation}?search_terms=cod")).await;
            refused.fails(503, "search_not_configured");
        }
        search(&server, operation, json!([])).await.fails_at(400, "validation_failed", "/search_terms");
        let none = server.get(&format!("/utilities/{operation}")).await;
        none.fails_at(400, "validation_failed", "?search_terms");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_workspace_does_not_get_what_was_kept_for_one() {
    let upstream = searxng();
    let server = Server::with(&by_searxng(&upstream));
    let stranger = server.stranger();
    let body = json!({"search_terms": ["cod"]});
    for key in [&server.key, &stranger, &server.key, &stranger] {
        let call = server.request(Method::POST, "/v1/utilities/websearch").key(key).json(&body);
        call.send().await.ok();
    }
    assert_eq!(upstream.count(), 2);
}
