//! Responses as rows.

use forms_core::Evidence;
use forms_core::table::{Cell, Row};
use serde_json::{Number, Value, json};

use super::ExportLayout;
use crate::{Response, StoredResponse};

impl ExportLayout {
    /// The rows of a response: one of the first table, those of its lists in their order, and those of its
    /// evidence. `context` is the text of its documents, if exported.
    #[must_use]
    pub fn rows(&self, stored: &StoredResponse, context: Option<String>) -> Vec<Row> {
        let response = &stored.response;
        let before = vec![Cell::Text(response.gid.clone()), Cell::Number(stored.sid.0.into())];
        let mut behind = Vec::new();
        if self.extras.meta {
            behind.extend(meta_cells(response));
        }
        if self.extras.evidence && self.evidence_table.is_none() {
            behind.push(Cell::Text(json!(response.evidence).to_string()));
        }
        if self.extras.reviews && self.reviews_table.is_none() {
            behind.push(Cell::Text(response.reviews_json().to_string()));
        }
        if self.extras.context {
            behind.push(Cell::text(context.as_deref()));
        }
        if self.extras.form_id {
            let class = response.class.as_ref();
            behind.push(Cell::text(class.map(|class| class.form.form_id.as_str())));
        }
        behind.push(Cell::count(Some(stored.form_version.into())));
        let mut rows = self.tables.rows(&response.record, before, behind);
        if let Some(table) = self.evidence_table {
            rows.extend(evidence_rows(response, table));
        }
        if let Some(table) = self.reviews_table {
            rows.extend(review_rows(response, table));
        }
        rows
    }
}

fn meta_cells(response: &Response) -> [Cell; 5] {
    [
        Cell::joined(response.sources.iter().map(|source| source.name.as_str())),
        Cell::seconds(response.generation_duration),
        Cell::seconds(response.scraping_duration),
        Cell::seconds(response.total_duration),
        Cell::text(response.reused_from.as_deref()),
    ]
}

fn evidence_rows(response: &Response, table: usize) -> impl Iterator<Item = Row> {
    let record = Value::Object(response.record.clone());
    response.evidence.iter().map(move |(path, evidence)| {
        let mut cells = vec![Cell::Text(response.gid.clone()), Cell::Text(path.clone())];
        cells.push(Cell::from_value(record.pointer(path).unwrap_or(&Value::Null), false));
        cells.extend(evidence_cells(evidence));
        Row { table, cells }
    })
}

fn review_rows(response: &Response, table: usize) -> impl Iterator<Item = Row> {
    let record = Value::Object(response.record.clone());
    response.reviews.iter().map(move |(path, reviewed)| {
        let last = reviewed.history.last();
        let cells = vec![
            Cell::Text(response.gid.clone()),
            Cell::Text(path.clone()),
            Cell::Text(reviewed.state.name().to_owned()),
            Cell::from_value(&reviewed.extracted, false),
            Cell::from_value(record.pointer(path).unwrap_or(&Value::Null), false),
            Cell::text(last.map(|entry| entry.author.name.as_str())),
            Cell::text(last.map(|entry| entry.time.record_text()).as_deref()),
            Cell::text(last.map(|entry| entry.note.as_str())),
        ];
        Row { table, cells }
    })
}

fn evidence_cells(evidence: &Evidence) -> [Cell; 7] {
    let count = |number: Option<usize>| Cell::count(number.and_then(|number| u64::try_from(number).ok()));
    // The shortest decimal of the `f32`, not the nearest `f64`.
    let confidence = evidence.confidence.to_string().parse().ok().and_then(Number::from_f64);
    [
        Cell::text(evidence.document.as_deref()),
        Cell::count(evidence.page.map(u64::from)),
        Cell::text(evidence.quote.as_deref()),
        count(evidence.start),
        count(evidence.end),
        Cell::from_value(&json!(evidence.support), false),
        confidence.map_or(Cell::Empty, Cell::Number),
    ]
}
