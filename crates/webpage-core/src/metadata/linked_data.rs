//! Structured data of schema.org in JSON-LD.

use html::Tree;
use serde_json::{Map, Value};

/// Maximum bytes of JSON-LD. Protects memory.
const BYTES: usize = 2 << 20;
/// Maximum objects. Protects memory.
const OBJECTS: usize = 2_000;

/// The JSON-LD data of a page.
#[derive(Debug, Default)]
pub(crate) struct LinkedData {
    /// Types of the objects, in document order.
    pub(crate) types: Vec<String>,
    pub(crate) headline: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) published: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) image: Option<String>,
    pub(crate) site: Option<String>,
    /// The objects themselves, for pages that have no text without scripts.
    pub(crate) objects: Vec<Map<String, Value>>,
}

impl LinkedData {
    pub(crate) fn read(tree: &Tree<'_>) -> Self {
        let mut data = Self::default();
        let mut room = BYTES;
        for id in (0..tree.node_count()).filter(|id| tree.name(*id) == "script") {
            let is_data = tree.raw_attribute(id, "type").is_some_and(|kind| kind.contains("ld+json"));
            let Some(text) = tree.raw(id).filter(|text| is_data && text.len() <= room) else { continue };
            room -= text.len();
            let text = text.trim().trim_start_matches("<!--").trim_end_matches("-->").trim_end_matches(';');
            if let Ok(value) = serde_json::from_str(text) {
                data.take(value);
            }
        }
        data.summarise();
        data
    }

    fn take(&mut self, value: Value) {
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            match value {
                Value::Array(values) => open.extend(values.into_iter().rev()),
                Value::Object(mut object) if self.objects.len() < OBJECTS => {
                    let graph = object.remove("@graph");
                    let main = object.get("mainEntity").filter(|main| main.is_object()).cloned();
                    open.extend(graph);
                    open.extend(main);
                    self.types.extend(types(&object));
                    self.objects.push(object);
                }
                _ => {}
            }
        }
    }

    fn summarise(&mut self) {
        let about = |object: &&Map<String, Value>| types(object).iter().any(|kind| is_of_page(kind));
        let pages: Vec<&Map<String, Value>> = self.objects.iter().filter(about).collect();
        let first = |key: &str| pages.iter().find_map(|page| page.get(key).and_then(words));
        let texts = |keys: [&str; 2]| keys.iter().find_map(|key| first(key));
        let (headline, description) = (texts(["headline", "name"]), first("description"));
        let (author, published) = (first("author"), texts(["datePublished", "dateCreated"]));
        let image = pages.iter().find_map(|page| page.get("image").and_then(address));
        let site = first("publisher");
        (self.headline, self.description, self.author) = (headline, description, author);
        (self.published, self.image, self.site) = (published, image, site);
    }

    pub(crate) fn has(&self, names: &[&str]) -> bool {
        self.types.iter().any(|kind| names.contains(&kind.as_str()))
    }
}

/// Types whose object is the page's subject.
fn is_of_page(kind: &str) -> bool {
    kind.ends_with("Article")
        || matches!(
            kind,
            "BlogPosting"
                | "Product"
                | "ProductGroup"
                | "Recipe"
                | "QAPage"
                | "DiscussionForumPosting"
                | "WebPage"
                | "Report"
                | "NewsArticle"
                | "CollectionPage"
                | "Event"
                | "JobPosting"
                | "Book"
                | "Movie"
                | "SoftwareApplication"
                | "HowTo"
                | "VideoObject"
                | "Course"
                | "SocialMediaPosting"
                | "Question"
        )
}

/// The types of an object.
pub(crate) fn types(object: &Map<String, Value>) -> Vec<String> {
    let name =
        |value: &Value| value.as_str().map(|name| name.rsplit(['/', ':']).next().unwrap_or(name).to_owned());
    match object.get("@type") {
        Some(Value::Array(names)) => names.iter().take(8).filter_map(name).collect(),
        Some(value) => name(value).into_iter().collect(),
        None => Vec::new(),
    }
}

/// A text, or the name of an object.
pub(crate) fn words(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()).filter(|text| !text.trim().is_empty()),
        Value::Number(number) => Some(number.to_string()),
        Value::Object(object) => match object.get("name") {
            Some(Value::String(name)) if !name.trim().is_empty() => Some(name.clone()),
            _ => None,
        },
        // A nested array has no name.
        Value::Array(values) => {
            let names = values.iter().filter(|value| !value.is_array()).take(8).filter_map(words);
            let names = names.collect::<Vec<_>>().join(", ");
            Some(names).filter(|names| !names.is_empty())
        }
        _ => None,
    }
}

fn address(value: &Value) -> Option<String> {
    match value {
        Value::String(url) => Some(url.clone()),
        Value::Object(object) => object.get("url").and_then(Value::as_str).map(str::to_owned),
        Value::Array(values) => values.iter().find(|value| !value.is_array()).and_then(address),
        _ => None,
    }
}
