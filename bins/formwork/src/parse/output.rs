//! Writes contents and failures in the format of the output.

use std::io::{self, Write};

use document::Document;
use serde::Serialize;

use super::format::OutputFormat;
use super::inputs::Input;
use super::json_lines::write_line;
use super::reader::{Content, Failure};
use super::tables;

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

/// Writes a text and terminates its last line.
fn write_text(out: &mut impl Write, text: &str) -> io::Result<()> {
    out.write_all(text.as_bytes())?;
    if text.ends_with('\n') { Ok(()) } else { out.write_all(b"\n") }
}
