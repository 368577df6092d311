//! Metadata of a page: from its head, its structured data and its headings.

mod dates;
mod kind;
mod linked_data;
mod title;

pub(crate) use linked_data::LinkedData;

use html::{Id, Tree};

use crate::text::line;

/// Maximum metadata elements of the head. Protects time.
const METAS: usize = 400;
/// Maximum characters of a name. Protects memory.
const NAME: usize = 120;

/// Declared metadata of a page.
#[derive(Debug, Default)]
pub(crate) struct PageMetadata {
    metas: Vec<(String, String)>,
    pub(crate) data: LinkedData,
}

impl PageMetadata {
    pub(crate) fn read(tree: &Tree<'_>) -> Self {
        let mut about = Self { metas: Vec::new(), data: LinkedData::read(tree) };
        for id in (0..tree.node_count()).filter(|id| tree.name(*id) == "meta") {
            let key = ["property", "name", "itemprop", "http-equiv"]
                .iter()
                .find_map(|name| tree.attribute(id, name));
            let (Some(key), Some(content)) = (key, tree.attribute(id, "content")) else { continue };
            let content = line(&content, 2_000);
            if !content.is_empty() && about.metas.len() < METAS {
                about.metas.push((key.trim().to_ascii_lowercase(), content));
            }
        }
        about
    }

    /// The first of these keys that the head has.
    pub(crate) fn meta_content(&self, keys: &[&str]) -> Option<&str> {
        keys.iter()
            .find_map(|key| self.metas.iter().find(|(known, _)| known == key))
            .map(|(_, value)| value.as_str())
    }

    pub(crate) fn site(&self) -> Option<String> {
        let named = self.meta_content(&["og:site_name", "application-name"]).or(self.data.site.as_deref())?;
        Some(line(named, NAME)).filter(|name| !name.is_empty())
    }

    pub(crate) fn description(&self, most: usize) -> Option<String> {
        let own =
            self.meta_content(&["og:description", "description", "twitter:description", "dc.description"]);
        let said = own.or(self.data.description.as_deref())?;
        Some(line(said, most)).filter(|text| !text.is_empty())
    }

    /// The author: not a URL, and not a long list.
    pub(crate) fn author(&self, tree: &Tree<'_>) -> Option<String> {
        let own = self.meta_content(&[
            "author",
            "article:author",
            "dc.creator",
            "parsely-author",
            "sailthru.author",
            "byl",
        ]);
        let own = self.data.author.as_deref().into_iter().chain(own).map(str::to_owned);
        let marked = (0..tree.node_count()).filter(|id| {
            tree.raw_attribute(*id, "rel") == Some("author")
                || tree.raw_attribute(*id, "itemprop") == Some("author")
        });
        // Longer texts, and those of more than twelve words, are no names. Chosen by hand; no measurement recorded.
        let marked = marked.take(3).map(|id| tree.plain(id, 200));
        own.chain(marked)
            .map(|name| line(name.trim().trim_start_matches("By ").trim_start_matches("by "), NAME))
            .find(|name| {
                !name.is_empty()
                    && !name.contains("://")
                    && !name.contains('@')
                    && name.split(' ').count() <= 12
            })
    }

    /// The publication date.
    pub(crate) fn published(&self, tree: &Tree<'_>) -> Option<String> {
        let own = self.meta_content(&[
            "article:published_time",
            "datepublished",
            "date",
            "dc.date",
            "dc.date.issued",
            "dcterms.created",
            "parsely-pub-date",
            "sailthru.date",
            "pubdate",
            "publish-date",
            "citation_publication_date",
            "og:article:published_time",
        ]);
        let marked = (0..tree.node_count()).filter(|id| tree.name(*id) == "time").take(20);
        let marked = marked.filter_map(|id| tree.attribute(id, "datetime"));
        own.map(str::to_owned)
            .into_iter()
            .chain(self.data.published.clone())
            .chain(marked.map(std::borrow::Cow::into_owned))
            .find_map(|text| dates::date(&text))
    }

    pub(crate) fn image(&self) -> Option<&str> {
        self.meta_content(&[
            "og:image:secure_url",
            "og:image",
            "og:image:url",
            "twitter:image",
            "twitter:image:src",
        ])
        .or(self.data.image.as_deref())
    }

    /// The declared language. A tag has at most 35 characters (RFC 5646, 4.4.1).
    pub(crate) fn language(&self, tree: &Tree<'_>) -> Option<String> {
        let own = tree.attribute(0, "lang").map(std::borrow::Cow::into_owned);
        let own = own.or_else(|| {
            self.meta_content(&["content-language", "og:locale", "language"]).map(str::to_owned)
        })?;
        let tag = own.split([',', ';']).next()?.trim().replace('_', "-");
        let fits = (2..=35).contains(&tag.len())
            && tag.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        fits.then_some(tag)
    }

    /// The title. `of_one_thing` says that the page is about one subject, which its heading names.
    pub(crate) fn title(
        &self,
        tree: &Tree<'_>,
        heading: Option<Id>,
        host: Option<&str>,
        of_one_thing: bool,
        most: usize,
    ) -> String {
        title::choose(self, tree, heading, host, of_one_thing, most)
    }

    pub(crate) fn kind(&self, tree: &Tree<'_>, url: Option<&url::Url>) -> crate::PageKind {
        kind::classify_page(self, tree, url)
    }
}
