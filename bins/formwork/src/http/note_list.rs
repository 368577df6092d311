//! The list of a resource's notes. A page of large notes is streamed; each note is read when the one before
//! has been sent, so that a request takes little memory.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use bytes::Bytes;
use futures_util::stream::{self, Stream};
use notes_core::{Note, NotesError, NotesService};
use schemars::JsonSchema;
use serde::Serialize;
use shared_core::{Cursor, Page, PageRequest, Position, Scope};

use super::lists::{AnyObject, List, ListMeta, ListQuery, PageNumber};
use super::notes::OF_RESOURCE;
use super::operation::Registry;
use super::request::{Caller, Query, Segments};
use super::{HandlerResult, examples};
use crate::app::AppState;

/// The list of a resource's notes.
const LIST: List = List { name: "notes", rows: 10 };

/// Registers the operation of this file.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(Method::GET, OF_RESOURCE, "list_notes", "Lists the notes of a resource, newest first.")
        .paged()
        .answers::<NoteList>()
        .example(examples::notes)
        .fails(&[404])
        .to(list_notes);
}

#[derive(Serialize, JsonSchema)]
struct NoteListItem {
    #[serde(rename = "noteId")]
    note_id: String,
    content: String,
    created_timestamp: String,
    meta: AnyObject,
    role: &'static str,
}

impl From<Note> for NoteListItem {
    fn from(note: Note) -> Self {
        Self {
            note_id: note.id.to_string(),
            content: note.content,
            created_timestamp: note.created.record_text(),
            meta: note.meta,
            role: note.role.name(),
        }
    }
}

#[derive(Serialize, JsonSchema)]
struct NoteList {
    notes: Vec<NoteListItem>,
    meta: NoteListMeta,
}

#[derive(Serialize, JsonSchema)]
struct NoteListMeta {
    /// This page's number; empty with a cursor.
    page: PageNumber,
    #[serde(flatten)]
    list: ListMeta,
}

async fn list_notes(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segments(resource, id): Segments,
    Query(query): Query<ListQuery>,
) -> HandlerResult {
    let request = query.page(&LIST)?;
    let page = state.notes.list(&who.scope, &resource, &id, &request).await?;
    let list = ListMeta::of(&LIST, &page, &request);
    let meta = NoteListMeta { page: list.current_page.clone(), list };
    if page.next.is_none() || page.items.len() == request.limit as usize {
        return Ok(HttpResponse::Ok().json(NoteList { notes: page.map(NoteListItem::from).items, meta }));
    }
    let list = NoteListStream {
        notes: state.notes.clone(),
        scope: who.scope,
        resource,
        id,
        meta,
        wanted: request.limit,
    };
    Ok(HttpResponse::Ok().content_type("application/json").streaming(list.stream(page)))
}

/// A list that is written in chunks.
struct NoteListStream {
    notes: NotesService,
    scope: Scope,
    resource: String,
    id: String,
    meta: NoteListMeta,
    /// Rows left to write.
    wanted: u32,
}

/// The next step of the stream.
enum NextPart {
    First(Page<Note>),
    After(Cursor),
    Nothing,
}

impl NoteListStream {
    fn stream(self, first: Page<Note>) -> impl Stream<Item = Result<Bytes, std::io::Error>> {
        stream::try_unfold((self, NextPart::First(first)), |(mut list, next)| async move {
            let (page, mut text) = match next {
                NextPart::First(page) => (page, r#"{"notes":["#.to_owned()),
                NextPart::After(cursor) => (list.read(cursor).await.map_err(broken)?, ",".to_owned()),
                NextPart::Nothing => return Ok(None),
            };
            let next = list.write(page, &mut text)?;
            Ok(Some((Bytes::from(text), (list, next))))
        })
    }

    async fn read(&self, cursor: Cursor) -> Result<Page<Note>, NotesError> {
        let request = PageRequest { position: Position::After(cursor), limit: self.wanted };
        self.notes.list(&self.scope, &self.resource, &self.id, &request).await
    }

    /// Writes a page of rows, and the end after the last one.
    fn write(&mut self, page: Page<Note>, text: &mut String) -> Result<NextPart, std::io::Error> {
        self.wanted = self.wanted.saturating_sub(u32::try_from(page.items.len()).unwrap_or(u32::MAX));
        if page.items.is_empty() {
            // Removes the comma before them.
            text.pop();
        }
        for (index, note) in page.items.into_iter().enumerate() {
            if index > 0 {
                text.push(',');
            }
            text.push_str(&serde_json::to_string(&NoteListItem::from(note))?);
        }
        match page.next {
            Some(cursor) if self.wanted > 0 => return Ok(NextPart::After(cursor)),
            next => {
                let cursor = next.as_ref().map(|cursor| cursor.encode(LIST.name));
                self.meta.list.next_cursor = cursor.unwrap_or_default();
            }
        }
        text.push_str(r#"],"meta":"#);
        text.push_str(&serde_json::to_string(&self.meta)?);
        text.push('}');
        Ok(NextPart::Nothing)
    }
}

/// Aborts the answer, so that no client takes it for complete.
fn broken(error: NotesError) -> std::io::Error {
    tracing::error!(%error, "a list of notes was aborted");
    std::io::Error::other(error)
}
