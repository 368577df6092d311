//! Product files have at most 400 lines without their tests. Generated tables and `schema.rs` are exempt.

use syn::{Attribute, Item};

use super::finding::Finding;
use super::sources::is_test_only;
use super::workspace::Workspace;

const MOST_LINES: usize = 400;

/// Marker of generated files.
const GENERATED: &str = "@generated";

/// Every product file that is too long.
pub(crate) fn find(workspace: &Workspace) -> anyhow::Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for file in workspace.crates()?.iter().flat_map(|found| &found.files) {
        let text = workspace.files.text(&file.path).unwrap_or_default();
        let count = text.lines().count() - test_lines(&file.syntax);
        if count > MOST_LINES && !is_exempt(&file.path, text) {
            let message = format!("{count} lines; split it, at most {MOST_LINES} are allowed");
            findings.push(Finding::new(&file.path, count, message));
        }
    }
    Ok(findings)
}

/// Lines of test modules within a file.
fn test_lines(file: &syn::File) -> usize {
    let length = |item: &Item| match item {
        Item::Mod(module) if is_test_only(&module.attrs) => {
            let (braces, _) = module.content.as_ref()?;
            let line = |attribute: &Attribute| attribute.pound_token.span.start().line;
            let first = module.attrs.iter().map(line).min()?;
            Some(braces.span.close().end().line + 1 - first)
        }
        _ => None,
    };
    file.items.iter().filter_map(length).sum()
}

fn is_exempt(path: &str, text: &str) -> bool {
    path.ends_with("/schema.rs") || text.lines().take(3).any(|line| line.contains(GENERATED))
}

#[cfg(test)]
mod tests {
    use super::find;
    use crate::tidy::workspace::Workspace;

    #[test]
    fn long_product_files_are_found_and_no_others() {
        let long = "// line\n".repeat(401);
        let generated = format!("//! @generated\n{long}");
        let tested = format!("{}#[cfg(test)]\nmod tests {{\n{long}}}\n", "// line\n".repeat(400));
        let workspace = Workspace::in_memory(&[
            ("a/Cargo.toml", "[package]\nname = \"a\""),
            (
                "a/src/lib.rs",
                "mod long; mod right; mod schema; mod table; mod tested; #[cfg(test)] mod tests;",
            ),
            ("a/src/long.rs", &long),
            ("a/src/right.rs", &"// line\n".repeat(400)),
            ("a/src/schema.rs", &long),
            ("a/src/table.rs", &generated),
            ("a/src/tested.rs", &tested),
            ("a/src/tests.rs", &long),
        ]);
        let findings: Vec<String> = find(&workspace).unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(findings, ["a/src/long.rs:401: 401 lines; split it, at most 400 are allowed"]);
    }
}
