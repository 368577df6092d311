//! Natural languages have one home: the words are data of `crates/language`, and its `Language` is the only type of
//! that name. Found elsewhere are types that name a language again, and string literals of product code with words
//! of other languages than English. The number of such literals may only fall in each package.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use toml::{Table, Value};

use super::baseline::Growth;
use super::finding::Finding;
use super::items::{self, ItemKind};
use super::package_counts::{ByPackage, PackageCounts};
use super::sources::is_test_only;
use super::workspace::Workspace;

const BASELINE: PackageCounts = PackageCounts {
    path: "xtask/src/tidy/language_words.txt",
    counted: "literals with words of other languages than English",
};

/// The package that has the words.
const HOME: &str = "language";

/// The folder of its data.
const LOCALES: &str = "crates/language/locales/";

/// Names of types that only the language crate may have.
const TYPE_NAMES: [&str; 3] = ["Language", "Locale", "Tongue"];

/// Packages of test material, and modules of conformance suites: their texts are input.
const TEST_PACKAGES: [&str; 4] = ["document-samples", "documents-fuzz", "testkit", "xtask"];
const SUITE: &str = "contract";

/// Letters of a word at the least. A shorter one that is a literal of its own is a code as often as a word.
const MIN_LETTERS: usize = 3;
const MIN_LETTERS_ALONE: usize = 4;

/// Words of the lists in a literal that make it one of another language.
const MIN_WORDS: usize = 2;

/// Second types of a language, and packages with more literals than the baseline allows.
pub(crate) fn find(workspace: &Workspace) -> anyhow::Result<Vec<Finding>> {
    let mut findings = BASELINE.compare(workspace, &literals(workspace)?);
    for file in
        workspace.crates()?.iter().filter(|krate| krate.package != HOME).flat_map(|krate| &krate.files)
    {
        let types = items::of(&file.syntax);
        for item in types.iter().filter(|item| item.kind == ItemKind::Type) {
            if TYPE_NAMES.contains(&item.name.as_str()) {
                let message = format!("`{}` is a type of the language crate; use that one", item.name);
                findings.push(Finding::new(&file.path, item.line, message));
            }
        }
    }
    Ok(findings)
}

/// Updates the baseline.
pub(crate) fn write(workspace: &Workspace, growth: Growth) -> anyhow::Result<()> {
    BASELINE.write(workspace, &literals(workspace)?, growth)
}

fn literals(workspace: &Workspace) -> anyhow::Result<ByPackage> {
    let words = stop_words(workspace)?;
    let mut found = ByPackage::new();
    let is_product = |package: &str| package != HOME && !TEST_PACKAGES.contains(&package);
    for krate in workspace.crates()?.iter().filter(|krate| is_product(&krate.package)) {
        for file in krate.files.iter().filter(|file| !file.module.iter().any(|name| name == SUITE)) {
            let mut collector = LiteralCollector::default();
            collector.visit_file(&file.syntax);
            for (line, text) in collector.found.into_iter().filter(|(_, text)| is_foreign(text, &words)) {
                let message = format!("{:?} has words for a locale file", shortened(&text));
                found.entry(krate.package.clone()).or_default().push(Finding::new(&file.path, line, message));
            }
        }
    }
    Ok(found)
}

fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}

/// The stop words of the complete locales that are no words of the English one.
fn stop_words(workspace: &Workspace) -> anyhow::Result<BTreeSet<String>> {
    let (mut english, mut others) = (BTreeSet::new(), BTreeSet::new());
    for (path, text) in workspace.files.texts().filter(|(path, _)| path.starts_with(LOCALES)) {
        let locale: Table = text.parse()?;
        if locale.get("level").and_then(Value::as_str) != Some("full") {
            continue;
        }
        if path.ends_with("/en.toml") {
            locale.values().for_each(|value| add_words(value, &mut english));
        } else if let Some(list) = locale.get("stop_words") {
            add_words(list, &mut others);
        }
    }
    Ok(others.difference(&english).cloned().collect())
}

/// Adds the words of a list, or of all lists of a table, in lower case.
fn add_words(value: &Value, words: &mut BTreeSet<String>) {
    match value {
        Value::String(list) => {
            let parts = list.split(|letter: char| !letter.is_alphabetic()).map(str::to_lowercase);
            words.extend(parts.filter(|word| word.chars().count() >= MIN_LETTERS));
        }
        Value::Array(lists) => lists.iter().for_each(|list| add_words(list, words)),
        Value::Table(table) => table.values().for_each(|list| add_words(list, words)),
        _ => {}
    }
}

/// Whether a literal has letters beyond ASCII, is a stop word of another language, or has several.
fn is_foreign(text: &str, stop_words: &BTreeSet<String>) -> bool {
    let is_letter = |letter: char| letter.is_alphabetic() && !letter.is_ascii() && !is_sign(letter);
    let lower = text.to_lowercase();
    let words = lower.split(|letter: char| !letter.is_alphabetic()).filter(|word| stop_words.contains(*word));
    let is_word = text.chars().count() >= MIN_LETTERS_ALONE && stop_words.contains(&lower);
    // One word that is repeated is a name, as in a list of paths.
    is_word || text.chars().any(is_letter) || words.collect::<BTreeSet<_>>().len() >= MIN_WORDS
}

/// Letters that are signs of no language: micro, ohm, ordinals, mathematical and letter-like symbols.
fn is_sign(letter: char) -> bool {
    matches!(letter, 'µ' | 'μ' | 'Ω' | 'π' | 'ª' | 'º' | '\u{2100}'..='\u{214f}' | '\u{1d400}'..='\u{1d7ff}')
}

/// String literals of product code with their lines, in macros too, without doc comments and other attributes.
#[derive(Default)]
struct LiteralCollector {
    found: Vec<(usize, String)>,
}

impl LiteralCollector {
    fn tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Literal(literal) => {
                    if let Ok(text) = syn::parse_str::<syn::LitStr>(&literal.to_string()) {
                        self.found.push((literal.span().start().line, text.value()));
                    }
                }
                _ => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for LiteralCollector {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let attributes = match item {
            syn::Item::Mod(item) => &item.attrs,
            syn::Item::Fn(item) => &item.attrs,
            syn::Item::Impl(item) => &item.attrs,
            syn::Item::Const(item) => &item.attrs,
            syn::Item::Static(item) => &item.attrs,
            _ => &Vec::new(),
        };
        if !is_test_only(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    fn visit_lit_str(&mut self, literal: &'ast syn::LitStr) {
        self.found.push((literal.span().start().line, literal.value()));
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.tokens(call.tokens.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::find;
    use crate::tidy::workspace::Workspace;

    fn findings(code: &str, baseline: &str) -> Vec<String> {
        let workspace = Workspace::in_memory(&[
            ("crates/a/Cargo.toml", "[package]\nname = \"a\""),
            ("crates/a/src/lib.rs", code),
            ("crates/language/locales/en.toml", "level = \"full\"\nstop_words = \"the, and, die\""),
            ("crates/language/locales/de.toml", "level = \"full\"\nstop_words = \"und, oder, ohne, so\""),
            ("xtask/src/tidy/language_words.txt", baseline),
        ]);
        find(&workspace).unwrap().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn words_of_other_languages_are_found_in_code_and_macros_and_not_in_tests_and_comments() {
        let code = "//! größe\nfn a() { b(\"ohne\"); matches!(x, \"größe\" | \"die\" | \"so\"); }\n\
            const C: &str = \"these und those, oder\";\nconst D: &str = \"und in English\";\n\
            #[cfg(test)]\nmod tests { const E: &str = \"größe\"; }";
        let found = findings(code, "a 3\n");
        assert_eq!(found, Vec::<String>::new());
        assert_eq!(findings(code, "a 2\n").len(), 4);
        let lowered = "xtask/src/tidy/language_words.txt:1: a has only 3 left, lower the number (--write)";
        assert_eq!(findings(code, "a 4\n"), [lowered]);
    }

    #[test]
    fn a_second_type_of_a_language_is_found() {
        let found = findings("struct Language(u8);\nstruct LanguageTag;", "");
        assert_eq!(
            found,
            ["crates/a/src/lib.rs:1: `Language` is a type of the language crate; use that one"]
        );
    }
}
