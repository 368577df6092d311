//! Languages of replies and their templates.

use std::collections::HashMap;
use std::sync::LazyLock;

/// A language that has reply templates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// German.
    German,
    /// French.
    French,
    /// Spanish.
    Spanish,
}

type Templates = HashMap<&'static str, &'static str>;

static TEMPLATES: LazyLock<[Templates; 4]> = LazyLock::new(|| {
    [
        parse(include_str!("words/en.txt")),
        parse(include_str!("words/de.txt")),
        parse(include_str!("words/fr.txt")),
        parse(include_str!("words/es.txt")),
    ]
});

fn parse(text: &'static str) -> Templates {
    text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(" = ")).collect()
}

impl Language {
    /// All languages, in the order of the templates.
    pub const ALL: [Self; 4] = [Self::English, Self::German, Self::French, Self::Spanish];

    /// The language of a greeting or a phrase of self-introduction at the start of a message.
    #[must_use]
    pub fn of_greeting(message: &str) -> Option<Self> {
        let folded = message.to_lowercase().replace('’', "'");
        let starts = |words: &[&str]| {
            words.iter().any(|word| {
                folded.strip_prefix(word).is_some_and(|rest| !rest.starts_with(char::is_alphabetic))
            })
        };
        let greetings: [(Self, &[&str]); 4] = [
            (
                Self::English,
                &[
                    "hello",
                    "hi",
                    "hey",
                    "good morning",
                    "good evening",
                    "i am",
                    "i'm",
                    "my name is",
                    "i want",
                ],
            ),
            (
                Self::German,
                &["hallo", "guten tag", "guten morgen", "guten abend", "moin", "servus", "ich", "mein name"],
            ),
            (Self::French, &["bonjour", "bonsoir", "salut", "je", "j'ai", "je m'appelle", "mon nom"]),
            (
                Self::Spanish,
                &["hola", "buenos días", "buenos dias", "buenas", "me llamo", "soy", "quiero", "mi nombre"],
            ),
        ];
        greetings.into_iter().find(|(_, words)| starts(words)).map(|(tongue, _)| tongue)
    }

    /// The language with an ISO 639-1 code; `None` when it has no templates.
    #[must_use]
    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tongue| tongue.code() == code)
    }

    /// The ISO 639-1 code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::French => "fr",
            Self::Spanish => "es",
        }
    }

    /// Renders the template of a key with each `{name}` replaced; empty for an unknown key.
    pub(crate) fn render(self, key: &str, values: &[(&str, &str)]) -> String {
        let index = Self::ALL.iter().position(|tongue| *tongue == self).unwrap_or_default();
        let template = TEMPLATES.get(index).and_then(|words| words.get(key)).copied().unwrap_or_default();
        fill(template, values)
    }
}

/// Replaces the placeholders in one pass, so that braces in a value are never expanded.
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
    use std::collections::BTreeSet;

    fn places(template: &str) -> BTreeSet<&str> {
        template.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).collect()
    }

    #[test]
    fn every_language_has_the_same_templates_with_the_same_places() {
        let [english, others @ ..] = &*TEMPLATES;
        assert!(english.len() > 50, "{}", english.len());
        for other in others {
            assert_eq!(english.keys().collect::<BTreeSet<_>>(), other.keys().collect::<BTreeSet<_>>());
            for (key, template) in english {
                assert_eq!(places(template), places(other[key]), "{key}");
            }
        }
    }

    #[test]
    fn a_value_with_braces_stays_as_it_is() {
        let said =
            Language::English.render("changed", &[("label", "{value}"), ("value", "2"), ("old", "{old")]);
        assert_eq!(said, "{value} is now 2 (it was {old).");
    }
}
