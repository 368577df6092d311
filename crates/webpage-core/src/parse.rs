//! From bytes to a page.

use crate::about::About;
use crate::address::Addresses;
use crate::html::{Id, Tree};
use crate::text::compared;
use crate::{PageKind, PageLimits, WebPage};
use crate::{content, decode, embedded, html, links, markdown};

/// Characters of content below which a page is taken to be made by scripts, if it carries data for them.
const LITTLE: u32 = 250;

/// Reads a web page. Any bytes make a page: what cannot be understood is left out.
///
/// `url` is where the page was found, after redirects; relative addresses are relative to it. `content_type` is what
/// HTTP said, of which the charset counts.
#[must_use]
pub fn parse_page(bytes: &[u8], url: &str, content_type: Option<&str>, limits: &PageLimits) -> WebPage {
    let bytes_read = bytes.get(..limits.html_bytes).unwrap_or(bytes);
    let own = url::Url::parse(url).ok();
    let host = own.as_ref().and_then(url::Url::host_str);
    let domain = host.and_then(|host| host.rsplit('.').next());
    let html = decode::decode(bytes_read, content_type, domain);
    let tree = html::read(&html, limits.nodes);
    let addresses = Addresses::new(&tree, url);
    let about = About::read(&tree);
    let kind = about.kind(&tree, addresses.page());
    let content = content::find(&tree, kind);
    let of_one_thing = !matches!(kind, PageKind::Other | PageKind::Listing);
    let heading = main_heading(&tree, &content);
    let title = about.title(&tree, heading, host, of_one_thing, limits.title_chars);
    let written = markdown::write(&tree, &content, &addresses, limits.body_bytes);
    let shown = content.measure.text(&tree, content.root);
    let (body, needs_script) = completed(&tree, &about, kind, written.text, shown, limits);
    WebPage {
        title,
        description: about.description(limits.description_chars),
        site: about.site(),
        language: about.language(&tree),
        published: about.published(&tree),
        author: about.author(&tree),
        kind,
        body,
        links: links::find(&tree, &content, &addresses, limits),
        image: about.image().and_then(|url| addresses.absolute(url)).map(String::from),
        needs_script,
        truncated: written.truncated || tree.truncated || bytes.len() > limits.html_bytes,
    }
}

/// The first heading that is shown, in the content if there is one.
fn main_heading(tree: &Tree<'_>, content: &content::Content) -> Option<Id> {
    let headings = || (0..tree.len()).filter(|id| tree.name(*id) == "h1" && !tree.plain(*id, 20).is_empty());
    headings().find(|id| tree.is_within(*id, content.root)).or_else(|| headings().next())
}

/// The body with what the page's data says where the page itself says little.
fn completed(
    tree: &Tree<'_>,
    about: &About,
    kind: PageKind,
    body: String,
    shown: u32,
    limits: &PageLimits,
) -> (String, bool) {
    let has_scripts = (0..tree.len()).any(|id| tree.name(id) == "script");
    let article = about
        .data
        .objects
        .iter()
        .filter_map(|object| object.get("articleBody")?.as_str())
        .max_by_key(|text| text.len());
    let is_short = shown < LITTLE;
    let hides_article = kind == PageKind::Article
        && article.is_some_and(|text| text.len() as u64 > 2 * u64::from(shown) + 500);
    if !is_short && !hides_article {
        return (body, false);
    }
    let mut blocks = embedded::stated(&about.data);
    if is_short {
        let carried = embedded::carried(tree);
        let length = |blocks: &[String]| blocks.iter().map(String::len).sum::<usize>();
        if length(&carried) > 2 * length(&blocks) {
            blocks.extend(carried);
        }
    }
    let said = compared(&body);
    let mut out = body;
    for block in blocks.iter().filter(|block| !said.contains(&compared(block))) {
        if out.len() + block.len() > limits.body_bytes {
            break;
        }
        if !out.is_empty() {
            out.push_str("\n\n");
        }
        out.push_str(block);
    }
    (out, is_short && has_scripts)
}
