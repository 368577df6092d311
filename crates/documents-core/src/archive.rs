//! ZIP archives of documents: each file under a heading with its name.

use document::{Document, Format, ParseError};

use crate::Limits;
use crate::builder::Builder;
use crate::container::Container;
use crate::nested::Nesting;

pub(crate) fn parse_zip(
    bytes: &[u8],
    limits: &Limits,
    nesting: &mut Nesting,
) -> Result<Document, ParseError> {
    // Bytes inflated from a nested archive also count for the outer one.
    let inner = Limits { inflated_bytes: limits.inflated_bytes.min(nesting.bytes_left()), ..*limits };
    let container = Container::open(bytes, &inner)?;
    let mut builder = Builder::new(Format::Zip, limits);
    let mut locked = 0;
    for name in container.names().filter(|name| !is_housekeeping(name)) {
        match container.read(name) {
            Ok(Some(content)) => {
                if !nesting.add(&mut builder, name, &content, limits) {
                    break;
                }
            }
            Err(ParseError::Limit(_)) => {
                nesting.cut = true;
                break;
            }
            Err(ParseError::Encrypted) => locked += 1,
            Ok(None) | Err(_) => nesting.cut = true,
        }
    }
    let document = builder.finish();
    if document.text.is_empty() && locked > 0 { Err(ParseError::Encrypted) } else { Ok(document) }
}

/// Metadata files that operating systems add to archives.
fn is_housekeeping(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    name.starts_with("__MACOSX/") || file.starts_with('.') || matches!(file, "Thumbs.db" | "desktop.ini")
}
