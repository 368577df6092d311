//! Streams answers that are arrays, item by item. A document is freed once its item is sent.

use actix_web::HttpResponse;
use bytes::Bytes;
use futures_util::stream::{self, BoxStream, Stream, StreamExt as _};
use serde::Serialize;
use utilities_core::{ItemError, ReadInput};

use super::inputs::CallDocuments;
use crate::app::AppState;
use crate::http::request::Caller;

/// Answers with what `record` makes of each document of a call, in order.
pub(super) fn respond_each<T: Serialize>(
    state: &AppState,
    caller: &Caller,
    taken: CallDocuments,
    record: impl Fn(ReadInput) -> T + Clone + Send + Sync + 'static,
) -> HttpResponse {
    let CallDocuments { inputs, uploads } = taken;
    let make = move |input: ReadInput| {
        if let Err(ItemError { cause: Some(cause), code, .. }) = &input.read {
            let cause: &dyn std::error::Error = cause;
            tracing::error!(code, cause, "a document could not be read");
        }
        serde_json::to_vec(&record(input)).map(Bytes::from)
    };
    let items = state.utilities.each(&caller.0.scope, inputs, make);
    let body = array(items).map(move |piece| {
        // The blobs of uploads exist until the end of the answer.
        let _held = &uploads;
        piece
    });
    HttpResponse::Ok().content_type("application/json").streaming(body)
}

pub(super) type Piece = Result<Bytes, std::io::Error>;

/// The chunks of an array of these items. An item that cannot be serialised aborts the answer, so that no
/// client takes it for complete.
pub(super) fn array(
    items: BoxStream<'static, Result<Bytes, serde_json::Error>>,
) -> impl Stream<Item = Piece> {
    let parted = items.enumerate().flat_map(|(place, item)| {
        let mark = Bytes::from_static(if place == 0 { b"[" } else { b"," });
        stream::iter([Ok(mark), item.map_err(std::io::Error::other)])
    });
    parted.chain(stream::iter([Ok(Bytes::from_static(b"]"))]))
}
