//! Reads the screenshot that a browser wrote to its folder.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use utilities_core::web::BrowserError;

use crate::process::{ProcessFailure, failed};

/// File name of the screenshot in the folder.
pub(crate) const NAME: &str = "formwork-picture.png";
/// Maximum bytes of a screenshot: more than the pixels of the window can have.
const MAX_BYTES: u64 = 16 << 20;
/// The PNG signature.
const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Reads the screenshot; `None` when there is none. No process of the browser runs any more that could change
/// it.
pub(crate) fn read(folder: &Path) -> Result<Option<Vec<u8>>, BrowserError> {
    let path = folder.join(NAME);
    match std::fs::symlink_metadata(&path) {
        // A symbolic link could point to a file of the server.
        Ok(found) if !found.is_file() => return Err(ProcessFailure::NoPicture.into()),
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(failed)?;
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(BrowserError::TooLarge(MAX_BYTES));
    }
    if bytes.starts_with(SIGNATURE) { Ok(Some(bytes)) } else { Err(ProcessFailure::NoPicture.into()) }
}
