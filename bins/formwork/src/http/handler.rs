//! Handlers: functions whose arguments are read from the request, and their common type.

use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::{HttpRequest, HttpResponse};
use futures_util::future::LocalBoxFuture;

use super::ApiError;

/// The result of a handler.
pub type HandlerResult = Result<HttpResponse, ApiError>;

/// A value that a handler reads from the request.
pub trait Input: Sized + 'static {
    /// Reads the value from the request.
    fn read<'a>(
        request: &'a HttpRequest,
        payload: &'a mut Payload,
    ) -> LocalBoxFuture<'a, Result<Self, ApiError>>;
}

/// A handler whose inputs are read from the request.
pub trait Handler<I>: Clone + Send + Sync + 'static {
    /// Handles the request.
    fn call(&self, input: I) -> impl Future<Output = HandlerResult>;
}

macro_rules! tuple_handler {
    ($($name:ident)*) => {
        impl<Function, R, $($name),*> Handler<($($name,)*)> for Function
        where
            Function: Fn($($name),*) -> R + Clone + Send + Sync + 'static,
            R: Future<Output = HandlerResult>,
        {
            #[allow(non_snake_case, reason = "the type's name serves as the value's")]
            fn call(&self, ($($name,)*): ($($name,)*)) -> impl Future<Output = HandlerResult> {
                self($($name),*)
            }
        }
    };
}
tuple_handler!();
tuple_handler!(A);
tuple_handler!(A B);
tuple_handler!(A B C);
tuple_handler!(A B C D);
tuple_handler!(A B C D E);
tuple_handler!(A B C D E F);

/// A handler with its inputs, behind one type for all operations: what serves requests is compiled once
/// instead of once per operation.
pub(super) type BoxedHandler =
    Arc<dyn Fn(HttpRequest, Payload) -> LocalBoxFuture<'static, HandlerResult> + Send + Sync>;

/// Reads the inputs, then calls `handler`.
pub(super) fn boxed<I: Input, H: Handler<I>>(handler: H) -> BoxedHandler {
    Arc::new(move |request, mut payload| {
        let handler = handler.clone();
        Box::pin(async move {
            let input = I::read(&request, &mut payload).await?;
            // In a box of its own, since some of these futures have kilobytes, and an outer future that contained
            // one would be copied whole.
            Box::pin(handler.call(input)).await
        })
    })
}
