//! Files of a crate that import each other, directly or indirectly. None of them can be read alone. Present
//! cycles are in a baseline and may only become fewer and smaller.

mod graph;
mod modules;
mod paths;

use std::collections::BTreeSet;

use super::baseline::Growth;
use super::finding::Finding;
use super::sources::Crate;
use super::workspace::Workspace;

const BASELINE: &str = "xtask/src/tidy/cycles.txt";

/// A present cycle.
#[derive(Debug)]
struct NamedCycle {
    /// The folder of the crate's source.
    folder: String,
    /// Its files, relative to that folder.
    files: BTreeSet<String>,
    /// A shortest cycle, as files relative to the folder.
    shortest: Vec<String>,
}

impl NamedCycle {
    fn line(&self) -> String {
        line_of(&self.folder, &self.files)
    }

    fn is_within(&self, line: &BaselineLine) -> bool {
        self.folder == line.folder && self.files.is_subset(&line.files)
    }
}

/// A line of the baseline.
#[derive(Debug)]
struct BaselineLine {
    number: usize,
    folder: String,
    files: BTreeSet<String>,
}

/// Cycles that are new or have grown, and lines of the baseline whose cycle has shrunk or is gone.
pub(crate) fn find(workspace: &Workspace) -> anyhow::Result<Vec<Finding>> {
    let baseline = baseline(workspace);
    let today = today(workspace)?;
    let mut findings: Vec<Finding> = Vec::new();
    for cycle in today.iter().filter(|cycle| !baseline.iter().any(|line| cycle.is_within(line))) {
        let around =
            cycle.shortest.iter().chain(cycle.shortest.first()).cloned().collect::<Vec<_>>().join(" -> ");
        let first = cycle.shortest.first().map(String::as_str).unwrap_or_default();
        let message = format!(
            "{} files import each other in a cycle that is new or has grown: {}; a shortest way: {around}",
            cycle.files.len(),
            cycle.line()
        );
        findings.push(Finding::new(format!("{}/{first}", cycle.folder), 1, message));
    }
    for line in &baseline {
        if !today.iter().any(|cycle| cycle.folder == line.folder && cycle.files == line.files) {
            let message = "this cycle is gone or has shrunk; bring the line up to date (--write)";
            findings.push(Finding::new(BASELINE, line.number, message));
        }
    }
    Ok(findings)
}

/// Stores the present cycles; new or grown ones only if growth is accepted.
pub(crate) fn write(workspace: &Workspace, growth: Growth) -> anyhow::Result<()> {
    let lines = renewed(&baseline(workspace), &today(workspace)?, growth);
    workspace.files.write(BASELINE, &lines.into_iter().map(|line| line + "\n").collect::<String>())
}

/// The lines of the new baseline, sorted. A grown cycle keeps its old line and stays a finding.
fn renewed(baseline: &[BaselineLine], today: &[NamedCycle], growth: Growth) -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    for cycle in today {
        if growth == Growth::Accepted || baseline.iter().any(|line| cycle.is_within(line)) {
            lines.insert(cycle.line());
        } else {
            let part =
                |line: &&BaselineLine| line.folder == cycle.folder && line.files.is_subset(&cycle.files);
            lines.extend(baseline.iter().filter(part).map(|line| line_of(&line.folder, &line.files)));
        }
    }
    lines
}

/// The line of a cycle in the baseline: `folder: file file …`.
fn line_of(folder: &str, files: &BTreeSet<String>) -> String {
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    format!("{folder}: {}", files.join(" "))
}

fn baseline(workspace: &Workspace) -> Vec<BaselineLine> {
    let text = workspace.files.text(BASELINE).unwrap_or_default();
    let line = |(index, line): (usize, &str)| {
        let (folder, files) = line.split_once(": ")?;
        let files = files.split(' ').map(str::to_owned).collect();
        Some(BaselineLine { number: index + 1, folder: folder.to_owned(), files })
    };
    text.lines().enumerate().filter_map(line).collect()
}

fn today(workspace: &Workspace) -> anyhow::Result<Vec<NamedCycle>> {
    Ok(workspace.crates()?.iter().flat_map(named_cycles).collect())
}

fn named_cycles(krate: &Crate) -> Vec<NamedCycle> {
    let root = krate.files.first().map(|file| file.path.as_str()).unwrap_or_default();
    let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder);
    let name = |index: &usize| {
        krate.files[*index].path.trim_start_matches(folder).trim_start_matches('/').to_owned()
    };
    let cycles = graph::cycles(&graph::edges(krate));
    cycles
        .iter()
        .map(|cycle| NamedCycle {
            folder: folder.to_owned(),
            files: cycle.files.iter().map(name).collect(),
            shortest: cycle.shortest.iter().map(name).collect(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::find;
    use crate::tidy::workspace::Workspace;

    /// The findings in a crate of three files with these imports, with a baseline.
    fn found(b: &str, c: &str, d: &str, baseline: &str) -> Vec<String> {
        let item = |text: &str, name: &str| format!("{text} pub struct {name};");
        let workspace = Workspace::in_memory(&[
            ("a/Cargo.toml", "[package]\nname = \"a\""),
            ("a/src/lib.rs", "mod b; mod c; mod d;"),
            ("a/src/b.rs", &item(b, "B")),
            ("a/src/c.rs", &item(c, "C")),
            ("a/src/d.rs", &item(d, "D")),
            ("xtask/src/tidy/cycles.txt", baseline),
        ]);
        find(&workspace).unwrap().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_new_cycle_is_found_with_its_files_and_a_shortest_way() {
        assert_eq!(
            found("use crate::c::C;", "use crate::b::B;", "", ""),
            [
                "a/src/b.rs:1: 2 files import each other in a cycle that is new or has grown: a/src: b.rs c.rs; \
              a shortest way: b.rs -> c.rs -> b.rs"
            ]
        );
    }

    #[test]
    fn a_cycle_of_the_baseline_passes_and_fails_when_it_grows() {
        let baseline = "a/src: b.rs c.rs\n";
        assert!(found("use crate::c::C;", "use crate::b::B;", "", baseline).is_empty());
        let grown = found("use crate::c::C;", "use crate::d::D;", "use crate::b::B;", baseline);
        assert_eq!(grown.len(), 2);
    }

    #[test]
    fn a_line_whose_cycle_shrank_or_is_gone_must_go() {
        let told = "xtask/src/tidy/cycles.txt:1: this cycle is gone or has shrunk; bring the line up to date (--write)";
        assert_eq!(found("", "", "", "a/src: b.rs c.rs\n"), [told]);
        let shrunk = found("use crate::c::C;", "use crate::b::B;", "", "a/src: b.rs c.rs d.rs\n");
        assert_eq!(shrunk, [told]);
    }
}
