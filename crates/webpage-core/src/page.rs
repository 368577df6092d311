//! The parsed web page.

use serde::{Deserialize, Serialize};

/// A parsed web page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WebPage {
    /// Title without the site's name; empty when it has none.
    pub title: String,
    /// Declared description, in a sentence or two.
    pub description: Option<String>,
    /// Name of the site.
    pub site: Option<String>,
    /// Declared language (BCP 47).
    pub language: Option<String>,
    /// Declared publication date: RFC 3339, or a date alone.
    pub published: Option<String>,
    /// Declared name of the author.
    pub author: Option<String>,
    /// Article, product, listing and so on.
    pub kind: PageKind,
    /// The main content as Markdown.
    pub body: String,
    /// Related links, those of its content first.
    pub links: Vec<RelatedLink>,
    /// Its representative image, as an absolute URL.
    pub image: Option<String>,
    /// Target of a refresh that acts as a redirect (`<meta http-equiv="refresh">`), as an absolute URL.
    pub refresh: Option<String>,
    /// Frames of the same site with the content of a page that has hardly any text itself, as absolute URLs.
    pub frames: Vec<String>,
    /// Whether scripts render its content, so that the body may be incomplete.
    pub needs_script: bool,
    /// Whether a limit truncated it.
    pub truncated: bool,
}

/// Kind of a page. It selects the rules that find the content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PageKind {
    /// One text: news, a blog post, an encyclopedia entry.
    Article,
    /// Messages of several people.
    Forum,
    /// One product for sale.
    Product,
    /// A list of things, each with a link.
    Listing,
    /// A page of a manual.
    Documentation,
    /// Anything else.
    #[default]
    Other,
}

/// A link to a related page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelatedLink {
    /// Absolute, `http` or `https`, without a fragment.
    pub url: String,
    /// Text of the link.
    pub title: String,
    /// Description near the link; empty when there is none.
    pub description: String,
    /// Kind of its target, as far as the URL shows.
    pub kind: LinkKind,
}

/// Kind of a link's target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkKind {
    /// A page.
    Web,
    /// A file with text: PDF, office, mail.
    Document,
    /// A picture.
    Image,
    /// A video, or a page that plays one.
    Video,
    /// Sound.
    Audio,
    /// An archive or another packed file.
    Archive,
}
