//! Which models can be called: vendors' and own ones.

use serde_json::{Value, json};
use testkit::upstream::{ReceivedRequest, Reply, Upstream};

use super::kit::{KEY, ask_plainly, before, each_vendor, own, settings};
use crate::kit::{Home, Server, formwork};

fn listing(request: &ReceivedRequest) -> Reply {
    if request.path.starts_with("/v1/models") && request.method == "GET" {
        return Reply::json(200, &json!({"object": "list", "data": [{"id": "org/tiny"}, {"id": "big"}]}));
    }
    each_vendor(request)
}

async fn ids(server: &Server, query: &str) -> Vec<String> {
    let models = server.get(&format!("/v1/models{query}")).await.ok();
    models.as_array().unwrap().iter().map(|model| model["modelId"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn models_of_an_own_server_are_listed_and_called_under_its_name() {
    let vendor = Upstream::start(listing).unwrap();
    let server = Server::with(&own("lab", &vendor.url()));
    let formwork = ids(&server, "?provider=formwork").await;
    assert_eq!(formwork, ["extractive@formwork", "lab/big@formwork", "lab/org/tiny@formwork"]);
    assert_eq!(ids(&server, "").await, formwork);
    assert_eq!(ids(&server, "?provider=openai").await, Vec::<String>::new());
    server.get("/v1/models?provider=Formwork").await.fails_at(400, "validation_failed", "?provider");
    let answer = ask_plainly(&server, "lab/org/tiny@formwork").await.ok();
    assert_eq!((&answer["model"], &answer["provider"]), (&json!("lab/org/tiny"), &json!("Formwork")));
    assert_eq!(vendor.requests().last().unwrap().json()["model"], "org/tiny");
    for unknown in ["other/big@formwork", "big@formwork", "lab/@formwork", "Extractive@formwork"] {
        let refused = ask_plainly(&server, unknown).await.fails_at(400, "unknown_model", "/modelId");
        assert!(refused["message"].as_str().unwrap().contains("lab/…@formwork"), "{refused}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_vendor_is_there_by_its_variables_and_the_key_of_an_own_server_by_the_one_that_is_named() {
    let vendor = Upstream::start(listing).unwrap();
    let home = Home::new(&(own("gpu", &vendor.url()) + "key_env = \"GPU_KEY\"\n"));
    let mut command = formwork(&home.path(""));
    command.env("GPU_KEY", KEY).env("OPENAI_API_KEY", KEY).env("FORMWORK_OPENAI_BASE_URL", vendor.url());
    let server = home.start_with(command);
    for model in ["gpu/big@formwork", "gpt-4.1@openai"] {
        ask_plainly(&server, model).await.ok();
        let sent = vendor.requests().pop().unwrap();
        assert_eq!(sent.header("authorization"), Some(format!("Bearer {KEY}").as_str()), "{model}");
    }
    let refused = ask_plainly(&server, "claude-sonnet-4-5@anthropic").await;
    refused.fails(503, "provider_not_configured");
    assert!(!ids(&server, "").await.iter().any(|id| id.ends_with("@anthropic")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_vendor_whose_list_cannot_be_had_has_the_models_that_are_known_of_it() {
    let vendor = Upstream::start_replies([Reply::whole(200, "text/html", "<html>no list</html>")]).unwrap();
    let server = before(&vendor);
    let listed: Vec<Value> = server.get("/v1/models?provider=openai").await.ok().as_array().unwrap().clone();
    assert!(listed.len() > 3, "{listed:?}");
    assert!(listed.iter().all(|model| model["provider"] == "OpenAI"), "{listed:?}");
    assert_eq!(ids(&server, "?provider=formwork").await, ["extractive@formwork"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn prices_of_the_settings_go_before_those_that_are_known() {
    let vendor = Upstream::start(each_vendor).unwrap();
    let priced =
        "[models.prices.\"lab/big@formwork\"]\ninput = 1000.0\noutput = 2000.0\ncached_input = 500.0\n";
    let server = Server::with(&(settings(&vendor.url(), "") + priced));
    let answer = ask_plainly(&server, "lab/big@formwork").await.ok();
    // 7 fresh and 4 cached tokens read, 7 written.
    assert_eq!(answer["usage"]["cost"], json!(0.023), "{answer}");
    let report = super::kit::booked(&server, 1).await;
    assert_eq!(report["total"]["cost"], json!(0.023), "{report}");
}
