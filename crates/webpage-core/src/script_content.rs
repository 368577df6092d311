//! A body that says little, completed with what the page carries for its scripts.

use serde_json::Value;

use crate::html::Tree;
use crate::metadata::PageMetadata;
use crate::text::comparison_key;
use crate::{PageKind, PageLimits, embedded_data};

/// Characters of content below which a page may be made by scripts.
pub(crate) const LITTLE: u32 = 250;
/// Characters below which a page with scripts says nothing by itself.
const NOTHING: u32 = 25;
/// Characters below which a page says nothing by itself where scripts have an empty place to write to.
const HARDLY: u32 = 120;
/// Share of a block's words that the body has where it says the same.
const KNOWN: f64 = 0.8;

/// The body with what the page's data says where the page itself says little, and whether it takes scripts to show it.
pub(crate) fn complete_body(
    tree: &Tree<'_>,
    about: &PageMetadata,
    kind: PageKind,
    body: String,
    shown: u32,
    limits: &PageLimits,
) -> (String, bool) {
    let article = about
        .data
        .objects
        .iter()
        .filter_map(|object| object.get("articleBody").and_then(Value::as_str))
        .max_by_key(|text| text.len());
    let is_short = shown < LITTLE;
    let hides_article = kind == PageKind::Article
        && article.is_some_and(|text| text.len() as u64 > 2 * u64::from(shown) + 500);
    if !is_short && !hides_article {
        return (body, false);
    }
    let mut blocks = embedded_data::structured_paragraphs(&about.data);
    if is_short {
        let carried = embedded_data::script_data_paragraphs(tree);
        let length = |blocks: &[String]| blocks.iter().map(String::len).sum::<usize>();
        if length(&carried) > 2 * length(&blocks) {
            blocks.extend(carried);
        }
    }
    let (body, added) = append_blocks(body, &blocks, limits.body_bytes);
    let is_empty = shown < NOTHING || added > shown || shown < HARDLY && has_mount(tree);
    (body, is_short && is_empty && has_scripts(tree))
}

/// The body with the blocks that say something else, and how many characters they have.
fn append_blocks(mut body: String, blocks: &[String], most: usize) -> (String, u32) {
    let said = comparison_key(&body);
    let known: std::collections::HashSet<&str> = said.split(' ').collect();
    let mut added = 0_usize;
    for block in blocks {
        let words = comparison_key(block);
        let all = words.split(' ').count();
        let again = words.split(' ').filter(|word| known.contains(word)).count();
        if said.contains(&words) || again as f64 >= KNOWN * all as f64 || is_price_of(block, &known) {
            continue;
        }
        if body.len() + block.len() > most {
            break;
        }
        if !body.is_empty() {
            body.push_str("\n\n");
        }
        body.push_str(block);
        added += block.chars().filter(|c| !c.is_whitespace()).count();
    }
    (body, u32::try_from(added).unwrap_or(u32::MAX))
}

/// Whether a block is a price whose number the body has, however it writes its cents and its currency.
fn is_price_of(block: &str, known: &std::collections::HashSet<&str>) -> bool {
    let Some((number, currency)) = block.split_once(' ') else { return false };
    let is_price = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        && currency.len() == 3
        && currency.bytes().all(|byte| byte.is_ascii_uppercase());
    is_price && number.split('.').next().is_some_and(|whole| !whole.is_empty() && known.contains(whole))
}

/// Whether there are scripts, or data for them, beside what is meant for search engines.
fn has_scripts(tree: &Tree<'_>) -> bool {
    (0..tree.len()).any(|id| {
        let kind = tree.raw_attribute(id, "type").unwrap_or_default();
        tree.name(id) == "script" && !kind.contains("ld+json")
    })
}

/// Whether an element for a script to write to is empty: one with a name, right below the body.
fn has_mount(tree: &Tree<'_>) -> bool {
    let body = (0..tree.len()).find(|id| tree.name(*id) == "body").unwrap_or(0);
    tree.children(body).any(|id| {
        matches!(tree.name(id), "div" | "main" | "section" | "other")
            && (tree.raw_attribute(id, "id").is_some() || tree.name(id) == "other")
            && tree.range(id).all(|below| tree.text(below).is_none_or(|text| text.trim().is_empty()))
    })
}
