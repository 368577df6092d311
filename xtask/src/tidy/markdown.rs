//! Reads links, anchors of headings, and code spans from Markdown.

use std::collections::{BTreeMap, BTreeSet};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// The references and the anchors of a document.
#[derive(Debug, Default)]
pub(crate) struct Markdown {
    /// Line and destination of each link and picture.
    pub(crate) links: Vec<(usize, String)>,
    /// Line and text of each code span.
    pub(crate) codes: Vec<(usize, String)>,
    /// Anchors of its headings in GitHub's form, and those set by HTML.
    pub(crate) anchors: BTreeSet<String>,
}

/// Reads a document.
pub(crate) fn read(text: &str) -> Markdown {
    let mut found = Markdown::default();
    let mut heading: Option<String> = None;
    let mut slugs: BTreeMap<String, usize> = BTreeMap::new();
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES;
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        let line = text[..range.start].matches('\n').count() + 1;
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                let slug = slug(&heading.take().unwrap_or_default());
                let before = slugs.entry(slug.clone()).or_default();
                found.anchors.insert(if *before == 0 { slug } else { format!("{slug}-{before}") });
                *before += 1;
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                found.links.push((line, dest_url.into_string()));
            }
            Event::Code(code) => {
                heading.iter_mut().for_each(|heading| heading.push_str(&code));
                found.codes.push((line, code.into_string()));
            }
            Event::Text(part) => heading.iter_mut().for_each(|heading| heading.push_str(&part)),
            Event::Html(html) | Event::InlineHtml(html) => found.anchors.extend(html_anchors(&html)),
            _ => {}
        }
    }
    found
}

/// GitHub's anchor of a heading: lower-case letters, digits, `-` and `_`; spaces become `-`.
fn slug(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    kept.flat_map(char::to_lowercase).map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

/// The names in `id="…"` and `name="…"`.
fn html_anchors(html: &str) -> Vec<String> {
    let values = |attribute: &str| {
        let parts = html.split(attribute).skip(1).filter_map(|rest| rest.split('"').next());
        parts.map(str::to_owned).collect::<Vec<_>>()
    };
    [values("id=\""), values("name=\"")].concat()
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn links_codes_and_anchors_come_with_their_lines() {
        let text = "# A `b` & C\n\n[x](y.md#z) `crates/a`\n\n## Twice\n## Twice\n<a id=\"own\"></a>\n";
        let found = read(text);
        assert_eq!(found.links, [(3, "y.md#z".to_owned())]);
        assert_eq!(found.codes, [(1, "b".to_owned()), (3, "crates/a".to_owned())]);
        let anchors: Vec<&str> = found.anchors.iter().map(String::as_str).collect();
        assert_eq!(anchors, ["a-b--c", "own", "twice", "twice-1"]);
    }

    #[test]
    fn code_blocks_are_no_references() {
        let found = read("```text\n[x](y)\n`crates/a`\n```\n");
        assert!(found.links.is_empty() && found.codes.is_empty());
    }
}
