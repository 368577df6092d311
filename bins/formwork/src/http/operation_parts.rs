//! An operation as the OpenAPI document describes it.

use actix_web::http::Method;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Value, json};

use super::portable_schema::make_portable;

/// Who may call an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Anyone, without a key.
    Open,
    /// Any API key.
    Read,
    /// An API key with write permission.
    Write,
    /// An API key of an owner with the scope admin.
    Admin,
    /// A public key, from a page of its origins. No other operation takes one.
    Public,
}

/// Where a request has a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterLocation {
    /// A segment of the URL's path.
    Path,
    /// The query string.
    Query,
    /// Among the headers.
    Header,
}

/// A path, query or header parameter as the OpenAPI document has it.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name in the request.
    pub name: &'static str,
    /// Where it stands.
    pub place: ParameterLocation,
    /// Schema of its value.
    pub schema: Value,
    /// Whether it is required.
    pub needed: bool,
    /// What it means.
    pub description: &'static str,
}

/// A content with its schema.
#[derive(Clone, Debug)]
pub struct Content {
    /// Media type.
    pub media: &'static str,
    /// JSON Schema of the content.
    pub schema: Schema,
    /// A valid example.
    pub example: Option<Value>,
}

impl Content {
    /// A content without an example.
    #[must_use]
    pub fn new(media: &'static str, schema: Schema) -> Self {
        Self { media, schema, example: None }
    }
}

/// A method and path with everything that the OpenAPI document says of it.
#[derive(Clone, Debug)]
pub struct Operation {
    /// The HTTP method.
    pub method: Method,
    /// Path with parameters in braces.
    pub path: &'static str,
    /// The handler's name.
    pub id: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// Group in the reference.
    pub tag: &'static str,
    /// Who may call it.
    pub access: Access,
    /// Path, query and header parameters.
    pub parameters: Vec<Parameter>,
    /// Body of the request.
    pub body: Option<Content>,
    /// Whether the body is required.
    pub needs_body: bool,
    /// Further media types of the body.
    pub also_takes: Vec<Content>,
    /// Body of the answer 200; an operation with an answer 202 may have none.
    pub answer: Option<Content>,
    /// Further media types of the answer, described by the operation's summary.
    pub also: Vec<Content>,
    /// Body of the answer 202.
    pub accepted: Option<Content>,
    /// Further successful answers: status and meaning.
    pub further: Vec<(u16, &'static str)>,
    /// Failure statuses besides those of every operation.
    pub failures: Vec<u16>,
    /// What failures can have as their body instead of the common one.
    pub other_failure: Option<Content>,
    /// Whether keys that are restricted to knowledge bases may call it.
    pub for_restricted_keys: bool,
    /// Whether a request with a `format` is an export, which the audit log has.
    pub exports: bool,
    /// Whether it accepts an `Idempotency-Key`.
    pub once: bool,
    /// Whether the answer has the position of the change for searches.
    pub tells_position: bool,
    /// Whether the work continues when the client disconnects. True for every method but GET by default.
    pub to_its_end: bool,
    /// Whether it also exists under `/v1`.
    pub under_v1: bool,
    /// Whether it also serves what lies deeper than its path. The last parameter then has several segments.
    pub deeper: bool,
    /// The handler's path in the source.
    pub handler: &'static str,
}

/// Generates the schemas of the description.
pub(super) struct SchemaGenerators {
    /// Of bodies: a field that may be absent is not required.
    pub(super) bodies: SchemaGenerator,
    /// Of answers: a field that is always written is required.
    pub(super) answers: SchemaGenerator,
}

impl SchemaGenerators {
    pub(super) fn new() -> Self {
        let settings = SchemaSettings::draft2020_12().with_transform(RecursiveTransform(make_portable));
        let answers = settings.clone().for_serialize().into_generator();
        Self { bodies: settings.into_generator(), answers }
    }
}

/// Adds a schema under a name. Returns the reference to it.
pub(super) fn component(generator: &mut SchemaGenerator, name: &str, schema: Value) -> Value {
    generator.definitions_mut().insert(name.to_owned(), schema);
    json!({"$ref": format!("#/$defs/{name}")})
}
