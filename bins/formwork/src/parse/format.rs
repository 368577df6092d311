//! Formats of the output.

use clap::Args;

use crate::csv::CsvWriter;

/// Flags for the format; Markdown by default.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct FormFlags {
    /// Print Markdown (the default)
    #[arg(long, conflicts_with_all = ["json", "tables", "text"])]
    markdown: bool,
    /// Print JSON Lines, one document per line: text, blocks, pages, positions, metadata
    #[arg(long, conflicts_with = "text")]
    json: bool,
    /// Print only the tables, as CSV, or with --json as JSON, one table per line
    #[arg(long, conflicts_with = "text")]
    tables: bool,
    /// Print the text without markup
    #[arg(long)]
    text: bool,
    /// Print the complete text, with headers, footers and page numbers
    #[arg(long, requires = "text")]
    raw: bool,
}

/// A format of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutputFormat {
    Markdown,
    Json,
    /// Tables as CSV.
    Tables(CsvWriter),
    /// Tables as JSON.
    TableLines,
    Text,
    Raw,
}

impl FormFlags {
    pub(super) fn form(self, csv: CsvWriter) -> OutputFormat {
        match self {
            Self { tables: true, json: true, .. } => OutputFormat::TableLines,
            Self { tables: true, .. } => OutputFormat::Tables(csv),
            Self { json: true, .. } => OutputFormat::Json,
            Self { raw: true, .. } => OutputFormat::Raw,
            Self { text: true, .. } => OutputFormat::Text,
            _ => OutputFormat::Markdown,
        }
    }
}

impl OutputFormat {
    /// Whether the format is JSON Lines. Each object then names its file.
    pub(super) fn is_lines(self) -> bool {
        matches!(self, Self::Json | Self::TableLines)
    }

    /// File extension of the format.
    pub(super) fn ending(self) -> &'static str {
        match self {
            Self::Markdown => "md",
            Self::Json => "json",
            Self::Tables(_) => "csv",
            Self::TableLines => "jsonl",
            Self::Text | Self::Raw => "txt",
        }
    }
}
