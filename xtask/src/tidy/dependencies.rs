//! Every dependency of a manifest must be used in the code that it is for, and every entry of
//! `[workspace.dependencies]` by a manifest.

use std::collections::BTreeSet;

use anyhow::Context as _;
use toml::{Table, Value};

use super::dependency_uses::{names, text_names};
use super::finding::Finding;
use super::packages::{Package, line_of};
use super::workspace::Workspace;

/// Package, dependency, and the reason for it although no code uses it.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("store-diesel", "libsqlite3-sys", "chooses how diesel's SQLite is built: bundled"),
    ("store-diesel", "pq-sys", "chooses how diesel's libpq is built: bundled, without OpenSSL"),
];

/// The tables of dependencies, also below `[target.…]`.
const TABLES: [DependencyTable; 3] = [
    DependencyTable { name: "dependencies", kind: Kind::Normal },
    DependencyTable { name: "dev-dependencies", kind: Kind::Development },
    DependencyTable { name: "build-dependencies", kind: Kind::Build },
];

#[derive(Clone, Copy, Debug)]
struct DependencyTable {
    name: &'static str,
    kind: Kind,
}

/// Kind of a dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Normal,
    Development,
    Build,
}

/// The names in the code of a package.
#[derive(Debug, Default)]
struct NamesOfPackage {
    product: BTreeSet<String>,
    tests: BTreeSet<String>,
    build: BTreeSet<String>,
}

/// Every unused dependency.
pub(crate) fn find(workspace: &Workspace) -> anyhow::Result<Vec<Finding>> {
    let mut findings = unused_in_workspace(workspace)?;
    for package in &workspace.packages {
        let names = names_of(workspace, package)?;
        for (kind, name, _) in dependencies(&package.manifest) {
            let exempt = EXCEPTIONS.iter().any(|(at, what, _)| *at == package.name && *what == name);
            if let Some(message) = unused(package, &names, kind, name).filter(|_| !exempt) {
                let path = package.manifest_path();
                let line = line_of(workspace.files.text(&path).unwrap_or_default(), name);
                findings.push(Finding::new(path, line, message));
            }
        }
    }
    findings.extend(stale_exceptions(workspace));
    Ok(findings)
}

/// The finding on a dependency, if any.
fn unused(package: &Package, names: &NamesOfPackage, kind: Kind, name: &str) -> Option<String> {
    let code = name.replace('-', "_");
    let in_tests = names.tests.contains(&code);
    let used = match kind {
        Kind::Normal => names.product.contains(&code),
        Kind::Development => in_tests || names.product.contains(&code),
        Kind::Build => names.build.contains(&code),
    };
    if used || sets_features(&package.manifest, name) {
        return None;
    }
    if kind == Kind::Normal && in_tests {
        return Some(format!("{name} is named by tests alone; make it a dev-dependency"));
    }
    Some(format!("{name} is named nowhere in the code of {}", package.name))
}

/// Kind, key and value of each dependency of a manifest.
fn dependencies(manifest: &Table) -> Vec<(Kind, &str, &Value)> {
    let targets = manifest.get("target").and_then(Value::as_table).into_iter().flat_map(Table::values);
    let places = std::iter::once(manifest).chain(targets.filter_map(Value::as_table));
    let mut found = Vec::new();
    for place in places {
        for table in TABLES {
            let entries = place.get(table.name).and_then(Value::as_table).into_iter().flatten();
            found.extend(entries.map(|(name, value)| (table.kind, name.as_str(), value)));
        }
    }
    found
}

/// Whether a feature of the package enables one of the dependency, such as `name/feature`.
fn sets_features(manifest: &Table, name: &str) -> bool {
    let features = manifest.get("features").and_then(Value::as_table).into_iter().flat_map(Table::values);
    let mut parts = features.filter_map(Value::as_array).flatten().filter_map(Value::as_str);
    parts.any(|part| part.split_once('/').is_some_and(|(owner, _)| owner.trim_end_matches('?') == name))
}

fn names_of(workspace: &Workspace, package: &Package) -> anyhow::Result<NamesOfPackage> {
    let mut found = NamesOfPackage::default();
    let prefix = format!("{}/", package.folder);
    for (path, text) in workspace.files.texts() {
        match path.strip_prefix(&prefix) {
            Some("build.rs") => found.build.extend(names(path, text)?),
            Some("README.md") => found.tests.extend(text_names(text)),
            Some(rest) if rest.starts_with("src/") && rest.ends_with(".rs") => {
                found.product.extend(names(path, text)?);
            }
            Some(rest) if is_test_code(rest) => found.tests.extend(names(path, text)?),
            _ => {}
        }
    }
    Ok(found)
}

fn is_test_code(path: &str) -> bool {
    let folders = ["tests/", "examples/", "benches/"];
    path.ends_with(".rs") && folders.iter().any(|folder| path.starts_with(folder))
}

/// Entries of `[workspace.dependencies]` that no manifest uses.
fn unused_in_workspace(workspace: &Workspace) -> anyhow::Result<Vec<Finding>> {
    let Some(text) = workspace.files.text("Cargo.toml") else { return Ok(Vec::new()) };
    let root: Table = text.parse().context("Cargo.toml")?;
    let entries = root.get("workspace").and_then(|workspace| workspace.get("dependencies")?.as_table());
    let taken: BTreeSet<&str> = workspace
        .packages
        .iter()
        .flat_map(|package| dependencies(&package.manifest))
        .filter(|(_, _, value)| value.get("workspace").is_some())
        .map(|(_, name, _)| name)
        .collect();
    let unused = entries.into_iter().flat_map(Table::keys).filter(|name| !taken.contains(name.as_str()));
    let finding = |name: &String| {
        Finding::new("Cargo.toml", line_of(text, name), format!("no package takes {name} from the workspace"))
    };
    Ok(unused.map(finding).collect())
}

/// Exceptions for dependencies that no longer exist.
fn stale_exceptions(workspace: &Workspace) -> Vec<Finding> {
    let is_there = |at: &str, what: &str| {
        let package = workspace.packages.iter().find(|package| package.name == at);
        package
            .is_some_and(|package| dependencies(&package.manifest).iter().any(|(_, name, _)| *name == what))
    };
    let stale = EXCEPTIONS.iter().filter(|(at, what, _)| !is_there(at, what));
    let finding = |(at, what, _): &(&str, &str, &str)| {
        Finding::new(
            "xtask/src/tidy/dependencies.rs",
            1,
            format!("{at} has no dependency {what}: remove its exception"),
        )
    };
    stale.map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::find;
    use crate::tidy::workspace::Workspace;

    fn found(manifest: &str, texts: &[(&str, &str)]) -> Vec<String> {
        let manifest = format!("[package]\nname = \"a\"\n{manifest}");
        let workspace = Workspace::in_memory(&[&[("a/Cargo.toml", manifest.as_str())], texts].concat());
        let findings = super::unused_in_workspace(&workspace).unwrap();
        let own = find(&workspace).unwrap().into_iter().skip(findings.len());
        let told = findings.into_iter().chain(own).map(|finding| finding.to_string());
        told.filter(|line| !line.starts_with("xtask/")).collect()
    }

    #[test]
    fn a_dependency_is_used_when_the_code_that_it_is_for_names_it() {
        let manifest = "[dependencies]\nb-c.workspace = true\nrenamed = { package = \"d\", version = \"1\" }\n\
                        forwarded = \"1\"\n[build-dependencies]\ne = \"1\"\n[dev-dependencies]\nf = \"1\"\ng = \"1\"\n\
                        [features]\nx = [\"forwarded?/y\"]\n";
        let texts = [
            ("a/src/lib.rs", "use b_c::X; fn f() { renamed::y(); }"),
            ("a/build.rs", "fn main() { e::z(); }"),
            ("a/tests/t.rs", "use f::F;"),
            ("a/README.md", "```rust\nuse g::G;\n```"),
        ];
        assert!(found(manifest, &texts).is_empty());
    }

    #[test]
    fn a_dependency_that_nothing_or_tests_alone_name_is_found() {
        let manifest = "[dependencies]\nb = \"1\"\nc = \"1\"\n[target.'cfg(unix)'.dependencies]\nd = \"1\"\n";
        let texts = [("a/src/lib.rs", "// b::x"), ("a/tests/t.rs", "use c::C;")];
        assert_eq!(
            found(manifest, &texts),
            [
                "a/Cargo.toml:4: b is named nowhere in the code of a",
                "a/Cargo.toml:5: c is named by tests alone; make it a dev-dependency",
                "a/Cargo.toml:7: d is named nowhere in the code of a",
            ]
        );
    }

    #[test]
    fn an_entry_of_the_workspace_that_no_manifest_takes_is_found() {
        let root = "[workspace.dependencies]\nb = \"1\"\nc = \"1\"\n";
        let texts = [("Cargo.toml", root), ("a/src/lib.rs", "use b::B;")];
        let told = found("[dependencies]\nb.workspace = true\n", &texts);
        assert_eq!(told, ["Cargo.toml:3: no package takes c from the workspace"]);
    }
}
