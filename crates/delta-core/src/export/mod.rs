//! Stored responses as tables: columns from the forms, rows from the records. Knows no output format.

mod forms;
mod layout;
mod rows;

pub use layout::ExportLayout;

/// What to export besides the fields of a response.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExportExtras {
    /// The parsed text of its documents.
    pub context: bool,
    /// Names of its documents, durations, and the response that it reuses.
    pub meta: bool,
    /// The source of each value.
    pub evidence: bool,
    /// The values that people reviewed, with their history.
    pub reviews: bool,
    /// The form of each response, where there are several.
    pub form_id: bool,
}

#[cfg(test)]
mod tests;
