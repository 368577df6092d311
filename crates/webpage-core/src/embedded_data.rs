//! Extracts the text of script-rendered pages from the data that they embed for their scripts.

use html::Tree;
use serde_json::{Map, Value};

use crate::metadata::LinkedData;
use crate::text::{comparison_key, line};

/// Maximum bytes of one script's data. Protects memory.
const BYTES: usize = 4 << 20;
/// Maximum scripts. Protects time.
const SCRIPTS: usize = 40;
/// Maximum values that are examined. Protects time.
const VALUES: usize = 200_000;
/// Maximum blocks of text. Protects memory.
const BLOCKS: usize = 2_000;
/// A script with data is longer than this, and begins its first object within so many bytes. Chosen by hand;
/// no measurement recorded.
const MIN_SCRIPT: usize = 200;
const ASSIGNED: usize = 400;
/// Minimum words of a text: under any key, under a key that names texts, and with a URL in it.
/// Chosen by hand; no measurement recorded.
const WORDS: usize = 9;
const NAMED_WORDS: usize = 3;
const ADDRESS_WORDS: usize = 6;

/// Paragraphs from the page's structured data: the text of an article, a product, questions, a recipe, lists.
pub(crate) fn structured_paragraphs(data: &LinkedData) -> Vec<String> {
    let mut texts = Texts::default();
    for object in &data.objects {
        for key in ["headline", "name", "description", "articleBody", "text", "reviewBody"] {
            texts.add(object.get(key).and_then(Value::as_str));
        }
        for key in ["recipeIngredient", "recipeInstructions", "itemListElement", "acceptedAnswer", "offers"] {
            if let Some(value) = object.get(key) {
                texts.state(value);
            }
        }
        if let Some(Value::Array(values)) = object.get("mainEntity") {
            values.iter().for_each(|value| texts.state(value));
        }
    }
    texts.blocks
}

/// Paragraphs from the data of the page's scripts, such as `__NEXT_DATA__`: strings under keys that hold
/// text.
pub(crate) fn script_data_paragraphs(tree: &Tree<'_>) -> Vec<String> {
    let mut texts = Texts::default();
    let scripts = (0..tree.node_count())
        .filter(|id| tree.name(*id) == "script")
        .filter_map(|id| Some((id, tree.raw(id)?)));
    for (id, text) in scripts.filter(|(_, text)| text.len() > MIN_SCRIPT && text.len() <= BYTES).take(SCRIPTS)
    {
        let kind = tree.raw_attribute(id, "type").unwrap_or_default();
        if kind.contains("ld+json") {
            continue;
        }
        let is_json = kind.contains("json");
        if let Some(value) = if is_json { serde_json::from_str(text).ok() } else { assigned_object(text) } {
            texts.search(&value);
        }
    }
    texts.blocks
}

/// The first object that a script assigns: `window.__STATE__ = {…}`.
fn assigned_object(script: &str) -> Option<Value> {
    let begin = script.find("={").map(|at| at + 1).or_else(|| script.find("= {").map(|at| at + 2))?;
    if begin > ASSIGNED {
        return None;
    }
    serde_json::Deserializer::from_str(script.get(begin..)?).into_iter::<Value>().next()?.ok()
}

#[derive(Default)]
struct Texts {
    blocks: Vec<String>,
    known: std::collections::HashSet<String>,
}

impl Texts {
    fn add(&mut self, text: Option<&str>) {
        let Some(text) = text else { return };
        for part in plain(text).split("\n\n") {
            let part = line(part, 20_000);
            if !part.is_empty() && self.blocks.len() < BLOCKS && self.known.insert(comparison_key(&part)) {
                self.blocks.push(part);
            }
        }
    }

    /// Adds a value of structured data.
    fn state(&mut self, value: &Value) {
        let mut open = vec![value];
        let mut seen = 0;
        while let Some(value) = open.pop() {
            seen += 1;
            match value {
                _ if seen > VALUES => return,
                Value::String(text) if !text.starts_with("http") => self.add(Some(text)),
                Value::Array(values) => open.extend(values.iter().rev()),
                Value::Object(object) => {
                    self.add(price(object).as_deref());
                    let keys = [
                        "name",
                        "text",
                        "description",
                        "itemListElement",
                        "item",
                        "acceptedAnswer",
                        "suggestedAnswer",
                    ];
                    open.extend(keys.iter().rev().filter_map(|key| object.get(*key)));
                }
                _ => {}
            }
        }
    }

    /// Adds any value: strings that are sentences, or whose key names a title or a text.
    fn search(&mut self, value: &Value) {
        let mut open: Vec<(&str, &Value)> = vec![("", value)];
        let mut seen = 0;
        while let Some((key, value)) = open.pop() {
            seen += 1;
            match value {
                _ if seen > VALUES => return,
                Value::String(text) if is_shown(key, text) => self.add(Some(text)),
                Value::Array(values) => open.extend(values.iter().rev().map(|value| (key, value))),
                Value::Object(object) => {
                    let parts = object.iter().rev().filter(|(key, _)| !is_about_machines(key));
                    open.extend(parts.map(|(key, value)| (key.as_str(), value)));
                }
                _ => {}
            }
        }
    }
}

fn price(offer: &Map<String, Value>) -> Option<String> {
    let price = offer.get("price").or(offer.get("lowPrice"))?;
    let price =
        price.as_str().map(str::to_owned).or_else(|| price.as_f64().map(|price| price.to_string()))?;
    let currency = offer.get("priceCurrency").and_then(Value::as_str).unwrap_or_default();
    Some(format!("{price} {currency}").trim().to_owned())
}

/// Whether a string is visible text.
fn is_shown(key: &str, text: &str) -> bool {
    const KEYS: [&str; 18] = [
        "title",
        "headline",
        "heading",
        "name",
        "description",
        "body",
        "content",
        "text",
        "html",
        "summary",
        "caption",
        "excerpt",
        "question",
        "answer",
        "subtitle",
        "paragraph",
        "lead",
        "label",
    ];
    let key = key.to_ascii_lowercase();
    let words = text.split_whitespace().take(WORDS).count();
    let named = KEYS.iter().any(|name| key.ends_with(name));
    let is_code = text.starts_with(['{', '[', '/', '#', '.'])
        || text.contains("://") && words < ADDRESS_WORDS
        || text.contains("function(");
    !is_code && text.chars().any(char::is_alphabetic) && ((named && words >= NAMED_WORDS) || words >= WORDS)
}

fn is_about_machines(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    [
        "css",
        "style",
        "script",
        "config",
        "token",
        "url",
        "href",
        "src",
        "i18n",
        "translation",
        "locale",
        "messages",
        "menu",
    ]
    .iter()
    .chain(&[
        "navigation",
        "footer",
        "header",
        "seo",
        "meta",
        "tracking",
        "analytics",
        "consent",
        "cookie",
        "query",
        "label",
    ])
    .any(|name| key.contains(name))
}

/// Converts the HTML of a string to text.
fn plain(text: &str) -> String {
    if !text.contains('<') {
        return html::decode_text(text).into_owned();
    }
    let tree = html::parse(text, 20_000);
    let mut out = String::new();
    for id in 0..tree.node_count() {
        if let Some(text) = tree.text(id) {
            out.push_str(text);
        } else if html::is_block(tree.name(id)) {
            out.push_str("\n\n");
        }
    }
    out
}
