//! Data that the sheets of a workbook share: the sheet list, strings and formats.

use std::collections::HashMap;

use document::ParseError;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::Limits;
use crate::package::{Package, Relations};
use crate::sheets::SHEETS;
use crate::sheets::value::{NumberKind, kind_by_format_code, kind_by_format_id};
use crate::xml_text::{attribute_value, attributes, reference};

/// A workbook without its cells.
#[derive(Debug, Default)]
pub(super) struct Book {
    /// Names of the worksheets, and their parts.
    pub(super) sheets: Vec<(String, String)>,
    pub(super) strings: Vec<String>,
    /// Kind of each cell format.
    pub(super) shown: Vec<NumberKind>,
    pub(super) is_1904: bool,
}

impl Book {
    pub(super) fn read(package: &Package<'_>, limits: &Limits) -> Result<Self, ParseError> {
        let main = package.main_part("xl/workbook.xml")?;
        let workbook = package.part(&main)?.unwrap_or_default();
        let relations = package.relations(&main)?;
        let mut book = Self::default();
        book.read_workbook(&workbook, &relations, limits);
        if book.sheets.is_empty() {
            book.sheets = unlisted(package);
        }
        if book.sheets.is_empty() {
            return Err(ParseError::Damaged("it lists no sheets".to_owned()));
        }
        let strings = match package.related(&relations, "sharedStrings")? {
            Some(strings) => Some(strings),
            None => package.part("xl/sharedStrings.xml")?,
        };
        book.read_strings(&strings.unwrap_or_default(), limits);
        let styles = match package.related(&relations, "styles")? {
            Some(styles) => Some(styles),
            None => package.part("xl/styles.xml")?,
        };
        book.read_styles(&styles.unwrap_or_default(), limits);
        Ok(book)
    }

    fn read_workbook(&mut self, xml: &str, places: &Relations, limits: &Limits) {
        each_tag(xml, limits, |tag| match tag.local_name().as_ref() {
            "workbookPr" => {
                self.is_1904 =
                    attribute(tag, "date1904").is_some_and(|value| matches!(value.trim(), "1" | "true"));
            }
            "sheet" if self.sheets.len() < SHEETS => {
                let id = attributes(tag).find(|attribute| {
                    attribute.key.as_ref() != "id" && attribute.key.local_name().as_ref() == "id"
                });
                let place = id.and_then(|id| places.get(&attribute_value(&id)));
                // Very hidden sheets, which only a program can show, and chart sheets are skipped.
                let shown = attribute(tag, "state").is_none_or(|state| state != "veryHidden");
                if let Some(place) = place.filter(|place| shown && place.kind != "chartsheet") {
                    self.sheets.push((attribute(tag, "name").unwrap_or_default(), place.target.clone()));
                }
            }
            _ => {}
        });
    }

    fn read_strings(&mut self, xml: &str, limits: &Limits) {
        let mut reader = Reader::from_str(xml);
        let (mut text, mut in_text, mut phonetic, mut bytes) = (String::new(), false, false, 0);
        loop {
            match reader.read_event() {
                Ok(Event::Start(tag)) => match tag.local_name().as_ref() {
                    "si" => text.clear(),
                    "t" => in_text = !phonetic,
                    "rPh" => phonetic = true,
                    _ => {}
                },
                Ok(Event::Empty(tag)) if tag.local_name().as_ref() == "si" => {
                    self.strings.push(String::new())
                }
                Ok(Event::Text(part)) if in_text => text.push_str(&part.xml10_content()),
                Ok(Event::CData(part)) if in_text => text.push_str(&part.xml10_content()),
                Ok(Event::GeneralRef(name)) if in_text => text.push_str(&reference(&name)),
                Ok(Event::End(tag)) => match tag.local_name().as_ref() {
                    "si" => {
                        bytes += text.len();
                        if bytes > limits.text_bytes.saturating_mul(2) || self.strings.len() >= limits.nodes {
                            return;
                        }
                        self.strings.push(unescaped(std::mem::take(&mut text)));
                    }
                    "t" => in_text = false,
                    "rPh" => phonetic = false,
                    _ => {}
                },
                Ok(Event::Eof) | Err(_) => return,
                Ok(_) => {}
            }
        }
    }

    fn read_styles(&mut self, xml: &str, limits: &Limits) {
        let mut codes: HashMap<u16, NumberKind> = HashMap::new();
        let mut in_cells = false;
        each_tag(xml, limits, |tag| match tag.local_name().as_ref() {
            "numFmt" => {
                let id = attribute(tag, "numFmtId").and_then(|id| id.trim().parse().ok());
                if let (Some(id), Some(code)) = (id, attribute(tag, "formatCode")) {
                    codes.insert(id, kind_by_format_code(&code));
                }
            }
            "cellXfs" => in_cells = true,
            "cellStyleXfs" | "cellStyles" | "dxfs" => in_cells = false,
            "xf" if in_cells => {
                let id = attribute(tag, "numFmtId").and_then(|id| id.trim().parse().ok()).unwrap_or(0);
                self.shown.push(codes.get(&id).copied().unwrap_or_else(|| kind_by_format_id(id)));
            }
            _ => {}
        });
    }
}

/// The sheets of a workbook without a sheet list, by the names of their parts.
fn unlisted(package: &Package<'_>) -> Vec<(String, String)> {
    let name_of = |part: &str| part.strip_prefix("xl/worksheets/")?.strip_suffix(".xml").map(str::to_owned);
    let mut sheets: Vec<(String, String)> = package
        .names()
        .filter_map(|part| Some((name_of(part).filter(|name| !name.contains('/'))?, part.to_owned())))
        .take(SHEETS)
        .collect();
    // `sheet10` sorts after `sheet9`.
    sheets.sort_by(|a, b| (a.0.len(), &a.0).cmp(&(b.0.len(), &b.0)));
    sheets
}

/// Calls back with each opening tag.
fn each_tag(xml: &str, limits: &Limits, mut visit: impl FnMut(&BytesStart<'_>)) {
    let mut reader = Reader::from_str(xml);
    for _ in 0..limits.nodes {
        match reader.read_event() {
            Ok(Event::Start(tag) | Event::Empty(tag)) => visit(&tag),
            Ok(Event::Eof) | Err(_) => return,
            Ok(_) => {}
        }
    }
}

/// The value of an attribute by its qualified name.
pub(super) fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    attributes(tag).find(|attribute| attribute.key.as_ref() == name).map(|found| attribute_value(&found))
}

/// Decodes `_x000D_` and the like, the escapes of characters that XML cannot contain.
pub(super) fn unescaped(text: String) -> String {
    if !text.contains("_x") {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(place) = rest.find("_x") {
        let (before, after) = rest.split_at(place);
        out.push_str(before);
        let digits = after.get(2..6).filter(|_| after.as_bytes().get(6) == Some(&b'_'));
        match digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()).and_then(char::from_u32) {
            Some(character) => {
                out.push(if character.is_control() { ' ' } else { character });
                rest = after.get(7..).unwrap_or_default();
            }
            None => {
                out.push_str("_x");
                rest = after.get(2..).unwrap_or_default();
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_characters_are_written_out() {
        assert_eq!(unescaped("a_x000D_b".to_owned()), "a b");
        assert_eq!(unescaped("my_xray _x0041_ _x00".to_owned()), "my_xray A _x00");
    }
}
