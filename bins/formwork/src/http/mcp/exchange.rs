//! A request with everything that its method needs.

use actix_web::{HttpRequest, web};

use super::negotiation::Terms;
use super::progress::{Outbox, Progress};
use crate::app::AppState;
use crate::http::request::Caller;

/// A request of an authenticated client.
#[derive(Clone)]
pub(super) struct Exchange {
    /// The request that carries the message.
    pub(super) http: HttpRequest,
    pub(super) state: web::Data<AppState>,
    pub(super) caller: Caller,
    /// What client and server speak.
    pub(super) terms: Terms,
    /// Where progress is told, if the client asks for it.
    pub(super) progress: Option<Progress>,
    /// Where questions to the client's user are sent, if the answer is a stream.
    pub(super) outbox: Option<Outbox>,
}
