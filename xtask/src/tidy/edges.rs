//! The crate edges in `docs/architecture.md` are those that `cargo xtask layers` enforces. Its table is the
//! source of a block between two comments.

use anyhow::Context as _;

use super::baseline::Growth;
use super::finding::Finding;
use super::workspace::Workspace;
use crate::layers::CORE_EDGES;

const DOCUMENT: &str = "docs/architecture.md";

const BEGIN: &str = "<!-- crate edges:";

const END: &str = "<!-- end of crate edges -->";

/// Whether the block is out of date.
pub(crate) fn find(workspace: &Workspace) -> anyhow::Result<Vec<Finding>> {
    let text = workspace.files.text(DOCUMENT).unwrap_or_default();
    let Some(renewed) = renewed(text) else {
        let message = format!("no block from `{BEGIN} … -->` to `{END}`");
        return Ok(vec![Finding::new(DOCUMENT, 1, message)]);
    };
    let line = text.lines().position(|line| line.trim().starts_with(BEGIN)).map_or(1, |index| index + 1);
    let message =
        "the crate edges differ from those of `cargo xtask layers`; run `cargo xtask tidy edges --write`";
    Ok(if renewed == text { Vec::new() } else { vec![Finding::new(DOCUMENT, line, message)] })
}

/// Writes the block.
pub(crate) fn write(workspace: &Workspace, _growth: Growth) -> anyhow::Result<()> {
    let text = workspace.files.text(DOCUMENT).context(DOCUMENT)?;
    workspace
        .files
        .write(DOCUMENT, &renewed(text).with_context(|| format!("{DOCUMENT} has no block {BEGIN}"))?)
}

/// The document with the present block, indented as its first comment; `None` if it has no block.
fn renewed(text: &str) -> Option<String> {
    let mut lines = text.lines();
    let mut renewed: Vec<String> = Vec::new();
    let opening = loop {
        let line = lines.next()?;
        renewed.push(line.to_owned());
        if line.trim_start().starts_with(BEGIN) {
            break line;
        }
    };
    let indent = &opening[..opening.len() - opening.trim_start().len()];
    renewed.extend(block().lines().map(|line| format!("{indent}{line}").trim_end().to_owned()));
    let rest: Vec<&str> = lines.skip_while(|line| line.trim() != END).collect();
    rest.first()?;
    renewed.extend(rest.into_iter().map(str::to_owned));
    Some(renewed.join("\n") + "\n")
}

/// The block: a table whose first row has the crates without edges.
fn block() -> String {
    let short = |name: &'static str| name.trim_end_matches("-core");
    let joined = |names: &[&'static str]| names.iter().copied().map(short).collect::<Vec<_>>().join(", ");
    let cores = || CORE_EDGES.iter().filter(|(name, _)| *name != "shared-core");
    let mut alone: Vec<&'static str> =
        cores().filter(|(_, edges)| edges.is_empty()).map(|(name, _)| *name).collect();
    alone.sort_unstable();
    let others = cores().filter(|(_, edges)| !edges.is_empty());
    let rows: String =
        others.map(|(name, edges)| format!("| {} | {} |\n", short(name), joined(edges))).collect();
    let alone = joined(&alone);
    format!(
        "\n| core crate | may depend on, beside shared-core |\n|---|---|\n| {alone} | nothing |\n{rows}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::{find, renewed};
    use crate::tidy::workspace::Workspace;

    const EMPTY: &str = "before\n   <!-- crate edges: written by a command -->\n   old\n   <!-- end of crate edges -->\nafter\n";

    #[test]
    fn the_block_is_written_between_its_comments_and_nothing_else_changes() {
        let text = renewed(EMPTY).unwrap();
        assert!(
            text.starts_with("before\n   <!-- crate edges: written by a command -->\n\n   | core crate |")
        );
        assert!(text.contains("\n   | files | document |\n"));
        assert!(text.ends_with("\n   <!-- end of crate edges -->\nafter\n"));
        assert!(!text.contains("old"));
        assert_eq!(renewed(&text).unwrap(), text);
    }

    #[test]
    fn a_block_that_differs_or_is_missing_is_found() {
        let found =
            |text: &str| find(&Workspace::in_memory(&[("docs/architecture.md", text)])).unwrap().len();
        assert_eq!(found(EMPTY), 1);
        assert_eq!(found("no block"), 1);
        assert_eq!(found("<!-- crate edges: x -->\nnever closed\n"), 1);
        assert_eq!(found(&renewed(EMPTY).unwrap()), 0);
    }
}
