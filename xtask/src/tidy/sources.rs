//! Parsed product code: every file that a library or program of a package reaches by `mod`, without tests.

use std::collections::VecDeque;

use anyhow::Context as _;
use syn::punctuated::Punctuated;
use syn::{Attribute, Item, Meta, Token};

use super::files::Files;
use super::packages::Package;

/// The files of one library or program.
pub(crate) struct Crate {
    /// Name of its package.
    pub(crate) package: String,
    /// Its files, the root first.
    pub(crate) files: Vec<SourceFile>,
}

/// A file of a crate.
pub(crate) struct SourceFile {
    /// Relative to the root of the repository.
    pub(crate) path: String,
    /// Its module path from the root of the crate.
    pub(crate) module: Vec<String>,
    /// Its syntax tree.
    pub(crate) syntax: syn::File,
}

/// Parses the product code of every package.
pub(crate) fn parse(files: &Files, packages: &[Package]) -> anyhow::Result<Vec<Crate>> {
    let mut crates = Vec::new();
    for package in packages {
        let source = format!("{}/src/", package.folder);
        let is_root = |path: &&str| {
            path.strip_prefix(&source).is_some_and(|rest| {
                rest == "lib.rs" || rest == "main.rs" || (rest.starts_with("bin/") && rest.ends_with(".rs"))
            })
        };
        for root in files.paths().filter(is_root) {
            crates.push(parse_crate(files, &package.name, root)?);
        }
    }
    Ok(crates)
}

fn parse_crate(files: &Files, package: &str, root: &str) -> anyhow::Result<Crate> {
    let mut found = Vec::new();
    let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut open = VecDeque::from([(root.to_owned(), folder.to_owned(), Vec::new())]);
    while let Some((path, folder, module)) = open.pop_front() {
        let text = files.text(&path).with_context(|| format!("{path} is declared but not there"))?;
        let syntax = syn::parse_file(text).with_context(|| path.clone())?;
        let children = declared(&syntax.items, &[]);
        for child in children {
            let below = format!("{folder}/{}", child.join("/"));
            let candidates = [format!("{below}.rs"), format!("{below}/mod.rs")];
            let file = candidates.into_iter().find(|candidate| files.text(candidate).is_some());
            let file =
                file.with_context(|| format!("{path} declares {}, which has no file", child.join("::")))?;
            open.push_back((file, below, [module.clone(), child].concat()));
        }
        found.push(SourceFile { path, module, syntax });
    }
    Ok(Crate { package: package.to_owned(), files: found })
}

/// The modules that items declare in files of their own, also within inline modules.
fn declared(items: &[Item], outer: &[String]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for item in items {
        if let Item::Mod(module) = item
            && !is_test_only(&module.attrs)
        {
            let path = [outer, &[module.ident.to_string()]].concat();
            match &module.content {
                Some((_, items)) => found.extend(declared(items, &path)),
                None => found.push(path),
            }
        }
    }
    found
}

/// Whether attributes make an item test-only.
pub(crate) fn is_test_only(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || (attribute.path().is_ident("cfg")
                && attribute.parse_args::<Meta>().is_ok_and(|condition| needs_test(&condition)))
    })
}

/// Whether a `cfg` condition holds only in tests.
fn needs_test(condition: &Meta) -> bool {
    let parts = |list: &syn::MetaList| {
        list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).unwrap_or_default()
    };
    match condition {
        Meta::Path(path) => path.is_ident("test"),
        Meta::List(list) if list.path.is_ident("all") => parts(list).iter().any(needs_test),
        Meta::List(list) if list.path.is_ident("any") => parts(list).iter().all(needs_test),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{is_test_only, parse};
    use crate::tidy::files::Files;
    use crate::tidy::packages;

    #[test]
    fn files_are_found_by_their_declarations_and_tests_are_left_out() {
        let files = Files::in_memory(&[
            ("a/Cargo.toml", "[package]\nname = \"a\""),
            ("a/src/lib.rs", "mod b; mod c { mod d; } #[cfg(test)] mod tests;"),
            ("a/src/b/mod.rs", "mod e;"),
            ("a/src/b/e.rs", ""),
            ("a/src/c/d.rs", ""),
            ("a/src/tests.rs", ""),
            ("a/src/forgotten.rs", ""),
        ]);
        let crates = parse(&files, &packages::read(&files).unwrap()).unwrap();
        let paths: Vec<&str> = crates[0].files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["a/src/lib.rs", "a/src/b/mod.rs", "a/src/c/d.rs", "a/src/b/e.rs"]);
        assert_eq!(crates[0].files[3].module, ["b", "e"]);
    }

    #[test]
    fn an_item_is_for_tests_when_its_condition_holds_nowhere_else() {
        let of = |text: &str| is_test_only(&syn::parse_str::<syn::ItemStruct>(text).unwrap().attrs);
        assert!(of("#[cfg(test)] struct A;"));
        assert!(of("#[cfg(all(test, unix))] struct A;"));
        assert!(!of("#[cfg(any(test, feature = \"memory\"))] struct A;"));
        assert!(!of("#[cfg(not(test))] struct A;"));
    }
}
