//! `cargo xtask layers`: checks which crate may depend on which, as `docs/architecture.md` documents.

use anyhow::{Context as _, bail};
use serde_json::Value;

use crate::shell::cargo;

/// Crates that core crates must not depend on.
const OUTSIDE: &[&str] = &[
    "actix-web",
    "actix-multipart",
    "diesel",
    "diesel_migrations",
    "reqwest",
    "tokio",
    "object_store",
    "rustix",
    "getrandom",
    "clap",
];

/// What every crate may know, since it knows no other itself: natural languages.
const FOUNDATION: &[&str] = &["language"];

/// The core crates that each core crate may know, beside `shared-core` and the foundation.
pub(crate) const CORE_EDGES: &[(&str, &[&str])] = &[
    ("shared-core", &[]),
    ("accounts-core", &[]),
    ("document", &[]),
    ("html", &[]),
    ("documents-core", &["document", "html"]),
    ("files-core", &["document"]),
    ("gen-core", &[]),
    ("forms-core", &["gen-core", "document"]),
    ("agents-core", &["gen-core", "forms-core", "document"]),
    ("rules-engine", &["gen-core", "document", "forms-core", "agents-core"]),
    ("jobs-core", &[]),
    ("delta-core", &["gen-core", "document", "forms-core", "intake-core", "agents-core", "jobs-core"]),
    ("webhooks-core", &["jobs-core"]),
    ("evaluation-core", &["gen-core", "document", "forms-core", "delta-core", "kb-core"]),
    ("intake-core", &["gen-core", "document", "forms-core"]),
    ("notes-core", &[]),
    ("kb-core", &["gen-core", "document", "files-core", "jobs-core"]),
    ("utilities-core", &["gen-core", "document", "files-core", "html", "webpage-core"]),
    ("webpage-core", &["html"]),
];

/// Adapters. They depend on core crates and never on each other.
const ADAPTERS: &[&str] = &[
    "store-diesel",
    "parser-pool",
    "ocr-tesseract",
    "page-chromium",
    "blobs",
    "providers-http",
    "search-index",
    "local-embeddings",
    "runtime-tokio",
];

/// Crates shared by adapters, and by clients. They depend on no other crate of the workspace.
const SHARED_BY_ADAPTERS: &[&str] = &["programs", "sandbox", "tls-client"];

/// Packages for programs of others, below `clients`. They know the HTTP interface, and of the workspace at most what
/// knows no other crate.
const CLIENTS: &[&str] = &["formwork-client"];

/// Checks every dependency within the workspace.
pub(crate) fn run() -> anyhow::Result<()> {
    let output =
        cargo(&["metadata", "--no-deps", "--format-version", "1"]).output().context("cargo metadata")?;
    let metadata: Value = serde_json::from_slice(&output.stdout).context("cargo metadata")?;
    let packages = metadata["packages"].as_array().context("packages")?;
    let names: Vec<&str> = packages.iter().filter_map(|package| package["name"].as_str()).collect();
    let mut broken = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            // Tests may depend on any crate.
            if dependency["kind"].as_str() != Some("dev") {
                let target = dependency["name"].as_str().unwrap_or_default();
                broken.extend(check(name, target, names.contains(&target)));
            }
        }
    }
    if !broken.is_empty() {
        bail!("the layers are broken:\n  {}", broken.join("\n  "));
    }
    println!("layers: {} crates keep to their layers", names.len());
    Ok(())
}

/// The core crates that a core crate may know; `None` for other crates.
fn core_edges(name: &str) -> Option<&'static [&'static str]> {
    CORE_EDGES.iter().find(|(core, _)| *core == name).map(|(_, edges)| *edges)
}

/// The violation of a dependency, if any.
fn check(name: &str, target: &str, own: bool) -> Option<String> {
    if FOUNDATION.contains(&name) {
        let is_outside = OUTSIDE.contains(&target) || own;
        return is_outside.then(|| format!("{name} is known by all and must not depend on {target}"));
    }
    if FOUNDATION.contains(&target) && own {
        return None;
    }
    if let Some(edges) = core_edges(name) {
        if OUTSIDE.contains(&target) {
            return Some(format!("{name} is a core crate and must not depend on {target}"));
        }
        if own && target != "shared-core" && !edges.contains(&target) {
            return Some(format!("{name} must not depend on {target}; a new edge needs a decision record"));
        }
        return None;
    }
    if name.ends_with("-core") {
        return Some(format!("{name} has no place among the layers; add it with a decision record"));
    }
    if SHARED_BY_ADAPTERS.contains(&name) && own {
        return Some(format!("{name} is shared by adapters and must not depend on {target}"));
    }
    if CLIENTS.contains(&name) && own && !SHARED_BY_ADAPTERS.contains(&target) {
        return Some(format!("{name} is a client and must not depend on {target}"));
    }
    let may = core_edges(target).is_some() || SHARED_BY_ADAPTERS.contains(&target);
    if ADAPTERS.contains(&name) && own && !may {
        return Some(format!("{name} is an adapter and must not depend on {target}"));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn a_core_crate_may_not_reach_outside_or_sideways() {
        assert!(check("forms-core", "tokio", false).is_some());
        assert!(check("forms-core", "files-core", true).is_some());
        assert!(check("forms-core", "documents-core", true).is_some());
        assert!(check("document", "documents-core", true).is_some());
        assert!(check("html", "document", true).is_some());
        assert!(check("blobs", "new-core", true).is_some());
        assert!(check("ocr-tesseract", "document", true).is_none());
        assert!(check("new-core", "serde", false).is_some());
        assert!(check("blobs", "store-diesel", true).is_some());
        assert!(check("forms-core", "programs", true).is_some());
        assert!(check("programs", "shared-core", true).is_some());
        assert!(check("page-chromium", "programs", true).is_none());
        assert!(check("forms-core", "gen-core", true).is_none());
        assert!(check("forms-core", "language", true).is_none());
        assert!(check("rules-engine", "forms-core", true).is_none());
        assert!(check("forms-core", "rules-engine", true).is_some());
        assert!(check("gen-core", "rules-engine", true).is_some());
        assert!(check("language", "shared-core", true).is_some());
        assert!(check("language", "tokio", false).is_some());
        assert!(check("blobs", "files-core", true).is_none());
        assert!(check("formwork-client", "shared-core", true).is_some());
        assert!(check("formwork-client", "tls-client", true).is_none());
    }
}
