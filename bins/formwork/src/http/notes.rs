//! Notes on agents, knowledge bases and files.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use notes_core::{DeletedNotes, MAX_VALUES, NewNote, Note, NoteChanges, NoteDeletion, NoteId, NotesError};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::deletion::{self, Deletion, Named};
use super::idempotency::Effects;
use super::lists::{AnyObject, Done};
use super::operation::Registry;
use super::request::{Body, Caller, Segment, Segments};
use super::{HandlerResult, examples, rules};
use crate::app::AppState;

/// Maximum length in characters of an unknown id in the message.
const MAX_NAMED: usize = 64;
/// The notes of one resource.
pub(super) const OF_RESOURCE: &str = "/v1/notes/{resource}/{resource_id}";
/// One note.
const ONE: &str = "/v1/notes/{note_id}";

/// Registers the operations of this file.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(Method::POST, "/v1/notes", "create_note", "Adds a note to a resource.")
        .body::<CreateNote>()
        .example(examples::new_note)
        .answers::<CreatedNote>()
        .example(examples::created_note)
        .fails(&[404])
        .recovers(recover_note)
        .to_once(create_note);
    registry
        .operation(Method::GET, ONE, "get_note", "Retrieves a note.")
        .answers::<NoteRecord>()
        .example(examples::note)
        .fails(&[404])
        .to(get_note);
    registry
        .operation(Method::PUT, ONE, "update_note", "Changes a note. Without meta, the old one is unchanged.")
        .body::<UpdateNote>()
        .example(examples::note_changes)
        .answers::<UpdatedNote>()
        .example(examples::changed_note)
        .fails(&[404])
        .to(update_note);
    let deletion = registry.operation(
        Method::DELETE,
        OF_RESOURCE,
        "delete_notes",
        "Deletes notes of a resource by id, or all of them. delete_all takes precedence over ids.",
    );
    deletion::described::<DeleteNotes>(deletion)
        .example(examples::note_deletion)
        .answers::<Done>()
        .example(|| examples::done("2 notes were deleted."))
        .fails(&[404])
        .to(delete_notes);
}

#[derive(Deserialize, JsonSchema)]
struct CreateNote {
    /// Text of the note.
    content: String,
    /// Role of the author.
    #[schemars(extend("enum" = rules::roles()))]
    role: String,
    /// Kind of the resource that the note is attached to.
    #[schemars(extend("enum" = rules::resources()))]
    resource: String,
    /// An agent's namespace, a knowledge base's id, or a file's id.
    resource_id: AnyId,
    /// JSON as a string, or an object.
    #[serde(default)]
    #[schemars(schema_with = "json_or_text")]
    meta: Option<Value>,
}

#[derive(Deserialize, JsonSchema)]
struct UpdateNote {
    /// The new text.
    content: String,
    /// The new role.
    #[schemars(extend("enum" = rules::roles()))]
    role: String,
    /// JSON as a string, or an object; unchanged when absent.
    #[serde(default)]
    #[schemars(schema_with = "json_or_text")]
    meta: Option<Value>,
}

#[derive(Default, Deserialize, JsonSchema)]
#[schemars(extend("if" = deletion::of_all(), "else" = deletion::of_some("values", MAX_VALUES)))]
struct DeleteNotes {
    /// Ids of notes; ids of other resources' notes are ignored.
    values: Option<Vec<AnyId>>,
    /// Whether all notes of the resource are deleted.
    delete_all: Option<bool>,
}

impl Named for DeleteNotes {
    const LISTS: &'static [&'static str] = &["values"];

    fn add(&mut self, named: Vec<String>, all: Option<bool>) {
        if !named.is_empty() {
            self.values.get_or_insert_default().extend(named.into_iter().map(AnyId));
        }
        self.delete_all = self.delete_all.or(all);
    }
}

/// An id as a string or number.
struct AnyId(String);

impl<'de> Deserialize<'de> for AnyId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(text) => Ok(Self(text)),
            // An integer beyond the range is an id that no note has.
            Value::Number(id) if id.as_f64().is_some_and(|id| id.fract() == 0.0) => {
                let text = id.to_string();
                Ok(Self(text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)))
            }
            _ => Err(serde::de::Error::custom("an id must be a string or a whole number")),
        }
    }
}

impl JsonSchema for AnyId {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "NoteId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": ["string", "integer"]})
    }
}

fn json_or_text(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": ["string", "object", "null"], "contentMediaType": "application/json"})
}

#[derive(Serialize, JsonSchema)]
struct CreatedNote {
    /// Always `success`.
    status: &'static str,
    #[serde(rename = "noteId")]
    note_id: String,
}

#[derive(Serialize, JsonSchema)]
struct UpdatedNote {
    /// Always `success`.
    status: &'static str,
    /// What was done.
    message: String,
    /// The note's meta after the change.
    meta: AnyObject,
}

#[derive(Serialize, JsonSchema)]
struct NoteRecord {
    #[serde(rename = "noteId")]
    note_id: String,
    content: String,
    created_timestamp: String,
    updated_timestamp: String,
    resource: &'static str,
    resource_id: String,
    role: &'static str,
    #[serde(rename = "userEmail")]
    user_email: String,
    #[serde(rename = "userName")]
    user_name: String,
    meta: AnyObject,
}

impl From<Note> for NoteRecord {
    fn from(note: Note) -> Self {
        Self {
            note_id: note.id.to_string(),
            content: note.content,
            created_timestamp: note.created.record_text(),
            updated_timestamp: note.updated.record_text(),
            resource: note.resource.kind.name(),
            resource_id: note.resource.id,
            role: note.role.name(),
            user_email: note.author.email,
            user_name: note.author.name,
            meta: note.meta,
        }
    }
}

/// A segment that is not a positive integer is an id that no note has.
fn note_id(segment: &str) -> Result<NoteId, NotesError> {
    NoteId::parse(segment).ok_or(NotesError::NotFound)
}

async fn create_note(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Body(note): Body<CreateNote>,
) -> HandlerResult {
    let CreateNote { content, role, resource, resource_id: AnyId(resource_id), meta } = note;
    let note = NewNote { content, role, resource, resource_id, meta };
    let note_id = state.notes.add(&who.scope, note).await?.to_string();
    Ok(HttpResponse::Ok().json(CreatedNote { status: "success", note_id }))
}

/// The answer to a creation that ended without one.
async fn recover_note(effects: Effects) -> HandlerResult {
    let note_id = effects.id("note")?.to_owned();
    Ok(HttpResponse::Ok().json(CreatedNote { status: "success", note_id }))
}

async fn get_note(state: web::Data<AppState>, Caller(who): Caller, Segment(id): Segment) -> HandlerResult {
    Ok(HttpResponse::Ok().json(NoteRecord::from(state.notes.get(&who.scope, note_id(&id)?).await?)))
}

async fn update_note(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
    Body(change): Body<UpdateNote>,
) -> HandlerResult {
    let UpdateNote { content, role, meta } = change;
    let note = state.notes.update(&who.scope, note_id(&id)?, NoteChanges { content, role, meta }).await?;
    let message = format!("Note {} was changed.", note.id);
    Ok(HttpResponse::Ok().json(UpdatedNote { status: "success", message, meta: note.meta }))
}

async fn delete_notes(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segments(resource, id): Segments,
    Deletion(wanted): Deletion<DeleteNotes>,
) -> HandlerResult {
    let values = wanted.values.map(|ids| ids.into_iter().map(|AnyId(id)| id).collect());
    let deletion = NoteDeletion { values, all: wanted.delete_all.unwrap_or_default() };
    let deleted = state.notes.delete(&who.scope, &resource, &id, deletion).await?;
    Ok(HttpResponse::Ok().json(Done::new(deletion_message(&deleted))))
}

/// How many notes were deleted, and which ids matched none.
fn deletion_message(deleted: &DeletedNotes) -> String {
    let went = match deleted.count {
        1 => "1 note was deleted".to_owned(),
        count => format!("{count} notes were deleted"),
    };
    if deleted.unmatched.is_empty() {
        return format!("{went}.");
    }
    let left: Vec<String> = deleted.unmatched.iter().map(|id| id.chars().take(MAX_NAMED).collect()).collect();
    format!("{went}; not notes of this resource, and left alone: {}.", left.join(", "))
}
