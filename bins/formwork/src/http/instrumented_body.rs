//! Bodies that are made while they are sent, within the span of their request.

use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::HttpResponse;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use bytes::Bytes;
use tracing::Span;

use crate::traces::RequestTrace;

/// The answer, whose body is read within `span` if it is a stream. The trace ends with the body.
pub(super) fn instrumented(answer: HttpResponse, span: Span, trace: Option<RequestTrace>) -> HttpResponse {
    if answer.body().size() != BodySize::Stream {
        return answer;
    }
    answer.map_body(|_, body| BoxBody::new(InstrumentedBody { body, span, _trace: trace }))
}

struct InstrumentedBody {
    body: BoxBody,
    span: Span,
    _trace: Option<RequestTrace>,
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
        let Self { body, span, .. } = &mut *self;
        let _entered = span.enter();
        Pin::new(body).poll_next(context)
    }
}
