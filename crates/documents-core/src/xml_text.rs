//! XML of no other format, and the text of SVG. Document type declarations are ignored: only the predefined
//! entities are expanded, and nothing outside the file is loaded.

use document::{Document, Format};
use quick_xml::events::attributes::Attribute;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::Limits;
use crate::outline::Outline;
use crate::plain::parse_text;

/// XML as an outline: elements with text are items `name: text`, elements with child elements are items above
/// them. Text that is not XML is kept as text.
pub(crate) fn parse_xml(text: &str, limits: &Limits) -> Document {
    read(text, limits, false).unwrap_or_else(|| {
        let mut document = parse_text(text, limits);
        document.format = Format::Xml;
        document
    })
}

/// The texts of a drawing.
pub(crate) fn parse_svg(text: &str, limits: &Limits) -> Document {
    let mut document = read(text, limits, true).unwrap_or_default();
    document.format = Format::Image;
    document
}

fn read(text: &str, limits: &Limits, drawing: bool) -> Option<Document> {
    let mut state =
        State { outline: Outline::new(Format::Xml, limits), open: Vec::new(), drawing, limits: *limits };
    let mut reader = Reader::from_str(text);
    let mut nodes = 0;
    loop {
        nodes += 1;
        if nodes > limits.nodes || state.open.len() > limits.depth || state.outline.is_full() {
            state.outline.truncate();
            break;
        }
        match reader.read_event() {
            Ok(Event::Start(tag)) => state.start(&tag),
            Ok(Event::Empty(tag)) => {
                state.start(&tag);
                state.end();
            }
            Ok(Event::End(_)) => state.end(),
            Ok(Event::Text(text)) => state.text(&text.xml10_content()),
            Ok(Event::CData(text)) => state.text(&text.xml10_content()),
            Ok(Event::GeneralRef(name)) => state.text(&reference(&name)),
            Ok(Event::Eof) if state.open.is_empty() => break,
            Ok(Event::Eof) | Err(_) => return None,
            Ok(_) => {}
        }
    }
    while !state.open.is_empty() {
        state.end();
    }
    Some(state.outline.finish())
}

struct State {
    outline: Outline,
    open: Vec<Element>,
    drawing: bool,
    limits: Limits,
}

/// An open element.
struct Element {
    name: String,
    attributes: Vec<(String, String)>,
    text: String,
    /// Whether it was written as an item above others.
    written: bool,
    /// Whether its child elements are parts of its running text.
    running: bool,
}

impl State {
    fn start(&mut self, tag: &BytesStart<'_>) {
        let running = self.open.last().is_some_and(|parent| parent.running || !parent.text.trim().is_empty());
        if running && let Some(parent) = self.open.last_mut() {
            parent.running = true;
        } else {
            self.write_open();
        }
        let attributes = attributes(tag)
            .filter(|attribute| {
                let key = attribute.key.as_ref();
                key != "xmlns" && !key.starts_with("xmlns:") && !key.starts_with("xsi:")
            })
            .map(|attribute| (attribute.key.local_name().as_ref().to_owned(), attribute_value(&attribute)))
            .collect();
        // A part of a text with its own coordinates is a separate line.
        let placed = |attribute: Attribute<'_>| matches!(attribute.key.as_ref(), "x" | "y" | "dy");
        let text =
            if self.drawing && self::attributes(tag).any(placed) { " ".to_owned() } else { String::new() };
        self.open.push(Element {
            name: tag.local_name().as_ref().to_owned(),
            attributes: if self.drawing { Vec::new() } else { attributes },
            text,
            written: false,
            running,
        });
    }

    /// Writes the open elements as items above the one that begins.
    fn write_open(&mut self) {
        if self.drawing {
            return;
        }
        for (depth, element) in self.open.iter_mut().enumerate().filter(|(_, element)| !element.written) {
            element.written = true;
            self.outline.item(depth, &element.name, "");
            for (name, value) in element.attributes.drain(..) {
                self.outline.item(depth + 1, &name, &value);
            }
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(element) = self.open.last_mut() {
            element.text.push_str(text);
        }
    }

    #[cfg(feature = "web")]
    fn page_text(&self, text: &str) -> String {
        crate::html::parse_html(text, &self.limits).text
    }

    #[cfg(not(feature = "web"))]
    fn page_text(&self, text: &str) -> String {
        text.to_owned()
    }

    fn end(&mut self) {
        let Some(element) = self.open.pop() else { return };
        if self.drawing {
            if element.name == "title" && self.open.len() == 1 {
                self.outline.entitle(&element.text);
            }
            match (element.name.as_str(), self.open.last_mut()) {
                ("tspan" | "textPath" | "a" | "span", Some(parent)) => parent.text.push_str(&element.text),
                ("text" | "title" | "desc" | "p", _) => self.outline.paragraph(&element.text),
                _ => {}
            }
            return;
        }
        if element.running
            && let Some(parent) = self.open.last_mut().filter(|parent| parent.running)
        {
            parent.text.push_str(&element.text);
            return;
        }
        let depth = self.open.len();
        if element.written {
            self.outline.item(depth + 1, "", &element.text);
            return;
        }
        if !element.text.trim().is_empty() || !element.attributes.is_empty() {
            let text = if is_page(&element.text) { self.page_text(&element.text) } else { element.text };
            self.outline.item(depth, &element.name, &text);
            for (name, value) in &element.attributes {
                self.outline.item(depth + 1, name, value);
            }
        }
    }
}

/// Whether the text of an element is itself HTML, as in feeds.
fn is_page(text: &str) -> bool {
    ["</p>", "</a>", "</div>", "<br", "</li>", "</span>", "</td>"].iter().any(|tag| text.contains(tag))
}

/// The character of a reference: numeric, one of the five predefined or `nbsp`; else the reference itself.
pub(crate) fn reference(name: &BytesRef<'_>) -> String {
    if let Ok(Some(character)) = name.resolve_char_ref() {
        return character.to_string();
    }
    let content = name.xml10_content();
    match &*content {
        "amp" => "&".to_owned(),
        "lt" => "<".to_owned(),
        "gt" => ">".to_owned(),
        "quot" => "\"".to_owned(),
        "apos" => "'".to_owned(),
        "nbsp" => "\u{a0}".to_owned(),
        other => format!("&{other};"),
    }
}

/// The well-formed attributes of a tag.
pub(crate) fn attributes<'t>(tag: &'t BytesStart<'_>) -> impl Iterator<Item = Attribute<'t>> {
    let mut attributes = tag.attributes();
    attributes.with_checks(false);
    attributes.filter_map(Result::ok)
}

/// An attribute's value; a malformed one stays unchanged.
pub(crate) fn attribute_value(attribute: &Attribute<'_>) -> String {
    attribute
        .normalized_value(XmlVersion::Implicit1_0)
        .map_or_else(|_| attribute.value.to_string(), |value| value.into_owned())
}
