//! Builds the tree from tokens. The parser is tolerant but not that of the standard: implied tags are added,
//! unmatched end tags ignored, and nothing is moved.

use super::elements::{ends_paragraph, heading_level, is_block, is_of_head, is_of_table, is_raw, is_void};
use super::entities::decode_text;
use super::lexer::{Lexer, Tag, Token};
use super::tree::{Id, Kind, Node, Tree};

/// Maximum nesting depth, as in browsers; deeper elements become siblings.
const DEPTH: usize = 512;

/// Builds a tree of at most `most` nodes.
pub(crate) fn build(mut lexer: Lexer<'_>, most: usize) -> Tree<'_> {
    let root = Node { parent: 0, end: 0, kind: Kind::Element { name: "html", attributes: Vec::new() } };
    let mut builder = Builder { nodes: vec![root], open: vec![(0, "html")], deeper: 0 };
    let mut truncated = false;
    while let Some(token) = lexer.next() {
        if builder.nodes.len() >= most {
            truncated = true;
            break;
        }
        match token {
            Token::Text(text) => builder.text(text),
            Token::Start(tag) => {
                let raw = (is_raw(tag.name) && !tag.closed).then(|| lexer.raw_text(tag.name));
                builder.start(tag, raw);
            }
            Token::End(tag) => builder.end(tag.name),
        }
    }
    builder.close_to(0);
    let end = builder.nodes.len();
    if let Some(root) = builder.nodes.first_mut() {
        root.end = end;
    }
    Tree { nodes: builder.nodes, truncated }
}

struct Builder<'a> {
    nodes: Vec<Node<'a>>,
    /// Stack of open elements, outermost first.
    open: Vec<(Id, &'static str)>,
    /// Open elements beyond the maximum depth.
    deeper: usize,
}

impl<'a> Builder<'a> {
    fn push(&mut self, kind: Kind<'a>) -> Id {
        let id = self.nodes.len();
        let parent = self.open.last().map_or(0, |(id, _)| *id);
        self.nodes.push(Node { parent, end: id + 1, kind });
        id
    }

    fn text(&mut self, text: &'a str) {
        if self.open.last().is_some_and(|(_, name)| *name == "head") && !text.trim().is_empty() {
            self.close_to(self.open.len() - 1);
        }
        self.push(Kind::Text(decode_text(text)));
    }

    /// Adds an element; `raw` is the content of a raw text element.
    fn start(&mut self, Tag { name, attributes, closed, .. }: Tag<'a>, raw: Option<&'a str>) {
        // A second root or body only adds its attributes.
        if name == "html" || (name == "body" && self.open.iter().any(|(_, open)| *open == "body")) {
            if let Some(Kind::Element { attributes: own, .. }) =
                self.nodes.first_mut().map(|root| &mut root.kind)
            {
                own.extend(attributes);
            }
            return;
        }
        self.imply_ends(name);
        let id = self.push(Kind::Element { name, attributes });
        if let Some(raw) = raw {
            self.nodes.push(Node { parent: id, end: id + 2, kind: Kind::Raw(raw) });
            if let Some(node) = self.nodes.get_mut(id) {
                node.end = id + 2;
            }
        } else if is_void(name) || (closed && matches!(name, "other" | "svg")) {
            // A void element has no content.
        } else if self.open.len() < DEPTH {
            self.open.push((id, name));
        } else {
            self.deeper += 1;
        }
    }

    /// Closes the elements that a start tag of this name closes implicitly.
    fn imply_ends(&mut self, name: &'static str) {
        if self.deeper > 0 {
            return;
        }
        if !is_of_head(name) {
            self.close_nearest(&["head"], |_| false);
        }
        if ends_paragraph(name) {
            self.close_nearest(&["p"], is_block);
        }
        match name {
            "li" => self.close_nearest(&["li"], |open| {
                is_block(open) && !matches!(open, "div" | "p" | "address" | "center")
            }),
            "dt" | "dd" => self.close_nearest(&["dt", "dd"], |open| {
                is_block(open) && !matches!(open, "div" | "p" | "address" | "center")
            }),
            "option" => self.close_nearest(&["option"], |open| matches!(open, "select" | "datalist")),
            "td" | "th" => self.close_nearest(&["td", "th"], |open| matches!(open, "table" | "tr")),
            "tr" => self.close_nearest(&["tr"], |open| open == "table"),
            "thead" | "tbody" | "tfoot" => {
                self.close_nearest(&["thead", "tbody", "tfoot"], |open| open == "table");
            }
            "a" => self.close_nearest(&["a"], |open| is_of_table(open) || matches!(open, "li" | "article")),
            _ if heading_level(name).is_some()
                && self.open.last().is_some_and(|(_, open)| heading_level(open).is_some()) =>
            {
                self.close_to(self.open.len() - 1);
            }
            _ => {}
        }
    }

    /// Closes the nearest open element of one of these names, unless an element of `between` is nearer.
    fn close_nearest(&mut self, names: &[&str], between: impl Fn(&str) -> bool) {
        for place in (1..self.open.len()).rev() {
            let Some((_, open)) = self.open.get(place) else { return };
            if names.contains(open) {
                self.close_to(place);
                return;
            }
            if between(open) {
                return;
            }
        }
    }

    fn end(&mut self, name: &'static str) {
        if matches!(name, "html" | "body") || is_void(name) {
            return;
        }
        if self.deeper > 0 {
            self.deeper -= 1;
            return;
        }
        if heading_level(name).is_some() {
            // A heading closes an open heading.
            self.close_nearest(&["h1", "h2", "h3", "h4", "h5", "h6"], is_block);
        } else if is_of_table(name) {
            self.close_nearest(&[name], |open| open == "table");
        } else if is_block(name)
            || matches!(name, "other" | "button" | "select" | "noscript" | "template" | "svg")
        {
            self.close_nearest(&[name], |open| matches!(open, "table" | "td" | "th"));
        } else {
            self.close_nearest(&[name], is_block);
        }
    }

    /// Closes all open elements from an index of the stack on.
    fn close_to(&mut self, place: usize) {
        let end = self.nodes.len();
        for (id, _) in self.open.drain(place.min(self.open.len())..) {
            if let Some(node) = self.nodes.get_mut(id) {
                node.end = end;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tree in bracket notation.
    fn shape(html: &str) -> String {
        let tree = build(Lexer::new(html), 10_000);
        let mut out = String::new();
        let mut ends: Vec<Id> = Vec::new();
        for id in 1..tree.node_count() {
            while ends.last().is_some_and(|end| *end <= id) {
                ends.pop();
                out.push(')');
            }
            match tree.text(id) {
                Some(text) => out.push_str(text),
                None => {
                    out.push_str(&format!("{}(", tree.name(id)));
                    ends.push(tree.end(id));
                }
            }
        }
        out + &")".repeat(ends.len())
    }

    #[test]
    fn what_is_left_out_is_filled_in() {
        assert_eq!(shape("<p>a<p>b<ul><li>c<li>d</ul>e"), "p(a)p(b)ul(li(c)li(d))e");
        assert_eq!(shape("<table><tr><td>a<td>b<tr><td>c</table>"), "table(tr(td(a)td(b))tr(td(c)))");
        assert_eq!(shape("<head><meta><div>a"), "head(meta())div(a)");
        assert_eq!(shape("<dl><dt>a<dd>b<dt>c</dl>"), "dl(dt(a)dd(b)dt(c))");
    }

    #[test]
    fn an_end_tag_that_closes_nothing_is_ignored() {
        assert_eq!(shape("<div>a</span></p>b</div></div>c"), "div(ab)c");
        assert_eq!(shape("<div><table><tr><td>a</div>b</table>c</div>"), "div(table(tr(td(ab)))c)");
        assert_eq!(shape("<h2>a</h3>b"), "h2(a)b");
    }

    #[test]
    fn nesting_has_an_end_and_what_is_deeper_stays() {
        let html = format!("{}x{}y", "<div>".repeat(100_000), "</div>".repeat(100_000));
        let tree = build(Lexer::new(&html), 1_000_000);
        assert_eq!(tree.plain(0, 100), "x y");
        assert!(tree.ancestors(tree.node_count() - 1).count() < DEPTH);
    }
}
