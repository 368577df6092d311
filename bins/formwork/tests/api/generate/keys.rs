//! Who may ask, how much, and what is written down of it.

use futures_util::future::join_all;
use serde_json::json;
use testkit::upstream::Upstream;

use super::kit::{before, booked, call, each_vendor, playing, refused, said};

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_only_reads_asks_nothing() {
    let (server, vendor) = playing([said("Twelve.")]);
    let body = json!({"modelId": "gpt-4.1@openai", "prompt": "How many?"});
    let read = server.home.told(&["keys", "create", "--scope", "read"]);
    call(&server, &body).key(&read).send().await.fails(403, "read_only_key");
    call(&server, &body).open().send().await.fails(401, "invalid_key");
    call(&server, &body).key("fw_wrong").send().await.fails(401, "invalid_key");
    assert_eq!(vendor.count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_that_is_reached_is_told_with_the_wait_whole_or_streamed() {
    let (server, vendor) = playing([said("Twelve.")]);
    let key = server.home.told(&["keys", "create", "--requests-per-day", "1"]);
    let mut body = json!({"modelId": "gpt-4.1@openai", "prompt": "How many?"});
    call(&server, &body).key(&key).send().await.ok();
    let refused = call(&server, &body).key(&key).send().await;
    refused.fails(429, "limit_reached");
    assert!((1..=86_400).contains(&refused.header("retry-after").parse::<u64>().unwrap()));
    body["stream"] = json!(true);
    let refused = call(&server, &body).key(&key).send().await;
    let code = if refused.status == 429 {
        refused.value()["code"].clone()
    } else {
        let events = super::kit::events(refused.text());
        events.last().unwrap().1["code"].clone()
    };
    assert_eq!((code, vendor.count()), (json!("limit_reached"), 1));
    let small = server.home.told(&["keys", "create", "--tokens-per-minute", "3"]);
    body["stream"] = json!(false);
    call(&server, &body).key(&small).send().await.fails(403, "limit_never_fits");
    assert_eq!(vendor.count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn sixty_four_callers_on_a_budget_for_ten_reach_the_vendor_ten_times() {
    let vendor = Upstream::start(each_vendor).unwrap();
    let server = before(&vendor);
    let key = server.home.told(&["keys", "create", "--requests-per-day", "10"]);
    let body = json!({"modelId": "gpt-4.1@openai", "prompt": "How many?"});
    let answers = join_all((0..64).map(|_| call(&server, &body).key(&key).send())).await;
    let count = |status: u16| answers.iter().filter(|answer| answer.status == status).count();
    assert_eq!((count(200), count(429), vendor.count()), (10, 54, 10));
    for answer in answers.iter().filter(|answer| answer.status == 429) {
        answer.fails(429, "limit_reached");
        assert!(!answer.header("retry-after").is_empty());
    }
    assert_eq!(booked(&server, 10).await["total"]["requests"], 10);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_attempt_counts_against_the_limit_of_requests() {
    let vendor = Upstream::start_replies([refused(500, "server_error", "out of order")]).unwrap();
    let server = crate::kit::Server::with(&super::kit::settings(&vendor.url(), "retries = 2"));
    let key = server.home.told(&["keys", "create", "--requests-per-day", "2"]);
    let body = json!({"modelId": "gpt-4.1@openai", "prompt": "How many?"});
    let answer = call(&server, &body).key(&key).send().await;
    assert!([429, 502].contains(&answer.status), "{answer:?}");
    assert_eq!(vendor.count(), 2);
}
