//! `cargo xtask tidy`: rules of the repository that no compiler checks. Each check reads the tree and returns
//! findings. None needs the network or a build.

mod baseline;
mod cycles;
mod dependencies;
mod dependency_uses;
mod doc_lines;
mod edges;
mod figures;
mod file_length;
mod files;
mod finding;
mod items;
mod language_words;
mod links;
mod markdown;
mod package_counts;
mod packages;
mod sources;
mod type_names;
mod workspace;

use anyhow::{Context as _, bail};

use baseline::Growth;
use finding::Finding;
use workspace::Workspace;

pub(crate) use figures::marker as figures_marker;

type Find = fn(&Workspace) -> anyhow::Result<Vec<Finding>>;
type Write = fn(&Workspace, Growth) -> anyhow::Result<()>;

/// A rule and how it is checked.
struct Check {
    name: &'static str,
    about: &'static str,
    find: Find,
    /// Updates the file that the check compares with.
    write: Option<Write>,
}

impl Check {
    const fn new(name: &'static str, about: &'static str, find: Find, write: Option<Write>) -> Self {
        Self { name, about, find, write }
    }
}

const CHECKS: &[Check] = &[
    Check::new("file-length", "product files have at most 400 lines", file_length::find, None),
    Check::new(
        "dependencies",
        "every dependency of a manifest is named in its code",
        dependencies::find,
        None,
    ),
    Check::new("links", "links and paths in the documents have targets", links::find, None),
    Check::new(
        "edges",
        "docs/architecture.md shows the crate edges that `layers` enforces",
        edges::find,
        Some(edges::write),
    ),
    Check::new("cycles", "no further files import each other", cycles::find, Some(cycles::write)),
    Check::new(
        "doc-lines",
        "no further doc line only restates the name of its item",
        doc_lines::find,
        Some(doc_lines::write),
    ),
    Check::new(
        "type-names",
        "no further type is named by a bare participle, adverb, preposition or pronoun",
        type_names::find,
        Some(type_names::write),
    ),
    Check::new(
        "language-words",
        "no second type of a language, and no further words of natural languages in code",
        language_words::find,
        Some(language_words::write),
    ),
    Check::new(
        "figures",
        "the release figures were measured with the present dependencies",
        figures::find,
        None,
    ),
];

/// Runs the checks that the arguments name, or all.
pub(crate) fn run(arguments: &[&str]) -> anyhow::Result<()> {
    let (options, names): (Vec<&str>, Vec<&str>) = arguments.iter().partition(|word| word.starts_with("--"));
    let checks = selected(&names)?;
    match options.as_slice() {
        [] => report(&checks),
        ["--list"] => {
            CHECKS.iter().for_each(|check| println!("{}", line(check)));
            Ok(())
        }
        ["--write"] => write(&checks, Growth::Refused),
        ["--write", "--accept"] | ["--accept", "--write"] => write(&checks, Growth::Accepted),
        _ => bail!("cargo xtask tidy [CHECK…] [--list | --write [--accept]]"),
    }
}

fn selected(names: &[&str]) -> anyhow::Result<Vec<&'static Check>> {
    if names.is_empty() {
        return Ok(CHECKS.iter().collect());
    }
    let find = |name: &&str| CHECKS.iter().find(|check| check.name == *name);
    names.iter().map(|name| find(name).with_context(|| format!("no check is named {name}"))).collect()
}

fn line(check: &Check) -> String {
    format!("{:<16}{}", check.name, check.about)
}

fn report(checks: &[&Check]) -> anyhow::Result<()> {
    let workspace = Workspace::read()?;
    let mut count = 0;
    for check in checks {
        let findings = (check.find)(&workspace).with_context(|| check.name)?;
        println!(
            "tidy {}: {}",
            check.name,
            if findings.is_empty() { "ok".to_owned() } else { counted(&findings) }
        );
        findings.iter().for_each(|finding| println!("{finding}"));
        count += findings.len();
    }
    anyhow::ensure!(count == 0, "tidy has {count} findings");
    Ok(())
}

fn counted(findings: &[Finding]) -> String {
    format!("{} finding{}", findings.len(), if findings.len() == 1 { "" } else { "s" })
}

fn write(checks: &[&Check], growth: Growth) -> anyhow::Result<()> {
    let workspace = Workspace::read()?;
    for check in checks {
        if let Some(write) = check.write {
            write(&workspace, growth).with_context(|| check.name)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::selected;

    #[test]
    fn without_names_every_check_runs() {
        let names: Vec<&str> = selected(&[]).unwrap().iter().map(|check| check.name).collect();
        assert!(names.contains(&"cycles") && names.contains(&"figures"));
    }

    #[test]
    fn a_check_that_does_not_exist_is_refused() {
        assert_eq!(selected(&["figures"]).unwrap()[0].name, "figures");
        assert!(selected(&["spelling"]).is_err());
    }
}
