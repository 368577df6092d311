//! What the syntax of a query demands of items: words of the title, and web sites. Pure.

use std::collections::HashSet;

use language::fold::fold_phrase;
use url::Url;

use super::chunk_matcher::{has_phrase, word_terms};
use super::query_syntax::ParsedQuery;
use crate::analysis::terms;
use crate::{ItemAttributes, Source};

/// What an item must have.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ItemMatcher {
    /// The title has one term of each.
    words: Vec<Vec<String>>,
    /// From [`fold_phrase`].
    phrases: Vec<String>,
    /// Its page is of one of these hosts or of one below, if there are any.
    sites: Vec<String>,
}

impl ItemMatcher {
    /// The demands of a query on the items of a base with these languages, if it has any.
    pub(super) fn new(query: &ParsedQuery, languages: &[String]) -> Option<Self> {
        if query.titles.is_empty() && query.sites.is_empty() {
            return None;
        }
        let mut matcher = Self { words: Vec::new(), phrases: Vec::new(), sites: query.sites.clone() };
        for title in &query.titles {
            if title.contains(char::is_whitespace) {
                matcher.phrases.push(fold_phrase(title));
            } else {
                matcher.words.extend(word_terms(title, languages));
            }
        }
        Some(matcher)
    }

    pub(super) fn fits(&self, item: &ItemAttributes) -> bool {
        self.fits_title(item) && (self.sites.is_empty() || self.is_of_site(item))
    }

    fn fits_title(&self, item: &ItemAttributes) -> bool {
        let folded = || fold_phrase(&item.name);
        if !self.phrases.is_empty() && !self.phrases.iter().all(|phrase| has_phrase(&folded(), phrase)) {
            return false;
        }
        if self.words.is_empty() {
            return true;
        }
        let mut found = HashSet::new();
        terms(&item.name, item.language.as_deref(), &mut |term| {
            found.insert(term.to_owned());
        });
        self.words.iter().all(|word| word.iter().any(|term| found.contains(term)))
    }

    fn is_of_site(&self, item: &ItemAttributes) -> bool {
        let Source::Web { url } = &item.source else { return false };
        let Some(host) = Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned)) else {
            return false;
        };
        let below = |site: &String| host.strip_suffix(site).is_some_and(|rest| rest.ends_with('.'));
        self.sites.iter().any(|site| host == *site || below(site))
    }
}

#[cfg(test)]
mod tests {
    use shared_core::Timestamp;

    use super::*;
    use crate::ItemId;

    fn fits(query: &str, title: &str, source: Source) -> bool {
        let time = Timestamp::from_micros(0).unwrap();
        let item = ItemAttributes {
            number: 1,
            id: ItemId("item_1".into()),
            name: title.into(),
            meta: serde_json::Map::new(),
            source,
            language: Some("en".into()),
            created: time,
            updated: time,
        };
        let matcher = ItemMatcher::new(&ParsedQuery::parse(query), &["en".to_owned()]);
        matcher.is_none_or(|matcher| matcher.fits(&item))
    }

    #[test]
    fn the_title_has_the_words_and_the_page_is_of_the_site() {
        let page = |url: &str| Source::Web { url: url.to_owned() };
        assert!(fits("tug", "Anything", Source::Text));
        assert!(fits("title:berths", "Berth 4.md", Source::Text), "words are compared by their stems");
        assert!(!fits("title:berth title:tug", "Berth 4.md", Source::Text));
        assert!(fits("title:\"berth 4\"", "The berth 4.md", Source::Text));
        assert!(!fits("title:\"4 berth\"", "The berth 4.md", Source::Text));
        for (url, expected) in [
            ("https://port.example/a?b=site.example", true),
            ("http://www.port.example:8080/", true),
            ("https://port.example.org/", false),
            ("https://airport.example/", false),
            ("https://other.example/port.example", false),
        ] {
            assert_eq!(fits("tug site:Port.example", "t", page(url)), expected, "{url}");
        }
        assert!(fits("site:a.example site:b.example tug", "t", page("https://b.example/")));
        assert!(!fits("tug site:port.example", "t", Source::Text));
    }
}
