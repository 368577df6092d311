//! The syntax of queries that ask for it: phrases, prefixes, excluded words, words of the title and web sites. Pure.
//!
//! `"a phrase"`, `prefix*`, `-word`, `-"a phrase"`, `title:word`, `title:"a phrase"` and `site:host`, separated by white
//! space; all else is words. What looks like syntax but is none is read as words.

use super::SearchWarning;

/// Maximum parts of a query that are not plain words. Protects time.
const MAX_PARTS: usize = 32;
/// Minimum letters and digits of a prefix: shorter ones begin too many words.
const MIN_PREFIX: usize = 2;
/// Parts that a warning quotes.
const MAX_TOLD: usize = 5;

/// A query by its parts, each as written and without its signs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ParsedQuery {
    /// The words that rank, those of phrases and titles included.
    pub(super) words: String,
    pub(super) phrases: Vec<String>,
    /// Beginnings of words.
    pub(super) prefixes: Vec<String>,
    /// Words and phrases that a chunk must not have.
    pub(super) excluded: Vec<String>,
    /// Words and phrases that the title must have.
    pub(super) titles: Vec<String>,
    /// Host names, in lower case.
    pub(super) sites: Vec<String>,
    /// Parts that were read as words.
    unread: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    None,
    Exclude,
    Title,
    Site,
}

impl ParsedQuery {
    /// A query without syntax.
    pub(super) fn of_words(query: &str) -> Self {
        Self { words: query.to_owned(), ..Self::default() }
    }

    /// Reads a query with syntax.
    pub(super) fn parse(query: &str) -> Self {
        let mut parsed = Self::default();
        let mut rest = query.trim_start();
        while !rest.is_empty() {
            rest = parsed.part(rest).trim_start();
        }
        parsed
    }

    /// The text for a vector: what the query is about.
    pub(super) fn meaning(&self) -> String {
        let parts = std::iter::once(self.words.trim()).chain(self.prefixes.iter().map(String::as_str));
        parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// The warning about parts that were read as words.
    pub(super) fn warning(&self) -> Option<SearchWarning> {
        let told: Vec<&str> = self.unread.iter().take(MAX_TOLD).map(String::as_str).collect();
        (!told.is_empty()).then(|| SearchWarning::read_as_words(&told.join(" ")))
    }

    /// Reads one part; returns what follows it.
    fn part<'a>(&mut self, rest: &'a str) -> &'a str {
        let (operator, value) = operator(rest);
        if let Some(quoted) = value.strip_prefix('"') {
            if let Some((phrase, after)) = quoted.split_once('"') {
                let written = rest.strip_suffix(after).unwrap_or(rest);
                self.add(operator, phrase, true, written);
                return after;
            }
            // Without its end, the sign is no phrase. The words after it are read one by one.
            let end = rest.len() - quoted.len();
            self.unread.push(rest.get(..end).unwrap_or_default().to_owned());
            return quoted;
        }
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (written, after) = rest.split_at(end);
        let value = written.get(rest.len() - value.len()..).unwrap_or_default();
        self.add(operator, value, false, written);
        after
    }

    fn add(&mut self, operator: Operator, value: &str, is_phrase: bool, written: &str) {
        let prefix = value.strip_suffix('*').filter(|stem| is_prefix(stem) && !is_phrase);
        let plain = operator == Operator::None && !is_phrase && prefix.is_none();
        let combined = operator != Operator::None
            && !is_phrase
            && (value.ends_with('*') || ["title:", "site:", "-"].iter().any(|sign| value.starts_with(sign)));
        let usable = has_word(value) && !combined && self.parts() < MAX_PARTS;
        match operator {
            _ if plain => self.say(value),
            Operator::None if is_phrase && usable => {
                self.say(value);
                self.phrases.push(value.to_owned());
            }
            Operator::None if usable => self.prefixes.extend(prefix.map(str::to_owned)),
            Operator::Exclude if usable => self.excluded.push(value.to_owned()),
            Operator::Title if usable => {
                self.say(value);
                self.titles.push(value.to_owned());
            }
            Operator::Site if usable && !is_phrase && is_host(value) => self.sites.push(value.to_lowercase()),
            _ => {
                self.say(written);
                self.unread.push(written.to_owned());
            }
        }
    }

    fn say(&mut self, words: &str) {
        if !self.words.is_empty() {
            self.words.push(' ');
        }
        self.words.push_str(words);
    }

    fn parts(&self) -> usize {
        [&self.phrases, &self.prefixes, &self.excluded, &self.titles, &self.sites].map(Vec::len).iter().sum()
    }
}

/// The operator that a text begins with, and what follows it.
fn operator(text: &str) -> (Operator, &str) {
    let known = [("-", Operator::Exclude), ("title:", Operator::Title), ("site:", Operator::Site)];
    for (sign, operator) in known {
        if let Some(value) = text.strip_prefix(sign)
            && value.chars().next().is_some_and(|next| !next.is_whitespace())
        {
            return (operator, value);
        }
    }
    (Operator::None, text)
}

fn has_word(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

fn is_prefix(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphanumeric()).count() >= MIN_PREFIX
        && text.chars().all(char::is_alphanumeric)
}

fn is_host(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '.' || c == '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(parts: &[&str]) -> Vec<String> {
        parts.iter().map(|part| (*part).to_owned()).collect()
    }

    #[test]
    fn each_part_is_read_by_its_sign() {
        let query = r#"  tug "what they cost" harb* -ferry -"old tariff" title:berth title:"quay 4" site:Port.example  2026"#;
        let parsed = ParsedQuery::parse(query);
        let expected = ParsedQuery {
            words: "tug what they cost berth quay 4 2026".into(),
            phrases: texts(&["what they cost"]),
            prefixes: texts(&["harb"]),
            excluded: texts(&["ferry", "old tariff"]),
            titles: texts(&["berth", "quay 4"]),
            sites: texts(&["port.example"]),
            unread: Vec::new(),
        };
        assert_eq!(parsed, expected);
        assert_eq!(parsed.meaning(), "tug what they cost berth quay 4 2026 harb");
        assert_eq!(parsed.warning(), None);
    }

    #[test]
    fn what_only_looks_like_syntax_is_words_and_is_told() {
        for (query, words, told) in [
            (r#"tug "cost of"#, "tug cost of", vec!["\""]),
            (r#"-"cost of"#, "cost of", vec!["-\""]),
            (r#"tug "" tow"#, "tug \"\" tow", vec!["\"\""]),
            ("-- tug", "-- tug", vec!["--"]),
            ("-site:a.example tug", "-site:a.example tug", vec!["-site:a.example"]),
            ("site:https://a.example", "site:https://a.example", vec!["site:https://a.example"]),
            ("title:-", "title:-", vec!["title:-"]),
            ("-harb* tug", "-harb* tug", vec!["-harb*"]),
        ] {
            let parsed = ParsedQuery::parse(query);
            assert_eq!((parsed.words.as_str(), parsed.unread.clone()), (words, texts(&told)), "{query}");
            assert!(parsed.warning().is_some());
        }
    }

    #[test]
    fn plain_words_with_signs_in_them_are_words() {
        for query in ["e-mail a - b", "5*", "* a*b c++", "Title: berth", "AND (tug)", "50% - 60%"] {
            let parsed = ParsedQuery::parse(query);
            let words = query.split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(parsed, ParsedQuery::of_words(&words), "{query}");
        }
    }

    #[test]
    fn parts_are_bounded() {
        let parsed = ParsedQuery::parse(&"-a ".repeat(100));
        assert_eq!((parsed.excluded.len(), parsed.unread.len()), (MAX_PARTS, 100 - MAX_PARTS));
        ParsedQuery::parse(&"\"".repeat(9_999));
        ParsedQuery::parse(&"-".repeat(9_999));
        assert!(ParsedQuery::parse("\u{301}* -\u{301} \"\u{0}\" site:\u{301}").words.contains('\u{301}'));
    }
}
