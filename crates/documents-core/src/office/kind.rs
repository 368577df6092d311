//! What a container holds, by its own word: the `mimetype` entry or the type of its main part.

use crate::Limits;
use crate::container::Container;

const WORD: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const SLIDES: &str = "application/vnd.openxmlformats-officedocument.presentationml.presentation";
const SHEETS: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const BINARY_SHEETS: &str = "application/vnd.ms-excel.sheet.binary.macroenabled.12";

/// Media types of `mimetype` entries, templates counting as what they are templates of.
const DECLARED: &[(&str, &str)] = &[
    ("application/epub+zip", "application/epub+zip"),
    ("application/vnd.oasis.opendocument.text", "application/vnd.oasis.opendocument.text"),
    ("application/vnd.oasis.opendocument.spreadsheet", "application/vnd.oasis.opendocument.spreadsheet"),
    ("application/vnd.oasis.opendocument.presentation", "application/vnd.oasis.opendocument.presentation"),
];

/// Types of main parts as `[Content_Types].xml` has them, macros and templates included, and the part that
/// tells when that is missing.
const MAIN_PARTS: &[(&str, &str, &str)] = &[
    ("wordprocessingml", "word/document.xml", WORD),
    ("ms-word.", "word/document.xml", WORD),
    ("presentationml", "ppt/presentation.xml", SLIDES),
    ("ms-powerpoint.", "ppt/presentation.xml", SLIDES),
    ("sheet.binary", "xl/workbook.bin", BINARY_SHEETS),
    ("spreadsheetml", "xl/workbook.xml", SHEETS),
    ("ms-excel.", "xl/workbook.xml", SHEETS),
];

/// The content type of a ZIP file; `application/zip` when it is no document.
pub(crate) fn kind_of_container(bytes: &[u8], limits: &Limits) -> &'static str {
    let Ok(container) = Container::open(bytes, limits) else { return "application/zip" };
    declared(&container)
        .or_else(|| typed(&container))
        .or_else(|| by_parts(&container))
        .unwrap_or("application/zip")
}

fn declared(container: &Container<'_>) -> Option<&'static str> {
    let content = container.read("mimetype").ok()??;
    let declared =
        String::from_utf8_lossy(content.get(..content.len().min(120))?).trim().to_ascii_lowercase();
    DECLARED.iter().find(|(prefix, _)| declared.starts_with(prefix)).map(|(_, kind)| *kind)
}

/// The kind by the content type of the main part: the first that names one.
fn typed(container: &Container<'_>) -> Option<&'static str> {
    let types = container.read("[Content_Types].xml").ok()??;
    let types = crate::xml::text(&types).to_ascii_lowercase();
    let main = types
        .split("contenttype=")
        .skip(1)
        .filter_map(|rest| rest.split(['"', '\'']).nth(1))
        .find(|kind| kind.ends_with(".main+xml") || kind.ends_with("binary.main"))?;
    MAIN_PARTS.iter().find(|(part, ..)| main.contains(part)).map(|(.., kind)| *kind)
}

fn by_parts(container: &Container<'_>) -> Option<&'static str> {
    if container.contains("META-INF/container.xml") && container.names().any(|name| name.ends_with(".opf")) {
        return Some("application/epub+zip");
    }
    MAIN_PARTS.iter().find(|(_, part, _)| container.contains(part)).map(|(.., kind)| *kind)
}
