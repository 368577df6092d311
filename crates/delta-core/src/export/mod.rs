//! Kept responses as tables: columns from the forms, rows from the records. In which format tables are
//! written is for others to know.

mod forms;
mod layout;
mod rows;

pub use layout::ExportLayout;

/// What is wanted beside the fields of a response.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExportExtras {
    /// The parsed text of its documents.
    pub context: bool,
    /// Names of its documents, durations, and which response it repeats.
    pub meta: bool,
    /// Where each value stands.
    pub evidence: bool,
}

#[cfg(test)]
mod tests;
