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
    // Which pages were seen is that of the earlier work.
    let seen = |(own, old): (&SourceDocument, &SourceDocument)| SourceDocument {
        unread: old.unread.clone(),
        unseen: old.unseen.clone(),
        ..own.clone()
    };
    repeated.sources = sources.iter().zip(&response.sources).map(seen).collect();
    repeated.reused_from = Some(response.reused_from.clone().unwrap_or_else(|| response.gid.clone()));
    Some(repeated)
}

/// Identical work of the same time waits for the first of it: locks by workspace and fingerprint.
pub(crate) type WorkLocks = KeyedLocks<(WorkspaceId, String)>;

#[cfg(test)]
mod tests {
    use forms_core::{Conflict, ConflictValue, Support};
    use shared_core::Timestamp;

    use super::*;

    fn source(name: &str, index: u32) -> SourceDocument {
        SourceDocument {
            name: name.to_owned(),
            sha256: String::new(),
            parser_version: 1,
            named: Some((index, format!("url of {name}"))),
            unread: Vec::new(),
            unseen: Vec::new(),
            pages: None,
            unit: None,
        }
    }

    fn evidence(name: &str, index: u32) -> Evidence {
        Evidence {
            document: Some(name.to_owned()),
            file: Some(format!("url of {name}")),
            index: Some(index),
            ..Evidence::without_place(Support::Fuzzy, 0.5)
        }
    }

    /// A response from the documents `a` and `b`, which contradict each other.
    fn response() -> Response {
        let side = |name, index| ConflictValue { value: json!(1), evidence: evidence(name, index) };
        Response {
            gid: "resp_1".into(),
            record: Default::default(),
            evidence: [("/x".to_owned(), evidence("b", 1))].into_iter().collect(),
            conflicts: vec![Conflict { path: "/x".into(), values: vec![side("b", 1), side("a", 0)] }],
            errors: Vec::new(),
            sources: vec![source("a", 0), source("b", 1)],
            generation_duration: 0.0,
            scraping_duration: 0.0,
            total_duration: 0.0,
            created: Timestamp::from_micros(0).unwrap_or_else(|| unreachable!("a valid instant")),
            reused_from: None,
            class: None,
            reviews: indexmap::IndexMap::new(),
        }
    }

    #[test]
    fn a_reused_response_names_the_documents_of_its_own_group() {
        // A document before them could not be read.
        let sources = [source("c", 1), source("d", 2)];
        let reused = rebind_response(&response(), &sources).unwrap();
        assert_eq!(reused.evidence["/x"], evidence("d", 2));
        let sides: Vec<&Evidence> = reused.conflicts[0].values.iter().map(|side| &side.evidence).collect();
        assert_eq!(sides, [&evidence("d", 2), &evidence("c", 1)]);
        assert_eq!((reused.sources, reused.reused_from.as_deref()), (sources.to_vec(), Some("resp_1")));
        let again = Response { gid: "resp_2".into(), reused_from: Some("resp_1".into()), ..response() };
        let again = rebind_response(&again, &[source("c", 0), source("d", 1)]).unwrap();
        assert_eq!(again.reused_from.as_deref(), Some("resp_1"), "the one that was made by a model");
    }

    #[test]
    fn documents_that_shared_a_name_and_no_longer_do_cannot_be_told_apart() {
        let same = Response { sources: vec![source("a", 0), source("a", 1)], ..response() };
        assert!(rebind_response(&same, &[source("c", 0), source("d", 1)]).is_none());
        assert!(rebind_response(&same, &[source("c", 0), source("c", 1)]).is_some());
    }
}
