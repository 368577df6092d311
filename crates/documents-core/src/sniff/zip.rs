//! Detects the type of a ZIP container by the names of its files.

use super::kind;

const LOCAL: &[u8] = b"PK\x03\x04";
const CENTRAL: &[u8] = b"PK\x01\x02";
/// Maximum file names that are examined. Protects time.
const FILES: usize = 5_000;

/// The content type of a container, from its beginning or from all of it.
pub(super) fn kind_of(bytes: &[u8]) -> &'static str {
    if let Some(kind) = by_mimetype(bytes) {
        return kind;
    }
    let mut names = names(bytes, CENTRAL, 46, 28);
    let whole = !names.is_empty();
    if !whole {
        names = self::names(bytes, LOCAL, 30, 26);
    }
    let has = |name: &str| names.iter().any(|found| found.eq_ignore_ascii_case(name));
    let begins = |prefix: &str| names.iter().any(|found| found.starts_with(prefix));
    // A folder with that name alone is not evidence of a document.
    let is_package = has("[Content_Types].xml") || has("_rels/.rels") || !whole;
    if has("xl/workbook.bin")
        || (!whole && names.iter().any(|name| name.starts_with("xl/") && name.ends_with(".bin")))
    {
        kind::XLSB
    } else if is_package && begins("word/") {
        kind::DOCX
    } else if is_package && begins("ppt/") {
        kind::PPTX
    } else if is_package && begins("xl/") {
        kind::XLSX
    } else if has("META-INF/container.xml") {
        kind::EPUB
    } else if names.iter().any(|name| name.starts_with("Index/") && name.ends_with(".iwa")) {
        kind::IWORK
    } else if begins("visio/") {
        kind::PACKAGE
    } else {
        kind::ZIP
    }
}

/// OpenDocument files and books declare their type in their first file, compressed or not.
fn by_mimetype(bytes: &[u8]) -> Option<&'static str> {
    let name = bytes.get(30..38)?;
    if name != b"mimetype" {
        return None;
    }
    let extra = usize::from(u16::from_le_bytes(bytes.get(28..30)?.try_into().ok()?));
    let content = bytes.get(38 + extra..)?;
    // The types of templates begin with these.
    [kind::EPUB, kind::ODT, kind::ODS, kind::ODP]
        .into_iter()
        .find(|kind| content.starts_with(kind.as_bytes()))
}

/// The names in the headers of one kind.
fn names(bytes: &[u8], magic: &[u8], length: usize, name_length_at: usize) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = bytes;
    while names.len() < FILES
        && let Some(place) = rest.windows(4).position(|window| window == magic)
    {
        let header = rest.get(place..).unwrap_or_default();
        let size = header.get(name_length_at..name_length_at + 2).and_then(|two| two.try_into().ok());
        let size = usize::from(size.map_or(0, u16::from_le_bytes));
        let name = header.get(length..header.len().min(length + size)).unwrap_or_default();
        names.push(String::from_utf8_lossy(name).replace('\\', "/"));
        // A file's content may be a container too, so it is skipped when its size is known.
        let content = if magic == LOCAL { stored(header) } else { 0 };
        rest = header.get((4 + content).min(header.len())..).unwrap_or_default();
    }
    names
}

/// Stored bytes of a file's content, from its local header.
fn stored(header: &[u8]) -> usize {
    header
        .get(18..22)
        .and_then(|four| four.try_into().ok())
        .map_or(0, |four| u32::from_le_bytes(four) as usize)
}
