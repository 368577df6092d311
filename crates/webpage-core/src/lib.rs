//! Web pages (scaffold).
mod content;
mod html;
mod page;
pub use page::{LinkKind, PageKind, RelatedLink, WebPage};

/// Text of the main content.
#[must_use]
pub fn dump(html: &str, kind: PageKind) -> String {
    let tree = html::read(html, 500_000);
    let content = content::find(&tree, kind);
    let mut out = String::new();
    for id in tree.range(content.root) {
        if content.measure.is_out(id) { continue; }
        if let Some(t) = tree.text(id) { out.push_str(t); } else if html::is_block(tree.name(id)) || tree.name(id) == "br" { out.push('\n'); }
    }
    out
}
/// Debug.
pub fn explain(html: &str, kind: PageKind) -> String {
    let tree = html::read(html, 500_000);
    let content = content::find(&tree, kind);
    let mut out = format!("nodes {} truncated {} root {} <{} {:?} {:?}>\n", tree.len(), tree.truncated, content.root, tree.name(content.root), tree.raw_attribute(content.root,"class"), tree.raw_attribute(content.root,"id"));
    let plain = content::Measure::new(&tree);
    let mut id = 0;
    while id < tree.len() {
        if content.measure.is_out(id) {
            if plain.text(&tree, id) > 60 && tree.raw(id).is_none() { out += &format!("  {} drop {} <{} class={:?} id={:?} role={:?}> {} :: {}\n", if tree.is_within(id, content.root) {"IN "} else {"out"}, id, tree.name(id), tree.raw_attribute(id,"class").unwrap_or(""), tree.raw_attribute(id,"id").unwrap_or(""), tree.raw_attribute(id,"role").unwrap_or(""), plain.text(&tree,id), tree.plain(id, 80)); }
            id = tree.end(id);
        } else { id += 1; }
    }
    out
}
