//! The registry: one call mounts a handler and documents it. There is no other way to mount a route, so no
//! route is missing from the OpenAPI document.
//! `middleware.rs` serves the requests.

use std::sync::Arc;

use actix_web::http::Method;
use schemars::{JsonSchema, Schema};
use serde_json::Value;

use super::handler::{BoxedHandler, Handler, boxed};
use super::middleware::Endpoint;
use super::operation_parts::SchemaGenerators;
pub use super::operation_parts::{Access, Content, Operation, Parameter, ParameterLocation};
use super::request::Input;
use super::rules;

/// Collects operations with what serves them.
#[derive(Default)]
pub struct Registry {
    /// The generators of schemas; absent where only the routes are needed.
    schemas: Option<SchemaGenerators>,
    entries: Vec<Entry>,
}

/// Makes an example. It is called only for a description.
type Example = fn() -> Value;

/// An operation with what serves it.
pub(super) type Entry = (Operation, Arc<Endpoint>);

/// Builds the description of an operation.
pub struct OperationBuilder<'a> {
    registry: &'a mut Registry,
    operation: Operation,
    recovery: Option<BoxedHandler>,
}

impl Registry {
    /// A registry that also describes the operations.
    #[must_use]
    pub fn describing() -> Self {
        Self { schemas: Some(SchemaGenerators::new()), entries: Vec::new() }
    }

    /// The content of a JSON body or answer, if it is to be described.
    fn content(&mut self, schema: impl FnOnce(&mut SchemaGenerators) -> Schema) -> Option<Content> {
        self.schemas.as_mut().map(|schemas| Content::new("application/json", schema(schemas)))
    }

    /// A content with its example, if it is to be described.
    fn example(&self, media: &'static str, schema: Schema, example: Example) -> Option<Content> {
        self.schemas.is_some().then(|| Content { media, schema, example: Some(example()) })
    }

    /// Starts the description of an operation.
    pub fn operation(
        &mut self,
        method: Method,
        path: &'static str,
        id: &'static str,
        summary: &'static str,
    ) -> OperationBuilder<'_> {
        let tag = super::openapi::tag(path);
        let access = if method == Method::GET { Access::Read } else { Access::Write };
        let parameters = path
            .split('/')
            .filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'))
            .map(|name| {
                let (schema, description) = super::openapi::segment_words(name);
                Parameter { name, place: ParameterLocation::Path, schema, needed: true, description }
            })
            .collect();
        let to_its_end = method != Method::GET;
        let operation = Operation {
            method,
            path,
            id,
            summary,
            tag,
            access,
            parameters,
            body: None,
            needs_body: true,
            also_takes: Vec::new(),
            answer: None,
            also: Vec::new(),
            accepted: None,
            further: Vec::new(),
            failures: Vec::new(),
            other_failure: None,
            for_restricted_keys: false,
            exports: false,
            once: false,
            tells_position: false,
            to_its_end,
            under_v1: false,
            deeper: false,
            handler: "",
        };
        OperationBuilder { registry: self, operation, recovery: None }
    }

    /// The operations with the schemas that they reference.
    #[must_use]
    pub fn into_description(self) -> (Vec<Operation>, serde_json::Map<String, Value>) {
        let (entries, definitions) = self.into_catalogue();
        (entries.into_iter().map(|(operation, _)| operation).collect(), definitions)
    }

    /// The operations with what serves them, and the schemas that they reference where they are described.
    pub(super) fn into_catalogue(self) -> (Vec<Entry>, serde_json::Map<String, Value>) {
        let mut definitions = serde_json::Map::new();
        if let Some(SchemaGenerators { mut bodies, mut answers }) = self.schemas {
            answers.subschema_for::<super::error::ErrorBody>();
            answers.subschema_for::<super::openai::OpenAiErrorBody>();
            answers.subschema_for::<super::anthropic::AnthropicErrorBody>();
            // No type is both a body and an answer, so no schema hides another of its name.
            definitions.extend(bodies.take_definitions(true));
            definitions.extend(answers.take_definitions(true));
        }
        (self.entries, definitions)
    }
}

impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.entries.iter().map(|(operation, _)| operation.id)).finish()
    }
}

impl std::fmt::Debug for OperationBuilder<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OperationBuilder").field("operation", &self.operation).finish_non_exhaustive()
    }
}

impl OperationBuilder<'_> {
    /// Sets the required access. The default depends on the method.
    #[must_use]
    pub fn access(mut self, access: Access) -> Self {
        self.operation.access = access;
        self
    }

    /// Adds a query parameter.
    #[must_use]
    pub fn query(mut self, name: &'static str, schema: Value, description: &'static str) -> Self {
        let parameter =
            Parameter { name, place: ParameterLocation::Query, schema, needed: false, description };
        self.operation.parameters.push(parameter);
        self
    }

    /// Adds a required query parameter.
    #[must_use]
    pub fn needed_query(mut self, name: &'static str, schema: Value, description: &'static str) -> Self {
        let parameter =
            Parameter { name, place: ParameterLocation::Query, schema, needed: true, description };
        self.operation.parameters.push(parameter);
        self
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &'static str, schema: Value, description: &'static str) -> Self {
        let parameter =
            Parameter { name, place: ParameterLocation::Header, schema, needed: false, description };
        self.operation.parameters.push(parameter);
        self
    }

    /// Adds the parameters of a list.
    #[must_use]
    pub fn paged(self) -> Self {
        self.query("page", rules::ordinal(), "Page, from 1.")
            .query("limit", rules::limit(), "Rows of a page, 1 to 100.")
            .query("cursor", rules::cursor(), "Cursor from the meta of the previous page.")
    }

    /// Sets the type of the JSON body.
    #[must_use]
    pub fn body<T: JsonSchema>(mut self) -> Self {
        self.operation.body = self.registry.content(|schemas| schemas.bodies.subschema_for::<T>());
        self
    }

    /// Makes the body optional.
    #[must_use]
    pub fn without_body_too(mut self) -> Self {
        self.operation.needs_body = false;
        self
    }

    /// Sets the type of a multipart body, beside the JSON body if there is one.
    #[must_use]
    pub fn multipart<T: JsonSchema>(mut self, example: Example) -> Self {
        let content = self.registry.content(|schemas| schemas.bodies.subschema_for::<T>());
        let content = content.map(|content| Content {
            media: "multipart/form-data",
            example: Some(example()),
            ..content
        });
        match self.operation.body {
            None => self.operation.body = content,
            Some(_) => self.operation.also_takes.extend(content),
        }
        self
    }

    /// Also mounts the operation under `/v1`, because its own path has no version.
    #[must_use]
    pub fn under_v1_too(mut self) -> Self {
        self.operation.under_v1 = true;
        self
    }

    /// Also mounts the operation for every path below its own.
    #[must_use]
    pub fn with_deeper_paths(mut self) -> Self {
        self.operation.deeper = true;
        self
    }

    /// Sets the type of the JSON answer.
    #[must_use]
    pub fn answers<T: JsonSchema>(mut self) -> Self {
        self.operation.answer = self.registry.content(|schemas| schemas.answers.subschema_for::<T>());
        self
    }

    /// Describes the header with the position of the change for searches.
    #[must_use]
    pub fn tells_position(mut self) -> Self {
        self.operation.tells_position = true;
        self
    }

    /// Cancels the work when the client disconnects, because its cost would be wasted.
    #[must_use]
    pub fn given_up_with_its_client(mut self) -> Self {
        self.operation.to_its_end = false;
        self
    }

    /// Adds a media type that the same answer can also have, with an example.
    #[must_use]
    pub fn also_answers(mut self, media: &'static str, schema: Schema, example: Example) -> Self {
        self.operation.also.extend(self.registry.example(media, schema, example));
        self
    }

    /// Sets the type of the JSON answer 202, whose `Location` has the URL of the accepted work, with an
    /// example.
    #[must_use]
    pub fn accepts<T: JsonSchema>(mut self, example: Example) -> Self {
        let accepted = self.registry.content(|schemas| schemas.answers.subschema_for::<T>());
        self.operation.accepted = accepted.map(|content| Content { example: Some(example()), ..content });
        self
    }

    /// Sets an answer of another media type.
    #[must_use]
    pub fn raw_answer(mut self, media: &'static str, schema: Schema) -> Self {
        self.operation.answer = Some(Content::new(media, schema));
        self
    }

    /// Sets the example of the part described last: the body, or the answer, which comes after the body.
    #[must_use]
    pub fn example(mut self, example: Example) -> Self {
        if self.registry.schemas.is_some()
            && let Some(content) = self.operation.answer.as_mut().or(self.operation.body.as_mut())
        {
            content.example = Some(example());
        }
        self
    }

    /// Adds a successful answer of another status.
    #[must_use]
    pub fn also(mut self, status: u16, meaning: &'static str) -> Self {
        self.operation.further.push((status, meaning));
        self
    }

    /// Adds failure statuses of this operation.
    #[must_use]
    pub fn fails(mut self, statuses: &[u16]) -> Self {
        self.operation.failures.extend_from_slice(statuses);
        self
    }

    /// Sets a type that failures can have instead of the common one.
    #[must_use]
    pub fn fails_with<T: JsonSchema>(mut self) -> Self {
        self.operation.other_failure = self.registry.content(|schemas| schemas.answers.subschema_for::<T>());
        self
    }

    /// Lets keys call it that are restricted to knowledge bases. The handler must respect the restriction.
    #[must_use]
    pub fn for_restricted_keys(mut self) -> Self {
        self.operation.for_restricted_keys = true;
        self
    }

    /// Records requests with a `format` in the audit log.
    #[must_use]
    pub fn exports(mut self) -> Self {
        self.operation.exports = true;
        self
    }

    /// Documents `Idempotency-Key` support that the handler itself implements.
    #[must_use]
    pub fn manual_idempotency(mut self) -> Self {
        self.operation.once = true;
        self
    }

    /// Sets what builds the answer from the [`super::idempotency::Effects`] of a request that ended without one.
    #[must_use]
    pub fn recovers<I: Input, H: Handler<I>>(mut self, recovery: H) -> Self {
        self.recovery = Some(boxed(recovery));
        self
    }

    /// Mounts `handler`. The middleware executes requests with an `Idempotency-Key` once.
    pub fn to_once<I: Input, H: Handler<I>>(self, handler: H) {
        self.manual_idempotency().mount(boxed(handler), std::any::type_name::<H>(), true);
    }

    /// Mounts `handler`.
    pub fn to<I: Input, H: Handler<I>>(self, handler: H) {
        self.mount(boxed(handler), std::any::type_name::<H>(), false);
    }

    fn mount(self, handler: BoxedHandler, name: &'static str, once: bool) {
        let Self { registry, mut operation, recovery } = self;
        operation.handler = name;
        let endpoint = Endpoint {
            id: operation.id,
            path: operation.path,
            access: operation.access,
            for_restricted_keys: operation.for_restricted_keys,
            exports: operation.exports,
            once,
            to_its_end: operation.to_its_end,
            handler,
            recovery,
        };
        registry.entries.push((operation, Arc::new(endpoint)));
    }
}
