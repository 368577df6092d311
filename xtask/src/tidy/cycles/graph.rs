//! The import graph of a crate's files, and its cycles.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;

use super::modules::{FileIndex, Modules, Target};
use super::paths::{self, PathPlace};
use crate::tidy::sources::Crate;

/// The files that a file imports.
pub(super) type ImportGraph = BTreeMap<FileIndex, BTreeSet<FileIndex>>;

/// A strongly connected component: files that import each other.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ImportCycle {
    /// All of them.
    pub(super) files: BTreeSet<FileIndex>,
    /// A shortest cycle, with its first file named once.
    pub(super) shortest: Vec<FileIndex>,
}

/// The edges between the files of a crate.
pub(super) fn edges(krate: &Crate) -> ImportGraph {
    let modules = Modules::of(krate);
    let mut graph = ImportGraph::new();
    for (index, file) in krate.files.iter().enumerate() {
        for found in paths::of(&file.syntax) {
            let module = [file.module.as_slice(), &found.inline].concat();
            // A parent that calls into a child (`child::run()`) composes the crate, which is necessary
            // somewhere in every crate.
            if found.place == PathPlace::Code && modules.has_child(&module, &found.segments[0]) {
                continue;
            }
            // A module itself is no import: each item that the file takes from it is a path of its own.
            let Some(Target::Item { module: origin, file: target }) =
                modules.resolve(&module, &found.segments)
            else {
                continue;
            };
            // A parent that re-exports its children does not depend on them.
            let offers_child = found.place == PathPlace::Export && origin.starts_with(&module);
            if target != index && !offers_child {
                graph.entry(index).or_default().insert(target);
            }
        }
    }
    graph
}

/// Every import cycle.
pub(super) fn cycles(graph: &ImportGraph) -> Vec<ImportCycle> {
    let pairs = graph.iter().flat_map(|(from, targets)| targets.iter().map(|to| (*from, *to)));
    let connected = tarjan_scc(&DiGraphMap::<FileIndex, ()>::from_edges(pairs));
    let circles = connected.into_iter().filter(|files| files.len() > 1).map(BTreeSet::from_iter);
    circles.map(|files| ImportCycle { shortest: shortest(graph, &files), files }).collect()
}

fn shortest(graph: &ImportGraph, files: &BTreeSet<FileIndex>) -> Vec<FileIndex> {
    files.iter().filter_map(|start| way_back(graph, files, *start)).min_by_key(Vec::len).unwrap_or_default()
}

/// The shortest path from a file through others of its cycle back to it.
fn way_back(graph: &ImportGraph, files: &BTreeSet<FileIndex>, start: FileIndex) -> Option<Vec<FileIndex>> {
    let mut open = VecDeque::from([vec![start]]);
    let mut seen = BTreeSet::new();
    while let Some(way) = open.pop_front() {
        for next in graph.get(way.last()?).into_iter().flatten().filter(|next| files.contains(next)) {
            if *next == start {
                return Some(way);
            }
            if seen.insert(*next) {
                open.push_back([way.as_slice(), &[*next]].concat());
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{ImportCycle, ImportGraph, cycles, edges};
    use crate::tidy::workspace::Workspace;

    fn graph(pairs: &[(usize, usize)]) -> ImportGraph {
        let mut graph = ImportGraph::new();
        pairs.iter().for_each(|(from, to)| {
            graph.entry(*from).or_default().insert(*to);
        });
        graph
    }

    #[test]
    fn a_circle_has_all_its_files_and_one_shortest_way() {
        let found = cycles(&graph(&[(0, 1), (1, 2), (2, 0), (2, 1), (3, 0)]));
        assert_eq!(found, [ImportCycle { files: BTreeSet::from([0, 1, 2]), shortest: vec![1, 2] }]);
        assert!(cycles(&graph(&[(0, 1), (1, 2), (0, 2)])).is_empty());
    }

    fn edges_of(texts: &[(&str, &str)]) -> Vec<String> {
        let manifest = [("a/Cargo.toml", "[package]\nname = \"a\"")];
        let workspace = Workspace::in_memory(&[&manifest, texts].concat());
        let krate = &workspace.crates().unwrap()[0];
        let name = |index: &usize| krate.files[*index].path.trim_start_matches("a/src/");
        let pairs = edges(krate);
        let pairs = pairs.iter().flat_map(|(from, targets)| targets.iter().map(move |to| (from, to)));
        pairs.map(|(from, to)| format!("{} -> {}", name(from), name(to))).collect()
    }

    #[test]
    fn an_import_through_a_re_export_leads_to_the_defining_file_and_the_re_export_to_none() {
        let found = edges_of(&[
            ("a/src/lib.rs", "mod b; pub use b::C; pub(crate) use b::c::D;"),
            ("a/src/b/mod.rs", "pub mod c; mod e; pub use c::C; use e::E;"),
            ("a/src/b/c.rs", "use crate::b::E; pub struct C; pub struct D;"),
            ("a/src/b/e.rs", "use super::C; pub struct E; #[cfg(test)] mod tests { use crate::D; }"),
        ]);
        assert_eq!(found, ["b/mod.rs -> b/e.rs", "b/c.rs -> b/e.rs", "b/e.rs -> b/c.rs"]);
    }

    #[test]
    fn a_module_is_imported_by_what_is_taken_from_it_and_a_parent_may_call_its_children() {
        let found = edges_of(&[
            ("a/src/lib.rs", "mod b; mod c; fn f() { b::g(); }"),
            ("a/src/b.rs", "use crate::c; pub fn g() { c::h() }"),
            ("a/src/c.rs", "pub fn h() { crate::b::g() }"),
        ]);
        assert_eq!(found, ["b.rs -> c.rs", "c.rs -> b.rs"]);
    }
}
