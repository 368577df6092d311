//! Facets of a search: counts over all items that match it, whatever their rank.

use shared_core::{Scope, Violation, offload};

use super::facet_counter::{Facet, FacetCounter};
use super::field_name::FieldName;
use super::find::SearchTarget;
use super::select::{PAGE, STEPS, too_much, unfinished};
use crate::service::rules::MAX_FACETS;
use crate::{ItemAttributes, ItemSet, KnowledgeError, KnowledgeService};

/// Reads the names of the fields that are to be counted.
pub(super) fn parse_facets(fields: &[String], wrong: &mut Vec<Violation>) -> Vec<FacetCounter> {
    if fields.len() > MAX_FACETS {
        wrong.push(Violation::new("/facets", format!("'facets' has at most {MAX_FACETS} entries")));
        return Vec::new();
    }
    let mut counters = Vec::with_capacity(fields.len());
    for (at, field) in fields.iter().enumerate() {
        let path = format!("/facets/{at}");
        match FieldName::parse(field) {
            Err(rule) => wrong.push(Violation::new(path, rule)),
            Ok(name) if name.is_time() => {
                wrong.push(Violation::new(path, "'$created' and '$updated' have no facets"));
            }
            Ok(name) => counters.push(FacetCounter::new(field.clone(), name)),
        }
    }
    counters
}

impl KnowledgeService {
    /// The facets over the items of all targets that match: they are not excluded by a filter and, unless the
    /// search is by vectors alone, have one of the query's words.
    pub(super) async fn facets(
        &self,
        scope: &Scope,
        targets: &[SearchTarget],
        query: &str,
        mut counters: Vec<FacetCounter>,
    ) -> Result<Vec<Facet>, KnowledgeError> {
        if counters.is_empty() {
            return Ok(Vec::new());
        }
        let mut room = STEPS;
        for target in targets {
            let wanted = self.matching_items(target, query).await?;
            let mut after = next(wanted.as_ref(), 0);
            while let Some(from) = after {
                let page = self.ports.chunks.attributes(scope, &target.base.id, from, PAGE).await?;
                let Some(last) = page.last().map(|item| item.number) else { break };
                after = next(wanted.as_ref(), last);
                let wanted = wanted.clone();
                let work = move || counted(counters, &page, wanted.as_ref(), room);
                let done = offload(self.ports.workers.as_ref(), work).await;
                (counters, room) = done.ok_or_else(unfinished)?.ok_or_else(|| too_much("/facets"))?;
            }
        }
        Ok(counters.into_iter().map(FacetCounter::facet).collect())
    }

    /// The items of a target that match; `None` for all.
    async fn matching_items(
        &self,
        target: &SearchTarget,
        query: &str,
    ) -> Result<Option<ItemSet>, KnowledgeError> {
        if !target.words {
            return Ok(target.items.clone());
        }
        let query = target.lexical_query(query, 0);
        Ok(Some(self.ports.words.matching_items(&query).await?))
    }
}

/// The number after which the next wanted item comes; `None` when there is none.
fn next(wanted: Option<&ItemSet>, after: i64) -> Option<i64> {
    let Some(wanted) = wanted else { return Some(after) };
    let numbers = wanted.numbers();
    let at = numbers.partition_point(|number| *number <= after);
    numbers.get(at).map(|number| number.saturating_sub(1))
}

/// Counts the wanted items of a page; `None` when more values would be visited than `room`.
fn counted(
    mut counters: Vec<FacetCounter>,
    page: &[ItemAttributes],
    wanted: Option<&ItemSet>,
    mut room: u64,
) -> Option<(Vec<FacetCounter>, u64)> {
    for item in page.iter().filter(|item| wanted.is_none_or(|wanted| wanted.contains(item.number))) {
        for counter in &mut counters {
            room = room.checked_sub(counter.add(item))?;
        }
    }
    Some((counters, room))
}
