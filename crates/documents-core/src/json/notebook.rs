//! Jupyter notebooks: their cells as text and code. Outputs are left out.

use document::{BlockKind, Document, Format};
use serde::Deserialize;

use crate::Limits;
use crate::builder::Builder;
use crate::plain::parse_markdown;

#[derive(Deserialize)]
struct Notebook {
    nbformat: u32,
    cells: Vec<Cell>,
    #[serde(default)]
    metadata: Metadata,
}

#[derive(Default, Deserialize)]
struct Metadata {
    #[serde(default)]
    kernelspec: Kernel,
}

#[derive(Default, Deserialize)]
struct Kernel {
    #[serde(default)]
    language: String,
}

#[derive(Deserialize)]
struct Cell {
    cell_type: String,
    #[serde(default)]
    source: Source,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Source {
    Text(String),
    Lines(Vec<String>),
}

impl Default for Source {
    fn default() -> Self {
        Self::Lines(Vec::new())
    }
}

/// Parses a notebook; `None` when the JSON is not one.
pub(super) fn parse_notebook(text: &str, limits: &Limits) -> Option<Document> {
    if !text.contains("\"nbformat\"") {
        return None;
    }
    let notebook: Notebook =
        serde_json::from_str(text).ok().filter(|notebook: &Notebook| notebook.nbformat > 3)?;
    let language: String =
        notebook.metadata.kernelspec.language.chars().filter(|c| c.is_alphanumeric()).collect();
    let mut builder = Builder::new(Format::Json, limits);
    for cell in notebook.cells.into_iter().take(limits.nodes) {
        let source = match cell.source {
            Source::Text(text) => text,
            Source::Lines(lines) => lines.concat(),
        };
        match cell.cell_type.as_str() {
            _ if source.trim().is_empty() => {}
            "code" => {
                // A fence that the code itself does not contain.
                let fence = if source.contains("```") { "~~~~" } else { "```" };
                builder.block(BlockKind::Code, &format!("{fence}{language}\n"), source.trim_end());
                builder.push(&format!("\n{fence}"));
            }
            "markdown" => builder.append(parse_markdown(source.trim(), limits)),
            _ => builder.block(BlockKind::Paragraph, "", source.trim()),
        }
    }
    Some(builder.finish())
}
