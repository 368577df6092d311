//! The modules of a crate with their names, and the file that a path resolves to.

use std::collections::{BTreeMap, BTreeSet};

use syn::Item;

use super::paths::{self, Import};
use crate::tidy::sources::{Crate, is_test_only};

/// Index of a file of the crate.
pub(super) type FileIndex = usize;

/// Limit for chains of re-exports; a longer chain is an error of the code or of this resolver.
const MOST_STEPS: usize = 32;

#[derive(Debug, Default)]
struct Module {
    file: FileIndex,
    items: BTreeSet<String>,
    imports: Vec<Import>,
}

/// The modules of one crate, by their paths from its root.
#[derive(Debug)]
pub(super) struct Modules {
    modules: BTreeMap<Vec<String>, Module>,
    /// The files that define exported macros, which belong to the root of the crate.
    macros: BTreeMap<String, FileIndex>,
}

/// What a path resolves to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// A module itself.
    Module(Vec<String>),
    /// An item of a module, which the file defines.
    Item { module: Vec<String>, file: FileIndex },
}

impl Modules {
    /// Collects the names of a crate.
    pub(super) fn of(krate: &Crate) -> Self {
        let mut modules = Self { modules: BTreeMap::new(), macros: BTreeMap::new() };
        for (index, file) in krate.files.iter().enumerate() {
            modules.add(index, &file.module, &file.syntax.items);
        }
        modules
    }

    fn add(&mut self, file: FileIndex, path: &[String], items: &[Item]) {
        let mut module = Module { file, ..Module::default() };
        for item in items {
            match item {
                Item::Use(item) if !is_test_only(&item.attrs) => module.imports.extend(paths::imports(item)),
                Item::Mod(item) if !is_test_only(&item.attrs) => {
                    if let Some((_, items)) = &item.content {
                        self.add(file, &[path, &[item.ident.to_string()]].concat(), items);
                    }
                }
                Item::Macro(item) => {
                    if let Some(name) = &item.ident {
                        self.macros.insert(name.to_string(), file);
                    }
                }
                item => module.items.extend(name_of(item)),
            }
        }
        self.modules.insert(path.to_vec(), module);
    }

    /// The file of a module.
    pub(super) fn file(&self, module: &[String]) -> Option<FileIndex> {
        self.modules.get(module).map(|module| module.file)
    }

    /// Whether a module declares a child of that name.
    pub(super) fn has_child(&self, module: &[String], name: &str) -> bool {
        self.modules.contains_key(&[module, &[name.to_owned()]].concat())
    }

    /// Resolves a path from a module; `None` if it leads out of the crate.
    pub(super) fn resolve(&self, from: &[String], segments: &[String]) -> Option<Target> {
        self.follow(from, segments, MOST_STEPS)
    }

    fn follow(&self, from: &[String], segments: &[String], steps: usize) -> Option<Target> {
        let steps = steps.checked_sub(1)?;
        let (mut at, rest) = match segments.first()?.as_str() {
            "crate" => (Target::Module(Vec::new()), &segments[1..]),
            "self" => (Target::Module(from.to_vec()), &segments[1..]),
            "super" => (Target::Module(parent(from)?), &segments[1..]),
            name => (self.lookup(from, name, steps)?, &segments[1..]),
        };
        for name in rest {
            let Target::Module(module) = &at else { return Some(at) };
            let next = if name == "super" {
                parent(module).map(Target::Module)
            } else {
                self.lookup(module, name, steps)
            };
            // Names that a macro generates are not visible here, so they resolve to the module.
            at = match next {
                Some(next) => next,
                None => Target::Item { module: module.clone(), file: self.file(module)? },
            };
        }
        Some(at)
    }

    /// Resolves a name within a module.
    fn lookup(&self, path: &[String], name: &str, steps: usize) -> Option<Target> {
        let steps = steps.checked_sub(1)?;
        let child = [path, &[name.to_owned()]].concat();
        if self.modules.contains_key(&child) {
            return Some(Target::Module(child));
        }
        let module = self.modules.get(path)?;
        if module.items.contains(name) {
            return Some(Target::Item { module: path.to_vec(), file: module.file });
        }
        let named = module.imports.iter().find(|import| import.name.as_deref() == Some(name));
        // A name that is imported as itself (`use serde;`) leads out of the crate.
        if let Some(import) = named.filter(|import| import.segments != [name]) {
            return self.follow(path, &import.segments, steps);
        }
        if let Some(file) = self.macros.get(name).filter(|_| path.is_empty()) {
            return Some(Target::Item { module: path.to_vec(), file: *file });
        }
        module.imports.iter().filter(|import| import.name.is_none()).find_map(|glob| {
            match self.follow(path, &glob.segments, steps)? {
                Target::Module(target) if target != path => self.lookup(&target, name, steps),
                _ => None,
            }
        })
    }
}

fn parent(module: &[String]) -> Option<Vec<String>> {
    module.split_last().map(|(_, outer)| outer.to_vec())
}

fn name_of(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::TraitAlias(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

#[cfg(test)]
mod tests {
    use super::{Modules, Target};
    use crate::tidy::workspace::Workspace;

    fn words(path: &str) -> Vec<String> {
        path.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect()
    }

    /// The file that a path from a module resolves to.
    fn resolved(texts: &[(&str, &str)], from: &str, path: &str) -> Option<String> {
        let manifest = [("a/Cargo.toml", "[package]\nname = \"a\"")];
        let workspace = Workspace::in_memory(&[&manifest, texts].concat());
        let krate = &workspace.crates().unwrap()[0];
        let modules = Modules::of(krate);
        let file = match modules.resolve(&words(from), &words(path))? {
            Target::Module(module) => modules.file(&module)?,
            Target::Item { file, .. } => file,
        };
        Some(krate.files[file].path.clone())
    }

    #[test]
    fn a_path_leads_through_re_exports_to_the_file_that_defines_the_item() {
        let texts = [
            ("a/src/lib.rs", "mod b; mod c; pub use b::*;"),
            ("a/src/b/mod.rs", "mod d; pub use d::D as Renamed; use self::d::E;"),
            ("a/src/b/d.rs", "pub struct D; pub enum E { F }"),
            ("a/src/c.rs", ""),
        ];
        let to = |path: &str| resolved(&texts, "c", path);
        assert_eq!(to("crate::b::Renamed").as_deref(), Some("a/src/b/d.rs"));
        assert_eq!(to("crate::Renamed").as_deref(), Some("a/src/b/d.rs"));
        assert_eq!(to("super::b::E::F").as_deref(), Some("a/src/b/d.rs"));
        assert_eq!(to("crate::b::made_by_a_macro").as_deref(), Some("a/src/b/mod.rs"));
        assert_eq!(to("std::fmt"), None);
        assert_eq!(resolved(&texts, "b", "d::D").as_deref(), Some("a/src/b/d.rs"));
    }

    #[test]
    fn imports_in_a_circle_end() {
        let texts = [
            ("a/src/lib.rs", "mod b; mod c; use b::X;"),
            ("a/src/b.rs", "pub use crate::c::X; pub use crate::c::*;"),
            ("a/src/c.rs", "pub use crate::b::X; pub use crate::b::*;"),
        ];
        assert!(resolved(&texts, "", "b::Y").is_some());
        assert!(resolved(&texts, "", "b::X").is_some());
    }
}
