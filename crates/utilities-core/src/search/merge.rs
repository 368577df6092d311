//! Deduplicates hits of the same page or the same story.

use std::collections::HashMap;

use url::Url;

use super::address::{bare_host, key};
use super::query::Kind;
use super::source::Source;

/// Minimum words of a title that identifies a story. Shorter titles, as *Weather today*, recur. Chosen by
/// hand; no measurement is recorded.
const TELLING: usize = 4;
/// Maximum seconds between two reports of one story. Agencies are reprinted for some days. Chosen by hand; no
/// measurement is recorded.
const APART: f64 = 3.0 * 86_400.0;
/// Hosts whose URLs redirect to the publisher only by a script.
const AGGREGATORS: [&str; 2] = ["news.google.com", "msn.com"];

/// Deduplicates hits. The first of each group keeps its rank and takes missing values from the others. Pages
/// are equal by URL; news also by title, unless their dates are far apart.
pub(super) fn merged(hits: Vec<(Url, Source)>, kind: Kind, limit: usize) -> Vec<Source> {
    let mut kept: Vec<Source> = Vec::new();
    let (mut by_address, mut by_title) =
        (HashMap::<String, usize>::new(), HashMap::<String, Vec<usize>>::new());
    for (url, hit) in hits {
        let (address, title) = (key(&url), (kind == Kind::News).then(|| title_key(&hit.title)).flatten());
        let known = by_address.get(&address).copied().or_else(|| {
            let places = by_title.get(title.as_ref()?)?;
            places
                .iter()
                .copied()
                .find(|place| kept.get(*place).is_some_and(|first| are_close_in_time(first, &hit)))
        });
        let place = match known {
            Some(place) => {
                if let Some(first) = kept.get_mut(place) {
                    fill_missing(first, hit);
                }
                place
            }
            None if kept.len() == limit => continue,
            None => {
                kept.push(hit);
                kept.len() - 1
            }
        };
        by_address.entry(address).or_insert(place);
        if let Some(title) = title {
            let places = by_title.entry(title).or_default();
            if !places.contains(&place) {
                places.push(place);
            }
        }
    }
    kept
}

/// The normalised words of the title; `None` when there are too few.
fn title_key(title: &str) -> Option<String> {
    let lower = title.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    // In scripts without spaces a word is long.
    // Three letters there say about as much as a word. Chosen by hand; no measurement is recorded.
    let enough = words.len() >= TELLING || lower.chars().filter(|c| !c.is_ascii()).count() >= 3 * TELLING;
    enough.then(|| words.join(" "))
}

fn are_close_in_time(first: &Source, second: &Source) -> bool {
    match (first.published, second.published) {
        (Some(first), Some(second)) => first.seconds_since(second).abs() <= APART,
        _ => true,
    }
}

/// Whether the URL redirects to the publisher's by a script.
pub(super) fn is_aggregated(address: &str) -> bool {
    let host = Url::parse(address).ok().as_ref().and_then(bare_host).unwrap_or_default();
    AGGREGATORS.contains(&host.as_str())
}

fn fill_missing(first: &mut Source, other: Source) {
    if is_aggregated(&first.url) && !is_aggregated(&other.url) {
        // The publisher's own URL can be read.
        first.url = other.url;
    }
    first.published = first.published.or(other.published);
    first.family_friendly &= other.family_friendly;
    for (mine, theirs) in [
        (&mut first.description, other.description),
        (&mut first.language, other.language),
        (&mut first.full_text, other.full_text),
    ] {
        if mine.is_empty() {
            *mine = theirs;
        }
    }
}
