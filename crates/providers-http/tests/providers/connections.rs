//! Which threads share connections to a vendor.

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

#[test]
fn threads_with_runtimes_of_their_own_use_no_connection_of_each_other() {
    let upstream = upstream();
    let client = client(&upstream);
    own_runtime().block_on(async {
        call(&client).await;
        // The connection of this thread is idle, and its runtime runs on.
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
    for _ in 0..3 {
        std::thread::scope(|scope| {
            scope.spawn(|| runtime.block_on(call(&client)));
        });
    }
    assert_eq!((upstream.accepted(), upstream.count()), (1, 3));
}
