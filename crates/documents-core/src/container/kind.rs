//! Detects the document type of a container by its own declaration: the `mimetype` entry or the type of its
//! main part.

use super::Container;
use crate::Limits;
use crate::kind;

/// Media types of `mimetype` entries. A template has the type of its documents.
const DECLARED: &[&str] = &[kind::EPUB, kind::ODT, kind::ODS, kind::ODP];

/// Content types of main parts in `[Content_Types].xml`, macros and templates included; and the part that
/// identifies the format when that file is missing.
const MAIN_PARTS: &[(&str, &str, &str)] = &[
    ("wordprocessingml", "word/document.xml", kind::DOCX),
    ("ms-word.", "word/document.xml", kind::DOCX),
    ("presentationml", "ppt/presentation.xml", kind::PPTX),
    ("ms-powerpoint.", "ppt/presentation.xml", kind::PPTX),
    ("sheet.binary", "xl/workbook.bin", kind::XLSB),
    ("spreadsheetml", "xl/workbook.xml", kind::XLSX),
    ("ms-excel.", "xl/workbook.xml", kind::XLSX),
];

/// Files that identify unsupported packages: documents of Apple's programs, and programs.
const UNREAD_PARTS: &[(&str, &str)] = &[
    ("Index.zip", kind::IWORK),
    ("Index/Document.iwa", kind::IWORK),
    ("buildVersionHistory.plist", kind::IWORK),
    ("Metadata/BuildVersionHistory.plist", kind::IWORK),
    ("AndroidManifest.xml", kind::PACKAGE),
    ("META-INF/MANIFEST.MF", kind::PACKAGE),
    // By ECMA-376, part 2, every OPC package has it, whatever its main part.
    ("[Content_Types].xml", kind::PACKAGE),
    // By OpenDocument 1.3, part 2, section 3.3, and OCF 3.3, section 4.3, it declares the type of a package.
    ("mimetype", kind::PACKAGE),
];

/// The content type of a ZIP file; `application/zip` when it is neither a document nor another package.
pub(crate) fn kind_of_container(bytes: &[u8], limits: &Limits) -> &'static str {
    let Ok(container) = Container::open(bytes, limits) else { return kind::ZIP };
    let read = declared(&container).or_else(|| typed(&container)).or_else(|| by_parts(&container));
    read.or_else(|| unsupported_package(&container)).unwrap_or(kind::ZIP)
}

/// The type of a package that is no archive of documents and not supported.
fn unsupported_package(container: &Container<'_>) -> Option<&'static str> {
    UNREAD_PARTS.iter().find(|(part, _)| container.contains(part)).map(|(_, kind)| *kind)
}

fn declared(container: &Container<'_>) -> Option<&'static str> {
    let content = container.read("mimetype").ok()??;
    let declared =
        String::from_utf8_lossy(content.get(..content.len().min(120))?).trim().to_ascii_lowercase();
    DECLARED.iter().find(|kind| declared.starts_with(**kind)).copied()
}

/// The type by the content type of the main part: the first known one.
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
    // A package whose main part is missing is a damaged document, not an archive.
    let is_package = container.contains("[Content_Types].xml");
    let lost = || {
        let folder =
            |part: &str| part.split('/').next().map(|folder| format!("{folder}/")).unwrap_or_default();
        let has = |folder: &str| container.names().any(|name| name.starts_with(folder));
        MAIN_PARTS.iter().find(|(_, part, _)| is_package && has(&folder(part)))
    };
    main.or_else(lost).map(|(.., kind)| *kind)
}
