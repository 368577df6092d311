//! The layout of exported tables.

use forms_core::FormSchema;
use forms_core::table::{self, ExtraColumns, ListLayout, Table};

use super::ExportExtras;

/// The tables of responses: those of the records, and one of the evidence.
#[derive(Clone, Debug)]
pub struct ExportLayout {
    pub(super) tables: table::TableLayout,
    /// The index of the evidence table, if it is separate.
    pub(super) evidence_table: Option<usize>,
    /// The index of the table of reviews, if it is separate.
    pub(super) reviews_table: Option<usize>,
    pub(super) extras: ExportExtras,
}

/// Columns of the evidence table.
const EVIDENCE: [&str; 10] =
    ["gid", "path", "value", "document", "page", "quote", "start", "end", "support", "confidence"];
/// Columns of the table of reviews. User, time and note are those of the last decision.
const REVIEWS: [&str; 8] = ["gid", "path", "state", "extracted", "value", "user", "time", "note"];
/// Columns of the first table with metadata of a response.
const META: [&str; 5] = [
    "meta.files",
    "meta.generation_duration",
    "meta.scraping_duration",
    "meta.total_duration",
    "meta.reused_from",
];

impl ExportLayout {
    /// The tables for responses that were made with `forms`, as [`table::TableLayout::new`] defines. With
    /// [`ListLayout::Split`], the evidence and the reviews have tables of their own.
    #[must_use]
    pub fn new(forms: &[FormSchema], complete: bool, shape: ListLayout, extras: ExportExtras) -> Self {
        let mut behind = Vec::new();
        if extras.meta {
            behind.extend(META);
        }
        if extras.evidence && shape == ListLayout::Flat {
            behind.push("evidence");
        }
        if extras.reviews && shape == ListLayout::Flat {
            behind.push("reviews");
        }
        if extras.context {
            behind.push("context");
        }
        if extras.form_id {
            behind.push("form_id");
        }
        behind.push("form_version");
        let own = ExtraColumns { name: "responses", before: &["gid", "sid"], after: &behind };
        let mut tables = table::TableLayout::new(forms, complete, shape, own);
        let mut separate = |is_wanted: bool, name: &str, columns: &[&str]| {
            let table = || Table {
                name: name.to_owned(),
                columns: columns.iter().map(|&name| name.to_owned()).collect(),
            };
            (is_wanted && shape == ListLayout::Split).then(|| tables.push(table()))
        };
        let evidence_table = separate(extras.evidence, "evidence", &EVIDENCE);
        let reviews_table = separate(extras.reviews, "reviews", &REVIEWS);
        Self { tables, evidence_table, reviews_table, extras }
    }

    /// The tables, that of the responses first.
    #[must_use]
    pub fn tables(&self) -> &[Table] {
        self.tables.tables()
    }
}
