//! What an XML document in a container says about itself (Dublin Core and its OpenDocument cousins).

use quick_xml::Reader;
use quick_xml::events::Event;

use crate::model::Metadata;
use crate::xml_text::reference;

/// Events of the part that are read.
const EVENTS: usize = 10_000;

/// Reads `docProps/core.xml` or `meta.xml`.
pub(super) fn read(xml: &str, metadata: &mut Metadata) {
    let mut reader = Reader::from_str(xml);
    let mut text = String::new();
    for _ in 0..EVENTS {
        match reader.read_event() {
            Ok(Event::Start(_)) => text.clear(),
            Ok(Event::Text(part)) => text.push_str(&part.xml10_content()),
            Ok(Event::GeneralRef(name)) => text.push_str(&reference(&name)),
            Ok(Event::End(tag)) => {
                let value = Some(text.trim().to_owned()).filter(|value| !value.is_empty());
                match tag.local_name().as_ref() {
                    "title" => metadata.title = value,
                    "creator" | "initial-creator" if metadata.author.is_none() => metadata.author = value,
                    "created" | "creation-date" => metadata.created = value,
                    "modified" | "date" => metadata.modified = value,
                    "language" => metadata.language = value,
                    _ => {}
                }
                text.clear();
            }
            Ok(Event::Eof) | Err(_) => return,
            Ok(_) => {}
        }
    }
}
