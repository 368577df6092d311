//! What a page is made into.

use serde::{Deserialize, Serialize};

/// A web page as it is read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WebPage {
    /// Its title without the site's name; empty where it has none.
    pub title: String,
    /// What it says of itself in a sentence or two.
    pub description: Option<String>,
    /// The site's name.
    pub site: Option<String>,
    /// The language that it declares (BCP 47).
    pub language: Option<String>,
    /// When it was published, as it says: RFC 3339, or a date alone.
    pub published: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// What sort of page it is.
    pub kind: PageKind,
    /// The main content as Markdown.
    pub body: String,
    /// Other pages that it leads to, those of its content first.
    pub links: Vec<RelatedLink>,
    /// The picture that stands for it, as an absolute URL.
    pub image: Option<String>,
    /// Where it sends its readers on to, as an absolute URL (`<meta http-equiv="refresh">`).
    pub refresh: Option<String>,
    /// Pages of its own site that it shows inside it where it says hardly anything itself, as absolute URLs.
    pub frames: Vec<String>,
    /// Whether what it shows is made by scripts, so that the content may be elsewhere.
    pub needs_script: bool,
    /// Whether a limit cut it.
    pub truncated: bool,
}

/// What sort of page it is; which rules find its content depends on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PageKind {
    /// One text: news, a post of a blog, an entry of an encyclopedia.
    Article,
    /// Messages of several people.
    Forum,
    /// One thing that is for sale.
    Product,
    /// Many things, each with a link.
    Listing,
    /// A page of a manual.
    Documentation,
    /// Anything else.
    #[default]
    Other,
}

/// A page that another leads to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelatedLink {
    /// Absolute, `http` or `https`, without a fragment.
    pub url: String,
    /// The link's text.
    pub title: String,
    /// What is said about it; empty where nothing is.
    pub description: String,
    /// What it is, as far as its address tells.
    pub kind: LinkKind,
}

/// What a link leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkKind {
    /// A page.
    Web,
    /// A file with text: PDF, office, mail.
    Document,
    /// A picture.
    Image,
    /// A moving picture, or a page that plays one.
    Video,
    /// Sound.
    Audio,
    /// Anything packed.
    Archive,
}
