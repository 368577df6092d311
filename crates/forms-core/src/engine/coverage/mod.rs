//! Recovery of rows that a model omitted: it stopped early, was truncated, or skipped some. Lines that look
//! like rows but belong to none are sent again, until no new rows are found.

mod document_reading;
mod followup_prompt;
mod lines;
mod lists;
mod row_search;

use std::collections::HashMap;

use super::coerce;
use super::error::Failure;
use super::field_question::FilledFields;
use super::node::Node;
use super::plan::schema_of;
use super::text::line_shape::RowShapes;
pub(super) use document_reading::DocumentReading;
use lists::{ListLocation, field_at, find_lists, node_at};
use row_search::RowSearch;

// Fewer may look like rows by chance. Chosen by hand; no measurement is recorded.
/// Rows found by other readings, and lines like them, before an empty list is searched again.
const LEAST_KNOWN: usize = 5;
const LEAST_UNREAD: usize = 3;

impl DocumentReading<'_> {
    /// Completes every list of objects. Returns the row shapes of the top-level lists, by the index of their
    /// field.
    pub(super) async fn complete_lists(
        &self,
        filled: &mut FilledFields,
    ) -> Result<HashMap<usize, RowShapes>, Failure> {
        let mut shapes = HashMap::new();
        let mut lists = Vec::new();
        find_lists(
            &self.question.part.fields,
            &filled.nodes,
            &ListLocation { path: vec![], pointer: String::new() },
            &mut lists,
        );
        for at in lists {
            let is_cut = filled.is_cut(&at.pointer);
            let Some((field, only)) = field_at(&self.question.part.fields, &at.path) else { continue };
            let Some(Node::List { items, problem }) = node_at(&mut filled.nodes, &at.path) else { continue };
            let items_now = std::mem::take(items);
            let most = field.max_items.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
            let mut search = RowSearch::new(self, items_now, is_cut && problem.is_some());
            let outcome = match search.rows.len() < most {
                true => search.run(self, &schema_of(vec![only]), &at.path).await,
                false => Ok(()),
            };
            if let [top] = at.path.as_slice() {
                shapes.insert(*top, search.shapes());
            }
            let left = search.incomplete_message(field, problem.take());
            *items = search.rows.into_nodes();
            *problem = left.or_else(|| coerce::count_rule(field, items.len()));
            outcome?;
        }
        Ok(shapes)
    }

    /// Searches for rows of a list that is empty in this reading when other readings found rows of it: some
    /// models answer that there are none instead of listing many. `known` has the row shapes by field.
    pub(super) async fn search_empty_lists(
        &self,
        nodes: &mut [Node],
        known: &HashMap<usize, RowShapes>,
    ) -> Result<(), Failure> {
        for (index, field) in self.question.part.fields.iter().enumerate() {
            let Some(shapes) = known.get(&index).filter(|shapes| shapes.count() >= LEAST_KNOWN) else {
                continue;
            };
            let Some(node) = nodes.get_mut(index).filter(|node| is_empty(node)) else { continue };
            let mut search = RowSearch::new(self, Vec::new(), false);
            search.known.extend(shapes);
            search.batch = usize::MAX;
            if search.next_lines(self, LEAST_UNREAD).len() < LEAST_UNREAD {
                continue;
            }
            search.run(self, &schema_of(vec![field.clone()]), &[0]).await?;
            let problem = search.incomplete_message(field, None);
            let items = search.rows.into_nodes();
            if !items.is_empty() || problem.is_some() {
                *node = Node::List { items, problem };
            }
        }
        Ok(())
    }
}

fn is_empty(node: &Node) -> bool {
    match node {
        Node::Absent => true,
        Node::List { items, problem } => items.is_empty() && problem.is_none(),
        _ => false,
    }
}
