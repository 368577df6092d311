//! Classifies a page: by its declarations, then its URL, then its structure.

use html::Tree;
use url::Url;

use super::PageMetadata;
use crate::PageKind;
use crate::content::Measure;

/// A paragraph is prose with less than this share in links and more than this many characters.
/// Chosen by hand.
const PROSE_DENSITY: f64 = 0.4;
const PROSE: u32 = 60;
/// A listing has more than so many articles, or more than this share of its text in links and fewer
/// characters of prose. Chosen by hand.
const MANY_ARTICLES: u32 = 5;
const LISTING_DENSITY: f64 = 0.6;
const LISTING_PROSE: u32 = 1_500;
/// An article has more than so many characters of prose, and more than this share of its text.
/// Chosen by hand.
const ARTICLE_PROSE: u32 = 1_200;
const ARTICLE_SHARE: f64 = 0.35;
/// Maximum classes of the body that are examined. Protects time.
const CLASSES: usize = 60;

/// The kind of a page.
pub(super) fn classify_page(about: &PageMetadata, tree: &Tree<'_>, url: Option<&Url>) -> PageKind {
    let path = url.map(|url| url.path().to_ascii_lowercase()).unwrap_or_default();
    let host = url.and_then(Url::host_str).unwrap_or_default();
    let is_home = path.len() <= 1;
    if about.data.has(&["DiscussionForumPosting", "QAPage"]) || is_forum(&path, host) || has_messages(tree) {
        return PageKind::Forum;
    }
    if is_manual(about, &path, host) {
        return PageKind::Documentation;
    }
    if let Some(kind) = by_template(tree) {
        return kind;
    }
    let of_type = about.meta_content(&["og:type"]).unwrap_or_default().to_ascii_lowercase();
    let products = about.data.types.iter().filter(|kind| *kind == "Product").count();
    let of_many =
        about.data.has(&["CollectionPage", "ItemList", "SearchResultsPage", "OfferCatalog"]) || products > 2;
    if of_many && !about.data.has(&ARTICLES) {
        return PageKind::Listing;
    }
    if about.data.has(&["Product", "ProductGroup"]) && !about.data.has(&ARTICLES)
        || of_type.contains("product") && !of_type.contains("group")
    {
        return PageKind::Product;
    }
    if about.data.has(&ARTICLES) || (of_type == "article" && !is_home) {
        return PageKind::Article;
    }
    if is_listing(&path) {
        return PageKind::Listing;
    }
    if is_product(&path) {
        return PageKind::Product;
    }
    by_shape(tree, is_home)
}

/// The kind by the template class on the body, as shops and blogs set it: WordPress, WooCommerce, Magento,
/// Shopify, PrestaShop.
fn by_template(tree: &Tree<'_>) -> Option<PageKind> {
    let body = (0..tree.node_count()).find(|id| tree.name(*id) == "body")?;
    let names = tree.raw_attribute(body, "class")?.split_ascii_whitespace().take(CLASSES);
    names.filter_map(of_template).next()
}

fn of_template(name: &str) -> Option<PageKind> {
    Some(match name {
        "single-product" | "catalog-product-view" | "template-product" | "page-product" => PageKind::Product,
        "single-post" => PageKind::Article,
        "post-type-archive-product"
        | "tax-product_cat"
        | "catalog-category-view"
        | "catalogsearch-result-index"
        | "template-collection"
        | "page-category"
        | "archive" => PageKind::Listing,
        _ => return None,
    })
}

const ARTICLES: [&str; 8] = [
    "Article",
    "NewsArticle",
    "BlogPosting",
    "ReportageNewsArticle",
    "TechArticle",
    "ScholarlyArticle",
    "Recipe",
    "HowTo",
];

fn has_part(path: &str, parts: &[&str]) -> bool {
    path.split('/').any(|part| parts.contains(&part))
}

fn is_forum(path: &str, host: &str) -> bool {
    const SURE: [&str; 6] = ["forum", "forums", "threads", "thread", "topic", "boards"];
    const LIKELY: [&str; 5] = ["t", "topics", "questions", "discussion", "discussions"];
    let of_host = host.split('.').any(|label| {
        matches!(label, "forum" | "forums" | "community" | "discuss" | "discourse" | "boards" | "answers")
    });
    let of_path = ["viewtopic", "showthread", "viewthread"].iter().any(|name| path.contains(name))
        || has_part(path, &SURE) && path.split('/').filter(|part| !part.is_empty()).count() > 1;
    let is_numbered =
        path.split('/').any(|part| part.len() > 2 && part.bytes().all(|byte| byte.is_ascii_digit()));
    of_path || has_part(path, &LIKELY) && (of_host || is_numbered)
}

/// Whether many elements are marked as messages. Many are three. Chosen by hand.
fn has_messages(tree: &Tree<'_>) -> bool {
    let messages = (0..tree.node_count()).filter(|id| {
        matches!(tree.name(*id), "div" | "article" | "li" | "section" | "table" | "other")
            && tree.raw_attribute(*id, "itemtype").is_some_and(|kind| {
                kind.ends_with("/Answer")
                    || kind.ends_with("/Comment")
                    || kind.ends_with("/DiscussionForumPosting")
            })
    });
    messages.take(3).count() > 2
}

fn is_manual(about: &PageMetadata, path: &str, host: &str) -> bool {
    let generator = about.meta_content(&["generator"]).unwrap_or_default().to_ascii_lowercase();
    [
        "sphinx",
        "docusaurus",
        "mkdocs",
        "gitbook",
        "vitepress",
        "javadoc",
        "doxygen",
        "rustdoc",
        "antora",
        "docfx",
    ]
    .iter()
    .any(|name| generator.contains(name))
        || host
            .split('.')
            .next()
            .is_some_and(|label| matches!(label, "docs" | "doc" | "developer" | "devdocs" | "man"))
        || has_part(
            path,
            &[
                "docs",
                "doc",
                "documentation",
                "manual",
                "reference",
                "man",
                "api-reference",
                "apidocs",
                "javadoc",
            ],
        )
}

fn is_listing(path: &str) -> bool {
    has_part(
        path,
        &[
            "collections",
            "category",
            "categories",
            "c",
            "cat",
            "tag",
            "tags",
            "search",
            "browse",
            "shop",
            "jobs",
            "archive",
        ],
    ) && !has_part(path, &["products", "product", "p", "dp"])
}

fn is_product(path: &str) -> bool {
    has_part(path, &["products", "product", "dp", "itm", "p"])
        && path.split('/').filter(|part| !part.is_empty()).count() > 1
}

/// One long text is an article; many links are a listing.
fn by_shape(tree: &Tree<'_>, is_home: bool) -> PageKind {
    let measure = Measure::new(tree);
    let (mut prose, mut articles, mut in_articles, mut end) = (0, 0, 0, 0);
    for id in 0..tree.node_count() {
        match tree.name(id) {
            "p" if measure.link_density(tree, id) < PROSE_DENSITY && measure.text(tree, id) > PROSE => {
                prose += measure.text(tree, id)
            }
            "article" if id >= end => {
                articles += 1;
                in_articles += measure.text(tree, id);
                end = tree.end(id);
            }
            _ => {}
        }
    }
    let text = measure.text(tree, 0).max(1);
    if articles > MANY_ARTICLES && 2 * in_articles > text
        || (measure.link_density(tree, 0) > LISTING_DENSITY && prose < LISTING_PROSE)
    {
        PageKind::Listing
    } else if !is_home && prose > ARTICLE_PROSE && f64::from(prose) > ARTICLE_SHARE * f64::from(text) {
        PageKind::Article
    } else {
        PageKind::Other
    }
}
