//! Checks licences, sources and bans of `deny.toml` without the network. `cargo deny check` reads the same
//! file and also the database of advisories, for which it needs the network.

use anyhow::{Context as _, bail};
use serde_json::Value as Json;
use spdx::{Expression, Licensee, ParseMode};
use toml::{Table, Value};

use super::finding::Finding;
use super::packages::line_of;
use super::workspace::Workspace;
use crate::shell::cargo;

const CONFIGURATION: &str = "deny.toml";

const SECTIONS: [&str; 4] = ["advisories", "licenses", "bans", "sources"];

const CRATES_IO: &str = "https://github.com/rust-lang/crates.io-index";

/// A package of the lock file.
#[derive(Debug)]
struct LockedPackage {
    name: String,
    version: String,
    /// Its source; `None` for packages of the workspace.
    source: Option<String>,
}

/// A package and its licence expression.
#[derive(Debug)]
struct LicensedPackage {
    name: String,
    license: Option<String>,
}

/// Violations of the file, and its missing sections.
pub(crate) fn find(workspace: &Workspace) -> anyhow::Result<Vec<Finding>> {
    let Some(text) = workspace.files.text(CONFIGURATION) else {
        return Ok(vec![Finding::new(CONFIGURATION, 1, "the file is missing")]);
    };
    let configuration: Table = text.parse().context(CONFIGURATION)?;
    let locked = locked_packages(workspace.files.text("Cargo.lock").context("Cargo.lock")?)?;
    let mut findings: Vec<Finding> = SECTIONS
        .iter()
        .filter(|section| !configuration.contains_key(**section))
        .map(|section| Finding::new(CONFIGURATION, 1, format!("the section [{section}] is missing")))
        .collect();
    let found = [
        ("allow", unlicensed(&configuration, &licensed_packages()?)?),
        ("deny", banned(&configuration, &locked)?),
        ("unknown-registry", foreign(&configuration, &locked)),
    ];
    for (key, messages) in found {
        let line = line_of(text, key);
        findings.extend(messages.into_iter().map(|message| Finding::new(CONFIGURATION, line, message)));
    }
    Ok(findings)
}

fn locked_packages(lock: &str) -> anyhow::Result<Vec<LockedPackage>> {
    let lock: Table = lock.parse().context("Cargo.lock")?;
    let packages = lock.get("package").and_then(Value::as_array).context("Cargo.lock has no packages")?;
    let word = |package: &Value, key: &str| package.get(key).and_then(Value::as_str).map(str::to_owned);
    packages
        .iter()
        .map(|package| {
            Ok(LockedPackage {
                name: word(package, "name").context("a package without name")?,
                version: word(package, "version").context("a package without version")?,
                source: word(package, "source"),
            })
        })
        .collect()
}

/// The packages of a build for this machine. Those of other platforms may not be fetched.
fn licensed_packages() -> anyhow::Result<Vec<LicensedPackage>> {
    let arguments = ["metadata", "--locked", "--all-features", "--format-version", "1", "--filter-platform"];
    let output = cargo(&arguments).arg(host()?).output().context("cargo metadata")?;
    if !output.status.success() {
        bail!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    }
    let metadata: Json = serde_json::from_slice(&output.stdout).context("cargo metadata")?;
    let packages = metadata["packages"].as_array().context("cargo metadata has no packages")?;
    let word = |value: &Json| value.as_str().map(str::to_owned);
    let licensed = |package: &Json| LicensedPackage {
        name: word(&package["name"]).unwrap_or_default(),
        license: word(&package["license"]),
    };
    Ok(packages.iter().map(licensed).collect())
}

/// The target triple of this machine.
fn host() -> anyhow::Result<String> {
    let output = cargo(&["--version", "--verbose"]).output().context("cargo --version")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("cargo does not name its host")?.to_owned())
}

/// Packages whose licence is not allowed.
fn unlicensed(configuration: &Table, packages: &[LicensedPackage]) -> anyhow::Result<Vec<String>> {
    let section = configuration.get("licenses");
    let allowed = licensees(section.and_then(|section| section.get("allow")))?;
    let exceptions = section.and_then(|section| section.get("exceptions")?.as_array()).into_iter().flatten();
    let exceptions: Vec<&Value> = exceptions.collect();
    let mut found = Vec::new();
    for package in packages {
        let Some(license) = &package.license else {
            found.push(format!("{} states no licence", package.name));
            continue;
        };
        let own = exceptions.iter().filter(|exception| crate_of(exception) == Some(package.name.as_str()));
        let mut licensees_of_package = allowed.clone();
        for exception in own {
            licensees_of_package.extend(licensees(exception.get("allow"))?);
        }
        if !is_allowed(license, &licensees_of_package)? {
            found.push(format!("{} is under {license}, which is not allowed", package.name));
        }
    }
    Ok(found)
}

fn licensees(list: Option<&Value>) -> anyhow::Result<Vec<Licensee>> {
    let words = list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    words.map(|word| Licensee::parse(word).map_err(|error| anyhow::anyhow!("{error}"))).collect()
}

/// Whether the allowed licences satisfy an expression such as `MIT OR Apache-2.0`.
fn is_allowed(license: &str, allowed: &[Licensee]) -> anyhow::Result<bool> {
    let expression = Expression::parse_mode(license, ParseMode::LAX);
    let expression = expression.map_err(|error| anyhow::anyhow!("{license}: {error}"))?;
    Ok(expression.evaluate(|needed| allowed.iter().any(|licensee| licensee.satisfies(needed))))
}

/// Packages that are banned, or banned in several versions.
fn banned(configuration: &Table, packages: &[LockedPackage]) -> anyhow::Result<Vec<String>> {
    let entries =
        configuration.get("bans").and_then(|bans| bans.get("deny")?.as_array()).into_iter().flatten();
    let mut found = Vec::new();
    for entry in entries {
        let name = crate_of(entry).context("an entry of `deny` names no crate")?;
        if name.contains([':', '@', '=', '<', '>']) {
            bail!("`{name}`: only plain names are read here");
        }
        let reason = entry.get("reason").and_then(Value::as_str).unwrap_or("it is banned");
        let versions: Vec<&str> = packages
            .iter()
            .filter(|package| package.name == name)
            .map(|package| package.version.as_str())
            .collect();
        let once = entry.get("deny-multiple-versions").and_then(Value::as_bool).unwrap_or_default();
        if once && versions.len() > 1 {
            found.push(format!(
                "{name} is there in {} versions ({}): {reason}",
                versions.len(),
                versions.join(", ")
            ));
        } else if !once && !versions.is_empty() {
            found.push(format!("{name} {} must not be there: {reason}", versions.join(", ")));
        }
    }
    Ok(found)
}

/// The crate of an entry, which is a name or a table with one.
fn crate_of(entry: &Value) -> Option<&str> {
    entry.as_str().or_else(|| entry.get("crate").or_else(|| entry.get("name"))?.as_str())
}

/// Packages from sources that are not allowed.
fn foreign(configuration: &Table, packages: &[LockedPackage]) -> Vec<String> {
    let sources = configuration.get("sources");
    let list = |key: &str| {
        let list = sources.and_then(|sources| sources.get(key)?.as_array());
        list.map(|list| list.iter().filter_map(Value::as_str).collect::<Vec<_>>())
    };
    let registries = list("allow-registry").unwrap_or_else(|| vec![CRATES_IO]);
    let repositories = list("allow-git").unwrap_or_default();
    let is_known = |source: &str| match source.split_once('+') {
        Some(("registry" | "sparse", url)) => registries.contains(&url),
        Some(("git", url)) => repositories.contains(&url.split(['?', '#']).next().unwrap_or_default()),
        _ => false,
    };
    let unknown = |package: &LockedPackage| {
        let source = package.source.as_deref().filter(|source| !is_known(source))?;
        Some(format!("{} {} comes from {source}", package.name, package.version))
    };
    packages.iter().filter_map(unknown).collect()
}

#[cfg(test)]
mod tests {
    use super::{LicensedPackage, banned, foreign, locked_packages, unlicensed};

    const LOCK: &str = "[[package]]\nname = \"own\"\nversion = \"0.1.0\"\n\
        [[package]]\nname = \"a\"\nversion = \"1.0.0\"\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\n\
        [[package]]\nname = \"a\"\nversion = \"2.0.0\"\nsource = \"git+https://a.example/a?rev=1#2\"\n";

    #[test]
    fn a_licence_must_be_allowed_by_the_list_or_for_its_package() {
        let configuration = "[licenses]\nallow = [\"MIT\", \"Apache-2.0 WITH LLVM-exception\"]\n\
            exceptions = [{ crate = \"roots\", allow = [\"CDLA-Permissive-2.0\"] }]\n";
        let package = |name: &str, license: Option<&str>| LicensedPackage {
            name: name.to_owned(),
            license: license.map(str::to_owned),
        };
        let packages = [
            package("a", Some("MIT/Apache-2.0")),
            package("b", Some("Apache-2.0 WITH LLVM-exception")),
            package("roots", Some("CDLA-Permissive-2.0")),
            package("c", Some("CDLA-Permissive-2.0")),
            package("d", Some("MIT AND GPL-3.0-only")),
            package("e", None),
        ];
        assert_eq!(
            unlicensed(&configuration.parse().unwrap(), &packages).unwrap(),
            [
                "c is under CDLA-Permissive-2.0, which is not allowed",
                "d is under MIT AND GPL-3.0-only, which is not allowed",
                "e states no licence",
            ]
        );
    }

    #[test]
    fn a_banned_crate_must_not_be_there_and_a_listed_one_only_once() {
        let ban = |text: &str| {
            let configuration = format!("[bans]\ndeny = [{text}]").parse().unwrap();
            banned(&configuration, &locked_packages(LOCK).unwrap()).unwrap()
        };
        assert_eq!(ban("\"a\""), ["a 1.0.0, 2.0.0 must not be there: it is banned"]);
        assert_eq!(
            ban("{ crate = \"a\", deny-multiple-versions = true, reason = \"one will do\" }"),
            ["a is there in 2 versions (1.0.0, 2.0.0): one will do"]
        );
        assert!(ban("\"b\", { crate = \"own\", deny-multiple-versions = true }").is_empty());
    }

    #[test]
    fn packages_come_from_allowed_registries() {
        let packages = locked_packages(LOCK).unwrap();
        let told = foreign(&"[sources]".parse().unwrap(), &packages);
        assert_eq!(told, ["a 2.0.0 comes from git+https://a.example/a?rev=1#2"]);
        let allowed = "[sources]\nallow-git = [\"https://a.example/a\"]".parse().unwrap();
        assert!(foreign(&allowed, &packages).is_empty());
    }
}
