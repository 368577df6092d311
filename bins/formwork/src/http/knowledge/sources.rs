//! Deletes items of a knowledge base: some or all.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use kb_core::rules::MAX_IDS;
use kb_core::{BaseId, DeletedSources, SourceDeletion};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{examples, index_position};
use crate::app::AppState;
use crate::http::HandlerResult;
use crate::http::deletion::{self, Deletion, Named};
use crate::http::lists::Done;
use crate::http::operation::Registry;
use crate::http::request::{Caller, Segment};

/// Maximum length in characters of an unknown id in the message.
const MAX_NAMED: usize = 64;
/// Maximum number of unknown ids in the message.
const MAX_TOLD: usize = 50;

pub(super) fn register(registry: &mut Registry) {
    let deletion = registry.operation(
        Method::DELETE,
        "/knowledgebase/{knowledgeId}/sources",
        "delete_knowledge_sources",
        "Deletes files of a knowledge base by id, or all of them. delete_all takes precedence over ids.",
    );
    deletion::described::<DeleteSources>(deletion.under_v1_too())
        .example(examples::deletion)
        .answers::<Done>()
        .tells_position()
        .example(|| crate::http::examples::done("2 files were deleted."))
        .fails(&[404])
        .to(delete_knowledge_sources);
}

#[derive(Default, Deserialize, JsonSchema)]
#[schemars(extend("if" = deletion::of_all(), "else" = deletion::of_some("ids", MAX_IDS)))]
struct DeleteSources {
    /// Ids of files of the knowledge base; ids of other files are ignored.
    ids: Option<Vec<String>>,
    /// Whether all files of the knowledge base are deleted.
    delete_all: Option<bool>,
}

impl Named for DeleteSources {
    const LISTS: &'static [&'static str] = &["ids", "values"];

    fn add(&mut self, named: Vec<String>, all: Option<bool>) {
        if !named.is_empty() {
            self.ids.get_or_insert_default().extend(named);
        }
        self.delete_all = self.delete_all.or(all);
    }
}

async fn delete_knowledge_sources(
    state: web::Data<AppState>,
    Caller(who): Caller,
    Segment(id): Segment,
    Deletion(wanted): Deletion<DeleteSources>,
) -> HandlerResult {
    let deletion = SourceDeletion { ids: wanted.ids, all: wanted.delete_all.unwrap_or_default() };
    let deleted = state.knowledge.delete_sources(&who.scope, &BaseId(id), deletion).await?;
    let done = HttpResponse::Ok().json(Done::new(deletion_message(&deleted)));
    Ok(index_position::told(done, deleted.position))
}

/// How many were deleted, and which ids matched none.
fn deletion_message(deleted: &DeletedSources) -> String {
    let went = match deleted.count {
        1 => "1 file was deleted".to_owned(),
        count => format!("{count} files were deleted"),
    };
    if deleted.left.is_empty() {
        return format!("{went}.");
    }
    let shown = deleted.left.iter().take(MAX_TOLD);
    let mut left: Vec<String> = shown.map(|id| id.chars().take(MAX_NAMED).collect()).collect();
    if let Some(more) = deleted.left.len().checked_sub(MAX_TOLD).filter(|more| *more > 0) {
        left.push(format!("and {more} more"));
    }
    format!("{went}; not files of this knowledge base, and left alone: {}.", left.join(", "))
}
