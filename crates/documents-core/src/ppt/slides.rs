//! Slides in the order of the document's slide list, with the texts of the outline and of the slides' own
//! boxes.

use std::collections::{HashMap, HashSet};

use super::records::{DEPTH, Record, Records, kind, record_at};
use crate::Limits;
use crate::ole::{u16_at, u32_at};

/// Maximum edits that are followed back. Protects time: edits may refer to each other.
const EDITS: usize = 1_000;
/// Maximum entries of the directories of all edits. Protects memory.
const ENTRIES: usize = 2_000_000;
/// Presentations use 1/576 inch; a point is 1/72 inch.
const UNITS_PER_POINT: f32 = 8.0;

/// The texts of a slide.
#[derive(Debug, Default)]
pub(super) struct Slide {
    pub(super) texts: Vec<Text>,
    pub(super) notes: Vec<String>,
}

/// A text, and whether it is the slide's title.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) title: bool,
    pub(super) text: String,
}

#[derive(Debug, Default)]
pub(super) struct Presentation {
    /// Size of the slides in points.
    pub(super) size: (f32, f32),
    pub(super) slides: Vec<Slide>,
}

/// An entry of the slide list: the persist id of the slide, its number, and its texts in the outline.
#[derive(Debug, Default)]
struct SlideEntry {
    persist: u32,
    id: u32,
    texts: Vec<Text>,
}

impl Presentation {
    pub(super) fn read(stream: &[u8], user: &[u8], limits: &Limits) -> Self {
        let places = places(stream, u32_at(user, 16).unwrap_or(0) as usize);
        let kept = |persist: u32| places.get(&persist).and_then(|place| record_at(stream, *place as usize));
        let documents = places.values().filter_map(|place| record_at(stream, *place as usize));
        let document = documents
            .chain(Records(stream))
            .find(|record| record.kind == kind::DOCUMENT && record.holds_records);
        let mut room = limits.text_bytes;
        let mut found = Self { size: (720.0, 540.0), slides: Vec::new() };
        let (mut slides, mut notes) = (Vec::new(), Vec::new());
        for record in Records(document.map_or(&[], |document| document.data)) {
            match (record.kind, record.instance) {
                (kind::DOCUMENT_ATOM, _) => found.size = size_of(record.data),
                (kind::SLIDE_LIST, 0) => slides = list(record.data),
                (kind::SLIDE_LIST, 2) => notes = list(record.data),
                _ => {}
            }
        }
        let notes: HashMap<u32, u32> = notes.iter().map(|note| (note.id, note.persist)).collect();
        let mut seen = HashSet::new();
        // A record is read once, however often it is referenced.
        let mut once = |persist: u32, kind: u16| {
            let record = kept(persist).filter(|record| record.kind == kind)?;
            seen.insert(record.data.as_ptr()).then_some(record)
        };
        for listed in slides.iter().take(limits.pages) {
            let record = once(listed.persist, kind::SLIDE);
            let mut slide = Slide::default();
            if let Some(record) = record {
                collect(record.data, &listed.texts, &mut slide.texts, &mut room, 0);
                let id =
                    Records(record.data).find(|inner| inner.kind == kind::SLIDE_ATOM).map(|atom| atom.data);
                let id = id.and_then(|atom| u32_at(atom, 16)).filter(|id| *id != 0);
                let note = id.and_then(|id| notes.get(&id)).and_then(|persist| once(*persist, kind::NOTES));
                slide.notes = note.map(|note| notes_of(note, &mut room)).unwrap_or_default();
            } else {
                slide.texts.clone_from(&listed.texts);
            }
            add_missing(&mut slide.texts, &listed.texts);
            found.slides.push(slide);
        }
        if found.slides.is_empty() {
            found.slides = in_file_order(stream, limits, &mut room);
        }
        found
    }
}

/// Offsets of the persisted objects, from the last edit to the first.
fn places(stream: &[u8], last: usize) -> HashMap<u32, u32> {
    let mut places = HashMap::new();
    let (mut edit, mut seen, mut left) = (last, HashSet::new(), ENTRIES);
    while seen.len() < EDITS && seen.insert(edit) {
        let Some(atom) = record_at(stream, edit).filter(|record| record.kind == kind::USER_EDIT) else {
            break;
        };
        let directory = u32_at(atom.data, 12).and_then(|place| record_at(stream, place as usize));
        let mut rest =
            directory.filter(|record| record.kind == kind::PERSIST_DIRECTORY).map_or(&[][..], |d| d.data);
        while let Some(head) = u32_at(rest, 0) {
            let (first, count) = (head & 0x000f_ffff, head >> 20);
            let Some(rest_left) = left.checked_sub(1 + count as usize) else { return places };
            left = rest_left;
            for step in 0..count {
                let Some(place) = u32_at(rest, 4 + step as usize * 4) else { break };
                // The last edit counts.
                places.entry(first + step).or_insert(place);
            }
            rest = rest.get(4 + count as usize * 4..).unwrap_or_default();
        }
        edit = u32_at(atom.data, 8).unwrap_or(0) as usize;
        if edit == 0 {
            break;
        }
    }
    places
}

fn size_of(atom: &[u8]) -> (f32, f32) {
    let at = |offset| u32_at(atom, offset).map_or(0.0, |units| units.min(100_000) as f32 / UNITS_PER_POINT);
    (at(0), at(4))
}

/// The slide list with the texts of the outline.
fn list(data: &[u8]) -> Vec<SlideEntry> {
    let mut listed: Vec<SlideEntry> = Vec::new();
    let mut title = false;
    for record in Records(data) {
        match record.kind {
            kind::PERSIST => listed.push(SlideEntry {
                persist: u32_at(record.data, 0).unwrap_or(0),
                id: u32_at(record.data, 12).unwrap_or(0),
                texts: Vec::new(),
            }),
            kind::TEXT_HEADER => {
                title = is_title(record.data);
                if let Some(slide) = listed.last_mut() {
                    slide.texts.push(Text { title, text: String::new() });
                }
            }
            _ => {
                if let (Some(text), Some(slide)) = (text_of(&record), listed.last_mut()) {
                    // The text belongs to the header before it.
                    match slide.texts.last_mut().filter(|last| last.text.is_empty()) {
                        Some(last) => last.text = text,
                        None => slide.texts.push(Text { title, text }),
                    }
                }
            }
        }
    }
    listed
}

/// Whether a text header is that of a title, centred titles included.
fn is_title(header: &[u8]) -> bool {
    matches!(u32_at(header, 0), Some(0 | 6))
}

/// The texts of a slide's boxes, in order.
fn collect(data: &[u8], outline: &[Text], texts: &mut Vec<Text>, room: &mut usize, depth: usize) {
    let mut title = false;
    for record in Records(data) {
        match record.kind {
            kind::TEXT_HEADER => title = is_title(record.data),
            kind::OUTLINE_REFERENCE => {
                let text = u32_at(record.data, 0).and_then(|index| outline.get(index as usize));
                texts.extend(text.filter(|text| take(room, text.text.len())).cloned());
            }
            _ => {
                if let Some(text) = text_of(&record) {
                    if take(room, text.len()) {
                        texts.push(Text { title, text });
                    }
                } else if record.holds_records && depth < DEPTH {
                    collect(record.data, outline, texts, room, depth + 1);
                }
            }
        }
    }
}

fn take(room: &mut usize, bytes: usize) -> bool {
    let fits = bytes <= *room;
    if fits {
        *room -= bytes;
    }
    fits
}

fn text_of(record: &Record<'_>) -> Option<String> {
    match record.kind {
        kind::TEXT_CHARS => {
            let units = record.data.chunks_exact(2).filter_map(|two| u16_at(two, 0));
            Some(char::decode_utf16(units).map(|unit| unit.unwrap_or('\u{fffd}')).collect())
        }
        // Low bytes of UTF-16 units.
        kind::TEXT_BYTES => Some(record.data.iter().map(|byte| char::from(*byte)).collect()),
        _ => None,
    }
}

/// Adds the texts of the outline that no box contains.
fn add_missing(texts: &mut Vec<Text>, outline: &[Text]) {
    let known: HashSet<String> = texts.iter().map(|text| text.text.clone()).collect();
    let missing = outline.iter().filter(|text| !text.text.trim().is_empty() && !known.contains(&text.text));
    texts.extend(missing.cloned());
}

/// The texts of the notes; their first box repeats the slide.
fn notes_of(record: Record<'_>, room: &mut usize) -> Vec<String> {
    let mut texts = Vec::new();
    collect(record.data, &[], &mut texts, room, 0);
    // A star is a placeholder of the page number.
    texts.into_iter().map(|text| text.text).filter(|text| !matches!(text.trim(), "" | "*")).collect()
}

/// Slides in file order, when there is no slide list.
fn in_file_order(stream: &[u8], limits: &Limits, room: &mut usize) -> Vec<Slide> {
    let slides = Records(stream).filter(|record| record.kind == kind::SLIDE).take(limits.pages);
    let read = |record: Record<'_>| {
        let mut slide = Slide::default();
        collect(record.data, &[], &mut slide.texts, room, 0);
        slide
    };
    slides.map(read).collect()
}
