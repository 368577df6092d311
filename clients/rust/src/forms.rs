//! Forms.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::client::Client;
use crate::error::Result;
use crate::extraction::schema_of;
use crate::pages::Items;
use crate::records::Form;
use crate::request::{Request, segment};
use crate::violation::Violation;

/// Operations on forms.
#[derive(Clone, Copy, Debug)]
pub struct Forms<'a> {
    client: &'a Client,
}

/// The fields of a form that were made of a JSON Schema.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct ConvertedSchema {
    /// Field names and their definitions.
    pub schema: Map<String, Value>,
    /// What the form does not say as the JSON Schema did, by JSON pointers that begin with `/schema`.
    pub warnings: Vec<Violation>,
}

impl Client {
    /// Operations on forms, and the conversion of JSON Schema.
    #[must_use]
    pub fn forms(&self) -> Forms<'_> {
        Forms::new(self)
    }
}

impl<'a> Forms<'a> {
    pub(crate) fn new(client: &'a Client) -> Self {
        Self { client }
    }

    /// Creates a form of field names and their definitions.
    ///
    /// # Errors
    /// [`Error::Api`](crate::Error::Api) with the violations of a schema that breaks rules, and as [`Client::send`].
    pub async fn create(&self, title: &str, schema: &Map<String, Value>) -> Result<Form> {
        let body = json!({"title": title, "schema": schema});
        self.client.send(Request::post("/v1/form").json(&body)).await
    }

    /// The fields that a form of a JSON Schema has, made by the server. Nothing is stored.
    ///
    /// # Errors
    /// [`Error::Api`](crate::Error::Api) for a schema that no form can be made of, and as [`Client::send`].
    pub async fn convert(&self, json_schema: &Value) -> Result<ConvertedSchema> {
        let body = json!({"schema": json_schema});
        self.client.send(Request::post("/v1/utilities/schema_converter").json(&body)).await
    }

    /// The fields that a form of a Rust type has, made by the server of the type's JSON Schema. Nothing is stored.
    ///
    /// # Errors
    /// As [`Forms::convert`].
    pub async fn of_type<T: JsonSchema>(&self) -> Result<ConvertedSchema> {
        self.convert(&schema_of::<T>()).await
    }

    /// All forms, newest first, without their fields.
    #[must_use]
    pub fn list(&self) -> Items<Form> {
        self.client.list(Request::get("/v1/form"))
    }

    /// The forms whose title contains a text.
    #[must_use]
    pub fn titled(&self, part: &str) -> Items<Form> {
        self.client.list(Request::get("/v1/form").query("title", part))
    }

    /// A form with its fields.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound), and as [`Client::send`].
    pub async fn get(&self, form_id: &str) -> Result<Form> {
        self.client.send(Request::get(path(form_id))).await
    }

    /// Puts a version in force.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound), and as [`Client::send`].
    pub async fn publish(&self, form_id: &str, version: u32) -> Result<Form> {
        let path = format!("{}/versions/{version}/publish", path(form_id));
        self.client.send(Request::post(path)).await
    }

    /// Deletes a form with its versions.
    ///
    /// # Errors
    /// [`Error::Api`](crate::Error::Api) with `form_in_use` while agents have it, and as [`Client::send`].
    pub async fn delete(&self, form_id: &str) -> Result<()> {
        self.client.read(Request::delete(path(form_id))).await.map(drop)
    }
}

fn path(form_id: &str) -> String {
    format!("/v1/form/{}", segment(form_id))
}
