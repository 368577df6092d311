//! Form fields by their widgets on the pages, and the text of widgets without an appearance.

use std::collections::HashMap;

use document::{FieldKind, FormField};
use hayro_syntax::object::{Array, Dict, Name, Rect as PdfRect, Stream, String as PdfString};
use hayro_syntax::page::Page;
use kurbo::{Affine, Point, Rect};

use super::metadata::text_string;
use super::placed_glyph::{Mark, PlacedGlyph};

/// Maximum parents of a field that are followed. Protects time: a field may be its own parent.
const MAX_PARENTS: usize = 32;
/// Maximum annotations of a document. Protects time and memory: pages may share annotations.
pub(super) const MAX_ANNOTATIONS: usize = 100_000;
/// Maximum characters of a value. Protects memory.
const MAX_VALUE: usize = 20_000;
/// Maximum glyphs that are set for the widgets of one page. Protects memory.
const MAX_GLYPHS: usize = 50_000;
/// Maximum options of a choice field. Protects memory.
const MAX_OPTIONS: usize = 500;

/// Flags of button fields: radio button, and push button (ISO 32000-1, table 226).
const RADIO: u32 = 1 << 15;
const PUSH: u32 = 1 << 16;
/// Flags of invisible annotations: hidden, no view (table 165).
const HIDDEN: u32 = 1 << 1 | 1 << 5;
/// Maximum font size of text set in a widget, in points, and width of its letters in font sizes. Half a font
/// size is about a letter of Helvetica. Chosen by hand; no measurement recorded.
const SIZE: f64 = 10.0;
const LETTER: f64 = 0.5;
/// Distance of the first baseline from the top of the widget, and of baselines, in font sizes.
/// Chosen by hand; no measurement recorded.
const ASCENT: f64 = 0.9;
const LEADING: f64 = 1.2;

/// The fields of a document.
#[derive(Default)]
pub(super) struct Fields {
    found: Vec<FormField>,
    by_name: HashMap<String, usize>,
}

impl Fields {
    /// Adds the fields of a page. A field with several widgets is one field.
    pub(super) fn add(&mut self, number: u32, page: &Page<'_>, annotations: &[Dict<'_>]) {
        for annotation in annotations.iter().filter(|annotation| is_subtype(annotation, b"Widget")) {
            let Some(mut field) = field(annotation) else { continue };
            field.page = Some(number);
            field.rect = area(annotation, page).map(|area| {
                let tenth = |value: f64| (value * 10.0).round() / 10.0;
                document::Rect {
                    x0: tenth(area.x0),
                    y0: tenth(area.y0),
                    x1: tenth(area.x1),
                    y1: tenth(area.y1),
                }
            });
            match self.by_name.get(&field.name).and_then(|index| self.found.get_mut(*index)) {
                Some(known) if known.kind == field.kind => merge(known, field),
                _ => {
                    self.by_name.insert(field.name.clone(), self.found.len());
                    self.found.push(field);
                }
            }
        }
    }

    pub(super) fn finish(self) -> Vec<FormField> {
        self.found
    }
}

/// Merges a further widget of a known field: it is ticked if either is.
fn merge(known: &mut FormField, field: FormField) {
    if known.value.is_none() || (known.kind == FieldKind::Checkbox && field.value.as_deref() == Some("true"))
    {
        known.value = field.value;
    }
}

/// The annotations of a page, at most `left`, which is the rest of the document's limit.
pub(super) fn annotations<'a>(page: &Page<'a>, left: &mut usize) -> Vec<Dict<'a>> {
    let annotations = page.raw().get::<Array<'a>>("Annots");
    let found: Vec<Dict<'a>> =
        annotations.into_iter().flat_map(|annotations| annotations.iter::<Dict<'a>>()).take(*left).collect();
    *left -= found.len();
    found
}

pub(super) fn is_subtype(annotation: &Dict<'_>, kind: &[u8]) -> bool {
    annotation.get::<Name<'_>>("Subtype").is_some_and(|name| name.as_ref() == kind)
}

pub(super) fn area(annotation: &Dict<'_>, page: &Page<'_>) -> Option<Rect> {
    let rect = annotation.get::<PdfRect>("Rect")?;
    let transform = Affine::new(page.initial_transform(true).as_coeffs());
    Some(transform.transform_rect_bbox(Rect::new(rect.x0, rect.y0, rect.x1, rect.y1)))
}

/// A widget and its ancestor fields, from which it inherits.
fn chain<'a>(annotation: &Dict<'a>) -> Vec<Dict<'a>> {
    let mut chain = vec![annotation.clone()];
    while chain.len() < MAX_PARENTS {
        match chain.last().and_then(|last| last.get::<Dict<'a>>("Parent")) {
            Some(parent) => chain.push(parent),
            None => break,
        }
    }
    chain
}

fn field(annotation: &Dict<'_>) -> Option<FormField> {
    let chain = chain(annotation);
    let text = |dict: &Dict<'_>, key: &str| {
        dict.get::<PdfString<'_>>(key).map(|text| cut(&text_string(text.as_bytes())))
    };
    let mut names: Vec<String> = chain.iter().filter_map(|dict| text(dict, "T")).collect();
    names.reverse();
    let flags = chain.iter().find_map(|dict| dict.get::<u32>("Ff")).unwrap_or(0);
    let kind = chain.iter().find_map(|dict| dict.get::<Name<'_>>("FT"))?;
    let button = kind.as_ref() == b"Btn";
    if button && flags & PUSH != 0 {
        return None;
    }
    let (kind, value) = match kind.as_ref() {
        b"Btn" if flags & RADIO == 0 => (FieldKind::Checkbox, Some(is_on(annotation, &chain).to_string())),
        b"Btn" => (FieldKind::Choice, selected_button(&chain)),
        b"Ch" => (FieldKind::Choice, value(&chain).map(|value| shown_option(&chain, value))),
        b"Sig" => (FieldKind::Signature, signer(&chain)),
        _ => (FieldKind::Text, value(&chain)),
    };
    Some(FormField {
        name: names.join("."),
        label: chain.iter().find_map(|dict| text(dict, "TU")).filter(|label| !label.trim().is_empty()),
        value: value.filter(|value| !value.is_empty()),
        kind,
        page: None,
        rect: None,
    })
}

/// Whether a check box is ticked: by its appearance state, else by its field's value.
fn is_on(annotation: &Dict<'_>, chain: &[Dict<'_>]) -> bool {
    let state = annotation.get::<Name<'_>>("AS");
    let state = state.or_else(|| chain.iter().find_map(|dict| dict.get::<Name<'_>>("V")));
    state.is_some_and(|state| state.as_ref() != b"Off")
}

/// The selected radio button.
fn selected_button(chain: &[Dict<'_>]) -> Option<String> {
    let state = chain.iter().find_map(|dict| dict.get::<Name<'_>>("V"))?;
    (state.as_ref() != b"Off").then(|| cut(&text_string(state.as_ref())))
}

fn signer(chain: &[Dict<'_>]) -> Option<String> {
    let signature = chain.iter().find_map(|dict| dict.get::<Dict<'_>>("V"))?;
    let name = signature.get::<PdfString<'_>>("Name").map(|name| cut(&text_string(name.as_bytes())));
    Some(name.filter(|name| !name.is_empty()).unwrap_or_else(|| "signed".to_owned()))
}

/// The value: a text, or several separated by commas.
fn value(chain: &[Dict<'_>]) -> Option<String> {
    chain.iter().find_map(|dict| {
        if let Some(text) = dict.get::<PdfString<'_>>("V") {
            return Some(cut(&text_string(text.as_bytes())));
        }
        if let Some(several) = dict.get::<Array<'_>>("V") {
            let texts = several.iter::<PdfString<'_>>().take(MAX_OPTIONS);
            let texts: Vec<String> = texts.map(|text| text_string(text.as_bytes())).collect();
            return Some(cut(&texts.join(", ")));
        }
        let stream = dict.get::<Stream<'_>>("V")?.decoded_data().ok()?;
        Some(cut(&text_string(&stream)))
    })
}

/// The display text of a choice field's value.
fn shown_option(chain: &[Dict<'_>], value: String) -> String {
    let options = chain.iter().find_map(|dict| dict.get::<Array<'_>>("Opt"));
    let pairs = options.into_iter().flat_map(|options| options.iter::<Array<'_>>()).take(MAX_OPTIONS);
    let shown = pairs.filter_map(|pair| {
        let mut texts = pair.iter::<PdfString<'_>>().map(|text| text_string(text.as_bytes()));
        (texts.next()? == value).then(|| texts.next())?
    });
    let mut shown = shown;
    shown.next().map_or(value, |shown| cut(&shown))
}

fn cut(text: &str) -> String {
    text.chars().take(MAX_VALUE).collect()
}

/// The text of fields and text boxes without an appearance stream, set at their position.
pub(super) fn set_missing_appearances(page: &Page<'_>, annotations: &[Dict<'_>]) -> Vec<PlacedGlyph> {
    let mut glyphs = Vec::new();
    for annotation in annotations {
        let hidden = annotation.get::<u32>("F").unwrap_or(0) & HIDDEN != 0;
        if hidden || annotation.contains_key("AP") || glyphs.len() >= MAX_GLYPHS {
            continue;
        }
        let text = if is_subtype(annotation, b"Widget") {
            field(annotation)
                .filter(|field| matches!(field.kind, FieldKind::Text | FieldKind::Choice))
                .and_then(|field| field.value)
        } else if is_subtype(annotation, b"FreeText") {
            annotation.get::<PdfString<'_>>("Contents").map(|text| text_string(text.as_bytes()))
        } else {
            None
        };
        if let (Some(text), Some(area)) = (text, area(annotation, page)) {
            set(&mut glyphs, &text, area);
        }
    }
    glyphs
}

/// Sets lines of text in a rectangle.
fn set(glyphs: &mut Vec<PlacedGlyph>, text: &str, area: Rect) {
    let lines: Vec<&str> = text.split(['\n', '\r']).filter(|line| !line.trim().is_empty()).collect();
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let room = (area.height() / (LEADING * lines.len() as f64)).min(area.width() / (LETTER * longest as f64));
    let size = room.clamp(1.0, SIZE);
    for (row, line) in lines.iter().enumerate() {
        let y = area.y0 + size * (ASCENT + LEADING * row as f64);
        for (column, c) in line.chars().enumerate().take(MAX_GLYPHS.saturating_sub(glyphs.len())) {
            let origin = Point::new(area.x0 + LETTER * size * column as f64, y);
            glyphs.push(PlacedGlyph {
                text: if c.is_whitespace() { " ".to_owned() } else { c.to_string() },
                origin,
                angle: 0,
                advance: LETTER * size,
                size,
                bold: false,
                invisible: false,
                mark: Mark::None,
            });
        }
    }
}
