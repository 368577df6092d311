//! Kinds of forms and documents by what a title calls them: the names of `[forms]`, of all languages together, since a
//! form may be in another language than the documents that fill it.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::fold::fold_phrase;
use crate::language::Language;

/// Words of a name at most; longer windows of a text are not looked at.
const MAX_WORDS: usize = 5;
/// The form that says nothing of its kind.
const PLAIN: &str = "plain";

static KINDS: LazyLock<FxHashMap<String, Vec<&'static str>>> = LazyLock::new(|| {
    let mut kinds: FxHashMap<String, Vec<&'static str>> = FxHashMap::default();
    for locale in Language::all().filter_map(Language::locale) {
        let names = locale.forms.entries().filter(|entry| entry.subkey == "names" && entry.key != PLAIN);
        for (kind, name) in names.flat_map(|entry| entry.words.iter().map(move |name| (entry.key, name))) {
            // Names that stand for a form only beside others are marked.
            if name.starts_with('~') {
                continue;
            }
            let known = kinds.entry(fold_phrase(name)).or_default();
            if !known.contains(&kind) {
                known.push(kind);
            }
        }
    }
    kinds
});

/// The kinds that a short text names, such as `invoice` of `Rechnung Nr. 17`; of overlapping names the longest. In
/// the order of the text, without duplicates.
#[must_use]
pub fn kinds_named(text: &str) -> Vec<&'static str> {
    let folded = fold_phrase(text);
    let words: Vec<&str> = folded.split(' ').filter(|word| !word.is_empty()).collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let lengths = (1..=MAX_WORDS.min(words.len() - at)).rev();
        let longest = lengths.into_iter().find_map(|length| {
            let name = words.get(at..at + length)?.join(" ");
            KINDS.get(&name).map(|kinds| (length, kinds))
        });
        let Some((length, kinds)) = longest else {
            at += 1;
            continue;
        };
        for kind in kinds {
            if !found.contains(kind) {
                found.push(kind);
            }
        }
        at += length;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::kinds_named;

    #[test]
    fn a_title_names_its_kind_in_every_language() {
        for (title, kind) in [
            ("Invoice", "invoice"),
            ("RECHNUNG Nr. 4711", "invoice"),
            ("Facture", "invoice"),
            ("Purchase order", "purchase_order"),
            ("Laborbefund", "lab_report"),
        ] {
            assert!(kinds_named(title).contains(&kind), "{title}: {:?}", kinds_named(title));
        }
        assert_eq!(kinds_named("The quick brown fox"), Vec::<&str>::new());
        assert_eq!(kinds_named(""), Vec::<&str>::new());
    }

    #[test]
    fn the_longest_name_counts() {
        assert!(!kinds_named("Purchase order").contains(&"order"));
    }
}
