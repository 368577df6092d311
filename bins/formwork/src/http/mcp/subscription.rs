//! `subscriptions/listen`: a stream of changes. The lists of this server do not change while it runs, so a
//! subscription is acknowledged without any of them and stays open until the client or the server ends it.

use actix_web::HttpResponse;
use futures_util::stream::{self, StreamExt as _};
use serde_json::json;

use super::exchange::Exchange;
use super::server_info;
use crate::http::json_rpc::{Request, message_event};
use crate::http::sse;
use crate::shutdown::ServerPhase;

/// The method that opens a stream.
pub(super) const METHOD: &str = "subscriptions/listen";

/// The key of a subscription's id in metadata.
const ID: &str = "io.modelcontextprotocol/subscriptionId";

/// Opens a stream.
pub(super) fn open(exchange: &Exchange, request: &Request) -> HttpResponse {
    let id = &request.id;
    let acknowledged = json!({
        "jsonrpc": "2.0",
        "method": "notifications/subscriptions/acknowledged",
        "params": {"_meta": {ID: id}, "notifications": {}}
    });
    let mut result = json!({"_meta": {ID: id}});
    server_info::sign(&mut result);
    let closed = json!({"jsonrpc": "2.0", "id": id, "result": result});
    let stopping = exchange.state.shutdown.reached(ServerPhase::Draining);
    let end = stream::once(async move {
        stopping.await;
        message_event(&closed)
    });
    sse::answer(&exchange.http, stream::iter([message_event(&acknowledged)]).chain(end))
}
