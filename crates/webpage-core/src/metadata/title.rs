//! Selects the title, without the site's name.

use html::{Id, Tree};

use super::PageMetadata;
use crate::text::{comparison_key, line};

/// Separators between a title and a site's name.
const BETWEEN: [&str; 12] =
    [" | ", " - ", " – ", " — ", " · ", " • ", " :: ", " » ", " « ", " / ", " ~ ", " : "];

/// Selects the title. A heading of the page is used when the head agrees with it.
pub(super) fn choose(
    about: &PageMetadata,
    tree: &Tree<'_>,
    heading: Option<Id>,
    host: Option<&str>,
    of_one_thing: bool,
    most: usize,
) -> String {
    let own = (0..tree.node_count()).find(|id| tree.name(*id) == "title").and_then(|id| tree.raw(id));
    let own = own.map(|text| line(&html::decode_text(text), most)).unwrap_or_default();
    let shared =
        about.meta_content(&["og:title", "twitter:title", "title", "dc.title"]).map(|text| line(text, most));
    let shared = shared.unwrap_or_default();
    let names = names(about, host);
    // A heading equal to the site's name is the same on every page.
    let heading = heading.map(|id| line(&tree.plain(id, 4 * most), most)).unwrap_or_default();
    let compared_heading = comparison_key(&heading);
    let of_site = names.contains(&compared_heading);
    let says_the_same =
        |text: &str| !compared_heading.is_empty() && comparison_key(text).contains(&compared_heading);
    let is_alone =
        of_one_thing && (0..tree.node_count()).filter(|id| tree.name(*id) == "h1").take(2).count() == 1;
    if !of_site
        && (says_the_same(&own)
            || says_the_same(&shared)
            || (is_alone && shares_words(&compared_heading, &own)))
    {
        return heading;
    }
    let cut_own = cut(&own, &names);
    [cut_own, cut(&shared, &names), heading, about.data.headline.clone().unwrap_or_default()]
        .into_iter()
        .find(|title| !title.is_empty())
        .map(|title| line(&title, most))
        .unwrap_or_default()
}

/// Whether half of the heading's words, and at least three, are in the title. Chosen by hand.
fn shares_words(heading: &str, title: &str) -> bool {
    let title = comparison_key(title);
    let known: Vec<&str> = title.split(' ').collect();
    let words: Vec<&str> = heading.split(' ').collect();
    let both = words.iter().filter(|word| known.contains(word)).count();
    both >= 3 && both * 2 >= words.len()
}

/// The names of the site, for comparison.
fn names(about: &PageMetadata, host: Option<&str>) -> Vec<String> {
    let mut names: Vec<String> = about.site().map(|site| comparison_key(&site)).into_iter().collect();
    if let Some(host) = host {
        let host = host.trim_start_matches("www.");
        names.push(comparison_key(host));
        names.extend(host.split('.').filter(|label| label.len() > 3).map(comparison_key));
    }
    names.retain(|name| !name.is_empty());
    names
}

/// The title without the parts that name the site, and without what follows its first part. A part with a
/// site's name of more than four letters names the site when it has fewer than eight more. Chosen by hand.
fn cut(title: &str, names: &[String]) -> String {
    let mut parts = vec![title];
    for sign in BETWEEN {
        parts = parts.into_iter().flat_map(|part| part.split(sign)).collect();
    }
    let joined = |part: &str| comparison_key(part).replace(' ', "");
    let is_site = |part: &str| {
        let part = joined(part);
        names.iter().any(|name| {
            let name = name.replace(' ', "");
            part == name || (name.len() > 4 && part.contains(&name) && part.len() < name.len() + 8)
        })
    };
    let first = parts.iter().map(|part| part.trim()).find(|part| !part.is_empty() && !is_site(part));
    first.unwrap_or(title.trim()).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title(head: &str, body: &str) -> String {
        let html = format!("<head>{head}</head><body>{body}</body>");
        let tree = html::parse(&html, 1_000);
        let heading = (0..tree.node_count()).find(|id| tree.name(*id) == "h1");
        choose(&PageMetadata::read(&tree), &tree, heading, Some("www.garden-news.example"), true, 200)
    }

    #[test]
    fn the_site_is_no_part_of_the_title() {
        assert_eq!(title("<title>Roses in May | Garden News</title>", ""), "Roses in May");
        assert_eq!(title("<title>Garden News - Roses in May</title>", ""), "Roses in May");
        assert_eq!(title("<title>Garden News</title>", ""), "Garden News");
    }

    #[test]
    fn a_heading_that_the_head_repeats_is_the_title() {
        let head = "<title>Roses in May: a calendar - Garden</title>";
        assert_eq!(title(head, "<h1>Roses in May: <i>a calendar</i></h1>"), "Roses in May: a calendar");
        assert_eq!(title(head, "<h1>Welcome!</h1>"), "Roses in May: a calendar");
        assert_eq!(title(head, "<h1>A calendar of roses</h1>"), "A calendar of roses");
        assert_eq!(title(head, "<h1>Garden News</h1>"), "Roses in May: a calendar");
        assert_eq!(title("", "<h1>Welcome!</h1>"), "Welcome!");
        assert_eq!(title("", ""), "");
    }
}
