//! The sentences of the guided conversation, by key, with places that are filled in.

use crate::language::Language;
use crate::per_locale::PerLocale;

use rustc_hash::FxHashMap;

/// The sentence of a key in a language, each `{place}` filled in; in English where the language has none, and empty
/// for a key that there is not.
#[must_use]
pub fn reply(language: Language, key: &str, values: &[(&str, &str)]) -> String {
    let template = template(language, key).or_else(|| template(Language::ENGLISH, key));
    fill(template.unwrap_or_default(), values)
}

/// Whether there are sentences in a language.
#[must_use]
pub fn has_replies(language: Language) -> bool {
    template(language, "greeting").is_some()
}

fn template(language: Language, key: &str) -> Option<&'static str> {
    static TEMPLATES: PerLocale<FxHashMap<&'static str, &'static str>> = PerLocale::new();
    let templates = TEMPLATES
        .get(language, |locale| locale.replies.entries().map(|entry| (entry.key, entry.words.0)).collect())?;
    templates.get(key).copied()
}

/// Fills in places in one pass, so that what stands in a value is never taken for a place.
fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len() + 32);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let Some((name, tail)) = after.split_once('}') else { break };
        out.push_str(values.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value));
        rest = tail;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_with_braces_stays_as_it_is() {
        let values = [("label", "{value}"), ("value", "2"), ("old", "{old")];
        assert_eq!(reply(Language::ENGLISH, "changed", &values), "{value} is now 2 (it was {old).");
    }

    #[test]
    fn a_language_without_sentences_speaks_english() {
        let of = |code| Language::from_code(code).unwrap();
        assert_eq!(reply(of("de"), "yes", &[]), "ja");
        assert_eq!(reply(of("fi"), "yes", &[]), "yes");
        assert!(has_replies(of("de")) && !has_replies(of("fi")));
        assert_eq!(reply(of("de"), "nothing such", &[]), "");
    }
}
