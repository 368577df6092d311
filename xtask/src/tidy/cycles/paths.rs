//! The paths in a file: in `use`, in code, and in macro arguments. Tests are excluded.

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Item, ItemUse, UseTree, Visibility};

use crate::tidy::sources::is_test_only;

/// Location of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PathPlace {
    /// In an expression, a type, a pattern, an attribute or macro arguments.
    Code,
    /// In a private `use`.
    Import,
    /// In a `use` with a visibility, which re-exports.
    Export,
}

/// A path in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PathUse {
    /// Enclosing inline modules of the file.
    pub(super) inline: Vec<String>,
    /// All segments; the first may be `crate`, `self` or `super`. `*` is left out.
    pub(super) segments: Vec<String>,
    /// Where it stands.
    pub(super) place: PathPlace,
}

/// A name that a `use` brings into a module.
#[derive(Clone, Debug)]
pub(super) struct Import {
    /// The name; `None` for `*`.
    pub(super) name: Option<String>,
    /// The path that it stands for.
    pub(super) segments: Vec<String>,
}

/// What a `use` imports.
pub(super) fn imports(item: &ItemUse) -> Vec<Import> {
    let mut found = Vec::new();
    flatten(&item.tree, &mut Vec::new(), &mut found);
    found
}

fn flatten(tree: &UseTree, before: &mut Vec<String>, found: &mut Vec<Import>) {
    let mut add = |name: Option<String>, last: Option<String>| {
        let segments = before.iter().cloned().chain(last.filter(|last| last != "self")).collect();
        found.push(Import { name, segments });
    };
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            flatten(&path.tree, before, found);
            before.pop();
        }
        UseTree::Name(name) => {
            let last = name.ident.to_string();
            // `use a::{self}` imports the name `a`.
            let own = if last == "self" { before.last().cloned().unwrap_or_default() } else { last.clone() };
            add(Some(own), Some(last));
        }
        UseTree::Rename(rename) => add(Some(rename.rename.to_string()), Some(rename.ident.to_string())),
        UseTree::Glob(_) => add(None, None),
        UseTree::Group(group) => group.items.iter().for_each(|tree| flatten(tree, before, found)),
    }
}

/// Every path with several segments, and every path of a `use`.
pub(super) fn of(file: &syn::File) -> Vec<PathUse> {
    let mut collector = PathCollector { inline: Vec::new(), found: Vec::new() };
    collector.visit_file(file);
    collector.found
}

struct PathCollector {
    inline: Vec<String>,
    found: Vec<PathUse>,
}

impl PathCollector {
    fn add(&mut self, segments: Vec<String>, place: PathPlace) {
        self.found.push(PathUse { inline: self.inline.clone(), segments, place });
    }

    /// Adds paths in tokens of unknown grammar.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(name) if colons == 2 => path.push(name.to_string()),
                TokenTree::Ident(name) => {
                    self.end_path(&mut path);
                    path.push(name.to_string());
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' => {
                    colons += 1;
                    continue;
                }
                TokenTree::Group(group) => {
                    self.end_path(&mut path);
                    self.add_tokens(group.stream());
                }
                _ => self.end_path(&mut path),
            }
            colons = 0;
        }
        self.end_path(&mut path);
    }

    fn end_path(&mut self, path: &mut Vec<String>) {
        let path = std::mem::take(path);
        if path.len() > 1 {
            self.add(path, PathPlace::Code);
        }
    }
}

impl<'ast> Visit<'ast> for PathCollector {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes = match item {
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            Item::Mod(item) => &item.attrs,
            Item::Struct(item) => &item.attrs,
            Item::Enum(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            Item::Const(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        if !is_test_only(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        self.inline.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.inline.pop();
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if !is_test_only(&item.attrs) {
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let place =
            if matches!(item.vis, Visibility::Inherited) { PathPlace::Import } else { PathPlace::Export };
        for import in imports(item) {
            self.add(import.segments, place);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.segments.len() > 1 && path.leading_colon.is_none() {
            self.add(
                path.segments.iter().map(|segment| segment.ident.to_string()).collect(),
                PathPlace::Code,
            );
        }
        visit::visit_path(self, path);
    }

    // The visibility `pub(in path)` imports nothing.
    fn visit_visibility(&mut self, _visibility: &'ast Visibility) {}

    fn visit_macro(&mut self, invocation: &'ast syn::Macro) {
        self.visit_path(&invocation.path);
        self.add_tokens(invocation.tokens.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::of;

    fn paths(text: &str) -> Vec<String> {
        of(&syn::parse_file(text).unwrap()).iter().map(|found| found.segments.join("::")).collect()
    }

    #[test]
    fn a_use_names_each_of_its_leaves() {
        assert_eq!(
            paths("use crate::{a::{self, B}, c as d}; use super::*;"),
            ["crate::a", "crate::a::B", "crate::c", "super"]
        );
    }

    #[test]
    fn code_and_arguments_of_macros_name_paths() {
        assert_eq!(paths("fn f() -> a::B { g!(x, super::c(), d::E::F) }"), ["a::B", "super::c", "d::E::F"]);
    }

    #[test]
    fn tests_name_nothing() {
        assert!(paths("#[cfg(test)] mod tests { use super::*; } #[cfg(test)] use a::B;").is_empty());
    }
}
