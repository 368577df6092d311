//! Completes a body with little text from the data that the page embeds for its scripts.

use html::Tree;
use serde_json::Value;

use crate::metadata::PageMetadata;
use crate::text::comparison_key;
use crate::{PageKind, PageLimits, embedded_data};

/// Characters of content below which scripts may render the page. Chosen by hand; no measurement recorded.
pub(crate) const LITTLE: u32 = 250;
/// Characters below which a page with scripts has no content of its own.
/// Chosen by hand; no measurement recorded.
const NOTHING: u32 = 25;
/// The same for a page with an empty mount element for scripts. Chosen by hand; no measurement recorded.
const HARDLY: u32 = 120;
/// Share of a block's words in the body at which the block is a duplicate.
/// Chosen by hand; no measurement recorded.
const KNOWN: f64 = 0.8;
/// An article's data is used when it has twice the characters of the page, and this many more.
/// Chosen by hand; no measurement recorded.
const EXCESS: u64 = 500;

/// The body, completed with the page's embedded data when the page itself has little text; and whether
/// scripts are needed to render it.
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
        && article.is_some_and(|text| text.len() as u64 > 2 * u64::from(shown) + EXCESS);
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

/// The body with the blocks that it does not contain yet, and the number of their characters.
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

/// Whether a block is a price whose number the body has, in any notation of cents and currency.
fn is_price_of(block: &str, known: &std::collections::HashSet<&str>) -> bool {
    let Some((number, currency)) = block.split_once(' ') else { return false };
    let is_price = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        && currency.len() == 3
        && currency.bytes().all(|byte| byte.is_ascii_uppercase());
    is_price && number.split('.').next().is_some_and(|whole| !whole.is_empty() && known.contains(whole))
}

/// Whether the page has scripts, or data for them, other than data for search engines.
fn has_scripts(tree: &Tree<'_>) -> bool {
    (0..tree.node_count()).any(|id| {
        let kind = tree.raw_attribute(id, "type").unwrap_or_default();
        tree.name(id) == "script" && !kind.contains("ld+json")
    })
}

/// Whether there is an empty mount element: one with an id, a child of the body.
fn has_mount(tree: &Tree<'_>) -> bool {
    let body = (0..tree.node_count()).find(|id| tree.name(*id) == "body").unwrap_or(0);
    tree.children(body).any(|id| {
        matches!(tree.name(id), "div" | "main" | "section" | "other")
            && (tree.raw_attribute(id, "id").is_some() || tree.name(id) == "other")
            && tree.range(id).all(|below| tree.text(below).is_none_or(|text| text.trim().is_empty()))
    })
}
