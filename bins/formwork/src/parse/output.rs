//! Formats of the output.

use std::io::{self, Write};

use clap::Args;
use document::Document;
use serde::Serialize;

use super::inputs::Input;
use super::reader::{Content, Failure};
use super::tables;
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

/// Writes the content of one file.
pub(super) fn write(
    out: &mut impl Write,
    input: &Input,
    form: OutputFormat,
    content: &Content,
) -> io::Result<()> {
    let document = match content {
        Content::Raw(text) => return write_text(out, text),
        Content::Document(document) => document,
    };
    match form {
        OutputFormat::Json => write_line(out, &Line { file: input.name(), document }),
        OutputFormat::Tables(csv) => tables::write_csv(out, csv, document),
        OutputFormat::TableLines => tables::write_lines(out, &input.name(), document),
        OutputFormat::Text => write_text(out, &document.plain_text()),
        OutputFormat::Markdown | OutputFormat::Raw => write_text(out, &document.text),
    }
}

/// Writes the object for a file that could not be read.
pub(super) fn write_failure(out: &mut impl Write, input: &Input, failure: &Failure) -> io::Result<()> {
    let error = Fault { code: failure.code(), message: failure.to_string() };
    write_line(out, &FailedLine { file: input.name(), error })
}

#[derive(Serialize)]
struct Line<'d> {
    file: String,
    #[serde(flatten)]
    document: &'d Document,
}

#[derive(Serialize)]
struct FailedLine {
    file: String,
    error: Fault,
}

#[derive(Serialize)]
struct Fault {
    code: &'static str,
    message: String,
}

/// Writes a value as one line of JSON.
pub(super) fn write_line(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}

/// Writes a text and terminates its last line.
fn write_text(out: &mut impl Write, text: &str) -> io::Result<()> {
    out.write_all(text.as_bytes())?;
    if text.ends_with('\n') { Ok(()) } else { out.write_all(b"\n") }
}
