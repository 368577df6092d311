//! Which threads share connections to a vendor.

use std::time::Duration;

use gen_core::{ChatModel as _, ChatRequest};
use providers_http::{Endpoint, OpenAiCompatible};
use testkit::upstream::{Reply, Upstream};
use tokio::runtime::{Builder, Runtime};

use crate::common::{transport, user};

const ANSWER: &str = r#"{"choices": [{"message": {"content": "yes"}, "finish_reason": "stop"}]}"#;

fn upstream() -> Upstream {
    Upstream::start(|_| Reply::whole(200, "application/json", ANSWER)).unwrap()
}

fn client(upstream: &Upstream) -> OpenAiCompatible {
    OpenAiCompatible::self_hosted(Endpoint::new(&transport(), &upstream.url()).unwrap())
}

async fn call(client: &OpenAiCompatible) {
    let request = ChatRequest { model: "m".into(), messages: vec![user("?")], ..ChatRequest::default() };
    client.chat(request).await.unwrap();
}

fn own_runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

/// Time for the connection of an answer that has been read to return to its pool, which its own task does.
async fn become_idle() {
    tokio::time::sleep(Duration::from_millis(20)).await;
}

#[test]
fn threads_with_runtimes_of_their_own_use_no_connection_of_each_other() {
    let upstream = upstream();
    let client = client(&upstream);
    own_runtime().block_on(async {
        call(&client).await;
        become_idle().await;
        std::thread::scope(|scope| {
            scope.spawn(|| own_runtime().block_on(call(&client)));
        });
        call(&client).await;
    });
    assert_eq!((upstream.accepted(), upstream.count()), (2, 3), "each thread has one connection");
}

#[test]
fn threads_of_a_common_runtime_share_connections() {
    let upstream = upstream();
    let client = client(&upstream);
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    for _ in 0..10 {
        std::thread::scope(|scope| {
            scope.spawn(|| {
                runtime.block_on(async {
                    call(&client).await;
                    become_idle().await;
                });
            });
        });
    }
    // A machine under load may return a connection later than the next call begins; without a common pool each call
    // would have a connection of its own.
    assert_eq!(upstream.count(), 10);
    assert!(upstream.accepted() < 10, "{} connections", upstream.accepted());
}
