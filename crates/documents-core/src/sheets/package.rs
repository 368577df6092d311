//! Common parts of workbooks that are packages, whatever the format of their sheets.

use document::{Document, Format, ParseError};

use super::{Sheet, SheetBudget, write};
use crate::Limits;
use crate::builder::Builder;
use crate::package::Package;

/// The document of a workbook: its sheets by name and part, and the package's metadata. `read` fills a sheet
/// from its part, and returns false when something is missing or was left out.
pub(super) fn workbook(
    format: Format,
    package: &Package<'_>,
    sheets: &[(String, String)],
    limits: &Limits,
    mut read: impl FnMut(&str, &mut Sheet, &mut SheetBudget) -> Result<bool, ParseError>,
) -> Result<Document, ParseError> {
    let mut builder = Builder::new(format, limits);
    let mut room = SheetBudget::new(limits);
    for (name, part) in sheets {
        let mut sheet = Sheet::named(name);
        match read(part, &mut sheet, &mut room) {
            Ok(whole) => room.cut |= !whole,
            Err(error) => room.tolerate_error(error)?,
        }
        write(&mut builder, sheet, limits);
    }
    if room.cut {
        builder.truncate();
    }
    let metadata = &mut builder.document_mut().metadata;
    let truncated = metadata.truncated;
    *metadata = package.metadata().unwrap_or_default();
    metadata.truncated = truncated;
    metadata.page_count = u32::try_from(sheets.len()).ok();
    Ok(builder.finish())
}
