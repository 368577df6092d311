//! Deduplication of identical work.

use std::collections::HashMap;

use forms_core::{ENGINE_VERSION, Evidence};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use shared_core::{KeyedLocks, WorkspaceId, hex};

use crate::{Response, RunPlan, SourceDocument};

/// The fingerprint of a group's work: form and its version, model, instructions, the versions of `parser` and
/// engine, the engine's settings (`engine`), and for each document its content and the caller's description.
/// File names do not count. Lower-case hexadecimal SHA-256.
#[must_use]
pub fn fingerprint(plan: &RunPlan, parser: u32, engine: &str, documents: &[(&str, &str)]) -> String {
    let parts = json!([
        [ENGINE_VERSION, parser, engine],
        [plan.form_id, plan.form_version, plan.model_id, plan.instructions],
        documents,
    ]);
    hex(&Sha256::digest(parts.to_string()))
}

/// Rebinds `response`, made from identical documents with other names, to `sources`. `None` when two
/// documents cannot be told apart by name.
pub(crate) fn rebind_response(response: &Response, sources: &[SourceDocument]) -> Option<Response> {
    let mut names: HashMap<&str, &str> = HashMap::new();
    let mut places: HashMap<u32, &Option<(u32, String)>> = HashMap::new();
    for (old, new) in response.sources.iter().zip(sources) {
        places.extend(old.named.as_ref().map(|(index, _)| (*index, &new.named)));
        let known = names.insert(&old.name, &new.name);
        if known.is_some_and(|known| known != new.name) {
            return None;
        }
    }
    let renamed = |name: &mut Option<String>| {
        if let Some(new) = name.as_deref().and_then(|old| names.get(old)) {
            *name = Some((*new).to_owned());
        }
    };
    let renamed = |evidence: &mut Evidence| {
        renamed(&mut evidence.document);
        let named = evidence.index.and_then(|index| places.get(&index).copied().cloned().flatten());
        (evidence.index, evidence.file) = named.unzip();
    };
    let mut repeated = response.clone();
    repeated.evidence.values_mut().for_each(renamed);
    for side in repeated.conflicts.iter_mut().flat_map(|conflict| &mut conflict.values) {
        renamed(&mut side.evidence);
    }
    repeated.sources = sources.to_vec();
    repeated.reused_from = Some(response.reused_from.clone().unwrap_or_else(|| response.gid.clone()));
    Some(repeated)
}

/// Identical work of the same time waits for the first of it: locks by workspace and fingerprint.
pub(crate) type WorkLocks = KeyedLocks<(WorkspaceId, String)>;
