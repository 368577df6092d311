//! Doc comments that only restate the name of their item, such as `/// The name.` on `name`. They add nothing
//! to the code. Their number may only fall in each package.

use std::collections::BTreeSet;

use super::baseline::Growth;
use super::finding::Finding;
use super::items::{self, NamedItem};
use super::package_counts::{ByPackage, PackageCounts};
use super::workspace::Workspace;

const BASELINE: PackageCounts =
    PackageCounts { path: "xtask/src/tidy/doc_lines.txt", counted: "doc lines that restate a name" };

/// Longer lines may add something, even if they contain the name.
const MOST_WORDS: usize = 4;

/// Words that add nothing to a name.
const EMPTY_WORDS: [&str; 14] =
    ["a", "an", "the", "its", "this", "that", "of", "for", "to", "in", "is", "it", "and", "new"];

/// Findings of each package whose number differs from the baseline.
pub(crate) fn find(workspace: &Workspace) -> anyhow::Result<Vec<Finding>> {
    Ok(BASELINE.compare(workspace, &by_package(workspace)?))
}

/// Updates the baseline.
pub(crate) fn write(workspace: &Workspace, growth: Growth) -> anyhow::Result<()> {
    BASELINE.write(workspace, &by_package(workspace)?, growth)
}

fn by_package(workspace: &Workspace) -> anyhow::Result<ByPackage> {
    let mut found = ByPackage::new();
    for krate in workspace.crates()? {
        for file in &krate.files {
            for item in items::of(&file.syntax).iter().filter(|item| restates_name(item)) {
                let message = format!("\"{}\" only restates `{}`", item.docs[0], item.name);
                found
                    .entry(krate.package.clone())
                    .or_default()
                    .push(Finding::new(&file.path, item.line, message));
            }
        }
    }
    Ok(found)
}

/// Whether the doc comment is one short line whose words are in the item's name or in that of its type.
fn restates_name(item: &NamedItem) -> bool {
    let [line] = item.docs.as_slice() else { return false };
    let words: Vec<String> = words(line);
    if words.is_empty() || words.len() > MOST_WORDS {
        return false;
    }
    let owner = item.owner.as_deref().unwrap_or_default();
    let known: BTreeSet<String> =
        name_words(&item.name).into_iter().chain(name_words(owner)).map(|word| stem(&word)).collect();
    let own: BTreeSet<String> = name_words(&item.name).iter().map(|word| stem(word)).collect();
    let said: Vec<String> =
        words.iter().filter(|word| !EMPTY_WORDS.contains(&word.as_str())).map(|word| stem(word)).collect();
    said.iter().all(|word| known.contains(word))
        && (said.is_empty() || said.iter().any(|word| own.contains(word)))
}

fn words(line: &str) -> Vec<String> {
    let parts = line.split(|letter: char| !letter.is_alphanumeric());
    parts.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// The words of a name in any of Rust's cases.
fn name_words(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut lower = false;
    for letter in name.chars() {
        if letter == '_' || (letter.is_uppercase() && lower) {
            parts.push(String::new());
        }
        lower = letter.is_lowercase() || letter.is_numeric();
        if letter != '_' {
            parts.last_mut().into_iter().for_each(|part| part.extend(letter.to_lowercase()));
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// The word without English plural and verb endings.
fn stem(word: &str) -> String {
    let endings = ["ing", "ed", "es", "s", "e"];
    let cut = endings.iter().find_map(|ending| word.strip_suffix(ending).filter(|stem| stem.len() > 2));
    cut.unwrap_or(word).to_owned()
}

#[cfg(test)]
mod tests {
    use super::{find, name_words, restates_name};
    use crate::tidy::items;
    use crate::tidy::workspace::Workspace;

    fn restates(text: &str) -> bool {
        let items = items::of(&syn::parse_file(text).unwrap());
        items.iter().any(restates_name)
    }

    #[test]
    fn a_line_restates_a_name_when_it_has_no_other_words() {
        assert!(restates("struct A { /// The name.\nname: u8 }"));
        assert!(restates("struct Form { /// Name of the form.\nname: u8 }"));
        assert!(restates("/// Parses the header.\nfn parse_header() {}"));
        assert!(!restates("struct A { /// In milliseconds.\ntimeout: u8 }"));
        assert!(!restates("struct A { /// The name, unique in a workspace.\nname: u8 }"));
        assert!(!restates("/// The name.\n///\n/// It is unique.\nfn name() {}"));
    }

    #[test]
    fn names_are_cut_into_words_in_every_case() {
        assert_eq!(name_words("parse_header"), ["parse", "header"]);
        assert_eq!(name_words("FormId"), ["form", "id"]);
        assert_eq!(name_words("MOST_LINES"), ["most", "lines"]);
    }

    #[test]
    fn the_number_of_a_package_may_neither_grow_nor_stay_above_what_is_there() {
        let texts = [
            ("a/Cargo.toml", "[package]\nname = \"a\""),
            ("a/src/lib.rs", "/// Name.\npub fn name() {}"),
            ("xtask/src/tidy/doc_lines.txt", "a 1\n"),
        ];
        assert!(find(&Workspace::in_memory(&texts)).unwrap().is_empty());
        let mut grown = texts;
        grown[1].1 = "/// Name.\npub fn name() {}\n/// Size.\npub fn size() {}";
        assert_eq!(find(&Workspace::in_memory(&grown)).unwrap().len(), 3);
        let mut fallen = texts;
        fallen[1].1 = "";
        let told = find(&Workspace::in_memory(&fallen)).unwrap()[0].to_string();
        assert_eq!(told, "xtask/src/tidy/doc_lines.txt:1: a has only 0 left, lower the number (--write)");
    }
}
