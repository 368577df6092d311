//! Types must be named by nouns. A single participle, adverb, preposition or pronoun (`Held`, `Once`, `By`,
//! `What`) says neither what the type is nor what to search for. Present ones may only become fewer.

use super::baseline::{self, Entry, Growth};
use super::finding::Finding;
use super::items::{self, ItemKind};
use super::workspace::Workspace;

const BASELINE: &str = "xtask/src/tidy/type_names.txt";

/// Nouns that end like participles or adverbs.
const NOUNS: &[&str] = &[
    "anomaly",
    "assembly",
    "beginning",
    "binding",
    "breed",
    "building",
    "ceiling",
    "chunking",
    "creed",
    "deed",
    "embed",
    "embedding",
    "encoding",
    "ending",
    "family",
    "feed",
    "finding",
    "grounding",
    "grouping",
    "heading",
    "king",
    "listing",
    "mapping",
    "meaning",
    "meeting",
    "need",
    "numbering",
    "opening",
    "padding",
    "ping",
    "pooling",
    "pricing",
    "ranking",
    "reply",
    "ring",
    "routing",
    "seed",
    "setting",
    "sibling",
    "spacing",
    "speed",
    "spelling",
    "spring",
    "string",
    "supply",
    "tally",
    "tavily",
    "thing",
    "timing",
    "warning",
    "weed",
    "wing",
];

/// Past participles that do not end in -ed, also of prefixed verbs. Those that are also nouns (`cut`, `read`,
/// `set`, `split`) are excluded.
const PARTICIPLES: &[&str] = &[
    "begun",
    "bent",
    "born",
    "bought",
    "bound",
    "broken",
    "brought",
    "built",
    "caught",
    "chosen",
    "done",
    "drawn",
    "driven",
    "fallen",
    "felt",
    "forgotten",
    "found",
    "frozen",
    "given",
    "gone",
    "got",
    "gotten",
    "grown",
    "heard",
    "held",
    "hidden",
    "kept",
    "known",
    "laid",
    "led",
    "left",
    "lent",
    "lost",
    "made",
    "meant",
    "met",
    "paid",
    "proven",
    "risen",
    "said",
    "seen",
    "sent",
    "shown",
    "shut",
    "sold",
    "sought",
    "spent",
    "spoken",
    "stolen",
    "stood",
    "stuck",
    "sworn",
    "taken",
    "taught",
    "thought",
    "thrown",
    "told",
    "torn",
    "understood",
    "woken",
    "won",
    "worn",
    "woven",
    "written",
];

/// Prefixes that make `read` a participle.
const PREFIXES: &[&str] = &["un", "re", "mis", "over", "fore"];

/// Adverbs that do not end in -ly, prepositions, pronouns and determiners.
const FUNCTION_WORDS: &[&str] = &[
    // Adverbs
    "again", "almost", "already", "also", "always", "anew", "apart", "aside", "away", "ever", "here", "never",
    "now", "often", "once", "soon", "still", "then", "there", "thus", "together", "twice", "when", "where",
    "why", "yet", // Prepositions
    "about", "above", "across", "after", "against", "along", "amid", "among", "around", "at", "before",
    "behind", "below", "beneath", "beside", "besides", "between", "beyond", "by", "despite", "during",
    "except", "for", "from", "in", "into", "near", "of", "off", "on", "onto", "out", "over", "since",
    "through", "till", "to", "toward", "towards", "under", "until", "up", "upon", "via", "with", "within",
    "without", // Pronouns and determiners
    "all", "another", "any", "both", "each", "either", "few", "he", "her", "him", "his", "it", "its", "me",
    "mine", "most", "neither", "nobody", "nothing", "other", "others", "own", "she", "some", "such", "that",
    "their", "them", "they", "this", "us", "we", "what", "which", "who", "whom", "whose", "you",
];

/// Types with such names that are not in the baseline, and lines of the baseline without a type.
pub(crate) fn find(workspace: &Workspace) -> anyhow::Result<Vec<Finding>> {
    Ok(baseline::compare(&workspace.files, BASELINE, entries(workspace)?))
}

/// Updates the baseline.
pub(crate) fn write(workspace: &Workspace, growth: Growth) -> anyhow::Result<()> {
    let old = workspace.files.text(BASELINE).unwrap_or_default();
    workspace.files.write(BASELINE, &baseline::renewed(old, &entries(workspace)?, growth))
}

/// A line names package and type but no file, so that it stays valid when the type moves.
fn entries(workspace: &Workspace) -> anyhow::Result<Vec<Entry>> {
    let mut found = Vec::new();
    for krate in workspace.crates()? {
        for file in &krate.files {
            let items = items::of(&file.syntax);
            for item in items.iter().filter(|item| item.kind == ItemKind::Type) {
                if let Some(class) = word_class(&item.name) {
                    let message = format!("type `{}` is named by {class}; name it by a noun", item.name);
                    let finding = Finding::new(&file.path, item.line, message);
                    found.push(Entry { line: format!("{} {}", krate.package, item.name), finding });
                }
            }
        }
    }
    Ok(found)
}

/// The word class of a one-word name, if it is not a noun.
fn word_class(name: &str) -> Option<&'static str> {
    if name.chars().skip(1).any(|letter| !letter.is_lowercase()) {
        return None;
    }
    let word = name.to_lowercase();
    if NOUNS.contains(&word.as_str()) {
        return None;
    }
    if FUNCTION_WORDS.contains(&word.as_str()) {
        return Some("an adverb, preposition or pronoun");
    }
    let has_ending = |ending: &str| word.len() > ending.len() + 1 && word.ends_with(ending);
    if has_ending("ed") || has_ending("ing") || is_irregular(&word) {
        return Some("a participle");
    }
    has_ending("ly").then_some("an adverb")
}

fn is_irregular(word: &str) -> bool {
    let bare = PREFIXES.iter().find_map(|prefix| word.strip_prefix(prefix));
    PARTICIPLES.contains(&word) || bare.is_some_and(|bare| bare == "read" || PARTICIPLES.contains(&bare))
}

#[cfg(test)]
mod tests {
    use super::{find, word_class};
    use crate::tidy::workspace::Workspace;

    #[test]
    fn participles_and_function_words_are_no_names_of_types() {
        for name in ["Held", "Stored", "Going", "Once", "By", "What", "Unread", "Unmade", "Nearly"] {
            assert!(word_class(name).is_some(), "{name}");
        }
    }

    #[test]
    fn nouns_and_names_of_several_words_are_names_of_types() {
        for name in ["Embedding", "Seed", "Reply", "Split", "StoredForm", "KeptFor", "Form", "Id", "Ring"] {
            assert!(word_class(name).is_none(), "{name}");
        }
    }

    #[test]
    fn a_name_of_the_baseline_passes_in_whichever_file_it_stands() {
        let texts = [
            ("a/Cargo.toml", "[package]\nname = \"a\""),
            ("a/src/lib.rs", "mod b;"),
            ("a/src/b.rs", "\nstruct Held;\nmod c { enum Held {} }"),
            ("xtask/src/tidy/type_names.txt", "a Held\n"),
        ];
        let told = find(&Workspace::in_memory(&texts)).unwrap();
        assert_eq!(told.len(), 1);
        assert_eq!(
            told[0].to_string(),
            "a/src/b.rs:3: type `Held` is named by a participle; name it by a noun"
        );
    }
}
