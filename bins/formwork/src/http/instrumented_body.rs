//! Bodies that are made while they are sent, within the span of their request.

use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::HttpResponse;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use bytes::Bytes;
use tracing::Span;

/// The answer, whose body is read within `span` if it is a stream.
pub(super) fn instrumented(answer: HttpResponse, span: Span) -> HttpResponse {
    if answer.body().size() != BodySize::Stream {
        return answer;
    }
    answer.map_body(|_, body| BoxBody::new(InstrumentedBody { body, span }))
}

struct InstrumentedBody {
    body: BoxBody,
    span: Span,
}

impl MessageBody for InstrumentedBody {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        let Self { body, span } = &mut *self;
        let _entered = span.enter();
        Pin::new(body).poll_next(context)
    }
}
