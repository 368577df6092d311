//! Links in the documents, and paths of this repository in backticks, must have targets.

use std::collections::BTreeMap;

use anyhow::Context as _;
use globset::{GlobBuilder, GlobMatcher};

use super::files::Files;
use super::finding::Finding;
use super::markdown::{self, Markdown};
use super::workspace::Workspace;

/// Prefixes of words in backticks that are paths of this repository. Crate folders may be written without
/// `crates/`.
const FOLDERS: [&str; 6] = ["crates/", "bins/", "xtask/", "docs/", "migrations/", ".github/"];

/// Every link, anchor and path without a target.
pub(crate) fn find(workspace: &Workspace) -> anyhow::Result<Vec<Finding>> {
    let files = &workspace.files;
    let documents = files.texts().filter(|(path, _)| path.ends_with(".md"));
    let read: BTreeMap<&str, Markdown> = documents.map(|(path, text)| (path, markdown::read(text))).collect();
    let mut findings = Vec::new();
    for (path, document) in read.iter().filter(|(path, _)| is_checked(path)) {
        for (line, link) in &document.links {
            if let Some(message) = dead_link(files, &read, path, link) {
                findings.push(Finding::new(*path, *line, message));
            }
        }
        for (line, word) in path_words(document) {
            let Some(named) = repository_path(files, word) else { continue };
            if !exists(files, &named)? {
                findings.push(Finding::new(*path, line, format!("`{word}` is no path of this repository")));
            }
        }
    }
    Ok(findings)
}

/// README, CONTRIBUTING and others of the root, the documents, and each crate's README.
fn is_checked(path: &str) -> bool {
    !path.contains('/') || path.starts_with("docs/") || path.ends_with("/README.md")
}

/// The finding on a link, if any. Links to other sites are not checked.
fn dead_link(files: &Files, read: &BTreeMap<&str, Markdown>, path: &str, link: &str) -> Option<String> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (target, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = if target.is_empty() { Some(path.to_owned()) } else { resolved(path, target) };
    let Some(target) = target.filter(|target| files.contains(target)) else {
        return Some(format!("the link {link} leads to no file"));
    };
    let dead = read.get(target.as_str()).is_some_and(|document| !document.anchors.contains(anchor));
    (!anchor.is_empty() && dead).then(|| format!("the link {link} leads to no heading"))
}

/// Resolves a relative path from a document; `None` if it leaves the repository.
fn resolved(document: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = document.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Line and text of each word in backticks.
fn path_words(document: &Markdown) -> impl Iterator<Item = (usize, &str)> {
    let words =
        document.codes.iter().flat_map(|(line, code)| code.split_whitespace().map(move |word| (*line, word)));
    words.map(|(line, word)| (line, word.trim_end_matches(['.', ',', ';'])))
}

/// The path of this repository that a word looks like, if any.
fn repository_path(files: &Files, word: &str) -> Option<String> {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || "_./*{},-".contains(letter);
    if !word.chars().all(fits) {
        return None;
    }
    if FOLDERS.iter().any(|folder| word.starts_with(folder)) {
        return Some(word.to_owned());
    }
    let (folder, _) = word.split_once("/src/").or_else(|| word.split_once("/tests/"))?;
    files.contains(&format!("crates/{folder}/Cargo.toml")).then(|| format!("crates/{word}"))
}

/// Whether a path exists. For a pattern with `*` or `{a,b}`, each alternative must match a path.
fn exists(files: &Files, word: &str) -> anyhow::Result<bool> {
    for path in alternatives(word) {
        let found = if path.contains('*') {
            let glob = glob(path.trim_end_matches('/'))?;
            files.paths().any(|file| is_at_or_below(&glob, file))
        } else {
            files.contains(&path)
        };
        if !found {
            return Ok(false);
        }
    }
    Ok(true)
}

fn glob(path: &str) -> anyhow::Result<GlobMatcher> {
    let glob = GlobBuilder::new(path).literal_separator(true).build();
    Ok(glob.with_context(|| path.to_owned())?.compile_matcher())
}

/// Whether a file or one of its ancestors matches.
fn is_at_or_below(glob: &GlobMatcher, file: &str) -> bool {
    let ends = file.match_indices('/').map(|(index, _)| index).chain([file.len()]);
    ends.into_iter().any(|end| glob.is_match(&file[..end]))
}

/// A path with each choice of its braces.
fn alternatives(path: &str) -> Vec<String> {
    let Some((before, rest)) = path.split_once('{') else { return vec![path.to_owned()] };
    let Some((choices, after)) = rest.split_once('}') else { return vec![path.to_owned()] };
    let tails = alternatives(after);
    let join = |choice: &str| tails.iter().map(|tail| format!("{before}{choice}{tail}")).collect::<Vec<_>>();
    choices.split(',').flat_map(|choice| join(choice.trim())).collect()
}

#[cfg(test)]
mod tests {
    use super::{alternatives, find, resolved};
    use crate::tidy::workspace::Workspace;

    #[test]
    fn dead_links_anchors_and_paths_are_found_with_their_lines() {
        let text = "[a](b.md) [b](c.md#right)\n[c](c.md#wrong) [d](https://a.example/x.md)\n[e](#own)\n# Own\n\
                    `crates/a/src/lib.rs` `crates/a/src/{lib,main}.rs` `crates/*/src` `bins/x --verbose`\n";
        let workspace = Workspace::in_memory(&[
            ("docs/a.md", text),
            ("docs/c.md", "# Right"),
            ("crates/a/src/lib.rs", ""),
        ]);
        let found: Vec<String> = find(&workspace).unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            [
                "docs/a.md:1: the link b.md leads to no file",
                "docs/a.md:2: the link c.md#wrong leads to no heading",
                "docs/a.md:5: `crates/a/src/{lib,main}.rs` is no path of this repository",
                "docs/a.md:5: `bins/x` is no path of this repository",
            ]
        );
    }

    #[test]
    fn a_path_may_begin_with_the_folder_of_a_crate() {
        let text = "`a/src/gone.rs` `a/src/lib.rs` `other/src/gone.rs` `application/json`";
        let workspace = Workspace::in_memory(&[
            ("docs/a.md", text),
            ("crates/a/src/lib.rs", ""),
            ("crates/a/Cargo.toml", "[package]\nname = \"a\""),
        ]);
        let found: Vec<String> = find(&workspace).unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(found, ["docs/a.md:1: `a/src/gone.rs` is no path of this repository"]);
    }

    #[test]
    fn documents_outside_the_list_are_not_read() {
        let workspace = Workspace::in_memory(&[("xtask/samples/page.md", "[a](b.md)")]);
        assert!(find(&workspace).unwrap().is_empty());
    }

    #[test]
    fn braces_stand_for_each_of_their_choices() {
        assert_eq!(alternatives("a/{b,c}/{d,e}"), ["a/b/d", "a/b/e", "a/c/d", "a/c/e"]);
    }

    #[test]
    fn a_link_may_go_up_but_not_out() {
        assert_eq!(resolved("docs/a/b.md", "../c.md").as_deref(), Some("docs/c.md"));
        assert_eq!(resolved("a.md", "../c.md"), None);
    }
}
