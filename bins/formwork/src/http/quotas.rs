//! The quotas of a workspace.

use accounts_core::{Quota, QuotaKind};
use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use schemars::JsonSchema;
use serde::Serialize;

use super::operation::Registry;
use super::request::Caller;
use super::{HandlerResult, examples};
use crate::app::AppState;

/// Registers the operation of this file.
pub(super) fn register(registry: &mut Registry) {
    registry
        .operation(
            Method::GET,
            "/v1/quotas",
            "get_quotas",
            "What the workspace stores, and the most that it may store.",
        )
        .answers::<QuotaReport>()
        .example(examples::quotas)
        .to(get_quotas);
}

#[derive(Serialize, JsonSchema)]
pub(super) struct QuotaReport {
    /// Uploaded files, whatever refers to them.
    files: QuotaRecord,
    /// Bytes of the contents of files, of documents in knowledge bases, and of thumbnails. Equal contents count
    /// once.
    bytes: QuotaRecord,
    /// Chunks of the items of knowledge bases.
    chunks: QuotaRecord,
    /// Groups of batch runs, also of those that have ended.
    groups: QuotaRecord,
}

#[derive(Serialize, JsonSchema)]
struct QuotaRecord {
    /// What is stored.
    used: u64,
    /// The most that may be stored; null for no limit.
    limit: Option<u64>,
}

impl QuotaReport {
    pub(super) fn of(quotas: &[Quota]) -> Self {
        Self {
            files: record(quotas, QuotaKind::Files),
            bytes: record(quotas, QuotaKind::Bytes),
            chunks: record(quotas, QuotaKind::Chunks),
            groups: record(quotas, QuotaKind::Groups),
        }
    }
}

async fn get_quotas(state: web::Data<AppState>, caller: Caller) -> HandlerResult {
    let quotas = state.accounts.quotas(&caller.0.scope.workspace).await?;
    Ok(HttpResponse::Ok().json(QuotaReport::of(&quotas)))
}

fn record(quotas: &[Quota], kind: QuotaKind) -> QuotaRecord {
    let quota = quotas.iter().find(|quota| quota.kind == kind);
    QuotaRecord { used: quota.map_or(0, |quota| quota.used), limit: quota.and_then(|quota| quota.limit) }
}
