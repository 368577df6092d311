//! What a container holds, by its own word: the `mimetype` entry or the type of its main part.

use crate::Limits;
use crate::container::Container;
use crate::sniff::kind;

/// Media types of `mimetype` entries, templates counting as what they are templates of.
const DECLARED: &[&str] = &[kind::EPUB, kind::ODT, kind::ODS, kind::ODP];

/// Types of main parts as `[Content_Types].xml` has them, macros and templates included, and the part that
/// tells when that is missing.
const MAIN_PARTS: &[(&str, &str, &str)] = &[
    ("wordprocessingml", "word/document.xml", kind::DOCX),
    ("ms-word.", "word/document.xml", kind::DOCX),
    ("presentationml", "ppt/presentation.xml", kind::PPTX),
    ("ms-powerpoint.", "ppt/presentation.xml", kind::PPTX),
    ("sheet.binary", "xl/workbook.bin", kind::XLSB),
    ("spreadsheetml", "xl/workbook.xml", kind::XLSX),
    ("ms-excel.", "xl/workbook.xml", kind::XLSX),
];

/// The content type of a ZIP file; `application/zip` when it is no document.
pub(crate) fn kind_of_container(bytes: &[u8], limits: &Limits) -> &'static str {
    let Ok(container) = Container::open(bytes, limits) else { return kind::ZIP };
    declared(&container).or_else(|| typed(&container)).or_else(|| by_parts(&container)).unwrap_or(kind::ZIP)
}

fn declared(container: &Container<'_>) -> Option<&'static str> {
    let content = container.read("mimetype").ok()??;
    let declared =
        String::from_utf8_lossy(content.get(..content.len().min(120))?).trim().to_ascii_lowercase();
    DECLARED.iter().find(|kind| declared.starts_with(**kind)).copied()
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
        return Some(kind::EPUB);
    }
    let main = MAIN_PARTS.iter().find(|(_, part, _)| container.contains(part));
    // A package whose main part is lost is a damaged document, and no archive.
    let is_package = container.contains("[Content_Types].xml");
    let lost = || {
        let folder =
            |part: &str| part.split('/').next().map(|folder| format!("{folder}/")).unwrap_or_default();
        let has = |folder: &str| container.names().any(|name| name.starts_with(folder));
        MAIN_PARTS.iter().find(|(_, part, _)| is_package && has(&folder(part)))
    };
    main.or_else(lost).map(|(.., kind)| *kind)
}
