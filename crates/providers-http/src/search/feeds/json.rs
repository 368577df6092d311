//! JSON Feed, versions 1 and 1.1.

use serde::Deserialize;
use utilities_core::search::RawHit;

use super::super::hits::valid_entries;
use super::field::escaped;
use crate::lenient::Scalar;

#[derive(Deserialize)]
struct Feed {
    version: String,
    #[serde(default)]
    language: Scalar,
    #[serde(default, deserialize_with = "valid_entries")]
    items: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    #[serde(default)]
    id: Scalar,
    #[serde(default)]
    url: Scalar,
    #[serde(default)]
    external_url: Scalar,
    #[serde(default)]
    title: Scalar,
    #[serde(default)]
    summary: Scalar,
    #[serde(default)]
    content_html: Scalar,
    #[serde(default)]
    content_text: Scalar,
    #[serde(default)]
    date_published: Scalar,
    #[serde(default)]
    date_modified: Scalar,
    #[serde(default)]
    language: Scalar,
}

/// The entries; `None` for JSON that is not a feed.
pub(super) fn entries(text: &str) -> Option<Vec<RawHit>> {
    let feed: Feed = serde_json::from_str(text).ok()?;
    if !feed.version.contains("jsonfeed.org/version/1") {
        return None;
    }
    let language = feed.language.words();
    Some(feed.items.into_iter().map(|item| hit(item, language.as_deref())).collect())
}

fn hit(item: Item, language: Option<&str>) -> RawHit {
    let summary = item.summary.words().or_else(|| item.content_text.words()).map(|text| escaped(&text));
    RawHit {
        // Without a URL, the id is a URL.
        url: item
            .url
            .words()
            .or_else(|| item.external_url.words())
            .or_else(|| item.id.words())
            .unwrap_or_default(),
        title: item.title.words().map(|title| escaped(&title)).unwrap_or_default(),
        description: summary.or_else(|| item.content_html.words()).unwrap_or_default(),
        date: item.date_published.words().or_else(|| item.date_modified.words()),
        language: item.language.words().or_else(|| language.map(str::to_owned)),
        ..RawHit::default()
    }
}
