//! Parses bytes to a page.

use html::{Id, Tree};

use crate::address::Addresses;
use crate::metadata::PageMetadata;
use crate::{PageKind, PageLimits, WebPage};
use crate::{content, decode, links, markdown, redirection, script_content};

/// Parses a web page. Any bytes make a page: what cannot be parsed is left out.
///
/// `url` is the final URL, the base of relative URLs. Of `content_type`, the HTTP header, only the charset is
/// used.
#[must_use]
pub fn parse_page(bytes: &[u8], url: &str, content_type: Option<&str>, limits: &PageLimits) -> WebPage {
    let bytes_read = bytes.get(..limits.html_bytes).unwrap_or(bytes);
    let own = url::Url::parse(url).ok();
    let host = own.as_ref().and_then(url::Url::host_str);
    let domain = host.and_then(|host| host.rsplit('.').next());
    let html = decode::decode(bytes_read, content_type, domain);
    let tree = html::parse(&html, limits.nodes);
    let addresses = Addresses::new(&tree, url);
    let about = PageMetadata::read(&tree);
    let kind = about.kind(&tree, addresses.page());
    let content = content::find(&tree, kind);
    let of_one_thing = !matches!(kind, PageKind::Other | PageKind::Listing);
    let heading = main_heading(&tree, &content);
    let title = about.title(&tree, heading, host, of_one_thing, limits.title_chars);
    let written = markdown::write(&tree, &content, &addresses, limits.body_bytes);
    let shown = content.measure.text(&tree, content.root);
    let (body, needs_script) =
        script_content::complete_body(&tree, &about, kind, written.text, shown, limits);
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
        refresh: redirection::refresh(&tree, &addresses, shown).map(String::from),
        frames: redirection::frames(&tree, &addresses, shown).into_iter().map(String::from).collect(),
        needs_script,
        truncated: written.truncated || tree.is_truncated() || bytes.len() > limits.html_bytes,
    }
}

/// The first visible heading, in the content if there is one.
fn main_heading(tree: &Tree<'_>, content: &content::Content) -> Option<Id> {
    let headings =
        || (0..tree.node_count()).filter(|id| tree.name(*id) == "h1" && !tree.plain(*id, 20).is_empty());
    headings().find(|id| tree.is_within(*id, content.root)).or_else(|| headings().next())
}
