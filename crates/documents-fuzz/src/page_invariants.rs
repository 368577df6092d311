//! Invariants of every web page, whatever its bytes.

use std::collections::HashSet;

use webpage_core::{PageLimits, WebPage, parse_page};

/// URL of the pages of the cases.
const URL: &str = "https://harbour.example/news/case.html";

/// Extension of the cases that are parsed as web pages.
pub(crate) const ENDING: &str = ".page";

/// The first rule that the page of these bytes violates.
pub(crate) fn first_violation(bytes: &[u8]) -> Option<(String, String)> {
    let limits = PageLimits::default();
    let page = parse_page(bytes, URL, Some("text/html"), &limits);
    let again = parse_page(bytes, URL, Some("text/html"), &limits);
    let wrong = if page == again {
        rules(&page, &limits)
    } else {
        Some(("a page is read alike twice", String::new()))
    };
    wrong.map(|(rule, told)| (rule.to_owned(), told))
}

type PageRuleBreach = Option<(&'static str, String)>;

fn rules(page: &WebPage, limits: &PageLimits) -> PageRuleBreach {
    let breaks = |condition: bool, rule: &'static str, told: &str| condition.then(|| (rule, told.to_owned()));
    let size = page.body.len().to_string();
    breaks(page.body.len() > limits.body_bytes, "the body is bounded", &size)
        .or_else(|| breaks(page.body.chars().any(is_control), "the body has no control characters", ""))
        .or_else(|| breaks(page.links.len() > limits.links, "links are bounded", ""))
        .or_else(|| lines(page, limits).find_map(|(line, most)| one_line(line, most)))
        .or_else(|| links(page))
}

fn is_control(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\t')
}

/// The one-line texts with their maximum characters, without the ellipsis.
fn lines<'a>(page: &'a WebPage, limits: &PageLimits) -> impl Iterator<Item = (&'a str, usize)> {
    let (title, description) = (limits.title_chars, limits.description_chars);
    let about = [&page.author, &page.site, &page.language, &page.published].into_iter().flatten();
    let of_links = page
        .links
        .iter()
        .flat_map(move |link| [(link.title.as_str(), title), (link.description.as_str(), description)]);
    about
        .map(move |text| (text.as_str(), title))
        .chain([(page.title.as_str(), title)])
        .chain(page.description.as_deref().map(|text| (text, description)))
        .chain(of_links)
}

fn one_line(line: &str, most: usize) -> PageRuleBreach {
    if line.chars().count() > most + 1 {
        return Some(("lines are bounded", line.to_owned()));
    }
    let tricks = |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    line.chars().any(tricks).then(|| ("lines have no breaks and no marks of direction", line.to_owned()))
}

fn links(page: &WebPage) -> PageRuleBreach {
    let mut seen = HashSet::new();
    let of_links = page.links.iter().map(|link| link.url.as_str());
    for url in of_links.clone().chain(page.image.as_deref()) {
        if !url.starts_with("http://") && !url.starts_with("https://") {
            return Some(("addresses are of the web", url.to_owned()));
        }
    }
    for link in &page.links {
        if !seen.insert(link.url.as_str()) || link.url.contains('#') || link.title.is_empty() {
            return Some(("links are told once, by their titles, without fragments", link.url.clone()));
        }
    }
    None
}
