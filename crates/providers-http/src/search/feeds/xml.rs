//! Reads RSS and Atom from a stream of XML events. Nesting takes no memory, and only the predefined XML
//! entities are expanded.

use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use utilities_core::search::RawHit;

use super::field::{escaped, push};

/// Maximum number of entries of a feed. Bounds the memory of hostile feeds.
const MOST_ENTRIES: usize = 200;

/// The entries; `None` for XML that is not a feed.
pub(super) fn entries(text: &str) -> Option<Vec<RawHit>> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let mut reading = FeedParser::default();
    while reading.hits.len() < MOST_ENTRIES {
        match reader.read_event() {
            Ok(Event::Start(tag)) => reading.start(&tag)?,
            Ok(Event::Empty(tag)) => {
                reading.start(&tag)?;
                reading.end();
            }
            Ok(Event::End(_)) => reading.end(),
            Ok(Event::Text(text)) => reading.text(&text.xml10_content()),
            Ok(Event::CData(text)) => reading.text(&text.xml10_content()),
            Ok(Event::GeneralRef(name)) => reading.text(&reference(&name)),
            Ok(Event::Eof) | Err(_) => break,
            Ok(_) => {}
        }
    }
    reading.begun.then_some(reading.hits)
}

/// The character of a reference. An entity of HTML stays as it is, because fields are HTML.
fn reference(name: &BytesRef<'_>) -> String {
    if let Ok(Some(character)) = name.resolve_char_ref() {
        return character.to_string();
    }
    match &**name {
        "amp" => "&".to_owned(),
        "lt" => "<".to_owned(),
        "gt" => ">".to_owned(),
        "quot" => "\"".to_owned(),
        "apos" => "'".to_owned(),
        other => format!("&{other};"),
    }
}

#[derive(Default)]
struct FeedParser {
    /// Whether the root element is that of a feed.
    begun: bool,
    depth: usize,
    language: Option<String>,
    /// The open entry and its depth.
    entry: Option<(Entry, usize)>,
    field: Option<OpenField>,
    hits: Vec<RawHit>,
}

struct OpenField {
    field: Field,
    depth: usize,
    text: String,
    /// Whether its text is plain; other fields are HTML.
    plain: bool,
    /// For Atom's source: the depth of its title, which is the only part used.
    title: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Title,
    Link,
    Guid,
    Summary,
    Content,
    Published,
    Updated,
    Source,
    Publisher,
    Language,
    FeedLanguage,
}

#[derive(Default)]
struct Entry {
    hit: RawHit,
    guid: Option<String>,
    content: Option<String>,
    updated: Option<String>,
    publisher: Option<String>,
}

impl FeedParser {
    /// Handles a start tag; `None` if the document is not a feed.
    fn start(&mut self, tag: &BytesStart<'_>) -> Option<()> {
        let name = tag.name();
        let name: &str = name.as_ref();
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        self.depth += 1;
        if !self.begun {
            self.begun = matches!(local, "rss" | "feed" | "RDF");
            self.language = attribute(tag, "xml:lang");
            return self.begun.then_some(());
        }
        if self.field.is_some() {
            self.within_field(local);
        } else if self.entry.is_none() && matches!(local, "item" | "entry") {
            let hit = RawHit { language: attribute(tag, "xml:lang"), ..RawHit::default() };
            self.entry = Some((Entry { hit, ..Entry::default() }, self.depth));
        } else if self.entry.as_ref().is_some_and(|(_, depth)| self.depth == depth + 1) {
            self.field_of_entry(tag, prefix, local);
        // `rss/channel/language`: below are those of entries.
        } else if self.entry.is_none() && self.depth <= 3 && local == "language" {
            self.open(Field::FeedLanguage, true);
        }
        Some(())
    }

    fn within_field(&mut self, local: &str) {
        let depth = self.depth;
        let Some(open) = &mut self.field else { return };
        match open.field {
            Field::Source if local == "title" => {
                open.text.clear();
                open.title = Some(depth);
            }
            // Separates the text of neighbouring elements.
            Field::Summary | Field::Content => push(&mut open.text, " "),
            _ => {}
        }
    }

    fn field_of_entry(&mut self, tag: &BytesStart<'_>, prefix: &str, local: &str) {
        if local == "link"
            && let Some(address) = attribute(tag, "href")
        {
            let rel = attribute(tag, "rel");
            let leads = rel.as_deref().is_none_or(|rel| rel == "alternate");
            if let (Some((entry, _)), true) = (&mut self.entry, leads)
                && entry.hit.url.is_empty()
            {
                entry.hit.url = address;
            }
            return;
        }
        let kind = attribute(tag, "type");
        let plain = matches!(kind.as_deref(), Some("text" | "text/plain"));
        let field = match (prefix, local) {
            ("" | "atom" | "rss", "title") => Field::Title,
            ("" | "rss", "link") => Field::Link,
            ("", "guid") if attribute(tag, "isPermaLink").as_deref() != Some("false") => Field::Guid,
            ("", "id") => Field::Guid,
            ("" | "rss" | "atom", "description" | "summary") => Field::Summary,
            ("content", "encoded") | ("" | "atom", "content") => Field::Content,
            ("", "pubDate")
            | ("" | "atom", "published" | "issued")
            | ("dc" | "dcterms", "date" | "created") => Field::Published,
            ("" | "atom", "updated" | "modified") | ("dcterms", "modified") => Field::Updated,
            // `source` of RSS and Atom, `News:Source` of Bing.
            (_, "source" | "Source") => Field::Source,
            (_, "publisher") => Field::Publisher,
            ("dc", "language") => Field::Language,
            _ => return,
        };
        self.open(field, plain);
    }

    fn open(&mut self, field: Field, plain: bool) {
        self.field = Some(OpenField { field, depth: self.depth, text: String::new(), plain, title: None });
    }

    fn text(&mut self, text: &str) {
        let depth = self.depth;
        if let Some(open) = &mut self.field {
            // Only the title of Atom's source counts.
            let counts =
                open.field != Field::Source || open.title.map_or(depth == open.depth, |title| title == depth);
            if counts {
                push(&mut open.text, text);
            }
        }
    }

    fn end(&mut self) {
        if self.field.as_ref().is_some_and(|open| open.depth >= self.depth)
            && let Some(open) = self.field.take()
        {
            self.close(open);
        }
        if let Some(open) = &mut self.field
            && open.title == Some(self.depth)
        {
            // No element has this depth, so text after the title is ignored.
            open.title = Some(0);
        }
        if self.entry.as_ref().is_some_and(|(_, depth)| *depth >= self.depth)
            && let Some((entry, _)) = self.entry.take()
        {
            self.hits.push(entry.finished(self.language.as_deref()));
        }
        self.depth = self.depth.saturating_sub(1);
    }

    fn close(&mut self, open: OpenField) {
        let text = open.text.trim();
        if text.is_empty() {
            return;
        }
        let text = if open.plain { escaped(text) } else { text.to_owned() };
        if open.field == Field::FeedLanguage {
            self.language = Some(text);
            return;
        }
        let Some((entry, _)) = &mut self.entry else { return };
        match open.field {
            Field::Title => entry.hit.title = text,
            Field::Link => entry.hit.url = text,
            Field::Guid => entry.guid = Some(text),
            Field::Summary => entry.hit.description = text,
            Field::Content => entry.content = Some(text),
            Field::Published => entry.hit.date = Some(text),
            Field::Updated => entry.updated = Some(text),
            Field::Source => entry.hit.publisher = Some(text),
            Field::Publisher => entry.publisher = Some(text),
            Field::Language => entry.hit.language = Some(text),
            Field::FeedLanguage => {}
        }
    }
}

impl Entry {
    fn finished(self, language: Option<&str>) -> RawHit {
        let Self { mut hit, guid, content, updated, publisher } = self;
        if hit.url.is_empty() {
            hit.url = guid.unwrap_or_default();
        }
        if hit.description.is_empty() {
            hit.description = content.unwrap_or_default();
        }
        hit.date = hit.date.or(updated);
        hit.publisher = hit.publisher.or(publisher);
        hit.language = hit.language.or_else(|| language.map(str::to_owned));
        hit
    }
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = tag.attributes().with_checks(false).flatten().find(|found| found.key.as_ref() == name)?;
    let value = found.normalized_value(XmlVersion::Implicit1_0).ok()?;
    let value = value.trim();
    (!value.is_empty()).then(|| value.to_owned())
}
